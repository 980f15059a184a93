import { type Prefix, prefixesBetween } from "../address";
import { parseAddress, parsePrefix } from "../address/parse";
import { onceForEach } from "../collections";
import { read } from "./read";
import { type PropertyValue, type Resource, UNKNOWN, type UnknownValue } from "./resource";
import { isAddressPool } from "./resourceTypes";
import type { PlacedRange } from "./vpcs";

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
