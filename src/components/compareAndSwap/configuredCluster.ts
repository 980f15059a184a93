import type { dynamic } from "@pulumi/pulumi";
import { Cluster, type ClusterAccess } from "../../cluster/cluster";

/** What stands for a value that a preview does not know. */
export const UNKNOWN_VALUE = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Where the cluster is when a resource does not say it: the configuration that the default Kubernetes provider reads. */
const configured: ClusterAccess = {};

/** Takes over what the engine says once to a dynamic provider. */
export function configure({ config }: dynamic.ConfigureRequest): Promise<void> {
  configured.kubeconfig = config.get("kubernetes:kubeconfig");
  configured.context = config.get("kubernetes:context");
  return Promise.resolve();
}

/** The cluster that a resource names, or the one of the configuration. */
export const clusterOf = ({ kubeconfig, context }: ClusterAccess): Promise<Cluster> =>
  Cluster.open(
    kubeconfig === undefined ? { ...configured, ...(context && { context }) } : { kubeconfig, context },
  );
