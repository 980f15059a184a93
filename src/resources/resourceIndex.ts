import { type PropertyValue, type Resource, UNKNOWN } from "./resource";
import { TYPE, VPCS } from "./resourceTypes";
import { type Prefix, readPrefix } from "../address";
import { append, grouped, onceForEach, onceIn } from "../collections";
import { isFilled, type Read, readText } from "./read";

/** A key that tells a resource from others of its kind. */
export const keyOf = ({ origin, name }: Resource): string => origin.urn ?? name;

/** The key of what a property refers to, the same for all references to it; a unique key if it is unknown. */
export const referredKey = (
  index: ResourceIndex,
  resource: Resource,
  property: string,
  types: ReadonlySet<string>,
): string => knownKey(index, resource, property, types) ?? `${keyOf(resource)} ${property}`;

/** The key of what a property refers to; undefined if it is unknown. */
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

/** The key of the VPC that a property refers to; undefined if it is unknown. */
export const vpcKey = (index: ResourceIndex, resource: Resource, property: string): string | undefined =>
  knownKey(index, resource, property, VPCS);

/** Properties of a VPC that hold the ids of the parts created with it. */
const OWN_PARTS = ["defaultNetworkAclId", "defaultRouteTableId", "mainRouteTableId"];

const vpcsByPart = onceForEach(
  (index: ResourceIndex): ReadonlyMap<unknown, Resource> =>
    new Map(
      index
        .ofKind(VPCS)
        .flatMap((vpc) => OWN_PARTS.map((part): [unknown, Resource] => [vpc.properties[part], vpc])),
    ),
);

/** The VPC whose own part, such as its default network ACL, a property names; undefined if it names none. */
export function vpcWithPart(
  index: ResourceIndex,
  resource: Resource,
  property: string,
): Resource | undefined {
  const id = readText(resource.properties, property);
  const made = onlyOne(index.madeFrom(resource, property, VPCS));
  return (isFilled(id) ? vpcsByPart(index).get(id) : undefined) ?? made;
}

/** The default security groups that a program manages, by VPC. */
const defaultGroups = onceForEach(
  (index: ResourceIndex): ReadonlyMap<string | undefined, Resource> =>
    new Map(index.ofKind(TYPE.defaultSecurityGroup).map((group) => [vpcKey(index, group, "vpcId"), group])),
);

/** The default security group that a property names by an unknown id whose only source is the VPC. */
export function defaultGroupOf(
  index: ResourceIndex,
  { propertyDependencies }: Resource,
  property: string,
): Resource | undefined {
  const [urn, ...others] = propertyDependencies?.[property] ?? [];
  const vpc = others.length === 0 ? index.at(urn) : undefined;
  return vpc && VPCS.has(vpc.type) ? defaultGroups(index).get(keyOf(vpc)) : undefined;
}

/** A kind of resources: a type token, a set of them, or a predicate on them. */
export type Kind = ((type: string) => boolean) | ReadonlySet<string> | string;

/**
 * Finds the resource that a property refers to: a known value by id, by name, then by what it was made from; an unknown value, as
 * ids are before the first update, only by what it was made from. Unknown ids are never compared.
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

  /** The resources of a kind, sorted by type and name. Indexed by type, because stacks have many resources of few types. */
  ofKind(kind: Kind): readonly Resource[] {
    return onceIn(this.#ofKinds, kind, () => this.#findKind(kind));
  }

  #findKind(kind: Kind): readonly Resource[] {
    const lists = (this.#byType ??= grouped(this.resources, ({ type }) => type));
    const tokens = typeof kind === "string" ? new Set([kind]) : kind;
    const isKind = typeof tokens === "function" ? tokens : (type: string) => tokens.has(type);
    const types = [...lists.keys()].filter(isKind).sort();
    const [only, ...others] = types.map((type) =>
      onceIn(this.#inOrder, type, () => [...lists.get(type)!].sort(byName)),
    );
    return others.length === 0 ? (only ?? []) : [only!, ...others].flat();
  }

  /** The resource with a URN. */
  at(urn: string | undefined): Resource | undefined {
    return urn === undefined ? undefined : this.#byUrn.get(urn);
  }

  /** The resources of the given types from which a property was made. */
  madeFrom(resource: Resource, property: string, types: ReadonlySet<string>): Resource[] {
    const urns = resource.propertyDependencies?.[property];
    if (!urns || urns.length === 0) return [];
    return urns.flatMap((urn) => this.#byUrn.get(urn) ?? []).filter(({ type }) => types.has(type));
  }

  /**
   * The only resource of the given types from which an id was made; undefined if there are several, or if the id is another one: a known
   * id that is not its own, or an unknown id although its own is known, which then depends on another source.
   */
  sourceOf(
    resource: Resource,
    property: string,
    types: ReadonlySet<string>,
    value: Read<PropertyValue>,
  ): Resource | undefined {
    const source = onlyOne(this.madeFrom(resource, property, types));
    const id = source && readText(source.properties, "id");
    if (!isFilled(id)) return source;
    if (typeof value === "string") return id === value ? source : undefined;
    return value !== UNKNOWN || this.#areKnown(resource.propertyDependencies?.[property])
      ? source
      : undefined;
  }

  /** Whether resources have known ids. */
  #areKnown(urns: readonly string[] = []): boolean {
    return urns.every((urn) => {
      const source = this.at(urn);
      return source !== undefined && isFilled(readText(source.properties, "id"));
    });
  }

  /** The resource of the given types with an id (the first if several stacks manage it), or else the only one with that name. */
  named(text: string, types: ReadonlySet<string>): Resource | undefined {
    const names = onceIn(this.#names, types, () => namesOf(this.ofKind(types)));
    return names.byId.get(text)?.[0] ?? onlyOne(names.byName.get(text));
  }

  /** Parses a text as a CIDR block; undefined if it is none. Cached, because rules of one plan repeat few blocks. */
  prefix(text: string): Prefix | undefined {
    const known = this.#prefixes.get(text);
    if (known !== undefined || this.#prefixes.has(text)) return known;
    const prefix = readPrefix(text);
    this.#prefixes.set(text, prefix);
    return prefix;
  }

  /** What a property refers to: a resource, the id of one that is not here, UNKNOWN, or undefined if it is absent. */
  referred(
    resource: Resource,
    property: string,
    types: ReadonlySet<string>,
  ): Resource | string | typeof UNKNOWN | undefined {
    const value = readText(resource.properties, property);
    const source = this.sourceOf(resource, property, types, value);
    if (typeof value !== "string") return source ?? value;
    return this.named(value, types) ?? source ?? value;
  }
}

/** Resources by the ids and names that refer to them. */
interface Names {
  byId: Map<string, Resource[]>;
  byName: Map<string, Resource[]>;
}

function namesOf(resources: readonly Resource[]): Names {
  const names: Names = { byId: new Map(), byName: new Map() };
  for (const resource of resources) {
    const id = readText(resource.properties, "id");
    if (isFilled(id)) append(names.byId, id, [resource]);
    const name = readText(resource.properties, "name");
    if (resource.name !== "") append(names.byName, resource.name, [resource]);
    if (isFilled(name) && name !== resource.name) append(names.byName, name, [resource]);
  }
  return names;
}

/** The resource of a list of one. */
export const onlyOne = (candidates: readonly Resource[] = []): Resource | undefined =>
  candidates.length === 1 ? candidates[0] : undefined;

/**
 * The order in which rules see objects: by name, not by file and document. Of two objects that contradict each other, findings name
 * the later one.
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
