import { proxiedWorkloads } from "../../requirements/proxiedWorkloads";
import { D3, HYPERSHIFT, at } from "../../requirements/documents";
import { readValue } from "../../resources/read";
import { UNKNOWN } from "../../resources/resource";
import { hiddenNodePools, nodePoolsOf } from "../../gate/nodePools";
import type { JudgedResources } from "../../gate/judgedResources";
import { PROXY, writtenProxies, type WrittenProxy } from "./proxies";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";

/** A cluster with a proxy and no compute node: control-plane workloads reach the proxy through the nodes. */
export const proxyNoComputeNodes: Rule = {
  id: "proxy-no-compute-nodes",
  title: "A cluster with a proxy has a compute node",
  level: Level.Warning,
  description:
    "HostedClusters with a proxy whose NodePools in the stack have no node among them: control-plane workloads reach the proxy through konnectivity and a node, so that identity providers, image imports and canary checks fail without one. A cluster without NodePools in the stack is left alone.",
  documents: [
    at(D3, "Control plane workloads that need to access external services"),
    at(HYPERSHIFT, "konnectivity proxy sidecars"),
  ],
  remediation: "Keep at least one compute node.",
  judge: (judged) => writtenProxies(judged).flatMap((proxy) => judgeProxy(judged, proxy)),
};

function judgeProxy(judged: JudgedResources, { resource, cluster }: WrittenProxy): Judgement[] {
  const { topology } = cluster;
  const pools = topology ? nodePoolsOf(judged, topology) : [];
  const hidden = hiddenNodePools(judged);
  if (hidden.length > 0) return hidden;
  if (pools.length === 0 || pools.some(({ least }) => typeof least === "number" && least > 0)) return [];
  const pending = pools.filter(({ least }) => least === UNKNOWN);
  if (pending.length > 0)
    return pending.map((pool) =>
      unknown({ resource: pool.resource, path: "spec.replicas", reason: "how many nodes it makes" }),
    );
  if (readValue(resource.properties, PROXY) === UNKNOWN) return [unknown({ resource, path: PROXY })];
  const names = proxiedWorkloads.filter(({ throughProxy }) => throughProxy).map(({ name }) => name);
  return [
    violated({
      resource: resource.origin,
      path: PROXY,
      message: `the cluster's NodePools have no node, and without one nothing reaches the proxy: requests of ${names.join(", ")} fail`,
    }),
  ];
}
