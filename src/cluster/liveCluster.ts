import {
  Cluster,
  type ClusterAccess,
  type Method,
  NoCredentials,
  type ServerAnswer,
  Unreachable,
} from "./cluster";
import { isMap, type PropertyMap, read, readText } from "../resources/read";
import { isRecord } from "../collections";

/** An object as the API server sends it. */
export type LiveObject = PropertyMap;

const isLiveObject = (body: unknown): body is LiveObject => isRecord(body);

/** The name by which the API server records our changes. */
const FIELD_MANAGER = "hypershift-network";

/** The number of objects on a page. */
const PAGE = 500;

/** A running cluster. */
export class LiveCluster {
  constructor(
    private readonly cluster: Pick<Cluster, "send">,
    /** Its name for users: `the hosted cluster`. */
    readonly name: string,
    /** Host and port of the API server, the same for everyone who may reach it. */
    readonly host?: string,
  ) {}

  /**
   * @param access content or path of a kubeconfig; defaults to that of KUBECONFIG, ~/.kube/config or the pod around us
   * @param isContent whether content is more likely than a path: a text that is neither is then not
   * shown @throws LiveFault if the kubeconfig cannot be used
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
        "check its path, clusters, users and contexts",
      );
    }
  }

  /** An object by its path; undefined if it does not exist. */
  async get(path: string): Promise<LiveObject | undefined> {
    const answer = await this.send(path);
    return answer.status === 404 ? undefined : this.granted(path, answer);
  }

  /** The objects of a list; none if the API server does not know the kind. */
  async list(path: string): Promise<LiveObject[]> {
    const list = await this.get(path);
    return list ? read(list, "items[]").flatMap(({ value }) => (isMap(value) ? [value] : [])) : [];
  }

  /**
   * A list of any length, page by page as the API server sends it; nothing if it does not know the kind. If
   * a list changes for so long that the API server forgets its state, it continues with the current state.
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
   * Creates an object.
   *
   * @param path of its kind, or of a subresource, without its name @throws LiveFault with status 409 if an object of that name exists
   */
  async create(path: string, object: object): Promise<LiveObject> {
    return this.granted(path, await this.send(path, "POST", object));
  }

  /**
   * Changes an object by a merge patch. With `metadata.resourceVersion` in the patch, the server refuses
   * it, by a LiveFault with status 409, if another program changed the object since that version.
   *
   * @returns the changed object; undefined if it does not exist
   */
  async patch(path: string, patch: object): Promise<LiveObject | undefined> {
    const answer = await this.send(path, "PATCH", patch);
    return answer.status === 404 ? undefined : this.granted(path, answer);
  }

  /**
   * Deletes an object; its dependents are deleted after it.
   *
   * @returns whether the object existed
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
      if (error instanceof NoCredentials)
        throw new LiveFault(`${this.name} cannot be asked: ${error.problem}`, error.remedy, undefined, true);
      throw new LiveFault(
        `${this.name} does not answer: ${(error as Error).message}`,
        "check the server in its kubeconfig and the network path to it",
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
        `${this.name} rejects the credentials: ${why}`,
        "use a kubeconfig with valid credentials",
        status,
      );
    if (status === FORBIDDEN)
      return new LiveFault(
        `${this.name} denies the request: ${why}`,
        "bind the role in rbac/ of this package to the user, or a role with that verb and resource",
        status,
      );
    return new LiveFault(
      `${this.name} returns an error: ${why}`,
      "try again, and check its API server",
      status,
    );
  }
}

/** A check of a running cluster, and its result. */
export interface LiveCheck {
  /** Stable: `hosted-cluster-value`. */
  id: string;
  /** Id of the requirement behind it, if there is one: `wk-out-konn`. */
  requirement?: string;
  /** The subject of the check: `OVN's join subnet in HostedCluster clusters/tenant-a`. */
  what: string;
  expected: string;
  found: string;
  status: LiveStatus;
  /** What to do if it did not pass. */
  fix?: string;
  /** Document and heading. */
  documented: string;
}

/** The result of a check. */
export enum LiveStatus {
  /** It is as expected. */
  Passed = "passed",
  /** It was not as expected in all the available time. */
  Failed = "failed",
  /** The cluster does not state it. */
  Unknown = "unknown",
}

/** The outcome of a check. */
export type CheckOutcome = Pick<LiveCheck, "found" | "status">;

/** A check with its outcome; it has a fix unless it passed. */
export const checkOf = (
  subject: Pick<LiveCheck, "id" | "what" | "expected" | "requirement">,
  { found, status }: CheckOutcome,
  fix: string,
  documented: string,
): LiveCheck => ({
  ...subject,
  found,
  status,
  ...(status !== LiveStatus.Passed && { fix }),
  documented,
});

/** Whether everything is as expected: an unknown result is no proof. */
export const isVerified = (checks: readonly LiveCheck[]): boolean =>
  checks.length > 0 && checks.every(({ status }) => status === LiveStatus.Passed);

/** Why a cluster or an account did not answer, and the fix. */
export class LiveFault extends Error {
  constructor(
    problem: string,
    readonly remedy: string,
    /** The HTTP status with which the API server refused; absent for other reasons. */
    readonly status?: number,
    /** Whether a repetition is useless, regardless of the status. */
    readonly isFinal = false,
  ) {
    super(problem);
  }
}

/** The HTTP status for a missing permission. */
export const FORBIDDEN = 403;

/** Whether the user lacks the permission for what was tried. */
export const isForbidden = (error: unknown): error is LiveFault =>
  error instanceof LiveFault && error.status === FORBIDDEN;

/** The result of a read; undefined if the user lacks the permission. */
export async function unlessForbidden<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}
