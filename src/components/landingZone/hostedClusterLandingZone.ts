import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import { HostedControlPlaneSecurityGroups } from "../aws/hostedControlPlaneSecurityGroups";
import { PrivateEndpointSecurityGroup } from "../aws/privateEndpointSecurityGroup";
import { EgressFirewall } from "../kubernetes/egressFirewall";
import { EgressIP } from "../kubernetes/egressIp";
import { MulticastNamespace } from "../kubernetes/multicastNamespace";
import { OvnSubnetConfig } from "../kubernetes/ovnSubnetConfig";
import type { OvnSubnetFragment } from "../kubernetes/ovnSubnetConfigArgs";
import { ProxyConfig } from "../kubernetes/proxyConfig";
import type { ProxyConfigArgs, ProxyFragment } from "../kubernetes/proxyConfigArgs";
import { sealed } from "../kubernetes/proxyCredentials";
import { refuse, warn } from "../refuse";
import { topologyOutput, withoutCredentials } from "../topologyOutput";
import { judgeLandingZone } from "./faults";
import {
  LandingZonePart,
  type HostedClusterLandingZoneArgs,
  type LeftOutPart,
} from "./hostedClusterLandingZoneArgs";
import {
  egressFirewallArgs,
  egressIpArgs,
  ovnSubnetArgs,
  privateEndpointArgs,
  proxyArgs,
  securityGroupArgs,
} from "./partArgs";
import { NO_HOSTED_CLUSTER, type PartChoice } from "./parts";

/**
 * The whole network of one hosted cluster from one topology: what belongs to the management cluster and its cloud goes
 * there, what belongs to the hosted cluster goes to that one.
 */
export class HostedClusterLandingZone extends pulumi.ComponentResource {
  /** Id of the security group of the control-plane hosts: `sg-...`. Absent where it is left out. */
  public readonly controlPlaneSecurityGroupId?: pulumi.Output<string>;
  /** Id of the security group of the workers: `sg-...`. Absent where it is left out. */
  public readonly workerSecurityGroupId?: pulumi.Output<string>;
  /** Id of the security group of the VPC endpoints: `sg-...`. Absent where it is left out. */
  public readonly privateEndpointSecurityGroupId?: pulumi.Output<string>;
  /** Internal subnets for `spec` of the HostedCluster that you create. Absent where they are left out. */
  public readonly ovnSubnetFragment?: pulumi.Output<OvnSubnetFragment>;
  /** The proxy for `spec` of the HostedCluster that you create. A secret where a URL holds credentials. Absent where it is left out. */
  public readonly proxyFragment?: pulumi.Output<ProxyFragment>;
  /** What bypasses the proxy on the nodes, with commas between the entries. Absent where the proxy is left out. */
  public readonly noProxy?: pulumi.Output<string>;
  /** The namespace in which the control plane runs: `<namespace>-<name>`. */
  public readonly hostedControlPlaneNamespace: pulumi.Output<string>;
  /** The parts that are made. */
  public readonly parts: pulumi.Output<LandingZonePart[]>;
  /** The parts that are not made, and why. */
  public readonly leftOut: pulumi.Output<LeftOutPart[]>;
  /** The topology with its defaults, without credentials, for policies and reports. */
  public readonly topology: pulumi.Output<HostedClusterTopology>;

