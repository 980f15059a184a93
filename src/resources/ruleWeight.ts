import type { Family } from "../address";

/** What a security-group rule names at its other end, as AWS's quota counts it. */
export type CountedPeer =
  | { kind: "prefix"; family: Family }
  /** A security group, the own one among them. */
  | { kind: "group" }
  /** A prefix list, with the most entries that it may have. */
  | { kind: "prefixList"; maxEntries: number };

/** Both families, which AWS counts apart. */
export const FAMILIES: readonly Family[] = [4, 6];

/**
 * As how many rules of a family AWS counts one: a block once in its family; a security group once in both; a prefix list as
 * often as it may have entries, in both, because its family is not known.
 */
export function ruleWeight(peer: CountedPeer, family: Family): number {
  if (peer.kind === "prefix") return peer.family === family ? 1 : 0;
  return peer.kind === "prefixList" ? peer.maxEntries : 1;
}
