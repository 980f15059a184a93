import { POD_LABEL } from "../../../requirements/networkPolicies";
import { Direction } from "../../../requirements/vocabulary";
import { readText } from "../../../resources/read";
import type { ResourceIndex } from "../../../resources/resourceIndex";
import { isEgressFirewall } from "../../../resources/resourceTypes";
import type { NormalizedTopology } from "../../../topology/normalizedTopology";
import { Role } from "../../../topology/requiredFlow";
import { egressFirewallFilter } from "../../filters";
import { journeys, planGuards, type Guard, type Hop, type Journey, type PodHop } from "../../path";
import type { PlanQuestion } from "../answerPlan";

/** One place of one plan. */
export interface ComparedPlace {
  name: string;
  direction: Direction;
  /** What stands there. */
  guards: readonly Guard[];
  /** Whether everything passes where nothing stands: true of pods, of hosts nobody knows. */
  isOpen: boolean;
  /** Documented flows that pass it. */
  flows: readonly { journey: Journey; hop: Hop }[];
}

/** Every place of a plan at which packets are judged, by a key that is the same in other plans. */
export function comparedPlaces(question: PlanQuestion): Map<string, ComparedPlace> {
  const all = journeys(question.topology);
  return new Map([
    ...hostPlaces(question, all),
    ...podPlaces(question, all),
    ...namespacePlaces(question.index, question.topology),
  ]);
}

type Entry = readonly [string, ComparedPlace];

function hostPlaces({ index, topology, configured }: PlanQuestion, all: readonly Journey[]): Entry[] {
  const guards = planGuards(index, topology, configured);
  return Object.values(Role).flatMap((role) =>
    Object.values(Direction).map((direction): Entry => {
      const isHere = (hop: Hop) => hop.kind === "hosts" && hop.role === role && hop.direction === direction;
      const name = `${direction} of ${role}`;
      const flows = flowsAt(all, isHere);
      return [name, { name, direction, guards: guards.hosts(role, direction), isOpen: false, flows }];
    }),
  );
}

function podPlaces({ index, topology, configured }: PlanQuestion, all: readonly Journey[]): Entry[] {
  const guards = planGuards(index, topology, configured);
  const hops = all.flatMap((journey) => journey.hops.flatMap((hop) => (hop.kind === "pods" ? [hop] : [])));
  return hops.map((hop): Entry => {
    const name = podPlace(hop);
    const isHere = (other: Hop) => other.kind === "pods" && podPlace(other) === name;
    const flows = flowsAt(all, isHere);
    return [name, { name, direction: Direction.Ingress, guards: guards.pods(hop), isOpen: true, flows }];
  });
}

/** Policies look at who sends: pods with other labels are other places. */
function podPlace({ app, from }: PodHop): string {
  if (from === "addresses") return `pods ${app} from addresses`;
  const { labels, namespaceLabels = {} } = from;
  const text = Object.entries({ ...namespaceLabels, ...labels }).map(([key, value]) =>
    key === POD_LABEL.app ? value : `${key}=${value}`,
  );
  return `pods ${app} from pods ${text.join(",")}`;
}

const flowsAt = (all: readonly Journey[], isHere: (hop: Hop) => boolean): ComparedPlace["flows"] =>
  all.flatMap((journey) => journey.hops.filter(isHere).map((hop) => ({ journey, hop })));

/** What pods of a namespace may send out of the cluster. */
function namespacePlaces({ resources }: ResourceIndex, { clusterNetwork }: NormalizedTopology): Entry[] {
  const exempt = clusterNetwork.map(({ prefix }) => prefix);
  return resources.flatMap((resource): Entry[] => {
    if (!isEgressFirewall(resource.type)) return [];
    const namespace = readText(resource.properties, "metadata.namespace");
    const name = `namespace ${typeof namespace === "string" ? namespace : `of ${resource.name}`}`;
    const guard: Guard = {
      name: `egress firewall of ${name}`,
      standing: { kind: "egressFirewall", firewall: resource },
      filters: [egressFirewallFilter(resource, exempt)],
    };
    return [[name, { name, direction: Direction.Egress, guards: [guard], isOpen: true, flows: [] }]];
  });
}
