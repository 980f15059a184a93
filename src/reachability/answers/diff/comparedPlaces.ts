import { append } from "../../../collections";
import { POD_LABEL } from "../../../requirements/networkPolicies";
import { Direction, Protocol, Role } from "../../../requirements/vocabulary";
import { possibleJourneys } from "../../../flows/journeys";
import {
  ALLOWED_LIST,
  type AllowedBlocks,
  hostedClusterOf,
  surroundingsOf,
  type GovernedNamespace,
} from "../../../flows/surroundings";
import { Outside } from "../../../requirements/outsideModel";
import { keepsOthersOut } from "../../../requirements/platforms";
import { UNKNOWN } from "../../../resources/resource";
import type { ResourceIndex } from "../../../resources/resourceIndex";
import type { NormalizedTopology } from "../../../topology/normalizedTopology";
import { readings } from "../../../topology/readings";
import type { Hop, HostHop, Journey, NamespaceHop, PodHop, SenderHop } from "../../../flows/model";
import type { Filter } from "../../filters/filter";
import type { Entrant } from "../../isolation/excess";
import type { Labels } from "../../isolation/podTraffic";
import { planGuards } from "../../path/planGuards";
import { allowListGuard, type Guard, isOfGroups, unknownListGuard } from "../../path/guards";
import type { Guards } from "../../path/judge";
import type { PlanQuestion } from "../answerPlan";
import { directionAt, hostPlace, placeOf } from "../places";

/** One place of one plan. */
export interface ComparedPlace {
  name: string;
  direction: Direction;
  /** The filters there. */
  guards: readonly Guard[];
  /** Security groups of other owners there, which open more in addition to those of the plan. */
  others?: readonly Filter[];
  /** Whether everything passes without guards: true for pods, unknown for hosts. */
  isOpen: boolean;
  /** Documented flows that pass the place. */
  flows: readonly { journey: Journey; hop: Hop }[];
  /** Whether what opens and closes is shown whole instead of by the services of these flows: rules there are about destinations. */
  isWhole?: true;
}

/**
 * Every place of a plan at which packets are judged, by a key that is the same in all plans.
 *
 * @param withOthers whether HyperShift's own policies count too, which isolate every pod of a control plane and do not change with a plan,
 * and the load balancers that HyperShift makes
 */
export function comparedPlaces(
  { index, topology, configured }: PlanQuestion,
  withOthers = false,
): Map<string, ComparedPlace> {
  const surroundings = surroundingsOf(index, topology, configured);
  const plain = planGuards(index, topology, configured, !withOthers);
  const podsWithOthers = (hop: PodHop | SenderHop) =>
    plain.pods(hop).map((guard) => (guard.others ? { ...guard, filters: guard.others.filters() } : guard));
  const guards = withOthers ? { ...plain, pods: podsWithOthers } : plain;
  const all = possibleJourneys(topology, surroundings);
  return new Map([
    ...hostPlaces(guards, all),
    ...podPlaces(guards, all, (hop) => hop.kind === "pods" && podPlace(hop)),
    ...podPlaces(guards, all, (hop) => hop.kind === "senders" && placeOf(hop)),
    ...namespacePlaces(guards, all, surroundings.namespaces),
    ...(withOthers ? balancerPlaces(guardOfList(index, topology, surroundings.allowedBlocks, all)) : []),
  ]);
}

/** Public load balancers, if the HostedCluster lists whom they let in: without a list, they let in everybody. */
function balancerPlaces(guard: Guard | undefined): Entry[] {
  if (!guard) return [];
  const place = { name: guard.name, direction: Direction.Ingress, guards: [guard], flows: [] };
  return [["public load balancer", { ...place, isOpen: true, isWhole: true }]];
}

/** The list of a HostedCluster as a guard, which is doubtful unless all load balancers certainly enforce it. */
function guardOfList(
  index: ResourceIndex,
  topology: NormalizedTopology,
  allowed: AllowedBlocks | undefined,
  all: readonly Journey[],
): Guard | undefined {
  const isListed = all.some(
    ({ hops, outside }) =>
      outside.includes(Outside.AllowedBlocks) || hops.some(({ kind }) => kind === "balancer"),
  );
  if (allowed === undefined || !isListed) return undefined;
  const listedBy = allowed === UNKNOWN ? hostedClusterOf(index, topology) : allowed.listedBy;
  if (!listedBy) return undefined;
  const guard =
    allowed === UNKNOWN ? unknownListGuard(listedBy) : allowListGuard({ allowed: allowed.blocks, listedBy });
  const isEnforced = readings(topology).every(({ topology: { platform, loadBalancerTargets } }) =>
    keepsOthersOut(platform, loadBalancerTargets),
  );
  const doubt = { resource: listedBy, path: `spec.${ALLOWED_LIST}`, reason: NOT_ENFORCED };
  return isEnforced ? guard : { ...guard, doubtful: [doubt] };
}

