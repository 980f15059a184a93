import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { Role } from "../../requirements/vocabulary";
import type { RequiredFlow } from "../../flows/model";
import { nodeFlows } from "../../flows/required/nodes";
import { proxyFlows } from "../../flows/required/proxies";
import { requiredFlows } from "../../flows/required/requiredFlows";

/** The roles whose hosts can have subnets of their own. */
export type SubnetRole = Role.ControlPlane | Role.Workers;
export const SUBNET_ROLES: readonly SubnetRole[] = [Role.ControlPlane, Role.Workers];

/**
 * The ACL that a flow passes. The VPC endpoint of a private cluster stands in the workers' subnets, so that their ACL
 * sees what comes to it from other subnets.
 */
export function aclOf({ role }: RequiredFlow): SubnetRole {
  return role === Role.ControlPlane ? role : Role.Workers;
}

/**
 * All that crosses the borders of the subnets of these roles: what the hosted cluster needs, what the nodes need among
 * themselves, which security groups leave to other groups, and what workers send to their proxies.
 */
export function aclFlows(topology: NormalizedTopology, roles: readonly SubnetRole[]): RequiredFlow[] {
  const required = requiredFlows(topology).filter(
    (flow) => roles.includes(aclOf(flow)) && !(flow.role === Role.Workers && flow.optIn),
  );
  const proxies = roles.includes(Role.Workers) ? proxyFlows(topology) : [];
  return [...required, ...roles.flatMap((role) => nodeFlows(topology, role)), ...proxies];
}
