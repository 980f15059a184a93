import { execFile, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";

import { RequestKind, readResults, requestsText } from "../../src/probes/objects";
import { RECEIVER_SCRIPT, SENDER_SCRIPT } from "../../src/probes/multicast";
import { MULTICAST } from "../../src/requirements/probes";

const { groups } = MULTICAST;

/** Runs the scripts as the pods do, on the loopback interface of this machine at a free port. */
describe("M18 the scripts of the multicast verification", () => {
  const folder = mkdtempSync(join(tmpdir(), "multicast-"));
  /** The name of the loopback interface, which differs between systems. */
  const loopback = Object.entries(networkInterfaces()).find(([, all]) =>
    all!.some((one) => one.internal),
  )![0];
  const env = { ...process.env, INTERFACE: loopback };

  const freePort = async (): Promise<number> => {
    const socket = createSocket("udp4");
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    const { port } = socket.address();
    socket.close();
    return port;
  };
  const receive = async (port: number, answers: string[], timeout: number, families = ["IPv4"]) => {
    const requests = families.map((family) => ({
      id: family,
      kind: RequestKind.Multicast,
      address: groups[family as keyof typeof groups],
      port,
      answers,
    }));
    const results = join(folder, "results");
    writeFileSync(results, "");
    const REQUESTS = requestsText(requests, { timeout, attempts: 1, pause: 0 });
    const status = await new Promise<number>((resolve) =>
      execFile(
        "python3",
        ["-c", RECEIVER_SCRIPT],
        { env: { ...env, REQUESTS, RESULTS: results } },
        (failure) => resolve(failure ? Number(failure.code) : 0),
      ),
    );
    return { status, results: readResults(readFileSync(results, "utf8")) };
  };
  /** Runs a function while messages are sent, after the first message has arrived (Python needs time to start). */
  const sending = async <T>(port: number, during: () => Promise<T>): Promise<T> => {
    const MULTICAST_GROUPS = JSON.stringify([groups.IPv6, groups.IPv4].map((group) => [group, port]));
    const sender = spawn("python3", ["-c", SENDER_SCRIPT], {
      env: { ...env, MULTICAST_GROUPS },
      stdio: "ignore",
    });
    try {
      await receive(port, [hostname()], 60);
      return await during();
    } finally {
      sender.kill("SIGKILL");
      await once(sender, "exit");
    }
  };
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("receive a message that is sent to the group", async () => {
    const port = await freePort();
    const { status, results } = await sending(port, () => receive(port, [hostname()], 60));
    expect(results).toEqual([
      { id: "IPv4", answered: true, found: expect.stringMatching(/^received from [\d.]+$/) as string },
    ]);
    expect(status).toBe(0);
  });

  test("continue to send if one address family is missing", async () => {
    // The loopback of Linux has no route for IPv6 multicast, whose group comes first.
    const port = await freePort();
    const { results } = await sending(port, () => receive(port, [hostname()], 4, Object.keys(groups)));
    expect(results).toMatchObject([{ id: "IPv4", answered: true }, { id: "IPv6" }]);
  });

  test("fail if no message arrives", async () => {
    const { status, results } = await receive(await freePort(), [hostname()], 1);
    expect(results).toEqual([{ id: "IPv4", answered: false, found: "no message within 1 seconds" }]);
    expect(status).toBe(1);
  });

  test("fail if only messages of others arrive, and report them", async () => {
    const port = await freePort();
    const { status, results } = await sending(port, () => receive(port, ["verify-1a2b-sender"], 4));
    expect(results).toEqual([
      {
        id: "IPv4",
        answered: false,
        found: expect.stringMatching(
          /^no message within 4 seconds, and something else from [\d.]+$/,
        ) as string,
      },
    ]);
    expect(status).toBe(1);
  });

  test("do not count a unicast message as multicast", async () => {
    const port = await freePort();
    const socket = createSocket("udp4");
    const timer = setInterval(() => socket.send("verify-1a2b-sender", port, "127.0.0.1"), 50);
    const { results } = await receive(port, ["verify-1a2b-sender"], 1);
    clearInterval(timer);
    socket.close();
    expect(results).toEqual([{ id: "IPv4", answered: false, found: "no message within 1 seconds" }]);
  });
});
