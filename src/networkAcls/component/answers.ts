import { AWS_NETWORK_ACLS, at, describeReference } from "../../requirements/documents";
import type { PortRange } from "../../requirements/requirement";
import { Direction, Protocol, Role } from "../../requirements/vocabulary";
import type { RequiredFlow } from "../../flows/model";
import { familiesOf, type AclRule } from "./aclRule";
import { familyOf } from "../../components/hostRules/plannedRule";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { nodeFlows } from "../../flows/required/nodes";
import { proxyFlows, unknownProxyFlows } from "../../flows/required/fromRow";
import { requiredFlows } from "../../flows/required/requiredFlows";
import { isOfDefaultWorkerGroup } from "../../flows/required/workers";
import { readPrefix, type Family, FAMILIES } from "../../address";
import { PATH_MTU } from "../../reachability/path/excess";
import type { Declared } from "../../components/hostRules/ruleWarnings";
import { CLIENT_EPHEMERAL, HOST_EPHEMERAL } from "../../requirements/ports";
import { orderFaults, portRange } from "../../components/hostRules/givenValues";
import { needed, object, plain } from "../../objects/shape";

/** The ports to which answers are sent. */
export interface EphemeralPorts {
  /** Source ports of calls from the hosts in the ACL's subnets. */
  hosts: PortRange;
  /** Source ports of calls to these hosts. */
  clients: PortRange;
}

const EPHEMERAL = describeReference(at(AWS_NETWORK_ACLS, "Ephemeral ports"));
const WITH_PORTS: readonly Protocol[] = [Protocol.Tcp, Protocol.Udp];

/** The rule that allows the answers to the packets of a rule: an ACL does not track connections. */
export function answerTo(rule: AclRule, ephemeral: EphemeralPorts): AclRule {
  const { ports: _asked, direction, protocol, purposes, documents, ...same } = rule;
  const inbound = direction === Direction.Ingress;
  return {
    ...same,
    protocol,
    direction: inbound ? Direction.Egress : Direction.Ingress,
    ...(WITH_PORTS.includes(protocol) && { ports: inbound ? ephemeral.clients : ephemeral.hosts }),
    purposes: purposes.map((purpose) => `Answers: ${purpose}`),
    documents: [...documents, EPHEMERAL],
  };
}

/** The answers to a flow, as a flow in the opposite direction. */
export function answerFlow(flow: RequiredFlow, ephemeral: EphemeralPorts): RequiredFlow {
  const { ports: _asked, direction, protocol, key, ...same } = flow;
  const inbound = direction === Direction.Ingress;
  return {
    ...same,
    key: `${key}-answers`,
    protocol,
    direction: inbound ? Direction.Egress : Direction.Ingress,
    ...(WITH_PORTS.includes(protocol) && { ports: inbound ? ephemeral.clients : ephemeral.hosts }),
  };
}

/** The roles whose hosts can have dedicated subnets. */
export type SubnetRole = typeof Role.ControlPlane | typeof Role.Workers;
export const SUBNET_ROLES: readonly SubnetRole[] = [Role.ControlPlane, Role.Workers];

/**
 * The role of the ACL that a flow passes. The VPC endpoint of a private cluster is in the workers' subnets, so their ACL
 * sees what reaches the endpoint from other subnets.
 */
export function aclOf({ role }: RequiredFlow): SubnetRole {
  return role === Role.ControlPlane ? role : Role.Workers;
}

/**
 * All flows that cross the borders of the subnets of these roles: what the hosted cluster needs, what the nodes need among
 * themselves (for security groups, other groups allow that), and what workers send to their proxies. An ACL is the same whoever owns
 * the workers' security group, so what only that group allows is left out.
 */
export function aclFlows(topology: NormalizedTopology, roles: readonly SubnetRole[]): RequiredFlow[] {
  const required = requiredFlows(topology).filter(
    (flow) =>
      roles.includes(aclOf(flow)) &&
      !(flow.role === Role.Workers && flow.optIn) &&
      !isOfDefaultWorkerGroup(flow),
  );
  const proxies = roles.includes(Role.Workers)
    ? [...proxyFlows(topology), ...unknownProxyFlows(topology)]
    : [];
  return [...required, ...roles.flatMap((role) => nodeFlows(topology, role)), ...proxies];
}

const EVERYWHERE = { 4: readPrefix("0.0.0.0/0")!, 6: readPrefix("::/0")! } as const;

/** The address families for which some rule has a block. */
function usedBy(rules: readonly AclRule[]): Family[] {
  const blocks = rules.filter(({ peer }) => familyOf(peer) !== undefined);
  return FAMILIES.filter((family) => blocks.some((rule) => familiesOf(rule).includes(family)));
}

/**
 * Rules for path MTU discovery, in both directions, for the address families of these rules: without the message that a packet
 * was too big, large packets of connections are lost. Any router on the path sends it, so its source may be anywhere.
 */
export function pathMtuRules(role: Role, rules: readonly AclRule[]): AclRule[] {
  return usedBy(rules).flatMap((family) =>
    Object.values(Direction).map((direction) => ({
      role,
      direction,
      protocol: Protocol.Icmp,
      tooBig: true as const,
      peer: { kind: "prefix" as const, prefix: EVERYWHERE[family] },
      flows: [`${role}/${direction}/path-mtu`],
      requirements: [],
      views: [],
      purposes: ["Routers say that a packet was too big: path MTU discovery"],
      documents: [describeReference(at(AWS_NETWORK_ACLS, "Path MTU Discovery"))],
      notes: [],
    })),
  );
}

/** The same messages as packets. */
export const pathMtuPackets = (role: Role): Declared[] =>
  Object.values(Direction).map((direction) => ({ role, direction, packets: () => PATH_MTU }));

/** A range of ports as users write it. Mirrors the component's `NetworkAclPortRange`. */
export interface GivenRange {
  fromPort: number;
  toPort: number;
}

/** The port ranges that the user set, or the defaults. */
export function ephemeralPorts(hosts?: GivenRange | null, clients?: GivenRange | null): EphemeralPorts {
  return { hosts: rangeOf(hosts) ?? HOST_EPHEMERAL, clients: rangeOf(clients) ?? CLIENT_EPHEMERAL };
}

const rangeOf = (given: GivenRange | null | undefined): PortRange | undefined =>
  given ? { from: given.fromPort, to: given.toPort } : undefined;

/** The shape of a range of ports. */
export const givenRange = plain(
  object(
    { fromPort: needed(portRange.fromPort), toPort: needed(portRange.toPort) },
    { remedy: "write { fromPort: ..., toPort: ... }", relations: [orderFaults] },
  ),
  "write { fromPort: ..., toPort: ... }, as plain values",
);
