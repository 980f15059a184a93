import { createServer } from "node:http";
import { request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";

import type { ApiClient } from "../../local/servers/apiClient";

/** A request of a client. */
export interface Asked {
  method: string;
  /** With its query. */
  path: string;
}

/** A proxy of the API server that lets tests act between two requests of a client. */
export interface Interposer {
  /** A kubeconfig that leads to the proxy, as any user. */
  kubeconfig: string;
  /** Runs before each write reaches the API server. */
  beforeWrite: () => void;
  /** Runs after a write was carried out, before the client has its answer. */
  afterWrite: (request: Asked) => Promise<void>;
  /** Cuts the client off at a request: before the API server has it, or after it was answered. */
  cut: (request: Asked) => "before" | "after" | undefined;
  /** Runs at the moment when the client is cut off. */
  onCut: () => void;
  /** The answers to the writes so far. */
  answers: number[];
  close(): void;
}

/** @param token of the client's user. Default: the administrator. */
export async function interpose(server: ApiClient, token = server.token): Promise<Interposer> {
  const interposer: Interposer = {
    kubeconfig: "",
    beforeWrite: () => undefined,
    afterWrite: () => Promise.resolve(),
    cut: () => undefined,
    onCut: () => undefined,
    answers: [],
    close: () => undefined,
  };
  const front = createServer((request, response) => {
    const { method = "GET", url: path = "/" } = request;
    const isWrite = method !== "GET";
    const cut = interposer.cut({ method, path });
    const cutOff = () => {
      interposer.onCut();
      request.socket.destroy();
    };
    if (cut === "before") return cutOff();
    if (isWrite) interposer.beforeWrite();
    const headers = {
      ...request.headers,
      authorization: `Bearer ${token}`,
      host: new URL(server.url).host,
    };
    const options = { method, headers, ca: server.certificate };
    const forwarded = httpsRequest(new URL(path, server.url), options, (answer) => {
      const pass = () => {
        if (cut === "after") return cutOff();
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      };
      if (!isWrite) return pass();
      interposer.answers.push(answer.statusCode ?? 0);
      interposer.afterWrite({ method, path }).then(pass, (error: Error) => request.socket.destroy(error));
    });
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const { port } = front.address() as AddressInfo;
  interposer.kubeconfig = JSON.stringify({
    clusters: [
      { name: "front", cluster: { server: `http://127.0.0.1:${port}`, "insecure-skip-tls-verify": true } },
    ],
    users: [{ name: "anybody", user: {} }],
    contexts: [{ name: "front", context: { cluster: "front", user: "anybody" } }],
    "current-context": "front",
  });
  interposer.close = () => {
    front.closeAllConnections();
    front.close();
  };
  return interposer;
}
