import {
  chmodSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";

import { OutputFile } from "../../src/cli/outputFile";
import { Platform } from "../../src/requirements/vocabulary";
import { TYPE } from "../../src/resources/resourceTypes";
import { Folder, preview, stackExport, state, step } from "../plan/plans";
import { hostedCluster } from "../rules/builders";
import { validCluster } from "../rules/refusals/objects";
import { call } from "./terminal";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const cluster = hostedCluster();
const PLAN = preview([step("create", state(cluster.type, "tenant-a", cluster.properties))]);
const at = (name: string) => join(folder.path, name);
const COMMANDS: readonly (readonly [string, (out: string, plan: string) => string[]])[] = [
  ["report", (out, plan) => ["report", plan, "--out", out]],
  ["certificate", (out, plan) => ["certificate", out, plan]],
];

describe.each(COMMANDS)("%s", (_, args) => {
  test.each<[string, (plan: string) => string]>([
    ["by its own name", (plan) => plan],
    ["by another spelling", () => join(folder.path, "sub/..//plan.json")],
    ["by a link", (plan) => (symlinkSync(plan, at("link.json")), at("link.json"))],
    ["by a link to a link", (plan) => (symlinkSync(plan, at("a")), symlinkSync("a", at("b")), at("b"))],
    ["by a hard link", (plan) => (linkSync(plan, at("hard.json")), at("hard.json"))],
  ])("does not overwrite the plan if it is named %s", async (_, outOf) => {
    const plan = folder.write("plan.json", PLAN);
    mkdirSync(at("sub"));
    const { status, out, error } = await call(args(outOf(plan), plan));
    expect([status, out]).toEqual([2, ""]);
    expect(error).toMatch(/ is .*an input,? and would be overwritten: name another file to write\n$/);
    expect(readFileSync(plan, "utf8")).toBe(PLAN);
  });

  test("does not overwrite the configuration", async () => {
    const config = folder.write("hypershift-network.yaml", "hostedClusters: []\n");
    const { status, error } = await call([...args(config, folder.write("plan.json", PLAN)), "-c", config]);
    expect([status, error]).toEqual([
      2,
      `${config}  is an input and would be overwritten: name another file to write\n`,
    ]);
    expect(readFileSync(config, "utf8")).toBe("hostedClusters: []\n");
  });

  test("does not write into an input folder if the file would be read from there", async () => {
    const plan = folder.write("plans/plan.json", PLAN);
    const inside = await call(args(at("plans/new.json"), at("plans")));
    expect([inside.status, existsSync(at("plans/new.json"))]).toEqual([2, false]);
    expect(inside.error).toContain("is in the input");
    symlinkSync(at("plans/other.json"), at("outside"));
    expect((await call(args(at("outside"), at("plans")))).status).toBe(2);
    expect((await call(args(plan, at("plans")))).error).toContain(`an input`);
    expect(readdirSync(at("plans"))).toEqual(["plan.json"]);
  });

  test.each<[string, () => string, string]>([
    ["into a missing folder", () => at("none/x"), "is in a folder that does not exist"],
    ["into a file", () => at("plan.json/x"), "is in a file, not in a folder"],
    ["over a folder", () => (mkdirSync(at("sub")), at("sub")), "is a folder: name a file in it"],
    ["by a link to itself", () => (symlinkSync("loop", at("loop")), at("loop")), "points to itself"],
    ["under a name that is too long", () => at("x".repeat(300)), "has a name that is too long"],
  ])("does not write %s, and gives the reason", async (_, outOf, problem) => {
    const plan = folder.write("plan.json", PLAN);
    const { status, out, error } = await call(args(outOf(), plan));
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain(problem);
  });
});

describe("report", () => {
  const report = (...args: string[]) => call(["report", folder.write("plan.json", PLAN), ...args]);

  test("writes to standard output for -, and to a file of that name for ./-", async () => {
    const cwd = process.cwd();
    process.chdir(folder.path);
    try {
      const { status, out, error } = await report("-o", "-");
      expect([status, error]).toEqual([0, ""]);
      expect(out).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
      expect(readdirSync(folder.path)).toEqual(["plan.json"]);
      await report("-o", "./-");
      expect(readFileSync(at("-"), "utf8")).toBe(out);
    } finally {
      process.chdir(cwd);
    }
  });

  test("does not overwrite the file given with --state", async () => {
    const exported = stackExport([]);
    const file = folder.write("state.json", exported);
    const { status } = await report("--state", file, "-o", file);
    expect([status, readFileSync(file, "utf8")]).toEqual([2, exported]);
  });

  test("writes a page into an input folder, because pages are not read as inputs", async () => {
    folder.write("plan.json", PLAN);
    expect((await call(["report", folder.path, "-o", at("page.html")])).status).toBe(0);
    expect(readdirSync(folder.path)).toEqual(["page.html", "plan.json"]);
  });

  test("replaces an existing file, keeps its permissions, and writes through links", async () => {
    const old = folder.write("old.html", "old");
    chmodSync(old, 0o640);
    symlinkSync("old.html", at("link.html"));
    symlinkSync("new.html", at("dangling.html"));
    for (const name of ["link.html", "dangling.html"]) {
      expect((await report("-o", at(name))).status).toBe(0);
      expect(lstatSync(at(name)).isSymbolicLink()).toBe(true);
    }
    expect(readFileSync(old, "utf8")).toMatch(/^<!doctype html>/);
    expect(readFileSync(at("new.html"), "utf8")).toMatch(/^<!doctype html>/);
    expect(statSync(old).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder.path).sort()).toEqual([
      "dangling.html",
      "link.html",
      "new.html",
      "old.html",
      "plan.json",
    ]);
  });

  test("does not write through a link of another user, which may be a trap in a shared folder", async () => {
    const victim = folder.write("victim", "mine");
    symlinkSync(victim, at("page.html"));
    // Links of root are trusted, and only root can change their owner.
    if (process.getuid!() === 0) lchownSync(at("page.html"), 4712, 4712);
    const own = jest.spyOn(process, "geteuid").mockReturnValue(4711);
    try {
      const { status, error } = await report("-o", at("page.html"));
      expect([status, error]).toEqual([
        2,
        `${at("page.html")}  is a symbolic link of another user: remove the link, or name its target\n`,
      ]);
    } finally {
      own.mockRestore();
    }
    expect(readFileSync(victim, "utf8")).toBe("mine");
  });

  test("gives a new file the permissions of the umask, and keeps a private file private", async () => {
    const before = process.umask(0o027);
    try {
      await report("-o", at("new.html"));
      expect(statSync(at("new.html")).mode & 0o777).toBe(0o640);
      const hidden = folder.write("private.html", "old");
      chmodSync(hidden, 0o600);
      process.umask(0);
      await report("-o", hidden);
      expect(statSync(hidden).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(before);
    }
  });

  test("writes to a device", async () => {
    expect((await report("-o", "/dev/null")).status).toBe(0);
  });
});

test("certificate writes to standard output for -", async () => {
  const tags = { "hypershift-network/cluster": "tenant-a", "hypershift-network/role": "workers" };
  const rule = { securityGroupId: "sg-1", ipProtocol: "-1", cidrIpv4: "0.0.0.0/0" };
  const plan = folder.write(
    "plan.json",
    stackExport([
      state(TYPE.securityGroup, "workers", { tags }, { id: "sg-1" }),
      state(TYPE.ingressRule, "in", rule),
      state(TYPE.egressRule, "out", rule),
    ]),
  );
  const hosted = folder.write("hosted.yaml", stringify(validCluster(Platform.AWS)));
  const { status, out, error } = await call(["certificate", "-", plan, hosted]);
  expect([status, error]).toEqual([0, ""]);
  expect(JSON.parse(out)).toMatchObject({ version: 2, cluster: "clusters/tenant-a" });
});

test("a failed write keeps the old file, and leaves no other file behind", () => {
  const file = folder.write("page.html", "old");
  const output = new OutputFile(file, []);
  const huge = { toString: () => "", length: 1 } as unknown as string;
  const terminal = { out: jest.fn() } as never;
  expect(() => output.write(huge, "done", terminal)).toThrow("page.html");
  expect(readFileSync(file, "utf8")).toBe("old");
  expect(readdirSync(folder.path)).toEqual(["page.html"]);
});
