import { awsWorkerGroup } from "../../requirements/rows/awsWorkerGroup";
import { Zone } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../normalizedTopology";
import { Role } from "../requiredFlow";
import type { FlowPeer, RequiredFlow } from "../requiredFlow";
import { flowOf, holds } from "./flow";
import { everyAddress, peerFrom } from "./peers";

/**
 * What the security group lets through that HyperShift makes for worker nodes. All of it is opt-in: nodes carry that group
 * beside others, unless somebody takes care of theirs.
 */
export function defaultWorkerGroup(topology: NormalizedTopology): RequiredFlow[] {
  return awsWorkerGroup
    .filter((row) => holds(row, topology))
    .map((row) =>
      flowOf(row, Role.Workers, {
        key: row.id.replace(/^up-aws-/, ""),
        peers: [...row.sources, ...row.destinations].map((zone) => peerOf(topology, zone)),
        optIn: true,
      }),
    );
}

function peerOf(topology: NormalizedTopology, zone: Zone): FlowPeer {
  switch (zone) {
    case Zone.SameSecurityGroup:
      return { zone, input: "" };
    case Zone.Any:
      return { zone, input: "", prefixes: everyAddress(topology) };
    default:
      return peerFrom(topology, zone, "machineNetwork");
  }
}

const ids: ReadonlySet<string> = new Set(awsWorkerGroup.map(({ id }) => id));

/** The flows, those of HyperShift's group for worker nodes asked for all together. */
export function withDefaultWorkerGroup(flows: readonly RequiredFlow[]): RequiredFlow[] {
  return flows.map((flow) =>
    flow.role === Role.Workers && ids.has(flow.requirement) ? { ...flow, optIn: false } : flow,
  );
}
