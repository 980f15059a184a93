import { overlap, parsePrefix, subtract, type Prefix } from "../../address";
import { UNKNOWN } from "../../resources/resource";
import { entriesOf, isGiven, propertyOf } from "../places";
import { EgressFirewallProtocol, EgressFirewallRuleType } from "./egressFirewall";
import type { RuleView } from "./view";

/** Where something listens outside the cluster network. */
export interface Endpoint {
  prefixes: readonly Prefix[];
  protocol: EgressFirewallProtocol;
  port: number;
}

/** A rule that keeps pods from addresses of an endpoint. */
export interface Denial {
  rule: RuleView;
  /** What the rule denies. */
  prefix: Prefix;
  /** The addresses of the endpoint, some of which are denied. */
  address: Prefix;
}

/**
 * The rules that cut pods off from an endpoint: the first match wins, so a Deny counts for the addresses that no Allow
 * before it covers. What a rule with an unknown value may allow or deny is left open.
 */
export function denialsOf(views: readonly RuleView[], endpoint: Endpoint): Denial[] {
  const denials: Denial[] = [];
  let open: readonly Prefix[] = endpoint.prefixes;
  for (const rule of views) {
    if (open.length === 0 || concerns(rule, endpoint) === false) continue;
    const { prefix } = typeof rule.cidr.value === "string" ? parsePrefix(rule.cidr.value) : {};
    const mayAllow = rule.type.value !== EgressFirewallRuleType.Deny;
    if (!prefix || rule.type.value === UNKNOWN || concerns(rule, endpoint) === undefined) {
      // A rule that may allow everything leaves nothing that could be said of the rules behind it.
      if (mayAllow && isOpenEnded(rule, endpoint)) return denials;
      continue;
    }
    const address = open.find((candidate) => overlap(prefix, candidate));
    if (!address) continue;
    if (!mayAllow) denials.push({ rule, prefix, address });
    open = open.flatMap((candidate) => subtract([candidate], [prefix]));
  }
  return denials;
}

/** Whether a rule is about the port of an endpoint; undefined where that is not known. */
function concerns({ ports, value }: RuleView, { port, protocol }: Endpoint): boolean | undefined {
  if (value === UNKNOWN || ports.value === UNKNOWN) return undefined;
  const entries = entriesOf(ports.value);
  if (!isGiven(ports.value) || entries.length === 0) return true;
  const matches = entries.map((entry) => {
    const parts = [propertyOf(entry, "port"), propertyOf(entry, "protocol")];
    if (entry === UNKNOWN || parts.includes(UNKNOWN)) return undefined;
    return parts[0] === port && parts[1] === protocol;
  });
  if (matches.includes(true)) return true;
  return matches.includes(undefined) ? undefined : false;
}

/** Whether a rule could allow the endpoint, for all that is known of it. */
function isOpenEnded(rule: RuleView, endpoint: Endpoint): boolean {
  if (rule.value === UNKNOWN || rule.cidr.value === UNKNOWN) return true;
  const typeOrPortsUnknown = rule.type.value === UNKNOWN || concerns(rule, endpoint) === undefined;
  return typeOrPortsUnknown && isGiven(rule.cidr.value);
}
