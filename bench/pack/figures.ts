import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as aws from "@pulumi/aws";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation";
import { startSession } from "../../local/session";
import type { Figure } from "../figure";
import { timingOf } from "../timing";

const AT_MOST = 1.05;
/** Number of groups, each with two rules and a subnet: 2,000 resources together with their VPC. */
const GROUPS = 499;

/** The time of a preview with the policy pack, compared with a pack without policies, in turn, on the real engine. */
export async function packFigure(root: string, turns: number): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), "pack-bench-"));
  const session = await startSession({ stateFolder: join(folder, "state"), plugins: "stand-in" });
  try {
    const stack = await LocalWorkspace.createStack(
      { stackName: "large", projectName: "pack-bench", program },
      { workDir: folder, envVars: session.env, pulumiCommand: session.pulumiCommand },
    );
    const [ours, empty] = [join(root, "policy"), emptyPack(folder, root)];
    const times: Record<"ours" | "theirs", number[]> = { ours: [], theirs: [] };
    for (let turn = -1; turn < turns; turn++) {
      const pair = [await previewTime(stack, ours), await previewTime(stack, empty)] as const;
      if (turn < 0) continue; // the first turn fills the file cache
      times.ours.push(pair[0]);
      times.theirs.push(pair[1]);
    }
    return {
      name: "a preview of 2,000 resources behind the pack",
      ours: timingOf(times.ours),
      other: "behind an empty pack",
      theirs: timingOf(times.theirs),
      limit: { atMost: AT_MOST },
    };
  } finally {
    await session.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function program(): Promise<void> {
  const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.0.0.0/16" });
  for (let i = 0; i < GROUPS; i++) {
    const group = new aws.ec2.SecurityGroup(`group-${i}`, { vpcId: vpc.id, tags: { team: `team-${i}` } });
    const block = `10.0.${i >> 1}.${(i & 1) * 128}/25`;
    new aws.ec2.Subnet(`subnet-${i}`, { vpcId: vpc.id, cidrBlock: block });
    for (const port of [443, 6443])
      new aws.vpc.SecurityGroupIngressRule(`rule-${i}-${port}`, {
        securityGroupId: group.id,
        ipProtocol: "tcp",
        fromPort: port,
        toPort: port,
        cidrIpv4: block,
      });
  }
  return Promise.resolve();
}

function emptyPack(folder: string, root: string): string {
  const pack = join(folder, "empty");
  mkdirSync(pack);
  writeFileSync(
    join(pack, "PulumiPolicy.yaml"),
    "description: Holds no policy.\nruntime: nodejs\nmain: index.js\n",
  );
  const policy = JSON.stringify(require.resolve("@pulumi/policy", { paths: [root] }));
  writeFileSync(
    join(pack, "index.js"),
    `const { PolicyPack } = require(${policy});\nnew PolicyPack("empty", { policies: [] });\n`,
  );
  writeFileSync(
    join(pack, "package.json"),
    JSON.stringify({ name: "empty", version: "0.1.0", main: "index.js" }),
  );
  return pack;
}

async function previewTime(stack: Stack, policyPack: string): Promise<number> {
  const begin = performance.now();
  await stack.preview({ policyPacks: [policyPack] });
  return performance.now() - begin;
}
