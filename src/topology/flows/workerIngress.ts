import { requirementOf } from "../../requirements/requirements";
import type { NormalizedTopology } from "../normalizedTopology";
import { Role } from "../requiredFlow";
import type { RequiredFlow } from "../requiredFlow";
import { flowOf } from "./flow";
import { workers } from "./peers";

/**
 * What reaches compute nodes, beside what their default group lets in. All of it is opt-in: nothing comes from the control
 * plane, which answers through konnectivity's tunnel.
 */
export function workerIngress(topology: NormalizedTopology): RequiredFlow[] {
  const egressIp = requirementOf("up-egressip-health");
  return [
    flowOf(egressIp, Role.Workers, { key: "egressip-health", peers: [workers(topology)], optIn: true }),
  ];
}
