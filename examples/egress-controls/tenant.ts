import * as kubernetes from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import {
  EgressFirewall,
  EgressFirewallProtocol,
  EgressFirewallRuleType,
  EgressIP,
  type HostedClusterTopology,
  MulticastNamespace,
} from "hypershift-network";

const { Allow, Deny } = EgressFirewallRuleType;
const { TCP, UDP } = EgressFirewallProtocol;

/** What the tenant's objects need. */
export interface Tenant {
  /** The hosted cluster's provider. */
  kubeconfig: pulumi.Input<string>;
  /** The partner that the tenant's pods may call, as a CIDR block. */
  partner: string;
  /** Must be labelled before the addresses exist: otherwise the first node gets all of them. */
  nodes: pulumi.Resource;
}

/** The tenant's objects in the hosted cluster. */
export function tenantEgress(topology: HostedClusterTopology, { kubeconfig, partner, nodes }: Tenant) {
  const provider = new kubernetes.Provider("hosted", { kubeconfig });
  const namespace = new kubernetes.core.v1.Namespace(
    "shop",
    { metadata: { name: "shop", labels: { tenant: "shop" } } },
    { provider },
  );

  new EgressFirewall(
    "shop",
    {
      topology,
      namespace: namespace.metadata.name,
      allowApiServer: true,
      rules: [
        {
          type: Allow,
          cidr: "198.51.100.53/32",
          ports: [
            { port: 53, protocol: UDP },
            { port: 53, protocol: TCP },
          ],
        },
        { type: Allow, cidr: partner, ports: [{ port: 443, protocol: TCP }] },
        { type: Allow, dnsName: "registry.example.com", ports: [{ port: 443, protocol: TCP }] },
        { type: Deny, cidr: "0.0.0.0/0" },
      ],
    },
    { provider },
  );

  // The partner knows these two addresses. Two nodes have one each, so that one node can fail.
  const egressIp = new EgressIP(
    "shop",
    {
      topology,
      addresses: ["198.51.100.200", "198.51.100.201"],
      assignableNodeCount: 2,
      namespaceSelector: { matchLabels: { tenant: "shop" } },
    },
    { provider, dependsOn: nodes },
  );

  const multicast = new MulticastNamespace("shop", { namespace: namespace.metadata.name }, { provider });
  return {
    sourceAddresses: egressIp.addresses,
    multicastCommands: multicast.verification.commands,
  };
}
