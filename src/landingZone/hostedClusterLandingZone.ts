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
import { isEventual } from "../components/settled";
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
 * The whole network of one hosted cluster from one topology: what belongs to the management cluster and its cloud goes
 * there, what belongs to the hosted cluster goes to that one.
 */
export class HostedClusterLandingZone extends pulumi.ComponentResource {
  /** Id of the security group of the control-plane hosts: `sg-...`. Absent where it is left out. */
  public readonly controlPlaneSecurityGroupId?: pulumi.Output<string>;
  /** Id of the security group of the workers: `sg-...`. Absent where it is left out. */
  public readonly workerSecurityGroupId?: pulumi.Output<string>;
  /** ARN of the security group of the control-plane hosts. Absent where it is left out, or exists already. */
  public readonly controlPlaneSecurityGroupArn?: pulumi.Output<string>;
  /** ARN of the security group of the workers. Absent where it is left out, or exists already. */
  public readonly workerSecurityGroupArn?: pulumi.Output<string>;
  /** Every rule of those two groups with its reason, for tables and reports. Absent where they are left out. */
  public readonly securityGroupRules?: pulumi.Output<SecurityGroupRuleRow[]>;
  /** Id of the ACL for subnets of control-plane hosts: `acl-...`. Absent where it is left out. */
  public readonly controlPlaneNetworkAclId?: pulumi.Output<string>;
  /** Id of the ACL for subnets of workers: `acl-...`. Absent where no subnet of theirs is declared. */
  public readonly workerNetworkAclId?: pulumi.Output<string>;
  /** ARN of the ACL for subnets of control-plane hosts. Absent where it is left out. */
  public readonly controlPlaneNetworkAclArn?: pulumi.Output<string>;
  /** ARN of the ACL for subnets of workers. Absent where no subnet of theirs is declared. */
  public readonly workerNetworkAclArn?: pulumi.Output<string>;
  /** Every rule of the ACLs with its number and reason, for tables and reports. Absent where they are left out. */
  public readonly networkAclRules?: pulumi.Output<NetworkAclRuleRow[]>;
  /** Id of the security group of the VPC endpoints: `sg-...`. Absent where it is left out. */
  public readonly privateEndpointSecurityGroupId?: pulumi.Output<string>;
  /** ARN of that security group. Absent where it is left out, or exists already. */
  public readonly privateEndpointSecurityGroupArn?: pulumi.Output<string>;
  /** Every rule of that group with its reason, for tables and reports. Absent where it is left out. */
  public readonly privateEndpointRules?: pulumi.Output<SecurityGroupRuleRow[]>;
  /** Ids of the VPC endpoints that have the group, by key. Absent where it is left out. */
  public readonly vpcEndpointIds?: pulumi.Output<Record<string, string>>;
  /** Internal subnets for `spec` of the HostedCluster that you create. Absent where they are left out. */
  public readonly ovnSubnetFragment?: pulumi.Output<OvnSubnetFragment>;
  /** The proxy for `spec` of the HostedCluster that you create. A secret where a URL holds credentials. Absent where it is left out. */
  public readonly proxyFragment?: pulumi.Output<ProxyFragment>;
  /** What bypasses the proxy on the nodes, with commas between the entries. Absent where the proxy is left out. */
  public readonly noProxy?: pulumi.Output<string>;
  /** What will listen on each node at the address of the API server. Absent where the proxy is left out. */
  public readonly nodeApiProxy?: pulumi.Output<NodeApiProxy>;
  /** Where that listens: `172.20.0.1:6443`. Absent where the proxy is left out. */
  public readonly nodeApiProxyAddress?: pulumi.Output<string>;
  /** The HostedCluster: the one that is made here, the existing one, else the one of the topology. */
  public readonly hostedClusterReference: pulumi.Output<HostedClusterIdentity>;
  /** The namespace in which the control plane runs: `<namespace>-<name>`. */
  public readonly hostedControlPlaneNamespace: pulumi.Output<string>;
  /** Every network policy of that namespace with its reason, for tables and reports. Absent where isolation is left out. */
  public readonly isolationPolicies?: pulumi.Output<IsolationPolicyRow[]>;
  /** The Pod Security labels that HyperShift keeps on that namespace. Absent where isolation is left out. */
  public readonly podSecurityLabels?: pulumi.Output<Record<string, string>>;
  /** What goes into `metadata.annotations` of the HostedCluster that you create. Absent where isolation is left out. */
  public readonly hostedClusterAnnotations?: pulumi.Output<Record<string, string>>;
  /** `spec.noProxy` of the management cluster's Proxy as it has to be. Absent where that is left out. */
  public readonly managementNoProxy?: pulumi.Output<string>;
  /** The entries that `managementProxy.currentNoProxy` lacks. Absent where that is left out. */
  public readonly managementNoProxyMissing?: pulumi.Output<string[]>;
  /** The labels of the nodes that the control plane has for itself. Absent where it has none. */
  public readonly dedicatedNodeLabels?: pulumi.Output<Record<string, string>>;
  /** The taints of those nodes, for those who make them. Absent where there are none. */
  public readonly dedicatedNodeTaints?: pulumi.Output<NodeTaint[]>;
  /** What goes into `spec` of a NodePool that makes such nodes. Absent where there are none. */
  public readonly dedicatedNodePoolFragment?: pulumi.Output<DedicatedNodePoolFragment>;
  /** What goes into `spec` of a MachineSet that makes such nodes. Absent where there are none. */
  public readonly dedicatedMachineSetFragment?: pulumi.Output<MachineSetFragment>;
  /** Node selector and tolerations for `spec` of the HostedCluster that you create. Absent where there are no such nodes. */
  public readonly dedicatedHostedClusterFragment?: pulumi.Output<DedicatedHostedClusterFragment>;
  /** What is set in the hosted cluster's Network operator configuration. Absent where nothing is. */
  public readonly networkOperatorFragment?: pulumi.Output<NetworkOperatorFragment>;
  /** What the workers have to let pass among each other for IPsec. Absent where that is left out. */
  public readonly ipsecNodePorts?: pulumi.Output<IpsecNodePort[]>;
  /** The source addresses of `egressIps`, by key, for firewalls outside. Absent where there are none. */
  public readonly egressAddresses?: pulumi.Output<Record<string, string[]>>;
  /** How `egressRouters` are reached, and as whom they reach others, by key. Absent where there are none. */
  public readonly egressRouters?: pulumi.Output<Record<string, LandingZoneEgressRouter>>;
  /** What the firewalls around hosts and workers have to let pass, for those that this package does not make. */
  public readonly requiredFlows: pulumi.Output<RequiredFlowRow[]>;
  /** The parts that are made. */
  public readonly parts: pulumi.Output<LandingZonePart[]>;
  /** The parts that are not made, and why. */
  public readonly leftOut: pulumi.Output<LeftOutPart[]>;
  /** What works, but probably not as meant, in every part, as far as it shows before anything is made. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with its defaults, without credentials, for policies and reports. */
  public readonly topology: pulumi.Output<HostedClusterTopology>;

