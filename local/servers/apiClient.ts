import { Agent, request as httpsRequest } from "node:https";

/** An answer of the Kubernetes API. */
export interface ApiAnswer {
  readonly status: number;
  /** The body, parsed when it is JSON. */
  readonly body: unknown;
}

/** An answer takes milliseconds, and far longer where many are asked for at once on a busy machine. */
const ANSWER_LIMIT_MS = 120_000;

/** As many questions as are asked at once; each connection begins with a handshake that costs more than most answers. */
const CONNECTIONS = 8;

/** The few calls that setting up needs, without the start-up time of a full client. */
export class ApiClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

  constructor(
    public readonly url: string,
    /** Absent for a user who shows a certificate. */
    public readonly token: string | undefined,
    /** Of the authority; absent: those that Node.js knows. */
    public readonly certificate: string | undefined,
    private readonly identity?: { cert: string; key: string },
  ) {}

  /** Sends one request. `apply` bodies are server-side applies. */
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
        // The server had closed the connection before it was asked this: it was restarted, or nothing was asked for long.
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
