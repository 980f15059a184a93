import { readPrefix } from "../address";
import { append, lateList, onceIn as onceFor } from "../collections";
import { Direction } from "../requirements/vocabulary";
import {
  entriesOf,
  isFilled,
  isGiven,
  isList,
  isMap,
  readFlag,
  readNumber,
  readText,
} from "../resources/read";
import { keyOfObject } from "../resources/oneObject";
import { type PropertyValue, type Resource, UNKNOWN, withProperties } from "../resources/resource";
import { ResourceIndex } from "../resources/resourceIndex";
import {
  isAnyNetworkPolicy,
  isEgressFirewall,
  isKubernetes,
  NETWORK_ACLS,
  PREFIX_LISTS,
  ROUTE_TABLES,
  SECURITY_GROUPS,
  SPLIT_RULES,
  TYPE,
} from "../resources/resourceTypes";
import { secretsAt } from "../resources/secrets";
import { isByController } from "../resources/securityGroups";
import { readTraffic } from "../resources/trafficSpec";
import { describeResource } from "./finding";
import { type Judgement, violated } from "./rule";
import { inlineFacts, rememberFacts } from "./securityGroupRules";

/**
 * A list of a resource into which other resources write too. If the program does not set the list, the provider reports what it
 * read from the cloud, including what those resources wrote.
 */
interface SharedList {
  holders: ReadonlySet<string>;
  list: string;
  writers: ReadonlySet<string>;
  /** The property by which writers name the holder. Absent: an entry that a writer writes is in no other list. */
  namedBy?: string;
  /** Whether a writer writes into this list; absent if its kind writes into no other. */
  goesInto?: (writer: Resource) => boolean;
  /** Properties of a writer that tell which entries it writes. */
  entryBy: readonly string[];
  /** Keys that identify the entries that a resource writes, see `writtenInto`. */
  written: (writer: Resource, holder?: Resource) => string[];
  /** The entry after the fate of its parts is applied; null if nothing is left. */
  left: (entry: PropertyValue, become: Become, place: Place) => PropertyValue;
  /** What EC2 allows only once in the list: `permission`. Absent: EC2 does not refuse duplicates. */
  once?: string;
  /** Properties of a writer that become unknown if the deletion of another writer may remove what it writes. */
  unsaid?: readonly string[];
}

/** Returns the fate of a part of a list by its key. */
type Become = (key: string) => Fate;

enum Fate {
  Stays,
  /** The part belongs to the resource that writes it, or is removed. */
  Goes,
  /** The part may have been removed. */
  Doubtful,
}

/** The place of an entry. */
interface Place {
  holder: Resource;
  path: string;
}

/** Lists of peers in inline rules; `self` is a further peer. */
export const PEER_LISTS = ["cidrBlocks", "ipv6CidrBlocks", "securityGroups", "prefixListIds"];
/** Peers of rule resources. AWS keeps a rule for each peer. */
const PEERS = ["cidrIpv4", "cidrIpv6", "sourceSecurityGroupId", "referencedSecurityGroupId", "prefixListId"];
const SELF = "self";

const isLegacy = ({ type }: Resource): boolean => type === TYPE.securityGroupRule;

const isIngressRule = (rule: Resource): boolean =>
  isLegacy(rule) ? rule.properties.type === Direction.Ingress : rule.type === TYPE.ingressRule;

