import { append } from "../collections";
import { asStored, knownProperties } from "../resources/storedObject";
import { isFilled, isMap } from "../resources/read";
import { nameInUrn, type PropertyValue, type Resource, UNKNOWN } from "../resources/resource";
import { hasSharedLists, sharedLists } from "../gate/readBack";
import { isKubernetes, TYPE, VPCS } from "../resources/resourceTypes";
import { hideSecrets, secretAsGiven } from "../resources/secrets";
import { engineValue, type Secrets } from "./engineValue";

// A symbol, because no file can contain one: a key of this name in a file has no special meaning.
/** The old state of a preview step, if rules need it. */
export const BEFORE: unique symbol = Symbol("before");

/** The parts that are read of a resource in previews and stack exports. */
export interface EngineState {
  urn: string;
  type: string;
  id?: unknown;
  parent?: unknown;
  provider?: unknown;
  inputs?: unknown;
  outputs?: unknown;
  propertyDependencies?: unknown;
  /** Already replaced, and to be deleted by the next update. */
  delete?: unknown;
  /** Already deleted, and to be created again by the next update. */
  pendingReplacement?: unknown;
  /** Read by the program, which does not manage it. */
  external?: unknown;
  /** False for components, which do not exist in the cloud. */
  custom?: unknown;
  /** The cloud keeps it when the stack lets it go. */
  retainOnDelete?: unknown;
  /** The URN of a resource whose deletion also deletes this one. */
  deletedWith?: unknown;
  [BEFORE]?: { state: EngineState; isDestroyed?: true };
}

/** A state of which only the resource made from it is kept. A class, because no file can contain one. */
export class MadeState implements EngineState {
  readonly urn: string;
  readonly type: string;
  readonly delete: unknown;
  readonly pendingReplacement: unknown;

  /**
   * @param secrets the number of secrets in the state
   */
  constructor(
    { urn, type, delete: isReplaced, pendingReplacement }: EngineState,
    readonly resource: Resource,
    readonly secrets: number,
  ) {
    this.urn = urn;
    this.type = type;
    this.delete = isReplaced;
    this.pendingReplacement = pendingReplacement;
  }
}

/** Whether the resource of a state is current; if it is already replaced or deleted, its successor counts instead. */
export const isStanding = (state: EngineState): boolean =>
  state.delete !== true && state.pendingReplacement !== true;

/**
 * What happens in the cloud to resources that a stack lets go. The cloud keeps those with `retainOnDelete`, those that are only read, those
 * that the provider only took over, and those `deletedWith` another resource that the stack lets go and that is kept, or its component.
 */
export function fates(letGo: readonly EngineState[]): Record<"retained" | "gone", EngineState[]> {
  const components = new Map<unknown, unknown>(
    letGo.filter(isComponent).map(({ urn, parent }) => [urn, parent]),
  );
  const followers = new Map<unknown, EngineState[]>();
  for (const state of letGo)
    if (isFilled(state.deletedWith) && !isComponent(state)) append(followers, state.deletedWith, [state]);
  const kept = new Set(
    letGo.filter((one) => !isComponent(one) && (one.retainOnDelete === true || one.external === true)),
  );
  const goneVpcs = new Set(
    letGo.filter((one) => VPCS.has(one.type) && isDeleted(one, kept)).map(({ id }) => id),
  );
  for (const one of letGo)
    if (TAKEN_OVER.has(one.type) && !isDeleted(one, kept) && !goneVpcs.has(vpcOf(one))) kept.add(one);
  const met = new Set<unknown>();
  // The set grows during the iteration.
  for (const one of kept)
    for (const keeper of withComponents(one, components, met)) {
      for (const follower of followers.get(keeper) ?? []) kept.add(follower);
      followers.delete(keeper);
    }
  return {
    retained: letGo.filter((one) => kept.has(one) && one.external !== true),
    gone: letGo.filter((one) => !kept.has(one)),
  };
}

