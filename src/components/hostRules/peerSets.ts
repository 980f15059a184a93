import { from } from "../../objects/places";
import { elsewhere, leaf, needed, object, plain, shapeFaults } from "../../objects/shape";
import { isMap } from "../../resources/read";
import { formerKey, type Known, named, plainNumber } from "./givenValues";

/** Peers that are not CIDR blocks, as far as their ids are known. Mirrors the component's `SecurityGroupPeers`. */
export interface PeerReferences {
  securityGroupIds?: Readonly<Record<string, Known<string>>> | null;
  prefixLists?: Readonly<Record<string, PrefixListReference>> | null;
  formerKeys?: Readonly<Record<string, string>> | null;
}

interface PrefixListReference {
  id: Known<string>;
  maxEntries?: number | null;
}

/**
 * The sets of peers that take references, each with the topology properties whose CIDR blocks they stand beside.
 * Private endpoints of the control plane lie in the machine network.
 */
export const PEER_SETS = {
  workers: ["workerCidrs"],
  workerNat: ["workerNatCidrs"],
  externalClients: ["externalClientCidrs"],
  managementCluster: ["managementClusterCidrs"],
  controlPlaneEndpoints: ["controlPlaneEndpointCidrs", "machineNetwork"],
  loadBalancers: ["loadBalancerSubnetCidrs"],
  dnsServers: ["dnsServerCidrs"],
  registries: ["registryCidrs"],
} as const satisfies Record<string, readonly string[]>;

export type PeerSetName = keyof typeof PEER_SETS;

/** Security group or prefix list that a rule refers to. */
export interface Reference {
  kind: "securityGroup" | "prefixList";
  /** Where its id is written: `peers.workers.securityGroupIds.bastion`. */
  path: string;
  /** Part of resource names: `sg-workers-bastion`. */
  slug: string;
  /** What that was before its key was another one. */
  formerSlug?: string;
  /** In tables: `security group workers.bastion`. */
  text: string;
  /** Absent while a resource still has to produce it. */
  id?: string;
  /** How many rules it counts as: 1, for a prefix list its maximum number of entries. */
  weight: number;
  /** True where the prefix list's maximum number of entries is not stated. */
  uncounted?: true;
}

/** What a prefix list counts for a quota: its maximum number of entries, for want of it one. */
export function listWeight(maxEntries: number | null | undefined): Pick<Reference, "weight" | "uncounted"> {
  return typeof maxEntries === "number" ? { weight: maxEntries } : { weight: 1, uncounted: true };
}

/** How a rule is named by the key of its peer. */
export interface PeerName {
  /** Part of names of resources: `rule-office`. */
  slug: string;
  /** What it was before. */
  formerSlug?: string;
}

/** A name by a key. What was named by a block before, by none, is found by that. */
export function nameOfPeer(kind: string, key: string, formerKey?: string | null): PeerName {
  const slug = `${kind}-${key}`;
  if (typeof formerKey !== "string") return { slug };
  return { slug, formerSlug: formerKey.includes("/") ? slugOfText(formerKey) : `${kind}-${formerKey}` };
}

/** Colons and slashes have a meaning in names of resources. No two prefixes become the same name. */
export const slugOfText = (text: string): string => text.replaceAll(/[:/]/g, "-");

/** The set of peers that belongs to a topology property: `workers` for `workerCidrs`. */
export function peerSetOf(input: string): PeerSetName | undefined {
  const sets = Object.entries(PEER_SETS) as [PeerSetName, readonly string[]][];
  return sets.find(([, inputs]) => inputs.includes(input))?.[0];
}

/** All references of one set, in the order of their keys. */
export function referencesOf(
  set: PeerSetName,
  { securityGroupIds, prefixLists, formerKeys }: PeerReferences,
): Reference[] {
  const named = (kind: string, key: string) =>
    nameOfPeer(`${kind}-${set}`, key, Object.hasOwn(formerKeys ?? {}, key) ? formerKeys![key] : undefined);
  const groups = sorted(securityGroupIds ?? {}).map(([key, id]) => ({
    kind: "securityGroup" as const,
    path: `peers.${set}.securityGroupIds.${key}`,
    ...named("sg", key),
    text: `security group ${set}.${key}`,
    ...(typeof id === "string" ? { id } : {}),
    weight: 1,
  }));
  const lists = sorted(prefixLists ?? {}).map(([key, { id, maxEntries }]) => ({
    kind: "prefixList" as const,
    path: `peers.${set}.prefixLists.${key}.id`,
    ...named("pl", key),
    text: `prefix list ${set}.${key}`,
    ...(typeof id === "string" ? { id } : {}),
    ...listWeight(maxEntries),
  }));
  return [...groups, ...lists];
}

const under = (what: string) => `write ${what} under keys of your choice: { key: ... }`;

/** Keys as they were before, by the keys that they have now. */
const formerKeys = plain(
  leaf(({ path, value }) => {
    if (!isMap(value)) return [{ path, problem: "is not an object", remedy: under("former keys") }];
    const keys = Object.keys(value);
    return keys.flatMap((key) => {
      const others = keys.filter((other) => other !== key);
      return shapeFaults(formerKey(others), { path: `${path}.${key}`, value: value[key] });
    });
  }),
  under("former keys"),
);

const references = object({
  securityGroupIds: named(elsewhere, under("ids")),
  prefixLists: named(
    object({ id: needed(elsewhere, "write the prefix list's id"), maxEntries: plainNumber(from(1)) }),
    under("prefix lists"),
  ),
  formerKeys,
});

/** The sets of peers; their ids are judged when they are known. */
export const peerSets = object(
  Object.fromEntries(Object.keys(PEER_SETS).map((set) => [set, plain(references, under("references"))])),
);

const sorted = <T>(entries: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1));
