import { parsePrefix, prefixFaults } from "../../address";
import type { Fault } from "../../fault";
import { PORT } from "../../requirements/ports";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import { entriesOf, isGiven, isList, labelFaults, labelNameFaults, shownText, type Place } from "../places";
import { apiServerFaults, defaultApiServerCidrs, type ApiServerEndpoint } from "./apiServer";
import { egressRuleFaults } from "./faults";
import { viewsOfRules, type RuleView } from "./view";
import { egressFirewallWarnings } from "./warnings";

/** What is known of the inputs of an egress firewall. */
export interface EgressFirewallInputs {
  namespace?: PropertyValue | undefined;
  rules?: PropertyValue | undefined;
  allowApiServer?: PropertyValue | undefined;
  apiServerCidrs?: PropertyValue | undefined;
  apiServerPort?: PropertyValue | undefined;
  labels?: PropertyValue | undefined;
  annotations?: PropertyValue | undefined;
}

/** Every rule on the inputs of one egress firewall. */
export function judgeEgressFirewall(inputs: EgressFirewallInputs): { faults: Fault[]; warnings: Fault[] } {
  const views = viewsOfRules(inputs.rules);
  const cidrs = apiServerCidrs(inputs, views);
  const added = inputs.allowApiServer === true ? cidrs.length : 0;
  const faults = [
    ...labelNameFaults({ path: "namespace", value: inputs.namespace }, "the name of the namespace"),
    ...egressRuleFaults({ path: "rules", value: inputs.rules }, views, added),
    ...switchFaults({ path: "allowApiServer", value: inputs.allowApiServer }),
    ...cidrListFaults({ path: "apiServerCidrs", value: inputs.apiServerCidrs }),
    ...apiPortFaults({ path: "apiServerPort", value: inputs.apiServerPort }),
    ...labelFaults({ path: "labels", value: inputs.labels }),
  ];
  const cutOff = isGiven(inputs.allowApiServer) ? [] : cutOffFaults(inputs, views, cidrs);
  return { faults: [...faults, ...cutOff], warnings: egressFirewallWarnings(views) };
}

/** Where pods reach the API server, as far as that is known. */
export function apiServerCidrs(
  { apiServerCidrs: stated }: EgressFirewallInputs,
  views: readonly RuleView[],
): readonly PropertyValue[] {
  if (!isGiven(stated)) return defaultApiServerCidrs(views);
  return entriesOf(stated);
}

function cutOffFaults(
  { apiServerPort }: EgressFirewallInputs,
  views: readonly RuleView[],
  cidrs: readonly PropertyValue[],
): Fault[] {
  if (apiServerPort === UNKNOWN) return [];
  const prefixes = cidrs.flatMap((cidr) => parsePrefix(cidr).prefix ?? []);
  const port = typeof apiServerPort === "number" ? apiServerPort : PORT.apiServer;
  const endpoint: ApiServerEndpoint = { prefixes, port };
  return apiServerFaults(
    views,
    endpoint,
    ({ text }) =>
      `put an Allow for ${text} before it, set allowApiServer: true, which does that, or accept it with allowApiServer: false`,
  );
}

function switchFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN || typeof value === "boolean") return [];
  const problem = `${shownText(value)} is neither true nor false`;
  return [{ path, problem, remedy: "write true or false, without quotes" }];
}

function cidrListFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (!isList(value)) return [{ path, problem: "is no list", remedy: "write a list of CIDR blocks" }];
  if (value.length === 0)
    return [{ path, problem: "is empty", remedy: "write where pods reach the API server, or leave it out" }];
  return value.flatMap((entry, position) =>
    entry === UNKNOWN ? [] : prefixFaults(`${path}[${position}]`, entry),
  );
}

function apiPortFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 65535) return [];
  return [
    { path, problem: `${shownText(value)} is no port`, remedy: "write a whole number from 1 to 65535" },
  ];
}
