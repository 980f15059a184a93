import type { Prefix } from "../../address";
import type { Fault } from "../../fault";
import { implicitRangeOf } from "../../requirements/implicitRanges";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { EgressFirewallProtocol } from "./egressFirewall";
import { denialsOf } from "./firstMatch";
import type { RuleView } from "./view";

/** Where pods reach the API server. */
export interface ApiServerEndpoint {
  prefixes: readonly Prefix[];
  /** TCP port. */
  port: number;
}

/**
 * The addresses at which pods of a hosted cluster reach their API server where nothing else is said: the one that the
 * cluster advertises, else that of the node-local API proxy. The IPv6 one counts where the firewall speaks of IPv6.
 */
export function defaultApiServerCidrs(
  views: readonly RuleView[],
  { advertiseAddress }: Pick<NormalizedTopology, "advertiseAddress"> = {},
): string[] {
  if (advertiseAddress) return [`${advertiseAddress.text}/${advertiseAddress.family === 4 ? 32 : 128}`];
  const ipv6 = views.some(({ cidr }) => typeof cidr.value === "string" && cidr.value.includes(":"));
  const ids = ipv6 ? ["advertise-address", "advertise-address-v6"] : ["advertise-address"];
  return ids.map((id) => implicitRangeOf(id).cidr);
}

/** The rules that cut pods off from the API server. */
export function apiServerFaults(
  views: readonly RuleView[],
  { prefixes, port }: ApiServerEndpoint,
  remedy: (prefix: Prefix) => string,
): Fault[] {
  const endpoint = { prefixes, port, protocol: EgressFirewallProtocol.TCP };
  return denialsOf(views, endpoint).map(({ rule, prefix, address }) => ({
    path: rule.path,
    problem: `denies ${prefix.text}, and with it the API server at ${address.first()} port ${port}`,
    remedy: remedy(address),
  }));
}
