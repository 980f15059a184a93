import { EGRESS_FIREWALL_NAME } from "../requirements/names";
import { NODE_API_PORT } from "../requirements/publishedServices";
import {
  EgressFirewallProtocol,
  EgressFirewallRuleType,
  type RuleView,
  unappliedRules,
} from "../objects/egressFirewallRules";
import { isGiven } from "../resources/read";
import {
  labelSelectorObject,
  type LabelSelectorObject,
  type PlainLabelSelector,
} from "../objects/labelSelector";
import type { FirewallRules } from "../reachability/filters/egressFirewall";
import { firstHost, type Prefix } from "../address";
import type { Fault } from "../fault";
import { blocksOf } from "../reachability/packets/print";
import { implicitRangeOf } from "../requirements/implicitRanges";
import { PORT } from "../requirements/ports";
import { Protocol } from "../requirements/vocabulary";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import type {
  FirewallDenial,
  FirewallEndpoint,
  FirewallVerdict,
} from "../reachability/egressFirewall/analyse";

/** One rule whose values are all known and valid. */
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

/** Converts a rule to an entry of the EgressFirewall object. */
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

/** The rules that keep the API server reachable: one for each of its addresses, only at its port. */
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

/** Wraps the rules of a component's args, which have no object yet. */
export function writtenRules(views: readonly RuleView[]): FirewallRules {
  const unapplied = unappliedRules(views);
  return {
    resource: {
      origin: {},
      type: "kubernetes:k8s.ovn.org/v1:EgressFirewall",
      name: EGRESS_FIREWALL_NAME,
      properties: {},
    },
    views,
    ...(unapplied && { unapplied }),
  };
}

/**
 * The addresses at which pods of a hosted cluster reach their API server by default: the cluster's advertise address, else the node-local
 * API proxy of the first service network's family. Without a service network: the IPv4 address, and the IPv6 address too if a rule has an
 * IPv6 block.
 */
export function defaultApiServerCidrs(
  views: readonly RuleView[],
  topology?: Pick<NormalizedTopology, "advertiseAddress" | "serviceNetwork">,
): string[] {
  const { advertiseAddress, serviceNetwork = [] } = topology ?? {};
  if (advertiseAddress) return [`${advertiseAddress.text}/${advertiseAddress.family === 4 ? 32 : 128}`];
  const [first] = serviceNetwork;
  if (first) return [implicitRangeOf(first.family === 4 ? ADVERTISED[0] : ADVERTISED[1]).cidr];
  return ADVERTISED.slice(0, hasIpv6Rules(views) ? 2 : 1).map((id) => implicitRangeOf(id).cidr);
}

/** Whether a rule has an IPv6 block, as in clusters that have IPv6. */
export const hasIpv6Rules = (views: readonly RuleView[]): boolean =>
  views.some(({ cidr }) => typeof cidr.value === "string" && cidr.value.includes(":"));

const ADVERTISED = ["advertise-address", "advertise-address-v6"] as const;

/** The API server as pods see it. Each node has its address for itself, so no DNS name and no node rule matches it. */
export const apiServerEndpoint = (prefixes: readonly Prefix[], port: number): FirewallEndpoint => ({
  name: "the API server",
  prefixes,
  protocol: Protocol.Tcp,
  port,
  addressesOf: () => [],
});

/** DNS servers outside the cluster network, as pods that query them directly see them. No DNS name matches them. */
export const dnsEndpoints = (prefixes: readonly Prefix[]): FirewallEndpoint[] =>
  [Protocol.Udp, Protocol.Tcp].map((protocol) => ({
    name: "the DNS server",
    prefixes,
    protocol,
    port: PORT.dns,
    addressesOf: ({ dnsName }) => (isGiven(dnsName.value) ? [] : undefined),
  }));

/** Faults of the rules that cut pods off from the API server. */
export function apiServerFaults(
  views: readonly RuleView[],
  { denials, endpoint: { port } }: FirewallVerdict,
  remedy: (prefix: Prefix) => string,
  placeOf = (address: Prefix): string => `at ${firstHost(address).text} port ${port}`,
): Fault[] {
  return denials.map((denial) => {
    const address = deniedAddress(denial);
    const denied = deniedBlock(views, denial);
    return {
      path: denial.clause.path,
      problem: `denies ${denied}, which includes the API server ${placeOf(address)}`,
      remedy: remedy(address),
    };
  });
}

/** The first address block of an endpoint that a rule denies. A denial always has packets, so there is one. */
export const deniedAddress = ({ packets }: FirewallDenial): Prefix =>
  blocksOf(packets).flatMap(({ destinations }) => destinations)[0]!;

/** The CIDR block of the denying rule, as it is written. */
export function deniedBlock(views: readonly RuleView[], { clause }: FirewallDenial): string {
  const value = views.find(({ path }) => path === clause.path)?.cidr.value;
  return typeof value === "string" ? value : "this destination";
}
