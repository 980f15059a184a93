import type { Fault } from "../../fault";
import { countFaults, formerKeyFaults, isRecord, keyFaults, type Known } from "./givenValues";

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

/** What is wrong with the shape of the peers; their ids are judged when they are known. */
export function peerFaults(peers: unknown): Fault[] {
  if (peers === undefined || peers === null) return [];
  if (!isRecord(peers)) return [shape("peers", "sets of peers")];
  return Object.entries(peers).flatMap(([set, references]) => {
    if (!(set in PEER_SETS)) {
      return [
        {
          path: `peers.${set}`,
          problem: "no such set of peers",
          remedy: `use ${Object.keys(PEER_SETS).join(", ")}`,
        },
      ];
    }
    if (references === undefined || references === null) return [];
    if (!isRecord(references)) return [shape(`peers.${set}`, "securityGroupIds and prefixLists")];
    return Object.entries(references).flatMap(([kind, entries]) =>
      entryFaults(`peers.${set}.${kind}`, kind, entries),
    );
  });
}

function entryFaults(path: string, kind: string, entries: unknown): Fault[] {
  if (entries === undefined || entries === null) return [];
  if (kind === "formerKeys") return formerKeysFaults(path, entries);
  if (kind !== "securityGroupIds" && kind !== "prefixLists") {
    return [{ path, problem: "no such property", remedy: "use securityGroupIds or prefixLists" }];
  }
  if (!isRecord(entries)) return [shape(path, kind === "prefixLists" ? "prefix lists" : "ids")];
  const keys = Object.keys(entries).flatMap((key) => keyFaults(`${path}.${key}`, key));
  if (kind === "securityGroupIds") return keys;
  return [
    ...keys,
    ...Object.entries(entries).flatMap(([key, list]) => prefixListFaults(`${path}.${key}`, list)),
  ];
}

/** Keys as they were before, by the keys that they have now. */
function formerKeysFaults(path: string, entries: unknown): Fault[] {
  if (!isRecord(entries)) return [shape(path, "former keys")];
  return Object.entries(entries).flatMap(([key, former]) =>
    formerKeyFaults(
      `${path}.${key}`,
      former,
      Object.keys(entries).filter((other) => other !== key),
    ),
  );
}

function prefixListFaults(path: string, list: unknown): Fault[] {
  if (!isRecord(list) || list.id === undefined || list.id === null) {
    return [
      { path, problem: "no id", remedy: "write { id: <the prefix list's id>, maxEntries: <its maximum> }" },
    ];
  }
  const { maxEntries = null } = list;
  return maxEntries === null ? [] : countFaults(`${path}.maxEntries`, maxEntries, 1);
}

function shape(path: string, of: string): Fault {
  return { path, problem: "is not an object", remedy: `write ${of} under keys of your choice: { key: ... }` };
}

const sorted = <T>(entries: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1));
