import { at, describeReference, HYPERSHIFT } from "../requirements/documents";
import { immutableFields } from "../requirements/hostedCluster";
import { internalSubnet, internalSubnetProperties } from "../requirements/internalSubnets";
import {
  isUnknown,
  type NormalizedService,
  type NormalizedTopology,
  surroundingLists,
} from "../topology/normalizedTopology";
import { type Facets, propertyOfFacet, type TopologyProperty, maskedCredentials } from "./facets";
import { flowsClosed, flowsOpened } from "./steps/firewalls";
import { Answer, type ChangedProperty, UNDECIDED } from "./runBook";
import type { Draft } from "./drafts";
import { immutableChanges } from "../hostedCluster/changes";
import { networkSpec } from "../hostedCluster/spec";
import type { PropertyMap } from "../resources/read";

/** The input of the answers. */
export interface Answered {
  before: Facets;
  after: Facets;
  life: ReadonlyMap<TopologyProperty, ImmutableReason>;
  isUnknown: (facet: string) => boolean;
  current: NormalizedTopology;
  reachable: NormalizedTopology;
  drafts: readonly Draft[];
}

/** The facets of two topologies that differ or are unknown. */
export const differingFacets = (
  before: Facets,
  after: Facets,
  isUnknown: (facet: string) => boolean,
): string[] => Object.keys(after).filter((facet) => before[facet] !== after[facet] || isUnknown(facet));

/** Every facet that differs, with an answer. */
export const answersOf = (answered: Answered): ChangedProperty[] =>
  differingFacets(answered.before, answered.after, answered.isUnknown).map((facet) => ({
    property: facet,
    ...valueOf("before", answered.before[facet]),
    ...valueOf("after", answered.after[facet]),
    ...answerOf(facet, answered),
  }));

const valueOf = (key: "before" | "after", text: string | undefined) =>
  text === undefined ? {} : { [key]: maskedCredentials(text) };

function answerOf(
  facet: string,
  { life, isUnknown, current, reachable, drafts }: Answered,
): Pick<ChangedProperty, "answer" | "why" | "steps" | "documents"> {
  const property = propertyOfFacet(facet);
  const documents = documentsOf(property);
  if (isUnknown(facet)) return { answer: Answer.Unknown, why: UNDECIDED, steps: [], documents };
  if (isUnknown(property))
    return {
      answer: Answer.Unknown,
      why: `another value of ${property} is not known yet`,
      steps: [],
      documents,
    };
  const fixed = life.get(property);
  if (fixed) return { answer: Answer.Immutable, why: fixed.why, steps: [], documents: fixed.documents };
  const steps = [
    ...drafts.filter(({ facets }) => facets.includes(facet)).map(({ id }) => id),
    ...flowSteps(property, current, reachable, drafts),
  ];
  const inOrder = drafts.map(({ id }) => id).filter((id) => steps.includes(id));
  if (inOrder.length === 0)
    return { answer: Answer.NothingToDo, why: NOTHING[property] ?? NO_FLOW, steps: [], documents };
  return { answer: Answer.Mutable, why: WHY[property] ?? FOLLOWS, steps: inOrder, documents };
}

/** The firewall steps that this property alone would require. */
function flowSteps(
  property: TopologyProperty,
  current: NormalizedTopology,
  reachable: NormalizedTopology,
  drafts: readonly Draft[],
): string[] {
  if (property === "bootstrap") return [];
  const changed = { ...current, [property]: reachable[property] };
  return [
    ...(flowsOpened(current, changed).length > 0 ? ["open-flows"] : []),
    ...(flowsClosed(current, changed).length > 0 ? ["close-flows"] : []),
  ].filter((id) => drafts.some((draft) => draft.id === id));
}

const NO_FLOW = "no object of the cluster has it, and no flow opens or closes";
const FOLLOWS = "no object of the cluster has it; firewalls and network policies follow it";
const ADDED = "a running cluster without it accepts it once";

const NOTHING: { readonly [property in TopologyProperty]?: string } = {
  infrastructureCidrs: "no object has it: the ranges of the cluster are compared with it",
  defaultWorkerRules:
    "no object of the cluster has it: the workers' security groups of the plan follow it, HyperShift's own group stays",
  ...Object.fromEntries(
    internalSubnetProperties.map((property) => [property, "no release on the upgrade path supports it"]),
  ),
};

