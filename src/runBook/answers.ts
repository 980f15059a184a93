import { HYPERSHIFT, at, describeReference } from "../requirements/documents";
import { immutableFields } from "../requirements/hostedCluster";
import { internalSubnet, internalSubnetProperties } from "../requirements/internalSubnets";
import { surroundingLists, type NormalizedTopology } from "../topology/normalizedTopology";
import { propertyOfFacet, withoutCredentials, type Facets, type TopologyProperty } from "./facets";
import { flowsClosed, flowsOpened } from "./flowRows";
import type { ForLife } from "./forLife";
import { Answer, NOT_KNOWN_YET, type ChangedProperty } from "./runBook";
import type { Draft } from "./steps/draft";

/** What the answers are made from. */
export interface Answered {
  before: Facets;
  after: Facets;
  life: ReadonlyMap<TopologyProperty, ForLife>;
  isUnknown: (facet: string) => boolean;
  current: NormalizedTopology;
  reachable: NormalizedTopology;
  drafts: readonly Draft[];
}

/** The places of two topologies that differ, or that are unknown. */
export const differingFacets = (
  before: Facets,
  after: Facets,
  isUnknown: (facet: string) => boolean,
): string[] => Object.keys(after).filter((facet) => before[facet] !== after[facet] || isUnknown(facet));

/** Every place that differs, with an answer. */
export const answersOf = (answered: Answered): ChangedProperty[] =>
  differingFacets(answered.before, answered.after, answered.isUnknown).map((facet) => ({
    property: facet,
    ...valueOf("before", answered.before[facet]),
    ...valueOf("after", answered.after[facet]),
    ...answerOf(facet, answered),
  }));

const valueOf = (key: "before" | "after", text: string | undefined) =>
  text === undefined ? {} : { [key]: withoutCredentials(text) };

function answerOf(
  facet: string,
  { life, isUnknown, current, reachable, drafts }: Answered,
): Pick<ChangedProperty, "answer" | "why" | "steps" | "documents"> {
  const property = propertyOfFacet(facet);
  const documents = documentsOf(property);
  if (isUnknown(facet)) return { answer: Answer.Unknown, why: NOT_KNOWN_YET, steps: [], documents };
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

/** The steps on firewalls that this property by itself would make necessary, too. */
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

const NO_FLOW = "no object of the cluster holds it, and no flow opens or closes";
const FOLLOWS = "no object of the cluster holds it; firewalls and network policies follow it";
const ADDED = "a cluster that has none can get one, once";

const NOTHING: { readonly [property in TopologyProperty]?: string } = {
  infrastructureCidrs: "no object holds it: the ranges of the cluster are held against it",
  defaultWorkerRules:
    "no object of the cluster holds it: the workers' security groups of the plan follow it, HyperShift's own stays",
  ...Object.fromEntries(
    internalSubnetProperties.map((property) => [property, "no release on the way takes it"]),
  ),
};

const WHY: { readonly [property in TopologyProperty]?: string } = {
  release: "hosted clusters are upgraded, one minor release after the other",
  endpointAccess: "the API server takes it, and HyperShift makes or removes the endpoints",
  services: "on this platform a HostedCluster takes other publishing strategies",
  machineNetwork: ADDED,
  ...Object.fromEntries(
    internalSubnetProperties.map((property) => [
      property,
      internalSubnet(property).mutable
        ? "a running cluster takes it, and OVN starts again on its nodes"
        : "a running cluster that does not have it takes it once",
    ]),
  ),
  proxy: "a running cluster takes it, and its nodes roll out",
  bootstrap: "one changed input: firewalls follow it",
};

function documentsOf(property: TopologyProperty): string[] {
  const rows = immutableFields.filter(({ input }) => input === `topology.${property}`);
  if (rows.length > 0) return [...new Set(rows.flatMap(({ documents }) => documents.map(describeReference)))];
  return (surroundingLists as readonly string[]).includes(property)
    ? []
    : [describeReference(at(HYPERSHIFT, "HostedCluster CRD, spec"))];
}
