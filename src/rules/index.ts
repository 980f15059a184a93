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
import { networkCapacity } from "./networkCapacity";
import { nodePortRange } from "./nodePortRange";
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
import type { Rule } from "./rule";
import { serviceTrafficPolicy } from "./serviceTrafficPolicy";

/** Every rule, in the order in which findings are listed. */
export const rules: readonly Rule[] = [
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
  proxyInvalid,
  proxyNoProxyMissing,
  proxyTrustedCa,
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
  isolationDefaultDeny,
  isolationFlowBlocked,
  isolationFlowExcess,
  serviceTrafficPolicy,
  podPrivileged,
  podHostPath,
  podHostNetwork,
  podHostPid,
  podHostPort,
  podCapabilities,
  podUser,
  podSelinux,
];

export * from "./clusters";
export * from "./configuration";
export * from "./exemptions";
export * from "./judgedResources";
export * from "./rule";
export * from "./verdict";
