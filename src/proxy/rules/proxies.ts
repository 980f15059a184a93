import { onceForEach } from "../../collections";
import { inClusterOf } from "../../resources/managementCluster";
import { isGiven, type Place, readText, readValue } from "../../resources/read";
import { type Resource, UNKNOWN } from "../../resources/resource";
import { isClusterProxy, isHostedCluster } from "../../resources/resourceTypes";
import { type JudgedCluster, objectOf } from "../../gate/clusters";
import type { JudgedResources } from "../../gate/judgedResources";
import { CLUSTER_PROXY, leftToProxy } from "../management";
import { noProxyEntries } from "../noProxy";
import { at, OCP_PROXY, HYPERSHIFT } from "../../requirements/documents";
import { Direction, Platform, Role } from "../../requirements/vocabulary";
import { isUnknown, type NormalizedTopology } from "../../topology/normalizedTopology";
import { networkRangesOf } from "../../topology/reservedRanges";
import { hiddenNodePools, isSecondaryAlone, nodePoolsOf } from "../../gate/guestCluster";
import { type Judgement, Level, type Rule, Status, unknown, violated } from "../../gate/rule";
import { exampleHost, prefixText } from "../../gate/finding";
import { apiProxyChoice } from "../../topology/proxy/apiProxy";
import { PORT } from "../../requirements/ports";
import type { RequiredFlow } from "../../flows/model";
import type { Hosts } from "../../gate/hosts";
import { judgeFlows } from "../../securityGroups/rules/portMissing";
import { proxiedWorkloads } from "../../requirements/proxyFacts";
import { PROXY_URLS } from "../../topology/proxy/apiProxy";

/** The path of the proxy in a HostedCluster. */
export const PROXY = "spec.configuration.proxy";

/** The settings of a proxy as an object or a patch writes them. Values may be secrets. */
export interface WrittenSettings {
  resource: Resource;
  /** The path of the settings in the object. */
  path: string;
  httpProxy: Place;
  httpsProxy: Place;
  noProxy: Place;
}

/** The proxy of a hosted cluster. */
export interface WrittenProxy extends WrittenSettings {
  cluster: JudgedCluster;
  /** Name of the ConfigMap with the proxy's certificates. */
  trustedCa: Place;
}

/** The proxies in HostedClusters. Components refuse invalid proxies themselves, and the configuration file is judged separately. */
export const writtenProxies = ({ clusters }: JudgedResources): WrittenProxy[] => clusters.flatMap(proxiesOf);

/** The proxies in a HostedCluster and in the patches on it. */
export const proxiesOf = (cluster: JudgedCluster): WrittenProxy[] =>
  cluster.sources.flatMap(({ resource }) => {
    if (!resource || !isHostedCluster(resource.type)) return [];
    if (readValue(resource.properties, PROXY) === undefined) return [];
    return [proxyOf(resource, cluster)];
  });

/** The proxies of OpenShift clusters themselves, in Proxy objects. */
export const clusterProxies = (judged: JudgedResources): WrittenSettings[] =>
  judged.ofKind(isClusterProxy).map((resource) => settingsOf(resource, "spec"));

const proxyOf = (resource: Resource, cluster: JudgedCluster): WrittenProxy => ({
  ...settingsOf(resource, PROXY),
  cluster,
  trustedCa: placeOf(resource, `${PROXY}.trustedCA.name`),
});

const settingsOf = (resource: Resource, path: string): WrittenSettings => ({
  resource,
  path,
  httpProxy: placeOf(resource, `${path}.httpProxy`),
  httpsProxy: placeOf(resource, `${path}.httpsProxy`),
  noProxy: placeOf(resource, `${path}.noProxy`),
});

const placeOf = ({ properties }: Resource, path: string): Place => ({
  path,
  value: readValue(properties, path),
});

/** Reports ranges that must bypass a proxy but are in no noProxy. */
export const proxyNoProxyMissing: Rule = {
  id: "proxy-no-proxy-missing",
  title: "noProxy does not list a network that must bypass the proxy",
  level: Level.Error,
  description:
    "Reports two networks that HyperShift does not add to noProxy. If NodePools of a KubeVirt cluster attach virtual machines only to a secondary network, the control plane reaches it directly, and the management cluster's own Proxy object must list it. If a HostedCluster with a proxy states no machine network, HyperShift does not know the range of the nodes.",
  documents: [
    at(
      OCP_PROXY,
      "Management cluster that uses a proxy and a hosted cluster with a secondary network and no default pod network",
    ),
    at(HYPERSHIFT, "support/globalconfig/proxy.go"),
  ],
  remediation: "Write the range into noProxy, or into machineNetwork of the HostedCluster.",
  judge: (judged) => [
    // NodePools of a secret cluster are one list for all clusters.
    ...[...new Set(judged.clusters.map((cluster) => judgeSecondary(judged, cluster)))].flat(),
    ...writtenProxies(judged).flatMap(judgeMachines),
  ],
};

