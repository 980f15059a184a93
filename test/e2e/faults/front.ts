import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";

/** What a server does instead of answering. */
export type Fault =
  | { answers: number; body?: string; contentType?: string; headers?: Record<string, string> }
  /** Cuts the connection: before the server has the request, after it was carried out, or in the middle of the answer. */
  | { cuts: "before" | "after" | "half-way" }
  | { waitsMs: number };

/** A request as the client sent it. */
export interface Asked {
  method: string;
  path: string;
  body: string;
}

/** The server behind the front. */
export interface Target {
  url: string;
  certificate?: string;
  token?: string;
}

/** A server with faults in front of one that has none. */
export interface Front {
  url: string;
  /** The fault of a request; none at first. */
  fault: (asked: Asked) => Fault | undefined;
  /** The number of faults so far. */
  faults: number;
  close(): void;
}

/** Starts a front for a server that applies the requested faults to its clients. */
export async function frontOf(target: Target): Promise<Front> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => serve(front, target, request, response, Buffer.concat(parts)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const front: Front = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: () => undefined,
    faults: 0,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return front;
}

function serve(
  front: Front,
  target: Target,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): void {
  const { method = "GET", url: path = "/" } = request;
  const fault = front.fault({ method, path, body: body.toString() });
  if (fault) front.faults++;
  if (fault && "answers" in fault) {
    response.writeHead(fault.answers, {
      "content-type": fault.contentType ?? "application/json",
      ...fault.headers,
    });
    response.end(fault.body ?? "");
  } else if (fault && "cuts" in fault && fault.cuts === "before") request.socket.destroy();
  else if (fault && "waitsMs" in fault)
    setTimeout(() => forward(target, request, response, body, undefined), fault.waitsMs);
  else forward(target, request, response, body, fault && "cuts" in fault ? fault.cuts : undefined);
}

function forward(
  { url, certificate, token }: Target,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  cuts: "before" | "after" | "half-way" | undefined,
): void {
  const headers = {
    ...request.headers,
    ...(token !== undefined && { authorization: `Bearer ${token}`, host: new URL(url).host }),
  };
  const ask = url.startsWith("https:") ? httpsRequest : httpRequest;
  const options = { method: request.method, headers, ...(certificate !== undefined && { ca: certificate }) };
  const forwarded = ask(new URL(request.url ?? "/", url), options, (answer) => {
    const parts: Buffer[] = [];
    answer.on("data", (part: Buffer) => parts.push(part));
    answer.on("end", () => {
      if (cuts === "after") return request.socket.destroy();
      const whole = Buffer.concat(parts);
      const { "transfer-encoding": _, ...rest } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, { ...rest, "content-length": whole.length });
      if (cuts === undefined) return response.end(whole);
      response.write(whole.subarray(0, whole.length / 2), () => request.socket.destroy());
    });
  });
  forwarded.on("error", () => request.socket.destroy());
  forwarded.end(body);
}
