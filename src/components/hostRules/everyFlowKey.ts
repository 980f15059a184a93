import { NODE_PORTS } from "../../requirements/ports";
import { EndpointAccess, LoadBalancerTargets, Platform, PublishingType } from "../../requirements/vocabulary";
import { normalizeTopology } from "../../topology/normalizeTopology";
import { serviceProperty } from "../../topology/normalize/services";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { flowKey, type RequiredFlow } from "../../flows/model";

/** The keys of the flows that some hosted cluster has: what a key can be while the topology at hand is wrong. */
export function everyFlowKey(
  flowsOf: (topology: NormalizedTopology) => readonly RequiredFlow[],
): ReadonlySet<string> {
  const clusters = everyTopology().flatMap((raw) => normalizeTopology(raw).readable ?? []);
  return new Set(clusters.flatMap((topology) => flowsOf(topology).map(flowKey)));
}

/** Every platform with each way of publishing, of access and of load balancing. Some are refused; keys they have all the same. */
function everyTopology(): object[] {
  const strategies = [...Object.values(PublishingType).map((type) => () => ({ type })), pinned];
  return Object.values(Platform).flatMap((platform) =>
    strategies.flatMap((strategy) =>
      [EndpointAccess.PublicAndPrivate, undefined].flatMap((endpointAccess) =>
        Object.values(LoadBalancerTargets).map((loadBalancerTargets) => ({
          name: "any",
          platform,
          endpointAccess,
          loadBalancerTargets,
          proxy: { httpProxy: ANY_PROXY, httpsProxy: ANY_PROXY },
          services: Object.fromEntries(
            Object.values(serviceProperty).map((service, position) => [service, strategy(position)]),
          ),
        })),
      ),
    ),
  );
}

const ANY_PROXY = "http://proxy.example.com:3128";

const pinned = (position: number) => ({
  type: PublishingType.NodePort,
  nodePort: NODE_PORTS.from + position,
});
