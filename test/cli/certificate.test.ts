import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Certificate } from "../../src/reachability/certificate/certificate";
import { TYPE } from "../../src/resources/resourceTypes";
import { Folder, NOT_KNOWN, preview, stackExport, state, step, urn } from "../plan/plans";
import { call } from "./terminal";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const tags = { "hypershift-network/cluster": "tenant-a", "hypershift-network/role": "workers" };
const group = state(TYPE.securityGroup, "workers", { tags }, { id: "sg-1" });
const rule = (protocol: string, direction: "ingress" | "egress", more: object = {}) =>
  state(TYPE[`${direction}Rule`], `${direction}-${protocol}`, {
    securityGroupId: "sg-1",
    ipProtocol: protocol,
    cidrIpv4: "0.0.0.0/0",
    ...more,
  });
const open = [rule("-1", "ingress"), rule("-1", "egress")];
const plan = (name: string, resources: object[]) => folder.write(name, stackExport([group, ...resources]));
const config = () =>
  folder.write(
    "hypershift-network.yaml",
    `hostedClusters:\n  - { name: tenant-a, platform: AWS, release: "4.20", machineNetwork: [{ cidr: 10.0.0.0/16 }] }\n`,
  );
const written = () => join(folder.path, "certificate.json");
const write = (...more: string[]) =>
  call(["certificate", written(), plan("plan.json", open), "-c", config(), ...more]);
const check = (resources: object[], ...more: string[]) =>
  call(["check", plan("now.json", resources), "--certificate", written(), "-c", config(), ...more]);
const certificate = () => JSON.parse(readFileSync(written(), "utf8")) as Certificate;