const WHY: { readonly [property in TopologyProperty]?: string } = {
  release: "hosted clusters are upgraded, one minor release after the other",
  endpointAccess: "the API server accepts it, and HyperShift creates or removes the endpoints",
  services: "on this platform a HostedCluster accepts other publishing strategies",
  machineNetwork: ADDED,
  ...Object.fromEntries(
    internalSubnetProperties.map((property) => [
      property,
      internalSubnet(property).mutable
        ? "a running cluster accepts it, and OVN restarts on its nodes"
        : ADDED,
    ]),
  ),
  proxy: "a running cluster accepts it, and its nodes roll out",
  bootstrap: "one changed input: firewalls follow it",
};

function documentsOf(property: TopologyProperty): string[] {
  const rows = immutableFields.filter(({ input }) => input === `topology.${property}`);
  if (rows.length > 0) return [...new Set(rows.flatMap(({ documents }) => documents.map(describeReference)))];
  return (surroundingLists as readonly string[]).includes(property)
    ? []
    : [describeReference(at(HYPERSHIFT, "HostedCluster CRD, spec"))];
}

/** Why a property cannot change. */
export interface ImmutableReason {
  why: string;
  documents: string[];
}

const AZURE_ACCESS = "spec.platform.azure.topology";

/** The changed properties that are immutable in a hosted cluster, by the rule `immutable-field`. */
export function immutableProperties(
  current: NormalizedTopology,
  wanted: NormalizedTopology,
): Map<TopologyProperty, ImmutableReason> {
  const [before, after] = [specOf(current, wanted), specOf(wanted, current)];
  const found = new Map<TopologyProperty, ImmutableReason>(namesOf(current, wanted));
  for (const { path, why } of immutableChanges(
    { inputs: before, outputs: before },
    after,
    current.platform,
  )) {
    const field = immutableFields.find((one) => `spec.${one.path}` === path);
    // If the field is removed, the default is written in its place.
    if (field?.mutable) continue;
    const property = path === AZURE_ACCESS ? "endpointAccess" : propertyOf(field?.input);
    if (property === undefined || [current, wanted].some((one) => isUnknown(one, property))) continue;
    const documents = (field?.documents ?? [at(HYPERSHIFT, "HostedCluster CRD, spec")]).map(
      describeReference,
    );
    found.set(property, { why: `${path} ${why}`, documents });
  }
  return found;
}

const propertyOf = (input: string | undefined): TopologyProperty | undefined =>
  input?.startsWith("topology.") ? (input.slice("topology.".length) as TopologyProperty) : undefined;

/** The name of an object is immutable, and so is the control plane's namespace, which consists of namespace and name. */
function namesOf(
  current: NormalizedTopology,
  wanted: NormalizedTopology,
): [TopologyProperty, ImmutableReason][] {
  const documents = [describeReference(at(HYPERSHIFT, "HostedCluster CRD, spec"))];
  return (["name", "namespace"] as const).flatMap((property): [TopologyProperty, ImmutableReason][] =>
    current[property] === wanted[property] || [current, wanted].some((one) => isUnknown(one, property))
      ? []
      : [[property, { why: `metadata.${property} identifies the object`, documents }]],
  );
}

/** A topology as the spec of a HostedCluster, with only those service addresses that both sides state. */
function specOf(topology: NormalizedTopology, other: NormalizedTopology): PropertyMap {
  const services = Object.fromEntries(
    Object.entries(topology.services).map(([service, published]) => [
      service,
      withoutUnsaid(published, other.services[service as keyof typeof other.services]),
    ]),
  ) as NormalizedTopology["services"];
  return networkSpec({ ...topology, services }, {}) as unknown as PropertyMap;
}

/** Drops the address unless both state it: HostedCluster objects state more about a service than a topology does. */
export function withoutUnsaid(own: NormalizedService, other: NormalizedService): NormalizedService {
  const { address, ...rest } = own;
  return address !== undefined && other.address !== undefined ? own : rest;
}

/** Whether the two are different clusters, so that one cannot become the other. */
export const isOtherCluster = (current: NormalizedTopology, wanted: NormalizedTopology): boolean =>
  namesOf(current, wanted).length > 0 || current.platform !== wanted.platform;

/** Whether it is unknown which object exists: no command can name it. */
export const isNameless = (current: NormalizedTopology): boolean =>
  isUnknown(current, "name") || isUnknown(current, "namespace");
