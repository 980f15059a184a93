import { existsSync } from "node:fs";
import type { RequestOptions } from "node:https";
import { delimiter } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { KubeConfig, User } from "@kubernetes/client-node";
import { grouped } from "../collections";
import { readCause } from "../fault";

/** The kubeconfig and the context of a cluster, if stated. */
export interface ClusterAccess {
  kubeconfig?: string | undefined;
  context?: string | undefined;
}

/** The response of an API server. */
export interface ServerAnswer {
  status: number;
  body: unknown;
}

/** The methods of requests to an API server. */
export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** An API server that does not answer now, but may later. */
export class Unreachable extends Error {
  constructor(
    message: string,
    /** Whether the server is untrusted, and will be later too. */
    readonly isFinal = false,
  ) {
    super(message);
  }
}

/** A kubeconfig whose credentials cannot be obtained. Its message never contains what a plugin writes, which may be a credential. */
export class NoCredentials extends Error {
  constructor(
    readonly problem: string,
    readonly remedy: string,
  ) {
    super(`${problem}: ${remedy}`);
  }
}

/** Error codes of Node.js for certificates that it does not trust. */
const UNTRUSTED = /^(CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERR_TLS_)/;

/** Whether a server with this status may answer differently later; without a status the connection broke. */
export const mayAnswerLater = (status: number | undefined): boolean =>
  status === undefined || status === 429 || status >= 500;

/** The time limit of one response. */
const PATIENCE_MS = 60_000;

/** The API server of a kubeconfig. Sends and returns objects unchanged: no field is dropped or rewritten. */
export class Cluster {
  private constructor(private readonly config: KubeConfig) {}

  /** Opens the cluster of a kubeconfig's content or path; by default that of KUBECONFIG, ~/.kube/config or the pod around us. */
  static async open({ kubeconfig, context }: ClusterAccess): Promise<Cluster> {
    // It takes half a second to load, so it is loaded only when needed.
    const { KubeConfig } = await import("@kubernetes/client-node");
    const config = new KubeConfig();
    read(kubeconfig, config, () => new KubeConfig());
    // The client's default if it finds nothing. Users who want this server write a kubeconfig.
    const found = config.getCurrentCluster();
    if (found?.name === "cluster" && found.server === "http://localhost:8080")
      throw new Error("none is named, and neither KUBECONFIG nor ~/.kube/config has one");
    if (context !== undefined) config.setCurrentContext(context);
    if (!config.getCurrentCluster()) throw new Error(withoutCluster(config));
    return new Cluster(config);
  }

  /** Host and port of the API server; undefined if its address is invalid. */
  get host(): string | undefined {
    return serverHost(this.config.getCurrentCluster()!.server);
  }

