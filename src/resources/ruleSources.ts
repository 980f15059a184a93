import { onceForBoth, onceForEach, pushAll } from "../collections";
import { FAMILIES, type Family, type Prefix, readPrefix } from "../address";
import { Direction } from "../requirements/vocabulary";
import { type Found, isFilled, isMap, read, readFlag, readText, readValue } from "./read";
import { type PropertyValue, type Resource, UNKNOWN, type UnknownPlace } from "./resource";
import { defaultGroupOf, type ResourceIndex } from "./resourceIndex";
import { PREFIX_LISTS, SECURITY_GROUPS, TYPE, VPCS } from "./resourceTypes";

/** The other end of a security-group rule. */
export type RuleSource =
  | { kind: "prefix"; prefix: Prefix; path: string }
  /** The known entries of a prefix list of this stack: one list of blocks for all rules that name it. */
  | { kind: "list"; list: Resource; blocks: readonly Prefix[]; path: string }
  /** A group of this stack, possibly the rule's own; with a reason if it is unknown whether EC2 accepts it. */
  | { kind: "group"; group: Resource; path: string; reason?: string }
  /** A group that is not in this stack. */
  | { kind: "foreignGroup"; id: string; path: string }
  /** Unknown addresses; with a family if the property or the prefix list accepts only that one. */
  | { kind: "unknown"; path: string; family?: Family; reason?: string; because?: readonly UnknownPlace[] };

/** The place of a rule. `dependencies` is the property that holds it, if one property holds many rules. */
export interface RuleLocation {
  holder: Resource;
  dependencies?: string;
  path: string;
  value: PropertyValue;
}

/** Properties of security group and network ACL rules that hold blocks, and the only family that EC2 accepts there. */
export const BLOCK_FAMILY = {
  cidrBlocks: 4,
  ipv6CidrBlocks: 6,
  cidrIpv4: 4,
  cidrIpv6: 6,
  cidrBlock: 4,
  ipv6CidrBlock: 6,
} as const satisfies Readonly<Record<string, Family>>;

type BlockProperty = keyof typeof BLOCK_FAMILY;

/** Properties that name sources, in inline, legacy and split rules of groups: lists of texts, or single texts. */
const ADDRESSES: Readonly<Record<keyof Ends, readonly BlockProperty[]>> = {
  lists: ["cidrBlocks", "ipv6CidrBlocks"],
  single: ["cidrIpv4", "cidrIpv6"],
};
const GROUPS: ReferredEnds = {
  lists: ["securityGroups"],
  single: ["sourceSecurityGroupId", "referencedSecurityGroupId"],
  types: SECURITY_GROUPS,
  // Without VPCs, which have the id of their default group.
  notFrom: new Set(Object.values(TYPE).filter((type) => !VPCS.has(type))),
};
const LISTS: ReferredEnds = {
  lists: ["prefixListIds"],
  single: ["prefixListId"],
  types: PREFIX_LISTS,
  notFrom: new Set(Object.values(TYPE)),
};
const ROUTED: ReferredEnds = { ...LISTS, lists: [], single: ["destinationPrefixListId"] };

interface Ends {
  lists: readonly string[];
  single: readonly string[];
}

/** Ends that are named by ids of other resources. */
interface ReferredEnds extends Ends {
  types: ReadonlySet<string>;
  /** Types of resources that have no such id in their properties, or only their own. */
  notFrom: ReadonlySet<string>;
}

/** The other ends of a rule. */
export function sourcesOf(
  place: RuleLocation,
  self: Resource | string,
  index: ResourceIndex,
  lists: PrefixListContents,
): RuleSource[] {
  const sources: RuleSource[] = [];
  addAddresses(place, index, sources);
  eachText(place, GROUPS, (path, value) => {
    const source = groupSource(place, path, value, index);
    if (source) sources.push(source);
  });
  eachText(place, LISTS, (path, value) => {
    pushAll(sources, listSources(place, path, value, index, lists));
  });
  const isSelf = isMap(place.value) ? readFlag(place.value, "self") : undefined;
  if (isSelf === true) sources.push(groupItself(self, placeOf(place, "self")));
  if (isSelf === UNKNOWN) sources.push({ kind: "unknown", path: placeOf(place, "self") });
  return sources;
}

const groupItself = (self: Resource | string, path: string): RuleSource =>
  typeof self === "string" ? { kind: "foreignGroup", id: self, path } : { kind: "group", group: self, path };

const placeOf = ({ path }: RuleLocation, property: string): string =>
  path === "" ? property : `${path}.${property}`;

/**
 * Calls `take` for every value at some properties, without making a list: there are hundreds of thousands of rules. Skips empty texts,
 * which providers write if nothing is set.
 */
