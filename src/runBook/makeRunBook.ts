import { HYPERSHIFT, at, describeReference } from "../requirements/documents";
import { compareReleases, formatRelease } from "../requirements/release";
import { isMap } from "../resources/read";
import type { Fault } from "../fault";
import { normalizeTopology, topologyProperties } from "../topology/normalizeTopology";
import { isUnknown, type NormalizedService, type NormalizedTopology } from "../topology/normalizedTopology";
import {
  answersOf,
  differingFacets,
  immutableProperties,
  type ImmutableReason,
  isNameless,
  isOtherCluster,
} from "./answers";
import { type Facets, facetsOf, objectFields, type TopologyProperty } from "./facets";
import { ALLOWED_LIST } from "../flows/surroundings";
import { obstaclesOf } from "./obstacles";
import { Answer, Outcome, type ChangedProperty, type NewCluster, type RunBook } from "./runBook";
import { type Change, type Draft, idsOfSteps, keyOf, type Transition, differingOf } from "./drafts";
import { REPLACING_DESTROYS } from "../requirements/hostedCluster";
import { networkPolicySource } from "../requirements/networkPolicies";
import { unknownInPolicies, closePolicies, openPolicies } from "./steps/isolation";
import {
  accessRollsOut,
  addMachineNetwork,
  changeAccess,
  changeAllowedBlocks,
  changeServices,
  openAllowedBlocks,
} from "./steps/endpointAccess";
import { closeBootstrap, openBootstrap, updatesMakeNodes } from "./steps/bootstrap";
import { closeFlows, openFlows, settleLists } from "./steps/firewalls";
import { changeImage, imageChange, movableNow, releasesBetween, upgrades } from "./steps/upgrade";
import { moveSubnets } from "./steps/internalSubnets";
import { changeProxy, passManagementProxy } from "./steps/proxy";

/**
 * The steps in an order that cuts no flow: what is needed opens before anything moves, and what is no longer needed closes after
 * everything has moved. Presets come before the release that introduces their range.
 *
 * @param blocksDiffer whether the list of blocks that may reach the API server changes
 */
export function stepsOf(transition: Transition, blocksDiffer: boolean): Draft[] {
  const makesNodes = rollsNodesOut(transition) && updatesMakeNodes(transition);
  return [
    ...openFlows(transition),
    ...openBootstrap(transition, makesNodes),
    ...openAllowedBlocks(transition, blocksDiffer),
    ...passManagementProxy(transition),
    ...moveSubnets(transition, movableNow(transition)),
    ...addMachineNetwork(transition),
    ...changeProxy(transition),
    ...changeAccess(transition),
    ...changeServices(transition),
    ...changeImage(transition),
    ...upgrades(transition),
    ...openPolicies(transition),
    ...closePolicies(transition),
    ...changeAllowedBlocks(transition, blocksDiffer),
    ...closeFlows(transition),
    ...settleLists(transition),
    ...closeBootstrap(transition, makesNodes),
  ];
}

/** Whether a step changes the release or the configuration of the nodes. */
const rollsNodesOut = (transition: Transition): boolean =>
  releasesBetween(transition).length > 0 ||
  imageChange(transition) !== undefined ||
  differingOf(transition, "proxy", "services").length > 0 ||
  entersNoProxy(transition) ||
  (differingOf(transition, "endpointAccess").length > 0 && accessRollsOut(transition));

/** HyperShift writes the machine network into the noProxy of the nodes. */
const entersNoProxy = (transition: Transition): boolean =>
  transition.reachable.proxy !== undefined && differingOf(transition, "machineNetwork").length > 0;

/**
 * Makes the run book of a change: an answer for every property that differs, the obstacles to resolve first, the ordered steps, and what
 * no running cluster can become.
 *
 * @param assumptions what one side does not state and the caller took from the other
 */
export function makeRunBook(change: Change, assumptions: readonly string[] = []): RunBook {
  const { current, wanted } = comparable(change);
  const unknown = (facet: string) => isUnknown(current, facet) || isUnknown(wanted, facet);
  const life = new Map([...immutableProperties(current, wanted), ...downgrade(current, wanted)]);
  const other = isOtherCluster(current, wanted) || isNameless(current);
  const reachable = other ? current : keeping(wanted, current, life, unknown);
  const areServicesKept = life.has("services") || unknown("services");
  const transition: Transition = {
    current: change.current.topology,
    // Patches write services with all that is stated about them.
    reachable: { ...reachable, services: change[areServicesKept ? "current" : "wanted"].topology.services },
    differing: differingFacets(facetsOf(current), facetsOf(reachable), () => false),
    change,
    mixed: other ? [] : faultsOfMixture(change, (property) => life.has(property) || unknown(property)),
  };
  const fields = other ? [] : objectFields(change);
  const drafts = other
    ? []
    : stepsOf(
        transition,
        fields.some(
          ({ property, answer }) => property === `spec.${ALLOWED_LIST}` && answer === Answer.Mutable,
        ),
      );
  const [before, after] = [current, wanted].map(toldFacets) as [Facets, Facets];
  const changes = [
    ...answersOf({ before, after, life, isUnknown: unknown, current, reachable, drafts }),
    ...fields.map((field) => ({ ...field, steps: idsOfSteps(drafts, field.property) })),
    ...(other ? [] : policyFields(transition)),
  ];
  const obstacles = other ? [] : obstaclesOf(transition);
  const fixed = changes.filter(({ answer }) => answer === Answer.Immutable).map(({ property }) => property);
  const steps = drafts.map(({ facets: _, ...step }, position) => ({ number: position + 1, ...step }));
  const found = { changes, obstacles, steps, ...(fixed.length > 0 && { newCluster: newClusterOf(fixed) }) };
  return {
    version: 1,
    cluster: keyOf(current),
    outcome: outcomeOf(found),
    ...found,
    assumptions: [...assumptions],
  };
}

