import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { observed } from "../../../../local/plugins/kubernetes/informer";
import { ApiServer } from "../../../../local/plugins/kubernetes/server";

type Answer = (response: ServerResponse) => void;

const pod = (uid: string, phase: string) => ({ metadata: { uid }, phase });
const list =
  (...items: object[]): Answer =>
  (response) =>
    response.end(JSON.stringify({ metadata: { resourceVersion: "7" }, items }));
const changes =
  (...all: { type: string; object: object }[]): Answer =>
  (response) => {
    const text = all.map((one) => JSON.stringify(one) + "\n").join("");
    // Two pieces, split within a line.
    response.write(text.slice(0, 10));
    setTimeout(() => response.end(text.slice(10)), 20);
  };
const refusal =
  (code: number): Answer =>
  (response) =>
    response.writeHead(code).end(JSON.stringify({ message: `no, ${code}` }));

/** The first observations of a server that gives these answers, and the requests that it received. */
async function lookedAt(looks: number, ...answers: Answer[]) {
  const asked: string[] = [];
  const http = createServer((request, response) => {
    asked.push(request.url!);
    answers[asked.length - 1]!(response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const server = new ApiServer({ server: `http://127.0.0.1:${port}`, authorize: () => Promise.resolve() });
  const seen: unknown[][] = [];
  try {
    const selection = { path: "/api/v1/pods", fieldSelector: "metadata.name=a" };
    for await (const objects of observed(server, selection, new AbortController().signal)) {
      seen.push(objects.map(({ phase }) => phase));
      if (seen.length === looks) break;
    }
    return { seen, asked };
  } finally {
    http.closeAllConnections();
    http.close();
  }
}

describe("observed objects", () => {
  test("are listed, then watched from the version of the list", async () => {
    const { seen, asked } = await lookedAt(
      4,
      list(pod("1", "Pending")),
      changes(
        { type: "MODIFIED", object: pod("1", "Running") },
        { type: "ADDED", object: pod("2", "Pending") },
        { type: "DELETED", object: pod("1", "Running") },
      ),
    );
    expect(seen).toEqual([["Pending"], ["Running"], ["Running", "Pending"], ["Pending"]]);
    expect(asked).toEqual([
      "/api/v1/pods?fieldSelector=metadata.name%3Da",
      "/api/v1/pods?fieldSelector=metadata.name%3Da&resourceVersion=7&watch=true&timeoutSeconds=50",
    ]);
  });

  test.each([
    ["that ends", changes()],
    ["of a version that the server no longer has", refusal(410)],
    [
      "whose version the server drops meanwhile",
      changes({ type: "ERROR", object: { code: 410, message: "too old" } }),
    ],
  ])("are listed again after a watch %s", async (_, watch) => {
    const { seen } = await lookedAt(2, list(pod("1", "Pending")), watch, list(pod("1", "Running")));
    expect(seen).toEqual([["Pending"], ["Running"]]);
  });

  test("fail with the server's message if the list or the watch is refused", async () => {
    await expect(lookedAt(1, refusal(403))).rejects.toThrow("no, 403");
    await expect(lookedAt(2, list(), refusal(403))).rejects.toThrow("no, 403");
    const object = { code: 500, message: "out of order" };
    await expect(lookedAt(2, list(), changes({ type: "ERROR", object }))).rejects.toThrow("out of order");
  });
});
