import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chooseCrds, OWN_CRDS, readCrds } from "../../local/servers/crds";
import { isReading, journalHeaders, keyOf } from "../../local/servers/ec2Journal";
import { freePort, onFreePort, rememberedPorts, rememberPorts } from "../../local/servers/ports";
import { NotReady, waitUntilReady } from "../../local/servers/ready";
import { supervise, type Supervised } from "../../local/servers/supervised";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "servers-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const crd = (name: string, note: string) =>
  JSON.stringify({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name, labels: { note } },
  });

describe("custom resource definitions", () => {
  test("come from the network operator's file, and from the HostedCluster file with all platforms", () => {
    writeFileSync(join(folder, "a-ovnk.yaml"), crd("egressfirewalls.k8s.ovn.org", "ovnk"));
    writeFileSync(join(folder, "cno-egressfirewalls.yaml"), crd("egressfirewalls.k8s.ovn.org", "cno"));
    writeFileSync(join(folder, "hostedclusters-Default.yaml"), crd("hostedclusters.x", "default"));
    writeFileSync(
      join(folder, "hostedclusters-TechPreviewNoUpgrade.yaml"),
      crd("hostedclusters.x", "preview"),
    );
    const notes = readCrds(folder).map(
      ({ metadata }) => (metadata as { labels?: { note: string } }).labels?.note,
    );
    expect(notes.sort()).toEqual(["cno", "preview"]);
  });

  test("come from the folder that the environment names, otherwise from the project", () => {
    expect(chooseCrds({})).toMatchObject({ folder: OWN_CRDS, reduced: true });
    expect(chooseCrds({ HYPERSHIFT_NETWORK_CRDS: "" })).toMatchObject({ folder: OWN_CRDS });
    expect(chooseCrds({ HYPERSHIFT_NETWORK_CRDS: folder })).toMatchObject({ folder, reduced: false });
    expect(() => chooseCrds({ HYPERSHIFT_NETWORK_CRDS: join(folder, "none") })).toThrow("does not exist");
  });
});

describe("the journal of the EC2 API", () => {
  test.each([
    ["POST", "/", "Action=DescribeVpcs&Version=2016-11-15", true],
    ["POST", "/", "Action=CreateVpc&CidrBlock=10.0.0.0/16", false],
    ["GET", "/?Action=DeleteVpc", "", false],
    ["GET", "/", "", true],
    ["PUT", "/bucket", "", false],
  ])("recognizes whether %s %s %s only reads: %s", (method, path, body, reading) => {
    expect(isReading(method, path, body)).toBe(reading);
  });

  test("records region and service of a request, but neither access key nor signature", () => {
    const authorization =
      "AWS4-HMAC-SHA256 Credential=AKIASECRET/20261120/us-east-1/ec2/aws4_request, SignedHeaders=host, Signature=abcdef";
    const kept = journalHeaders({
      authorization,
      "content-type": "text/plain",
      "x-amz-security-token": "t0ken",
    });
    expect(JSON.stringify(kept)).toContain("20261120/us-east-1/ec2");
    expect(JSON.stringify(kept)).not.toMatch(/AKIASECRET|abcdef|t0ken/);
    expect(keyOf(authorization)).toBe("AKIASECRET");
    expect(keyOf(undefined)).toBeUndefined();
  });
});

describe("ports", () => {
  test("are not given out while they are taken", async () => {
    const server = createServer();
    const taken = await freePort();
    await new Promise<void>((resolve) => server.listen(taken, "127.0.0.1", resolve));
    expect(await freePort(taken)).not.toBe(taken);
    await new Promise((resolve) => server.close(resolve));
    expect(await freePort(taken)).toBe(taken);
  });

  test("are outside the range of ephemeral ports, which connections could take before the server listens", async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
    expect(ports.filter((port) => port < 20_000 || port >= 32_768)).toEqual([]);
  });

  test("are remembered with the state", () => {
    expect(rememberedPorts(folder)).toEqual({});
    rememberPorts(folder, { ec2: "http://127.0.0.1:4566" });
    expect(rememberedPorts(folder)).toEqual({ ec2: 4566 });
  });
});

describe("a server whose port is taken before it listens", () => {
  /** A process that listens on a given port like a server; it ends if another process has taken the port. */
  const listen = async (port: number): Promise<Supervised> => {
    const server = supervise(
      process.execPath,
      ["-e", `require("net").createServer().listen(${port}, "127.0.0.1", () => console.log("listens"))`],
      { name: "server", folder },
    );
    await waitUntilReady("the server", server, 30_000, () =>
      Promise.resolve(server.output().includes("listens")),
    );
    return server;
  };
  let other: Server;
  const takes = (port: number) => new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
  beforeEach(() => {
    other = createServer();
  });
  afterEach(() => new Promise((resolve) => other.close(resolve)));

  test("starts on another port", async () => {
    const ports: number[] = [];
    const server = await onFreePort(await freePort(), async (port) => {
      ports.push(port);
      if (ports.length === 1) await takes(port);
      return listen(port);
    });
    expect(server.running()).toBe(true);
    await server.stop();
    expect(new Set(ports).size).toBe(2);
  });

  test("is not waited for after it ended, even if the port accepts connections without an answer", async () => {
    const server = await listen(await freePort());
    await server.stop();
    const asked = waitUntilReady("the server", server, 600_000, () => new Promise(() => {}));
    await expect(asked).rejects.toThrow("the server ended at its start");
  });

  test("does not start again after a different failure", async () => {
    let starts = 0;
    const failing = onFreePort(undefined, () => {
      starts += 1;
      return Promise.reject(new NotReady("the server ended at its start\nno such file"));
    });
    await expect(failing).rejects.toThrow("no such file");
    expect(starts).toBe(1);
  });

  test("gives up after five ports, with the server's message", async () => {
    const words = "listen tcp 127.0.0.1:20000: bind: address already in use";
    let starts = 0;
    const failing = onFreePort(undefined, () => {
      starts += 1;
      return Promise.reject(new NotReady(`kube-apiserver ended at its start\n${words}`));
    });
    await expect(failing).rejects.toThrow(words);
    expect(starts).toBe(5);
  });

  test.each([
    "Error: listen EADDRINUSE: address already in use 127.0.0.1:34035",
    "failed to listen on 127.0.0.1:34035: listen tcp 127.0.0.1:34035: bind: address already in use",
    "Address already in use\nPort 34035 is in use by another program.",
  ])("is recognized by the messages of Node.js, Go and Python: %s", (words) => {
    expect(new NotReady(words).portTaken).toBe(true);
    expect(new NotReady("permission denied").portTaken).toBe(false);
  });
});
