import { awsWorkerGroup } from "../../requirements/rows/awsWorkerGroup";
import { requirementOf } from "../../requirements/requirements";
import { Zone } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../normalizedTopology";
import { Role } from "../requiredFlow";
import type { RequiredFlow } from "../requiredFlow";
import { flowOf, holds } from "./flow";
import { peerFrom, workers } from "./peers";

/**
 * What reaches compute nodes. All of it is opt-in: HyperShift makes a worker group with these rules by itself, and
 * nothing comes from the control plane, which answers through konnectivity's tunnel.
 */
export function workerIngress(topology: NormalizedTopology): RequiredFlow[] {
  const group = awsWorkerGroup
    .filter((row) => holds(row, topology))
    .map((row) =>
      flowOf(row, Role.Workers, {
        key: row.id.replace(/^up-aws-/, ""),
        peers: row.sources.map((zone) =>
          zone === Zone.SameSecurityGroup ? { zone, input: "" } : peerFrom(topology, zone, "machineNetwork"),
        ),
        optIn: true,
      }),
    );
  const egressIp = requirementOf("up-egressip-health");
  return [
    ...group,
    flowOf(egressIp, Role.Workers, { key: "egressip-health", peers: [workers(topology)], optIn: true }),
  ];
}
