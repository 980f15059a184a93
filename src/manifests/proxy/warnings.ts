import type { Fault } from "../../fault";
import { PORT } from "../../requirements/ports";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { isGiven } from "../places";
import { apiProxyChoice } from "./apiProxy";
import { noProxyEntries } from "./noProxy";
import { proxyPlaces, type ProxyInputs } from "./settings";
import { trustBundleWarnings } from "./trustBundle";
import { hasCredentials, hasNoPort } from "./url";
import { proxiedWorkloads } from "./workloads";

/** What the warnings look at beside the settings of the proxy. */
export interface ProxySurroundings {
  topology: NormalizedTopology;
  /** How many compute nodes the cluster has, where that is said. */
  computeNodes?: number;
  now: Date;
}

/** What works, but probably not as meant. Nothing of a URL is shown. */
export function proxyWarnings(inputs: ProxyInputs, surroundings: ProxySurroundings): Fault[] {
  return [
    ...dnsWarning(surroundings),
    ...noNodesWarning(surroundings),
    ...httpsWarning(inputs),
    ...urlWarnings(inputs),
    ...bypassWarning(inputs, surroundings),
    ...trustBundleWarnings({ path: "trustedCa", value: inputs.trustedCa }, surroundings.now),
  ];
}

function dnsWarning({ topology }: ProxySurroundings): Fault[] {
  if (topology.dnsServerCidrs.length > 0 || topology.unknown.includes("dnsServerCidrs")) return [];
  const problem = `missing: clients of a proxy need DNS, and nothing says where port ${PORT.dns} has to be open, TCP and UDP`;
  return [{ path: "topology.dnsServerCidrs", problem, remedy: "write the CIDR blocks of the DNS servers" }];
}

function noNodesWarning({ computeNodes }: ProxySurroundings): Fault[] {
  if (computeNodes !== 0) return [];
  const names = proxiedWorkloads.map(({ name }) => name).join(", ");
  const problem = `with no compute node nothing reaches the proxy: requests of ${names} fail`;
  return [{ path: "computeNodes", problem, remedy: "keep at least one compute node" }];
}

function httpsWarning(inputs: ProxyInputs): Fault[] {
  if (isGiven(proxyPlaces(inputs).httpsProxy.value)) return [];
  const problem = "missing: HTTPS goes past the proxy, and nodes reach the API server directly";
  return [{ path: "httpsProxy", problem, remedy: "write the proxy for HTTPS, which may be the same URL" }];
}

function urlWarnings(inputs: ProxyInputs): Fault[] {
  const { httpProxy, httpsProxy } = proxyPlaces(inputs);
  return [httpProxy, httpsProxy].flatMap(({ path, value }) => {
    const credentials = {
      path,
      problem: "holds credentials in plain text",
      remedy: "take it from configuration with requireSecret, or wrap it in pulumi.secret",
    };
    const portless = {
      path,
      problem: "names no port, so clients take that of the scheme",
      remedy: "write the port",
    };
    return [...(hasCredentials(value) ? [credentials] : []), ...(hasNoPort(value) ? [portless] : [])];
  });
}

function bypassWarning(inputs: ProxyInputs, { topology }: ProxySurroundings): Fault[] {
  const { httpsProxy, noProxy } = proxyPlaces(inputs);
  const settings = { httpsProxy: isGiven(httpsProxy.value), noProxy: noProxyEntries(noProxy) };
  const { bypass } = apiProxyChoice(topology, settings);
  if (bypass === undefined) return [];
  const problem = `the entry ${bypass} covers the API server, so nodes reach it without the proxy`;
  return [
    {
      path: noProxy.path,
      problem,
      remedy: "take the entry out where nodes need the proxy to reach the API server",
    },
  ];
}
