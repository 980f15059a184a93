import { bootstrapPortOpen } from "./bootstrapPortOpen";
import { cidrInvalid } from "./cidrInvalid";
import { cidrOverlap } from "./cidrOverlap";
import { cidrReservedOverlap } from "./cidrReservedOverlap";
import { egressFirewallApiBlocked } from "./egressFirewallApiBlocked";
import { egressFirewallDns } from "./egressFirewallDns";
import { egressFirewallDuplicate } from "./egressFirewallDuplicate";
import { egressFirewallLimit } from "./egressFirewallLimit";
import { egressFirewallName } from "./egressFirewallName";
import { egressFirewallRuleInvalid } from "./egressFirewallRuleInvalid";
import { egressFirewallShadowed } from "./egressFirewallShadowed";
import { egressIpInvalid } from "./egressIpInvalid";
import { egressIpNodes } from "./egressIpNodes";
import { egressIpPlatform } from "./egressIpPlatform";
import { egressRouterInvalid } from "./egressRouterInvalid";
import { egressRouterPlatform } from "./egressRouterPlatform";
import { isolationDefaultDeny } from "./isolationDefaultDeny";
import { isolationFlowBlocked } from "./isolationFlowBlocked";
import { isolationFlowExcess } from "./isolationFlowExcess";
import { networkPolicyInvalid } from "./networkPolicyInvalid";
import { networkCapacity } from "./networkCapacity";
import { nodePortRange } from "./nodePortRange";
import { objectInvalid } from "./objectInvalid";
import { ovnSubnetCapacity } from "./ovnSubnetCapacity";
import { ovnSubnetInvalid } from "./ovnSubnetInvalid";
import { ovnSubnetRelease } from "./ovnSubnetRelease";
import { portExcess } from "./portExcess";
import { podCapabilities } from "./podCapabilities";
import { podHostNetwork } from "./podHostNetwork";
import { podHostPath } from "./podHostPath";
import { podHostPid } from "./podHostPid";
import { podHostPort } from "./podHostPort";
import { podPrivileged } from "./podPrivileged";
import { podSelinux } from "./podSelinux";
import { podUser } from "./podUser";
import { portLocalhostOnly } from "./portLocalhostOnly";
import { portMissing } from "./portMissing";
import { portPublic } from "./portPublic";
import { proxyApiBypass } from "./proxyApiBypass";
import { proxyInvalid } from "./proxyInvalid";
import { proxyNoComputeNodes } from "./proxyNoComputeNodes";
import { proxyNoProxyMissing } from "./proxyNoProxyMissing";
import { proxyTrustedCa } from "./proxyTrustedCa";
import { publishingUnsupported } from "./publishingUnsupported";
import { securityGroupMixedRules } from "./securityGroupMixedRules";
import { securityGroupQuota } from "./securityGroupQuota";
import { proxyDnsBlocked } from "./proxyDnsBlocked";
import { hostedClusterName } from "./hostedClusterName";
import { hybridOverlayOverlap } from "./hybridOverlayOverlap";
import { hybridOverlayPort } from "./hybridOverlayPort";
import { hybridOverlayPlatform } from "./hybridOverlayPlatform";
import { ipsecDayTwo } from "./ipsecDayTwo";
import { migrationMtu } from "./migrationMtu";
import { migrationPorts } from "./migrationPorts";
import { migrationOrder } from "./migrationOrder";
import { immutableField } from "./immutableField";
import { dedicatedNodes } from "./dedicatedNodes";
import type { Rule } from "./rule";
import { withValueTypes } from "./withValueTypes";
import { serviceTrafficPolicy } from "./serviceTrafficPolicy";

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

export * from "./clusters";
export * from "./configuration";
export * from "./exemptions";
export * from "./judgedResources";
export * from "./rule";
export * from "./verdict";
