import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { repositoryRoot } from "../../local/repository";
import type { Session } from "../../local/session";
import { sharedSession } from "./sharedSession";
import { projectIn, type Project } from "./badInput/project";

/** The command line as users run it, on what the real engine prints before and after an update. */
let session: Session;
let project: Project;

beforeAll(async () => {
  const stateFolder = mkdtempSync(join(tmpdir(), "check-"));
  session = await sharedSession(stateFolder);
  project = await projectIn(session, "gate");
}, 900_000);
afterAll(async () => {
  await session?.stop();
  rmSync(session.stateFolder, { recursive: true, force: true });
});

const main = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
  bin: { "hypershift-network": string };
};
const command = join(repositoryRoot, main.bin["hypershift-network"]);

const execute = promisify(execFile);

interface Ran {
  status: number | null;
  out: string;
  error: string;
}

function hypershiftNetwork(args: string[], input?: string): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: project.folder,
    encoding: "utf8",
    ...(input !== undefined && { input }),
  });
  return { status, out: stdout, error: stderr };
}

async function pulumi(name: string, ...args: string[]): Promise<string> {
  const env = { ...session.env, PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
  const { stdout } = await execute(session.pulumiCommand.command, [...args, "--stack", "dev"], {
    cwd: project.folder,
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  writeFileSync(join(project.folder, name), stdout);
  return stdout;
}

const program = (description: string, cidr: string) => `
import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
const tags = { "hypershift-network/cluster": "tenant-a", "hypershift-network/role": "control-plane" };
const vpc = new aws.ec2.Vpc("management", { cidrBlock: "10.1.0.0/16" });
const group = new aws.ec2.SecurityGroup("hosts", { vpcId: vpc.id, description: "${description}", tags });
const rule = (name: string, port: number, cidrIpv4: pulumi.Input<string>) =>
  new aws.vpc.SecurityGroupIngressRule(name, { securityGroupId: group.id, ipProtocol: "tcp", fromPort: port, toPort: port, cidrIpv4 });
rule("in-443", 443, "${cidr}");
rule("in-6443", 6443, "10.0.0.0/16");
rule("in-8091", 8091, "0.0.0.0/0");
new aws.vpc.SecurityGroupEgressRule("out", { securityGroupId: group.id, ipProtocol: "-1", cidrIpv4: "0.0.0.0/0" });
rule("hidden", 22, pulumi.secret("198.18.19.20/32"));
`;

const configuration = `
hostedClusters:
  - { name: tenant-a, platform: AWS, release: "4.20", machineNetwork: [{ cidr: 10.0.0.0/16 }] }
rules: { all: disabled, port-missing: mandatory, port-public: mandatory }
`;

interface Finding {
  rule: string;
  status: string;
  resource: { urn?: string };
  message: string;
}

function judged(args: string[], input?: string): { status: number | null; violated: string[]; text: string } {
  const { status, out, error } = hypershiftNetwork(
    ["check", ...args, "--config", "hypershift-network.yaml", "--format", "json"],
    input,
  );
  expect(error).toBe("");
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  const violated = findings
    .filter((finding) => finding.status === "violated")
    .map(({ rule, resource, message }) => `${rule} ${resource.urn?.split("::").pop()} ${message}`);
  return { status, violated, text: out };
}

describe("hypershift-network check on what the engine prints", () => {
  it("M22 reports the same findings for a preview, the deployed stack and a preview without changes", async () => {
    writeFileSync(join(project.folder, "hypershift-network.yaml"), configuration);
    writeFileSync(join(project.folder, "index.ts"), program("hosts", "10.0.0.0/17"));
    const created = await pulumi("new.json", "preview", "--json");
    const first = judged(["new.json"]);
    expect(first.status).toBe(1);
    expect(first.violated.join("\n")).toMatch(/port-public in-8091 .*8091/);
    expect(first.violated.join("\n")).toMatch(/port-missing hosts .*443/);
    expect(first.text).not.toContain("198.18.19.20");
    expect(judged(["-"], created).violated).toEqual(first.violated);

    await pulumi("up.txt", "up", "--yes", "--skip-preview");
    await pulumi("same.json", "preview", "--json");
    await pulumi("sames.json", "preview", "--json", "--show-sames");
    await pulumi("refreshed.json", "preview", "--json", "--refresh");
    await pulumi("state.json", "stack", "export");
    const left = hypershiftNetwork(["check", "same.json"]);
    expect([left.status, left.out]).toEqual([2, ""]);
    expect(left.error).toMatch(/^same\.json {2}7 resources are left out .*--show-sames/);
    const plans = [
      ["sames.json"],
      ["same.json", "--state", "state.json"],
      ["state.json"],
      ["refreshed.json"],
    ];
    for (const args of plans) {
      const again = judged(args);
      expect(again.status).toBe(1);
      expect(again.violated.sort()).toEqual(first.violated.sort());
      expect(again.text).not.toContain("198.18.19.20");
    }
  }, 240_000);

  it("M22 judges the new side of replacements and updates", async () => {
    writeFileSync(join(project.folder, "index.ts"), program("other hosts", "10.0.0.0/16"));
    await pulumi("replace.json", "preview", "--json");
    const found = judged(["replace.json", "--state", "state.json"]);
    expect(found.violated).toEqual([expect.stringMatching(/^port-public in-8091 /)]);
  }, 240_000);

  it("M22 ignores resources that a preview refreshes and then deletes", async () => {
    // The rule whose block is a secret goes too, because port-public depends on it.
    const without = program("hosts", "10.0.0.0/16").replace(/^rule\("(in-8091|hidden)".*$/gm, "");
    writeFileSync(join(project.folder, "index.ts"), without);
    const refreshed = await pulumi("deleted.json", "preview", "--json", "--refresh");
    expect(refreshed).toContain('"op": "refresh"');
    expect(judged(["deleted.json"])).toMatchObject({ status: 0, violated: [] });
  }, 240_000);

  it("prints no stack trace for a pipe that closes early, a truncated plan or help", () => {
    const whole = readFileSync(join(project.folder, "new.json"), "utf8");
    const truncated = hypershiftNetwork(["check", "-"], whole.slice(0, whole.length / 2));
    expect(truncated.status).toBe(2);
    expect(truncated.error).toMatch(/^stdin:\d+:\d+ {2}JSON ends in the middle of a value/);
    const piped = spawnSync("sh", ["-c", `"${process.execPath}" "${command}" schema | head -1`], {
      encoding: "utf8",
    });
    expect([piped.stdout, piped.stderr]).toEqual(["{\n", ""]);
    const check = `"${process.execPath}" "${command}" check`;
    const pipe = (script: string) =>
      spawnSync("bash", ["-c", `set -o pipefail; ${script}`], { cwd: project.folder, encoding: "utf8" });
    // The status reports the findings even if they are not read to the end.
    const found = pipe(`${check} new.json --config hypershift-network.yaml | true`);
    expect([found.status, found.stderr]).toEqual([1, ""]);
    expect(pipe(`${check} missing.json 2>&1 | true`).status).toBe(2);
    const help = hypershiftNetwork(["check", "--help"]);
    expect([help.status, help.error]).toEqual([0, ""]);
    expect(help.out).toContain("pulumi preview --json --show-sames | hypershift-network check -");
  });
});
