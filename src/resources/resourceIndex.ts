import { type PropertyValue, type Resource, UNKNOWN } from "./resource";
import { TYPE, VPCS } from "./resourceTypes";
import { type Prefix, readPrefix } from "../address";
import { onceForEach, onceIn } from "../collections";
import { isFilled, type Read, readText } from "./read";

/** What tells a resource from others of its kind. */
export const keyOf = ({ origin, name }: Resource): string => origin.urn ?? name;

/** What a property refers to, as a key that is the same for all who refer to it; one of its own where it is unknown. */
export const referredKey = (
  index: ResourceIndex,
  resource: Resource,
  property: string,
  types: ReadonlySet<string>,
): string => knownKey(index, resource, property, types) ?? `${keyOf(resource)} ${property}`;

/** The same; undefined where it is unknown. */
export function knownKey(
  index: ResourceIndex,
  resource: Resource,
  property: string,
  types: ReadonlySet<string>,
): string | undefined {
  const referred = index.referred(resource, property, types);
  if (typeof referred === "string") return referred;
  return typeof referred === "object" ? keyOf(referred) : undefined;
}

/** The key of the VPC that a property refers to; undefined where it is unknown. */
export const vpcKey = (index: ResourceIndex, resource: Resource, property: string): string | undefined =>
  knownKey(index, resource, property, VPCS);

/** What a VPC brings along, by the properties that have the ids of it. */
const OWN_PARTS = ["defaultNetworkAclId", "defaultRouteTableId", "mainRouteTableId"];

const vpcsByPart = onceForEach(
  (index: ResourceIndex): ReadonlyMap<unknown, Resource> =>
    new Map(
      index
        .ofKind(VPCS)
        .flatMap((vpc) => OWN_PARTS.map((part): [unknown, Resource] => [vpc.properties[part], vpc])),
    ),
);

/** The VPC of which a property names a part that came with it, such as its default network ACL; undefined where it names none. */
export function vpcWithPart(
  index: ResourceIndex,
  resource: Resource,
  property: string,
): Resource | undefined {
  const id = readText(resource.properties, property);
  const made = index.only(index.madeFrom(resource, property, VPCS), UNKNOWN);
  return (isFilled(id) ? vpcsByPart(index).get(id) : undefined) ?? made;
}

const DEFAULT_GROUPS: ReadonlySet<string> = new Set([TYPE.defaultSecurityGroup]);

/** The default security groups that a program takes over, by their VPCs. */
const defaultGroups = onceForEach(
  (index: ResourceIndex): ReadonlyMap<string | undefined, Resource> =>
    new Map(index.ofKind(DEFAULT_GROUPS).map((group) => [vpcKey(index, group, "vpcId"), group])),
);

/** The default security group that a property names by an id which is not known and was made from nothing but its VPC. */
export function defaultGroupOf(
  index: ResourceIndex,
  { propertyDependencies }: Resource,
  property: string,
): Resource | undefined {
  const [urn, ...others] = propertyDependencies?.[property] ?? [];
  const vpc = others.length === 0 ? index.at(urn) : undefined;
  return vpc && VPCS.has(vpc.type) ? defaultGroups(index).get(keyOf(vpc)) : undefined;
}

/** Some types of resources: a set of tokens, or what says of a token whether it is one. */
export type Kind = ((type: string) => boolean) | ReadonlySet<string>;

/**
 * Finds the resource that a property refers to. Before the first update no id is known: what the property was made from
 * counts first, then equal ids, then the name. Ids that are not known are never compared.
 */
export class ResourceIndex {
  readonly #byUrn = new Map<string, Resource>();
  readonly #ofKinds = new Map<Kind, readonly Resource[]>();
  readonly #inOrder = new Map<string, readonly Resource[]>();
  readonly #names = new Map<Kind, Names>();
  readonly #prefixes = new Map<string, Prefix | undefined>();
  #byType: ReadonlyMap<string, readonly Resource[]> | undefined;

  constructor(readonly resources: readonly Resource[]) {
    for (const resource of resources)
      for (const { origin } of [resource, ...(resource.readBy ?? [])])
        if (origin.urn !== undefined) this.#byUrn.set(origin.urn, resource);
  }

  /** The resources of a kind, by type and name. Stacks have many resources of few types, and who asks wants some. */
  ofKind(kind: Kind): readonly Resource[] {
    let found = this.#ofKinds.get(kind);
    if (!found) this.#ofKinds.set(kind, (found = this.#findKind(kind)));
    return found;
  }

