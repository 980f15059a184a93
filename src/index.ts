export { ControlPlaneIsolation } from "./isolation/component/controlPlaneIsolation";
export * from "./isolation/component/controlPlaneIsolationArgs";
export { DedicatedControlPlaneNodes } from "./dedicatedNodes/component/dedicatedControlPlaneNodes";
export * from "./dedicatedNodes/component/dedicatedControlPlaneNodesArgs";
export { EgressFirewall } from "./egressFirewall/component/egressFirewall";
export * from "./egressFirewall/component/egressFirewallArgs";
export { EgressAssignableNodes } from "./egressIp/component/egressAssignableNodes";
export * from "./egressIp/component/egressIpArgs";
export { EgressIP } from "./egressIp/component/egressIp";
export * from "./egressIp/component/egressIpArgs";
export { EgressRouter } from "./egressRouter/component/egressRouter";
export * from "./egressRouter/component/egressRouterArgs";
export { HostedClusterAddressPlan } from "./fleet/component/hostedClusterAddressPlan";
export * from "./fleet/component/hostedClusterAddressPlanArgs";
export { HostedControlPlaneNetworkAcls } from "./networkAcls/component/hostedControlPlaneNetworkAcls";
export * from "./networkAcls/component/hostedControlPlaneNetworkAclsArgs";
export { HostedControlPlaneSecurityGroups } from "./securityGroups/component/hostedControlPlaneSecurityGroups";
export * from "./securityGroups/component/hostedControlPlaneSecurityGroupsArgs";
export { PrivateEndpointSecurityGroup } from "./securityGroups/component/privateEndpointSecurityGroup";
export * from "./securityGroups/component/privateEndpointSecurityGroupArgs";
export { RuleMerging } from "./securityGroups/component/hostedControlPlaneSecurityGroupsArgs";
export { HybridOverlayNetwork } from "./networkOperator/component/hybridOverlayNetwork";
export * from "./networkOperator/component/networkOperatorArgs";
export { IpsecEncryption } from "./networkOperator/component/ipsecEncryption";
export * from "./networkOperator/component/networkOperatorArgs";
export type * from "./networkOperator/component/networkOperatorArgs";
export { HostedClusterNetwork } from "./hostedCluster/component/hostedClusterNetwork";
export * from "./hostedCluster/component/hostedClusterNetworkArgs";
export type * from "./components/hostedClusterPatch";
export type { LabelSelector, LabelSelectorRequirement } from "./components/labelSelector";
export { MulticastNamespace } from "./multicast/component/multicastNamespace";
export * from "./multicast/component/multicastNamespaceArgs";
export { ManagementClusterProxy } from "./proxy/component/managementClusterProxy";
export * from "./proxy/component/managementClusterProxyArgs";
export { NetworkTypeMigration } from "./networkTypeMigration/component/networkTypeMigration";
export * from "./networkTypeMigration/component/networkTypeMigrationArgs";
export { OvnSubnetConfig } from "./ovnSubnets/component/ovnSubnetConfig";
export * from "./ovnSubnets/component/ovnSubnetConfigArgs";
export { OvnSubnetVerification } from "./ovnSubnets/component/ovnSubnetVerification";
export * from "./ovnSubnets/component/ovnSubnetVerificationArgs";
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
export { IpFamily } from "./probes/requests";
export { MigrationPhase } from "./networkTypeMigration/phases";
export { ManagementCluster } from "./isolation/egress";
export { NodeApiProxy } from "./topology/proxy/apiProxy";
export {
  ControllerAvailabilityPolicy,
  NodeIsolationLevel,
  TaintEffect,
  TolerationOperator,
} from "./requirements/dedicatedNodes";
export { WindowsServerVersion } from "./requirements/networkOperator";
export { IpsecEncapsulation, IpsecMode } from "./requirements/networkOperator";
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
} from "./requirements/vocabulary";
export { EgressFirewallProtocol, EgressFirewallRuleType } from "./resources/egressFirewallRules";
export { LabelSelectorOperator } from "./resources/kubernetesObject";
export * from "./topology/hostedClusterTopology";
export { Role } from "./requirements/vocabulary";
