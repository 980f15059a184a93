import { withoutHostBits } from "../../address";
import type { Fault } from "../../fault";
import type { Place } from "../../objects/places";
import { noProxyEntries, noProxyFaults } from "../noProxy";
import { proxyUrlFaults } from "../url";
import { D3, HYPERSHIFT, NETWORK_OPERATOR, at } from "../../requirements/documents";
import { UNKNOWN } from "../../resources/resource";
import { isClusterProxy, isHostedCluster, isPatch } from "../../resources/resourceTypes";
import { clusterProxies, writtenProxies, type WrittenSettings } from "./proxies";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";
import { withObjectFaults } from "../../hostedCluster/rules/withObjectFaults";

/** A proxy that the cluster's network operator refuses after the API took it. */
export const proxyInvalid: Rule = {
  id: "proxy-invalid",
  title: "Proxy settings are ones that the cluster can take",
  level: Level.Error,
  description:
    "spec.configuration.proxy of HostedClusters and of patches on them, and Proxy objects of clusters themselves: URLs with a scheme that the setting takes, a host and a port; noProxy with domains, addresses and CIDR blocks, or * alone. The API takes every text, and the network operator of the cluster refuses it once the cluster runs. No URL is shown, because it may hold credentials.",
  documents: [
    at(D3, "Control plane workloads that need to access external services"),
    at(NETWORK_OPERATOR, "pkg/controller/proxyconfig/validation.go"),
    at(HYPERSHIFT, "HostedCluster CRD, spec.configuration.proxy"),
  ],
  remediation: "Write URLs such as http://proxy.example.com:3128, and host names or CIDR blocks in noProxy.",
  single: (type) => isHostedCluster(type) || isClusterProxy(type),
  judge: (judged) =>
    withObjectFaults(
      judged,
      "proxy-invalid",
      [...writtenProxies(judged), ...clusterProxies(judged)].flatMap(judgeProxy),
    ),
};

function judgeProxy({ resource, path: at, httpProxy, httpsProxy, noProxy }: WrittenSettings): Judgement[] {
  const faults = [
    ...proxyUrlFaults("httpProxy", unlessEmpty(httpProxy)),
    ...proxyUrlFaults("httpsProxy", unlessEmpty(httpsProxy)),
    ...noProxyFaults(withoutHostBitsIn(noProxy)),
  ];
  const without =
    !isPatch(resource.type) &&
    [httpProxy, httpsProxy].every(({ value }) => value === undefined || value === "");
  if (without && typeof noProxy.value === "string" && noProxy.value !== "")
    faults.push({
      path: at,
      problem: "names neither httpProxy nor httpsProxy, so that noProxy bypasses nothing",
      remedy: "write one of the two, or leave the proxy out",
    });
  const pending = [httpProxy, httpsProxy, noProxy].filter(({ value }) => value === UNKNOWN);
  return [
    ...faults.map(({ path, problem, remedy }) =>
      violated({ resource: resource.origin, path, message: problem, fix: remedy }),
    ),
    ...hostBits(noProxy).map(({ problem, remedy }) =>
      violated({
        resource: resource.origin,
        path: noProxy.path,
        message: problem,
        fix: remedy,
        level: Level.Warning,
      }),
    ),
    ...pending.map(({ path }) => unknown({ resource, path })),
  ];
}

/** An empty text is what the API has where no proxy is given: templates and patches that clear a setting write it. */
const unlessEmpty = ({ path, value }: Place): Place => ({ path, value: value === "" ? undefined : value });

const withoutHostBitsIn = ({ path, value }: Place): Place => ({
  path,
  value:
    typeof value === "string"
      ? value
          .split(",")
          .map((entry) => withoutHostBits(entry.trim()) || entry)
          .join(",")
      : value,
});

/** Host bits in noProxy, which the network operator takes and everybody who reads it clears. */
const hostBits = (noProxy: Place): Fault[] =>
  noProxyEntries(noProxy)
    .filter((entry) => withoutHostBits(entry) !== entry)
    .flatMap((entry) => noProxyFaults({ path: noProxy.path, value: entry }));
