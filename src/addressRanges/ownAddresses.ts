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

/** A single address that an object has for itself in the networks of the nodes. */
export interface OwnAddress {
  resource: Resource;
  /** Where the object says it. */
  path: string;
  prefix: Prefix;
  /** The address as text, by which two are the same. */
  key: string;
  /** Of an egress router: the interface of the nodes that it uses; undefined where nothing says it. */
  router?: { master: PropertyValue | undefined };
}

/** The addresses of nodes, EgressIP objects and egress routers, in this order, each of an object once. */
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

/** The source address of a router has the prefix length of its subnet. */
const sourceAddress = (
  resource: Resource,
  path: string,
  value: PropertyValue | undefined,
  master: PropertyValue | undefined,
): OwnAddress[] =>
  typeof value === "string"
    ? ownAddress(resource, path, value.split("/")[0]).map((own) => ({ ...own, router: { master } }))
    : [];

const FIX = "choose an address that nothing else has";

/**
 * Addresses of EgressIP objects that nodes have, and source addresses of routers that nodes, EgressIP objects or other routers
 * have: the answers go to one of the two. `egress-ip-invalid` compares EgressIP objects among themselves.
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

/** Two routers on two interfaces of the nodes may be in two networks. */
const areApart = ({ router: one }: OwnAddress, { router: other }: OwnAddress): boolean =>
  typeof one?.master === "string" && typeof other?.master === "string" && one.master !== other.master;

/** Where a pool of MetalLB says the addresses that it gives to Services of type LoadBalancer. */
const ADDRESSES = "spec.addresses[]";

/** An entry of a pool as blocks; none where it is neither a block nor a range. */
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

/** An entry of a pool of which nothing can be read. */
export interface UnreadableEntry {
  resource: Resource;
  path: string;
  value: PropertyValue;
}

/** The addresses of load balancers, as the pools of a plan say them. */
interface AddressPools {
  /** The blocks of all entries, several of one place where a range is no block. */
  blocks: PlacedRange[];
  unknown: UnknownValue[];
  unreadable: UnreadableEntry[];
}

/** The pools of MetalLB among the resources. */
export const addressPools = onceForEach(
  (plan: { ofKind: (holds: (type: string) => boolean) => readonly Resource[] }): AddressPools => {
    const pools: AddressPools = { blocks: [], unknown: [], unreadable: [] };
    for (const resource of plan.ofKind(isAddressPool))
      for (const { path, value } of read(resource.properties, ADDRESSES)) {
        const blocks = blocksOf(value);
        // A range is several blocks, which stand nowhere.
        const entry = typeof value === "string" && value.includes("-") ? ` (${value})` : "";
        const name = `the load-balancer pool ${resource.name}${entry}`;
        if (value === UNKNOWN) pools.unknown.push({ resource, path });
        else if (blocks.length === 0) pools.unreadable.push({ resource, path, value });
        for (const prefix of blocks) pools.blocks.push({ name, prefix, resource, path });
      }
    return pools;
  },
);

/** Finds a pool that has addresses of a block. Many may have them: the widest is named, whose blocks are beside each other. */
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

/** A pool that has addresses of a block, and whether it surely gives them out in the network of an object. */
interface NearPool {
  pool: PlacedRange;
  /** Pools of other clusters are often for the same network, and nothing says so. */
  isSure: boolean;
}

function nearPool(judged: JudgedResources, { resource, prefix }: OwnAddress): NearPool | undefined {
  const { own, any } = poolsAt(judged);
  const sure = own.get(guestScope(judged, resource).key)?.(prefix);
  const pool = sure ?? any(prefix);
  return pool && { pool, isSure: sure !== undefined };
}

/** Something that is wrong where two objects are in one network. */
const ifInOneNetwork = (
  { resource, path }: Pick<PlacedRange, "resource" | "path">,
  isSure: boolean,
  { message, ...more }: Pick<Judgement, "message" | "fix" | "witness">,
): Judgement =>
  isSure
    ? violated({ resource: resource.origin, path, message, ...more })
    : unknown({ resource, path, reason: `${message}, if both are in one network` });

/** Addresses that a load balancer may get, too. */
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

/** What is wrong with pools: addresses that another one gives out, and those of nodes. MetalLB refuses both. */
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

/** Each entry that has addresses of a wider one, or the same addresses as another. */
function overlappingPools(judged: JudgedResources): Judgement[] {
  const found: ByEntry<Judgement & { other: PlacedRange }> = new Map();
  const add = (pools: readonly PlacedRange[], isSure: boolean) => {
    for (const [pool, other] of wider(pools)) {
      const back = found.get(other.resource)?.get(other.path)?.other;
      // Of two ranges each may have blocks in one of the other: they are said once.
      if (back && back.resource === pool.resource && back.path === pool.path) continue;
      onceForEntry(found, pool, () => {
        const message = `${pool.name} ${pool.prefix.text} shares addresses with ${other.name} ${other.prefix.text}, and MetalLB refuses one of the two`;
        const witness = `${firstShared(pool.prefix, other.prefix)} is in both`;
        const fix = "leave the addresses that both have in one of them";
        return { ...ifInOneNetwork(pool, isSure, { message, fix, witness }), other };
      });
    }
  };
  for (const pools of poolsByScope(judged).values()) add(pools, true);
  add(addressPools(judged).blocks, false);
  return everyEntry(found).map(({ other: _, ...judgement }) => judgement);
}

/** Blocks with the next one around each, or with the same addresses, of another entry. */
function wider(pools: readonly PlacedRange[]): Map<PlacedRange, PlacedRange> {
  const found = new Map<PlacedRange, PlacedRange>();
  const open: PlacedRange[] = [];
  for (const pool of [...pools].sort(inOrder)) {
    while (open.length > 0 && !contains(open.at(-1)!.prefix, pool.prefix)) open.pop();
    const other = open.findLast((one) => areTwoEntries(one, pool));
    if (other) found.set(pool, other);
    const last = open.at(-1);
    // What is written over and over again is not gone through for each of those behind it.
    const isAgain =
      last?.prefix.length === pool.prefix.length && last.path === pool.path && isOneObject(last, pool);
    if (!isAgain) open.push(pool);
  }
  return found;
}

/** Entries of one pool, whose own blocks lie beside each other, or of two of which not one is the other, written twice. */
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

/** Each entry of a pool with the first node that has an address of it. */
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

/** What is wrong with addresses that objects have for themselves: others have them, or may get them. */
export const judgeOwnAddresses = (
  judged: JudgedResources,
  holds: (own: OwnAddress) => boolean,
): Judgement[] => [
  ...addressesOfOthers(judged).flatMap(([own, found]) => (holds(own) ? [found] : [])),
  ...inPools(judged, holds),
];
