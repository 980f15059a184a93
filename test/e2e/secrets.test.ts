import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { LocalWorkspace, type PolicyEvent, type Stack } from "@pulumi/pulumi/automation";

import { POLICY_PACK } from "../../local/quickstart/stacks";
import { outcomeOf } from "../../local/quickstart/outcome";
import type { Session } from "../../local/session";
import { sharedSession } from "./sharedSession";
import { call } from "../cli/terminal";
import { canary, CANARIES, plantedSecrets, type Leaf, type Planted } from "../rules/plantedSecrets";
import { projectIn, type Project } from "./badInput/project";

/**
 * Secrets in every property of the examples of all rules, on the real engine. The output must not depend on them: it is the same for
 * values that violate rules and for canaries that the test searches for.
 */
let session: Session;
let project: Project;
let stack: Stack;

beforeAll(async () => {
  const stateFolder = mkdtempSync(join(tmpdir(), "secrets-"));
  session = await sharedSession(stateFolder);
  project = await projectIn(session, "secrets");
  writeFileSync(join(project.folder, "index.ts"), PROGRAM);
  stack = await LocalWorkspace.selectStack(
    { stackName: "dev", workDir: project.folder },
    { envVars: engineEnvironment(), pulumiCommand: session.pulumiCommand },
  );
}, 900_000);
afterAll(async () => {
  await session?.stop();
  rmSync(session.stateFolder, { recursive: true, force: true });
});

// Secrets are encrypted by a passphrase, as for most users.
function engineEnvironment() {
  const { PULUMI_OPTION_SECRETS_PROVIDER: _, ...env } = session.env;
  return { ...env, PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
}

/**
 * Components stand in for resources of every kind: the engine shows the pack their inputs and outputs without calling a provider.
 * Only providers set ids: with ids the pack would find here what no preview shows.
 */
const PROGRAM = `
import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();
const { resources, values } = JSON.parse(readFileSync("resources.json", "utf8"));
const configured = process.env.SECRETS_FROM === "config" ? config.requireSecretObject("values") : undefined;
const secretAt = (at: number) => configured?.apply((all: any) => all[at]) ?? pulumi.secret(values[at]);
const hiding = (value: any): any =>
  Array.isArray(value) ? value.map(hiding)
  : typeof value !== "object" || value === null ? value
  : "secretAt" in value ? secretAt(value.secretAt)
  : Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, hiding(entry)]));

class Shown extends pulumi.ComponentResource {
  constructor(type: string, name: string, properties: any) {
    super(type, name, properties);
    this.registerOutputs(properties);
  }
}
// One after the other: rules that compare objects name the later one.
export = async () => {
  for (const { type, name, properties: { id, ...properties } } of resources) {
    const shown = new Shown(type, name, hiding(properties));
    await new Promise((done) => shown.urn.apply(done));
  }
};
`;

interface Printed {
  events: PolicyEvent[];
  text: string;
}

/** The engine's output of a preview with the pack. */
async function previewed(
  what: Planted,
  values: readonly Leaf[],
  from: "program" | "config",
): Promise<Printed> {
  writeFileSync(
    join(project.folder, "resources.json"),
    JSON.stringify({ resources: what.resources, values: from === "program" ? values : [] }),
  );
  if (from === "config") await stack.setConfig("values", { value: JSON.stringify(values), secret: true });
  stack.workspace.envVars = { ...engineEnvironment(), SECRETS_FROM: from };
  let text = "";
  const hear = (part: string) => void (text += part);
  const { refusals, remarks } = await outcomeOf((onEvent) =>
    stack.preview({ policyPacks: [POLICY_PACK], onEvent, onOutput: hear, onError: hear }),
  );
  return { events: [...refusals, ...remarks], text };
}

const said = ({ events }: Printed): string[] =>
  events.map(({ policyName, resourceUrn = "", message }) => `${policyName} ${resourceUrn} ${message}`).sort();

/** The places of secrets that decided a rule: `port-public hosts ingress[0].cidrBlocks`. */
const secretPlaces = (lines: readonly string[]): string[] => [...new Set(lines)].sort();

const execute = promisify(execFile);

describe("secrets on the real engine", () => {
  const what = plantedSecrets();
  const canaries = what.values.map(canary);
  let first: Printed;

  it("do not affect what the pack prints if a program wraps them in pulumi.secret", async () => {
    expect(what.values.length).toBeGreaterThan(400);
    first = await previewed(what, what.values, "program");
    const other = await previewed(what, canaries, "program");
    expect(other.text).not.toMatch(CANARIES);
    expect(said(other).join("\n")).not.toMatch(CANARIES);
    expect(said(other)).toEqual(said(first));
    expect(said(first).filter((line) => line.includes("unknown (secret)")).length).toBeGreaterThan(50);
    expect(said(first).join("\n")).not.toContain("no values are shown");
  }, 300_000);

  it("do not affect what the pack prints if they come from configuration", async () => {
    const configured = await previewed(what, canaries, "config");
    expect(configured.text).not.toMatch(CANARIES);
    expect(said(configured)).toEqual(said(first));
  }, 300_000);

  it("are reported by check at the same places as by the pack, and printed in no format", async () => {
    const { stdout } = await execute(session.pulumiCommand.command, ["preview", "--json", "--stack", "dev"], {
      cwd: project.folder,
      env: { ...engineEnvironment(), SECRETS_FROM: "config" },
      maxBuffer: 256 * 1024 * 1024,
    });
    const plan = join(project.folder, "plan.json");
    writeFileSync(plan, stdout);
    const { out } = await call(["check", plan, "--format", "json"]);
    const { findings } = JSON.parse(out) as {
      findings: { rule: string; status: string; path: string; resource: { urn: string } }[];
    };
    const ofCheck = findings
      .filter(({ status }) => status === "unknown (secret)")
      .map(({ rule, path, resource: { urn } }) => `${rule} ${urn} ${path}`);
    const ofPack = first.events.flatMap(({ policyName, resourceUrn = "", message }) => {
      const [, path = ""] = /^(?:.*\n)?(.*?)(?:: )?unknown \(secret\)/.exec(message) ?? [];
      return message.includes("unknown (secret)") ? [`${policyName} ${resourceUrn} ${path}`] : [];
    });
    expect(secretPlaces(ofPack)).toEqual(secretPlaces(ofCheck));
    for (const format of ["text", "json", "sarif", "junit", "markdown", "github"]) {
      const { out: report, error } = await call(["check", plan, "--format", format]);
      expect(report + error).not.toMatch(CANARIES);
    }
    const page = join(project.folder, "report.html");
    await call(["report", plan, "-o", page]);
    expect(readFileSync(page, "utf8")).not.toMatch(CANARIES);
  }, 300_000);
});
