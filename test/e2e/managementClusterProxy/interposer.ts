import { createServer } from "node:http";
import { request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";

import type { ApiClient } from "../../../local/servers/apiClient";

/** Stands before the API server, so that something can happen between two requests of a client. */
export interface Interposer {
  /** Leads to it, as anybody. */
  kubeconfig: string;
  /** Runs before each write reaches the API server. */
  beforeWrite: () => void;
  /** How many writes came by, and with which answers. */
  answers: number[];
  close(): void;
}

export async function interpose(server: ApiClient): Promise<Interposer> {
  const interposer: Interposer = {
    kubeconfig: "",
    beforeWrite: () => undefined,
    answers: [],
    close: () => undefined,
  };
  const front = createServer((request, response) => {
    const isWrite = request.method !== "GET";
    if (isWrite) interposer.beforeWrite();
    const headers = {
      ...request.headers,
      authorization: `Bearer ${server.token}`,
      host: new URL(server.url).host,
    };
    const options = { method: request.method, headers, ca: server.certificate };
    const forwarded = httpsRequest(new URL(request.url ?? "/", server.url), options, (answer) => {
      if (isWrite) interposer.answers.push(answer.statusCode ?? 0);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
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