const inlineRules = (direction: Direction): SharedList => ({
  holders: SECURITY_GROUPS,
  list: direction,
  writers: SPLIT_RULES,
  namedBy: "securityGroupId",
  goesInto: (writer) => isIngressRule(writer) === (direction === Direction.Ingress),
  entryBy: [...PEERS, ...PEER_LISTS, SELF, "protocol", "ipProtocol", "fromPort", "toPort"],
  once: "permission",
  unsaid: [...PEERS, ...PEER_LISTS, SELF],
  written: (writer, holder) => {
    const { properties } = writer;
    const traffic = trafficOf(properties, isLegacy(writer) ? "protocol" : "ipProtocol");
    const peers = [
      ...PEERS.map((name) => properties[name]),
      ...PEER_LISTS.flatMap((name) => entriesOf(properties[name])),
    ];
    return [
      ...peers.flatMap((peer) => (isFilled(peer) ? [peerOf(traffic, peer, holder)] : [])),
      ...(readFlag(properties, SELF) === true ? [`${traffic} ${SELF}`] : []),
    ];
  },
  left: (rule, become, place) => {
    if (!isMap(rule)) return rule;
    const { holder } = place;
    const isTheirs = isByController({ resource: holder, path: place.path });
    const traffic = trafficOf(rule, "protocol");
    const fateOf = (key: string): Fate => {
      const fate = become(key);
      return fate === Fate.Doubtful && isTheirs ? Fate.Stays : fate;
    };
    const changed: Record<string, PropertyValue> = {};
    for (const name of PEER_LISTS) {
      const peers = entriesOf(rule[name]);
      const left = peers.map((peer) =>
        isFilled(peer) ? leftOf(peer, fateOf(peerOf(traffic, peer, holder))) : peer,
      );
      if (left.some((peer, position) => peer !== peers[position])) changed[name] = left;
    }
    if (readFlag(rule, SELF) === true) changed[SELF] = leftOf(true, fateOf(`${traffic} ${SELF}`)) ?? false;
    const made = { ...rule, ...changed };
    const hasPeers =
      PEER_LISTS.some((name) => entriesOf(made[name]).some((peer) => peer !== null)) ||
      ![false, undefined].includes(readFlag(made, SELF) as boolean | undefined);
    return hasPeers ? made : null;
  },
});

/** The key of a peer: the provider reports a reference to the group itself as `self`. */
const peerOf = (traffic: string, peer: string, holder: Resource | undefined): string =>
  `${traffic} ${peer === holder?.properties.id || peer === holder?.origin.urn ? SELF : blockOf(peer)}`;

/** The usual form of a block; the text itself if it is none. */
export const blockOf = (text: string): string => readPrefix(text)?.text ?? text;

function trafficOf(rule: PropertyValue, key: "protocol" | "ipProtocol"): string {
  const { protocol, ports, message } = readTraffic(rule, key);
  return JSON.stringify([protocol, ports, message].map((part) => (part === UNKNOWN ? NOT_KNOWN : part)));
}

/** Stands for an unknown part of a rule. */
const NOT_KNOWN = "?";

function leftOf(value: PropertyValue, fate: Fate): PropertyValue {
  if (fate === Fate.Goes) return null;
  return fate === Fate.Doubtful ? UNKNOWN : value;
}

/** For entries with a single part. `deciding` names the properties that become unknown if the entry is doubtful (default: none). */
const asOne =
  (keysOf: (entry: PropertyValue) => string[], deciding: readonly string[] = []): SharedList["left"] =>
  (entry, become) => {
    const fates = keysOf(entry).map(become);
    const fate = fates[0] ?? Fate.Stays;
    if (fate !== Fate.Doubtful || !isMap(entry)) return leftOf(entry, fate);
    const unsaid = deciding.filter((name) => isFilled(entry[name]));
    return { ...entry, ...Object.fromEntries(unsaid.map((name) => [name, UNKNOWN])) };
  };

const ACL_RULES: ReadonlySet<string> = new Set([TYPE.networkAclRule]);

const isEgressRule = ({ properties }: Resource): boolean => readFlag(properties, "egress") === true;

/** EC2 accepts one rule with each number. */
const aclRules = (direction: Direction): SharedList => ({
  holders: NETWORK_ACLS,
  list: direction,
  writers: ACL_RULES,
  namedBy: "networkAclId",
  goesInto: (writer) => isEgressRule(writer) === (direction === Direction.Egress),
  entryBy: ["ruleNumber"],
  once: "rule number",
  unsaid: ["ruleAction"],
  written: ({ properties }) => numberAt(properties, "ruleNumber"),
  left: asOne((rule) => numberAt(rule, "ruleNo"), ["action"]),
});

