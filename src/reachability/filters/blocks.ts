import { readBlock, type Prefix } from "../../address";
import { UNKNOWN } from "../../resources/resource";
import type { Found } from "../../resources/read";

/** Blocks that are known, and the places of those that are not. */
export interface KnownBlocks {
  prefixes: readonly Prefix[];
  unknown: readonly { path: string; reason?: string }[];
}

/** Reads values that are blocks. What is none counts as unknown: nobody can say what becomes of the object. */
export function blocksOf(values: readonly Found[]): KnownBlocks {
  const read = values.map(({ path, value }) => ({
    path,
    value,
    prefix: typeof value === "string" ? readBlock(value) : undefined,
  }));
  return {
    prefixes: read.flatMap(({ prefix }) => prefix ?? []),
    unknown: read
      .filter(({ prefix }) => !prefix)
      .map(({ path, value }) => ({ path, ...(value !== UNKNOWN && { reason: "it is no CIDR block" }) })),
  };
}
