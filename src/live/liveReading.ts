import type { KubernetesKind } from "../resources/kubernetesKinds";
import type { Resource } from "../resources/resource";
import { isForbidden, type LiveFault } from "../cluster/liveCheck";

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
