import { type Place, read, readText, readValue } from "../../resources/read";
import { type Resource, UNKNOWN } from "../../resources/resource";
import { isClusterProxy, isHostedCluster, isNodePool } from "../../resources/resourceTypes";
import type { JudgedCluster } from "../../gate/clusters";
import type { JudgedResources } from "../../gate/judgedResources";
import { CLUSTER_PROXY, isCoveredBy } from "../management";
import { noProxyEntries } from "../noProxy";
import { at, D3, HYPERSHIFT } from "../../requirements/documents";
import { Platform } from "../../requirements/vocabulary";
import { isUnknown, type NormalizedTopology } from "../../topology/normalizedTopology";
import { hiddenNodePools, nodePoolsOf } from "../../gate/guestCluster";
import { type Judgement, Level, type Rule, unknown, violated } from "../../gate/rule";
import { hostOf } from "../../gate/finding";

/** Where a HostedCluster holds its proxy. */
export const PROXY = "spec.configuration.proxy";

/** The settings of a proxy, as an object or a patch on one writes them. Values may be secrets. */
export interface WrittenSettings {
  resource: Resource;
  /** Where the object holds them. */
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

/** The proxies that HostedClusters write. Components refuse wrong ones themselves, and configuration is judged as such. */
export function writtenProxies({ clusters }: JudgedResources): WrittenProxy[] {
  return clusters.flatMap((cluster) =>
    cluster.sources.flatMap(({ resource }) => {
      if (!resource || !isHostedCluster(resource.type)) return [];
      if (readValue(resource.properties, PROXY) === undefined) return [];
      return [proxyOf(resource, cluster)];
    }),
  );
}

/** The proxies that OpenShift clusters have for themselves, in objects of their own. */
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

/** A range that has to go past a proxy and that no noProxy holds. */
export const proxyNoProxyMissing: Rule = {
  id: "proxy-no-proxy-missing",
  title: "noProxy does not list a network that must bypass the proxy",
  level: Level.Error,
  description:
    "Two places where HyperShift adds nothing: the management cluster's own Proxy object, when NodePools of a KubeVirt cluster attach virtual machines only to a secondary network and the control plane has to reach that directly; and HostedClusters with a proxy that name no machine network, of which HyperShift takes the nodes' range for noProxy.",
  documents: [
    at(
      D3,
      "Management cluster that uses a proxy and a hosted cluster with a secondary network and no default pod network",
    ),
    at(HYPERSHIFT, "support/globalconfig/proxy.go"),
  ],
  remediation: "Write the range into noProxy, or into machineNetwork of the HostedCluster.",
  judge: (judged) => [
    ...judged.clusters.flatMap((cluster) => judgeSecondary(judged, cluster)),
    ...writtenProxies(judged).flatMap(judgeMachines),
  ],
};

/** Whether the management cluster's Proxy object lets the secondary networks of a cluster past. */
function judgeSecondary(judged: JudgedResources, { topology }: JudgedCluster): Judgement[] {
  if (topology?.platform !== Platform.KubeVirt) return [];
  const attached = nodePoolsOf(judged, topology).filter(({ resource }) => isSecondaryAlone(resource));
  const hidden = hiddenNodePools(judged);
  if (attached.length === 0) return managementProxies(judged).some(isProxyInUse) ? hidden : [];
  return managementProxies(judged).flatMap((proxy) => judgeManagement(proxy, topology));
}

/** The Proxy of the management cluster, where it is among the objects. */
export const managementProxies = (judged: JudgedResources): Resource[] =>
  judged.ofKind(isClusterProxy).filter(({ properties }) => hasName(properties, CLUSTER_PROXY.name));

/** Whether the cluster of a Proxy goes through one. */
export const isProxyInUse = ({ properties }: Resource): boolean =>
  ["httpProxy", "httpsProxy"]
    .map((name) => readValue(properties, `spec.${name}`))
    .some((value) => value !== undefined && value !== "");

/** Whether the nodes of a NodePool are on a secondary network, without the default pod network. */
export const isSecondaryAlone = ({ type, properties }: Resource): boolean =>
  isNodePool(type) &&
  readValue(properties, "spec.platform.kubevirt.attachDefaultNetwork") === false &&
  read(properties, "spec.platform.kubevirt.additionalNetworks[]").length > 0;

const hasName = (properties: Resource["properties"], name: string): boolean => {
  const own = readText(properties, "metadata.name");
  return own === undefined || own === name;
};

function judgeManagement(proxy: Resource, topology: NormalizedTopology): Judgement[] {
  const path = "spec.noProxy";
  if (!isProxyInUse(proxy)) return [];
  const noProxy = readValue(proxy.properties, path) ?? "";
  if (noProxy === UNKNOWN || isUnknown(topology, "machineNetwork"))
    return [unknown({ resource: proxy, path, reason: "whether it holds the secondary network" })];
  return topology.machineNetwork
    .filter(({ text }) => typeof noProxy === "string" && !isCoveredBy(noProxy, text))
    .map((network) =>
      violated({
        resource: proxy.origin,
        path,
        message: `${network.text}, the secondary network of ${topology.namespace}/${topology.name}, is not in it: the control plane asks the proxy for its nodes`,
        fix: `append ${network.text}; the nodes of the management cluster roll`,
        witness: hostOf(network),
      }),
    );
}

/** Whether HyperShift knows the range of the nodes that has to go past the proxy. */
function judgeMachines({ resource, cluster, noProxy }: WrittenProxy): Judgement[] {
  const { topology, partial } = cluster;
  if (!topology || partial || topology.machineNetwork.length > 0) return [];
  const path = "spec.networking.machineNetwork";
  if (isUnknown(topology, "machineNetwork") || noProxy.value === UNKNOWN)
    return [unknown({ resource, path })];
  // A user who writes ranges into noProxy may well have written that of the nodes.
  if (noProxyEntries(noProxy).some((entry) => entry.includes("/") || entry === "*")) return [];
  return [
    violated({
      resource: resource.origin,
      path,
      message:
        "missing: HyperShift takes the nodes' range for noProxy from it, so that nodes ask the proxy for each other",
      fix: "write the machine network, or its range into noProxy",
    }),
  ];
}
