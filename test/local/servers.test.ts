import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chooseCrds, readCrds } from "../../local/servers/crds";
import { isReading, journalHeaders, keyOf } from "../../local/servers/ec2Journal";
import { freePort, rememberedPorts, rememberPorts } from "../../local/servers/ports";

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
  test("of two files for one resource the network operator's is taken, and the HostedCluster with all platforms", () => {
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

  test("come from the folder that the environment names, else from beside the clone, else from the project", () => {
    const root = join(folder, "clone");
    mkdirSync(join(root, "local", "crds"), { recursive: true });
    expect(chooseCrds({}, root)).toMatchObject({ folder: join(root, "local", "crds"), reduced: true });
    mkdirSync(join(folder, "shared", "crds"), { recursive: true });
    expect(chooseCrds({}, root)).toMatchObject({ folder: join(folder, "shared", "crds"), reduced: false });
    expect(chooseCrds({ HYPERSHIFT_NETWORK_CRDS: folder }, root)).toMatchObject({ folder, reduced: false });
    expect(() => chooseCrds({ HYPERSHIFT_NETWORK_CRDS: join(folder, "none") }, root)).toThrow(
      "does not exist",
    );
  });
});

describe("the journal of the EC2 API", () => {
  test.each([
    ["POST", "/", "Action=DescribeVpcs&Version=2016-11-15", true],
    ["POST", "/", "Action=CreateVpc&CidrBlock=10.0.0.0/16", false],
    ["GET", "/?Action=DeleteVpc", "", false],
    ["GET", "/", "", true],
    ["PUT", "/bucket", "", false],
  ])("%s %s %s changes nothing: %s", (method, path, body, reading) => {
    expect(isReading(method, path, body)).toBe(reading);
  });

  test("holds region and service of a request, and neither its access key nor its signature", () => {
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
  test("a port that is taken is not given out again", async () => {
    const server = createServer();
    const taken = await freePort();
    await new Promise<void>((resolve) => server.listen(taken, "127.0.0.1", resolve));
    expect(await freePort(taken)).not.toBe(taken);
    await new Promise((resolve) => server.close(resolve));
    expect(await freePort(taken)).toBe(taken);
  });

  test("are remembered with the state", () => {
    expect(rememberedPorts(folder)).toEqual({});
    rememberPorts(folder, { ec2: "http://127.0.0.1:4566" });
    expect(rememberedPorts(folder)).toEqual({ ec2: 4566 });
  });
});
