import { readText } from "../resources/read";
import type { LiveCluster, LiveObject } from "../cluster/liveCluster";
import { LiveFault } from "../cluster/liveCheck";

/**
 * The kubeconfig of a hosted cluster's administrator, as its HostedCluster names it.
 *
 * @throws LiveFault where there is none yet
 */
export async function hostedKubeconfig(management: LiveCluster, hostedCluster: LiveObject): Promise<string> {
  const namespace = readText(hostedCluster, "metadata.namespace");
  const secret = readText(hostedCluster, "status.kubeconfig.name");
  if (typeof namespace !== "string" || typeof secret !== "string")
    throw new LiveFault(
      "the HostedCluster has no kubeconfig in its status: its API server is not up yet",
      "wait for it, or name a kubeconfig with --hosted-kubeconfig",
    );
  const object = await management.get(`/api/v1/namespaces/${namespace}/secrets/${secret}`);
  const content = object && readText(object, "data.kubeconfig");
  if (typeof content !== "string")
    throw new LiveFault(
      `${management.name} has no Secret ${namespace}/${secret} with a kubeconfig`,
      "name one with --hosted-kubeconfig",
    );
  return Buffer.from(content, "base64").toString("utf8");
}
