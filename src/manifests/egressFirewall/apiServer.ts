import { overlap, parsePrefix, subtract, type Prefix } from "../../address";
import type { Fault } from "../../fault";
import { implicitRangeOf } from "../../requirements/implicitRanges";
import { UNKNOWN } from "../../resources/resource";
import { entriesOf, isGiven, propertyOf } from "../places";
import { EgressFirewallProtocol, EgressFirewallRuleType } from "./egressFirewall";
import type { RuleView } from "./view";

/** Where pods reach the API server. */
export interface ApiServerEndpoint {
  prefixes: readonly Prefix[];
  /** TCP port. */
  port: number;
}

/**
 * The addresses at which pods of a hosted cluster reach their API server where nothing else is said: that of the
 * node-local API proxy. The IPv6 one counts where the firewall speaks of IPv6.
 */
export function defaultApiServerCidrs(views: readonly RuleView[]): string[] {
  const ipv6 = views.some(({ cidr }) => typeof cidr.value === "string" && cidr.value.includes(":"));
  const ids = ipv6 ? ["advertise-address", "advertise-address-v6"] : ["advertise-address"];
  return ids.map((id) => implicitRangeOf(id).cidr);
}

/**
 * The rules that cut pods off from the API server: the first match wins, so a Deny counts for the addresses that no
 * Allow before it covers. What a rule with an unknown value may allow or deny is left open.
 */
export function apiServerFaults(
  views: readonly RuleView[],
  { prefixes, port }: ApiServerEndpoint,
  remedy: (prefix: Prefix) => string,
): Fault[] {
  const faults: Fault[] = [];
  let open: readonly Prefix[] = prefixes;
  for (const rule of views) {
    if (open.length === 0 || concernsPort(rule, port) === false) continue;
    const { prefix } = typeof rule.cidr.value === "string" ? parsePrefix(rule.cidr.value) : {};
    const mayAllow = rule.type.value !== EgressFirewallRuleType.Deny;
    if (!prefix || rule.type.value === UNKNOWN || concernsPort(rule, port) === undefined) {
      // A rule that may allow everything leaves nothing that could be said of the rules behind it.
      if (mayAllow && isOpenEnded(rule, port)) return faults;
      continue;
    }
    const hit = open.find((address) => overlap(prefix, address));
    if (!hit) continue;
    if (!mayAllow) faults.push(blocked(rule, prefix, hit, port, remedy));
    open = open.flatMap((address) => subtract([address], [prefix]));
  }
  return faults;
}

function blocked(
  { path }: RuleView,
  prefix: Prefix,
  address: Prefix,
  port: number,
  remedy: (prefix: Prefix) => string,
): Fault {
  const problem = `denies ${prefix.text}, and with it the API server at ${address.first()} port ${port}`;
  return { path, problem, remedy: remedy(address) };
}

/** Whether a rule is about a TCP port; undefined where that is not known. */
function concernsPort({ ports, value }: RuleView, port: number): boolean | undefined {
  if (value === UNKNOWN || ports.value === UNKNOWN) return undefined;
  const entries = entriesOf(ports.value);
  if (!isGiven(ports.value) || entries.length === 0) return true;
  const matches = entries.map((entry) => {
    const parts = [propertyOf(entry, "port"), propertyOf(entry, "protocol")];
    if (entry === UNKNOWN || parts.includes(UNKNOWN)) return undefined;
    return parts[0] === port && parts[1] === EgressFirewallProtocol.TCP;
  });
  if (matches.includes(true)) return true;
  return matches.includes(undefined) ? undefined : false;
}

/** Whether a rule could allow the API server, for all that is known of it. */
function isOpenEnded(rule: RuleView, port: number): boolean {
  if (rule.value === UNKNOWN || rule.cidr.value === UNKNOWN) return true;
  const typeOrPortsUnknown = rule.type.value === UNKNOWN || concernsPort(rule, port) === undefined;
  return typeOrPortsUnknown && isGiven(rule.cidr.value);
}
