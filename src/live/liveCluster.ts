import { Cluster, type ClusterAccess } from "../components/kubernetes/compareAndSwap/cluster";
import { read, readText } from "../resources/read";
import type { PropertyValue } from "../resources/resource";

/** An object as the API server sends it. */
export type LiveObject = { readonly [key: string]: PropertyValue };

/** Why a cluster did not answer, and the way out. */
export class LiveFault extends Error {
  constructor(
    problem: string,
    readonly remedy: string,
  ) {
    super(problem);
  }
}

/** A running cluster, which is only read. */
export class LiveCluster {
  private constructor(
    private readonly cluster: Cluster,
    /** What users call it: `the hosted cluster`. */
    readonly name: string,
  ) {}

  /**
   * @param access content or path of a kubeconfig; without one that of KUBECONFIG, ~/.kube/config or the pod around us
   * @throws LiveFault where the kubeconfig cannot be used
   */
  static async open(access: ClusterAccess, name: string): Promise<LiveCluster> {
    try {
      return new LiveCluster(await Cluster.open(access), name);
    } catch (error) {
      throw new LiveFault(
        `the kubeconfig of ${name} cannot be used: ${(error as Error).message}`,
        "look at its path, its clusters, users and contexts",
      );
    }
  }

  /** An object by its path; undefined where there is none. */
  async get(path: string): Promise<LiveObject | undefined> {
    const { status, body } = await this.send(path);
    if (status === 404) return undefined;
    if (status === 200 && isObject(body)) return body;
    throw this.refused(path, status, body);
  }

  /** The objects of a list; none where the API server does not know the kind. */
  async list(path: string): Promise<LiveObject[]> {
    const list = await this.get(path);
    return list ? read(list, "items[]").flatMap(({ value }) => (isObject(value) ? [value] : [])) : [];
  }

  private async send(path: string): Promise<{ status: number; body: unknown }> {
    try {
      return await this.cluster.send("GET", path);
    } catch (error) {
      throw new LiveFault(
        `${this.name} does not answer: ${(error as Error).message}`,
        "look at the server of its kubeconfig, and at the way there",
      );
    }
  }

  private refused(path: string, status: number, body: unknown): LiveFault {
    const said = isObject(body) ? readText(body, "message") : undefined;
    const why = typeof said === "string" ? said : `${path}: status ${status}`;
    if (status === 401)
      return new LiveFault(`${this.name} does not know who asks: ${why}`, "take a kubeconfig that is valid");
    if (status === 403)
      return new LiveFault(
        `${this.name} forbids it: ${why}`,
        "bind the role of rbac/ in this package to the user, or one with that verb and resource",
      );
    return new LiveFault(
      `${this.name} answers with an error: ${why}`,
      "try again, and look at its API server",
    );
  }
}

const isObject = (value: unknown): value is LiveObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
