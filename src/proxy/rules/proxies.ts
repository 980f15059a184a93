import { type Place, readValue } from "../../resources/read";
import type { Resource } from "../../resources/resource";
import { isClusterProxy, isHostedCluster } from "../../resources/resourceTypes";
import type { JudgedCluster } from "../../gate/clusters";
import type { JudgedResources } from "../../gate/judgedResources";

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
