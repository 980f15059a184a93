import type { RequestOptions } from "node:https";

import type { KubeConfig } from "@kubernetes/client-node";
import { readCause } from "../fault";
import { setTimeout as sleep } from "node:timers/promises";

/** Where the cluster is, as far as it is said. */
export interface ClusterAccess {
  kubeconfig?: string | undefined;
  context?: string | undefined;
}

/** What an API server answered. */
export interface ServerAnswer {
  status: number;
  body: unknown;
}

/** What can be asked of an API server here. */
export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** An API server that cannot answer now, and may later. */
export class Unreachable extends Error {
  constructor(
    message: string,
    /** Whether it is one that will not be trusted later either. */
    readonly isFinal = false,
  ) {
    super(message);
  }
}

/** What Node.js says of certificates that it does not trust. */
const UNTRUSTED = /^(CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERR_TLS_)/;

/** Whether a server that gave this status may answer in another way later; without one the connection broke. */
export const mayAnswerLater = (status: number | undefined): boolean =>
  status === undefined || status === 429 || status >= 500;

/** How long one answer may take. */
const PATIENCE_MS = 60_000;

/** The API server of a kubeconfig. Objects come and go as they are: no field is dropped or written in another way. */
export class Cluster {
  private constructor(private readonly config: KubeConfig) {}

  /** The cluster of a kubeconfig's content or path; without one that of KUBECONFIG, ~/.kube/config or the pod around us. */
  static async open({ kubeconfig, context }: ClusterAccess): Promise<Cluster> {
    // It takes half a second to load, which only those pay who write.
    const { KubeConfig } = await import("@kubernetes/client-node");
    const config = new KubeConfig();
    read(config, kubeconfig === "" ? undefined : kubeconfig);
    if (context !== undefined) config.setCurrentContext(context);
    const cluster = config.getCurrentCluster();
    if (!cluster) throw new Error("the kubeconfig has no current context with a cluster");
    // What the client takes where it finds nothing. Who means it writes a kubeconfig.
    if (cluster.name === "cluster" && cluster.server === "http://localhost:8080")
      throw new Error("none is named, and neither KUBECONFIG nor ~/.kube/config has one");
    return new Cluster(config);
  }

  /** Host and port of the API server; undefined where its address is none. */
  get host(): string | undefined {
    return serverHost(this.config.getCurrentCluster()!.server);
  }

  /** Sends one request, again where the server wants it later; what a PATCH sends is a merge patch. */
  async send(method: Method, path: string, content?: object): Promise<ServerAnswer> {
    const server = this.config.getCurrentCluster()!.server.replace(/\/$/, "");
    const url = new URL(server + path);
    const options: RequestOptions = { method, timeout: PATIENCE_MS };
    await this.config.applyToHTTPSOptions(options);
    const body = content === undefined ? undefined : JSON.stringify(content);
    options.headers = {
      ...(options.headers as Record<string, string>),
      accept: "application/json",
      ...(body !== undefined && {
        "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
        "content-length": Buffer.byteLength(body),
      }),
    };
    return unlessBusy(() => exchange(url, options, body));
  }
}

/** Host and port of an address, without the credentials and the path that may stand in it. */
export const serverHost = (server: string): string | undefined =>
  URL.canParse(server) ? new URL(server).host : undefined;

function read(config: KubeConfig, kubeconfig: string | undefined): void {
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else if (isContent(kubeconfig)) config.loadFromString(kubeconfig);
    else config.loadFromFile(kubeconfig);
  } catch (error) {
    // The reason quotes the lines around it, or takes a content for a path, and with them credentials.
    const cause = (error as NodeJS.ErrnoException).code;
    throw new Error(`the kubeconfig cannot be read: ${whyNot(error as NodeJS.ErrnoException)}`, { cause });
  }
}

function whyNot(error: NodeJS.ErrnoException): string {
  const { code, path } = error;
  if (code === undefined) return "it is not YAML, or a cluster, user or context in it is not whole";
  const [problem] = readCause(error);
  const why = code === "ENOENT" ? "there is no such file" : `it ${problem}`;
  return path !== undefined && PATH.test(path)
    ? `${why}: ${path}`
    : `${why}. It is taken for the path of a file: a content has several lines or is JSON`;
}

/** What can be shown: no token, and no kubeconfig in base64, looks so. */
const PATH = /^(~|\.{0,2})\/[\w./@+-]{1,255}$|^[\w-]{1,50}\.(kubeconfig|conf|ya?ml|json)$/;

function exchange(url: URL, options: RequestOptions, body: string | undefined): Promise<Turn<ServerAnswer>> {
  // Imports would load both with every check.
  const send = process.getBuiltinModule(url.protocol === "http:" ? "node:http" : "node:https").request;
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) =>
      reject(
        new Unreachable(
          `the Kubernetes API server ${url.origin} is unreachable: ${error.message}`,
          UNTRUSTED.test(error.code ?? ""),
        ),
      );
    const request = send(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", failed);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const { statusCode: status = 0, headers } = response;
        const wait = waitOf(status, headers["retry-after"]);
        resolve({ answer: { status, body: parsed(text) }, ...(wait !== undefined && { wait }) });
      });
    });
    request.on("error", failed);
    request.on("timeout", () => request.destroy(new Error("no answer")));
    request.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The content of a kubeconfig has several lines or is JSON; anything else names a file, as with Pulumi's provider. */
const isContent = (kubeconfig: string): boolean =>
  kubeconfig.includes("\n") || kubeconfig.trimStart().startsWith("{");

/** How often a server is asked that is busy, or has just started; as often as Kubernetes' own clients do. */
const TURNS = 10;

/** What a server said, and after how many milliseconds it wants to be asked again, where it did nothing. */
export interface Turn<Said> {
  answer: Said;
  wait?: number;
}

/** Asks once more whenever the server wants it, and does not go on for ever. */
export async function unlessBusy<Said>(ask: () => Promise<Turn<Said>>): Promise<Said> {
  for (let turn = 1; ; turn++) {
    const { answer, wait } = await ask();
    if (wait === undefined || turn === TURNS) return answer;
    await sleep(wait);
  }
}

const TOO_MANY_REQUESTS = 429;
/** Seconds. Who is told to wait for longer is told so, and does something else meanwhile. */
const LONGEST = 5;

/**
 * After how many milliseconds a server wants to be asked again; undefined where it did what it was asked, or does not
 * say, or wants no request for a long time.
 *
 * @param retryAfter seconds, as the header of that name says them
 */
export function waitOf(status: number, retryAfter: string | undefined): number | undefined {
  const seconds = status === TOO_MANY_REQUESTS ? Number(retryAfter ?? NaN) : NaN;
  return seconds >= 0 && seconds <= LONGEST ? seconds * 1_000 : undefined;
}
