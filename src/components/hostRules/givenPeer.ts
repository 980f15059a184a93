import { parsePrefix } from "../../address/parse";
import type { Fault } from "../../fault";
import { countFaults, isGiven, type Known } from "./givenValues";
import { listWeight } from "./peerSets";
import type { RulePeer } from "./plannedRule";

/** The other end of a rule as users write it: exactly one of the three is given. */
export interface GivenPeer {
  cidr?: Known<string>;
  securityGroupId?: Known<string>;
  prefixListId?: Known<string>;
  /** How many entries the prefix list may have. */
  maxEntries?: number;
}

export type PeerKind = "cidr" | "securityGroupId" | "prefixListId";
const PEER_KINDS: readonly PeerKind[] = ["cidr", "securityGroupId", "prefixListId"];

/** The peer, planned; call it when `givenPeerFaults` finds nothing. `slug` becomes part of resource names. */
export function rulePeerOf(path: string, slug: string, peer: GivenPeer): RulePeer {
  const { cidr, securityGroupId, prefixListId, maxEntries } = peer;
  if (isGiven(cidr)) {
    const { prefix } = parsePrefix(cidr);
    return prefix ? { kind: "prefix", prefix } : { kind: "eventual", path: `${path}.cidr`, slug };
  }
  const isGroup = isGiven(securityGroupId);
  const id = isGroup ? securityGroupId : prefixListId;
  return {
    kind: "reference",
    reference: {
      kind: isGroup ? "securityGroup" : "prefixList",
      path: `${path}.${isGroup ? "securityGroupId" : "prefixListId"}`,
      slug: `${isGroup ? "sg" : "pl"}-${slug}`,
      text: `${isGroup ? "security group" : "prefix list"} of ${path}`,
      ...(typeof id === "string" ? { id } : {}),
      ...(isGroup ? { weight: 1 } : listWeight(maxEntries)),
    },
  };
}

/** What is wrong with the shape of a peer; ids and CIDR blocks are judged when they are known. */
export function givenPeerFaults(path: string, peer: Readonly<Record<string, unknown>>): Fault[] {
  const given = PEER_KINDS.filter((name) => isGiven(peer[name]));
  if (given.length !== 1) {
    const problem = given.length === 0 ? "has no peer" : `has ${given.length} peers: ${given.join(", ")}`;
    return [{ path, problem, remedy: `write exactly one of ${PEER_KINDS.join(", ")}` }];
  }
  return isGiven(peer.maxEntries) ? countFaults(`${path}.maxEntries`, peer.maxEntries, 1) : [];
}
