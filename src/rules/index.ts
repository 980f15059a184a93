import { bootstrapPortOpen } from "../securityGroups/rules/bootstrapPortOpen";
import { cidrInvalid } from "../addressRanges/rules/cidrInvalid";
import { cidrOverlap } from "../addressRanges/rules/cidrOverlap";
import { cidrReservedOverlap } from "../addressRanges/rules/cidrReservedOverlap";
import { egressFirewallApiBlocked } from "../egressFirewall/rules/egressFirewallApiBlocked";
import { egressFirewallDns } from "../egressFirewall/rules/egressFirewallDns";
import { egressFirewallDuplicate } from "../egressFirewall/rules/egressFirewallDuplicate";
import { egressFirewallLimit } from "../egressFirewall/rules/egressFirewallLimit";
import { egressFirewallName } from "../egressFirewall/rules/egressFirewallName";
import { egressFirewallRuleInvalid } from "../egressFirewall/rules/egressFirewallRuleInvalid";
import { egressFirewallShadowed } from "../egressFirewall/rules/egressFirewallShadowed";
import { egressIpInvalid } from "../egressIp/rules/egressIpInvalid";
import { egressIpNodes } from "../egressIp/rules/egressIpNodes";
import { egressIpPlatform } from "../egressIp/rules/egressIpPlatform";
import { egressRouterInvalid } from "../egressRouter/rules/egressRouterInvalid";
import { egressRouterPlatform } from "../egressRouter/rules/egressRouterPlatform";
import { isolationDefaultDeny } from "../isolation/rules/isolationDefaultDeny";
import { isolationFlowBlocked } from "../isolation/rules/isolationFlowBlocked";
import { isolationFlowExcess } from "../isolation/rules/isolationFlowExcess";
import { networkPolicyInvalid } from "../isolation/rules/networkPolicyInvalid";
import { networkCapacity } from "../addressRanges/rules/networkCapacity";
import { nodePortRange } from "../hostedCluster/rules/nodePortRange";
import { objectInvalid } from "./objectInvalid";
import { ovnSubnetCapacity } from "../ovnSubnets/rules/ovnSubnetCapacity";
import { ovnSubnetInvalid } from "../ovnSubnets/rules/ovnSubnetInvalid";
import { ovnSubnetRelease } from "../ovnSubnets/rules/ovnSubnetRelease";
import { portExcess } from "../securityGroups/rules/portExcess";
import { podCapabilities } from "../isolation/rules/podCapabilities";
import { podHostNetwork } from "../isolation/rules/podHostNetwork";
import { podHostPath } from "../isolation/rules/podHostPath";
import { podHostPid } from "../isolation/rules/podHostPid";
import { podHostPort } from "../isolation/rules/podHostPort";
import { podPrivileged } from "../isolation/rules/podPrivileged";
import { podSelinux } from "../isolation/rules/podSelinux";
import { podUser } from "../isolation/rules/podUser";
import { portLocalhostOnly } from "../securityGroups/rules/portLocalhostOnly";
import { portMissing } from "../securityGroups/rules/portMissing";
import { portPublic } from "../securityGroups/rules/portPublic";
import { proxyApiBypass } from "../proxy/rules/proxyApiBypass";
import { proxyInvalid } from "../proxy/rules/proxyInvalid";
import { proxyNoComputeNodes } from "../proxy/rules/proxyNoComputeNodes";
import { proxyNoProxyMissing } from "../proxy/rules/proxyNoProxyMissing";
import { proxyTrustedCa } from "../proxy/rules/proxyTrustedCa";
import { publishingUnsupported } from "../hostedCluster/rules/publishingUnsupported";
import { securityGroupMixedRules } from "../securityGroups/rules/securityGroupMixedRules";
import { securityGroupQuota } from "../securityGroups/rules/securityGroupQuota";
import { proxyDnsBlocked } from "../proxy/rules/proxyDnsBlocked";
import { hostedClusterName } from "../hostedCluster/rules/hostedClusterName";
import { hybridOverlayOverlap } from "../networkOperator/rules/hybridOverlayOverlap";
import { hybridOverlayPort } from "../networkOperator/rules/hybridOverlayPort";
import { hybridOverlayPlatform } from "../networkOperator/rules/hybridOverlayPlatform";
import { ipsecDayTwo } from "../networkOperator/rules/ipsecDayTwo";
import { migrationMtu } from "../networkTypeMigration/rules/migrationMtu";
import { migrationPorts } from "../networkTypeMigration/rules/migrationPorts";
import { migrationOrder } from "../networkTypeMigration/rules/migrationOrder";
import { immutableField } from "../hostedCluster/rules/immutableField";
import { dedicatedNodes } from "../dedicatedNodes/rules/dedicatedNodes";
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
