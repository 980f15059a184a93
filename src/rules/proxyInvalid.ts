import { noProxyFaults } from "../manifests/proxy/noProxy";
import { proxyUrlFaults } from "../manifests/proxy/url";
import { D3, HYPERSHIFT, NETWORK_OPERATOR, at } from "../requirements/documents";
import { UNKNOWN } from "../resources/resource";
import { isHostedCluster, isPatch } from "../resources/resourceTypes";
import { PROXY, writtenProxies, type WrittenProxy } from "./proxies";
import { Level, unknown, violated, type Judgement, type Rule } from "./rule";
import { withObjectFaults } from "./withObjectFaults";

/** A proxy that the cluster's network operator refuses after the API took it. */
export const proxyInvalid: Rule = {
  id: "proxy-invalid",
  title: "Proxy settings are ones that the cluster can take",
  level: Level.Error,
  description:
    "spec.configuration.proxy of HostedClusters and of patches on them: URLs with a scheme that the setting takes, a host and a port; noProxy with domains, addresses and CIDR blocks, or * alone. The API takes every text, and the network operator of the hosted cluster refuses it once the cluster runs. No URL is shown, because it may hold credentials.",
  documents: [
    at(D3, "Control plane workloads that need to access external services"),
    at(NETWORK_OPERATOR, "pkg/controller/proxyconfig/validation.go"),
    at(HYPERSHIFT, "HostedCluster CRD, spec.configuration.proxy"),
  ],
  remediation: "Write URLs such as http://proxy.example.com:3128, and host names or CIDR blocks in noProxy.",
  single: isHostedCluster,
  judge: (judged) => withObjectFaults(judged, "proxy-invalid", writtenProxies(judged).flatMap(judgeProxy)),
};

function judgeProxy({ resource, httpProxy, httpsProxy, noProxy }: WrittenProxy): Judgement[] {
  const faults = [
    ...proxyUrlFaults("httpProxy", httpProxy),
    ...proxyUrlFaults("httpsProxy", httpsProxy),
    ...noProxyFaults(noProxy),
  ];
  const without =
    !isPatch(resource.type) &&
    [httpProxy, httpsProxy].every(({ value }) => value === undefined || value === "");
  if (without && typeof noProxy.value === "string" && noProxy.value !== "")
    faults.push({
      path: PROXY,
      problem: "names neither httpProxy nor httpsProxy, so that noProxy bypasses nothing",
      remedy: "write one of the two, or leave the proxy out",
    });
  const pending = [httpProxy, httpsProxy, noProxy].filter(({ value }) => value === UNKNOWN);
  return [
    ...faults.map(({ path, problem, remedy }) =>
      violated({ resource: resource.origin, path, message: problem, fix: remedy }),
    ),
    ...pending.map(({ path }) => unknown({ resource, path })),
  ];
}
