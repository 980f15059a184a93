import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { TYPE } from "../../src/resources/resourceTypes";
import { Folder, preview, stackExport, state, step } from "../plan/plans";
import { group, hostedCluster, tcp } from "../rules/builders";
import { canary, CANARIES, plantedSecrets, withSecrets, type Leaf } from "../rules/plantedSecrets";
import { call } from "./terminal";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const SECRET = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  plaintext: '"198.51.100.0/0"',
};

/** A preview with a port that the documents restrict, open to a block. */
function plan(block: unknown): string {
  const cluster = hostedCluster();
  const { properties } = group("hosts", [tcp(8091)]);
  const ingress = [{ ...tcp(8091), cidrBlocks: [block] }];
  return preview([
    step("create", state(cluster.type, "tenant-a", cluster.properties)),
    step("create", state(TYPE.securityGroup, "hosts", { ...properties, ingress })),
  ]);
}

const FORMATS = ["text", "json", "sarif", "junit", "markdown", "github"];

describe("check of a plan in which a secret decides a rule", () => {
  test.each(FORMATS)("fails, names the place in %s, and prints nothing of the secret", async (format) => {
    const file = folder.write("plan.json", plan(SECRET));
    const { status, out, error } = await call(["check", file, "--format", format]);
    expect(status).toBe(1);
    expect(out).toContain("unknown (secret) in SecurityGroup hosts");
    expect(out).toContain("ingress[0].cidrBlocks[0]");
    expect(out + error).not.toContain("198.51.100");
  });

  it("counts it as an error, not as a value that is not known yet", async () => {
    const file = folder.write("plan.json", plan(SECRET));
    const { out } = await call(["check", file, "--format", "json"]);
    const { findings } = JSON.parse(out) as { findings: { rule: string; level: string; status: string }[] };
    expect(findings.filter(({ rule }) => rule === "port-public")).toMatchObject([
      { level: "error", status: "unknown (secret)" },
    ]);
  });

  it("counts a value that is not known yet as unknown", async () => {
    const file = folder.write("plan.json", plan("04da6b54-80e4-46f7-96ec-b56ff0331ba9"));
    const { out } = await call(["check", file, "--format", "json"]);
    const { findings } = JSON.parse(out) as { findings: { rule: string; status: string }[] };
    expect(findings.filter(({ rule }) => rule === "port-public")).toMatchObject([{ status: "unknown" }]);
  });
});

describe("every command that reads plans, with secrets in every property that rules read", () => {
  const planted = plantedSecrets();
  const signature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
  /** Properties with secrets in the clear, as `--show-secrets` writes them. */
  const marked = (properties: unknown, values: readonly Leaf[]) =>
    withSecrets(properties, (at) => ({ ...signature, plaintext: JSON.stringify(values[at]) })) as object;
  const clear = (properties: unknown, values: readonly Leaf[]) =>
    withSecrets(properties, (at) => values[at]) as object;
  const exported = (values: readonly Leaf[]) =>
    stackExport(
      planted.resources.map(({ type, name, properties }) => {
        const inputs = marked(properties, values);
        return state(type, name, inputs, { outputs: inputs });
      }),
    );
  const page = () => join(folder.path, "page.html");
  const IN_ONE = ["--format", "json", "--cluster", "clusters/tenant-a"];

  /** What a command prints and writes about plans, and its status; PLAN stands for the plan, PAGE for a page. */
  async function shown(plan: string, [command, ...options]: readonly string[]) {
    const file = folder.write("plan.json", plan);
    const args = options.map((one) => (one === "PAGE" ? page() : one === "PLAN" ? file : one));
    const { status, out, error } = await call([command!, file, ...args]);
    return { status, text: [out, error, existsSync(page()) ? readFileSync(page(), "utf8") : ""].join("\n") };
  }

  /** Fails unless a command judges plans, and prints the same for all secrets. */
  async function printsNothingOf(planWith: (values: readonly Leaf[]) => string, args: readonly string[]) {
    const first = await shown(planWith(planted.values), args);
    const second = await shown(planWith(planted.values.map(canary)), args);
    expect(first.status).toBeLessThan(2);
    expect(first.text.length).toBeGreaterThan(100);
    expect(second.text).not.toMatch(CANARIES);
    expect(second).toEqual(first);
  }

  test.each([
    ...FORMATS.map((format) => ["check", "--format", format]),
    ["report", "-o", "PAGE"],
    ["prove", ...IN_ONE],
    ["plan", ...IN_ONE],
    ["plan", "--change", "PLAN", ...IN_ONE],
    ["flows", ...IN_ONE],
    ["diff", "PLAN", ...IN_ONE],
  ])("%s %s %s prints the same whatever the secrets are", async (...args) => {
    await printsNothingOf(exported, args);
  });

  /** A preview that takes all secrets out, of a stack in whose outputs they were in the clear. */
  const updated = (values: readonly Leaf[]) =>
    preview(
      planted.resources.map(({ type, name, properties }) =>
        step(
          "update",
          state(type, name, clear(properties, planted.values)),
          state(type, name, marked(properties, values), { outputs: clear(properties, values) }),
        ),
      ),
    );

  test.each([
    ["check", "--format", "json"],
    ["report", "-o", "PAGE"],
  ])("%s %s %s prints nothing of secrets of the old state", async (...args) => {
    await printsNothingOf(updated, args);
  });
});
