import { type IncomingMessage, request as httpRequest } from "node:http";
import { type RequestOptions, request as httpsRequest } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";

import type { Props } from "../provider";
import type { Access } from "./access";

/** The longest time for a single response; waiting for readiness consists of many short requests. */
const ANSWER_LIMIT_MS = 60_000;

const contentTypes = {
  json: "application/json",
  apply: "application/apply-patch+yaml",
  jsonPatch: "application/json-patch+json",
} as const;

/** How often to retry if the server is busy or starting, as in Kubernetes' own client. */
const BUSY_LIMIT = 10;
const TOO_MANY_REQUESTS = 429;

/** One request to the API server. */
export interface ApiRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query?: Record<string, string | undefined>;
  body?: Props | Props[];
  content?: keyof typeof contentTypes;
  signal?: AbortSignal;
}

/** The server's reason for a rejection: the `Status` object of the Kubernetes API. */
export interface Status {
  message?: string;
  reason?: string;
  details?: {
    name?: string;
    kind?: string;
    causes?: { reason?: string; message?: string; field?: string }[];
  };
}

/** Thrown if the API server rejects a request. */
export class ApiError extends Error {
  constructor(
    readonly code: number,
    readonly status: Status,
  ) {
    super(status.message ?? `the API server answered ${code}`);
  }

  get reason(): string {
    return this.status.reason ?? "";
  }
}

/** Thrown if the API server cannot be reached. */
export class Unreachable extends Error {
  constructor(server: string, cause: Error) {
    super(
      `the Kubernetes API server ${server} is unreachable: ${cause.message || (cause as NodeJS.ErrnoException).code}`,
    );
  }
}

/** Whether the error is the server's "not found". */
export const isNotFound = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 404;

/** The API server of the kubeconfig's current context. */
export class ApiServer {
  constructor(private readonly access: Access) {}

  /** Sends a request and returns the object in the response. */
  async send(request: ApiRequest): Promise<Props> {
    const answer = await unlessBusy(async () => exchange(await this.outgoing(request)), request.signal);
    if (answer.code >= 400) throw new ApiError(answer.code, asStatus(answer.text));
    return JSON.parse(answer.text) as Props;
  }

  /** Yields the lines of a response as they arrive, until the server or the caller ends it. */
  async *follow(request: Omit<ApiRequest, "body">): AsyncGenerator<Props> {
    const outgoing = await this.outgoing(request);
    const response = await opened(outgoing);
    if ((response.statusCode ?? 0) >= 400)
      throw new ApiError(response.statusCode ?? 0, asStatus(await textOf(response, outgoing)));
    try {
      let rest = "";
      for await (const chunk of response.setEncoding("utf8")) {
        const lines = (rest + (chunk as string)).split("\n");
        rest = lines.pop()!;
        for (const line of lines) yield JSON.parse(line) as Props;
      }
    } catch (error) {
      throw failure(outgoing, error as Error);
    } finally {
      response.destroy();
    }
  }

  private async outgoing(request: ApiRequest): Promise<Outgoing> {
    const { method, path, query = {}, body, content = "json", signal } = request;
    const url = new URL(`${this.access.server}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    const options: RequestOptions = { method, signal, timeout: ANSWER_LIMIT_MS };
    options.headers = { accept: "application/json", "content-type": contentTypes[content] };
    await this.access.authorize(options);
    const text = body === undefined ? undefined : JSON.stringify(body);
    // Node.js does not set the length for DELETE by itself: the server would read the body as the next request.
    if (text !== undefined) options.headers["content-length"] = Buffer.byteLength(text);
    return { url, options, text };
  }
}

/** A request as it is sent. */
interface Outgoing {
  url: URL;
  options: RequestOptions;
  text: string | undefined;
}

interface Answer {
  code: number;
  text: string;
  /** Seconds after which the server wants to be called again. */
  retryAfter: number;
}

async function unlessBusy(ask: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
  for (let turn = 1; ; turn++) {
    const answer = await ask();
    if (answer.code !== TOO_MANY_REQUESTS || turn === BUSY_LIMIT) return answer;
    await sleep(answer.retryAfter * 1000, undefined, { signal });
  }
}

async function exchange(outgoing: Outgoing): Promise<Answer> {
  const response = await opened(outgoing);
  return {
    code: response.statusCode ?? 0,
    text: await textOf(response, outgoing),
    retryAfter: Number(response.headers["retry-after"] ?? 1) || 0,
  };
}

/** Sends a request, and resolves when the response headers have arrived. */
function opened(outgoing: Outgoing): Promise<IncomingMessage> {
  const { url, options, text } = outgoing;
  const send = url.protocol === "http:" ? httpRequest : httpsRequest;
  return new Promise((resolve, reject) => {
    const request = send(url, options, resolve);
    request.on("error", (error) => reject(failure(outgoing, error)));
    request.on("timeout", () =>
      request.destroy(new Error(`no answer within ${ANSWER_LIMIT_MS / 1000} seconds`)),
    );
    request.end(text);
  });
}

async function textOf(response: IncomingMessage, outgoing: Outgoing): Promise<string> {
  try {
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) text += chunk as string;
    return text;
  } catch (error) {
    throw failure(outgoing, error as Error);
  }
}

const failure = ({ url, options }: Outgoing, error: Error): Error =>
  options.signal?.aborted === true ? error : new Unreachable(url.origin, error);

function asStatus(text: string): Status {
  try {
    return JSON.parse(text) as Status;
  } catch {
    return { message: text.trim() || undefined };
  }
}