/**
 * What AWS creates together with a VPC or an account. The provider takes it over, and lets it go unchanged: rules stay. (Pulumi AWS,
 * aws.ec2.DefaultSecurityGroup, Removing DefaultSecurityGroup from your configuration)
 */
const TAKEN_OVER: ReadonlySet<string> = new Set([
  TYPE.defaultSecurityGroup,
  TYPE.defaultNetworkAcl,
  TYPE.defaultRouteTable,
  TYPE.defaultVpc,
  TYPE.defaultSubnet,
]);

/** Whether the cloud deletes a resource that a stack lets go, unless `deletedWith` something that is kept. */
const isDeleted = (state: EngineState, kept: ReadonlySet<EngineState>): boolean =>
  !kept.has(state) && (!TAKEN_OVER.has(state.type) || propertyOf(state.inputs, "forceDestroy") === true);

const vpcOf = ({ outputs }: EngineState): unknown => propertyOf(outputs, "vpcId");

const propertyOf = (properties: unknown, name: string): unknown =>
  (properties as Record<string, unknown> | null | undefined)?.[name];

/** Yields a resource and its enclosing components, each component once: in a file, they may be parts of each other. */
function* withComponents(
  { urn, parent }: EngineState,
  components: ReadonlyMap<unknown, unknown>,
  met: Set<unknown>,
): Generator<unknown> {
  yield urn;
  for (let above = parent; components.has(above) && !met.has(above); above = components.get(above)) {
    met.add(above);
    yield above;
  }
}

/**
 * Resources that the cloud keeps after the stack has let them go, as if others managed them. They name other resources only by id,
 * because what they were made from may have been replaced.
 *
 * @param standing resources that may have the same URNs by now
 */
export function asOthers(retained: readonly EngineState[], standing: Iterable<EngineState>): EngineState[] {
  if (retained.length === 0) return [];
  const taken = new Set(Array.from(standing, ({ urn }) => urn));
  return retained.map(({ propertyDependencies: _, ...state }) => {
    const urn = taken.has(state.urn) ? `${state.urn} (retained ${String(state.id)})` : state.urn;
    taken.add(urn);
    return { ...state, urn, external: true };
  });
}

/** Whether a state is that of a component, which does not exist in the cloud. */
const isComponent = ({ custom }: EngineState): boolean => custom === false;

/** Whether a value is the state of a resource. */
export const isEngineState = (value: unknown): value is EngineState =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as EngineState).urn === "string" &&
  typeof (value as EngineState).type === "string" &&
  areProperties((value as EngineState).inputs) &&
  areProperties((value as EngineState).outputs);

/** Whether a value can be properties; the engine omits them if there are none. */
const areProperties = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "object" && !Array.isArray(value));