function outcomeOf({
  newCluster,
  obstacles,
  changes,
  steps,
}: Omit<RunBook, "version" | "cluster" | "outcome" | "assumptions">): Outcome {
  if (newCluster) return Outcome.NewCluster;
  if (obstacles.length > 0) return Outcome.Blocked;
  if (changes.some(({ answer }) => answer === Answer.Unknown)) return Outcome.Unknown;
  return steps.length > 0 ? Outcome.InPlace : Outcome.NothingToDo;
}

/** The facets of a topology, with a placeholder for unknown values. */
const toldFacets = (topology: NormalizedTopology): Facets =>
  Object.fromEntries(
    Object.entries(facetsOf(topology)).map(([facet, text]) => [
      facet,
      isUnknown(topology, facet) ? "not known" : text,
    ]),
  );

/** Both topologies, with only those service addresses that both state. */
function comparable({ current: { topology: current }, wanted: { topology: wanted } }: Change) {
  const withServices = (own: NormalizedTopology, other: NormalizedTopology): NormalizedTopology => ({
    ...own,
    services: Object.fromEntries(
      Object.entries(own.services).map(([service, published]) => [
        service,
        withoutUnsaid(published, other.services[service as keyof typeof other.services]),
      ]),
    ) as NormalizedTopology["services"],
  });
  return { current: withServices(current, wanted), wanted: withServices(wanted, current) };
}

/** Drops the address unless both state it: HostedCluster objects state more about a service than a topology does. */
function withoutUnsaid(own: NormalizedService, other: NormalizedService): NormalizedService {
  const { address, ...rest } = own;
  return address !== undefined && other.address !== undefined ? own : rest;
}

/** The wanted topology, with immutable and unknown properties as they currently are. */
function keeping(
  wanted: NormalizedTopology,
  current: NormalizedTopology,
  life: ReadonlyMap<TopologyProperty, ImmutableReason>,
  unknown: (property: string) => boolean,
): NormalizedTopology {
  const kept: Record<string, unknown> = { ...wanted };
  for (const property of Object.keys({ ...wanted, ...current }) as (keyof NormalizedTopology)[])
    if (life.has(property as TopologyProperty) || unknown(property)) kept[property] = current[property];
  // What is unknown in the wanted state is no longer in this topology.
  kept.unknown = current.unknown;
  // Workers are in the machine network unless stated otherwise.
  if (wanted.defaulted.includes("workerCidrs")) kept.workerCidrs = kept.machineNetwork;
  return kept as unknown as NormalizedTopology;
}

/** Faults of the combination of kept and wanted properties, which the user did not write. */
function faultsOfMixture(
  { current, wanted }: Change,
  isKept: (property: TopologyProperty) => boolean,
): Fault[] {
  const raw = topologyProperties.map((property) => [
    property,
    (isKept(property) ? current : wanted).raw[property],
  ]);
  if (!topologyProperties.some(isKept)) return [];
  const addresses = [current, wanted].map(({ raw: { addresses: blocks } }) => (isMap(blocks) ? blocks : {}));
  return [
    ...normalizeTopology({ ...Object.fromEntries(raw), addresses: Object.assign({}, ...addresses) as object })
      .faults,
  ];
}

/** Hosted clusters can be upgraded, but not downgraded. */
function downgrade(
  { release: from }: NormalizedTopology,
  { release: to }: NormalizedTopology,
): [TopologyProperty, ImmutableReason][] {
  if (!from || !to || compareReleases(to, from) >= 0) return [];
  const why = `a hosted cluster of ${formatRelease(from)} cannot return to ${formatRelease(to)}`;
  const documents = [describeReference(at(HYPERSHIFT, "api/hypershift/v1beta1/hostedcluster_types.go"))];
  return [["release", { why, documents }]];
}

/** What remains to do if a running cluster cannot become what is wanted. */
const newClusterOf = (because: readonly string[]): NewCluster => ({
  because: [...new Set(because)],
  loses: REPLACING_DESTROYS,
  actions: [
    "Leave these properties unchanged and perform the steps for the others, or continue with a second cluster:",
    "Create a HostedCluster with another name next to this one, with the wanted topology and with ranges that both can have at the same time.",
    "Open its flows and prove them: `hypershift-network flows`, `hypershift-network prove`.",
    "Create its NodePools, and close its bootstrap ports when they are ready.",
    "Move the workloads and their data: backup and restore of namespaces and volumes, not of etcd, which contains the old network.",
    "Move clients to it with DNS and kubeconfigs; watch flow logs until no client uses the old cluster.",
    "Delete the old NodePools, then the old HostedCluster, whose protection you have to remove by hand.",
  ],
});

/** The unknown values of wanted network policies: what the policies allow depends on them. */
const policyFields = (transition: Transition): ChangedProperty[] =>
  unknownInPolicies(transition).map((property) => ({
    property,
    answer: Answer.Unknown,
    why: "a value is not known yet, and no policy is written without it: a patch would allow other traffic",
    steps: [],
    documents: [describeReference(networkPolicySource)],
  }));
