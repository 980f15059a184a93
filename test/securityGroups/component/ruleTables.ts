import {
  ruleRow,
  type SecurityGroupOptions,
  securityGroupRules,
} from "../../../src/securityGroups/component/securityGroupRules";
import { Direction, Role } from "../../../src/requirements/vocabulary";
import type { HostedClusterTopology } from "../../../src/topology/hostedClusterTopology";
import { goldenCases } from "./goldenCases";

/** The workers of the golden cases. */
export const WORKERS = "10.0.0.0/16";
/** The external clients of the golden cases. */
export const CLIENTS = "203.0.113.0/24";

/** The topology of a golden case, with changes. */
export function topologyOf(name: string, more: Partial<HostedClusterTopology> = {}): HostedClusterTopology {
  const found = goldenCases.find((each) => each.name === name);
  if (!found) throw new Error(`no case ${name}`);
  return { ...found.topology, ...more };
}

/** The rules of one group and direction, each as `TCP 6443 10.0.0.0/16`. */
export function table(
  role: Role,
  direction: Direction,
  topology: HostedClusterTopology,
  options?: SecurityGroupOptions,
): string[] {
  return securityGroupRules(topology, options)
    .rules.map(ruleRow)
    .filter((row) => row.role === role && row.direction === direction)
    .map(({ protocol, ports, peer }) => `${protocol} ${ports} ${peer}`)
    .sort();
}
export const ingress = (topology: HostedClusterTopology, options?: SecurityGroupOptions): string[] =>
  table(Role.ControlPlane, Direction.Ingress, topology, options);
export const egress = (topology: HostedClusterTopology, options?: SecurityGroupOptions): string[] =>
  table(Role.ControlPlane, Direction.Egress, topology, options);
export const workerEgress = (topology: HostedClusterTopology, options?: SecurityGroupOptions): string[] =>
  table(Role.Workers, Direction.Egress, topology, options);
export const faultsOf = (topology: HostedClusterTopology, options?: SecurityGroupOptions): string[] =>
  securityGroupRules(topology, options).faults.map(({ path, problem }) => `${path} ${problem}`);
