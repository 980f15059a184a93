export { ControlPlaneIsolation } from "./isolation/component/controlPlaneIsolation";
export * from "./isolation/component/controlPlaneIsolationArgs";
export { DedicatedControlPlaneNodes } from "./dedicatedNodes/component/dedicatedControlPlaneNodes";
export * from "./dedicatedNodes/component/dedicatedControlPlaneNodesArgs";
export * from "./egressFirewall/component/egressFirewall";
export { EgressAssignableNodes, EgressIP } from "./egressIp/component/egressIp";
export * from "./egressIp/component/egressIpArgs";
export { EgressRouter } from "./egressRouter/component/egressRouter";
export * from "./egressRouter/component/egressRouterArgs";
export * from "./fleet/component/hostedClusterAddressPlan";
export { HostedControlPlaneNetworkAcls } from "./networkAcls/component/hostedControlPlaneNetworkAcls";
export * from "./networkAcls/component/hostedControlPlaneNetworkAclsArgs";
export { HostedControlPlaneSecurityGroups } from "./securityGroups/component/hostedControlPlaneSecurityGroups";
export * from "./securityGroups/component/hostedControlPlaneSecurityGroupsArgs";
export { PrivateEndpointSecurityGroup } from "./securityGroups/component/privateEndpointSecurityGroup";
export * from "./securityGroups/component/privateEndpointSecurityGroupArgs";
export { HybridOverlayNetwork, IpsecEncryption } from "./networkOperator/component/networkOperator";
export * from "./networkOperator/component/networkOperatorArgs";
export { HostedClusterNetwork } from "./hostedCluster/component/hostedClusterNetwork";
export * from "./hostedCluster/component/hostedClusterNetworkArgs";
export type * from "./components/hostedClusterPatch";
export type { LabelSelector, LabelSelectorRequirement } from "./components/labelSelector";
export * from "./multicast/component/multicastNamespace";
export {
  ManagementClusterProxy,
  type ControlPlaneDeployment,
  type ManagementClusterProxyArgs,
  type ManagementClusterProxySettings,
} from "./proxy/component/managementClusterProxy";
export {
  NetworkTypeMigration,
  type MigratedClusterNetwork,
  type MigrationTranslation,
  type NetworkTypeMigrationArgs,
} from "./networkTypeMigration/component/networkTypeMigration";
export { OvnSubnetConfig } from "./ovnSubnets/component/ovnSubnetConfig";
export { OvnSubnetVerification } from "./ovnSubnets/component/ovnSubnetVerification";
export * from "./ovnSubnets/component/ovnSubnetArgs";
export { ProxyConfig } from "./proxy/component/proxyConfig";
export * from "./proxy/component/proxyConfigArgs";
export { HostedClusterLandingZone } from "./landingZone/hostedClusterLandingZone";
export * from "./landingZone/hostedClusterLandingZoneArgs";
export type { RequiredFlowRow } from "./components/requiredFlowRows";
export {
  EgressRouterForm,
  EgressRouterProtocol,
  EgressRouterWorkload,
  MacvlanMode,
} from "./egressRouter/egressRouter";
export { IpFamily } from "./probes/objects";
export { MigrationPhase } from "./networkTypeMigration/phases";
export { ManagementCluster } from "./isolation/egress";
export { NodeApiProxy } from "./topology/proxy/apiProxy";
export {
  ControllerAvailabilityPolicy,
  NodeIsolationLevel,
  TaintEffect,
  TolerationOperator,
} from "./requirements/dedicatedNodes";
export { IpsecEncapsulation, IpsecMode, WindowsServerVersion } from "./requirements/networkOperator";
export { PodSecurityLevel } from "./requirements/podIsolation";
export {
  AddressFamily,
  AzureCloud,
  Direction,
  EndpointAccess,
  InfrastructurePlatform,
  LoadBalancerTargets,
  NetworkType,
  Platform,
  Protocol,
  PublishingType,
  Role,
} from "./requirements/vocabulary";
export { EgressFirewallProtocol, EgressFirewallRuleType } from "./objects/egressFirewallRules";
export { LabelSelectorOperator } from "./resources/kubernetesObject";
export * from "./topology/hostedClusterTopology";