  constructor(name: string, args: HostedClusterLandingZoneArgs, opts?: pulumi.ComponentResourceOptions) {
    super(TYPE, name, sealedZone(args), opts);
    const zone = { ...args };
    const { topology, choice, faults } = judgeLandingZone(name, zone);
    refuse(this, `HostedClusterLandingZone ${name}`, faults);
    const { made, leftOut } = choice!;
    warn(this, withoutHostedCluster(choice!));

    const inManagement = { parent: this };
    if (made.has(LandingZonePart.SecurityGroups)) {
      const groups = new HostedControlPlaneSecurityGroups(name, securityGroupArgs(zone), inManagement);
      this.controlPlaneSecurityGroupId = groups.controlPlaneSecurityGroupId;
      this.workerSecurityGroupId = groups.workerSecurityGroupId;
    }
    if (made.has(LandingZonePart.PrivateEndpoint)) {
      const endpoint = new PrivateEndpointSecurityGroup(name, privateEndpointArgs(zone), inManagement);
      this.privateEndpointSecurityGroupId = endpoint.securityGroupId;
    }
    if (made.has(LandingZonePart.OvnSubnets)) {
      const subnets = ovnSubnetArgs(zone, made.has(LandingZonePart.Proxy));
      this.ovnSubnetFragment = new OvnSubnetConfig(name, subnets, inManagement).fragment;
    }
    if (made.has(LandingZonePart.Proxy)) {
      const proxy = new ProxyConfig(name, proxyArgs(zone, this.ovnSubnetFragment), inManagement);
      this.proxyFragment = proxy.fragment;
      this.noProxy = proxy.noProxy;
    }
    createInHostedCluster(this, name, zone, made);

    this.hostedControlPlaneNamespace = pulumi.output(topology!.controlPlaneNamespace);
    this.parts = pulumi.output([...made]);
    this.leftOut = pulumi.output(leftOut);
    this.topology = pulumi.output(topologyOutput(zone.topology, topology!));
    this.registerOutputs({
      ...(this.controlPlaneSecurityGroupId && {
        controlPlaneSecurityGroupId: this.controlPlaneSecurityGroupId,
        workerSecurityGroupId: this.workerSecurityGroupId,
      }),
      ...(this.privateEndpointSecurityGroupId && {
        privateEndpointSecurityGroupId: this.privateEndpointSecurityGroupId,
      }),
      ...(this.noProxy && { noProxy: this.noProxy }),
      hostedControlPlaneNamespace: this.hostedControlPlaneNamespace,
      parts: this.parts,
      leftOut: this.leftOut,
      topology: this.topology,
    });
  }
}

const TYPE = "hypershift-network:index:HostedClusterLandingZone";

/** The inputs as they may stand in the state. */
function sealedZone(args: HostedClusterLandingZoneArgs): HostedClusterLandingZoneArgs {
  const { hostedClusterKubeconfig: kubeconfig, proxy } = { ...args };
  return {
    ...args,
    topology: withoutCredentials(args?.topology),
    ...(proxy && { proxy: sealed({ ...proxy } as ProxyConfigArgs) }),
    ...(kubeconfig !== undefined && { hostedClusterKubeconfig: pulumi.secret(kubeconfig) }),
  };
}

/** What was asked for in a cluster that nobody can reach yet. */
function withoutHostedCluster({ leftOut }: PartChoice): string[] {
  const parts = leftOut.filter(({ reason }) => reason === NO_HOSTED_CLUSTER).map(({ part }) => part);
  if (parts.length === 0) return [];
  return [
    `hostedClusterKubeconfig missing: ${parts.join(", ")} left out, which belong to the hosted cluster; give it when the cluster is up`,
  ];
}

/** The parts that live in the hosted cluster, with a provider of their own. */
function createInHostedCluster(
  parent: pulumi.ComponentResource,
  name: string,
  zone: HostedClusterLandingZoneArgs,
  made: ReadonlySet<LandingZonePart>,
): void {
  const { hostedClusterKubeconfig, egressFirewalls = {}, egressIps = {}, multicastNamespaces = {} } = zone;
  if (hostedClusterKubeconfig === undefined) return;
  const kubeconfig = pulumi.secret(hostedClusterKubeconfig);
  const provider = new kubernetes.Provider(`${name}-hosted-cluster`, { kubeconfig }, { parent });
  const inHostedCluster = { parent, provider };
  if (made.has(LandingZonePart.EgressFirewalls))
    for (const [key, settings] of Object.entries(egressFirewalls))
      new EgressFirewall(`${name}-${key}`, egressFirewallArgs(zone, settings), inHostedCluster);
  if (made.has(LandingZonePart.EgressIps))
    for (const [key, settings] of Object.entries(egressIps))
      new EgressIP(`${name}-${key}`, egressIpArgs(zone, key, settings), inHostedCluster);
  if (made.has(LandingZonePart.MulticastNamespaces))
    for (const [key, namespace] of Object.entries(multicastNamespaces))
      new MulticastNamespace(`${name}-${key}`, { namespace }, inHostedCluster);
}
