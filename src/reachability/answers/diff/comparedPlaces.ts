import { POD_LABEL } from "../../../requirements/networkPolicies";
import { Direction, Protocol, Role } from "../../../requirements/vocabulary";
import { possibleJourneys, surroundingsOf, type GovernedNamespace } from "../../../flows";
import type { Hop, Journey, NamespaceHop, PodHop } from "../../../flows/model";
import { planGuards, type Guard, type Guards } from "../../path";
import type { PlanQuestion } from "../answerPlan";
import { directionAt, placeOf } from "../places";

/** One place of one plan. */
export interface ComparedPlace {
  name: string;
  direction: Direction;
  /** What stands there. */
  guards: readonly Guard[];
  /** Whether everything passes where nothing stands: true of pods, unknown for hosts. */
  isOpen: boolean;
  /** Documented flows that pass it. */
  flows: readonly { journey: Journey; hop: Hop }[];
}

/** Every place of a plan at which packets are judged, by a key that is the same in other plans. */
export function comparedPlaces({ index, topology, configured }: PlanQuestion): Map<string, ComparedPlace> {
  const surroundings = surroundingsOf(index, topology);
  const guards = planGuards(index, topology, configured);
  const all = possibleJourneys(topology, surroundings);
  return new Map([
    ...hostPlaces(guards, all),
    ...podPlaces(guards, all),
    ...senderPlaces(guards, all),
    ...namespacePlaces(guards, surroundings.namespaces),
  ]);
}

type Entry = readonly [string, ComparedPlace];

function hostPlaces(guards: Guards, all: readonly Journey[]): Entry[] {
  return Object.values(Role).flatMap((role) =>
    Object.values(Direction).map((direction): Entry => {
      const isHere = (hop: Hop) => hop.kind === "hosts" && hop.role === role && hop.direction === direction;
      const name = `${direction} of ${role}`;
      const flows = flowsAt(all, isHere);
      return [name, { name, direction, guards: guards.hosts(role, direction), isOpen: false, flows }];
    }),
  );
}

function podPlaces(guards: Guards, all: readonly Journey[]): Entry[] {
  const hops = all.flatMap((journey) => journey.hops.flatMap((hop) => (hop.kind === "pods" ? [hop] : [])));
  return hops.map((hop): Entry => {
    const name = podPlace(hop);
    const isHere = (other: Hop) => other.kind === "pods" && podPlace(other) === name;
    const flows = flowsAt(all, isHere);
    return [name, { name, direction: Direction.Ingress, guards: guards.pods(hop), isOpen: true, flows }];
  });
}

/** What pods of the control plane may send. Without policies all of it. */
const senderPlaces = (guards: Guards, all: readonly Journey[]): Entry[] =>
  all.flatMap(({ hops }) =>
    hops.flatMap((hop): Entry[] => {
      if (hop.kind !== "senders") return [];
      const name = placeOf(hop);
      const flows = flowsAt(all, (other) => other.kind === "senders" && placeOf(other) === name);
      return [[name, { name, direction: directionAt(hop), guards: guards.pods(hop), isOpen: true, flows }]];
    }),
  );

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

/** What pods of a namespace may send out of their cluster. One without an egress firewall is open. */
function namespacePlaces(guards: Guards, governed: readonly GovernedNamespace[]): Entry[] {
  return governed.map(({ cluster, namespace }): Entry => {
    const hop: NamespaceHop = {
      kind: "namespace",
      cluster,
      namespace,
      protocol: Protocol.Any,
      sources: [],
      destinations: [],
    };
    const name = placeOf(hop);
    const place = {
      name,
      direction: directionAt(hop),
      guards: guards.namespaces(hop),
      isOpen: true,
      flows: [],
    };
    return [`${cluster} ${name}`, place];
  });
}