function numberAt(rule: PropertyValue, name: string): string[] {
  const number = readNumber(rule, name);
  return typeof number === "number" ? [String(number)] : [];
}

const textsAt = (value: PropertyValue, names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const text = readText(value, name);
    return isFilled(text) ? [blockOf(text)] : [];
  });

/** A subnet has one network ACL: the one that an association names, or that lists the subnet in the program. */
const aclSubnets: SharedList = {
  holders: NETWORK_ACLS,
  list: "subnetIds",
  writers: new Set([TYPE.networkAclAssociation, ...NETWORK_ACLS]),
  entryBy: ["subnetId", "subnetIds"],
  written: (writer) => {
    const { type, properties } = writer;
    if (type === TYPE.networkAclAssociation) return textsAt(properties, ["subnetId"]);
    return isReadBack(writer, "subnetIds") ? [] : entriesOf(properties.subnetIds).filter(isFilled);
  },
  left: asOne((subnet) => (isFilled(subnet) ? [subnet] : [])),
};

/** The subnets that associations assign to an ACL. */
const placedSubnets: SharedList = {
  ...aclSubnets,
  writers: new Set([TYPE.networkAclAssociation]),
  namedBy: "networkAclId",
};

/** A table has one route to each destination. */
const ROUTE_TO = ["destinationCidrBlock", "destinationIpv6CidrBlock", "destinationPrefixListId"];
const DESTINATIONS = ["cidrBlock", "ipv6CidrBlock", "destinationPrefixListId"];
const routes: SharedList = {
  holders: ROUTE_TABLES,
  list: "routes",
  writers: new Set([TYPE.route]),
  namedBy: "routeTableId",
  once: "destination",
  entryBy: ROUTE_TO,
  written: ({ properties }) => textsAt(properties, ROUTE_TO),
  left: asOne((route) => textsAt(route, DESTINATIONS), DESTINATIONS),
};

const prefixListEntries: SharedList = {
  holders: PREFIX_LISTS,
  list: "entries",
  writers: new Set([TYPE.prefixListEntry]),
  namedBy: "prefixListId",
  once: "block",
  unsaid: ["cidr"],
  entryBy: ["cidr"],
  written: ({ properties }) => textsAt(properties, ["cidr"]),
  left: asOne((entry) => textsAt(entry, ["cidr"]), ["cidr"]),
};

const INLINE: readonly SharedList[] = Object.values(Direction).map(inlineRules);

const LISTS: readonly SharedList[] = [
  ...INLINE,
  ...Object.values(Direction).map(aclRules),
  aclSubnets,
  routes,
  prefixListEntries,
];

/** The lists in which EC2 refuses duplicates. */
const ONCE = LISTS.filter(({ once }) => once !== undefined);
const BY_WRITER = new Map<string, SharedList[]>();
for (const shared of ONCE) for (const type of shared.writers) append(BY_WRITER, type, [shared]);

const NAMES_OF_LISTS = new Map<string, Set<string>>();
for (const { holders, list } of LISTS)
  for (const type of holders) onceFor(NAMES_OF_LISTS, type, () => new Set<string>()).add(list);
const WRITERS: ReadonlySet<string> = new Set(LISTS.flatMap(({ writers }) => [...writers]));

/** Whether resources of a type have lists into which other resources write. */
export const hasSharedLists = (type: string): boolean => NAMES_OF_LISTS.has(type);

/** The lists of resources of a type into which other resources write. */
export const sharedLists = (type: string): ReadonlySet<string> => NAMES_OF_LISTS.get(type) ?? NO_LISTS;

/** The shared lists that stay in the cloud if a program no longer sets them: a default network ACL keeps only what it lists. */
export const stayingLists = (type: string): ReadonlySet<string> =>
  type === TYPE.defaultNetworkAcl ? NO_LISTS : sharedLists(type);

const NO_LISTS: ReadonlySet<string> = new Set();

/** Whether resources of a type write into a list of another one. */
export const writesSharedList = (type: string): boolean => WRITERS.has(type);

