import { compare, contains, firstShared, meeting, type Prefix, prefixesBetween, prefixOf } from "../address";
import { parseAddress, parsePrefix } from "../address/parse";
import { append, onceForEach, onceIn } from "../collections";
import { routerAttachments } from "../egressRouter/attachments";
import { guestScope, hadBefore, ifInOneCluster } from "../gate/guestCluster";
import type { JudgedResources } from "../gate/judgedResources";
import { describeResource, type Judgement, unknown, violated } from "../gate/rule";
import { entriesOf, propertyOf, read, readText, readValue } from "../resources/read";
import { type PropertyValue, type Resource, UNKNOWN, type UnknownValue } from "../resources/resource";
import { isAddressPool, isEgressIp, isEgressRouter, isNode } from "../resources/resourceTypes";
import type { PlacedRange } from "../resources/vpcs";
import { plural } from "../text";

/** A single address that belongs to one object in the networks of the nodes. */
export interface OwnAddress {
  resource: Resource;
  /** The path of the address in the object. */
  path: string;
  prefix: Prefix;
  /** The address as text, equal for equal addresses. */
  key: string;
  /** Only for egress routers: the interface of the nodes that the router uses; undefined if it is not stated. */
  router?: { master: PropertyValue | undefined };
}

/** The addresses of nodes, EgressIP objects and egress routers, in this order, without duplicates in an object. */
export const ownAddresses = onceForEach((judged: JudgedResources): readonly OwnAddress[] => {
  const listed = (holds: (type: string) => boolean, list: string) =>
    judged.ofKind(holds).flatMap((resource) => {
      const own = read(resource.properties, list).flatMap(({ path, value }) =>
        ownAddress(resource, path, value),
      );
      return [...new Map(own.map((one) => [one.key, one])).values()];
    });
  return [
    ...listed(isNode, "status.addresses[].address"),
    ...listed(isEgressIp, "spec.egressIPs[]"),
    ...judged.ofKind(isEgressRouter).flatMap((router) => {
      const [first] = entriesOf(readValue(router.properties, "spec.addresses"));
      const master = readValue(router.properties, "spec.networkInterface.macvlan.master");
      return sourceAddress(router, "spec.addresses[0].ip", propertyOf(first, "ip"), master);
    }),
    ...routerAttachments(judged).flatMap(({ resource, plugin }) => {
      const [first] = entriesOf(readValue(plugin, "ip.addresses"));
      return sourceAddress(resource, "spec.config", first, readValue(plugin, "interfaceArgs.master"));
    }),
  ];
});

function ownAddress(resource: Resource, path: string, value: PropertyValue | undefined): OwnAddress[] {
  const { address } = parseAddress(value);
  return address ? [{ resource, path, prefix: prefixOf(address), key: address.text }] : [];
}

/** The source address of a router, without the prefix length of its subnet. */
const sourceAddress = (
  resource: Resource,
  path: string,
  value: PropertyValue | undefined,
  master: PropertyValue | undefined,
): OwnAddress[] =>
  typeof value === "string"
    ? ownAddress(resource, path, value.split("/")[0]).map((own) => ({ ...own, router: { master } }))
    : [];

const FIX = "choose an address that nothing else uses";

/**
 * Addresses of EgressIP objects that nodes also have, and source addresses of routers that nodes, EgressIP objects or other routers
 * also have: answers reach only one of the two. `egress-ip-invalid` compares EgressIP objects with each other.
 */
const addressesOfOthers = onceForEach((judged: JudgedResources): readonly [OwnAddress, Judgement][] =>
  hadBefore(judged, ownAddresses(judged), areApart).flatMap(({ one, first, isSure }) => {
    if (isEgressIp(one.resource.type) && isEgressIp(first.resource.type)) return [];
    const [here, there] = [one, first].map(({ resource }) => describeResource(resource));
    const namespace = readText(first.resource.properties, "metadata.namespace");
    const place = here === there && typeof namespace === "string" ? ` in namespace ${namespace}` : "";
    const found = violated({
      resource: one.resource.origin,
      path: one.path,
      message: `${one.key} is also an address of ${there}${place}`,
      fix: FIX,
      witness: one.key,
    });
    if (!isSure) return [[one, ifInOneCluster(one.resource, found)]];
    if (one.router?.master !== UNKNOWN && first.router?.master !== UNKNOWN) return [[one, found]];
    const reason = `${found.message}, if both are on one interface of the nodes`;
    return [[one, unknown({ resource: one.resource, path: one.path, reason })]];
  }),
);

/** Whether two routers use different interfaces of the nodes, and so may be in two networks. */
const areApart = ({ router: one }: OwnAddress, { router: other }: OwnAddress): boolean =>
  typeof one?.master === "string" && typeof other?.master === "string" && one.master !== other.master;

/** The path at which a MetalLB pool states its addresses for Services of type LoadBalancer. */
const ADDRESSES = "spec.addresses[]";