  /** Sends one request, and repeats it if the server requests that; PATCH sends a merge patch. */
  async send(method: Method, path: string, content?: object): Promise<ServerAnswer> {
    const server = this.config.getCurrentCluster()!.server.replace(/\/$/, "");
    const url = new URL(server + path);
    const options: RequestOptions = { method, timeout: PATIENCE_MS };
    await this.config.applyToHTTPSOptions(options).catch((error: Error) => {
      throw withoutCredentials(this.config.getCurrentUser(), error);
    });
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

/** Host and port of an address, without credentials and path. */
export const serverHost = (server: string): string | undefined =>
  URL.canParse(server) ? new URL(server).host : undefined;

function withoutCluster(config: KubeConfig): string {
  const name = config.getCurrentContext();
  if (!name) return "the kubeconfig has no current context";
  return config.getContextObject(name)
    ? `the context ${name} of the kubeconfig names no cluster that the kubeconfig has`
    : `the kubeconfig has no context ${name}`;
}

/** The fault of a user whose credentials could not be added to a request; other faults stay as they are. */
function withoutCredentials(user: User | null, error: NodeJS.ErrnoException): Error {
  const { code, path, syscall = "" } = error;
  if (code !== undefined && path !== undefined && !syscall.startsWith("spawn"))
    return new NoCredentials(
      `a file that the kubeconfig names cannot be read: ${whyNot(error)}`,
      "check the paths of its certificates, keys and tokens",
    );
  const { exec, authProvider } = (user ?? {}) as CredentialSources;
  const command = exec?.command ?? authProvider?.config?.["cmd-path"];
  if (command !== undefined)
    return new NoCredentials(
      `the credential plugin ${command} of the kubeconfig did not work: ${whyNoPlugin(error)}`,
      "run it, and correct the command, arguments and variables of that user in the kubeconfig",
    );
  if (exec)
    return new NoCredentials("a credential plugin of the kubeconfig has no command", "write its command");
  return authProvider
    ? new NoCredentials(`${authProvider.name} gives no credentials for the kubeconfig`, "log in again")
    : error;
}

/** The parts of a user that run a program or ask a server for credentials; the client leaves them untyped. */
interface CredentialSources {
  exec?: { command?: string };
  authProvider?: { name: string; config?: Readonly<Record<string, string | undefined>> };
}

function whyNoPlugin(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "there is no such program";
  if (error.code !== undefined) return `it cannot be started (${error.code})`;
  const isRead = error instanceof SyntaxError || error instanceof TypeError;
  return isRead ? "what it prints is not an ExecCredential with a status" : "it ends with an error";
}

function read(kubeconfig: string | undefined, config: KubeConfig, empty: () => KubeConfig): void {
  // It would mean the default, which may be another cluster.
  if (kubeconfig?.trim() === "") throw new Error("the kubeconfig is empty");
  try {
    if (kubeconfig === undefined) readDefault(config, empty);
    else if (isContent(kubeconfig)) config.loadFromString(kubeconfig);
    else config.loadFromFile(kubeconfig);
  } catch (error) {
    // The client's message quotes the lines around the fault, or uses content as a path, and may reveal credentials.
    const cause = (error as NodeJS.ErrnoException).code;
    throw new Error(`the kubeconfig cannot be read: ${whyNot(error as NodeJS.ErrnoException)}`, { cause });
  }
}

/**
 * Reads the files of KUBECONFIG as kubectl and Pulumi's provider do: those that do not exist are left out, and the first current context
 * and the first entry of each name count. The client's own merge takes the last context, which may be another cluster.
 */
function readDefault(config: KubeConfig, empty: () => KubeConfig): void {
  const files = (process.env.KUBECONFIG ?? "").split(delimiter).filter((file) => file !== "");
  const there = files.filter((file) => existsSync(file));
  if (there.length === 0) return config.loadFromDefault();
  const parts = there.map((file) => {
    const part = empty();
    part.loadFromFile(file);
    return part;
  });
  config.loadFromOptions({
    clusters: firstOfEachName(parts.flatMap(({ clusters }) => clusters)),
    contexts: firstOfEachName(parts.flatMap(({ contexts }) => contexts)),
    users: firstOfEachName(parts.flatMap(({ users }) => users)),
    currentContext: parts.map(({ currentContext }) => currentContext).find(Boolean),
  });
}

const firstOfEachName = <Entry extends { name: string }>(entries: readonly Entry[]): Entry[] =>
  [...grouped(entries, ({ name }) => name).values()].map(([first]) => first);

function whyNot(error: NodeJS.ErrnoException): string {
  const { code, path } = error;
  if (code === undefined) return "it is not YAML, or one of its clusters, users or contexts is incomplete";
  const [problem] = readCause(error);
  const why = code === "ENOENT" ? "there is no such file" : `it ${problem}`;
  return path !== undefined && PATH.test(path)
    ? `${why}: ${path}`
    : `${why}. The value is read as a file path: content has several lines or is JSON`;
}

/** Paths that are safe to show: no token and no kubeconfig in base64 looks like this. */
const PATH = /^(~|\.{0,2})\/[\w./@+-]{1,255}$|^[\w-]{1,50}\.(kubeconfig|conf|ya?ml|json)$/;

function exchange(url: URL, options: RequestOptions, body: string | undefined): Promise<Turn<ServerAnswer>> {
  // Static imports would load both with every check.
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

/** The content of a kubeconfig has several lines or is JSON; any other text is a path, as with Pulumi's provider. */
const isContent = (kubeconfig: string): boolean =>
  kubeconfig.includes("\n") || kubeconfig.trimStart().startsWith("{");

/** The number of attempts if a server is busy or has just started, as in Kubernetes' own clients. */
const TURNS = 10;

/** The answer of a server and, if it did nothing, the milliseconds after which it accepts a repetition. */
export interface Turn<Said> {
  answer: Said;
  wait?: number;
}

/** Repeats a request whenever the server requests that, with a limited number of attempts. */
export async function unlessBusy<Said>(ask: () => Promise<Turn<Said>>): Promise<Said> {
  for (let turn = 1; ; turn++) {
    const { answer, wait } = await ask();
    if (wait === undefined || turn === TURNS) return answer;
    await sleep(wait);
  }
}

const TOO_MANY_REQUESTS = 429;
/** Seconds. Callers get the answer if the server requests a longer wait, and can do something else meanwhile. */
const LONGEST = 5;

/**
 * The milliseconds after which a server accepts a repetition; undefined if it carried out the request,
 * does not state a time, or wants no request for a long time.
 *
 * @param retryAfter seconds, from the header of that name
 */
export function waitOf(status: number, retryAfter: string | undefined): number | undefined {
  const seconds = status === TOO_MANY_REQUESTS ? Number(retryAfter ?? NaN) : NaN;
  return seconds >= 0 && seconds <= LONGEST ? seconds * 1_000 : undefined;
}
