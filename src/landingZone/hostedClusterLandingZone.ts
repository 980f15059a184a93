import { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import type { HostedClusterTopology } from "../topology/hostedClusterTopology";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import type { NodeApiProxy } from "../topology/proxy/apiProxy";
import type { NetworkAclRuleRow } from "../networkAcls/component/hostedControlPlaneNetworkAclsArgs";
import type { SecurityGroupRuleRow } from "../securityGroups/component/hostedControlPlaneSecurityGroupsArgs";
import type { IsolationPolicyRow } from "../isolation/component/controlPlaneIsolationArgs";
import type {
  DedicatedHostedClusterFragment,
  DedicatedNodePoolFragment,
  MachineSetFragment,
  NodeTaint,
} from "../dedicatedNodes/component/dedicatedControlPlaneNodesArgs";
import type {
  IpsecNodePort,
  NetworkOperatorFragment,
} from "../networkOperator/component/networkOperatorArgs";
import type { OvnSubnetFragment } from "../ovnSubnets/component/ovnSubnetArgs";
import type { ProxyConfigArgs, ProxyFragment } from "../proxy/component/proxyConfigArgs";
import { sealed } from "../proxy/component/proxyConfigJudge";
import { ownOutputs, refuse, warn } from "../components/checked";
import { leafwise, requiredFlowsOutput, topologyOutput, withoutCredentials } from "../components/outputs";
import type { RequiredFlowRow } from "../components/requiredFlowRows";
import { givenPart, isEventual } from "../components/settled";
import { sealedKubeconfig } from "../components/masked";
import type {
  HostedClusterIdentity,
  HostedClusterLandingZoneArgs,
  LandingZoneEgressRouter,
  LandingZonePart,
  LeftOutPart,
} from "./hostedClusterLandingZoneArgs";
import { judgeLandingZone, parts, withoutHostedCluster } from "./judge";
import { orderAround } from "./order";
import { PartTarget, type Part, type ZoneContext } from "./parts/part";
import { isRecord } from "../collections";

/**
 * The whole network of one hosted cluster, created from one topology. Resources of the management cluster and its cloud are
 * created there, resources of the hosted cluster in the hosted cluster.
 */
export class HostedClusterLandingZone extends pulumi.ComponentResource {
  /** Id of the security group of the control-plane hosts: `sg-...`. Absent if `securityGroups` is left out. */
  public readonly controlPlaneSecurityGroupId?: pulumi.Output<string>;
  /** Id of the security group of the workers: `sg-...`. Absent if `securityGroups` is left out. */
  public readonly workerSecurityGroupId?: pulumi.Output<string>;
  /** ARN of the security group of the control-plane hosts. Absent if the group is left out or already exists. */
  public readonly controlPlaneSecurityGroupArn?: pulumi.Output<string>;
  /** ARN of the security group of the workers. Absent if the group is left out or already exists. */
  public readonly workerSecurityGroupArn?: pulumi.Output<string>;
  /** Every rule of these two security groups with its reason, for tables and reports. Absent if the groups are left out. */
  public readonly securityGroupRules?: pulumi.Output<SecurityGroupRuleRow[]>;
  /** Id of the network ACL for subnets of control-plane hosts: `acl-...`. Absent if `networkAcls` is left out. */
  public readonly controlPlaneNetworkAclId?: pulumi.Output<string>;
  /** Id of the network ACL for worker subnets: `acl-...`. Absent if no worker subnet is declared. */
  public readonly workerNetworkAclId?: pulumi.Output<string>;
  /** ARN of the network ACL for subnets of control-plane hosts. Absent if `networkAcls` is left out. */
  public readonly controlPlaneNetworkAclArn?: pulumi.Output<string>;
  /** ARN of the network ACL for worker subnets. Absent if no worker subnet is declared. */
  public readonly workerNetworkAclArn?: pulumi.Output<string>;
  /** Every rule of the network ACLs with its number and reason, for tables and reports. Absent if the ACLs are left out. */
  public readonly networkAclRules?: pulumi.Output<NetworkAclRuleRow[]>;
  /** Id of the security group of the VPC endpoints: `sg-...`. Absent if `privateEndpoint` is left out. */
  public readonly privateEndpointSecurityGroupId?: pulumi.Output<string>;
  /** ARN of the security group of the VPC endpoints. Absent if the group is left out or already exists. */
  public readonly privateEndpointSecurityGroupArn?: pulumi.Output<string>;
  /** Every rule of the VPC endpoints' security group with its reason, for tables and reports. Absent if the group is left out. */
  public readonly privateEndpointRules?: pulumi.Output<SecurityGroupRuleRow[]>;
  /** Ids of the VPC endpoints that have this security group, by key. Absent if the group is left out. */
  public readonly vpcEndpointIds?: pulumi.Output<Record<string, string>>;
  /** Internal subnets for `spec` of the HostedCluster that you create. Absent if `ovnSubnets` is left out. */
  public readonly ovnSubnetFragment?: pulumi.Output<OvnSubnetFragment>;
  /** The proxy for `spec` of the HostedCluster that you create. A secret if a URL holds credentials. Absent if `proxy` is left out. */
  public readonly proxyFragment?: pulumi.Output<ProxyFragment>;
  /** The comma-separated destinations that bypass the proxy on the nodes. Absent if `proxy` is left out. */
  public readonly noProxy?: pulumi.Output<string>;
  /** What listens on each node at the address of the API server. Absent if `proxy` is left out. */
  public readonly nodeApiProxy?: pulumi.Output<NodeApiProxy>;
  /** The address and port on which it listens: `172.20.0.1:6443`. Absent if `proxy` is left out. */
  public readonly nodeApiProxyAddress?: pulumi.Output<string>;
  /** The HostedCluster: the one created here, else the existing one, else the one that the topology names. */
  public readonly hostedClusterReference: pulumi.Output<HostedClusterIdentity>;
  /** The namespace of the hosted control plane: `<namespace>-<name>`. */
  public readonly hostedControlPlaneNamespace: pulumi.Output<string>;
  /** Every network policy of that namespace with its reason, for tables and reports. Absent if `isolation` is left out. */
  public readonly isolationPolicies?: pulumi.Output<IsolationPolicyRow[]>;
  /** The Pod Security labels that HyperShift maintains on that namespace. Absent if `isolation` is left out. */
  public readonly podSecurityLabels?: pulumi.Output<Record<string, string>>;
  /** Entries for `metadata.annotations` of the HostedCluster that you create. Absent if `isolation` is left out. */
  public readonly hostedClusterAnnotations?: pulumi.Output<Record<string, string>>;
  /** The value that `spec.noProxy` of the management cluster's Proxy must have. Absent if `managementProxy` is left out. */
  public readonly managementNoProxy?: pulumi.Output<string>;
  /** The entries that `managementProxy.currentNoProxy` lacks. Absent if `managementProxy` is left out. */
  public readonly managementNoProxyMissing?: pulumi.Output<string[]>;
  /** The labels of the nodes dedicated to this control plane. Absent if it has none. */
  public readonly dedicatedNodeLabels?: pulumi.Output<Record<string, string>>;
  /** The taints of the dedicated nodes, for the tool that creates the nodes. Absent if there are none. */
  public readonly dedicatedNodeTaints?: pulumi.Output<NodeTaint[]>;
  /** Fields for `spec` of a NodePool that creates dedicated nodes. Absent if there are none. */
  public readonly dedicatedNodePoolFragment?: pulumi.Output<DedicatedNodePoolFragment>;
  /** Fields for `spec` of a MachineSet that creates dedicated nodes. Absent if there are none. */
  public readonly dedicatedMachineSetFragment?: pulumi.Output<MachineSetFragment>;
  /** Node selector and tolerations for `spec` of the HostedCluster that you create. Absent if there are no dedicated nodes. */
  public readonly dedicatedHostedClusterFragment?: pulumi.Output<DedicatedHostedClusterFragment>;
  /** The settings written to the hosted cluster's Network operator configuration. Absent if there are none. */
  public readonly networkOperatorFragment?: pulumi.Output<NetworkOperatorFragment>;
  /** The ports that workers must allow among each other for IPsec. Absent if `ipsec` is left out. */
  public readonly ipsecNodePorts?: pulumi.Output<IpsecNodePort[]>;
  /** The source addresses of `egressIps`, by key, for external firewalls. Absent if there are none. */
  public readonly egressAddresses?: pulumi.Output<Record<string, string[]>>;
  /** Service host, source address and platform setup of each of `egressRouters`, by key. Absent if there are none. */
  public readonly egressRouters?: pulumi.Output<Record<string, LandingZoneEgressRouter>>;
  /** What firewalls around hosts and workers must allow, for firewalls that this package does not create. */
  public readonly requiredFlows: pulumi.Output<RequiredFlowRow[]>;
  /** The parts that are created. */
  public readonly parts: pulumi.Output<LandingZonePart[]>;
  /** The parts that are not created, each with the reason. */
  public readonly leftOut: pulumi.Output<LeftOutPart[]>;
  /** Settings of any part that work but are probably not intended, to the extent known before anything is created. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with its defaults and without credentials, for policies and reports. */
  public readonly topology: pulumi.Output<HostedClusterTopology>;

  constructor(name: string, args: HostedClusterLandingZoneArgs, opts?: pulumi.ComponentResourceOptions) {
    super(TYPE, name, sealedZone(args), opts);
    const inputs = withoutNothing(args);
    const { topology, choice, faults, warnings } = judgeLandingZone(this, name, inputs);
    refuse(this, `HostedClusterLandingZone ${name}`, faults);
    warn(this, withoutHostedCluster(choice));

    const given = givenPart(inputs);
    const outputs = createParts({ name, component: this, args: given, made: choice.made });
    Object.assign(this, outputs);
    this.hostedClusterReference = outputs.hostedClusterReference ?? referenceOf(given, topology!);
    this.hostedControlPlaneNamespace = pulumi.output(topology!.controlPlaneNamespace);
    this.requiredFlows = requiredFlowsOutput(given.topology, topology!, pulumi.output(undefined));
    this.parts = pulumi.output([...choice.made]);
    this.leftOut = pulumi.output(choice.leftOut);
    this.warnings = pulumi.output(warnings);
    this.topology = leafwise(topologyOutput(given.topology, topology!));
    this.registerOutputs(ownOutputs(this, "proxyFragment", "ovnSubnetFragment"));
  }
}

const TYPE = "hypershift-network:index:HostedClusterLandingZone";

/** The inputs that were given: undefined and null mean the same. */
const withoutNothing = (args: HostedClusterLandingZoneArgs): HostedClusterLandingZoneArgs =>
  Object.fromEntries(
    Object.entries(args ?? {}).filter(
      ([, value]: [string, unknown]) => value !== undefined && value !== null,
    ),
  ) as unknown as HostedClusterLandingZoneArgs;

/** The inputs as the state may hold them. */
function sealedZone(args: HostedClusterLandingZoneArgs): HostedClusterLandingZoneArgs {
  const { hostedClusterKubeconfig, proxy, managementProxy, dedicatedNodes } = { ...args };
  return {
    ...args,
    topology: withoutCredentials(args?.topology),
    ...(proxy && { proxy: sealed({ ...proxy } as ProxyConfigArgs) }),
    ...(isPlain(managementProxy) && { managementProxy: sealedKubeconfig(managementProxy) }),
    ...(isPlain(dedicatedNodes) && { dedicatedNodes: sealedKubeconfig(dedicatedNodes) }),
    ...(hostedClusterKubeconfig && { hostedClusterKubeconfig: pulumi.secret(hostedClusterKubeconfig) }),
  };
}

/** Settings that are an Output are refused. */
const isPlain = <T>(settings: T): settings is NonNullable<T> & object =>
  isRecord(settings) && !isEventual(settings);

/** The outputs of the zone that come from its parts: each part adds its own. */
type ZoneOutputs = Partial<Omit<HostedClusterLandingZone, keyof pulumi.ComponentResource>>;

/** Creates the parts in their order, each in its own cluster, and hands the outputs of earlier parts to later ones. */
function createParts(zone: ZoneContext): ZoneOutputs {
  const all: readonly Part<ZoneOutputs>[] = parts;
  const chosen = all.filter(({ part }) => zone.made.has(part));
  const isInside = ({ target }: { target: PartTarget }) => target === PartTarget.HostedCluster;
  const outside = { parent: zone.component };
  const inside = chosen.some(isInside) ? { ...outside, provider: hostedClusterProvider(zone) } : outside;
  const order = orderAround(zone);
  try {
    return chosen.reduce<ZoneOutputs>((earlier, part) => {
      const options = { ...(isInside(part) ? inside : outside), ...order.optionsOf(part) };
      return { ...earlier, ...part.create(zone, options, earlier) };
    }, {});
  } finally {
    order.close();
  }
}

function hostedClusterProvider({ name, component, args: { hostedClusterKubeconfig } }: ZoneContext) {
  const kubeconfig = pulumi.secret(hostedClusterKubeconfig as pulumi.Input<string>);
  return new Provider(`${name}-hosted-cluster`, { kubeconfig }, { parent: component });
}

/** The HostedCluster if it is not created here. */
const referenceOf = (
  { existingHostedCluster }: HostedClusterLandingZoneArgs,
  { name, namespace }: NormalizedTopology,
): pulumi.Output<HostedClusterIdentity> => pulumi.output(existingHostedCluster ?? { name, namespace });
