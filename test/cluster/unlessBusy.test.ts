import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { Cluster, unlessBusy, waitOf } from "../../src/cluster/cluster";

/** The Kubernetes client is an ES module that Jest does not load: this mock reads the content as the cluster. */
jest.mock("@kubernetes/client-node", () => ({
  KubeConfig: class {
    cluster?: object;
    loadFromString = (content: string) => void (this.cluster = JSON.parse(content) as object);
    getCurrentCluster = () => this.cluster;
    applyToHTTPSOptions = () => Promise.resolve();
  },
}));

describe("M7 an API server that is busy or has just started", () => {
  /** The answer of a server that is busy this many times, and the number of requests. */
  const heard = async (busy: number) => {
    let times = 0;
    const answer = await unlessBusy(() =>
      Promise.resolve(times++ < busy ? { answer: "busy", wait: 0 } : { answer: "done" }),
    );
    return [answer, times];
  };

  test("is asked again while it is busy", async () => {
    expect(await heard(0)).toEqual(["done", 1]);
    expect(await heard(2)).toEqual(["done", 3]);
  });

  test("is asked ten times at most", async () => expect(await heard(99)).toEqual(["busy", 10]));

  test.each([
    [429, "1", 1_000],
    [429, "0", 0],
    [429, undefined, undefined],
    [429, "Wed, 21 Oct 2026 07:28:00 GMT", undefined],
    [429, "3600", undefined],
    [503, "1", undefined],
    [200, "1", undefined],
  ])(
    "makes clients wait with status %p and Retry-After %p: milliseconds %p",
    (status, retryAfter, expected) => {
      expect(waitOf(status, retryAfter)).toBe(expected);
    },
  );

  test("is asked again by Cluster.send", async () => {
    let times = 0;
    const server = createServer((_, response) => {
      const isBusy = times++ === 0;
      response.writeHead(isBusy ? 429 : 200, { "retry-after": "0" }).end("{}");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const cluster = await Cluster.open({
      kubeconfig: JSON.stringify({ server: `http://127.0.0.1:${port}` }),
    });
    const { status } = await cluster.send("GET", "/api/v1/nodes").finally(() => server.close());
    expect([status, times]).toEqual([200, 2]);
  });
});