describe("hypershift-network certificate", () => {
  it("writes every proved flow, and check confirms the certificate", async () => {
    const { status, out, error } = await write();
    expect([status, error]).toEqual([0, ""]);
    expect(out).toMatch(/^clusters\/tenant-a: \d+ of \d+ documented flows are proved/);
    expect(certificate().flows.length).toBeGreaterThan(0);
    const checked = await check(open);
    expect([checked.status, checked.error]).toEqual([0, ""]);
    expect(checked.out).toMatch(/^clusters\/tenant-a: the certificate holds for this plan: \d+ proved flows/);
    expect((await write()).status).toBe(0);
  });

  it("writes no file if no flow is proved, and refers to prove for the reason", async () => {
    const { status, out, error } = await call([
      "certificate",
      written(),
      plan("plan.json", []),
      "-c",
      config(),
    ]);
    expect([status, out, existsSync(written())]).toEqual([2, "", false]);
    expect(error).toMatch(/^clusters\/tenant-a: none of \d+ documented flows is proved: .*prove/);
  });

  it("does not hold for a plan in which a rule is missing or narrower", async () => {
    await write();
    const gone = await check([open[0]!]);
    expect(gone.status).toBe(1);
    expect(gone.out).toContain("the certificate does not hold");
    expect(gone.out).toContain("egress--1 is not in the plan");
    const narrow = await check([open[0]!, rule("-1", "egress", { cidrIpv4: "10.0.0.0/16" })], "-f", "json");
    expect(narrow.status).toBe(1);
    expect(JSON.parse(narrow.out)).toMatchObject({
      version: 1,
      cluster: "clusters/tenant-a",
      faults: expect.arrayContaining([
        expect.stringContaining("allows fewer packets than the certificate states"),
      ]) as string[],
    });
  });

  it("does not overwrite a file that is not a certificate", async () => {
    const file = plan("other.json", open);
    const { status, error } = await call(["certificate", file, plan("plan.json", open), "-c", config()]);
    expect(status).toBe(2);
    expect(error).toContain("already exists and is not a certificate");
    expect(readFileSync(file, "utf8")).toBe(stackExport([group, ...open]));
  });

  it("overwrites a certificate of an earlier release, which check no longer reads", async () => {
    await write();
    const [now] = certificate().flows;
    folder.write(
      "certificate.json",
      JSON.stringify({ version: 1, cluster: "clusters/tenant-a", flows: [now] }),
    );
    const old = await check(open);
    expect([old.status, old.out]).toEqual([2, ""]);
    expect(old.error).toContain(
      "1 is not supported: this release reads version 2: recreate it with `hypershift-network certificate`",
    );
    expect((await write()).status).toBe(0);
    expect((await check(open)).status).toBe(0);
  });

  describe("holds for the stack after the update that was previewed, and for the preview", () => {
    const made = (name: string, type: string, inputs: object, dependencies: Record<string, string[]>) => ({
      ...state(type, name, inputs, { propertyDependencies: dependencies }),
    });
    const [groupUrn, aclUrn] = [urn(TYPE.securityGroup, "workers"), urn(TYPE.networkAcl, "acl")];
    /** The program: its ids are known or not. */
    const program = (known: boolean) => {
      const id = (text: string) => (known ? text : NOT_KNOWN);
      const its = (text: string) => (known ? { id: text } : {});
      const inline = { protocol: "-1", fromPort: 0, toPort: 0 };
      const aclRule = (egress: boolean) =>
        made(
          `acl-${egress}`,
          TYPE.networkAclRule,
          {
            ...{ networkAclId: id("acl-1"), egress, ruleNumber: 100, ruleAction: "allow", protocol: "-1" },
            cidrBlock: "0.0.0.0/0",
          },
          { networkAclId: [aclUrn] },
        );
      const other = urn(TYPE.securityGroup, "other");
      return [
        state(
          TYPE.securityGroup,
          "workers",
          { tags, egress: [{ ...inline, self: true, cidrBlocks: [] }] },
          its("sg-1"),
        ),
        state(
          TYPE.securityGroup,
          "other",
          { tags, ingress: [{ ...inline, securityGroups: [id("sg-1")] }] },
          { ...its("sg-2"), propertyDependencies: { ingress: [groupUrn] } },
        ),
        state(TYPE.networkAcl, "acl", { tags }, its("acl-1")),
        aclRule(true),
        aclRule(false),
        made(
          "out",
          TYPE.egressRule,
          { securityGroupId: id("sg-2"), ipProtocol: "-1", cidrIpv4: "0.0.0.0/0" },
          { securityGroupId: [other] },
        ),
        made(
          "in",
          TYPE.ingressRule,
          { securityGroupId: id("sg-1"), ipProtocol: "-1", referencedSecurityGroupId: id("sg-2") },
          { securityGroupId: [groupUrn], referencedSecurityGroupId: [other] },
        ),
      ];
    };
    const before = () => folder.write("plan.json", preview(program(false).map((one) => step("create", one))));
    const after = () => folder.write("plan.json", stackExport(program(true)));

    it.each([
      ["preview", "stack", before, after],
      ["stack", "preview", after, before],
      ["preview", "preview", before, before],
      ["stack", "stack", after, after],
    ])("a certificate of the %s, for the %s", async (_, __, one, other) => {
      const args = ["-c", config()];
      expect(await call(["certificate", written(), one(), ...args])).toMatchObject({ status: 0, error: "" });
      const keys = certificate().flows.map(({ journey }) => journey);
      expect(keys).toEqual(expect.arrayContaining(["workers-ingress-nodes-kubelet", "workers-egress-https"]));
      const assumed = certificate().flows.flatMap(({ places }) =>
        places.flatMap(({ rules }) => rules.flatMap(({ peers }) => peers ?? [])),
      );
      expect(assumed.length).toBeGreaterThan(0);
      const { status, out } = await call(["check", other(), "--certificate", written(), ...args]);
      expect([out, status]).toEqual([expect.stringContaining("the certificate holds"), 0]);
    });
  });

  it.each([
    ["no plan", [], "then the files of the plan"],
    ["a missing plan file", ["missing.json"], "no such file"],
    ["an unknown cluster", ["plan.json", "--cluster", "tenant-b"], "no hosted cluster tenant-b"],
  ])("exits with status 2 for %s", async (_, args, words) => {
    plan("plan.json", open);
    const paths = args.map((arg) => (arg.endsWith(".json") ? join(folder.path, arg) : arg));
    const { status, out, error } = await call(["certificate", written(), ...paths, "-c", config()]);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain(words);
    expect(existsSync(written())).toBe(false);
  });

  it("covers one hosted cluster, which --cluster names if there are several", async () => {
    const both = folder.write(
      "both.yaml",
      ["tenant-a", "tenant-b"]
        .map((name) => `  - { name: ${name}, platform: AWS, machineNetwork: [{ cidr: 10.0.0.0/16 }] }\n`)
        .reduce((text, line) => text + line, "hostedClusters:\n"),
    );
    const args = ["certificate", written(), plan("plan.json", open), "-c", both];
    const { status, error } = await call(args);
    expect(status).toBe(2);
    expect(error).toContain("--cluster: clusters/tenant-a, clusters/tenant-b");
    expect((await call([...args, "--cluster", "tenant-a"])).status).toBe(0);
    expect(certificate().cluster).toBe("clusters/tenant-a");
  });

  it.each([
    ["text that is not JSON", "certificate"],
    ["JSON of another shape", "{}"],
    ["null", "null"],
    ["a list", "[]"],
    ["a corrupted certificate", `{"version":2,"cluster":"a","flows":[{"places":[{}]}]}`],
    ["an earlier version", `{"version":1,"cluster":"a","flows":[]}`],
    ["a later version", `{"version":3,"cluster":"a"}`],
  ])("check rejects %s", async (_, content) => {
    folder.write("certificate.json", content);
    const { status, out, error } = await check(open);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain("is not a certificate");
  });

  it("check reports every fault of a certificate", async () => {
    const block = { services: [[5, 3]], sources: ["10.0.0.0/99"], destinations: [] };
    const place = {
      guard: "a",
      packets: "both",
      direction: "egress",
      required: [block],
      rules: [{ rule: { path: 3 }, packets: 0 }],
    };
    const flows = [
      { journey: "a", title: "A", places: [], outside: [] },
      { journey: "b", title: "B", places: [place], outside: "" },
    ];
    folder.write("certificate.json", JSON.stringify({ version: 2, cluster: "", flows }));
    const { status, out, error } = await check(open);
    expect([status, out]).toEqual([2, ""]);
    const places = [...error.matchAll(/^ {2}(\S+) {2}/gm)].map(([, path]) => path);
    expect(places).toEqual([
      "cluster",
      "flows[0].places",
      "flows[1].places[0].packets",
      "flows[1].places[0].required[0].services[0]",
      "flows[1].places[0].required[0].sources[0]",
      "flows[1].places[0].required[0].destinations",
      "flows[1].places[0].rules[0].rule.path",
      "flows[1].places[0].rules[0].rule",
      "flows[1].places[0].rules[0].packets",
      "flows[1].outside",
    ]);
  });

  it("check rejects a certificate without flows, places, packets or rules", async () => {
    await write();
    const whole = certificate();
    const [flow] = whole.flows;
    const [place] = flow!.places;
    for (const flows of [
      [],
      [{ ...flow, places: [] }],
      [{ ...flow, places: [{ ...place, required: [] }] }],
      [{ ...flow, places: [{ ...place, rules: [] }] }],
    ]) {
      folder.write("certificate.json", JSON.stringify({ ...whole, flows }));
      const { status, out, error } = await check(open);
      expect([status, out]).toEqual([2, ""]);
      expect(error).toMatch(
        / {2}is empty: (no flow is|the path of the flow|it matches no packet|no rule allows)/,
      );
    }
  });

  it("check rejects a certificate of a cluster that is not in the plan, and names the fix", async () => {
    await write();
    const without = await call(["check", plan("now.json", open), "--certificate", written()]);
    expect([without.status, without.out]).toEqual([2, ""]);
    expect(without.error).toMatch(
      /is for clusters\/tenant-a, and the plan has no hosted cluster: .*--config/,
    );
    folder.write("certificate.json", JSON.stringify({ ...certificate(), cluster: "clusters/tenant-b" }));
    const other = await check(open);
    expect([other.status, other.out]).toEqual([2, ""]);
    expect(other.error).toContain("is for clusters/tenant-b, and the plan has only clusters/tenant-a");
  });

  it("a rule with unreadable values does not satisfy the certificate", async () => {
    await write();
    const { status, out } = await check([open[0]!, rule("tcp", "egress", { fromPort: "x", toPort: "y" })]);
    expect([status, out]).toEqual([1, expect.stringContaining("is not in the plan") as string]);
    const spoilt = await check([open[0]!, { ...rule("-1", "egress", { cidrIpv4: "10.0.0.0/x" }) }]);
    expect(spoilt.status).toBe(1);
    expect(spoilt.out).toContain("allows fewer packets than the certificate states");
  });

  it("check rejects output formats that do not support certificates", async () => {
    await write();
    const { status, error } = await check(open, "-f", "sarif");
    expect(status).toBe(2);
    expect(error).toContain("text or json, not sarif");
  });
});
