import { contains } from "../address";
import { parsePrefix } from "../address/parse";
import type { Fault } from "../fault";
import { WILDCARD_GATE } from "../requirements/egressSupport";
import { PORT } from "../requirements/ports";
import { Surplus } from "../reachability/firstMatch/surplus";
import {
  appliesNothing,
  EgressFirewallRuleType,
  isRefusedByResolver,
  isUnderDomain,
  isWildcard,
  type RuleView,
} from "../objects/egressFirewallRules";
import type { PropertyValue } from "../resources/resource";
import type { EgressCluster } from "../objects/egressCluster";
import { shownText } from "../objects/places";
import { entriesOf, holdsUnknown, isGiven, isMap } from "../resources/read";
import { deniedAddress, deniedBlock, dnsEndpoints, writtenRules } from "./egressFirewall";
import { endpointVerdict, surplusRules } from "../reachability/egressFirewall/analyse";
import { sortedJson } from "../collections";

/** A note of the documents that applies to every egress firewall, reported once per program. */
export const ROUTE_NOTE =
  "Egress firewalls do not govern traffic through routers: anyone who may create a Route can bypass them with a Route to a denied destination";

interface WarningInputs {
  namespace?: PropertyValue | undefined;
  dnsServerCidrs?: PropertyValue | undefined;
}

/** What works, but probably not as intended. */
export function egressFirewallWarnings(
  inputs: WarningInputs,
  views: readonly RuleView[],
  cluster: EgressCluster,
): Fault[] {
  return [
    ...duplicates(views),
    ...shadowedRules(views),
    ...wildcardFaults(views),
    ...refusedNameFaults(views),
    ...exemptRules(views, cluster),
    ...deniedDnsServers(inputs, views, cluster),
    ...platformNamespaces(inputs, views),
  ];
}

/** Rules identical to an earlier rule, which never match anything. */
function duplicates(views: readonly RuleView[]): Fault[] {
  const first = new Map<string, string>();
  return views.flatMap(({ path, value }) => {
    if (!isMap(value) || holdsUnknown(value)) return [];
    const key = sortedJson(value)!;
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, path);
      return [];
    }
    return [{ path, problem: `duplicates ${before} and is never reached`, remedy: "remove it" }];
  });
}

/** Rules whose traffic is all matched by earlier rules, together or singly. */
function shadowedRules(views: readonly RuleView[]): Fault[] {
  const same = new Set(duplicates(views).map(({ path }) => path));
  return surplusRules(writtenRules(views), [])
    .filter(({ why, path }) => why === Surplus.Shadowed && !same.has(path))
    .map(({ path, by }) => ({
      path,
      problem: `is never reached: ${by.join(", ")} before it ${by.length === 1 ? "matches" : "match"} all of its traffic`,
      remedy: "put it before them, or remove it",
    }));
}

/** Rules that OVN-Kubernetes reads only with a feature gate that is disabled by default. */
export const wildcardFaults = (views: readonly RuleView[]): Fault[] =>
  views
    .filter(({ dnsName }) => isWildcard(dnsName.value) && isUnderDomain(dnsName.value))
    .map(({ dnsName }) => ({
      path: dnsName.path,
      problem: `is a wildcard, and without the feature gate ${WILDCARD_GATE} OVN-Kubernetes ${appliesNothing(views.length)}`,
      remedy: "list the host names, or make sure that the gate is enabled",
    }));

/** Names that OVN-Kubernetes refuses with that feature gate. */
export const refusedNameFaults = (views: readonly RuleView[]): Fault[] =>
  views
    .filter(({ dnsName }) => isRefusedByResolver(dnsName.value))
    .map(({ dnsName }) => ({
      path: dnsName.path,
      problem: `${shownText(dnsName.value)} is not a fully qualified domain name, and with the feature gate ${WILDCARD_GATE} OVN-Kubernetes ${appliesNothing(views.length)}`,
      remedy: "write two or more labels of letters, digits and inner hyphens",
    }));

/** OVN-Kubernetes excludes the cluster subnets from every CIDR rule, and services are translated to pods before that. */
function exemptRules(views: readonly RuleView[], { topology }: EgressCluster): Fault[] {
  if (!topology) return [];
  const networks = [
    ...topology.clusterNetwork.map(({ prefix }) => ({ name: "cluster network", prefix })),
    ...topology.serviceNetwork.map((prefix) => ({ name: "service network", prefix })),
  ];
  return views.flatMap(({ cidr }) => {
    const { prefix } = parsePrefix(cidr.value);
    const network = prefix && networks.find((candidate) => contains(candidate.prefix, prefix));
    if (!network) return [];
    const problem = `${prefix.text} lies in the ${network.name} ${network.prefix.text}, which egress firewalls never match`;
    return [{ path: cidr.path, problem, remedy: "use a NetworkPolicy for traffic inside the cluster" }];
  });
}

/** Pods always reach the cluster's own DNS service, but external DNS servers that they query directly only if rules allow it. */
function deniedDnsServers(
  { dnsServerCidrs }: WarningInputs,
  views: readonly RuleView[],
  { topology }: EgressCluster,
): Fault[] {
  const stated = entriesOf(dnsServerCidrs).flatMap((cidr) => parsePrefix(cidr).prefix ?? []);
  const servers = isGiven(dnsServerCidrs) ? stated : (topology?.dnsServerCidrs ?? []);
  const exempt = topology?.clusterNetwork.map(({ prefix }) => prefix) ?? [];
  const denials = dnsEndpoints(servers).flatMap(
    (endpoint) => endpointVerdict(writtenRules(views), endpoint, exempt).denials,
  );
  const once = denials.filter(
    ({ clause }, position) => denials.findIndex((other) => other.clause.path === clause.path) === position,
  );
  return once.map((denial) => {
    const server = deniedAddress(denial).text;
    return {
      path: denial.clause.path,
      problem: `denies ${deniedBlock(views, denial)}, which includes the DNS server ${server} for pods that query it directly`,
      remedy: `put an Allow for ${server} port ${PORT.dns}, UDP and TCP, before it, if there are such pods`,
    };
  });
}

const PLATFORM_NAMESPACE = /^(openshift|kube)(-|$)/;

function platformNamespaces({ namespace }: WarningInputs, views: readonly RuleView[]): Fault[] {
  const denies = views.some(({ type }) => type.value === EgressFirewallRuleType.Deny);
  if (typeof namespace !== "string" || !PLATFORM_NAMESPACE.test(namespace) || !denies) return [];
  const problem = `${namespace} belongs to the platform, whose components a Deny can cut off`;
  return [{ path: "namespace", problem, remedy: "make sure that every destination they need is allowed" }];
}
