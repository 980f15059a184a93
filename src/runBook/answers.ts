import { describeReference } from "../requirements/documents";
import { immutableFields } from "../requirements/hostedCluster";
import { internalSubnet, internalSubnetProperties } from "../requirements/internalSubnets";
import { isUnknown, type NormalizedTopology, surroundingLists } from "../topology/normalizedTopology";
import {
  crdDocuments,
  type Facets,
  maskedCredentials,
  propertyOfFacet,
  type TopologyProperty,
} from "./facets";
import { flowsClosed, flowsOpened } from "./steps/firewalls";
import { Answer, type ChangedProperty, UNDECIDED } from "./runBook";
import { type Draft, idsOfSteps } from "./drafts";
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
  const answered = (answer: Answer, why: string, steps: string[] = []) => ({ answer, why, steps, documents });
  if (isUnknown(facet)) return answered(Answer.Unknown, UNDECIDED);
  if (isUnknown(property)) return answered(Answer.Unknown, `another value of ${property} is not known yet`);
  const fixed = life.get(property);
  if (fixed) return { ...answered(Answer.Immutable, fixed.why), documents: fixed.documents };
  const ids = [...idsOfSteps(drafts, facet), ...flowSteps(property, current, reachable, drafts)];
  const steps = drafts.map(({ id }) => id).filter((id) => ids.includes(id));
  return steps.length === 0
    ? answered(Answer.NothingToDo, NOTHING[property] ?? NO_FLOW)
    : answered(Answer.Mutable, WHY[property] ?? FOLLOWS, steps);
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
  return (surroundingLists as readonly string[]).includes(property) ? [] : crdDocuments;
}

/** Why a property cannot change. */
export interface ImmutableReason {
  why: string;
  documents: string[];
}

const AZURE_ACCESS = "spec.platform.azure.topology";

/** The changed properties that are immutable in a hosted cluster, by the rule `immutable-field`. Both must be comparable. */
export function immutableProperties(
  current: NormalizedTopology,
  wanted: NormalizedTopology,
): Map<TopologyProperty, ImmutableReason> {
  const [before, after] = [current, wanted].map(specOf) as [PropertyMap, PropertyMap];
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
    const documents = field?.documents.map(describeReference) ?? crdDocuments;
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
  return (["name", "namespace"] as const).flatMap((property): [TopologyProperty, ImmutableReason][] =>
    current[property] === wanted[property] || [current, wanted].some((one) => isUnknown(one, property))
      ? []
      : [[property, { why: `metadata.${property} identifies the object`, documents: crdDocuments }]],
  );
}

/** A topology as the spec of a HostedCluster. */
const specOf = (topology: NormalizedTopology): PropertyMap =>
  networkSpec(topology, {}) as unknown as PropertyMap;

/** Whether the two are different clusters, so that one cannot become the other. */
export const isOtherCluster = (current: NormalizedTopology, wanted: NormalizedTopology): boolean =>
  namesOf(current, wanted).length > 0 || current.platform !== wanted.platform;

/** Whether it is unknown which object exists: no command can name it. */
export const isNameless = (current: NormalizedTopology): boolean =>
  isUnknown(current, "name") || isUnknown(current, "namespace");
