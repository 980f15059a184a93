import { overlap, readBlock, type Prefix } from "../../address";
import type { Protocol } from "../../requirements/vocabulary";
import type { RuleView } from "../../resources/egressFirewallRules";
import type { Resource, UnknownValue } from "../../resources/resource";
import { firewallRulesFilter, rulesOfFirewall, type AddressesOfNames, type FirewallRules } from "../filters";
import type { Clause } from "../filters/filter";
import {
  difference,
  intersection,
  isEmpty,
  packets,
  servicesOf,
  type Packet,
  type PacketSet,
} from "../packets";
import { Proof, prove } from "../proof/prove";
import { fewestRules, surplusRules, type SurplusRule } from "./surplus";

/** What lies around an egress firewall. */
export interface FirewallSurroundings {
  /** Destinations in it are exempt from rules with addresses. Absent: unknown. */
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
  /** Which of its addresses the names and nodes of a rule have. Absent: unknown. */
  addressesOf?: AddressesOfNames;
}

/** A rule that keeps pods from an endpoint. */
export interface FirewallDenial {
  clause: Clause;
  /** What it drops, and no rule before it. */
  packets: PacketSet;
}

/** What an egress firewall does to an endpoint. */
export interface FirewallVerdict {
  endpoint: FirewallEndpoint;
  proof: Proof;
  /** A packet that is dropped. */
  packet?: Packet;
  /** The rules that drop packets to it, in their order; empty where none surely does. */
  denials: readonly FirewallDenial[];
  /** True where every packet to it is dropped. */
  isCutOff: boolean;
  /** The values that decide. */
  values: readonly UnknownValue[];
}

/** What can be said of an egress firewall that OVN-Kubernetes can read. */
export interface FirewallAnalysis {
  /** Rules that can all be taken out together without a packet noticing. */
  surplus: readonly SurplusRule[];
  /** How many rules do the same; undefined where a rule is not known or cannot be read. */
  fewest: number | undefined;
  endpoints: readonly FirewallVerdict[];
}

/**
 * Analyses an EgressFirewall object. One rule that OVN-Kubernetes cannot read leaves the whole object unapplied: then this is
 * what it would do.
 */
export const analyseEgressFirewall = (
  firewall: Resource,
  surroundings: FirewallSurroundings = {},
): FirewallAnalysis => {
  const rules = rulesOfFirewall(firewall);
  const { clusterNetwork, endpoints = [] } = surroundings;
  return {
    surplus: surplusRules(rules, clusterNetwork ?? []),
    fewest: fewestRules(rules, clusterNetwork ?? []),
    endpoints: endpoints.map((endpoint) => endpointVerdict(rules, endpoint, clusterNetwork)),
  };
};

/** What rules of an egress firewall do to an endpoint. */
export function endpointVerdict(
  rules: FirewallRules,
  endpoint: FirewallEndpoint,
  clusterNetwork: readonly Prefix[] | undefined,
): FirewallVerdict {
  const { protocol, port, prefixes, addressesOf } = endpoint;
  const views = rules.views.filter((view) => mayConcern(view, prefixes));
  const filter = firewallRulesFilter({ ...rules, views }, clusterNetwork, addressesOf);
  const services = ([4, 6] as const).map((family) => servicesOf(protocol, { from: port, to: port }, family));
  const required = packets({ services, destinations: prefixes });
  const verdict = prove(required, [filter]);
  const { proof } = verdict;
  if (proof !== Proof.Refuted) {
    const values = proof === Proof.Unknown ? verdict.values : [];
    return { endpoint, proof, denials: [], isCutOff: false, values };
  }
  const { packet, dropped } = verdict;
  const denials = denialsIn(filter.clauses, dropped);
  return { endpoint, proof, packet, denials, isCutOff: isEmpty(difference(required, dropped)), values: [] };
}

/** Most rules are about other addresses, and there are many: those need no packets. */
function mayConcern({ cidr }: RuleView, prefixes: readonly Prefix[]): boolean {
  const block = typeof cidr.value === "string" ? readBlock(cidr.value) : undefined;
  return !block || prefixes.some((prefix) => overlap(prefix, block));
}

/** Which rule drops which of these packets, all of which are dropped for sure: the first that surely matches. */
function denialsIn(clauses: readonly Clause[], dropped: PacketSet): FirewallDenial[] {
  const denials: FirewallDenial[] = [];
  let open = dropped;
  for (const clause of clauses) {
    if (isEmpty(open)) break;
    const taken = intersection(open, clause.sure);
    if (isEmpty(taken)) continue;
    denials.push({ clause, packets: taken });
    open = difference(open, taken);
  }
  return denials;
}
