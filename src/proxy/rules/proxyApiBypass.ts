import { isGiven } from "../../objects/places";
import { apiProxyChoice } from "../../topology/proxy/apiProxy";
import { noProxyEntries } from "../noProxy";
import { D3, HYPERSHIFT, at } from "../../requirements/documents";
import { UNKNOWN } from "../../resources/resource";
import { isHostedCluster } from "../../resources/resourceTypes";
import { writtenProxies, type WrittenProxy } from "./proxies";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";

/** A noProxy entry by which nodes reach the API server without the proxy that they may need. */
export const proxyApiBypass: Rule = {
  id: "proxy-api-bypass",
  title: "noProxy does not cover the API server by mistake",
  level: Level.Warning,
  description:
    "noProxy of HostedClusters with httpsProxy that are reached over the Internet: an entry that matches the API server, any entry with the word kubernetes in it, or the first service or cluster network by itself turns off the nodes' own proxy for the API server, without a word.",
  documents: [
    at(HYPERSHIFT, "support/util/networking.go"),
    at(D3, "Compute nodes that need to access the API server"),
  ],
  remediation: "Take the entry out where nodes need the proxy to reach the API server.",
  single: isHostedCluster,
  judge: (judged) => writtenProxies(judged).flatMap(judgeProxy),
};

function judgeProxy({ resource, cluster, httpsProxy, noProxy }: WrittenProxy): Judgement[] {
  const { topology, partial } = cluster;
  if (!topology || partial || !isGiven(noProxy.value)) return [];
  if (noProxy.value === UNKNOWN) return [unknown({ resource, path: noProxy.path })];
  const { bypass, reason } = apiProxyChoice(topology, {
    httpsProxy: isGiven(httpsProxy.value),
    noProxy: noProxyEntries(noProxy),
  });
  if (bypass === undefined) return [];
  return [
    violated({
      resource: resource.origin,
      path: noProxy.path,
      message: `${reason}, so nodes reach the API server without the proxy`,
    }),
  ];
}