/** Judges whether the secondary networks of a cluster bypass the management cluster's Proxy. */
function judgeSecondary(judged: JudgedResources, cluster: JudgedCluster): readonly Judgement[] {
  const { topology } = cluster;
  if (topology?.platform !== Platform.KubeVirt) return [];
  const attached = nodePoolsOf(judged, topology).filter(({ resource }) => isSecondaryAlone(resource));
  const hidden = hiddenNodePools(judged);
  const proxies = managementProxies(judged, objectOf(cluster));
  if (attached.length === 0) return proxies.some(isProxyInUse) ? hidden : [];
  return proxies.flatMap((proxy) => judgeManagement(proxy, topology, cluster.key));
}

/** The Proxy of a HostedCluster's management cluster, if it is among the objects; several if nothing tells which one it is. */
export const managementProxies = (
  judged: JudgedResources,
  hostedCluster: Resource | undefined,
): readonly Resource[] => inClusterOf(hostedCluster, proxiesNamedCluster(judged));

/** Cached, so that what is near to each hosted cluster is looked up in one list. */
const proxiesNamedCluster = onceForEach((judged: JudgedResources) =>
  judged.ofKind(isClusterProxy).filter(({ properties }) => hasName(properties, CLUSTER_PROXY.name)),
);

/** Whether a Proxy object sets a proxy URL. */
export const isProxyInUse = ({ properties }: Resource): boolean =>
  PROXY_URLS.map((name) => readValue(properties, `spec.${name}`)).some(
    (value) => value !== undefined && value !== "",
  );

const hasName = (properties: Resource["properties"], name: string): boolean => {
  const own = readText(properties, "metadata.name");
  return own === undefined || own === name;
};

function judgeManagement(proxy: Resource, topology: NormalizedTopology, key: string): Judgement[] {
  const path = "spec.noProxy";
  if (!isProxyInUse(proxy)) return [];
  const noProxy = readValue(proxy.properties, path) ?? "";
  if (noProxy === UNKNOWN || isUnknown(topology, "machineNetwork"))
    return [unknown({ resource: proxy, path, reason: "whether it contains the secondary network" })];
  if (typeof noProxy !== "string") return [];
  return networkRangesOf(topology, "machineNetwork").flatMap(({ prefix }) => {
    const left = leftToProxy(noProxy, prefix);
    const [widest] = [...left].sort((a, b) => a.length - b.length);
    if (!widest) return [];
    const part = widest.text === prefix.text ? "" : `${prefixText(left)} of `;
    return [
      violated({
        resource: proxy.origin,
        path,
        message: `${part}${prefix.text}, the secondary network of ${key}, is not in it: the control plane connects to its nodes through the proxy`,
        fix: `append ${prefix.text}; this rolls the nodes of the management cluster`,
        witness: exampleHost(widest),
      }),
    ];
  });
}

/** Judges whether HyperShift knows the range of the nodes, which must bypass the proxy. */
function judgeMachines({ resource, cluster, noProxy }: WrittenProxy): Judgement[] {
  const { topology, partial } = cluster;
  if (!topology || partial || networkRangesOf(topology, "machineNetwork").length > 0) return [];
  const path = "spec.networking.machineNetwork";
  if (isUnknown(topology, "machineNetwork") || noProxy.value === UNKNOWN)
    return [unknown({ resource, path })];
  // A user who writes ranges into noProxy may have included that of the nodes.
  if (noProxyEntries(noProxy).some((entry) => entry.includes("/") || entry === "*")) return [];
  return [
    violated({
      resource: resource.origin,
      path,
      message:
        "missing: HyperShift reads the nodes' range for noProxy from it; without it, nodes connect to each other through the proxy",
      fix: "write the machine network, or its range into noProxy",
    }),
  ];
}

