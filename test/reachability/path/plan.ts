import { ingressPolicies } from "../../../src/isolation/ingress";
import { policyResource } from "../../../src/isolation/networkPolicy";
import { Direction, Protocol, Role } from "../../../src/requirements/vocabulary";
import type { PropertyValue, Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import { namesOfCluster, type NormalizedTopology } from "../../../src/topology/normalizedTopology";
import { flowKey } from "../../../src/flows/model";
import { nodeFlows } from "../../../src/flows/required/nodes";
import { requiredFlows } from "../../../src/flows/required/requiredFlows";

const PROTOCOL: Readonly<Record<Protocol, string>> = {
  [Protocol.Tcp]: "tcp",
  [Protocol.Udp]: "udp",
  [Protocol.Icmp]: "icmp",
  [Protocol.Sctp]: "132",
  [Protocol.Esp]: "50",
  [Protocol.Any]: "-1",
};

/** The documented plan with a network policy for each flow that reaches pods, so that none depends on HyperShift's own policies. */
export const isolatedPlan = (topology: NormalizedTopology): Resource[] => [
  ...documentedPlan(topology),
  ...ingressPolicies(topology, {}).map((policy) => policyResource(policy, topology.controlPlaneNamespace)),
];

/** A security group for each role, and a rule resource for each required flow and each block of its peers. */
export function documentedPlan(topology: NormalizedTopology): Resource[] {
  const flows = [
    ...requiredFlows(topology).filter(({ optIn }) => !optIn),
    ...nodeFlows(topology, Role.ControlPlane).filter(({ optIn }) => !optIn),
    ...nodeFlows(topology, Role.Workers).filter(({ optIn }) => !optIn),
  ];
  const rules = flows.flatMap((flow) =>
    flow.peers.flatMap(({ prefixes = [] }) =>
      prefixes.map((prefix, position) =>
        rule(flow.role, flow.direction, `${flowKey(flow)}/${prefix.text}/${position}`, {
          ipProtocol:
            flow.protocol === Protocol.Icmp && prefix.family === 6 ? "icmpv6" : PROTOCOL[flow.protocol],
          ...(flow.ports && { fromPort: flow.ports.from, toPort: flow.ports.to }),
          [prefix.family === 4 ? "cidrIpv4" : "cidrIpv6"]: prefix.text,
        }),
      ),
    ),
  );
  return [...Object.values(Role).map((role) => group(topology, role)), ...rules];
}

const urnOf = (name: string) => `urn:pulumi:test::network::${name}`;

function group(topology: NormalizedTopology, role: Role): Resource {
  return {
    origin: { urn: urnOf(role) },
    type: TYPE.securityGroup,
    name: role,
    properties: {
      id: `sg-${role}`,
      tags: {
        "hypershift-network/role": role,
        "hypershift-network/cluster": namesOfCluster(topology).at(-1)!,
      },
    },
  };
}

export function rule(
  role: Role,
  direction: Direction,
  name: string,
  properties: Record<string, PropertyValue>,
): Resource {
  return {
    origin: { urn: urnOf(name) },
    type: direction === Direction.Ingress ? TYPE.ingressRule : TYPE.egressRule,
    name,
    properties: { securityGroupId: `sg-${role}`, ...properties },
  };
}

/** An administrators' policy that denies every address in one direction, with `peers` as the name of its peer list. */
export const deniedByAdmin = (direction: string, peers: string): Resource => ({
  origin: { urn: "urn:admin" },
  type: "kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy",
  name: "admin",
  // A program only reads it: its ingress names addresses, which the API server refuses in a new policy.
  isRead: true,
  properties: {
    spec: {
      priority: 1,
      subject: { namespaces: {} },
      [direction]: [{ action: "Deny", [peers]: [{ networks: ["0.0.0.0/0", "::/0"] }] }],
    },
  },
});

/** An egress firewall of a namespace that denies every address. */
export const denyingFirewall = (namespace: string): Resource => ({
  origin: { urn: "urn:firewall" },
  type: "kubernetes:k8s.ovn.org/v1:EgressFirewall",
  name: "default",
  properties: {
    metadata: { name: "default", namespace },
    spec: { egress: [{ type: "Deny", to: { cidrSelector: "0.0.0.0/0" } }] },
  },
});