  constructor(name: string, args: HostedClusterLandingZoneArgs, opts?: pulumi.ComponentResourceOptions) {
    super(TYPE, name, sealedZone(args), opts);
    const inputs = withoutNothing(args);
    const { topology, choice, faults, warnings } = judgeLandingZone(this, name, inputs);
    refuse(this, `HostedClusterLandingZone ${name}`, faults);
    warn(this, withoutHostedCluster(choice));

    const outputs = createParts({ name, component: this, args: inputs, made: choice.made });
    Object.assign(this, outputs);
    this.hostedClusterReference = outputs.hostedClusterReference ?? referenceOf(inputs, topology!);
    this.hostedControlPlaneNamespace = pulumi.output(topology!.controlPlaneNamespace);
    this.requiredFlows = requiredFlowsOutput(inputs.topology, topology!, pulumi.output(undefined));
    this.parts = pulumi.output([...choice.made]);
    this.leftOut = pulumi.output(choice.leftOut);
    this.warnings = pulumi.output(warnings);
    this.topology = leafwise(topologyOutput(inputs.topology, topology!));
    this.registerOutputs(ownOutputs(this, "proxyFragment", "ovnSubnetFragment"));
  }
}

const TYPE = "hypershift-network:index:HostedClusterLandingZone";

/** Inputs that were given: nothing and null mean the same. */
const withoutNothing = (args: HostedClusterLandingZoneArgs): HostedClusterLandingZoneArgs =>
  Object.fromEntries(
    Object.entries(args ?? {}).filter(
      ([, value]: [string, unknown]) => value !== undefined && value !== null,
    ),
  ) as unknown as HostedClusterLandingZoneArgs;

/** The inputs as they may stand in the state. */
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

/** One that is an Output is refused. */
const isPlain = <T>(settings: T): settings is NonNullable<T> & object =>
  isRecord(settings) && !isEventual(settings);

/** What the zone has of its parts: each adds its own. */
type ZoneOutputs = Partial<Omit<HostedClusterLandingZone, keyof pulumi.ComponentResource>>;

/** Makes the parts in their order, each in its cluster, with what earlier ones have made. */
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

/** The HostedCluster that is not made here. */
const referenceOf = (
  { existingHostedCluster }: HostedClusterLandingZoneArgs,
  { name, namespace }: NormalizedTopology,
): pulumi.Output<HostedClusterIdentity> => pulumi.output(existingHostedCluster ?? { name, namespace });
