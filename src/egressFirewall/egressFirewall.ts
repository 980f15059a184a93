import { NODE_API_PORT } from "../requirements/publishedServices";
import { EgressFirewallProtocol, EgressFirewallRuleType } from "../resources/egressFirewallRules";
import { isGiven } from "../objects/places";
import {
  labelSelectorObject,
  type LabelSelectorObject,
  type PlainLabelSelector,
} from "../objects/labelSelector/labelSelector";

/** One rule, all of whose values are known and right. */
export interface PlainEgressFirewallRule {
  type: EgressFirewallRuleType;
  cidr?: string;
  dnsName?: string;
  nodeLabels?: Readonly<Record<string, string>>;
  nodeSelector?: PlainLabelSelector;
  ports?: readonly { port: number; protocol: EgressFirewallProtocol }[];
}

/** One entry of `spec.egress` of an EgressFirewall object. */
export interface EgressFirewallEntry {
  type: EgressFirewallRuleType;
  to: { cidrSelector?: string; dnsName?: string; nodeSelector?: LabelSelectorObject };
  ports?: { port: number; protocol: EgressFirewallProtocol }[];
}

export const EGRESS_FIREWALL_API_VERSION = "k8s.ovn.org/v1";
export const EGRESS_FIREWALL_KIND = "EgressFirewall";

export { EGRESS_FIREWALL_NAME } from "../resources/egressFirewallRules";

/** A rule as OVN-Kubernetes writes it. */
export function egressFirewallEntry(rule: PlainEgressFirewallRule): EgressFirewallEntry {
  const { type, cidr, dnsName, nodeLabels, nodeSelector, ports } = rule;
  const to = {
    ...(isGiven(cidr) && { cidrSelector: cidr }),
    ...(isGiven(dnsName) && { dnsName }),
    ...(isGiven(nodeLabels) && { nodeSelector: { matchLabels: { ...nodeLabels } } }),
    ...(isGiven(nodeSelector) && { nodeSelector: labelSelectorObject(nodeSelector) }),
  };
  const written = ports?.map(({ port, protocol }) => ({ port, protocol })) ?? [];
  return { type, to, ...(written.length > 0 && { ports: written }) };
}

/** The rules that keep the API server reachable: one for each of its addresses, at its port alone. */
export function apiServerRules(
  cidrs: readonly string[],
  port: number = NODE_API_PORT,
): PlainEgressFirewallRule[] {
  return cidrs.map((cidr) => ({
    type: EgressFirewallRuleType.Allow,
    cidr,
    ports: [{ port, protocol: EgressFirewallProtocol.TCP }],
  }));
}
