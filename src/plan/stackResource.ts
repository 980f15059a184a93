import { append } from "../collections";
import { asStored, knownProperties } from "../resources/storedObject";
import { isFilled, isMap } from "../resources/read";
import { nameInUrn, type Resource } from "../resources/resource";
import { hasSharedLists } from "../gate/readBack";
import { isKubernetes, TYPE, VPCS } from "../resources/resourceTypes";
import { hideSecrets, secretAsGiven } from "../resources/secrets";
import { engineValue, type Secrets } from "./engineValue";

// No file can write symbols: what it calls by this name is its own.
/** The state that a step of a preview starts from, where rules ask for it. */
export const BEFORE: unique symbol = Symbol("before");

/** A resource as previews and stack exports write it, as far as it is read here. */
export interface EngineState {
  urn: string;
  type: string;
  id?: unknown;
  parent?: unknown;
  provider?: unknown;
  inputs?: unknown;
  outputs?: unknown;
  propertyDependencies?: unknown;
  /** Replaced already, and to be deleted by the next update. */
  delete?: unknown;
  /** Deleted already, and to be made again by the next update. */
  pendingReplacement?: unknown;
  /** Read by the program, which does not manage it. */
  external?: unknown;
  /** False for components, of which the cloud knows nothing. */
  custom?: unknown;
  /** The cloud keeps it when the stack lets it go. */
  retainOnDelete?: unknown;
  /** The URN of what takes it along when it is deleted. */
  deletedWith?: unknown;
  [BEFORE]?: EngineState;
}

/** A state of which nothing is kept but the record that was made of it. A class: no file can write one. */
export class MadeState implements EngineState {
  readonly urn: string;
  readonly type: string;
  readonly delete: unknown;
  readonly pendingReplacement: unknown;

  /**
   * @param secrets how many the state holds
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

/** Whether a state is that of a resource which stands: of one that is replaced or deleted already, the successor counts. */
export const isStanding = (state: EngineState): boolean =>
  state.delete !== true && state.pendingReplacement !== true;

/**
 * What becomes in the cloud of states that a stack lets go. It keeps what they say, what is only read, what the provider had but taken over,
 * and what was to be deleted with something else that the stack lets go and that is kept, or with the component of that.
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
  // The set grows while it is gone through.
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
 * What AWS makes together with a VPC or an account. The provider takes it over, and lets it go as it is: rules stay. (Pulumi AWS,
 * aws.ec2.DefaultSecurityGroup, Removing DefaultSecurityGroup from your configuration)
 */
const TAKEN_OVER: ReadonlySet<string> = new Set([
  TYPE.defaultSecurityGroup,
  TYPE.defaultNetworkAcl,
  TYPE.defaultRouteTable,
  TYPE.defaultVpc,
  TYPE.defaultSubnet,
]);

/** Whether the cloud deletes something that a stack lets go, where nothing that it was deleted with is kept. */
const isDeleted = (state: EngineState, kept: ReadonlySet<EngineState>): boolean =>
  !kept.has(state) && (!TAKEN_OVER.has(state.type) || propertyOf(state.inputs, "forceDestroy") === true);

const vpcOf = ({ outputs }: EngineState): unknown => propertyOf(outputs, "vpcId");

const propertyOf = (properties: unknown, name: string): unknown =>
  (properties as Record<string, unknown> | null | undefined)?.[name];

/** A resource and the components that it is part of, each of those once: a file may say that they are parts of each other. */
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
 * What the cloud keeps after the stack has let it go: like what others manage. It names others by their ids alone, because what it
 * was made from may be another one by now.
 *
 * @param standing what may have its URNs by now
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

/** Components are nothing that the cloud has. */
const isComponent = ({ custom }: EngineState): boolean => custom === false;

/** Whether a value is the state of a resource. */
export const isEngineState = (value: unknown): value is EngineState =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as EngineState).urn === "string" &&
  typeof (value as EngineState).type === "string" &&
  areProperties((value as EngineState).inputs) &&
  areProperties((value as EngineState).outputs);

/** The engine leaves them out where there are none. */
const areProperties = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "object" && !Array.isArray(value));

/** The record that rules judge. A preview of something new has only inputs, a component its registered outputs. */
export function stackResource(state: EngineState, file: string, secrets: Secrets): Resource {
  if (state instanceof MadeState) {
    secrets.count += state.secrets;
    return state.resource;
  }
  const { [BEFORE]: earlier, urn, type, id, parent, provider, external } = state;
  const sources = dependencies(state.propertyDependencies);
  const places = new Set<string>();
  const count = secrets.count;
  const propertiesOf = (part: unknown) => asStored(type, properties(part, secrets), "pulumi");
  const inputs = propertiesOf(state.inputs);
  const given = propertiesOf(state.outputs);
  const [inputsBefore, outputsBefore] = [earlier?.inputs, earlier?.outputs].map(propertiesOf);
  const holdsNone = secrets.count === count;
  const shown = (read: Resource["properties"]) => (holdsNone ? read : hideSecrets(read, places));
  const hasOutputs = !isEmpty(given);
  const outputs = holdsNone ? given : (secretAsGiven(given, inputs) as Resource["properties"]);
  const known = shown(hasOutputs ? knownProperties(type, outputs, inputs) : inputs);
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
    ...(earlier && { before: { inputs: shown(inputsBefore!), outputs: shown(outputsBefore!) } }),
    ...(places.size > 0 && { secrets: [...places] }),
  };
}

function properties(value: unknown, secrets: Secrets): Resource["properties"] {
  const read = engineValue(value ?? {}, secrets);
  return isMap(read) ? read : {};
}

const isEmpty = (object: object): boolean => {
  for (const _ in object) return false;
  return true;
};

/** For each property a list of URNs; older engines write null where there are none. */
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

/** Providers that a program does not name itself: no preview shows or counts them. */
export const isDefaultProvider = ({ urn, type }: EngineState): boolean =>
  type.startsWith("pulumi:providers:") && /^default(_|$)/.test(nameInUrn(urn));

/** As the engine names them: a program may call one of its own `default_east`. */
const DEFAULT_OF_VERSION = /^default(_\d+_\d+_\d+(_.*)?)?$/;

/**
 * The provider that a reference is to, by its URN. The id behind that is another one each time that the provider is replaced, and none is
 * known before there is one.
 */
export function providerOf(reference: string): string {
  const end = reference.lastIndexOf("::");
  return providerByUrn(end < 0 ? reference : reference.slice(0, end));
}

/** Each version of an SDK has a default provider of its own, all of them with one configuration. */
export function providerByUrn(urn: string): string {
  const name = nameInUrn(urn);
  return DEFAULT_OF_VERSION.test(name) ? `${urn.slice(0, urn.length - name.length)}default` : urn;
}
