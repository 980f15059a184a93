export { ControlPlaneIsolation } from "./components/kubernetes/controlPlaneIsolation";
export * from "./components/kubernetes/controlPlaneIsolationArgs";
export { DedicatedControlPlaneNodes } from "./components/kubernetes/dedicatedControlPlaneNodes";
export * from "./components/kubernetes/dedicatedControlPlaneNodesArgs";
export { EgressFirewall } from "./components/kubernetes/egressFirewall";
export * from "./components/kubernetes/egressFirewallArgs";
export { EgressAssignableNodes } from "./components/kubernetes/egressAssignableNodes";
export * from "./components/kubernetes/egressAssignableNodesArgs";
export { EgressIP } from "./components/kubernetes/egressIp";
export * from "./components/kubernetes/egressIpArgs";
export { EgressRouter } from "./components/kubernetes/egressRouter";
export * from "./components/kubernetes/egressRouterArgs";
export { HostedControlPlaneNetworkAcls } from "./components/aws/hostedControlPlaneNetworkAcls";
export * from "./components/aws/hostedControlPlaneNetworkAclsArgs";
export { HostedControlPlaneSecurityGroups } from "./components/aws/hostedControlPlaneSecurityGroups";
export * from "./components/aws/hostedControlPlaneSecurityGroupsArgs";
export { PrivateEndpointSecurityGroup } from "./components/aws/privateEndpointSecurityGroup";
export * from "./components/aws/privateEndpointSecurityGroupArgs";
export { RuleMerging } from "./components/aws/ruleMerging";
export { HybridOverlayNetwork } from "./components/kubernetes/hybridOverlayNetwork";
export * from "./components/kubernetes/hybridOverlayNetworkArgs";
export { IpsecEncryption } from "./components/kubernetes/ipsecEncryption";
export * from "./components/kubernetes/ipsecEncryptionArgs";
export type * from "./components/kubernetes/networkOperatorArgs";
export { HostedClusterNetwork } from "./components/kubernetes/hostedClusterNetwork";
export * from "./components/kubernetes/hostedClusterNetworkArgs";
export type { HostedClusterReference } from "./components/kubernetes/hostedClusterReference";
export type { LabelSelector, LabelSelectorRequirement } from "./components/kubernetes/labelSelector";
export { MulticastNamespace } from "./components/kubernetes/multicastNamespace";
export * from "./components/kubernetes/multicastNamespaceArgs";
export { ManagementClusterProxy } from "./components/kubernetes/managementClusterProxy";
export * from "./components/kubernetes/managementClusterProxyArgs";
export { NetworkTypeMigration } from "./components/kubernetes/networkTypeMigration";
export * from "./components/kubernetes/networkTypeMigrationArgs";
export { OvnSubnetConfig } from "./components/kubernetes/ovnSubnetConfig";
export * from "./components/kubernetes/ovnSubnetConfigArgs";
export { OvnSubnetVerification } from "./components/kubernetes/ovnSubnetVerification";
export * from "./components/kubernetes/ovnSubnetVerificationArgs";
export { ProxyConfig } from "./components/kubernetes/proxyConfig";
export * from "./components/kubernetes/proxyConfigArgs";
export { HostedClusterLandingZone } from "./components/landingZone/hostedClusterLandingZone";
export * from "./components/landingZone/hostedClusterLandingZoneArgs";
export type { RequiredFlowRow } from "./components/requiredFlowRows";
export {
  EgressRouterForm,
  EgressRouterProtocol,
  EgressRouterWorkload,
  MacvlanMode,
} from "./manifests/egressRouter/egressRouter";
export { IpFamily } from "./manifests/probes/requests";
export { MigrationPhase } from "./manifests/migration/phases";
export { ManagementCluster } from "./manifests/isolation/egress";
export { NodeApiProxy } from "./topology/proxy/apiProxy";
export {
  ControllerAvailabilityPolicy,
  NodeIsolationLevel,
  TaintEffect,
  TolerationOperator,
} from "./requirements/dedicatedNodes";
export { WindowsServerVersion } from "./requirements/hybridOverlay";
export { IpsecEncapsulation, IpsecMode } from "./requirements/ipsec";
export { PodSecurityLevel } from "./requirements/podIsolation";
export {
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
export { LabelSelectorOperator } from "./resources/labelSelector";
export * from "./topology/hostedClusterTopology";
export { Role } from "./requirements/vocabulary";
