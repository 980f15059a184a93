import { Cluster, type ClusterAccess, type Method, type ServerAnswer, Unreachable } from "./cluster";
import { isMap, type PropertyMap, read, readText } from "../resources/read";
import { isRecord } from "../collections";

/** An object as the API server sends it. */
export type LiveObject = PropertyMap;

const isLiveObject = (body: unknown): body is LiveObject => isRecord(body);

/** By which name the API server notes who wrote. */
const FIELD_MANAGER = "hypershift-network";

/** How many objects a page has. */
const PAGE = 500;

/** A running cluster. */
export class LiveCluster {
  constructor(
    private readonly cluster: Pick<Cluster, "send">,
    /** What users call it: `the hosted cluster`. */
    readonly name: string,
    /** Host and port of the API server, by which everybody reaches it who may. */
    readonly host?: string,
  ) {}

  /**
   * @param access content or path of a kubeconfig; without one that of KUBECONFIG, ~/.kube/config or the pod around us
   * @param isContent whether a content is more likely than a path: then a text that is neither is not shown
   * @throws LiveFault where the kubeconfig cannot be used
   */
  static async open(access: ClusterAccess, name: string, isContent = false): Promise<LiveCluster> {
    try {
      const cluster = await Cluster.open(access);
      return new LiveCluster(cluster, name, cluster.host);
    } catch (error) {
      const { message, cause } = error as Error;
      const { kubeconfig = "" } = access;
      if (!isContent && kubeconfig !== "" && cause === "ENOENT")
        throw new LiveFault(
          `the kubeconfig of ${name} cannot be used: there is no such file: ${kubeconfig}`,
          "check the path",
        );
      throw new LiveFault(
        `the kubeconfig of ${name} cannot be used: ${message}`,
        "look at its path, its clusters, users and contexts",
      );
    }
  }

  /** An object by its path; undefined where there is none. */
  async get(path: string): Promise<LiveObject | undefined> {
    const answer = await this.send(path);
    return answer.status === 404 ? undefined : this.granted(path, answer);
  }

  /** The objects of a list; none where the API server does not know the kind. */
  async list(path: string): Promise<LiveObject[]> {
    const list = await this.get(path);
    return list ? read(list, "items[]").flatMap(({ value }) => (isMap(value) ? [value] : [])) : [];
  }

  /**
   * A list of any length, page by page as the API server sends it; nothing where it does not know the kind. A list that
   * changes for so long that the API server forgets its state goes on with the present one.
   */
  async *pages(path: string): AsyncGenerator<LiveObject> {
    let next: string | undefined;
    do {
      const query = `limit=${PAGE}${next === undefined ? "" : `&continue=${encodeURIComponent(next)}`}`;
      const answer = await this.send(`${path}?${query}`);
      if (answer.status === 404) return;
      const isForgotten = answer.status === 410 && isLiveObject(answer.body);
      const page = isForgotten ? (answer.body as LiveObject) : this.granted(path, answer);
      const token = readText(page, "metadata.continue");
      if (isForgotten && (typeof token !== "string" || token === "" || token === next))
        throw this.refused(path, answer.status, answer.body);
      if (!isForgotten) yield page;
      next = typeof token === "string" && token !== "" ? token : undefined;
    } while (next !== undefined);
  }

  /**
   * Makes an object.
   *
   * @param path of its kind, or of a subresource, without its name
   * @throws LiveFault with status 409 where there is one of that name already
   */
  async create(path: string, object: object): Promise<LiveObject> {
    return this.granted(path, await this.send(path, "POST", object));
  }

  /**
   * Changes an object by a merge patch. With `metadata.resourceVersion` in the patch it is refused, by a LiveFault with
   * status 409, where another program wrote the object since that version.
   *
   * @returns the object as it is then; undefined where there is none
   */
  async patch(path: string, patch: object): Promise<LiveObject | undefined> {
    const answer = await this.send(path, "PATCH", patch);
    return answer.status === 404 ? undefined : this.granted(path, answer);
  }

  /**
   * Deletes an object; what belongs to it goes after it.
   *
   * @returns whether there was one
   */
  async remove(path: string): Promise<boolean> {
    const answer = await this.send(path, "DELETE", { propagationPolicy: "Background" });
    if (answer.status === 404) return false;
    this.granted(path, answer);
    return true;
  }

  private granted(path: string, { status, body }: ServerAnswer): LiveObject {
    if (status >= 200 && status < 300 && isLiveObject(body)) return body;
    throw this.refused(path, status, body);
  }

  private async send(path: string, method: Method = "GET", content?: object): Promise<ServerAnswer> {
    const target = method === "GET" || method === "DELETE" ? path : `${path}?fieldManager=${FIELD_MANAGER}`;
    try {
      return await this.cluster.send(method, target, content);
    } catch (error) {
      throw new LiveFault(
        `${this.name} does not answer: ${(error as Error).message}`,
        "look at the server of its kubeconfig, and at the way there",
        undefined,
        !(error instanceof Unreachable) || error.isFinal,
      );
    }
  }

  private refused(path: string, status: number, body: ServerAnswer["body"]): LiveFault {
    const said = isLiveObject(body) ? readText(body, "message") : undefined;
    const why = typeof said === "string" ? said : `${path}: status ${status}`;
    if (status === 401)
      return new LiveFault(
        `${this.name} does not know who asks: ${why}`,
        "take a kubeconfig that is valid",
        status,
      );
    if (status === FORBIDDEN)
      return new LiveFault(
        `${this.name} forbids it: ${why}`,
        "bind the role of rbac/ in this package to the user, or one with that verb and resource",
        status,
      );
    return new LiveFault(
      `${this.name} answers with an error: ${why}`,
      "try again, and look at its API server",
      status,
    );
  }
}

/** What was looked at on a running cluster, and what it came to. */
export interface LiveCheck {
  /** Stable: `hosted-cluster-value`. */
  id: string;
  /** Id of the requirement that demands it, where one does: `wk-out-konn`. */
  requirement?: string;
  /** What was looked at: `OVN's join subnet in HostedCluster clusters/tenant-a`. */
  what: string;
  expected: string;
  found: string;
  status: LiveStatus;
  /** What to do, where it did not pass. */
  fix?: string;
  /** Document and heading. */
  documented: string;
}

/** How a check ended. */
export enum LiveStatus {
  /** It is as expected. */
  Passed = "passed",
  /** It is not, and was not in all the time that there was. */
  Failed = "failed",
  /** The cluster does not say. */
  Unknown = "unknown",
}

/** Whether everything is as expected: what is unknown is no proof. */
export const isVerified = (checks: readonly LiveCheck[]): boolean =>
  checks.length > 0 && checks.every(({ status }) => status === LiveStatus.Passed);

/** Why a cluster or an account did not answer, and the way out. */
export class LiveFault extends Error {
  constructor(
    problem: string,
    readonly remedy: string,
    /** The status of HTTP with which the API server refused; absent where it was something else. */
    readonly status?: number,
    /** Whether asking again is of no use, whatever the status says. */
    readonly isFinal = false,
  ) {
    super(problem);
  }
}

/** The status of HTTP for a permission that is missing. */
export const FORBIDDEN = 403;

/** Whether the user may not do what was tried. */
export const isForbidden = (error: unknown): error is LiveFault =>
  error instanceof LiveFault && error.status === FORBIDDEN;

/** What is read; undefined for a user who may not. */
export async function unlessForbidden<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}