/** Reports noProxy entries that make nodes reach the API server without the proxy, which they may need. */
export const proxyApiBypass: Rule = {
  id: "proxy-api-bypass",
  title: "noProxy covers the API server by mistake",
  level: Level.Warning,
  description:
    "Reports noProxy entries that silently turn off the nodes' own proxy for the API server, in HostedClusters with httpsProxy that are reached over the Internet: an entry that matches the API server's host name or address, the address of its node port or that on the nodes, any entry that contains the word kubernetes, or an entry that is the first service or cluster network.",
  documents: [
    at(HYPERSHIFT, "support/util/networking.go"),
    at(OCP_PROXY, "Compute nodes that need to access the API server"),
  ],
  remediation: "Remove the entry if nodes need the proxy to reach the API server.",
  single: isHostedCluster,
  judge: (judged) => writtenProxies(judged).flatMap(judgeBypass),
};

/** The open question about a cluster in which an unknown value decides on the way to the API server. */
export const WHETHER_BYPASSED = "whether nodes reach the API server without the proxy";

function judgeBypass({ resource, cluster, httpsProxy, noProxy }: WrittenProxy): Judgement[] {
  const { topology, partial } = cluster;
  if (!topology || partial || !isGiven(noProxy.value)) return [];
  if (noProxy.value === UNKNOWN) return [unknown({ resource, path: noProxy.path })];
  const { bypass, reason, undecided } = apiProxyChoice(topology, {
    httpsProxy: isGiven(httpsProxy.value),
    noProxy: noProxyEntries(noProxy),
  });
  if (undecided || (bypass && isUnknown(topology, "endpointAccess")))
    return [unknown({ resource, path: noProxy.path, reason: WHETHER_BYPASSED })];
  if (bypass === undefined) return [];
  return [
    violated({
      resource: resource.origin,
      path: noProxy.path,
      message: `${reason}, so nodes reach the API server without the proxy`,
      ...(bypass.length > 1 && {
        fix: "remove these entries if nodes need the proxy to reach the API server",
      }),
    }),
  ];
}

/** Reports hosted clusters with a proxy whose control plane cannot resolve names. */
export const proxyDnsBlocked: Rule = {
  id: "proxy-dns-blocked",
  title: "Control plane behind a proxy cannot reach its DNS servers",
  level: Level.Error,
  description:
    "Reports hosted clusters with a proxy whose security groups or network ACLs block DNS by TCP or UDP from the hosts of the control plane, proved as for port-missing. A proxy accepts only HTTP and HTTPS; the control plane itself resolves the name of the proxy and the names in noProxy and of identity providers. Clusters without a security group or ACL in the stack are not judged.",
  documents: [at(OCP_PROXY, "Control plane workloads that need to access external services")],
  remediation: `Allow control-plane hosts to send TCP and UDP ${PORT.dns} to the DNS servers, and allow the responses.`,
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

/** Reports clusters with a proxy and no compute node: control-plane workloads reach the proxy through compute nodes. */
export const proxyNoComputeNodes: Rule = {
  id: "proxy-no-compute-nodes",
  title: "Cluster with a proxy has no compute nodes",
  level: Level.Warning,
  description:
    "Reports HostedClusters with a proxy whose NodePools in the stack have no nodes. Control-plane workloads reach the proxy through konnectivity and a node: without one, identity providers, image imports and canary checks fail. A cluster without NodePools in the stack is not judged.",
  documents: [
    at(OCP_PROXY, "Control plane workloads that need to access external services"),
    at(HYPERSHIFT, "konnectivity proxy sidecars"),
  ],
  remediation: "Keep at least one compute node.",
  judge: (judged) => {
    const proxies = writtenProxies(judged);
    const hidden = proxies.length > 0 ? hiddenNodePools(judged) : [];
    return hidden.length > 0 ? [...hidden] : proxies.flatMap((proxy) => judgeNodes(judged, proxy));
  },
};

function judgeNodes(judged: JudgedResources, { resource, cluster }: WrittenProxy): Judgement[] {
  const { topology } = cluster;
  const pools = topology ? nodePoolsOf(judged, topology) : [];
  if (pools.length === 0 || pools.some(({ least }) => typeof least === "number" && least > 0)) return [];
  const pending = pools.filter(({ least }) => least === UNKNOWN);
  if (pending.length > 0)
    return pending.map((pool) =>
      unknown({ resource: pool.resource, path: "spec.replicas", reason: "how many nodes it creates" }),
    );
  if (readValue(resource.properties, PROXY) === UNKNOWN) return [unknown({ resource, path: PROXY })];
  const names = proxiedWorkloads.filter(({ throughProxy }) => throughProxy).map(({ name }) => name);
  return [
    violated({
      resource: resource.origin,
      path: PROXY,
      message: `the cluster's NodePools have no nodes, and without a node the control plane cannot reach the proxy: requests of ${names.join(", ")} fail`,
    }),
  ];
}
