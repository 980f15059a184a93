import { BITS, overlap, type Prefix, readBlock, subtract, FAMILIES } from "../../address";
import type { Protocol } from "../../requirements/vocabulary";
import { EgressFirewallRuleType, type RuleView } from "../../objects/egressFirewallRules";
import { UNKNOWN, type UnknownValue } from "../../resources/resource";
import { type AddressesOfNames, type FirewallRules, firewallRulesFilter } from "../filters/egressFirewall";
import type { Clause } from "../filters/filter";
import { difference, intersection, isEmpty, packets, type PacketSet } from "../packets/packetSet";
import type { Packet } from "../packets/example";
import { service, servicesOf, TRANSPORT_NUMBER } from "../packets/service";
import { Proof, prove } from "../proof/prove";
import { LIMIT } from "../../requirements/limits";
import { entriesOf, isGiven, propertyOf } from "../../resources/read";
import { minimised, Surplus, surplusOf } from "../firstMatch/surplus";
import type { OrderedRule } from "../firstMatch/trie";

/** A destination outside the cluster network that pods must reach. */
export interface FirewallEndpoint {
  /** `the API server`. */
  name: string;
  prefixes: readonly Prefix[];
  protocol: Protocol;
  port: number;
  /** Which of its addresses belong to the DNS names and nodes of a rule. Absent: unknown. */
  addressesOf?: AddressesOfNames;
}

/** A rule that keeps pods from an endpoint. */
export interface FirewallDenial {
  clause: Clause;
  /** The packets that it drops and no earlier rule does. */
  packets: PacketSet;
}

/** The effect of an egress firewall on an endpoint. */
export interface FirewallVerdict {
  endpoint: FirewallEndpoint;
  proof: Proof;
  /** An example of a dropped packet. */
  packet?: Packet;
  /** The rules that drop packets to it, in order; empty if none certainly does. */
  denials: readonly FirewallDenial[];
  /** True if every packet to it is dropped. */
  isCutOff: boolean;
  /** The values that decide, if the verdict is unknown. */
  values: readonly UnknownValue[];
}