/** Whether the program does not set a list of a resource: the list is then what the provider read from the cloud. */
export function isReadBack({ inputs }: Resource, list: string): boolean {
  return inputs !== undefined && !isGiven(inputs[list]);
}

/**
 * Resources as they will be, without duplicates in lists that their provider read back. Entries that other resources write count as
 * those resources' only, and entries that they wrote before the plan changes or deletes them are gone. Entries that no resource of
 * the stack wrote were created outside the stack, and stay.
 *
 * @param former the resources that the plan changes or deletes, as they were; UNKNOWN if the input does not show them, so that it
 * is unknown whether the remaining entries stay
 */
export function withoutReadBack(
  resources: readonly Resource[],
  former: readonly Resource[] | typeof UNKNOWN,
): readonly Resource[] {
  const holding = resources.filter(({ type }) => hasSharedLists(type));
  if (holding.length === 0) return resources;
  const index = new ResourceIndex(resources);
  const changed = new Map<Resource, Record<string, PropertyValue>>();
  // Both directions have the same writers.
  const writersOfKinds = new Map<ReadonlySet<string>, (holder: Resource) => readonly Resource[]>();
  for (const shared of LISTS) {
    const { holders, list, writers: kinds } = shared;
    // Large plans of new resources have many writers and nothing that was read back.
    if (!holding.some((one) => holders.has(one.type) && one.inputs !== undefined)) continue;
    const writersOf = onceFor(writersOfKinds, kinds, () =>
      writersByHolder(shared, former === UNKNOWN ? [] : former, index),
    );
    const isStraySecret = index.ofKind(kinds).some((writer) => hidesEntry(writer, shared, index));
    const known = new Map<readonly Resource[], { keys: ReadonlySet<string>; areHidden: boolean }>();
    for (const holder of holding) {
      if (!holders.has(holder.type)) continue;
      const writers = writersOf(holder);
      if (writers.length === 0 && former !== UNKNOWN && !isStraySecret) continue;
      // Checked last, because it parses the inputs of the program, which are large in a large plan.
      if (!isReadBack(holder, list) || !isList(holder.properties[list])) continue;
      const { keys, areHidden } = onceFor(known, writers, () => ({
        keys: new Set(writers.flatMap((writer) => writtenInto(shared, writer, holder))),
        areHidden: writers.some((writer) => hidesEntry(writer, shared)),
      }));
      const isDoubtful = former === UNKNOWN || areHidden || isStraySecret;
      if (keys.size === 0 && !isDoubtful) continue;
      const rest = isDoubtful ? Fate.Doubtful : Fate.Stays;
      const lists = changed.get(holder) ?? {};
      lists[list] = leftIn(holder, shared, (key) => (keys.has(key) ? Fate.Goes : rest));
      changed.set(holder, lists);
    }
  }
  if (changed.size === 0) return resources;
  return resources.map((one) => {
    const lists = changed.get(one);
    return lists ? withLists(one, lists) : one;
  });
}

/** The keys of the entries that a resource writes into a list. */
const writtenInto = (
  { goesInto, written }: SharedList,
  writer: Resource,
  holder: Resource | undefined,
): string[] => (goesInto?.(writer) === false ? [] : written(writer, holder));

/**
 * Whether a secret tells which entry a resource writes into a list: what the provider read shows that entry in plain text.
 *
 * @param index if given, whether it is also not known into the list of which resource
 */
const hidesEntry = (
  writer: Resource,
  { entryBy, goesInto, namedBy, holders }: SharedList,
  index?: ResourceIndex,
): boolean =>
  writer.secrets !== undefined &&
  goesInto?.(writer) !== false &&
  entryBy.some((name) => secretsAt(writer, name).length > 0) &&
  (!index || (namedBy !== undefined && index.referred(writer, namedBy, holders) === UNKNOWN));

/**
 * Whether updates of holders revoke what a resource wrote: their program sets the list, and the provider then removes each entry that it
 * read from the cloud and that the program does not set.
 *
 * @param updates the holders as they were, and as the program sets them
 */
