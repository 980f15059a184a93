import { parsePrefix } from "../address/parse";
import type { Fault } from "../fault";
import { EGRESS_SINCE } from "../requirements/egressSupport";
import { type PropertyValue, UNKNOWN } from "../resources/resource";
import { nodeApiServerPort } from "../topology/publishing";
import {
  egressCluster,
  type EgressCluster,
  type EgressJudgement,
  tooOldFaults,
} from "../objects/egressCluster";
import { entriesOf, isGiven, isMap, type Place } from "../resources/read";
import {
  block,
  eventualSwitch,
  type Fields,
  inputFaults,
  labelName,
  labels,
  list,
  needed,
  ONE_AT_LEAST,
  port,
} from "../objects/shape";
import { apiServerEndpoint, apiServerFaults, defaultApiServerCidrs, writtenRules } from "./egressFirewall";
import {
  firewallNameFaults,
  firewallSpecFaults,
  isWildcard,
  nodeRuleFaults,
  ruleFaults,
  ruleListFaults,
  type RuleView,
  viewsOfEntries,
  viewsOfRules,
} from "../objects/egressFirewallRules";
import { egressFirewallWarnings } from "./warnings";
import { LIMIT } from "../requirements/limits";
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
export function judgeEgressFirewall(inputs: EgressFirewallInputs): EgressJudgement {
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

function tooOldRuleFaults(view: RuleView, { release }: EgressCluster): Fault[] {
  const { path, value } = view.dnsName;
  return [
    ...(isWildcard(value)
      ? tooOldFaults(path, "wildcards come", EGRESS_SINCE.firewallWildcards, release)
      : []),
    ...nodeRuleFaults(view, release),
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

/** Faults of the rules of one egress firewall, with their consequences as codes. */
export function egressRuleFaults(list: Place, views: readonly RuleView[], added = 0): Fault[] {
  const { path, value } = list;
  if (value === UNKNOWN) return [];
  const ofList = ruleListFaults(list);
  if (ofList.length > 0) return ofList;
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
  return [{ path, problem, remedy: "join neighbouring CIDR blocks", rule: "egress-firewall-limit" }];
}

/** Faults of an EgressFirewall object that the user wrote. */
export function egressFirewallObjectFaults(object: PropertyValue | undefined): Fault[] {
  if (!isMap(object)) return [];
  const { metadata, spec } = object;
  const name = isMap(metadata) ? metadata.name : undefined;
  const egress = isMap(spec) ? spec.egress : spec;
  return [
    ...(isGiven(name) ? firewallNameFaults(name) : []),
    ...firewallSpecFaults(spec),
    ...egressRuleFaults({ path: "spec.egress", value: egress }, viewsOfEntries(egress)),
  ];
}
