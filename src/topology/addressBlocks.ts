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

  /** The previous key, by which resources may still be named. */
  get formerKey(): string | undefined {
    return this.#named.formerKey;
  }

  /** Whether its addresses are placeholders for a block that another resource still has to produce. */
  get isStandIn(): boolean {
    return this.#named.isStandIn;
  }
}

interface BlockName {
  key: string;
  formerKey?: string;
  isStandIn: boolean;
}

/** The path of the block of a key. */
export const blockPath = (key: string): string => `topology.addresses.${key}.cidr`;

/** A prefix as a topology writes it: by its key if it has one. */
export const writtenPrefix = (prefix: Prefix): string =>
  prefix instanceof AddressBlock ? prefix.key : prefix.text;

/** The fewest prefixes with the same addresses; prefixes with a key are not merged. */
export function mergedButKeyed(prefixes: readonly Prefix[]): Prefix[] {
  const keyed = prefixes.filter((prefix) => prefix instanceof AddressBlock);
  const plain = prefixes.filter((prefix) => !(prefix instanceof AddressBlock));
  return [...merge(plain), ...new Map(keyed.map((block) => [block.key, block])).values()];
}

/**
 * Placeholder in `addresses.<key>.cidr` for a block that is not known yet, so that resources can be planned anyway:
 * their existence and their names follow from the key. It has the type of UNKNOWN, which validating code sees instead.
 */
export const STAND_IN: typeof UNKNOWN = Symbol("stand-in") as typeof UNKNOWN;

/**
 * Placeholder addresses for the n-th block that is not known. No network uses them ("this network" of RFC 1122, and a range that RFC
 * 4291 reserves), so nothing else in a plan has them, and no two of them form a larger block: their text can be found again in results.
 */
export const standInFor = (count: number, family: Family): Prefix =>
  readPrefix(family === 4 ? `0.${2 * count - 1}.0.0/16` : `0:0:${(2 * count - 1).toString(16)}::/48`)!;

/** The greatest number of blocks with a key in a topology. */
export const MOST_BLOCKS = 127;

/** Returns a topology from which resources can be planned: keys stand for the blocks that are not known yet. */
export function plannedTopology<T>(topology: T): T {
  const { addresses } = (topology ?? {}) as { readonly addresses?: PropertyValue };
  if (!isMap(addresses)) return topology;
  const blocks = Object.entries(addresses).map(([key, block]) => [
    key,
    isMap(block) && block.cidr === UNKNOWN ? { ...block, cidr: STAND_IN } : block,
  ]);
  return { ...topology, addresses: Object.fromEntries(blocks) as unknown };
}

/** Whether some blocks of a topology are planned by their keys. */
export function hasStandIns(topology: unknown): boolean {
  const { addresses } = (topology ?? {}) as { readonly addresses?: PropertyValue };
  return (
    isMap(addresses) && Object.values(addresses).some((block) => isMap(block) && block.cidr === STAND_IN)
  );
}

/** IPv4: the network and broadcast addresses; IPv6: the routers' anycast address. */
const ENDS: Readonly<Record<Family, number>> = { 4: 2, 6: 1 };

/** How many addresses of a subnet machines cannot use. */
export function reservedIn(platform: Platform, family: Family): number {
  const kept = subnetReservations[infrastructureOf(platform)];
  return kept?.families.includes(family) ? kept.first + kept.last : ENDS[family];
}

/** How many machines a subnet has room for; machines can use both addresses of a /31. */
export function machineRoom(subnet: Prefix, platform: Platform): bigint {
  const count = addressCount(subnet);
  const reserved = BigInt(reservedIn(platform, subnet.family));
  if (count <= 2n) return count;
  return count > reserved ? count - reserved : 0n;
}
