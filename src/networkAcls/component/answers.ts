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
import { readPrefix, type Family, FAMILIES } from "../../address";
import { PATH_MTU } from "../../reachability/path/excess";
import type { Declared } from "../../components/hostRules/ruleWarnings";
import { CLIENT_EPHEMERAL, HOST_EPHEMERAL } from "../../requirements/ports";
import { orderFaults, portRange } from "../../components/hostRules/givenValues";
import { needed, object, plain } from "../../objects/shape";

/** The ports to which answers go. */
export interface EphemeralPorts {
  /** Of the hosts in the subnets of the ACL, when they call. */
  hosts: PortRange;
  /** Of whoever calls them. */
  clients: PortRange;
}

const EPHEMERAL = describeReference(at(AWS_NETWORK_ACLS, "Ephemeral ports"));
const WITH_PORTS: readonly Protocol[] = [Protocol.Tcp, Protocol.Udp];

/** The rule that lets the answers pass that packets of this rule get: an ACL knows of no connections. */
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

/** The answers to a flow, as a flow of the other direction. */
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

/** The roles whose hosts can have subnets of their own. */
export type SubnetRole = typeof Role.ControlPlane | typeof Role.Workers;
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
  const proxies = roles.includes(Role.Workers)
    ? [...proxyFlows(topology), ...unknownProxyFlows(topology)]
    : [];
  return [...required, ...roles.flatMap((role) => nodeFlows(topology, role)), ...proxies];
}

const EVERYWHERE = { 4: readPrefix("0.0.0.0/0")!, 6: readPrefix("::/0")! } as const;

/** Families, each of which some rule names with a block. */
function usedBy(rules: readonly AclRule[]): Family[] {
  const blocks = rules.filter(({ peer }) => familyOf(peer) !== undefined);
  return FAMILIES.filter((family) => blocks.some((rule) => familiesOf(rule).includes(family)));
}

/**
 * Path MTU discovery, both ways, for the families of these rules: without the message that a packet was too big, large
 * packets of connections vanish. Any router on the way sends it, so its source may be anywhere.
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

/** The ranges that users wrote, and the usual ones in place of those that they did not. */
export function ephemeralPorts(hosts?: GivenRange | null, clients?: GivenRange | null): EphemeralPorts {
  return { hosts: rangeOf(hosts) ?? HOST_EPHEMERAL, clients: rangeOf(clients) ?? CLIENT_EPHEMERAL };
}

const rangeOf = (given: GivenRange | null | undefined): PortRange | undefined =>
  given ? { from: given.fromPort, to: given.toPort } : undefined;

/** A range of ports. */
export const givenRange = plain(
  object(
    { fromPort: needed(portRange.fromPort), toPort: needed(portRange.toPort) },
    { remedy: "write { fromPort: ..., toPort: ... }", relations: [orderFaults] },
  ),
  "write { fromPort: ..., toPort: ... }, as plain values",
);
