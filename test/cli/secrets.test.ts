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
  /** A stack export with secrets in the clear, as `--show-secrets` writes it. */
  const exported = (values: readonly Leaf[]) =>
    stackExport(
      planted.resources.map(({ type, name, properties }) => {
        const inputs = withSecrets(properties, (at) => ({
          ...signature,
          plaintext: JSON.stringify(values[at]),
        })) as object;
        return state(type, name, inputs, { outputs: inputs });
      }),
    );
  const page = () => join(folder.path, "page.html");

  test.each([
    ...FORMATS.map((format) => ["check", "--format", format]),
    ["report", "-o", "PAGE"],
    ["prove", "--format", "json"],
    ["plan", "--format", "json"],
    ["plan", "--change", "PLAN", "--format", "json"],
    ["flows", "--format", "json"],
    ["diff", "PLAN", "--format", "json"],
  ])("%s %s %s prints the same whatever the secrets are", async (command, ...options) => {
    const runs: string[] = [];
    for (const values of [planted.values, planted.values.map(canary)]) {
      const plan = folder.write("plan.json", exported(values));
      const args = options.map((one) => (one === "PAGE" ? page() : one === "PLAN" ? plan : one));
      const { out, error } = await call([command, plan, ...args]);
      runs.push([out, error, existsSync(page()) ? readFileSync(page(), "utf8") : ""].join("\n"));
    }
    expect(runs[0]!.length).toBeGreaterThan(100);
    expect(runs[1]).not.toMatch(CANARIES);
    expect(runs[1]).toBe(runs[0]);
  });
});
