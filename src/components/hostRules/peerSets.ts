import { from } from "../../objects/places";
import { elsewhere, leaf, needed, object, plain, shapeFaults } from "../../objects/shape";
import { isMap } from "../../resources/read";
import { formerKey, type Known, named, plainNumber } from "./givenValues";

/** Peers that are not CIDR blocks, with the ids that are known. Mirrors the component's `SecurityGroupPeers`. */
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
 * The sets of peers that accept references, each with the topology properties whose CIDR blocks they supplement. Private
 * endpoints of the control plane are in the machine network.
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

/** A security group or prefix list that a rule refers to. */
export interface Reference {
  kind: "securityGroup" | "prefixList";
  /** The path of its id: `peers.workers.securityGroupIds.bastion`. */
  path: string;
  /** Part of resource names: `sg-workers-bastion`. */
  slug: string;
  /** The part of resource names that its previous key gave. */
  formerSlug?: string;
  /** Its name in tables: `security group workers.bastion`. */
  text: string;
  /** Absent until a resource has produced it. */
  id?: string;
  /** How many rules it counts as: 1, or for a prefix list its maximum number of entries. */
  weight: number;
  /** True if the prefix list's maximum number of entries is not stated. */
  uncounted?: true;
}

/** How many rules a prefix list counts as for a quota: its maximum number of entries, or 1 if that is not stated. */
export function listWeight(maxEntries: number | null | undefined): Pick<Reference, "weight" | "uncounted"> {
  return typeof maxEntries === "number" ? { weight: maxEntries } : { weight: 1, uncounted: true };
}

/** How a rule is named after the key of its peer. */
export interface PeerName {
  /** Part of resource names: `rule-office`. */
  slug: string;
  /** The previous part of resource names. */
  formerSlug?: string;
}

/** The name for a key. A `formerKey` with a slash is the CIDR block after which the resource was named before it had a key. */
export function nameOfPeer(kind: string, key: string, formerKey?: string | null): PeerName {
  const slug = `${kind}-${key}`;
  if (typeof formerKey !== "string") return { slug };
  return { slug, formerSlug: formerKey.includes("/") ? slugOfText(formerKey) : `${kind}-${formerKey}` };
}

/** Colons and slashes have a meaning in resource names. No two prefixes get the same name. */
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

/** Previous keys by current keys. */
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
