import { bootstrapPortOpen } from "../securityGroups/rules/portExcess";
import { cidrInvalid } from "../addressRanges/rules/cidrInvalid";
import { cidrOverlap } from "../addressRanges/rules/cidrOverlap";
import { cidrReservedOverlap } from "../addressRanges/rules/cidrReservedOverlap";
import { egressFirewallApiBlocked } from "../egressFirewall/rules/blocked";
import { egressFirewallDns } from "../egressFirewall/rules/blocked";
import { egressFirewallDuplicate } from "../egressFirewall/rules/written";
import { egressFirewallLimit } from "../egressFirewall/rules/written";
import { egressFirewallName } from "../egressFirewall/rules/written";
import { egressFirewallRuleInvalid } from "../egressFirewall/rules/written";
import { egressFirewallShadowed } from "../egressFirewall/rules/written";
import { egressIpInvalid } from "../egressIp/rules";
import { egressIpNodes } from "../egressIp/rules";
import { egressIpPlatform } from "../egressIp/rules";
import { egressRouterInvalid } from "../egressRouter/rules";
import { egressRouterPlatform } from "../egressRouter/rules";
import { isolationDefaultDeny } from "../isolation/rules/isolationDefaultDeny";
import { isolationFlowBlocked } from "../isolation/rules/isolationFlowBlocked";
import { isolationFlowExcess } from "../isolation/rules/isolationFlowExcess";
import { networkPolicyInvalid } from "../isolation/rules/networkPolicyInvalid";
import { networkCapacity } from "../addressRanges/rules/networkCapacity";
import { nodePortRange } from "../hostedCluster/rules/publishing";
import { objectInvalid } from "./objectInvalid";
import { ovnSubnetCapacity } from "../ovnSubnets/rules";
import { ovnSubnetInvalid } from "../ovnSubnets/rules";
import { ovnSubnetRelease } from "../ovnSubnets/rules";
import { portExcess } from "../securityGroups/rules/portExcess";
import { podCapabilities } from "../isolation/rules/podRules";
import { podHostNetwork } from "../isolation/rules/podRules";
import { podHostPath } from "../isolation/rules/podRules";
import { podHostPid } from "../isolation/rules/podRules";
import { podHostPort } from "../isolation/rules/podRules";
import { podPrivileged } from "../isolation/rules/podRules";
import { podSelinux } from "../isolation/rules/podRules";
import { podUser } from "../isolation/rules/podRules";
import { portLocalhostOnly } from "../securityGroups/rules/portLocalhostOnly";
import { portMissing } from "../securityGroups/rules/portMissing";
import { portPublic } from "../securityGroups/rules/portPublic";
import { proxyApiBypass } from "../proxy/rules/proxyReach";
import { proxyInvalid } from "../proxy/rules/proxyInvalid";
import { proxyNoComputeNodes } from "../proxy/rules/proxyReach";
import { proxyNoProxyMissing } from "../proxy/rules/proxyNoProxyMissing";
import { proxyTrustedCa } from "../proxy/rules/proxyInvalid";
import { publishingUnsupported } from "../hostedCluster/rules/publishing";
import { securityGroupMixedRules } from "../securityGroups/rules/groupRules";
import { securityGroupQuota } from "../securityGroups/rules/groupRules";
import { proxyDnsBlocked } from "../proxy/rules/proxyReach";
import { hostedClusterName } from "../hostedCluster/rules/hostedClusterName";
import { hybridOverlayOverlap } from "../networkOperator/rules";
import { hybridOverlayPort } from "../networkOperator/rules";
import { hybridOverlayPlatform } from "../networkOperator/rules";
import { ipsecDayTwo } from "../networkOperator/rules";
import { migrationMtu } from "../networkTypeMigration/rules";
import { migrationPorts } from "../networkTypeMigration/rules";
import { migrationOrder } from "../networkTypeMigration/rules";
import { immutableField } from "../hostedCluster/rules/immutableField";
import { dedicatedNodes } from "../dedicatedNodes/rules";
import type { Rule } from "../gate/rule";
import { withValueTypes } from "./withValueTypes";
import { serviceTrafficPolicy } from "../hostedCluster/rules/serviceTrafficPolicy";

const judging: readonly Rule[] = [
  hostedClusterName,
  cidrInvalid,
  cidrOverlap,
  cidrReservedOverlap,
  networkCapacity,
  ovnSubnetInvalid,
  ovnSubnetCapacity,
  ovnSubnetRelease,
  portMissing,
  portExcess,
  portPublic,
  portLocalhostOnly,
  bootstrapPortOpen,
  nodePortRange,
  publishingUnsupported,
  securityGroupMixedRules,
  securityGroupQuota,
  proxyInvalid,
  proxyNoProxyMissing,
  proxyTrustedCa,
  proxyDnsBlocked,
  proxyApiBypass,
  proxyNoComputeNodes,
  egressFirewallName,
  egressFirewallDuplicate,
  egressFirewallLimit,
  egressFirewallRuleInvalid,
  egressFirewallShadowed,
  egressFirewallApiBlocked,
  egressFirewallDns,
  egressIpInvalid,
  egressIpPlatform,
  egressIpNodes,
  egressRouterInvalid,
  egressRouterPlatform,
  hybridOverlayOverlap,
  hybridOverlayPort,
  hybridOverlayPlatform,
  ipsecDayTwo,
  serviceTrafficPolicy,
  migrationMtu,
  migrationPorts,
  migrationOrder,
  immutableField,
  networkPolicyInvalid,
  objectInvalid,
  isolationDefaultDeny,
  isolationFlowBlocked,
  isolationFlowExcess,
  podPrivileged,
  podHostPath,
  podHostNetwork,
  podHostPid,
  podHostPort,
  podCapabilities,
  podUser,
  podSelinux,
  dedicatedNodes,
];

/** Every rule, in the order in which findings are listed. */
export const rules: readonly Rule[] = judging.map(withValueTypes);

export * from "../gate/clusters";
export * from "../gate/configuration";
export * from "../gate/exemptions";
export * from "../gate/judgedResources";
export * from "../gate/rule";
export * from "../gate/verdict";
