import { Phase } from "../requirements/vocabulary";
import { onceForEach } from "../resources/onceForEach";
import { documentedIngress } from "./flows/controlPlaneIngress";
import { translatedIngress } from "./flows/controlPlaneHops";
import { defaultWorkerGroup, withDefaultWorkerGroup } from "./flows/defaultWorkerGroup";
import { controlPlaneEgress, workerEgress } from "./flows/egress";
import { privateEndpointIngress } from "./flows/privateEndpoint";
import { workerIngress } from "./flows/workerIngress";
import type { NormalizedTopology } from "./normalizedTopology";
import type { RequiredFlow } from "./requiredFlow";

/**
 * The flows that one hosted cluster needs, role by role: those that the documents demand as they write them, and those
 * that each hop sees after translation, as far as the topology says how traffic arrives. Flows of the bootstrap phase
 * are left out where `bootstrap` is false. What the topology does not say is a peer without prefixes, or an assumed
 * one; `missingInputs` names the properties. Topologies never change: their flows are made once.
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
