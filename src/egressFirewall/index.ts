export { EgressFirewallProtocol, EgressFirewallRuleType } from "../resources/egressFirewallRules";
export * from "./apiServer";
export * from "./egressFirewall";
export * from "./faults";
export * from "./warnings";
export * from "./judge";
