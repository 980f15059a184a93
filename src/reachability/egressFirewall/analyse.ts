import { contains, overlap, readPrefix, type Prefix } from "../../address";
import type { Fault } from "../../fault";
import { egressFirewallObjectFaults } from "../../manifests/egressFirewall/faults";
import { EgressFirewallRuleType } from "../../manifests/egressFirewall/egressFirewall";
import { viewsOfEntries, type RuleView } from "../../manifests/egressFirewall/view";
import { entriesOf, isGiven, propertyOf } from "../../manifests/places";
import { Protocol } from "../../requirements/vocabulary";
import { readValue } from "../../resources/read";
import { UNKNOWN, type Resource } from "../../resources/resource";
import type { UnknownValue } from "../../resources/unknownValue";
import { egressFirewallFilter, type Clause } from "../filters";
import { Surplus, surplusOf, type OrderedRule } from "../firstMatch";
import { TRANSPORT_NUMBER, packets, service, servicesOf, type Packet } from "../packets";
import { Proof, prove } from "../proof";

/** What lies around an egress firewall. */
export interface FirewallSurroundings {
  /** Destinations in it are exempt from rules with addresses. Absent: nobody knows it. */
  clusterNetwork?: readonly Prefix[];
  /** What pods of the namespace have to reach. */
  endpoints?: readonly FirewallEndpoint[];
}

/** Something that pods have to reach outside the cluster network. */
export interface FirewallEndpoint {
  /** `the API server`. */
  name: string;
  prefixes: readonly Prefix[];
  protocol: Protocol;
  port: number;
}

/** A rule that can be left out. */
export interface SurplusRule {
  /** `spec.egress[3]` */
  path: string;
  why: Surplus;
  /** Rules before it that take what it is about; empty where the cluster network does, or where rules behind it do the same. */
  by: readonly string[];
}

/** What an egress firewall does to an endpoint. */
export interface FirewallVerdict {
  endpoint: FirewallEndpoint;
  proof: Proof;
  /** A packet that is dropped. */
  packet?: Packet;
  /** The rule that drops it. */
  clause?: Clause;
  /** The values that decide. */
  values: readonly UnknownValue[];
}

/** What can be said of an egress firewall without a cluster. */
export interface FirewallAnalysis {
  /** Why OVN-Kubernetes leaves the whole object unapplied: one rule that it cannot read is enough. */
  faults: readonly Fault[];
  /** Rules that can all be taken out together without a packet noticing. */
  surplus: readonly SurplusRule[];
  endpoints: readonly FirewallVerdict[];
}

/** Analyses an EgressFirewall object. While it has faults nothing of it is applied: the rest is then about what it would do. */
export function analyseEgressFirewall(
  firewall: Resource,
  { clusterNetwork, endpoints = [] }: FirewallSurroundings = {},
): FirewallAnalysis {
  const views = viewsOfEntries(readValue(firewall.properties, "spec.egress"));
  const filter = egressFirewallFilter(firewall, clusterNetwork);
  return {
    faults: egressFirewallObjectFaults(firewall.properties),
    surplus: surplusRules(views, clusterNetwork ?? []),
    endpoints: endpoints.map((endpoint) => {
      const { protocol, port, prefixes } = endpoint;
      const services = ([4, 6] as const).map((family) =>
        servicesOf(protocol, { from: port, to: port }, family),
      );
      const verdict = prove(packets({ services, destinations: prefixes }), [filter]);
      if (verdict.proof === Proof.Proved) return { endpoint, proof: verdict.proof, values: [] };
      if (verdict.proof === Proof.Unknown) return { endpoint, proof: verdict.proof, values: verdict.values };
      const { packet, decision } = verdict;
      return {
        endpoint,
        proof: verdict.proof,
        packet,
        ...(decision?.clause && { clause: decision.clause }),
        values: [],
      };
    }),
  };
}

function surplusRules(views: readonly RuleView[], exempt: readonly Prefix[]): SurplusRule[] {
  const read = views.map(orderedRule);
  // A rule that cannot be read may be about anything, and so may what it does: nothing is said of a list with one.
  const rules = read.flatMap((rule) => rule ?? []);
  if (rules.length < read.length) return [];
  return surplusOf(rules, exempt).flatMap((why, position) =>
    why === undefined
      ? []
      : [{ path: views[position]!.path, why, by: takers(rules, position, why, exempt, views) }],
  );
}

/** The rule, or undefined where something of it is not known or cannot be read. */
function orderedRule({ type, cidr, ports, value }: RuleView): OrderedRule | undefined {
  if (value === UNKNOWN || cidr.value === UNKNOWN || ports.value === UNKNOWN) return undefined;
  const isAllow = type.value === EgressFirewallRuleType.Allow;
  if (!isAllow && type.value !== EgressFirewallRuleType.Deny) return undefined;
  const prefix = typeof cidr.value === "string" ? readPrefix(cidr.value) : undefined;
  if (isGiven(cidr.value) && !prefix) return undefined;
  const services = entriesOf(ports.value).map((entry) => {
    const [port, protocol] = [propertyOf(entry, "port"), propertyOf(entry, "protocol")];
    const number = typeof protocol === "string" ? TRANSPORT_NUMBER[protocol] : undefined;
    return number !== undefined && typeof port === "number"
      ? service(number, { from: port, to: port }).from
      : undefined;
  });
  const known = services.flatMap((one) => one ?? []);
  if (known.length < services.length) return undefined;
  return { allow: isAllow, ...(prefix && { prefix }), services: known };
}

/** The rules before a shadowed one that take something of it. */
function takers(
  rules: readonly OrderedRule[],
  position: number,
  why: Surplus,
  exempt: readonly Prefix[],
  views: readonly RuleView[],
): string[] {
  const rule = rules[position]!;
  const isExempt = rule.prefix && exempt.some((prefix) => contains(prefix, rule.prefix!));
  if (why !== Surplus.Shadowed || isExempt) return [];
  const takes = ({ prefix, services }: OrderedRule) =>
    prefix &&
    (!rule.prefix || overlap(prefix, rule.prefix)) &&
    (services.length === 0 || services.some((one) => rule.services.includes(one)));
  return rules.slice(0, position).flatMap((one, i) => (takes(one) ? [views[i]!.path] : []));
}