export function revokedBy(
  updates: readonly { before: Resource; sets: Resource }[],
): (writer: Resource) => boolean {
  const entries = new Set<string>();
  for (const { before, sets } of updates) {
    const id = readText(before.properties, "id");
    for (const shared of isFilled(id) ? LISTS : []) {
      const { holders, list } = shared;
      const stays = stayingLists(before.type).has(list) && !isGiven((sets.inputs ?? sets.properties)[list]);
      if (!holders.has(before.type) || stays) continue;
      entriesLeft(before, shared, (key) => {
        entries.add(onceKey(id as string, shared, key));
        return Fate.Stays;
      });
    }
  }
  return (writer) => {
    const keys = LISTS.flatMap((shared) => {
      const id =
        shared.writers.has(writer.type) &&
        shared.namedBy !== undefined &&
        readText(writer.properties, shared.namedBy);
      if (typeof id !== "string") return [];
      return writtenInto(shared, writer, { ...writer, properties: { id } }).map((key) =>
        onceKey(id, shared, key),
      );
    });
    return keys.length > 0 && keys.every((key) => entries.has(key));
  };
}

/** Whether what resources of a type are, or write, exists only once in the cloud or cluster, whatever its name in a stack. */
export const isThereOnce = (type: string): boolean => BY_WRITER.has(type) || isKubernetes(type);

/**
 * Resources as they will be after the plan deletes rules, routes, entries of lists and Kubernetes objects. Each of these exists only
 * once, and the engine deletes last: a second one with the same identity is refused, or is removed together with the deleted one.
 *
 * @param deleted resources that the plan deletes without a replacement, or after it is created
 */
export function withRevoked(
  resources: readonly Resource[],
  deleted: readonly Resource[],
): readonly Resource[] {
  const gone = new Map<string, Resource>();
  for (const writer of deleted) for (const { key } of onceIn(writer)) gone.set(key, writer);
  if (gone.size === 0) return resources;
  return resources.map((one) => {
    if (hasSharedLists(one.type)) return withRevokedInline(one, gone);
    const found = onceIn(one).find(({ key }) => gone.has(key));
    if (!found) return one;
    const unsaid = (found.unsaid ?? []).filter((name) => isGiven(one.properties[name]));
    const doubtful = Object.fromEntries(unsaid.map((name) => [name, UNKNOWN] as const));
    const revoked = [{ path: "", by: gone.get(found.key)!, once: found.once }];
    return { ...withProperties(one, { ...one.properties, ...doubtful }), revoked };
  });
}

/** A thing that exists only once: its key, its name in messages, and the properties that become unknown if it is doubtful. */
interface Once {
  key: string;
  once: string;
  unsaid?: readonly string[];
}

/** What a resource is, or writes into lists of another resource, and exists only once; empty if that is unknown. */
function onceIn(writer: Resource): Once[] {
  const object = isKubernetes(writer.type) ? keyOfObject(writer) : undefined;
  if (object !== undefined) {
    const unsaid = isAnyNetworkPolicy(writer.type) || isEgressFirewall(writer.type) ? ["spec"] : [];
    return [{ key: `${writer.provider} ${object}`, once: "name", unsaid }];
  }
  return (BY_WRITER.get(writer.type) ?? []).flatMap((shared) => {
    const id = readText(writer.properties, shared.namedBy!);
    if (!isFilled(id)) return [];
    const holder = { ...writer, properties: { id } };
    const { once = "", unsaid } = shared;
    return writtenInto(shared, writer, holder).map((key) => ({
      key: onceKey(id, shared, key),
      once,
      ...(unsaid && { unsaid }),
    }));
  });
}

const onceKey = (id: string, { list }: SharedList, key: string): string => `${id} ${list} ${key}`;

