import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import {
  EgressFirewall,
  EgressFirewallProtocol,
  EgressFirewallRuleType,
  HostedControlPlaneSecurityGroups,
  OvnSubnetConfig,
  ProxyConfig,
} from "hypershift-network";

import { hostedCluster } from "./hostedCluster";
import type { Networks } from "./networks";
import { topology } from "./topology";

const config = new pulumi.Config();

/** The network that the topology requires, each part from its component. */
export function createHostedNetwork(networks: Networks, namespace: kubernetes.core.v1.Namespace) {
  const groups = new HostedControlPlaneSecurityGroups(topology.name, {
    topology,
    vpcId: networks.managementVpc.id,
    workerVpcId: networks.workerVpc.id,
  });

  const subnets = new OvnSubnetConfig(topology.name, { topology });
  const proxy = new ProxyConfig(topology.name, {
    topology,
    region: "us-east-1",
    httpProxy: "http://proxy.example.com:3128",
    httpsProxy: "http://proxy.example.com:3128",
    noProxy: [config.get("noProxy") ?? ".example.com"],
  });
  const cluster = hostedCluster(namespace, {
    operatorConfiguration: subnets.fragment.operatorConfiguration,
    configuration: proxy.fragment.configuration,
  });

  const firewall = createTenantFirewall();
  return {
    groups: {
      controlPlane: groups.controlPlaneSecurityGroupId,
      workers: groups.workerSecurityGroupId,
    },
    rules: groups.rules,
    objects: [
      {
        kind: "HostedCluster",
        name: pulumi.interpolate`${cluster.metadata.namespace}/${cluster.metadata.name}`,
        details: [
          pulumi.interpolate`OVN subnets   ${pulumi.jsonStringify(subnets.fragment.operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig.ipv4)}`,
          pulumi.interpolate`noProxy       ${proxy.noProxy}`,
        ],
      },
      {
        kind: "EgressFirewall",
        name: pulumi.interpolate`${firewall.namespace}/default`,
        details: ["the API server, DNS and the registry, nothing else outside the cluster"],
      },
    ],
  };
}

/** The firewall is in the hosted cluster: a second cluster, here another context of the same kubeconfig. */
function createTenantFirewall(): EgressFirewall {
  const context = config.get("hostedContext");
  const hosted = new kubernetes.Provider("hosted-cluster", { context });
  const tenant = new kubernetes.core.v1.Namespace(
    "tenant",
    { metadata: { name: "shop" } },
    { provider: hosted },
  );
  return new EgressFirewall(
    "shop",
    {
      namespace: tenant.metadata.name,
      allowApiServer: true,
      rules: [
        ...(topology.dnsServerCidrs ?? []).map((cidr) => ({
          type: EgressFirewallRuleType.Allow,
          cidr,
          ports: [
            { port: 53, protocol: EgressFirewallProtocol.TCP },
            { port: 53, protocol: EgressFirewallProtocol.UDP },
          ],
        })),
        {
          type: EgressFirewallRuleType.Allow,
          dnsName: "registry.example.com",
          ports: [{ port: 443, protocol: EgressFirewallProtocol.TCP }],
        },
        { type: EgressFirewallRuleType.Deny, cidr: "0.0.0.0/0" },
      ],
    },
    { provider: hosted },
  );
}
