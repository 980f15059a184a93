import { containsAddress, readPrefix } from "../../src/address";
import { parseAddress } from "../../src/address/parse";
import {
  defaultApiServerCidrs,
  apiServerRules,
  egressFirewallEntry,
  type PlainEgressFirewallRule,
} from "../../src/egressFirewall/egressFirewall";
import { isolationPolicies, proofFaults } from "../../src/isolation/judge";
import {
  policyResource,
  type IsolationPolicy,
  type PolicyPort,
  type PolicyRule,
} from "../../src/isolation/networkPolicy";
import type { HostHop, Hop, PodHop } from "../../src/flows/model";
import type { Packet } from "../../src/reachability/packets/example";
import { EGRESS_FIREWALL_NAME } from "../../src/requirements/names";
import { POD_LABEL } from "../../src/requirements/networkPolicies";
import { Direction, Protocol, Role } from "../../src/requirements/vocabulary";
import {
  EgressFirewallProtocol,
  EgressFirewallRuleType,
  viewsOfRules,
} from "../../src/objects/egressFirewallRules";
import type { PropertyValue, Resource } from "../../src/resources/resource";
import { resource } from "../../src/testing";
import { everyAddress } from "../../src/flows/peers";
import type { NormalizedTopology } from "../../src/topology/normalizedTopology";
import { nodeApiServerPort } from "../../src/topology/publishing";
import { requiredFlows } from "../../src/flows/required/requiredFlows";
import type { Case } from "./case";

/** An egress firewall: the rules that it allows, in order, before it denies the rest. */
export interface Firewall {
  namespace: string;
  allowed: readonly PlainEgressFirewallRule[];
}

/** The objects of the management cluster and the hosted cluster that filter packets. */
export interface Objects {
  policies: readonly IsolationPolicy[];
  firewalls: readonly Firewall[];
}

/** The objects that components create for a case, or the faults. */
export function objectsOf(
  { isolation, firewalls = [] }: Case,
  topology: NormalizedTopology,
): Objects & { faults: readonly string[] } {
  // If destinations of the control plane are not stated, the component refuses to deny egress.
  const refused = isolation?.denyEgress ? proofFaults(topology, isolation, {}) : [];
  const options = refused.length > 0 ? {} : isolation;
  return {
    policies: options ? isolationPolicies(topology, options) : [],
    firewalls: firewalls.map((place) =>
      place === CONTROL_PLANE
        ? { namespace: topology.controlPlaneNamespace, allowed: callsOfControlPlane(topology) }
        : { namespace: place, allowed: callsOfPods(topology) },
    ),
    faults: proofFaults(topology, options ?? {}, {}).map(({ path, problem }) => `${path} ${problem}`),
  };
}

/** Stands for the control-plane namespace in a case. */
export const CONTROL_PLANE = "control-plane";

/** The calls of pods in a hosted cluster: to its API server. */
const callsOfPods = (topology: NormalizedTopology): PlainEgressFirewallRule[] =>
  apiServerRules(
    defaultApiServerCidrs(viewsOfRules(REST as unknown as PropertyValue), topology),
    nodeApiServerPort(topology),
  );

/** The calls of control-plane pods: those of its hosts. A destination that is not stated may have any address. */
const callsOfControlPlane = (topology: NormalizedTopology): PlainEgressFirewallRule[] =>
  requiredFlows(topology)
    .filter(
      ({ role, direction, optIn }) => role === Role.ControlPlane && direction === Direction.Egress && !optIn,
    )
    .flatMap(({ peers, ports, protocol }) =>
      peers.flatMap(({ prefixes = everyAddress(topology) }) =>
        prefixes.map(({ text }) => ({
          type: EgressFirewallRuleType.Allow,
          cidr: text,
          ...(ports && { ports: [{ port: ports.from, protocol: FIREWALL_PROTOCOL[protocol]! }] }),
        })),
      ),
    );

const FIREWALL_PROTOCOL: { readonly [protocol in Protocol]?: EgressFirewallProtocol } = {
  [Protocol.Tcp]: EgressFirewallProtocol.TCP,
  [Protocol.Udp]: EgressFirewallProtocol.UDP,
};

const REST: readonly PlainEgressFirewallRule[] = ["0.0.0.0/0", "::/0"].map((cidr) => ({
  type: EgressFirewallRuleType.Deny,
  cidr,
}));

/** The objects as resources of a plan. */
export const writtenObjects = (
  { policies, firewalls }: Objects,
  { controlPlaneNamespace }: NormalizedTopology,
): Resource[] => [
  ...policies.map((policy) => {
    const { type, name, properties } = policyResource(policy, controlPlaneNamespace);
    return resource(type, name, properties);
  }),
  ...firewalls.map(({ namespace, allowed }) =>
    resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", `of ${namespace}`, {
      metadata: { name: EGRESS_FIREWALL_NAME, namespace },
      spec: { egress: [...allowed, ...REST].map(egressFirewallEntry) as unknown as PropertyValue },
    }),
  ),
];

/** A hop from whose objects rules are removed. */
export type ObjectHop = Exclude<Hop, HostHop>;

/** Whether objects filter at this hop, and a single packet shows whether it is open. */
export const isJudgedByObjects = (hop: Hop): hop is ObjectHop =>
  hop.kind === "namespace" || (hop.kind === "pods" && hop.from === "addresses");

/** The objects without all rules that allow a packet at a hop, computed without the readers of plans. */
export function without(objects: Objects, hop: ObjectHop, packet: Packet): Objects {
  if (hop.kind === "pods")
    return {
      ...objects,
      policies: objects.policies.filter((policy) => !(selects(policy, hop) && letsIn(policy, packet))),
    };
  return {
    ...objects,
    firewalls: objects.firewalls.map((firewall) =>
      hop.kind === "namespace" && firewall.namespace === hop.namespace
        ? { ...firewall, allowed: firewall.allowed.filter((rule) => !allows(rule, packet)) }
        : firewall,
    ),
  };
}

function selects({ pods: { matchLabels = {}, matchExpressions = [] } }: IsolationPolicy, { app }: PodHop) {
  const byLabels = Object.entries(matchLabels).every(
    ([key, value]) => key === POD_LABEL.app && value === app,
  );
  return (
    byLabels && matchExpressions.every(({ key, values }) => key === POD_LABEL.app && values?.includes(app))
  );
}

/** Only rules without peers admit addresses. */
const letsIn = ({ [Direction.Ingress]: rules = [] }: IsolationPolicy, packet: Packet): boolean =>
  rules.some(({ peers, ports }: PolicyRule) => !peers && (!ports || ports.some((one) => isAt(one, packet))));

const isAt = ({ protocol, port = 0, endPort = port }: PolicyPort, packet: Packet): boolean =>
  NUMBERS[protocol] === packet.protocol && (port === 0 || (port <= packet.port && packet.port <= endPort));

const NUMBERS: { readonly [protocol in string]?: number } = {
  [Protocol.Tcp]: 6,
  [Protocol.Udp]: 17,
  [Protocol.Sctp]: 132,
};

function allows({ cidr, ports }: PlainEgressFirewallRule, { destination, protocol, port }: Packet): boolean {
  const { address } = parseAddress(destination);
  return (
    containsAddress(readPrefix(cidr!)!, address!) &&
    (!ports || ports.some((one) => one.port === port && NUMBERS[one.protocol] === protocol))
  );
}
