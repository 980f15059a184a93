export { EgressFirewall } from "./components/kubernetes/egressFirewall";
export * from "./components/kubernetes/egressFirewallArgs";
export { HostedControlPlaneSecurityGroups } from "./components/aws/hostedControlPlaneSecurityGroups";
export * from "./components/aws/hostedControlPlaneSecurityGroupsArgs";
export type { HostedClusterReference } from "./components/kubernetes/hostedClusterReference";
export { OvnSubnetConfig } from "./components/kubernetes/ovnSubnetConfig";
export * from "./components/kubernetes/ovnSubnetConfigArgs";
export { ProxyConfig } from "./components/kubernetes/proxyConfig";
export * from "./components/kubernetes/proxyConfigArgs";
export { EgressFirewallProtocol, EgressFirewallRuleType } from "./manifests/egressFirewall/egressFirewall";
export { NodeApiProxy } from "./manifests/proxy/apiProxy";
export {
  Direction,
  EndpointAccess,
  LoadBalancerTargets,
  NetworkType,
  Platform,
  Protocol,
  PublishingType,
} from "./requirements/vocabulary";
export * from "./topology/hostedClusterTopology";
export { Role } from "./topology/requiredFlow";