/** The resource that rules judge. A new resource in a preview has only inputs, a component its registered outputs. */
export function stackResource(state: EngineState, file: string, secrets: Secrets): Resource {
  if (state instanceof MadeState) {
    secrets.count += state.secrets;
    return state.resource;
  }
  const { [BEFORE]: earlier, urn, type, parent, provider, external } = state;
  const id = engineValue(state.id, { count: 0 });
  const sources = dependencies(state.propertyDependencies);
  const places = new Set<string>();
  const count = secrets.count;
  const propertiesOf = (part: unknown) => asStored(type, properties(part, secrets), "pulumi");
  const inputs = propertiesOf(state.inputs);
  const given = propertiesOf(state.outputs);
  const { state: old, ...fate } = earlier ?? {};
  const [inputsBefore, outputsBefore] = [old?.inputs, old?.outputs].map(propertiesOf);
  const holdsNone = secrets.count === count;
  const shown = (read: Resource["properties"]) => (holdsNone ? read : hideSecrets(read, places));
  const hasOutputs = !isEmpty(given);
  const asSecretAs = (read: Resource["properties"], as: Resource["properties"]) =>
    holdsNone ? read : (secretAsGiven(read, as) as Resource["properties"]);
  const outputs = asSecretAs(given, inputs);
  const isUnseen = external === true && !hasOutputs;
  const known = shown(
    hasOutputs
      ? knownProperties(type, outputs, inputs)
      : isUnseen
        ? { ...unseen(type, id), ...inputs }
        : inputs,
  );
  const isInCluster = isKubernetes(type);
  return {
    origin: { urn, file },
    type,
    name: nameInUrn(urn),
    properties: isFilled(id) && !("id" in known) ? { ...known, id } : known,
    ...(typeof parent === "string" && { parent }),
    ...(external === true && { isRead: true as const }),
    ...(sources && { propertyDependencies: sources }),
    ...(isInCluster && hasOutputs && { inputs: shown(inputs) }),
    ...(hasSharedLists(type) && hasOutputs && { inputs: hideSecrets(inputs, new Set()) }),
    ...(isInCluster && typeof provider === "string" && { provider: providerOf(provider) }),
    ...(earlier && {
      before: {
        inputs: shown(inputsBefore!),
        outputs: shown(asSecretAs(outputsBefore!, inputsBefore!)),
        ...fate,
      },
    }),
    ...(places.size > 0 && { secrets: [...places] }),
  };
}

/** What is not known of a resource that a program reads, before it was read for the first time. */
function unseen(type: string, id: PropertyValue): Resource["properties"] {
  if (isKubernetes(type)) {
    const place: readonly PropertyValue[] = isFilled(id) ? id.split("/").reverse() : [UNKNOWN, UNKNOWN];
    const [name = UNKNOWN, namespace] = place;
    const metadata: Record<string, PropertyValue> = { name, labels: UNKNOWN, annotations: UNKNOWN };
    if (namespace !== undefined) metadata.namespace = namespace;
    return { metadata, spec: UNKNOWN };
  }
  return Object.fromEntries(["tags", ...sharedLists(type)].map((name) => [name, UNKNOWN]));
}

function properties(value: unknown, secrets: Secrets): Resource["properties"] {
  const read = engineValue(value ?? {}, secrets);
  return isMap(read) ? read : {};
}

const isEmpty = (object: object): boolean => {
  for (const _ in object) return false;
  return true;
};

/** For each property a list of URNs; older engines write null if there are none. */
export function dependencies(value: unknown): Resource["propertyDependencies"] {
  if (typeof value !== "object" || value === null) return undefined;
  const entries: [string, string[]][] = [];
  for (const property of Object.keys(value)) {
    const urns = (value as Record<string, unknown>)[property];
    if (Array.isArray(urns) && urns.length > 0)
      entries.push([property, urns.filter((urn): urn is string => typeof urn === "string")]);
  }
  return Object.fromEntries(entries);
}

/** Whether a state is that of a provider which the program does not name itself: previews neither show nor count those. */
export const isDefaultProvider = ({ urn, type }: EngineState): boolean =>
  type.startsWith("pulumi:providers:") && /^default(_|$)/.test(nameInUrn(urn));

/** Names that the engine gives to default providers; a program may name one of its own `default_east`. */
const DEFAULT_OF_VERSION = /^default(_\d+_\d+_\d+(_.*)?)?$/;

/**
 * The URN of the provider in a reference. Ignores the id that follows it, which changes whenever the provider is replaced, and is unknown
 * before the provider exists.
 */
export function providerOf(reference: string): string {
  const end = reference.lastIndexOf("::");
  return providerByUrn(end < 0 ? reference : reference.slice(0, end));
}

/** One URN for all default providers: each version of an SDK has its own, but all have the same configuration. */
export function providerByUrn(urn: string): string {
  const name = nameInUrn(urn);
  return DEFAULT_OF_VERSION.test(name) ? `${urn.slice(0, urn.length - name.length)}default` : urn;
}
