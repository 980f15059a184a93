import { request as httpRequest } from "node:http";
import { type RequestOptions, request as httpsRequest } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";

import type { Props } from "../provider";
import type { Access } from "./access";

/** How long one answer may take; waiting for readiness is made of many short requests. */
const ANSWER_LIMIT_MS = 60_000;

const contentTypes = {
  json: "application/json",
  apply: "application/apply-patch+yaml",
  jsonPatch: "application/json-patch+json",
} as const;

/** How often a server that is busy, or still starting, is asked again; as often as Kubernetes' own client does. */
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

/** What the server says when it refuses: the `Status` object of the Kubernetes API. */
export interface Status {
  message?: string;
  reason?: string;
  details?: {
    name?: string;
    kind?: string;
    causes?: { reason?: string; message?: string; field?: string }[];
  };
}

/** A refusal of the API server. */
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

/** There is no API server to talk to. */
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

  /** Sends one request and returns the answer's object. */
  async send({ method, path, query = {}, body, content = "json", signal }: ApiRequest): Promise<Props> {
    const url = new URL(`${this.access.server}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    const options: RequestOptions = { method, signal, timeout: ANSWER_LIMIT_MS };
    options.headers = { accept: "application/json", "content-type": contentTypes[content] };
    await this.access.authorize(options);
    const text = body === undefined ? undefined : JSON.stringify(body);
    // Node sends no length with DELETE by itself: the server would take the body for the next request.
    if (text !== undefined) options.headers["content-length"] = Buffer.byteLength(text);
    const answer = await unlessBusy(() => exchange(url, options, text), signal);
    if (answer.code >= 400) throw new ApiError(answer.code, asStatus(answer.text));
    return JSON.parse(answer.text) as Props;
  }
}

interface Answer {
  code: number;
  text: string;
  /** Seconds until the server wants to be asked again. */
  retryAfter: number;
}

async function unlessBusy(ask: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
  for (let turn = 1; ; turn++) {
    const answer = await ask();
    if (answer.code !== TOO_MANY_REQUESTS || turn === BUSY_LIMIT) return answer;
    await sleep(answer.retryAfter * 1000, undefined, { signal });
  }
}

function exchange(url: URL, options: RequestOptions, body: string | undefined): Promise<Answer> {
  const send = url.protocol === "http:" ? httpRequest : httpsRequest;
  return new Promise((resolve, reject) => {
    const failed = (error: Error) =>
      reject(error.name === "AbortError" ? error : new Unreachable(url.origin, error));
    const request = send(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", failed);
      response.on("end", () =>
        resolve({
          code: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString("utf8"),
          retryAfter: Number(response.headers["retry-after"] ?? 1) || 0,
        }),
      );
    });
    request.on("error", failed);
    request.on("timeout", () =>
      request.destroy(new Error(`no answer within ${ANSWER_LIMIT_MS / 1000} seconds`)),
    );
    request.end(body);
  });
}

function asStatus(text: string): Status {
  try {
    return JSON.parse(text) as Status;
  } catch {
    return { message: text.trim() || undefined };
  }
}
