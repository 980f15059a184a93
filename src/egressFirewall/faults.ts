import { parseAddress, prefixFaults } from "../address/parse";
import type { Fault } from "../fault";
import { LIMIT } from "../requirements/limits";
import {
  EgressFirewallProtocol,
  EgressFirewallRuleType,
  viewsOfEntries,
  type RuleView,
} from "../resources/egressFirewallRules";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { labelSelectorFaults } from "../objects/labelSelector";
import { isGiven, isList, isMap, propertyOf, type Place } from "../resources/read";
import { labelFaults, portFaults, shownText, unknownKeyFaults, wordFaults } from "../objects/places";
import { EGRESS_FIREWALL_NAME } from "../requirements/names";

/**
 * What is wrong with the rules of one egress firewall. OVN-Kubernetes leaves the whole object unapplied when it cannot
 * read one of its rules, so every fault here is one of the whole firewall.
 */
export function egressRuleFaults(list: Place, views: readonly RuleView[], added = 0): Fault[] {
  const { path, value } = list;
  if (value === UNKNOWN) return [];
  if (!isGiven(value))
    return [{ path, problem: "missing", remedy: "write a list of rules, first match wins" }];
  if (!isList(value))
    return [{ path, problem: `${shownText(value)} is no list`, remedy: "write a list of rules" }];
  const faults = views.flatMap(ruleFaults);
  if (views.length === 0)
    faults.unshift({ path, problem: "has no rules", remedy: "write one, or leave the firewall out" });
  return [...countFaults(path, views.length + added), ...faults];
}

/** Whether there are more rules than OVN-Kubernetes has priorities for. */
export function countFaults(path: string, count: number): Fault[] {
  const most = LIMIT.egressFirewallRules;
  if (count <= most) return [];
  const problem = `${count} rules, of which OVN-Kubernetes takes ${most}`;
  return [{ path, problem, remedy: "join neighbouring CIDR blocks" }];
}

/** What is wrong with an EgressFirewall object as the user wrote it. */
export function egressFirewallObjectFaults(object: PropertyValue | undefined): Fault[] {
  if (object === UNKNOWN || !isMap(object)) return [];
  const { metadata, spec } = object;
  const name = isMap(metadata) ? metadata.name : undefined;
  const egress = isMap(spec) ? spec.egress : spec;
  return [
    ...(isGiven(name) ? objectNameFaults(name) : []),
    ...egressRuleFaults({ path: "spec.egress", value: egress }, viewsOfEntries(egress)),
  ];
}

/** What is wrong with the name of an EgressFirewall object. */
export function objectNameFaults(name: PropertyValue | undefined): Fault[] {
  if (name === UNKNOWN || name === EGRESS_FIREWALL_NAME) return [];
  const problem = isGiven(name) ? `${shownText(name)} is not the name of an egress firewall` : "missing";
  return [{ path: "metadata.name", problem, remedy: `write ${EGRESS_FIREWALL_NAME}` }];
}

function ruleFaults(rule: RuleView): Fault[] {
  if (rule.value === UNKNOWN) return [];
  if (!isMap(rule.value))
    return [{ path: rule.path, problem: "is no rule", remedy: "write type and a destination" }];
  return [
    ...unknownKeyFaults(rule.path, rule.value, rule.keys),
    // The server's own patterns let `Allowed` and `TCPX` pass.
    ...wordFaults(rule.type, Object.values(EgressFirewallRuleType)),
    ...destinationFaults(rule),
    ...portsFaults(rule.ports),
  ];
}

function destinationFaults(rule: RuleView): Fault[] {
  const { path, value, cidr, dnsName, nodeLabels, nodeSelector, nodes, destinations } = rule;
  // Only objects have the destination in a property of its own.
  if (propertyOf(value, "to") === UNKNOWN) return [];
  const given = [cidr, dnsName, ...nodes].filter(({ value }) => isGiven(value));
  if (given.length !== 1) {
    const problem = given.length === 0 ? "has no destination" : "has more than one destination";
    return [{ path, problem, remedy: `write exactly one of ${destinations.join(", ")}` }];
  }
  return [
    ...(isGiven(cidr.value) && cidr.value !== UNKNOWN ? prefixFaults(cidr.path, cidr.value) : []),
    ...dnsNameFaults(dnsName),
    ...labelFaults(nodeLabels),
    ...labelSelectorFaults(nodeSelector),
  ];
}

const dnsPattern = /^(\*\.)?([A-Za-z0-9-]+\.)*[A-Za-z0-9-]+\.?$/;

function dnsNameFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  const { address } = typeof value === "string" ? parseAddress(value) : {};
  if (address)
    return [
      {
        path,
        problem: `${address.text} is an address`,
        remedy: `write it as CIDR block ${address.text}/${address.family === 4 ? 32 : 128}`,
      },
    ];
  const isName =
    typeof value === "string" &&
    dnsPattern.test(value) &&
    value.length <= LIMIT.hostnameLength.max &&
    value.split(".").every((part) => part.length <= LIMIT.labelLength);
  if (isName) return [];
  const remedy = "write a host name without scheme, port and path, with *. at the beginning at most";
  return [{ path, problem: `${shownText(value)} is no DNS name`, remedy }];
}

function portsFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (!isList(value)) return [{ path, problem: "is no list", remedy: "write a list of port and protocol" }];
  return value.flatMap((entry, position) => {
    const at = `${path}[${position}]`;
    if (entry === UNKNOWN) return [];
    if (!isMap(entry)) return [{ path: at, problem: "is no port", remedy: "write port and protocol" }];
    const protocols = Object.values(EgressFirewallProtocol);
    return [
      ...portFaults({ path: `${at}.port`, value: entry.port }, "a protocol needs a port beside it"),
      ...wordFaults({ path: `${at}.protocol`, value: entry.protocol }, protocols, "a port needs "),
    ];
  });
}
