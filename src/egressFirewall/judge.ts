import { parsePrefix, prefixFaults } from "../address/parse";
import type { Fault } from "../fault";
import { endpointVerdict } from "../reachability/egressFirewall";
import { EGRESS_SINCE } from "../requirements/egressSupport";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { nodeApiServerPort } from "../topology/publishing";
import { egressCluster, tooOldFaults, type EgressCluster } from "../objects/egressCluster";
import { entriesOf, isGiven, isList, type Place } from "../resources/read";
import { eventualSwitchFaults, labelFaults, labelNameFaults, portFaults } from "../objects/places";
import { apiServerEndpoint, apiServerFaults, defaultApiServerCidrs, writtenRules } from "./egressFirewall";
import { egressRuleFaults } from "./faults";
import { viewsOfRules, type RuleView } from "../resources/egressFirewallRules";
import { egressFirewallWarnings } from "./warnings";

/** What is known of the inputs of an egress firewall. */
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

/** What the inputs of an egress firewall come to. */
export interface EgressFirewallJudgement {
  cluster: EgressCluster;
  faults: Fault[];
  warnings: Fault[];
}

/** Every rule on the inputs of one egress firewall. */
export function judgeEgressFirewall(inputs: EgressFirewallInputs): EgressFirewallJudgement {
  const cluster = egressCluster(inputs);
  const views = viewsOfRules(inputs.rules);
  const cidrs = apiServerCidrs(inputs, views, cluster);
  const added = inputs.allowApiServer === true ? cidrs.length : 0;
  const faults = [
    ...labelNameFaults({ path: "namespace", value: inputs.namespace }, "the name of the namespace"),
    ...egressRuleFaults({ path: "rules", value: inputs.rules }, views, added),
    ...views.flatMap((view) => tooOldRuleFaults(view, cluster)),
    ...eventualSwitchFaults({ path: "allowApiServer", value: inputs.allowApiServer }),
    ...cidrListFaults(
      { path: "apiServerCidrs", value: inputs.apiServerCidrs },
      "where pods reach the API server",
    ),
    ...portFaults({ path: "apiServerPort", value: inputs.apiServerPort }),
    ...cidrListFaults({ path: "dnsServerCidrs", value: inputs.dnsServerCidrs }, "which DNS servers pods ask"),
    ...labelFaults({ path: "labels", value: inputs.labels }),
    ...cluster.faults,
  ];
  const cutOff = isGiven(inputs.allowApiServer) ? [] : cutOffFaults(inputs, views, cidrs, cluster);
  return {
    cluster,
    faults: [...faults, ...cutOff],
    warnings: egressFirewallWarnings(inputs, views, cluster),
  };
}

/** Where pods reach the API server, as far as that is known. */
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
  const isWildcard = typeof dnsName.value === "string" && dnsName.value.startsWith("*.");
  const given = nodes.find(({ value }) => isGiven(value));
  return [
    ...(isWildcard ? tooOldFaults(dnsName.path, "wildcards come", firewallWildcards, release) : []),
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
  const port = typeof apiServerPort === "number" ? apiServerPort : nodeApiServerPort(topology ?? {});
  const exempt = topology?.clusterNetwork.map(({ prefix }) => prefix) ?? [];
  return apiServerFaults(
    views,
    endpointVerdict(writtenRules(views), apiServerEndpoint(prefixes, port), exempt),
    ({ text }) =>
      `put an Allow for ${text} before it, set allowApiServer: true, which does that, or accept it with allowApiServer: false`,
  );
}

function cidrListFaults({ path, value }: Place, what: string): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (!isList(value)) return [{ path, problem: "is no list", remedy: "write a list of CIDR blocks" }];
  if (value.length === 0) return [{ path, problem: "is empty", remedy: `write ${what}, or leave it out` }];
  return value.flatMap((entry, position) =>
    entry === UNKNOWN ? [] : prefixFaults(`${path}[${position}]`, entry),
  );
}
