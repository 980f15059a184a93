import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { compiled } from "../../local/repository";
import { TYPE } from "../../src/resources/resourceTypes";
import { Folder, preview, stackExport, state, step } from "../plan/plans";
import { unprivileged } from "../unprivileged";
import { call } from "./terminal";

/** Inputs whose size or shape once made commands end with "internal error", or never end. */
let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const calmly = async (...args: string[]) => {
  const { status, out, error } = await call(args);
  return { status, out, error: error.replaceAll(`${folder.path}/`, "") };
};
const service = "apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: {}\n";

describe("large input", () => {
  test("a List of 125,000 Pods is judged", async () => {
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } };
    const list = { apiVersion: "v1", kind: "List", items: Array(125_000).fill(pod) };
    const { status, out, error } = await calmly("check", folder.write("a.json", JSON.stringify(list)));
    expect([status, error]).toEqual([0, ""]);
    expect(out).toContain("125000 resources in 1 file");
  });

  test("of 130,000 faulty documents, the first faults and the number of the others are printed", async () => {
    const file = folder.write("a.yaml", "a: *b\n---\n".repeat(130_000));
    const { status, out, error } = await calmly("check", file);
    const lines = error.trimEnd().split("\n");
    expect([status, out, lines.length]).toEqual([2, "", 101]);
    expect(lines[0]).toMatch(/^a\.yaml:1:\d+ {2}has an alias without an anchor/);
    expect(lines.at(-1)).toBe("129900 faults more, which are not shown: fix these first");
  });

  test("of 1,000 mistakes in a configuration, the first and the number of the others are printed, also as annotations", async () => {
    const config = folder.write("c.yaml", `exemptions:\n${"- x\n".repeat(1_000)}`);
    const args = ["check", folder.write("a.yaml", service), "--config", config];
    const { status, error } = await calmly(...args);
    expect([status, error.trimEnd().split("\n").length]).toEqual([2, 101]);
    const { out } = await calmly(...args, "--format", "github");
    const last = "::error title=hypershift-network::900 faults more, which are not shown: fix these first\n";
    expect(out.slice(-last.length)).toBe(last);
  });
});

const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const put = (text: string, value: string) => text.replace('"PUT"', () => value);
const TYPE_OF_CLUSTER = "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster";
const secret = "4dabf18193072939515e22adb298388d";

describe("deeply nested input", () => {
  const inPlan = put(preview([step("create", state(TYPE.vpc, "a", { tags: "PUT" }))]), objects(100_000));
  const inOldState = put(
    preview([
      {
        ...step("update", state(TYPE_OF_CLUSTER, "a", {})),
        oldState: "PUT" as unknown as { urn: string },
      },
    ]),
    objects(100_000),
  );
  const inExport = put(stackExport([state(TYPE.vpc, "a", { [secret]: "PUT" })]), lists(100_000));
  const beside = put(
    JSON.stringify({ config: "PUT", ...(JSON.parse(preview([])) as object) }),
    lists(100_000),
  );
  const manifest = put(`{"apiVersion": "v1", "kind": "Pod", "spec": "PUT"}`, lists(100_000));

  test.each<[what: string, name: string, text: string]>([
    ["a property in a preview", "a.json", inPlan],
    ["an old state in a preview", "a.json", inOldState],
    ["a secret in a stack export", "a.json", inExport],
    ["a field next to the steps of a preview", "a.json", beside],
    ["a manifest in JSON", "a.json", manifest],
    [
      "a large manifest in JSON",
      "a.json",
      put(manifest, "").replace(/\}$/, `, "more": "${"x".repeat(5 << 20)}"}`),
    ],
    ["nested lists", "a.json", lists(1_000_000)],
    ["unclosed brackets", "a.json", "[".repeat(1_000_000)],
    ["a manifest in YAML", "a.yaml", `${service}more: ${lists(6_000)}\n`],
    ["nested block sequences in YAML", "a.yaml", `${service}more:\n  ${"- ".repeat(6_000)}a\n`],
    [
      "nested aliases in YAML",
      "a.yaml",
      `${service}x0: &x0 ${lists(400)}\n${Array.from({ length: 20 }, (_, n) => `x${n + 1}: &x${n + 1} ${lists(399).replace("[]", `[*x${n}]`)}\n`).join("")}`,
    ],
  ])("%s is rejected with file, position and limit", async (_, name, text) => {
    const { status, out, error } = await calmly("check", folder.write(name, text));
    expect(error).toMatch(
      /^a\.(json|yaml):\d+(:\d+)? {2}is nested more than 500 levels deep: write it flatter\n$/,
    );
    expect([status, out]).toEqual([2, ""]);
  });

  test("the position is that of the first value that is too deep", async () => {
    const file = folder.write("a.json", `{"apiVersion": "v1",\n"spec": ${lists(600)}}`);
    expect((await calmly("check", file)).error).toMatch(/^a\.json:2:508 /);
  });

  test("the same limit applies to a configuration", async () => {
    const config = folder.write("c.yaml", `hostedClusters: ${lists(6_000)}`);
    const { status, error } = await calmly("check", folder.write("a.yaml", service), "--config", config);
    expect([status, error]).toEqual([2, "c.yaml:1  is nested more than 500 levels deep: write it flatter\n"]);
  });

  test.each([
    [
      "JSON",
      "a.json",
      `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "x": ${lists(490)}}`,
    ],
    ["a plan", "a.json", put(preview([step("create", state(TYPE.vpc, "a", { tags: "PUT" }))]), objects(490))],
    ["YAML", "a.yaml", `${service}x: ${lists(490)}`],
  ])("%s just below the limit is judged", async (_, name, text) => {
    expect(await calmly("check", folder.write(name, text))).toMatchObject({ status: 0, error: "" });
  });
});

