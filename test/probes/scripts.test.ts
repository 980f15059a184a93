import { execFile, spawn, type ChildProcess } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

import { RequestKind, readResults, requestsText, type ProbeRequest } from "../../src/probes/objects";
import { CLIENT_SCRIPT, SERVER_SCRIPT } from "../../src/probes/scripts";

const { Http, Tcp, Dns } = RequestKind;

/** Runs the scripts of the probes as the pods do, on the loopback interface of this machine. */
describe("M7 the scripts of probes", () => {
  const folder = mkdtempSync(join(tmpdir(), "probes-"));
  /** Long enough for answers on a busy machine; tests without an answer set a shorter timeout. */
  const patience = { timeout: 60, attempts: 1, pause: 0.1 };

  const ask = async (requests: ProbeRequest[], { env = {}, ...more }: Asking = {}) => {
    const results = join(folder, "results");
    writeFileSync(results, "");
    const REQUESTS = requestsText(requests, { ...patience, ...more });
    const status = await new Promise<number>((resolve) =>
      execFile(
        "python3",
        ["-c", CLIENT_SCRIPT],
        { env: { ...process.env, REQUESTS, RESULTS: results, ...env } },
        (failure) => resolve(failure ? Number(failure.code) : 0),
      ),
    );
    return { status, results: readResults(readFileSync(results, "utf8")) };
  };
  const listen = async (server: Server): Promise<number> => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe("with a server", () => {
    let server: ChildProcess;
    let port: number;

    beforeAll(async () => {
      const free = createServer();
      port = await listen(free);
      free.close();
      await once(free, "close");
      server = spawn("python3", ["-c", SERVER_SCRIPT], {
        env: { ...process.env, PORT: `${port}` },
        stdio: "ignore",
      });
    });
    afterAll(async () => {
      server.kill("SIGKILL");
      await once(server, "exit");
    });

    test("succeed if the pod answers in both address families", async () => {
      const answers = ["another", hostname()];
      const requests = ["127.0.0.1", "::1"].map((address) => ({
        ...{ id: address, kind: Http, address, port },
        answers,
      }));
      const { status, results } = await ask(requests, { attempts: 1_000 });
      expect(results).toEqual([
        { id: "127.0.0.1", answered: true, found: expect.stringMatching(/^answered by .+/) as string },
        { id: "::1", answered: true, found: expect.stringMatching(/^answered by .+/) as string },
      ]);
      expect(status).toBe(0);
    });

    test("fail if another pod answers", async () => {
      const request = { id: "other", kind: Http, address: "127.0.0.1", port, answers: ["verify-one"] };
      const { status, results } = await ask([request]);
      expect(results).toEqual([
        { id: "other", answered: false, found: "answered by something else than verify-one" },
      ]);
      expect(status).toBe(1);
    });

    test("fail if one request has no answer, but still make the others", async () => {
      const there = { kind: Tcp, address: "127.0.0.1", port };
      const { status, results } = await ask([
        { id: "absent", kind: Http, port, absent: "no IPv6 address" },
        { ...there, id: "there" },
      ]);
      expect(results).toEqual([
        { id: "absent", answered: false, found: "no IPv6 address" },
        { id: "there", answered: true, found: "connected to 127.0.0.1" },
      ]);
      expect(status).toBe(1);
    });

    test("succeed without an answer if the pod only reports", async () => {
      const absent = { id: "absent", kind: Http, port, absent: "no IPv6 address" };
      expect((await ask([absent], { env: { DECIDES: "no" } })).status).toBe(0);
    });
  });

  test("report a closed port, a missing answer and an unknown name differently", async () => {
    const silent = createServer();
    const silentPort = await listen(silent);
    const closed = createServer();
    const closedPort = await listen(closed);
    closed.close();
    const { results } = await ask(
      [
        { id: "closed", kind: Tcp, address: "127.0.0.1", port: closedPort },
        { id: "silent", kind: Http, address: "127.0.0.1", port: silentPort, answers: [] },
        { id: "name", kind: Tcp, address: "no-such-name.invalid", port: 443 },
      ],
      { timeout: 1 },
    );
    silent.close();
    expect(results).toEqual([
      { id: "closed", answered: false, found: "refused" },
      { id: "silent", answered: false, found: "no answer within 1 seconds" },
      { id: "name", answered: false, found: "the name is not resolved" },
    ]);
  });

  test("do not count an HTTP error as an answer of the pod, whatever its body", async () => {
    const server = createHttpServer((_, response) => response.writeHead(503).end("verify-one"));
    const port = await listen(server);
    const request = { id: "sidecar", kind: Http, address: "127.0.0.1", port, answers: ["verify-one"] };
    const { results } = await ask([request]);
    server.close();
    expect(results).toEqual([
      { id: "sidecar", answered: false, found: "status 503, which no probe answers" },
    ]);
  });

  test("accept a connection to any of several endpoints", async () => {
    const server = createServer((socket) => socket.end());
    const port = await listen(server);
    const closed = createServer();
    const closedPort = await listen(closed);
    closed.close();
    const place = (of: number) => ({ address: "127.0.0.1", port: of });
    const { results } = await ask([
      { id: "one", kind: Tcp, ...place(closedPort), others: [place(port)] },
      { id: "none", kind: Tcp, ...place(closedPort), others: [place(closedPort)] },
    ]);
    server.close();
    expect(results).toEqual([
      { id: "one", answered: true, found: "connected to 127.0.0.1" },
      { id: "none", answered: false, found: "refused" },
    ]);
  });

  test("write results while other requests are still open", async () => {
    const held: Socket[] = [];
    const silent = createServer((socket) => held.push(socket));
    const open = createServer((socket) => socket.end());
    const at = async (server: Server) => ({ kind: Tcp, address: "127.0.0.1", port: await listen(server) });
    const first = { ...(await at(silent)), id: "silent", kind: Http, answers: ["verify-one"] };
    const asked = ask([first, { ...(await at(open)), id: "open" }]);
    // The silent request stays open until the other result is written, and then fails.
    const written = () => readResults(readFileSync(join(folder, "results"), "utf8"));
    while (written() === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(written()).toEqual([{ id: "open", answered: true, found: "connected to 127.0.0.1" }]);
    for (const socket of held) socket.destroy();
    const { results } = await asked;
    silent.close();
    open.close();
    expect(results?.map(({ id, answered }) => [id, answered])).toEqual([
      ["silent", false],
      ["open", true],
    ]);
  });

  test("repeat a request until it is answered", async () => {
    const server = createServer((socket) => socket.end());
    const port = await listen(server);
    server.close();
    await once(server, "close");
    const asked = ask([{ id: "late", kind: Tcp, address: "127.0.0.1", port }], { attempts: 1_000 });
    server.listen(port, "127.0.0.1");
    expect((await asked).status).toBe(0);
    server.close();
  });

  describe("name servers", () => {
    const name = "quay.io";

    test("are queried by UDP, and those of resolv.conf if none is named", async () => {
      const server = createSocket("udp4");
      server.on("message", (question, { port, address }) => server.send(question, port, address));
      server.bind(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address();
      const resolvConf = join(folder, "resolv.conf");
      writeFileSync(resolvConf, "search example.com\nnameserver 127.0.0.1\n");
      const request: ProbeRequest = { id: "dns", kind: Dns, port, protocol: "UDP", name };
      const env = { RESOLV_CONF: resolvConf };
      expect((await ask([request], { env })).results).toEqual([
        { id: "dns", answered: true, found: "answered by 127.0.0.1" },
      ]);
      server.close();
      expect((await ask([request], { env })).results).toEqual([
        { id: "dns", answered: false, found: "refused" },
      ]);
    });

    test("are queried by TCP, and another kind of server is reported", async () => {
      const echo = createServer((socket) => socket.pipe(socket));
      const other = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n"));
      const [port, otherPort] = [await listen(echo), await listen(other)];
      const request = { kind: Dns, address: "127.0.0.1", protocol: "TCP" as const, name };
      const { results } = await ask([
        { ...request, id: "echo", port },
        { ...request, id: "other", port: otherPort },
      ]);
      echo.close();
      other.close();
      expect(results).toEqual([
        { id: "echo", answered: true, found: "answered by 127.0.0.1" },
        { id: "other", answered: false, found: "no answer of DNS" },
      ]);
    });
  });

  test("readResults returns undefined for text that is not a list of results", () => {
    expect(readResults("Traceback (most recent call last):")).toBeUndefined();
    expect(readResults('{"a":1}')).toBeUndefined();
  });
});

interface Asking {
  timeout?: number;
  attempts?: number;
  env?: Record<string, string>;
}
