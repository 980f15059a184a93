import { dirname } from "node:path";

import { TYPE } from "../../src/resources/resourceTypes";
import { Folder, stackExport, state } from "../plan/plans";
import { ruleGroups, rules } from "../../src/rules";
import { call } from "./terminal";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const tags = { "hypershift-network/cluster": "tenant-a", "hypershift-network/role": "control-plane" };
const group = state(TYPE.securityGroup, "hosts", { tags }, { id: "sg-1" });
const rule = (port: number, cidrIpv4: string) =>
  state(TYPE.ingressRule, `in-${port}`, {
    securityGroupId: "sg-1",
    ipProtocol: "tcp",
    fromPort: port,
    toPort: port,
    cidrIpv4,
  });
const config = () =>
  folder.write(
    "hypershift-network.yaml",
    `hostedClusters:\n  - { name: tenant-a, platform: AWS, release: "4.20", machineNetwork: [{ cidr: 10.0.0.0/16 }] }\n`,
  );
const plan = (name: string, ...resources: object[]) => folder.write(name, stackExport([group, ...resources]));

describe("hypershift-network diff", () => {
  const diff = (old: object[], now: object[], ...more: string[]) =>
    call(["diff", plan("old.json", ...old), plan("new.json", ...now), "-c", config(), ...more]);

  it("reports what opens, and fails for it only with --fail-on opened", async () => {
    const [old, now] = [[rule(443, "10.0.0.0/16")], [rule(443, "10.0.0.0/16"), rule(2022, "192.0.2.0/24")]];
    const { status, out, error } = await diff(old, now);
    expect([status, error]).toEqual([0, ""]);
    expect(out).toContain("clusters/tenant-a: 1 opened to new principals");
    expect(out).toContain("TCP 2022 from 192.0.2.0/24");
    expect((await diff(old, now, "--fail-on", "opened")).status).toBe(1);
    expect((await diff(now, old, "--fail-on", "opened")).status).toBe(0);
  });

  it("fails for unknown values only with --fail-on unknown", async () => {
    const secret = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      ciphertext: "a",
    };
    const hidden = rule(443, secret as unknown as string);
    expect((await diff([hidden], [hidden], "--fail-on", "opened")).status).toBe(0);
    expect((await diff([hidden], [hidden], "--fail-on", "unknown")).status).toBe(1);
  });

  it("fails with --fail-on opened for a port name that only the new plan has", async () => {
    const rule = { from: [{ namespaceSelector: {} }], ports: [{ port: "http" }] };
    const policy = {
      type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
      urn: "urn:pulumi:dev::n::kubernetes:networking.k8s.io/v1:NetworkPolicy::p",
      custom: true,
      inputs: {
        metadata: { name: "p", namespace: "clusters-tenant-a" },
        spec: { podSelector: { matchLabels: { app: "etcd" } }, ingress: [rule] },
      },
    };
    const status = async (old: object[], now: object[], failOn: string) =>
      (await diff(old, now, "--fail-on", failOn)).status;
    for (const failOn of ["opened", "changed", "unknown"]) {
      expect(await status([], [policy], failOn)).toBe(1);
      expect(await status([policy], [policy], failOn)).toBe(0);
      expect(await status([policy], [], failOn)).toBe(failOn === "unknown" ? 1 : 0);
    }
  });

  it("fails with --fail-on changed if only the verdict of a documented flow changes", async () => {
    const file = (name: string, apiServer: object) =>
      folder.write(
        name,
        JSON.stringify({
          apiVersion: "hypershift.openshift.io/v1beta1",
          kind: "HostedCluster",
          metadata: { name: "tenant-a", namespace: "clusters" },
          spec: { platform: { type: "AWS" }, networking: { apiServer } },
        }),
      );
    const open = file("open.json", {});
    const closed = file("closed.json", { allowedCIDRBlocks: ["203.0.113.0/24"] });
    const users = folder.write(
      "users.yaml",
      "hostedClusters: [{ name: tenant-a, externalClientCidrs: [198.51.100.0/24], loadBalancerTargets: ip }]\n",
    );
    const status = async (...args: string[]) => (await call(["diff", ...args, "-c", users])).status;
    const { out } = await call(["diff", open, closed, "-c", users]);
    expect(out).toContain("0 opened to new principals, 0 opened wider, ");
    expect(out).toContain(
      "networking.apiServer.allowedCIDRBlocks of HostedCluster tenant-a: every protocol from",
    );
    expect(out).toContain("users-kube-apiserver: unknown -> refuted");
    expect(await status(open, closed, "--fail-on", "changed")).toBe(1);
    expect(await status(closed, open, "--fail-on", "changed")).toBe(1);
    expect(await status(closed, closed, "--fail-on", "changed")).toBe(0);
    expect(await status(open, closed, "--fail-on", "unknown")).toBe(0);
  });

  it("writes JSON, and Markdown for a comment", async () => {
    const json = await diff([], [rule(2022, "192.0.2.0/24")], "--format", "json");
    expect(JSON.parse(json.out)).toMatchObject({
      version: 1,
      hostedClusters: [{ cluster: "clusters/tenant-a", changes: [{ kind: "new-principal" }] }],
    });
    const markdown = await diff([], [], "--format", "markdown");
    expect(markdown.out).toMatch(
      /^<!-- hypershift-network diff -->\n\n```text\nclusters\/tenant-a: nothing opens or closes/,
    );
  });

  it.each([
    ["one plan", ["old.json"], "name two plans"],
    ["three plans", ["old.json", "old.json", "old.json"], "name two plans"],
    ["a missing plan file", ["old.json", "missing.json"], "no such file"],
    ["plans without a hosted cluster", ["old.json", "old.json"], "no hosted cluster"],
  ])("exits with status 2 for %s", async (_, names, words) => {
    plan("old.json");
    const { status, out, error } = await call(["diff", ...names.map((name) => `${folder.path}/${name}`)]);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain(words);
  });
});

describe("filters of either side that diff does not read", () => {
  const diff = async (old: object[], now: object[]) =>
    (await call(["diff", plan("old.json", ...old), plan("new.json", ...now), "-c", config()])).error;
  const rule = (name: string) => state("aws-native:ec2:SecurityGroupIngress", name, {});
  const note =
    "note  filters that are not read: aws-native:ec2:SecurityGroupIngress (1): what they allow or block is unknown\n";

  it("are noted once", async () => {
    expect(await diff([], [rule("a")])).toBe(note);
    expect(await diff([rule("a")], [])).toBe(note);
    expect(await diff([rule("a")], [rule("b")])).toBe(note);
    expect(await diff([], [])).toBe("");
  });
});

describe("one side of diff", () => {
  const service = "apiVersion: v1\nkind: Service\nmetadata: { name: a, namespace: b }\n";
  const text = (name: string, content: string) => folder.write(name, content);
  const diff = (old: string, now: string) => call(["diff", old, now, "-c", config(), "--fail-on", "changed"]);
  const way = "name a preview, a stack export or Kubernetes manifests";

  it.each([
    ["an empty file", () => text("a.yaml", "")],
    ["unrelated text", () => text("a.txt", "no change\n")],
    ["values of a Helm chart", () => text("a.yaml", "replicas: 3\n")],
    ["a folder without readable files", () => dirname(text("none/README.md", "# none\n"))],
    ["empty standard input", () => "-"],
  ])("is rejected if it contains nothing to compare: %s", async (_, side) => {
    const [path, whole] = [side(), text("whole.yaml", service)];
    const named = path === "-" ? "stdin" : path;
    const old = await diff(path, whole);
    expect([old.status, old.out]).toEqual([2, ""]);
    expect(old.error).toContain(`${named}  contains nothing to compare as the old plan: ${way}`);
    const now = await diff(whole, path);
    expect([now.status, now.out]).toEqual([2, ""]);
    expect(now.error).toContain(`${named}  contains nothing to compare as the new plan: ${way}`);
  });

  it("is reported together with the other side if neither contains anything to compare", async () => {
    const { status, error } = await diff(text("a.yaml", ""), text("b.yaml", "a: b\n"));
    expect(status).toBe(2);
    expect(error).toContain(`a.yaml  contains nothing to compare as the old plan: ${way}`);
    expect(error).toContain(`b.yaml  contains nothing to compare as the new plan: ${way}`);
  });

  it.each([
    ["a new stack", () => text("a.json", stackExport([]))],
    ["a new stack as Pulumi exports it", () => text("a.json", '{"version":3,"deployment":{"manifest":{}}}')],
    ["the preview of a stack that stays empty", () => text("a.json", '{"steps":[],"changeSummary":{}}')],
    ["a list without objects", () => text("a.yaml", "apiVersion: v1\nkind: List\nitems: []\n")],
    ["a list without objects in JSON", () => text("a.json", '{"apiVersion":"v1","kind":"List","items":[]}')],
    [
      "a stack with only a VPC",
      () => text("a.json", stackExport([state(TYPE.vpc, "a", { cidrBlock: "10.0.0.0/16" })])),
    ],
  ])("is accepted if its document is recognized, even without filters: %s", async (_, side) => {
    const [path, whole] = [side(), text("whole.yaml", service)];
    expect((await diff(path, whole)).status).toBe(0);
    expect((await diff(whole, path)).status).toBe(0);
  });
});

describe("hypershift-network explain", () => {
  it("explains a port, with and without a hosted cluster", async () => {
    const { status, out } = await call(["explain", "8091"]);
    expect(status).toBe(0);
    expect(out).toMatch(/^port 8091: \d+ requirements? /);
    expect((await call(["explain", "tcp/6443", "-c", config()])).out).toContain("6443");
  });

  it("explains a rule of the gate", async () => {
    const { status, out } = await call(["explain", "port-missing", "--format", "json"]);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ version: 1, explanations: [{ rule: "port-missing" }] });
  });

  it("explains every rule with its title, level, fix, and an example of a violation and its correction", async () => {
    for (const { id, title, level, remediation } of rules) {
      const { status, out } = await call(["explain", id]);
      expect([id, status]).toEqual([id, 0]);
      for (const part of [id, title, level, remediation])
        expect([id, out]).toEqual([id, expect.stringContaining(part)]);
      const ways =
        id === "egress-firewall-limit" ? ["No example: It takes 8,001 rules"] : ["Found:\n  ", "Fixed:\n  "];
      for (const way of ways) expect([id, out]).toEqual([id, expect.stringContaining(way)]);
    }
    const { out } = await call(["explain", "cidr-overlap", "--format", "json"]);
    expect(JSON.parse(out)).toMatchObject({
      explanations: [{ example: { violated: expect.stringContaining("10.0.16.0/20") as string } }],
    });
  });

  it("lists every rule with its level and title, by subject", async () => {
    const { status, out } = await call(["explain", "rules", "--no-config"]);
    const lines = out.trimEnd().split("\n");
    expect(status).toBe(0);
    expect(lines.filter((line) => line.startsWith("  ")).map((line) => line.trim().split(/ {2,}/))).toEqual(
      rules.map(({ id, level, title }) => [id, level, title]),
    );
    expect(lines.filter((line) => line !== "" && !line.startsWith(" "))).toEqual(
      ruleGroups.map(({ title }) => title),
    );
    const missing = await call(["explain", "rules", "missing.json", "--no-config"]);
    expect([missing.status, missing.out]).toEqual([2, ""]);
    const { out: json } = await call(["explain", "rules", "--no-config", "--format", "json"]);
    expect(JSON.parse(json)).toEqual({
      version: 1,
      explanations: [
        { version: 1, rules: rules.map(({ id, level, title }) => ({ rule: id, level, title })) },
      ],
    });
  });

  it("explains what a resource of a plan opens", async () => {
    const { status, out } = await call([
      "explain",
      "in-443",
      plan("plan.json", rule(443, "10.0.0.0/16")),
      "-c",
      config(),
    ]);
    expect(status).toBe(0);
    expect(out).toMatch(/^SecurityGroupIngressRule in-443, clusters\/tenant-a\n\n/);
    expect(out).toContain("TCP 443 from 10.0.0.0/16");
  });

  it.each([[["nonsense"]], [["70000"]], [["port-missin"]]])("exits with status 2 for %j", async (args) => {
    const { status, out, error } = await call(["explain", ...args]);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain("is not a packet");
  });
});
