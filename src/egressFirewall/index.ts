export { EgressFirewallProtocol, EgressFirewallRuleType } from "../resources/egressFirewallRules";
export * from "./egressFirewall";
export * from "./faults";
export * from "./warnings";
export * from "./judge";
