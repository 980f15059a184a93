import { pushAll } from "../pushAll";
import { readPrefix, type Prefix } from "../address";
import { read, type Found } from "./read";
import { UNKNOWN, type Resource, type UnknownPlace } from "./resource";
import type { ResourceIndex } from "./resourceIndex";
import { PREFIX_LISTS, TYPE } from "./resourceTypes";

/** What a prefix list holds: blocks, and places whose block is unknown. */
export type PrefixListEntry =
  { kind: "prefix"; prefix: Prefix } | { kind: "unknown"; because: readonly UnknownPlace[] };

/** The prefix lists of a stack with all their entries. */
export type PrefixListContents = ReadonlyMap<Resource, readonly PrefixListEntry[]>;

const ENTRIES: ReadonlySet<string> = new Set([TYPE.prefixListEntry]);

/** Entries that stand in the lists themselves, and those that are resources of their own. */
export function prefixListContents(index: ResourceIndex): PrefixListContents {
  const contents = new Map<Resource, PrefixListEntry[]>();
  for (const resource of index.ofKind(PREFIX_LISTS))
    contents.set(
      resource,
      read(resource.properties, "entries[].cidr").flatMap((found) => entry(resource, found)),
    );
  for (const resource of index.ofKind(ENTRIES)) {
    const list = index.referred(resource, "prefixListId", PREFIX_LISTS);
    const entries = read(resource.properties, "cidr").flatMap((found) => entry(resource, found));
    if (typeof list === "object") pushAll(contents.get(list) ?? [], entries);
    // It may stand in any.
    if (list === UNKNOWN)
      for (const [, others] of contents)
        others.push({ kind: "unknown", because: [{ resource, path: "prefixListId" }] });
  }
  return contents;
}

function entry(resource: Resource, { path, value }: Found): PrefixListEntry[] {
  if (value === UNKNOWN) return [{ kind: "unknown", because: [{ resource, path }] }];
  const prefix = typeof value === "string" ? readPrefix(value) : undefined;
  return prefix ? [{ kind: "prefix", prefix }] : [];
}