  #findKind(kind: Kind): readonly Resource[] {
    const lists = (this.#byType ??= byType(this.resources));
    const isKind = typeof kind === "function" ? kind : (type: string) => kind.has(type);
    const types = [...lists.keys()].filter(isKind).sort();
    const [only, ...others] = types.map((type) =>
      onceIn(this.#inOrder, type, () => [...lists.get(type)!].sort(byName)),
    );
    return others.length === 0 ? (only ?? []) : [only!, ...others].flat();
  }

  /** The resource of that URN. */
  at(urn: string | undefined): Resource | undefined {
    return urn === undefined ? undefined : this.#byUrn.get(urn);
  }

  /** The resources of some types from which a property was made. */
  madeFrom(resource: Resource, property: string, types: ReadonlySet<string>): Resource[] {
    const urns = resource.propertyDependencies?.[property];
    if (!urns || urns.length === 0) return [];
    return urns.flatMap((urn) => this.#byUrn.get(urn) ?? []).filter(({ type }) => types.has(type));
  }

  /** The only one of the resources from which a value was made; none where the value is known and is not its id. */
  only([first, ...others]: readonly Resource[], value: Read<PropertyValue>): Resource | undefined {
    if (!first || others.length > 0) return undefined;
    const id = readText(first.properties, "id");
    const isAnother = typeof value === "string" && isFilled(id) && id !== value;
    return isAnother ? undefined : first;
  }

  /** The resource of some types with that id, the first where several stacks manage it, or else the only one with that name. */
  named(text: string, types: ReadonlySet<string>): Resource | undefined {
    let names = this.#names.get(types);
    if (!names) this.#names.set(types, (names = namesOf(this.ofKind(types))));
    return names.byId.get(text)?.[0] ?? only(names.byName.get(text));
  }

  /** The CIDR block that a text is, or undefined. Rules of one plan repeat few blocks: each is read once. */
  prefix(text: string): Prefix | undefined {
    const known = this.#prefixes.get(text);
    if (known !== undefined || this.#prefixes.has(text)) return known;
    const prefix = readPrefix(text);
    this.#prefixes.set(text, prefix);
    return prefix;
  }

  /** What a property refers to: a resource, the id of one that is not here, UNKNOWN, or undefined where it is absent. */
  referred(
    resource: Resource,
    property: string,
    types: ReadonlySet<string>,
  ): Resource | string | typeof UNKNOWN | undefined {
    const value = readText(resource.properties, property);
    const source = this.only(this.madeFrom(resource, property, types), value);
    if (typeof value !== "string") return source ?? value;
    return this.named(value, types) ?? source ?? value;
  }
}

/** Resources by what others call them. */
interface Names {
  byId: Map<string, Resource[]>;
  byName: Map<string, Resource[]>;
}

function namesOf(resources: readonly Resource[]): Names {
  const names: Names = { byId: new Map(), byName: new Map() };
  for (const resource of resources) {
    const id = readText(resource.properties, "id");
    if (isFilled(id)) add(names.byId, id, resource);
    const name = readText(resource.properties, "name");
    if (resource.name !== "") add(names.byName, resource.name, resource);
    if (isFilled(name) && name !== resource.name) add(names.byName, name, resource);
  }
  return names;
}

const only = (candidates: readonly Resource[] = []): Resource | undefined =>
  candidates.length === 1 ? candidates[0] : undefined;

/**
 * The order in which rules see objects: that of their names, and not that of files and documents, because of two that cannot both
 * be right the later one is named.
 */
const byName = (a: Resource, b: Resource): number =>
  order(a.name, b.name) ||
  order(namespaceIn(a), namespaceIn(b)) ||
  order(fileIn(a), fileIn(b)) ||
  order(contentIn(a), contentIn(b));

const order = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
const fileIn = ({ origin: { urn, file } }: Resource): string => urn ?? file ?? "";
const namespaceIn = ({ properties }: Resource): string => {
  const namespace = readText(properties, "metadata.namespace");
  return typeof namespace === "string" ? namespace : "";
};
const contentIn = ({ properties }: Resource): string => JSON.stringify(properties);

function byType(resources: readonly Resource[]): ReadonlyMap<string, readonly Resource[]> {
  const lists = new Map<string, Resource[]>();
  for (const resource of resources) add(lists, resource.type, resource);
  return lists;
}

function add(index: Map<string, Resource[]>, key: string, resource: Resource): void {
  const entries = index.get(key);
  if (entries) entries.push(resource);
  else index.set(key, [resource]);
}
