import { AWS_NETWORK_ACLS, at, describeReference } from "../../requirements/documents";
import type { PortRange } from "../../requirements/requirement";
import { Direction, Protocol } from "../../requirements/vocabulary";
import type { RequiredFlow } from "../../flows/model";
import type { AclRule } from "./aclRule";

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
