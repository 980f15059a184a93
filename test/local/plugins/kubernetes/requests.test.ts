import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

import { type ApiRequest, ApiServer } from "../../../../local/plugins/kubernetes/server";

describe("requests", () => {
  interface Seen {
    line: string;
    headers: IncomingHttpHeaders;
    body: string;
  }
  async function against(
    answer: { code: number; body: string; headers?: Record<string, string> },
    use: (server: ApiServer) => Promise<void>,
  ): Promise<Seen[]> {
    const seen: Seen[] = [];
    const http = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString("utf8")));
      request.on("end", () => {
        seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
        response.writeHead(answer.code, answer.headers).end(answer.body);
      });
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    const { port } = http.address() as AddressInfo;
    try {
      await use(new ApiServer({ server: `http://127.0.0.1:${port}`, authorize: () => Promise.resolve() }));
      return seen;
    } finally {
      http.closeAllConnections();
      http.close();
    }
  }
  const request: ApiRequest = { method: "DELETE", path: "/x", body: { propagationPolicy: "Foreground" } };

  test("send the body of a deletion, and do not damage the next request on the connection", async () => {
    const seen = await against({ code: 200, body: "{}" }, async (server) => {
      await server.send(request);
      await server.send({ method: "GET", path: "/y", query: { a: "1", b: undefined } });
    });
    expect(seen.map(({ line, body }) => [line, body])).toEqual([
      ["DELETE /x", '{"propagationPolicy":"Foreground"}'],
      ["GET /y?a=1", ""],
    ]);
  });
  test("are repeated after retry-after if the server is busy, at most ten times", async () => {
    const busy = { code: 429, body: "{}", headers: { "retry-after": "0" } };
    const seen = await against(busy, async (server) => {
      await expect(server.send(request)).rejects.toMatchObject({ code: 429 });
    });
    expect(seen).toHaveLength(10);
  });
  test("fail with the server's message, or with a message that the server is unreachable", async () => {
    const status = { message: "no such thing", reason: "NotFound" };
    await against({ code: 404, body: JSON.stringify(status) }, async (server) => {
      await expect(server.send(request)).rejects.toMatchObject({
        code: 404,
        reason: "NotFound",
        message: "no such thing",
      });
    });
    const nowhere = new ApiServer({ server: "http://127.0.0.1:1", authorize: () => Promise.resolve() });
    await expect(nowhere.send(request)).rejects.toThrow(/http:\/\/127\.0\.0\.1:1 is unreachable/);
  });
});