const NOT_ENFORCED = "load balancers may let in clients that it does not list";

type Entry = readonly [string, ComparedPlace];

function hostPlaces(guards: Guards, all: readonly Journey[]): Entry[] {
  const flows = flowsByPlace(all, (hop) => hop.kind === "hosts" && hostPlace(hop));
  return Object.values(Role).flatMap((role) => {
    const places = Object.values(Direction).map((direction): ComparedPlace => {
      const name = hostPlace({ role, direction });
      const here = flows.get(name) ?? [];
      const standing = guards.hosts(role, direction);
      const [first] = here;
      const others = first ? (guards.others?.(first.hop as HostHop) ?? []) : [];
      return {
        name,
        direction,
        guards: standing,
        others: others.map(({ filter }) => filter),
        isOpen: false,
        flows: here,
      };
    });
    // A cluster without VPC endpoints has no such hosts, although the network ACLs of the workers would filter them too.
    const areThere = places.some(({ flows: here, guards: some }) => here.length > 0 || some.some(isOfGroups));
    return areThere ? places.map((place): Entry => [place.name, place]) : [];
  });
}

/** What pods of the control plane may receive or send: everything, if no policy applies. */
const podPlaces = (guards: Guards, all: readonly Journey[], nameOf: (hop: Hop) => string | false): Entry[] =>
  [...flowsByPlace(all, nameOf)].map(([name, here]): Entry => {
    const hop = here.at(-1)!.hop as PodHop | SenderHop;
    return [name, { name, direction: directionAt(hop), guards: guards.pods(hop), isOpen: true, flows: here }];
  });

/**
 * Whether a place compares what a sender reaches at a pod of the control plane: the pods that documented flows reach, from addresses and
 * from the namespaces of those flows.
 */
export function comparesEntrance({ index, topology, configured }: PlanQuestion) {
  const senders = new Map<string, Labels[]>();
  const addressed = new Set<string>();
  for (const { hops } of possibleJourneys(topology, surroundingsOf(index, topology, configured)))
    for (const hop of hops)
      if (hop.kind === "pods" && hop.from === "addresses") addressed.add(hop.app);
      else if (hop.kind === "pods" && hop.from !== "addresses" && hop.from.namespaceLabels)
        append(senders, hop.app, [hop.from.namespaceLabels]);
  return (pod: Labels, from: Entrant): boolean => {
    const app = pod[POD_LABEL.app] ?? "";
    if (from.kind === "addresses") return addressed.has(app);
    return (senders.get(app) ?? []).some((named) =>
      Object.entries(named).every(([key, value]) => from.namespace[key] === value),
    );
  };
}

/** Policies check the sender: pods with other labels are another place. */
function podPlace({ app, from }: PodHop): string {
  if (from === "addresses") return `pods ${app} from addresses`;
  const { labels, namespaceLabels = {} } = from;
  const text = Object.entries({ ...namespaceLabels, ...labels }).map(([key, value]) =>
    key === POD_LABEL.app ? value : `${key}=${value}`,
  );
  return `pods ${app} from pods ${text.join(",")}`;
}

/** The flows that pass each place of one kind, by the name of the place; `nameOf` is false for hops of other kinds. */
function flowsByPlace(
  all: readonly Journey[],
  nameOf: (hop: Hop) => string | false,
): Map<string, { journey: Journey; hop: Hop }[]> {
  const flows = new Map<string, { journey: Journey; hop: Hop }[]>();
  for (const journey of all)
    for (const hop of journey.hops) {
      const name = nameOf(hop);
      if (name !== false) append(flows, name, [{ journey, hop }]);
    }
  return flows;
}

/** What pods of a namespace may send out of their cluster: everything, if there is no egress firewall. */
function namespacePlaces(
  guards: Guards,
  all: readonly Journey[],
  governed: readonly GovernedNamespace[],
): Entry[] {
  const keyOf = (hop: NamespaceHop) => `${hop.cluster} ${placeOf(hop)}`;
  const flows = flowsByPlace(all, (hop) => hop.kind === "namespace" && keyOf(hop));
  return governed.map(({ cluster, namespace }): Entry => {
    const hop: NamespaceHop = {
      kind: "namespace",
      cluster,
      namespace,
      protocol: Protocol.Any,
      sources: [],
      destinations: [],
    };
    const place: ComparedPlace = {
      name: placeOf(hop),
      direction: directionAt(hop),
      guards: guards.namespaces(hop),
      isOpen: true,
      flows: flows.get(keyOf(hop)) ?? [],
      isWhole: true,
    };
    return [keyOf(hop), place];
  });
}
