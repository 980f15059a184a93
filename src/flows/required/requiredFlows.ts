import type { Requirement } from "../../requirements/requirement";
import { requirements } from "../../requirements/requirements";
import { Direction, Perspective, Phase, Role } from "../../requirements/vocabulary";
import { onceForEach } from "../../collections";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { View, type FlowPeer, type RequiredFlow } from "../model";
import { externalClients, publishedEndpoints, workers } from "../peers";
import { controlPlaneEgress, documentedIngress, translatedIngress, unpinnedForUsers } from "./controlPlane";
import { flowOf } from "./fromRow";
import {
  defaultWorkerGroup,
  privateEndpointIngress,
  withDefaultWorkerGroup,
  workerEgress,
  workerIngress,
} from "./workers";

/**
 * The flows that one hosted cluster needs, role by role: those that the documents require, as they state them, and those that each
 * hop sees after translation, if the topology states how traffic arrives. Flows of the bootstrap phase are left out if `bootstrap`
 * is false. A peer that the topology does not state has no prefixes, or assumed ones; `missingInputs` names the properties.
 * Topologies are immutable, so their flows are computed once.
 */
export const requiredFlows = onceForEach((topology: NormalizedTopology): readonly RequiredFlow[] => {
  const flows = [
    ...documentedIngress(topology),
    ...translatedIngress(topology),
    ...controlPlaneEgress(topology),
    ...workerEgress(topology),
    ...defaultWorkerGroup(topology),
    ...workerIngress(topology),
    ...privateEndpointIngress(topology),
  ];
  const now = flows.filter((flow) => topology.bootstrap || flow.phase !== Phase.Bootstrap);
  return topology.defaultWorkerRules ? withDefaultWorkerGroup(now) : now;
});

/**
 * Flows for which no rule is created, although opening them is not a fault: ports on which the documents disagree, and the range of node
 * ports for stated users of services whose node ports are not pinned.
 */
export const possibleFlows = (topology: NormalizedTopology): RequiredFlow[] => [
  ...disputedFlows(topology),
  ...unpinnedForUsers(topology),
];

/** Ports that one document names for a platform and another document replaces by a different port. */
function disputedFlows(topology: NormalizedTopology): RequiredFlow[] {
  return requirements
    .filter(({ platforms, replacedOn }) => {
      const isReplaced = replacedOn.some(({ platform }) => platform === topology.platform);
      return isReplaced && platforms.includes(topology.platform);
    })
    .flatMap((row) => {
      const role = ROLE[row.perspective];
      if (role === undefined) return [];
      const purpose = `${row.purpose}; the documents disagree on this port`;
      return [
        flowOf(row, role, { key: `disputed-${row.id}`, peers: peersOf(topology, row), purpose, optIn: true }),
      ];
    });
}

const ROLE: Readonly<Partial<Record<Perspective, Role>>> = {
  [Perspective.ControlPlane]: Role.ControlPlane,
  [Perspective.Worker]: Role.Workers,
};

const peersOf = (topology: NormalizedTopology, { direction, service }: Requirement): FlowPeer[] =>
  direction === Direction.Ingress || service === undefined
    ? [workers(topology), externalClients(topology)]
    : publishedEndpoints(topology, service);

/** Whether a flow has the port of a pod, which filters of hosts do not need by default. */
const isOfPods = ({ optIn, role, view }: RequiredFlow): boolean =>
  optIn && role === Role.ControlPlane && view === View.Documented;

/** Returns whether only network policies see a flow: one to the port of a pod, unless load balancers reach hosts at the same port. */
export function podsOnlyAmong(flows: readonly RequiredFlow[]): (flow: RequiredFlow) => boolean {
  const packets = ({ role, direction, protocol, ports }: RequiredFlow) =>
    JSON.stringify([role, direction, protocol, ports]);
  const seen = new Set(flows.filter((flow) => !isOfPods(flow)).map(packets));
  return (flow) => isOfPods(flow) && !seen.has(packets(flow));
}