function withRevokedInline(holder: Resource, gone: ReadonlyMap<string, Resource>): Resource {
  const id = readText(holder.properties, "id");
  const lists: Record<string, PropertyValue> = {};
  const revoked: NonNullable<Resource["revoked"]>[number][] = [];
  for (const shared of isFilled(id) ? ONCE : []) {
    const { holders, list, once } = shared;
    // Lists that were read back from the cloud already lack the deleted entries.
    if (!holders.has(holder.type) || isReadBack(holder, list)) continue;
    const before = revoked.length;
    const standing = entriesLeft(holder, shared, (key, path) => {
      const by = gone.get(onceKey(id as string, shared, key));
      if (by) revoked.push({ path, by, once: once! });
      return by ? Fate.Doubtful : Fate.Stays;
    });
    if (revoked.length > before) lists[list] = standing;
  }
  return revoked.length === 0 ? holder : { ...withLists(holder, lists), revoked };
}

/** A resource that writes the same entry as another resource, `by`. */
export interface SecondWriter {
  writer: Resource;
  by: Resource;
  once: string;
}

/** Rules, routes and entries that two resources write. (The rule `network-acl-number` covers numbers of ACL rules.) */
export const secondWriters = (index: ResourceIndex): SecondWriter[] =>
  [...INLINE, routes, prefixListEntries].flatMap((shared) => {
    const { holders, writers, namedBy, once } = shared;
    const first = new Map<Resource | string, Map<string, Resource>>();
    return index.ofKind(writers).flatMap((writer): SecondWriter[] => {
      // What was read from the cloud is the same thing that the plan made there.
      if (writer.isRead || writer.origin.live !== undefined) return [];
      const holder = index.referred(writer, namedBy!, holders);
      if (holder === undefined || holder === UNKNOWN) return [];
      const there = onceFor(first, holder, () => new Map<string, Resource>());
      const by = writtenInto(
        shared,
        withPeers(writer, index),
        typeof holder === "object" ? holder : undefined,
      )
        .filter((key) => !key.includes(NOT_KNOWN))
        .map((key) => onceFor(there, key, () => writer))
        // A preview and the state of one stack, given together, show each resource twice.
        .find(({ origin }) => origin.urn !== writer.origin.urn);
      return by ? [{ writer, by, once: once! }] : [];
    });
  });

/** Peers that are resources, whose ids are not known before they are created. */
const PEER_KINDS: readonly (readonly [property: string, kinds: ReadonlySet<string>])[] = [
  ["sourceSecurityGroupId", SECURITY_GROUPS],
  ["referencedSecurityGroupId", SECURITY_GROUPS],
  ["prefixListId", PREFIX_LISTS],
];

/** A writer in which the peers that the plan creates have their URNs as ids. */
function withPeers(writer: Resource, index: ResourceIndex): Resource {
  const created = PEER_KINDS.flatMap(([property, kinds]) => {
    const peer = writer.properties[property] === UNKNOWN && index.referred(writer, property, kinds);
    return typeof peer === "object" && peer.origin.urn !== undefined ? [[property, peer.origin.urn]] : [];
  });
  return created.length === 0
    ? writer
    : withProperties(writer, {
        ...writer.properties,
        ...(Object.fromEntries(created) as Resource["properties"]),
      });
}

/** Reports what is created under another name, in another form or as a replacement while the update deletes the old one last. */
export const judgeRevoked = ({ origin, revoked = [] }: Resource): Judgement[] =>
  revoked.map(({ path, by, once }) => {
    const isReplaced = by.origin.urn !== undefined && by.origin.urn === origin.urn;
    return violated({
      resource: origin,
      path,
      message: `has the same ${once} as ${isReplaced ? "the resource that it replaces" : describeResource(by)}, which the update deletes last: this resource is refused as a duplicate, or the deletion removes it too`,
      fix: isReplaced
        ? "set deleteBeforeReplace on it"
        : "keep its resource name, add an alias if the name changes, or first run an update that sets retainOnDelete on the old one",
    });
  });

/** A list that a program sets inline although other resources write into it. */
export interface MixedList {
  holder: Resource;
  list: string;
  /** The writers whose entries are not, or may not be, in the inline list. */
  writers: readonly Resource[];
  isKnown: boolean;
}

