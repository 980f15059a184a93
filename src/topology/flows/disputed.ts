import { requirements } from "../../requirements/requirements";
import type { Requirement } from "../../requirements/requirement";
import { Direction, Perspective } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../normalizedTopology";
import { Role, type FlowPeer, type RequiredFlow } from "../requiredFlow";
import { flowOf } from "./flow";
import { externalClients, publishedEndpoint, workers } from "./peers";

/**
 * Ports that one document names for a platform where another one puts a different port in their place. Nothing is made of
 * them, and nobody is blamed for opening them.
 */
export function disputedFlows(topology: NormalizedTopology): RequiredFlow[] {
  return requirements
    .filter(({ platforms, replacedOn }) => {
      const isReplaced = replacedOn.some(({ platform }) => platform === topology.platform);
      return isReplaced && platforms.includes(topology.platform);
    })
    .flatMap((row) => {
      const role = ROLE[row.perspective];
      if (role === undefined) return [];
      return [flowOf(row, role, { key: `disputed-${row.id}`, peers: peersOf(topology, row), optIn: true })];
    });
}

const ROLE: Readonly<Partial<Record<Perspective, Role>>> = {
  [Perspective.ControlPlane]: Role.ControlPlane,
  [Perspective.Worker]: Role.Workers,
};

const peersOf = (topology: NormalizedTopology, { direction, service }: Requirement): FlowPeer[] =>
  direction === Direction.Ingress || service === undefined
    ? [workers(topology), externalClients(topology)]
    : [publishedEndpoint(topology, service)];