/** The blocks of a pool entry; empty if the entry is neither a block nor a range. */
function blocksOf(entry: PropertyValue): Prefix[] {
  if (typeof entry !== "string") return [];
  const [from, to, ...more] = entry.split("-").map((end) => parseAddress(end.trim()).address);
  if (!from || !to) {
    const { prefix } = parsePrefix(entry, { hostBits: "clear" });
    return prefix ? [prefix] : [];
  }
  const isRange = more.length === 0 && from.family === to.family && from.value <= to.value;
  return isRange ? prefixesBetween(from.family, from.value, to.value) : [];
}

/** A pool entry that cannot be read. */
export interface UnreadableEntry {
  resource: Resource;
  path: string;
  value: PropertyValue;
}

/** The addresses of load balancers, from the pools of a plan. */
interface AddressPools {
  /** The blocks of all entries; several with the same place if a range is not a single block. */
  blocks: PlacedRange[];
  unknown: UnknownValue[];
  unreadable: UnreadableEntry[];
}

/** Reads the MetalLB pools among the resources. */
export const addressPools = onceForEach(
  (plan: { ofKind: (holds: (type: string) => boolean) => readonly Resource[] }): AddressPools => {
    const pools: AddressPools = { blocks: [], unknown: [], unreadable: [] };
    for (const resource of plan.ofKind(isAddressPool))
      for (const { path, value } of read(resource.properties, ADDRESSES)) {
        const blocks = blocksOf(value);
        // A range becomes several blocks, which are not written anywhere: the name shows the range.
        const entry = typeof value === "string" && value.includes("-") ? ` (${value})` : "";
        const name = `the load-balancer pool ${resource.name}${entry}`;
        if (value === UNKNOWN) pools.unknown.push({ resource, path });
        else if (blocks.length === 0) pools.unreadable.push({ resource, path, value });
        for (const prefix of blocks) pools.blocks.push({ name, prefix, resource, path });
      }
    return pools;
  },
);

/** Finds a pool that has addresses of a block. If many do, returns one of the widest, whose blocks do not overlap. */
type PoolAt = (block: Prefix) => PlacedRange | undefined;

function poolAt(pools: readonly PlacedRange[]): PoolAt {
  const widest: PlacedRange[] = [];
  for (const pool of [...pools].sort(inOrder))
    if (widest.length === 0 || !contains(widest.at(-1)!.prefix, pool.prefix)) widest.push(pool);
  const meets = meeting(widest);
  return (block) => meets(block)[0];
}

const inOrder = (one: PlacedRange, other: PlacedRange): number =>
  compare(one.prefix, other.prefix) || entryOf(one).localeCompare(entryOf(other));

const poolsByScope = onceForEach((judged: JudgedResources): ReadonlyMap<string, readonly PlacedRange[]> => {
  const scoped = new Map<string, PlacedRange[]>();
  for (const pool of addressPools(judged).blocks)
    append(scoped, guestScope(judged, pool.resource).key, [pool]);
  return scoped;
});

const poolsAt = onceForEach((judged: JudgedResources): { own: ReadonlyMap<string, PoolAt>; any: PoolAt } => ({
  own: new Map([...poolsByScope(judged)].map(([scope, pools]) => [scope, poolAt(pools)])),
  any: poolAt(addressPools(judged).blocks),
}));

/** A pool that has addresses of a block, and whether it certainly assigns them in the network of an object. */
interface NearPool {
  pool: PlacedRange;
  /** False for pools of other clusters, which are often for the same network although the input does not state it. */
  isSure: boolean;
}

function nearPool(judged: JudgedResources, { resource, prefix }: OwnAddress): NearPool | undefined {
  const { own, any } = poolsAt(judged);
  const sure = own.get(guestScope(judged, resource).key)?.(prefix);
  const pool = sure ?? any(prefix);
  return pool && { pool, isSure: sure !== undefined };
}

/** A violation if two objects are certainly in one network, otherwise an unknown judgement. */
const ifInOneNetwork = (
  { resource, path }: Pick<PlacedRange, "resource" | "path">,
  isSure: boolean,
  { message, ...more }: Pick<Judgement, "message" | "fix" | "witness">,
): Judgement =>
  isSure
    ? violated({ resource: resource.origin, path, message, ...more })
    : unknown({ resource, path, reason: `${message}, if both are in one network` });

/** Findings for addresses that a load balancer may also get. */
const inPools = (judged: JudgedResources, holds: (own: OwnAddress) => boolean): Judgement[] =>
  ownAddresses(judged)
    .filter(holds)
    .flatMap((own) => {
      const { key } = own;
      const near = nearPool(judged, own);
      if (!near) return [];
      const message = `${key} lies in ${near.pool.name}, and a load balancer may get it`;
      const fix = `${FIX}, or remove ${key} from the pool`;
      return [ifInOneNetwork(own, near.isSure, { message, fix, witness: key })];
    });