function eachText(
  place: RuleLocation,
  properties: Ends,
  take: (path: string, value: PropertyValue) => void,
): void {
  const { value: rule } = place;
  for (const property of properties.lists) {
    const value = readValue(rule, property);
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    for (const found of read(value, "[]", placeOf(place, property))) take(found.path, found.value);
  }
  for (const property of properties.single) {
    const value = readValue(rule, property);
    if (value !== undefined && value !== "") take(placeOf(place, property), value);
  }
}

/** Skips CIDR blocks that cannot be parsed: they allow nothing, and `cidr-invalid` reports them. */
function addAddresses(place: RuleLocation, index: ResourceIndex, sources: RuleSource[]): void {
  const add = (property: BlockProperty, position: number | undefined, value: PropertyValue) => {
    if (value === UNKNOWN)
      sources.push({
        kind: "unknown",
        path: pathOf(place, property, position),
        family: BLOCK_FAMILY[property],
      });
    const prefix = typeof value === "string" ? index.prefix(value) : undefined;
    if (prefix) sources.push(new PrefixSource(prefix, place, property, position));
  };
  for (const property of ADDRESSES.lists) {
    const value = readValue(place.value, property);
    if (Array.isArray(value)) {
      const list = value as readonly PropertyValue[];
      for (let position = 0; position < list.length; position++) add(property, position, list[position]!);
    } else if (value !== undefined && value !== null) add(property, undefined, UNKNOWN);
  }
  for (const property of ADDRESSES.single) {
    const value = readValue(place.value, property);
    if (value !== undefined) add(property, undefined, value);
  }
}

const pathOf = (place: RuleLocation, property: string, position: number | undefined): string =>
  `${placeOf(place, property)}${position === undefined ? "" : `[${position}]`}`;

/** A CIDR block, as most sources of a plan are; its path is made lazily, because few paths are ever read. */
class PrefixSource {
  readonly kind = "prefix";

  constructor(
    readonly prefix: Prefix,
    private readonly place: RuleLocation,
    private readonly property: string,
    private readonly position: number | undefined,
  ) {}

  get path(): string {
    return pathOf(this.place, this.property, this.position);
  }
}

