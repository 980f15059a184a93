import { type Family, merge, Prefix, readPrefix, addressCount } from "../address";
import { type PropertyValue, UNKNOWN } from "../resources/resource";
import { subnetReservations } from "../requirements/limits";
import { infrastructureOf } from "../requirements/platforms";
import type { Platform } from "../requirements/vocabulary";
import { isMap } from "../resources/read";

/** A CIDR block of a topology that has a key: resources are named by the key, whatever the block is. */
export class AddressBlock extends Prefix {
  readonly #named: BlockName;

  constructor({ family, start, length, text }: Prefix, named: BlockName) {
    super(family, start, length, text);
    this.#named = named;
  }

  /** The key under `addresses`. */
  get key(): string {
    return this.#named.key;
  }

  /** The key that it had before, for which resources may still be named. */
  get formerKey(): string | undefined {
    return this.#named.formerKey;
  }

  /** Whether its addresses only stand for those that another resource still has to produce. */
  get isStandIn(): boolean {
    return this.#named.isStandIn;
  }
}

interface BlockName {
  key: string;
  formerKey?: string;
  isStandIn: boolean;
}

/** Where the block of a key is written. */
export const blockPath = (key: string): string => `topology.addresses.${key}.cidr`;

/** A prefix as a topology writes it: by its key where it has one. */
export const writtenPrefix = (prefix: Prefix): string =>
  prefix instanceof AddressBlock ? prefix.key : prefix.text;

/** The fewest prefixes with the same addresses, of which those with a key stay by themselves. */
export function mergedButKeyed(prefixes: readonly Prefix[]): Prefix[] {
  const keyed = prefixes.filter((prefix) => prefix instanceof AddressBlock);
  const plain = prefixes.filter((prefix) => !(prefix instanceof AddressBlock));
  return [...merge(plain), ...new Map(keyed.map((block) => [block.key, block])).values()];
}

/**
 * Stands in `addresses.<key>.cidr` for a block that is not known yet where resources are planned all the same: which there
 * are, and their names, come from the key. To the type system it is one with UNKNOWN, which judges meet in its place.
 */
export const STAND_IN: typeof UNKNOWN = Symbol("stand-in") as typeof UNKNOWN;

/**
 * Addresses for the n-th block that is not known. They lie where no network has any ("this network" of RFC 1122, and what
 * RFC 4291 reserves), so that nothing else in a plan holds them, and no two of them make a larger block: the text is found again in what is made of it.
 */
export const standInFor = (count: number, family: Family): Prefix =>
  readPrefix(family === 4 ? `0.${2 * count - 1}.0.0/16` : `0:0:${(2 * count - 1).toString(16)}::/48`)!;

/** How many blocks of a topology can have a key. */
export const MOST_BLOCKS = 127;

/** A topology of which resources can be planned: keys stand for the blocks that are not known yet. */
export function plannedTopology<T>(topology: T): T {
  const { addresses } = (topology ?? {}) as { readonly addresses?: PropertyValue };
  if (!isMap(addresses)) return topology;
  const blocks = Object.entries(addresses).map(([key, block]) => [
    key,
    isMap(block) && block.cidr === UNKNOWN ? { ...block, cidr: STAND_IN } : block,
  ]);
  return { ...topology, addresses: Object.fromEntries(blocks) as unknown };
}

/** Whether some of its blocks are planned by their keys. */
export function hasStandIns(topology: unknown): boolean {
  const { addresses } = (topology ?? {}) as { readonly addresses?: PropertyValue };
  return (
    isMap(addresses) && Object.values(addresses).some((block) => isMap(block) && block.cidr === STAND_IN)
  );
}

/** IPv4: the network's own and the broadcast address; IPv6: the anycast address of its routers. */
const ENDS: Readonly<Record<Family, number>> = { 4: 2, 6: 1 };

/** How many addresses of a subnet no machine can have. */
export function reservedIn(platform: Platform, family: Family): number {
  const kept = subnetReservations[infrastructureOf(platform)];
  return kept?.families.includes(family) ? kept.first + kept.last : ENDS[family];
}

/** How many machines a subnet has addresses for; both ends of a /31 are machines'. */
export function machineRoom(subnet: Prefix, platform: Platform): bigint {
  const count = addressCount(subnet);
  const reserved = BigInt(reservedIn(platform, subnet.family));
  if (count <= 2n) return count;
  return count > reserved ? count - reserved : 0n;
}
