import { Agent, request as httpsRequest } from "node:https";

/** An answer of the Kubernetes API. */
export interface ApiAnswer {
  readonly status: number;
  /** The body, parsed when it is JSON. */
  readonly body: unknown;
}

/** Answers take milliseconds, but far longer on a busy machine with many parallel requests. */
const ANSWER_LIMIT_MS = 120_000;

/** The number of parallel requests; each connection begins with a handshake that costs more than most answers. */
const CONNECTIONS = 8;

/** The few calls that the set-up needs, without the start-up time of a full client. */
export class ApiClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

  constructor(
    public readonly url: string,
    /** Undefined for a user who authenticates with a client certificate. */
    public readonly token: string | undefined,
    /** Certificate of the authority. Default: those that Node.js trusts. */
    public readonly certificate: string | undefined,
    private readonly identity?: { cert: string; key: string },
  ) {}

  /** Sends one request. A `PATCH` is a server-side apply. */
  request(
    method: "GET" | "PATCH" | "PUT" | "DELETE" | "POST",
    path: string,
    body?: unknown,
  ): Promise<ApiAnswer> {
    const contentType = method === "PATCH" ? "application/apply-patch+yaml" : "application/json";
    return new Promise((resolve, reject) => {
      const request = httpsRequest(
        new URL(path, this.url),
        {
          method,
          ...(this.certificate !== undefined && { ca: this.certificate }),
          ...this.identity,
          agent: this.#agent,
          timeout: ANSWER_LIMIT_MS,
          headers: {
            ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
            "content-type": contentType,
            accept: "application/json",
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              body: parsed(Buffer.concat(chunks).toString("utf8")),
            }),
          );
        },
      );
      request.on("error", (error: NodeJS.ErrnoException) => {
        // The server closed the connection before this request: it was restarted, or the connection was idle for long.
        const wasClosed = request.reusedSocket && error.code === "ECONNRESET";
        if (wasClosed) this.request(method, path, body).then(resolve, reject);
        else reject(error);
      });
      request.on("timeout", () => request.destroy(new Error(`${method} ${path}: no answer`)));
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
