import { join } from "node:path";

import type * as pulumi from "@pulumi/pulumi";
import * as entry from "../../src";
import { certificate } from "../objects/certificate";

type Component = new (
  name: string,
  args: never,
  opts?: pulumi.ComponentResourceOptions,
) => pulumi.ComponentResource;
type Entry = typeof entry;

/** The component classes that the package exports. */
export type ComponentName = {
  [Name in keyof Entry]: Entry[Name] extends Component ? Name : never;
}[keyof Entry];
type ArgsOf<Name extends ComponentName> = ConstructorParameters<Entry[Name]>[1];

const topology = {
  name: "tenant-a",
  platform: entry.Platform.AWS,
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
};
const existingHostedCluster = { name: "tenant-a", namespace: "clusters" };

const restOfSpec = {
  release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
  pullSecret: { name: "pull-secret" },
  platform: { aws: { region: "us-east-1", rolesRef: {} } },
};

/**
 * The minimal args with which each component creates every kind of child that it can create. Tests of all components
 * use them: options.test.ts, unknownInputs.test.ts, test/schema and test/e2e/componentOptions. They fail for an
 * exported component without an entry here.
 */
export const minimalArgs: { readonly [Name in ComponentName]: () => ArgsOf<Name> } = {
  ControlPlaneIsolation: () => ({
    topology,
    additionalPolicies: {
      "allow-backup": {
        purpose: "Backups read etcd",
        pods: { matchLabels: { app: "etcd" } },
        ingress: [
          {
            peers: [{ cidr: "10.2.0.0/16", except: ["10.2.3.0/24"] }],
            ports: [{ protocol: entry.Protocol.Tcp, port: 2379, endPort: 2381 }],
          },
        ],
      },
    },
    podSecurityLevel: entry.PodSecurityLevel.Baseline,
    existingHostedCluster,
  }),
  DedicatedControlPlaneNodes: () => ({
    topology: { ...topology, platform: entry.Platform.KubeVirt },
    nodes: [{ name: "worker-0" }, { name: "worker-1" }, { name: "worker-2" }],
    manageTaints: true,
    kubeconfig: "{}",
    existingHostedCluster,
    workerVirtualMachines: {
      nodeSelector: { "example.com/tenant": "a" },
      nodePools: [{ name: "tenant-a", namespace: "clusters" }],
    },
  }),
  EgressFirewall: () => ({
    namespace: "shop",
    rules: [{ type: entry.EgressFirewallRuleType.Allow, cidr: "10.0.0.0/8" }],
  }),
  EgressAssignableNodes: () => ({ nodes: ["worker-0"] }),
  EgressIP: () => ({
    addresses: ["192.0.2.10"],
    namespaceSelector: { matchLabels: { env: "prod" } },
    podSelector: { matchExpressions: [{ key: "app", operator: entry.LabelSelectorOperator.Exists }] },
    nodes: ["worker-0"],
    nodeSubnets: ["192.0.2.0/24"],
  }),
  HostedClusterAddressPlan: () => ({
    ledger: join(__dirname, "..", "fleet", "ledger"),
    cluster: "tenant-a",
    ipamPools: { machineNetwork: "ipam-pool-0a1b2c3d4e5f60718" },
  }),
  EgressRouter: () => ({
    namespace: "shop",
    form: entry.EgressRouterForm.NetworkAttachment,
    release: "4.20",
    address: "192.168.12.99/24",
    gateway: "192.168.12.1",
    redirectRules: [{ port: 3306, protocol: entry.EgressRouterProtocol.TCP, destinationIp: "192.168.12.91" }],
  }),
  HostedClusterLandingZone: () => ({
    topology: {
      ...topology,
      internalJoinSubnet: "100.99.0.0/16",
      endpointAccess: entry.EndpointAccess.Private,
    },
    vpcId: "vpc-1",
    existingHostedCluster,
    networkAcls: { dedicatedSubnets: { hosts: { subnetId: "subnet-1" } } },
    privateEndpoint: { endpointIds: { privateRouter: "vpce-1" } },
    isolation: { podSecurityLevel: entry.PodSecurityLevel.Baseline },
    managementProxy: { secondaryNetworkCidrs: ["10.0.8.0/24"] },
    dedicatedNodes: { nodes: [{ name: "worker-0" }], manageTaints: false },
    proxy: { httpProxy: "http://proxy.example.com:3128", trustedCa: certificate },
  }),
  HostedControlPlaneSecurityGroups: () => ({ topology, vpcId: "vpc-1" }),
  NetworkTypeMigration: () => ({
    phase: entry.MigrationPhase.Begin,
    backupsTaken: true,
    kubeconfig: "{}",
  }),
  MulticastNamespace: () => ({ namespace: "shop" }),
  HybridOverlayNetwork: () => ({
    hybridClusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 24 }],
    platform: entry.InfrastructurePlatform.VSphere,
    release: "4.20",
  }),
  IpsecEncryption: () => ({ release: "4.20" }),
  ManagementClusterProxy: () => ({
    topology: { ...topology, platform: entry.Platform.KubeVirt },
    manage: true,
    kubeconfig: "{}",
  }),
  HostedClusterNetwork: () => ({
    // Every other input can be given in addition to these.
    topology: {
      ...topology,
      managementClusterNatCidrs: ["198.51.100.1/32"],
      workerNatCidrs: ["198.51.100.7/32"],
    },
    additionalSpecJson: JSON.stringify(restOfSpec),
  }),
  OvnSubnetConfig: () => ({ topology, internalJoinSubnet: "100.99.0.0/16", existingHostedCluster }),
  OvnSubnetVerification: () => ({ namespace: "verify", topology, triggers: ["100.99.0.0/16"] }),
  HostedControlPlaneNetworkAcls: () => ({
    topology: {
      ...topology,
      loadBalancerTargets: entry.LoadBalancerTargets.Instance,
      loadBalancerSubnetCidrs: ["10.1.0.0/24"],
      workerNatCidrs: ["192.0.2.7/32"],
      managementClusterCidrs: ["10.1.0.0/16"],
    },
    vpcId: "vpc-1",
    dedicatedSubnets: { hosts: { subnetId: "subnet-1" } },
    associatedSubnets: ["hosts"],
    additionalRules: {
      ntp: {
        role: entry.Role.ControlPlane,
        direction: entry.Direction.Egress,
        protocol: entry.Protocol.Udp,
        fromPort: 123,
        cidr: "192.0.2.0/24",
        description: "Time servers",
      },
    },
  }),
  PrivateEndpointSecurityGroup: () => ({
    topology: { ...topology, endpointAccess: entry.EndpointAccess.Private },
    vpcId: "vpc-1",
    endpointIds: { privateRouter: "vpce-1" },
    callers: { offices: { cidr: "10.200.0.0/16" } },
  }),
  ProxyConfig: () => ({
    topology,
    httpProxy: "http://proxy.example.com:3128",
    trustedCa: certificate,
    existingHostedCluster,
  }),
};

/** Inputs that replace others: args with one of them leave those others out. */
export const insteadOf: { readonly [Name in ComponentName]?: Readonly<Record<string, readonly string[]>> } = {
  ProxyConfig: { trustedCaConfigMap: ["trustedCa"] },
};

/** The names of the component classes that the package exports, found by inspection. */
export function componentNames(): ComponentName[] {
  return Object.entries(entry)
    .filter(([, value]) => typeof value === "function" && "isInstance" in value)
    .map(([name]) => name as ComponentName)
    .sort();
}

/** Creates a component of a class, with its minimal args or with the given ones. */
export function component(
  className: ComponentName,
  name = "x",
  opts?: pulumi.ComponentResourceOptions,
  args: object = minimalArgs[className](),
): pulumi.ComponentResource {
  const Class: Component = entry[className];
  return new Class(name, args as never, opts);
}
