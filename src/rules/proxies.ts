import type { Place } from "../manifests/places";
import { readValue } from "../resources/read";
import type { Resource } from "../resources/resource";
import { isHostedCluster } from "../resources/resourceTypes";
import type { JudgedCluster } from "./clusters";
import type { JudgedResources } from "./judgedResources";

/** Where a HostedCluster holds its proxy. */
export const PROXY = "spec.configuration.proxy";

/** The proxy of a hosted cluster, as a HostedCluster object or a patch on one writes it. Values may be secrets. */
export interface WrittenProxy {
  resource: Resource;
  cluster: JudgedCluster;
  httpProxy: Place;
  httpsProxy: Place;
  noProxy: Place;
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

function proxyOf(resource: Resource, cluster: JudgedCluster): WrittenProxy {
  const place = (name: string): Place => {
    const path = `${PROXY}.${name}`;
    return { path, value: readValue(resource.properties, path) };
  };
  return {
    resource,
    cluster,
    httpProxy: place("httpProxy"),
    httpsProxy: place("httpsProxy"),
    noProxy: place("noProxy"),
    trustedCa: place("trustedCA.name"),
  };
}