/** Determines the effect of rules of an egress firewall on an endpoint. */
export function endpointVerdict(
  rules: FirewallRules,
  endpoint: FirewallEndpoint,
  clusterNetwork: readonly Prefix[] | undefined,
): FirewallVerdict {
  const { protocol, port, prefixes, addressesOf } = endpoint;
  const views = rules.views.filter((view) => mayConcern(view, prefixes));
  const filter = firewallRulesFilter({ ...rules, views }, clusterNetwork, addressesOf);
  const services = FAMILIES.map((family) => servicesOf(protocol, { from: port, to: port }, family));
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

/** Whether a rule may match an endpoint. Most of the many rules do not, and need no packet sets. */
function mayConcern({ cidr }: RuleView, prefixes: readonly Prefix[]): boolean {
  const block = typeof cidr.value === "string" ? readBlock(cidr.value) : undefined;
  return !block || prefixes.some((prefix) => overlap(prefix, block));
}

/** Assigns packets that are certainly dropped to the first rule that certainly matches them. */
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

/** A rule that can be removed. */
export interface SurplusRule {
  /** `spec.egress[3]` */
  path: string;
  why: Surplus;
  /** True if it is only for the cluster network, which no rule with addresses matches. */
  isExempt: boolean;
  /** Earlier rules that decide for its packets; empty if the cluster network is exempt, or if later rules have the same effect. */
  by: readonly string[];
}

/** A rule that can be read, with its view. */
interface ReadRule {
  view: RuleView;
  rule: OrderedRule;
}

/**
 * Lists the rules that can all be removed together. A rule that cannot be read may match anything and do anything: in a list with
 * such a rule, only shadowed rules are reported.
 */
export function surplusRules(rules: FirewallRules, exempt: readonly Prefix[]): SurplusRule[] {
  const read = readable(rules);
  const whys = surplusOf(
    read.map(({ rule }) => rule),
    exempt,
  );
  const isAll = isWhole(rules, read);
  const takers = new Takers(read);
  return whys.flatMap((why, position): SurplusRule[] =>
    why === undefined || (!isAll && why !== Surplus.Shadowed)
      ? []
      : [surplusRule(read, position, why, exempt, takers)],
  );
}

/** How many rules suffice to allow exactly the same; undefined if a rule is not known or cannot be read. */
export function fewestRules(rules: FirewallRules, exempt: readonly Prefix[]): number | undefined {
  const read = readable(rules);
  const ordered = read.map(({ rule }) => rule);
  return isWhole(rules, read) ? minimised(ordered, exempt).length : undefined;
}

const readable = ({ views }: FirewallRules): ReadRule[] =>
  views.flatMap((view) => {
    const rule = orderedRule(view);
    return rule ? [{ view, rule }] : [];
  });

const isWhole = ({ views, unknownList }: FirewallRules, read: readonly ReadRule[]): boolean =>
  unknownList === undefined && read.length === views.length;

function surplusRule(
  read: readonly ReadRule[],
  position: number,
  why: Surplus,
  exempt: readonly Prefix[],
  takers: Takers,
): SurplusRule {
  const { view, rule } = read[position]!;
  const isExempt = rule.prefix !== undefined && subtract([rule.prefix], exempt).length === 0;
  if (why !== Surplus.Shadowed || isExempt) return { path: view.path, why, isExempt, by: [] };
  const whole = takers.wholeOf(rule, position);
  const by =
    whole === undefined ? read.slice(0, position).filter((one) => takesOf(rule, one.rule)) : [read[whole]!];
  return { path: view.path, why, isExempt, by: by.map((one) => one.view.path) };
}

/** An index of the first rule for each block and service, or all services, so that thousands of rules need no pairwise comparison. */
class Takers {
  readonly #first = new Map<string, number>();
  /** The prefix lengths of the rules' blocks: there are few. */
  readonly #lengths = new Set<number>();

  constructor(read: readonly ReadRule[]) {
    read.forEach(({ rule: { prefix, services } }, position) => {
      if (!prefix) return;
      this.#lengths.add(prefix.length);
      for (const about of services.length > 0 ? services : [EVERY_SERVICE]) {
        const key = keyOf(about, prefix, prefix.length);
        if (!this.#first.has(key)) this.#first.set(key, position);
      }
    });
  }

  /** The first rule before a position that by itself decides for everything that a rule matches. */
  wholeOf({ prefix, services }: OrderedRule, position: number): number | undefined {
    if (!prefix) return undefined;
    const about = services.length === 1 ? [EVERY_SERVICE, services[0]!] : [EVERY_SERVICE];
    let first = position;
    for (const length of this.#lengths)
      if (length <= prefix.length)
        for (const one of about)
          first = Math.min(first, this.#first.get(keyOf(one, prefix, length)) ?? first);
    return first < position ? first : undefined;
  }
}

const EVERY_SERVICE = "*";

/** A key of a service and of the block of some length that contains a block. */
const keyOf = (about: number | string, { family, start }: Prefix, length: number): string =>
  `${about} ${family}/${length}/${start >> BigInt(BITS[family] - length)}`;

/** Whether an earlier rule decides for a part of a rule. */
const takesOf = (rule: OrderedRule, { prefix, services }: OrderedRule): boolean =>
  prefix !== undefined &&
  (!rule.prefix || overlap(prefix, rule.prefix)) &&
  (services.length === 0 || services.some((one) => rule.services.includes(one)));

const isPort = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= LIMIT.port.min && Number(value) <= LIMIT.port.max;

/** The rule; undefined if a part of it is not known or cannot be read. */
function orderedRule({ type, cidr, ports }: RuleView): OrderedRule | undefined {
  if (ports.value === UNKNOWN) return undefined;
  const isAllow = type.value === EgressFirewallRuleType.Allow;
  if (!isAllow && type.value !== EgressFirewallRuleType.Deny) return undefined;
  const prefix = typeof cidr.value === "string" ? readBlock(cidr.value) : undefined;
  if (isGiven(cidr.value) && !prefix) return undefined;
  const services = entriesOf(ports.value).map((entry) => {
    const [port, protocol] = [propertyOf(entry, "port"), propertyOf(entry, "protocol")];
    const number = typeof protocol === "string" ? TRANSPORT_NUMBER[protocol] : undefined;
    return number !== undefined && isPort(port) ? service(number, { from: port, to: port }).from : undefined;
  });
  const known = services.flatMap((one) => one ?? []);
  if (known.length < services.length) return undefined;
  return { allow: isAllow, ...(prefix && { prefix }), services: known };
}
