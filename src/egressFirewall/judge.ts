import { parseAddress, parsePrefix, prefixFaults } from "../address/parse";
import type { Fault } from "../fault";
import { EGRESS_SINCE } from "../requirements/egressSupport";
import { type PropertyValue, UNKNOWN } from "../resources/resource";
import { nodeApiServerPort } from "../topology/publishing";
import { egressCluster, type EgressCluster, tooOldFaults } from "../objects/egressCluster";
import { entriesOf, isGiven, isList, isMap, type Place, propertyOf } from "../resources/read";
import { labelFaults, shownText, unknownKeyFaults, wordFaults } from "../objects/places";
import {
  block,
  eventualSwitch,
  type Fields,
  inputFaults,
  labelName,
  labels,
  list,
  needed,
  object,
  ONE_AT_LEAST,
  port,
  shapeFaults,
  word,
} from "../objects/shape";
import { apiServerEndpoint, apiServerFaults, defaultApiServerCidrs, writtenRules } from "./egressFirewall";
import {
  EgressFirewallProtocol,
  EgressFirewallRuleType,
  isUnderDomain,
  isWildcard,
  type RuleView,
  viewsOfEntries,
  viewsOfRules,
} from "../resources/egressFirewallRules";
import { egressFirewallWarnings } from "./warnings";
import { LIMIT } from "../requirements/limits";
import { labelSelectorFaults } from "../objects/labelSelector";
import { EGRESS_FIREWALL_NAME } from "../requirements/names";
import { endpointVerdict } from "../reachability/egressFirewall/analyse";

/** The known inputs of an egress firewall. */
export interface EgressFirewallInputs {
  namespace?: PropertyValue | undefined;
  rules?: PropertyValue | undefined;
  allowApiServer?: PropertyValue | undefined;
  apiServerCidrs?: PropertyValue | undefined;
  apiServerPort?: PropertyValue | undefined;
  dnsServerCidrs?: PropertyValue | undefined;
  topology?: PropertyValue | undefined;
  release?: PropertyValue | undefined;
  labels?: PropertyValue | undefined;
  annotations?: PropertyValue | undefined;
}

/** The result of judging the inputs of an egress firewall. */
export interface EgressFirewallJudgement {
  cluster: EgressCluster;
  faults: Fault[];
  warnings: Fault[];
}

const blocks = (what: string) =>
  list(block, { size: ONE_AT_LEAST, remedy: `write the CIDR blocks ${what}, or leave it out` });

/** Checks of single inputs. */
const INPUTS: Fields = {
  namespace: needed(labelName, "write the name of the namespace"),
  allowApiServer: eventualSwitch,
  apiServerCidrs: blocks("where pods reach the API server"),
  apiServerPort: port,
  dnsServerCidrs: blocks("of the DNS servers that pods query"),
  labels,
};

/** Applies every check to the inputs of one egress firewall. */
export function judgeEgressFirewall(inputs: EgressFirewallInputs): EgressFirewallJudgement {
  const cluster = egressCluster(inputs);
  const views = viewsOfRules(inputs.rules);
  const cidrs = apiServerCidrs(inputs, views, cluster);
  const added = inputs.allowApiServer === true ? cidrs.length : 0;
  const faults = [
    ...inputFaults(INPUTS, inputs),
    ...egressRuleFaults({ path: "rules", value: inputs.rules }, views, added),
    ...views.flatMap((view) => tooOldRuleFaults(view, cluster)),
    ...cluster.faults,
  ];
  const cutOff = isGiven(inputs.allowApiServer) ? [] : cutOffFaults(inputs, views, cidrs, cluster);
  return {
    cluster,
    faults: [...faults, ...cutOff],
    warnings: egressFirewallWarnings(inputs, views, cluster),
  };
}

/** The CIDR blocks at which pods reach the API server, to the extent known. */
function apiServerCidrs(
  { apiServerCidrs: stated }: EgressFirewallInputs,
  views: readonly RuleView[],
  { topology }: EgressCluster,
): readonly PropertyValue[] {
  if (!isGiven(stated)) return defaultApiServerCidrs(views, topology);
  return entriesOf(stated);
}

function tooOldRuleFaults({ dnsName, nodes }: RuleView, { release }: EgressCluster): Fault[] {
  const { firewallWildcards, firewallNodeSelector } = EGRESS_SINCE;
  const given = nodes.find(({ value }) => isGiven(value));
  return [
    ...(isWildcard(dnsName.value)
      ? tooOldFaults(dnsName.path, "wildcards come", firewallWildcards, release)
      : []),
    ...(given ? tooOldFaults(given.path, "rules for nodes come", firewallNodeSelector, release) : []),
  ];
}