/** Faults of pools: addresses that another pool also assigns, and addresses of nodes. MetalLB refuses both. */
export const judgePools = (judged: JudgedResources): Judgement[] => [
  ...overlappingPools(judged),
  ...nodesInPools(judged),
];

type ByEntry<T> = Map<Resource, Map<string, T>>;

const everyEntry = <T>(found: ByEntry<T>): T[] =>
  [...found.values()].flatMap((entries) => [...entries.values()]);

const onceForEntry = <T>(found: ByEntry<T>, { resource, path }: PlacedRange, make: () => T): T =>
  onceIn(
    onceIn(found, resource, () => new Map<string, T>()),
    path,
    make,
  );

/** Findings for entries that lie in a wider entry or have the same addresses as another. */
function overlappingPools(judged: JudgedResources): Judgement[] {
  const found: ByEntry<Judgement & { other: PlacedRange }> = new Map();
  const add = (pools: readonly PlacedRange[], isSure: boolean) => {
    for (const [pool, other] of wider(pools)) {
      const back = found.get(other.resource)?.get(other.path)?.other;
      // Two ranges may have blocks in each other: the pair is reported once.
      if (back && back.resource === pool.resource && back.path === pool.path) continue;
      onceForEntry(found, pool, () => {
        const message = `${pool.name} ${pool.prefix.text} shares addresses with ${other.name} ${other.prefix.text}, and MetalLB refuses one of the two`;
        const witness = `${firstShared(pool.prefix, other.prefix)} is in both`;
        const fix = "keep the shared addresses in only one of them";
        return { ...ifInOneNetwork(pool, isSure, { message, fix, witness }), other };
      });
    }
  };
  for (const pools of poolsByScope(judged).values()) add(pools, true);
  add(addressPools(judged).blocks, false);
  return everyEntry(found).map(({ other: _, ...judgement }) => judgement);
}

/** Maps each block to the next enclosing or equal block of another entry. */
function wider(pools: readonly PlacedRange[]): Map<PlacedRange, PlacedRange> {
  const found = new Map<PlacedRange, PlacedRange>();
  const open: PlacedRange[] = [];
  for (const pool of [...pools].sort(inOrder)) {
    while (open.length > 0 && !contains(open.at(-1)!.prefix, pool.prefix)) open.pop();
    const other = open.findLast((one) => areTwoEntries(one, pool));
    if (other) found.set(pool, other);
    const last = open.at(-1);
    // A repeated block is kept once, so that later blocks need not go through all its copies.
    const isAgain =
      last?.prefix.length === pool.prefix.length && last.path === pool.path && isOneObject(last, pool);
    if (!isAgain) open.push(pool);
  }
  return found;
}

/** Whether two overlapping blocks are from two entries: of one pool (the blocks of an entry do not overlap), or of two distinct pools. */
const areTwoEntries = (one: PlacedRange, other: PlacedRange): boolean =>
  one.resource === other.resource || !isOneObject(one, other);

/** Whether two resources are one pool, written twice. */
const isOneObject = (one: PlacedRange, other: PlacedRange): boolean => objectOf(one) === objectOf(other);
const objectOf = ({ resource }: PlacedRange): string => nameOfObject(resource);
const nameOfObject = onceForEach(({ type, properties }: Resource): string =>
  ["name", "namespace"].reduce(
    (key, name) => `${key} ${String(readText(properties, `metadata.${name}`))}`,
    type,
  ),
);

const entryOf = (block: PlacedRange): string => `${objectOf(block)} ${block.path}`;

/** Findings for pool entries that contain addresses of nodes, each with the first such node. */
function nodesInPools(judged: JudgedResources): Judgement[] {
  const found: ByEntry<NearPool & { node: OwnAddress; count: number }> = new Map();
  for (const node of ownAddresses(judged).filter(({ resource }) => isNode(resource.type))) {
    const near = nearPool(judged, node);
    if (near) onceForEntry(found, near.pool, () => ({ ...near, node, count: 0 })).count++;
  }
  return everyEntry(found).map(({ pool, isSure, node, count }) => {
    const others = count > 1 ? `, and ${plural(count - 1, "other address", "other addresses")} of nodes` : "";
    const message = `${pool.name} has ${node.key}, an address of ${describeResource(node.resource)}${others}: a load balancer may get it`;
    const fix = "remove the addresses of nodes from the pool";
    return ifInOneNetwork(pool, isSure, { message, fix, witness: node.key });
  });
}

/** Faults of addresses that belong to one object: another object has the address, or may get it. */
export const judgeOwnAddresses = (
  judged: JudgedResources,
  holds: (own: OwnAddress) => boolean,
): Judgement[] => [
  ...addressesOfOthers(judged).flatMap(([own, found]) => (holds(own) ? [found] : [])),
  ...inPools(judged, holds),
];