describe("unusable paths", () => {
  const problems: [what: string, path: () => string, words: string][] = [
    ["a link to itself", () => link("itself", "itself"), "is a symbolic link that points to itself"],
    [
      "a file as a folder",
      () => join(folder.write("a.yaml", service), "b.yaml"),
      "is in a file, not in a folder",
    ],
    ["a name of 300 characters", () => join(folder.path, "n".repeat(300)), "has a name that is too long"],
    ["no file", () => join(folder.path, "missing"), "no such file or folder"],
    ["a NUL byte", () => join(folder.path, "a\0b"), "has a NUL byte in its name"],
  ];
  const link = (name: string, target: string) => {
    symlinkSync(target, join(folder.path, name));
    return join(folder.path, name);
  };

  const commands: [what: string, args: (path: string) => string[]][] = [
    ["the file of check", (path) => ["check", path]],
    ["the configuration of check", (path) => ["check", folder.write("z.yaml", service), "--config", path]],
    ["the state of check", (path) => ["check", folder.write("z.yaml", service), "--state", path]],
    ["the certificate of check", (path) => ["check", folder.write("z.yaml", service), "--certificate", path]],
    ["the plan of prove", (path) => ["prove", path]],
    [
      "the current state of plan --change",
      (path) => ["plan", folder.write("z.yaml", service), "--change", path],
    ],
    ["one side of diff", (path) => ["diff", path, folder.write("z.yaml", service)]],
    ["the plan of report", (path) => ["report", path, "--out", join(folder.path, "report.html")]],
  ];

  test.each(
    commands.flatMap(([command, args]) => problems.map((problem) => [command, ...problem, args] as const)),
  )("%s gives a specific error if the path is %s", async (_, what, path, words, args) => {
    const { status, out, error } = await call(args(path()));
    expect(error).toContain(words);
    expect(error).not.toMatch(/internal error|\bE[A-Z]{4,}[:,]|\n {4}at /);
    expect([status, out]).toEqual([2, ""]);
    expect(what).toBeTruthy();
  });

  test("a kubeconfig that is a link to itself gives a specific error", () => {
    // Runs in its own process, because the Kubernetes client consists of ES modules, which Jest does not load.
    const args = [compiled("src/cli/main"), "check", "--live", "--kubeconfig", link("itself", "itself")];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(stderr).toContain("the kubeconfig cannot be read: it is a symbolic link that points to itself");
    expect(status).toBe(2);
  });

  test("a credential plugin that does not work gives a specific error without its output", () => {
    const user = {
      exec: { apiVersion: "client.authentication.k8s.io/v1", command: "echo", args: ["sha256~Ab"] },
    };
    const content = {
      "current-context": "dev",
      contexts: [{ name: "dev", context: { cluster: "dev", user: "dev" } }],
      clusters: [{ name: "dev", cluster: { server: "https://127.0.0.1:1" } }],
      users: [{ name: "dev", user }],
    };
    const args = [
      compiled("src/cli/main"),
      "check",
      "--live",
      "--kubeconfig",
      folder.write("k.json", JSON.stringify(content)),
    ];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(stderr).toContain(
      "the credential plugin echo of the kubeconfig did not work: what it prints is not",
    );
    expect([status, stderr.includes("sha256")]).toEqual([2, false]);
  });

  const written: [what: string, path: () => string, words: string][] = [
    ...problems.filter(([what]) => what !== "no file"),
    ["a folder", () => folder.path, "is a folder"],
    ["in no folder", () => join(folder.path, "missing", "report.html"), "is in a folder that does not exist"],
  ];
  test.each(written)("report gives a specific error if the file to write is %s", async (_, path, words) => {
    const { status, error } = await call(["report", folder.write("z.yaml", service), "--out", path()]);
    expect(error).toContain(words);
    expect(error).not.toMatch(/\bE[A-Z]{4,}[:,]/);
    expect(status).toBe(2);
  });

  test("a folder that may not be entered gives a specific error", async () => {
    mkdirSync(join(folder.path, "closed"));
    const file = folder.write("closed/a.yaml", service);
    // Modules that commands load late are loaded with the rights of the test.
    await calmly("check", join(folder.path, "missing.yaml"));
    expect(await calmly("check", file)).toMatchObject({ status: 0, error: "" });
    const answer = () => unprivileged(folder.path, () => calmly("check", file));
    expect(await answer()).toMatchObject({ status: 0, error: "" });
    chmodSync(join(folder.path, "closed"), 0);
    const closed = await answer();
    chmodSync(join(folder.path, "closed"), 0o755);
    expect(closed).toEqual({
      status: 2,
      out: "",
      error: "closed/a.yaml  may not be read: change its permissions\n",
    });
  });
});
