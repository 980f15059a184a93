import type { PortRange } from "../requirements/requirement";
import { Direction, Protocol } from "../requirements/vocabulary";
import { labelSelectorObject, type PlainLabelSelector } from "../objects/labelSelector";
import { hyperShiftPolicies } from "../requirements/networkPolicies";
import type { PropertyValue, Resource } from "../resources/resource";

export const NETWORK_POLICY_API_VERSION = "networking.k8s.io/v1";
export const NETWORK_POLICY_KIND = "NetworkPolicy";

/** The other end of the traffic that a rule allows: pods of this or other namespaces, or a CIDR block. */
export interface PolicyPeer {
  podSelector?: PlainLabelSelector;
  namespaceSelector?: PlainLabelSelector;
  ipBlock?: { cidr: string; except?: readonly string[] };
}

/** A port that a rule allows; without `port`, every port of the protocol. */
export interface PolicyPort {
  protocol: typeof Protocol.Tcp | typeof Protocol.Udp | typeof Protocol.Sctp;
  port?: number;
  endPort?: number;
}

/** Traffic that a policy allows in one direction. */
export interface PolicyRule {
  /** Default: everybody. */
  peers?: readonly PolicyPeer[];
  /** Default: every port. */
  ports?: readonly PolicyPort[];
}

/** The part of a network policy that decides about packets. An absent direction is not isolated; an empty list denies all. */
export interface PacketPolicy {
  /** Empty: every pod. */
  pods: PlainLabelSelector;
  [Direction.Ingress]?: readonly PolicyRule[];
  [Direction.Egress]?: readonly PolicyRule[];
}

/** A network policy with its purpose and sources. */
export interface IsolationPolicy extends PacketPolicy {
  /** Name of the object. */
  name: string;
  /** Who may talk to whom, and why. */
  purpose: string;
  /** Ids of the requirements that it fulfils. */
  requirements: readonly string[];
  /** Document and heading of each source. */
  documents: readonly string[];
  /** Further notes for the reader. */
  notes: readonly string[];
}

/** Returns a port range of a protocol, by default TCP. */
export const policyPort = ({ from, to }: PortRange, protocol: Protocol = Protocol.Tcp): PolicyPort => ({
  protocol: protocol as PolicyPort["protocol"],
  port: from,
  ...(to !== from && { endPort: to }),
});

/** Returns the spec of the NetworkPolicy object. */
export function networkPolicySpec({ pods, ingress, egress }: PacketPolicy) {
  return {
    podSelector: labelSelectorObject(pods),
    policyTypes: [...(ingress ? ["Ingress"] : []), ...(egress ? ["Egress"] : [])],
    ...(ingress && { ingress: ingress.map(({ peers, ports }) => writtenRule("from", peers, ports)) }),
    ...(egress && { egress: egress.map(({ peers, ports }) => writtenRule("to", peers, ports)) }),
  };
}

function writtenRule(end: "from" | "to", peers: PolicyRule["peers"], ports: PolicyRule["ports"]) {
  return {
    ...(peers && { [end]: peers.map(writtenPeer) }),
    ...(ports && { ports: ports.map((port) => ({ ...port })) }),
  };
}

function writtenPeer({ podSelector, namespaceSelector, ipBlock }: PolicyPeer) {
  return {
    ...(podSelector && { podSelector: labelSelectorObject(podSelector) }),
    ...(namespaceSelector && { namespaceSelector: labelSelectorObject(namespaceSelector) }),
    ...(ipBlock && {
      ipBlock: { cidr: ipBlock.cidr, ...(ipBlock.except && { except: [...ipBlock.except] }) },
    }),
  };
}

/** The prefix of this package's policy names, which keeps them apart from the policies that HyperShift keeps rewriting. */
const PREFIX = "isolation-";

export const policyName = (key: string): string => `${PREFIX}${key}`;

/** Returns the other owner of policies with that name, as the subject of a sentence. */
export function ownerOfName(name: string): string | undefined {
  if (hyperShiftPolicies.some((policy) => policy.name === name)) return "HyperShift";
  return name.startsWith(PREFIX) ? "this component" : undefined;
}

/** Returns a policy that is not created yet as the object that it becomes, in the form that reachability reads. */
export const policyResource = (policy: PacketPolicy & { name?: string }, namespace: string): Resource => ({
  origin: {},
  type: `kubernetes:${NETWORK_POLICY_API_VERSION}:${NETWORK_POLICY_KIND}`,
  name: policy.name ?? "",
  properties: {
    metadata: { name: policy.name ?? "", namespace },
    spec: networkPolicySpec(policy) as unknown as PropertyValue,
  },
});

/** Returns a selector in the form that reachability reads. */
export const selectorValue = (selector: PlainLabelSelector): PropertyValue =>
  labelSelectorObject(selector) as unknown as PropertyValue;
