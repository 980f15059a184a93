import { pushAll } from "../../pushAll";
import { read, readText } from "../../resources/read";
import type { Resource } from "../../resources/resource";
import type { LiveCluster } from "../../cluster/liveCluster";
import type { LiveFault } from "../../cluster/liveFault";
import { liveResources } from "./liveResource";
import { granted } from "../liveReading";

/** Where HostedClusters name ConfigMaps with certificates. */
const NAMES = ["spec.configuration.proxy.trustedCA.name", "spec.additionalTrustBundle.name"];

/** The ConfigMaps with certificates that HostedClusters name; no others are read. */
export async function namedConfigMaps(
  cluster: LiveCluster,
  hosted: readonly Resource[],
  faults: LiveFault[],
): Promise<Resource[]> {
  const paths = new Set(
    hosted.flatMap(({ properties }) => {
      const namespace = readText(properties, "metadata.namespace");
      const names = NAMES.flatMap((path) => read(properties, path).map(({ value }) => value));
      return names.flatMap((name) =>
        typeof name === "string" && name !== "" && typeof namespace === "string"
          ? [`/api/v1/namespaces/${namespace}/configmaps/${encodeURIComponent(name)}`]
          : [],
      );
    }),
  );
  const found: Resource[] = [];
  for (const path of paths) {
    const object = await granted(faults, () => cluster.get(path));
    if (object) pushAll(found, liveResources({ apiVersion: "v1", kind: "ConfigMap", ...object }));
  }
  return found;
}
