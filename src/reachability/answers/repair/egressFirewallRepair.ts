import type { Resource } from "../../../resources/resource";
import { TRANSPORT_NUMBER } from "../../packets";
import type { Clause } from "../../filters/filter";
import { isWrittenAt, ruleOf, writtenAt } from "../places";
import type { NeededRule } from "./neededRules";
import type { EgressFirewallRepair, Repair, RepairAdvice } from "./repair";

/** Rules name ports one by one: a list of more would be no rule that anybody reads. */
const MOST_PORTS = 100;

/** Rules of an egress firewall, each with one block, at the place of the first rule that denies. */
export function egressFirewallRepair(
  firewall: Resource,
  denying: { clause: Clause; index: number } | undefined,
  needed: readonly NeededRule[],
  planned: readonly Repair[] = [],
): RepairAdvice {
  const wide = needed.find(
    ({ protocol, ports }) => isTransport(protocol) && ports.to - ports.from >= MOST_PORTS,
  );
  if (wide)
    return {
      rules: [],
      obstacle: `an egress firewall names ports one by one, and ports ${wide.ports.from}-${wide.ports.to} are too many for that: allow the destination with every port`,
    };
  const other = needed.find(({ protocol }) => protocol !== undefined && !isTransport(protocol));
  if (other)
    return {
      rules: [],
      obstacle: `an egress firewall cannot name protocol ${other.protocol}: allow the destination with every protocol`,
    };
  const entries = needed.flatMap((rule) => rule.peers.map((peer) => ({ rule, cidrSelector: peer.text })));
  // Rules that are planned before this place move it.
  const place = planned.reduce(
    (index, one) => (isIn(firewall, one) && one.index <= index ? index + 1 : index),
    denying?.index ?? 0,
  );
  return {
    rules: entries.map(({ rule, cidrSelector }, position) => ({
      kind: "egress-firewall-rule",
      firewall: writtenAt(firewall),
      index: place + position,
      rule: { type: "Allow", to: { cidrSelector }, ...portsOf(rule) },
      ...(denying && { before: ruleOf(denying.clause) }),
    })),
  };
}

const isIn = (firewall: Resource, repair: Repair): repair is EgressFirewallRepair =>
  repair.kind === "egress-firewall-rule" && isWrittenAt(repair.firewall, firewall);

const nameOf = (protocol: number | undefined): string | undefined =>
  Object.keys(TRANSPORT_NUMBER).find((name) => TRANSPORT_NUMBER[name] === protocol);
const isTransport = (protocol: number | undefined): boolean => nameOf(protocol) !== undefined;

function portsOf({ protocol, ports: { from, to } }: NeededRule): Pick<EgressFirewallRepair["rule"], "ports"> {
  const name = nameOf(protocol);
  if (name === undefined) return {};
  return {
    ports: Array.from({ length: to - from + 1 }, (_, position) => ({
      protocol: name,
      port: from + position,
    })),
  };
}
