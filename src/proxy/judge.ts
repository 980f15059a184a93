import type { Fault } from "../fault";
import { normalizeTopology } from "../topology/normalizeTopology";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { isGiven, type Place } from "../objects/places";
import { noProxyFaults } from "./noProxy";
import { proxyPlaces, settingsGivenTwice, withoutProxy, type ProxyInputs } from "./settings";
import { trustBundleFaults, trustBundleReferenceFaults } from "./trustBundle";
import { proxyUrlFaults } from "./url";

/** The topology of a cluster with a proxy, or why there is none. */
export interface ProxyJudgement {
  topology?: NormalizedTopology;
  faults: Fault[];
  warnings: Fault[];
}

/** Every rule on the proxy of a hosted cluster. No fault shows a URL. */
export function judgeProxy(inputs: ProxyInputs): ProxyJudgement {
  const places = proxyPlaces(inputs);
  const { topology, faults, warnings } = normalizeTopology(withoutProxy(inputs.topology));
  const certificates: Place = { path: "trustedCa", value: inputs.trustedCa };
  const reference: Place = { path: "trustedCaConfigMap", value: inputs.trustedCaConfigMap };
  const twice = settingsGivenTwice(inputs).map((name) => ({
    path: name,
    problem: `is also in topology.proxy.${name}`,
    remedy: "write it in one place",
  }));
  return {
    ...(topology && { topology }),
    faults: [
      ...faults,
      ...twice,
      ...noProxyAtAll(inputs),
      ...proxyUrlFaults("httpProxy", places.httpProxy),
      ...proxyUrlFaults("httpsProxy", places.httpsProxy),
      ...noProxyFaults(places.noProxy),
      ...trustBundleFaults(certificates),
      ...trustBundleReferenceFaults(reference, certificates),
    ],
    warnings,
  };
}

function noProxyAtAll(inputs: ProxyInputs): Fault[] {
  const { httpProxy, httpsProxy } = proxyPlaces(inputs);
  if (isGiven(httpProxy.value) || isGiven(httpsProxy.value)) return [];
  const problem = "missing, and so is httpsProxy: there is no proxy";
  return [{ path: "httpProxy", problem, remedy: "write at least one of the two" }];
}
