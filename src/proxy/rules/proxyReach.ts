import { isGiven, readValue } from "../../resources/read";
import { apiProxyChoice } from "../../topology/proxy/apiProxy";
import { noProxyEntries } from "../noProxy";
import { D3, HYPERSHIFT, at } from "../../requirements/documents";
import { UNKNOWN } from "../../resources/resource";
import { isHostedCluster } from "../../resources/resourceTypes";
import { PROXY, writtenProxies, type WrittenProxy } from "./proxies";
import { Level, Status, unknown, violated, type Judgement, type Rule } from "../../gate/rule";
import { PORT } from "../../requirements/ports";
import { Direction, Role } from "../../requirements/vocabulary";
import type { RequiredFlow } from "../../flows/model";
import type { Hosts } from "../../gate/hosts";
import type { JudgedResources } from "../../gate/judgedResources";
import { judgeFlows } from "../../securityGroups/rules/portMissing";
import { proxiedWorkloads } from "../../requirements/proxiedWorkloads";
import { hiddenNodePools, nodePoolsOf } from "../../gate/guestCluster";

/** A noProxy entry by which nodes reach the API server without the proxy that they may need. */
export const proxyApiBypass: Rule = {
  id: "proxy-api-bypass",
  title: "noProxy covers the API server by mistake",
  level: Level.Warning,
  description:
    "noProxy of HostedClusters with httpsProxy that are reached over the Internet: an entry that matches the API server, any entry with the word kubernetes in it, or the first service or cluster network by itself turns off the nodes' own proxy for the API server, without a word.",
  documents: [
    at(HYPERSHIFT, "support/util/networking.go"),
    at(D3, "Compute nodes that need to access the API server"),
  ],
  remediation: "Take the entry out where nodes need the proxy to reach the API server.",
  single: isHostedCluster,
  judge: (judged) => writtenProxies(judged).flatMap(judgeBypass),
};

function judgeBypass({ resource, cluster, httpsProxy, noProxy }: WrittenProxy): Judgement[] {
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

/** A hosted cluster with a proxy whose control plane cannot resolve names. */
export const proxyDnsBlocked: Rule = {
  id: "proxy-dns-blocked",
  title: "Control plane behind a proxy cannot reach its DNS servers",
  level: Level.Error,
  description:
    "For each hosted cluster with a proxy: DNS from the hosts of its control plane, proved through their security groups and network ACLs as for port-missing, by TCP and UDP. A proxy takes only HTTP and HTTPS; the control plane resolves the proxy's own name, those in noProxy and those of identity providers itself. Clusters of which no group or ACL is in the stack are not judged.",
  documents: [at(D3, "Control plane workloads that need to access external services")],
  remediation: `Let control-plane hosts send TCP and UDP ${PORT.dns} to the DNS servers, and the answers come back.`,
  judge: (judged) => judged.hosts.filter(isProxied).flatMap((hosts) => judgeHosts(judged, hosts)),
};

const isProxied = ({ cluster, role }: Hosts): boolean =>
  role === Role.ControlPlane && isGiven(cluster.raw.proxy);

const isDns = ({ direction, ports }: RequiredFlow): boolean =>
  direction === Direction.Egress && ports?.from === PORT.dns && ports.to === PORT.dns;

const judgeHosts = (judged: JudgedResources, hosts: Hosts): Judgement[] =>
  judgeFlows(judged, hosts, isDns).map((judgement) =>
    judgement.status === Status.Unknown
      ? judgement
      : {
          ...judgement,
          message: `${judgement.message}. The cluster has a proxy, which resolves no names for it`,
        },
  );

/** A cluster with a proxy and no compute node: control-plane workloads reach the proxy through the nodes. */
export const proxyNoComputeNodes: Rule = {
  id: "proxy-no-compute-nodes",
  title: "Cluster with a proxy has no compute nodes",
  level: Level.Warning,
  description:
    "HostedClusters with a proxy whose NodePools in the stack have no node among them: control-plane workloads reach the proxy through konnectivity and a node, so that identity providers, image imports and canary checks fail without one. A cluster without NodePools in the stack is not judged.",
  documents: [
    at(D3, "Control plane workloads that need to access external services"),
    at(HYPERSHIFT, "konnectivity proxy sidecars"),
  ],
  remediation: "Keep at least one compute node.",
  judge: (judged) => writtenProxies(judged).flatMap((proxy) => judgeNodes(judged, proxy)),
};

function judgeNodes(judged: JudgedResources, { resource, cluster }: WrittenProxy): Judgement[] {
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
