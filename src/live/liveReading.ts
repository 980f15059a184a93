import type { KubernetesKind } from "../resources/resourceTypes";
import type { Resource } from "../resources/resource";
import { isForbidden, type LiveCluster, LiveFault, type LiveObject } from "../cluster/liveCluster";
import { readText } from "../resources/read";

/** What was read of a running cluster or an account. */
export interface LiveReading {
  /** What users call it: `the cluster`, `the EC2 API of eu-west-1`. */
  name: string;
  /** Which one of its kind it is, the same for everybody: `cluster/api.example.com:6443`, `ec2/eu-west-1`. */
  runsIn: string | undefined;
  resources: Resource[];
  /** The kinds of Kubernetes objects of which every one was read that has to do with hosted clusters, and nothing else. */
  kinds?: readonly KubernetesKind[];
  /** What a reader should know although nothing is wrong. */
  notes: string[];
  /** What keeps it from being judged, all of it. */
  faults: LiveFault[];
}

/** Who is told what is being read. */
export type Reading = (what: string) => void;

/** Reads something; a permission that is missing is added to the faults, so that all of them are named at once, each once. */
export async function granted<T>(faults: LiveFault[], read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isForbidden(error)) throw error;
    if (!faults.some(({ message }) => message === error.message)) faults.push(error);
    return undefined;
  }
}

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
