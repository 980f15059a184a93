import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Certificate } from "../../src/reachability/certificate";
import { TYPE } from "../../src/resources/resourceTypes";
import { Folder, stackExport, state } from "../plan/plans";
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
  call(["check", plan("now.json", resources), "--certificate", written(), ...more]);
const certificate = () => JSON.parse(readFileSync(written(), "utf8")) as Certificate;

describe("hypershift-network certificate", () => {
  it("writes every proved flow, and check bears it out", async () => {
    const { status, out, error } = await write();
    expect([status, error]).toEqual([0, ""]);
    expect(out).toMatch(/^clusters\/tenant-a: \d+ of \d+ documented flows are proved/);
    expect(certificate().flows.length).toBeGreaterThan(0);
    const checked = await check(open);
    expect([checked.status, checked.error]).toEqual([0, ""]);
    expect(checked.out).toMatch(/^clusters\/tenant-a: the certificate holds for this plan: \d+ proved flows/);
    expect((await write()).status).toBe(0);
  });

  it("does not hold for a plan without a rule, or with a narrower one", async () => {
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
        expect.stringContaining("lets less pass than is said of it"),
      ]) as string[],
    });
  });

  it("does not take a file for the certificate that is something else", async () => {
    const file = plan("plan.json", open);
    const { status, error } = await call(["certificate", file, file, "-c", config()]);
    expect(status).toBe(2);
    expect(error).toContain("is there already and is no certificate");
    expect(readFileSync(file, "utf8")).toBe(stackExport([group, ...open]));
  });

  it.each([
    ["no plan", [], "then the files of the plan"],
    ["a plan that is not there", ["missing.json"], "no such file"],
    ["another cluster", ["plan.json", "--cluster", "tenant-b"], "no hosted cluster tenant-b"],
  ])("status 2 for %s", async (_, args, words) => {
    plan("plan.json", open);
    const paths = args.map((arg) => (arg.endsWith(".json") ? join(folder.path, arg) : arg));
    const { status, out, error } = await call(["certificate", written(), ...paths, "-c", config()]);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain(words);
    expect(existsSync(written())).toBe(false);
  });

  it("is for one hosted cluster", async () => {
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
    expect((await call([...args, "--cluster", "tenant-b"])).status).toBe(0);
    expect(certificate().cluster).toBe("clusters/tenant-b");
  });

  it.each([
    ["no JSON", "certificate"],
    ["JSON of another shape", "{}"],
    ["a certificate that somebody spoilt", `{"version":1,"cluster":"a","flows":[{"places":[{}]}]}`],
  ])("check refuses %s", async (_, content) => {
    folder.write("certificate.json", content);
    const { status, out, error } = await check(open);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain("is no certificate");
  });

  it("check refuses formats that say nothing of certificates", async () => {
    await write();
    const { status, error } = await check(open, "-f", "sarif");
    expect(status).toBe(2);
    expect(error).toContain("text or json, not sarif");
  });
});