function cutOffFaults(
  { apiServerPort }: EgressFirewallInputs,
  views: readonly RuleView[],
  cidrs: readonly PropertyValue[],
  { topology }: EgressCluster,
): Fault[] {
  if (apiServerPort === UNKNOWN) return [];
  const prefixes = cidrs.flatMap((cidr) => parsePrefix(cidr).prefix ?? []);
  const number = typeof apiServerPort === "number" ? apiServerPort : nodeApiServerPort(topology ?? {});
  const exempt = topology?.clusterNetwork.map(({ prefix }) => prefix) ?? [];
  return apiServerFaults(
    views,
    endpointVerdict(writtenRules(views), apiServerEndpoint(prefixes, number), exempt),
    ({ text }) =>
      `put an Allow for ${text} before it, set allowApiServer: true, which does that, or accept it with allowApiServer: false`,
  );
}

/**
 * Faults of the rules of one egress firewall. OVN-Kubernetes does not apply an object at all if it cannot read one of its rules, so every
 * fault concerns the whole firewall.
 */
export function egressRuleFaults(list: Place, views: readonly RuleView[], added = 0): Fault[] {
  const { path, value } = list;
  if (value === UNKNOWN) return [];
  if (!isGiven(value))
    return [{ path, problem: "missing", remedy: "write a list of rules, first match wins" }];
  if (!isList(value))
    return [{ path, problem: `${shownText(value)} is not a list`, remedy: "write a list of rules" }];
  const faults = views.flatMap(ruleFaults);
  if (views.length === 0)
    faults.unshift({ path, problem: "has no rules", remedy: "write one, or leave the firewall out" });
  return [...countFaults(path, views.length + added), ...faults];
}

/** Reports more rules than OVN-Kubernetes has priorities for. */
export function countFaults(path: string, count: number): Fault[] {
  const most = LIMIT.egressFirewallRules;
  if (count <= most) return [];
  const problem = `${count} rules, but OVN-Kubernetes supports at most ${most}`;
  return [{ path, problem, remedy: "join neighbouring CIDR blocks" }];
}

/** Faults of an EgressFirewall object that the user wrote. */
export function egressFirewallObjectFaults(object: PropertyValue | undefined): Fault[] {
  if (!isMap(object)) return [];
  const { metadata, spec } = object;
  const name = isMap(metadata) ? metadata.name : undefined;
  const egress = isMap(spec) ? spec.egress : spec;
  return [
    ...(isGiven(name) ? firewallNameFaults(name) : []),
    ...egressRuleFaults({ path: "spec.egress", value: egress }, viewsOfEntries(egress)),
  ];
}

/** Faults of the name of an EgressFirewall object. */
export function firewallNameFaults(name: PropertyValue | undefined): Fault[] {
  if (name === UNKNOWN || name === EGRESS_FIREWALL_NAME) return [];
  const problem = isGiven(name) ? `${shownText(name)} is not the name of an egress firewall` : "missing";
  return [{ path: "metadata.name", problem, remedy: `write ${EGRESS_FIREWALL_NAME}` }];
}

function ruleFaults(rule: RuleView): Fault[] {
  if (rule.value === UNKNOWN) return [];
  if (!isMap(rule.value))
    return [{ path: rule.path, problem: "is not a rule", remedy: "write type and a destination" }];
  return [
    ...unknownKeyFaults(rule.path, rule.value, rule.keys),
    // The server's own patterns accept `Allowed` and `TCPX`.
    ...wordFaults(rule.type, Object.values(EgressFirewallRuleType)),
    ...destinationFaults(rule),
    ...shapeFaults(ports, rule.ports),
  ];
}

function destinationFaults(rule: RuleView): Fault[] {
  const { path, value, cidr, dnsName, nodeLabels, nodeSelector, nodes, destinations } = rule;
  // Only objects have a separate property for the destination.
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

const ports = list(
  object({
    port: needed(port, "a protocol needs a port"),
    protocol: needed(word(Object.values(EgressFirewallProtocol), "a port needs ")),
  }),
  { remedy: "write a list of port and protocol" },
);

const dnsPattern = /^(\*\.)?([A-Za-z0-9-]+\.)*[A-Za-z0-9-]+\.?$/;

function dnsNameFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  const { address } = parseAddress(value);
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
    (!isWildcard(value) || isUnderDomain(value)) &&
    value.length <= LIMIT.hostnameLength.max &&
    value.split(".").every((part) => part.length <= LIMIT.labelLength);
  if (isName) return [];
  const remedy = "write a host name without scheme, port or path, optionally with a leading *.";
  return [{ path, problem: `${shownText(value)} is not a DNS name`, remedy }];
}