/**
 * Lists of routes, entries and subnets that a program sets partly inline and partly by separate resources. The provider treats the
 * inline list as complete. (Lists of rules are compared entry by entry.)
 */
export function mixedLists(index: ResourceIndex): MixedList[] {
  return [routes, prefixListEntries, placedSubnets].flatMap((shared) => {
    const { holders, list } = shared;
    const writersOf = writersByHolder(shared, [], index);
    return index.ofKind(holders).flatMap((holder): MixedList[] => {
      const own = writersOf(holder).filter(({ isRead }) => !isRead);
      if (own.length === 0 || !statesEntries(holder, list)) return [];
      const inline = new Set<string>();
      const known = new Set<string>();
      entriesLeft(holder, shared, (key, path) => {
        if (!inline.has(key)) known.add(path);
        inline.add(key);
        return Fate.Stays;
      });
      const areKnown = known.size === entriesOf(holder.properties[list]).length;
      const isThere = (writer: Resource) =>
        writtenInto(shared, writer, holder).some((key) => inline.has(key));
      const writers = own.filter((writer) => !isThere(writer));
      const isKnown = areKnown && writers.some((writer) => writtenInto(shared, writer, holder).length > 0);
      return writers.length > 0 ? [{ holder, list, writers, isKnown }] : [];
    });
  });
}

/** Whether a program sets inline entries of a resource that it manages. A list that is not known yet is mostly one that is read back. */
const statesEntries = (holder: Resource, list: string): boolean =>
  !holder.isRead && entriesOf(holder.properties[list]).length > 0 && !isReadBack(holder, list);

/** Writers whose list is unknown, if lists of that kind have inline entries: the writer may mean one of those. */
export function strayWriters(index: ResourceIndex): { writer: Resource; path: string }[] {
  return [routes, prefixListEntries].flatMap(({ holders, list, writers, namedBy }) => {
    if (namedBy === undefined || !index.ofKind(holders).some((holder) => statesEntries(holder, list)))
      return [];
    return index
      .ofKind(writers)
      .filter((writer) => !writer.isRead && index.referred(writer, namedBy, holders) === UNKNOWN)
      .map((writer) => ({ writer, path: namedBy }));
  });
}

const NOBODY: readonly Resource[] = [];

/** The resources that write into a list, or wrote into it before, by its holder. */
function writersByHolder(
  { holders, writers, namedBy }: SharedList,
  former: readonly Resource[],
  index: ResourceIndex,
): (holder: Resource) => readonly Resource[] {
  const all = [...index.ofKind(writers), ...former.filter(({ type }) => writers.has(type))];
  if (namedBy === undefined) return () => all;
  const found = new Map<Resource, Resource[]>();
  for (const writer of all) {
    const holder = index.referred(writer, namedBy, holders);
    if (typeof holder === "object") append(found, holder, [writer]);
  }
  return (holder) => found.get(holder) ?? NOBODY;
}

/** What is left of a list, computed when the list is first read: few lists of a plan ever are. */
const leftIn = (holder: Resource, shared: SharedList, become: Become): PropertyValue =>
  lateList(() => entriesLeft(holder, shared, become));

/** The entries of a list after the fate of their parts is applied, which may depend on the path of the entry. */
const entriesLeft = (
  holder: Resource,
  { list, left }: SharedList,
  fateOf: (key: string, path: string) => Fate,
): PropertyValue[] =>
  entriesOf(holder.properties[list]).map((entry, position) => {
    const path = `${list}[${position}]`;
    return left(entry, (key) => fateOf(key, path), { holder, path });
  });

function withLists(resource: Resource, lists: Record<string, PropertyValue>): Resource {
  const made = withProperties(resource, { ...resource.properties, ...lists });
  // Facts that hold for all entries hold for those that are left.
  if (SECURITY_GROUPS.has(resource.type))
    for (const direction of Object.values(Direction))
      if (direction in lists) rememberFacts(made, direction, inlineFacts(resource, direction));
  return made;
}