function groupSource(
  place: RuleLocation,
  path: string,
  value: PropertyValue,
  index: ResourceIndex,
): RuleSource | undefined {
  // The id of a group in a peered account has that account as a prefix.
  const id = typeof value === "string" ? value.replace(/^\d{12}\//, "") : undefined;
  const known = id === undefined ? undefined : index.named(id, SECURITY_GROUPS);
  const group = known ?? madeFrom(place, path, value, GROUPS, index);
  if (group) return { kind: "group", group, path };
  if (value === UNKNOWN) {
    const ofVpc = defaultGroupOf(index, place.holder, place.dependencies ?? path.split("[", 1)[0]!);
    return ofVpc ? { kind: "group", group: ofVpc, path } : { kind: "unknown", path };
  }
  return id === undefined ? undefined : { kind: "foreignGroup", id, path };
}

function listSources(
  place: RuleLocation,
  path: string,
  value: PropertyValue,
  index: ResourceIndex,
  lists: PrefixListContents,
): RuleSource[] {
  const list = prefixListAt(place, path, value, index);
  const content = list && lists.get(list);
  if (content) {
    const { blocks, unknown, family } = content;
    return [
      ...(blocks.length > 0 ? [{ kind: "list" as const, list, blocks, path }] : []),
      ...unknown.map((because) => ({
        kind: "unknown" as const,
        path,
        because: [because],
        ...(family && { family }),
      })),
    ];
  }
  if (value === UNKNOWN) return [{ kind: "unknown", path }];
  const id = typeof value === "string" && /^pl-[0-9a-z-]+$/.test(value) ? value : "that";
  return [{ kind: "unknown", path, reason: `the entries of prefix list ${id} are not in this stack` }];
}

/** The prefix list of this stack that a rule names at a path. */
export function prefixListAt(
  place: RuleLocation,
  path: string,
  value: PropertyValue,
  index: ResourceIndex,
): Resource | undefined {
  const named = typeof value === "string" ? index.named(value, PREFIX_LISTS) : undefined;
  return named ?? madeFrom(place, path, value, LISTS, index);
}

/** The prefix list of this stack that is the destination of an entry of `routes` in a route table. */
export function routedListAt(
  table: Resource,
  id: string | typeof UNKNOWN,
  index: ResourceIndex,
): Resource | undefined {
  const named = typeof id === "string" ? index.named(id, PREFIX_LISTS) : undefined;
  return (
    named ?? madeFrom({ holder: table, dependencies: "routes", path: "", value: id }, "", id, ROUTED, index)
  );
}

/** The one resource that a property of a rule was made from. */
function madeFrom(
  { holder, dependencies }: RuleLocation,
  path: string,
  value: PropertyValue,
  ends: ReferredEnds,
  index: ResourceIndex,
): Resource | undefined {
  if (dependencies === undefined) return index.sourceOf(holder, path.split("[", 1)[0]!, ends.types, value);
  // Inline rules share the dependencies of the whole list, which tell something only about values that are not known yet.
  if (value !== UNKNOWN) return undefined;
  const made = index.sourceOf(holder, dependencies, ends.types, value);
  return made &&
    (isOnlySource(holder, dependencies, ends, index) || unknownsIn(holder, ends)[dependencies] === 1)
    ? made
    : undefined;
}

/** Whether no other source of a list may have given it such an id. Sources with a known id gave no unknown value. */
const isOnlySource = (
  { propertyDependencies }: Resource,
  list: string,
  { notFrom }: ReferredEnds,
  index: ResourceIndex,
): boolean =>
  (propertyDependencies?.[list] ?? []).every((urn) => {
    const source = index.at(urn);
    const id = source && readText(source.properties, "id");
    return source && (notFrom.has(source.type) || isFilled(id));
  });

/** The number of unknown ids of such ends in each list of a group or a route table. */
const unknownsIn = onceForBoth(
  ({ properties }: Resource, { lists, single }: ReferredEnds): Record<string, number> => {
    const ids = [...lists.map((list) => `${list}[]`), ...single];
    return Object.fromEntries(
      HOLD_MANY.map((list) => [
        list,
        ids.flatMap((id) => read(properties, `${list}[].${id}`)).filter(({ value }) => value === UNKNOWN)
          .length,
      ]),
    );
  },
);

/** Properties that hold rules or routes with ids of other resources. */
const HOLD_MANY = [...Object.values(Direction), "routes"];

/** The contents of a prefix list. */
export interface PrefixListContent {
  /** The blocks that are known. */
  blocks: readonly Prefix[];
  /** Places of entries whose block is unknown, or that may belong to this list or another. */
  unknown: readonly UnknownPlace[];
  /** The only family that it accepts. Absent if unknown. */
  family?: Family | undefined;
}

/** The prefix lists of a stack with all their entries. */
export type PrefixListContents = ReadonlyMap<Resource, PrefixListContent>;

/** The contents of all prefix lists: entries in the lists themselves, and entries that are resources of their own. */
export const prefixListContents = onceForEach(
  (index: ResourceIndex): PrefixListContents =>
    new Map(
      entriesOfPrefixLists(index).map(({ list, entries, unknown, family }) => [
        list,
        { blocks: entries.map(({ prefix }) => prefix), unknown, family },
      ]),
    ),
);

/** A prefix list with its known entries and their places. */
interface PlacedEntries extends Pick<PrefixListContent, "unknown" | "family"> {
  list: Resource;
  entries: readonly { resource: Resource; path: string; prefix: Prefix }[];
}

/** The prefix lists of a stack with all their entries and the places of these. */
export const entriesOfPrefixLists = onceForEach(readEntries);

function readEntries(index: ResourceIndex): PlacedEntries[] {
  const lists = index.ofKind(PREFIX_LISTS).map((list) => ({
    list,
    family: FAMILIES.find((family) => `IPv${family}` === readText(list.properties, "addressFamily")),
    entries: [] as PlacedEntries["entries"][number][],
    unknown: [] as UnknownPlace[],
  }));
  const byList = new Map(lists.map((one) => [one.list, one]));
  const add = (list: Resource, resource: Resource, { path, value }: Found) => {
    const { entries, unknown } = byList.get(list) ?? {};
    const prefix = typeof value === "string" ? readPrefix(value) : undefined;
    if (value === UNKNOWN) unknown?.push({ resource, path });
    else if (prefix) entries?.push({ resource, path, prefix });
  };
  for (const { list } of lists)
    for (const found of read(list.properties, "entries[].cidr")) add(list, list, found);
  // Entries that may belong to any list.
  const anywhere: UnknownPlace[] = [];
  for (const resource of index.ofKind(TYPE.prefixListEntry)) {
    const list = index.referred(resource, "prefixListId", PREFIX_LISTS);
    if (list === UNKNOWN) anywhere.push({ resource, path: "prefixListId" });
    else if (typeof list === "object")
      for (const found of read(resource.properties, "cidr")) add(list, resource, found);
  }
  for (const { unknown } of lists) pushAll(unknown, anywhere);
  return lists;
}
