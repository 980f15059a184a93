import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json, text } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { ComponentResource } from "@pulumi/pulumi";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation";
import { startSession } from "../../local/session";
import { sides, type Usage } from "../check/measure";
import type { Figure } from "../figure";
import { timingOf, type Timing } from "../timing";

const PACKAGE = "hypershift-network";
const WITHIN = { worked: 2_000, peak: 250 };

/** A component as a program in another language requests it: the provider of the package creates it. */
class Remote extends ComponentResource {
  constructor(component: string, name: string, inputs: Record<string, unknown>) {
    super(`${PACKAGE}:index:${component}`, name, inputs, {}, true);
  }
}

/** The smallest program in such a language. */
function program(): Promise<void> {
  new Remote("HostedControlPlaneSecurityGroups", "tenant-a", {
    topology: {
      name: "tenant-a",
      platform: "AWS",
      machineNetwork: [{ cidr: "10.0.0.0/16" }],
      managementClusterCidrs: ["10.1.0.0/16"],
    },
    vpcId: "vpc-0123456789abcdef0",
  });
  return Promise.resolve();
}

/**
 * What the component provider takes from its start to its end for the first component of a program in a language other than Node.js,
 * in turn with a provider that has the same schema but creates nothing. The engine attaches to both, which are started here: in a
 * session, the plugin host would start them and keep compiled code between runs.
 */
export async function providerFigures(root: string, turns: number): Promise<Figure[]> {
  const schema = join(root, "dist", "schema.json");
  if (!existsSync(schema)) throw new Error("dist/schema.json is missing: run `npm run build` first");
  const folder = mkdtempSync(join(tmpdir(), "provider-bench-"));
  const session = await startSession({ stateFolder: join(folder, "state"), plugins: "stand-in" });
  try {
    const empty = emptyProvider(folder, root, schema);
    const used: Record<"ours" | "theirs", Usage[]> = { ours: [], theirs: [] };
    const usageOf = async (provider: string, least: number): Promise<Usage> => {
      const started = await start(root, provider);
      const env = { ...session.env, PULUMI_DEBUG_PROVIDERS: `${PACKAGE}:${started.port}` };
      const stack = await LocalWorkspace.createOrSelectStack(
        { stackName: "first", projectName: "provider-bench", program },
        { workDir: folder, envVars: env, pulumiCommand: session.pulumiCommand },
      );
      try {
        await previewed(stack, least);
      } finally {
        started.child.kill("SIGUSR2");
      }
      return started.usage;
    };
    for (let turn = -1; turn < turns; turn++) {
      const pair = [await usageOf(root, 10), await usageOf(empty, 2)] as const;
      if (turn < 0) continue; // the first turn fills the file cache
      used.ours.push(pair[0]);
      used.theirs.push(pair[1]);
    }
    const both = (of: "worked" | "peak"): [Timing, Timing] => [
      timingOf(used.ours.map((one) => one[of])),
      timingOf(used.theirs.map((one) => one[of])),
    ];
    const name = "the first component of a program in another language";
    const other = "a provider of the same schema that makes nothing";
    return [
      {
        name,
        ...sides(both("worked")),
        other,
        unit: "ms of processor time",
        limit: { within: WITHIN.worked },
      },
      { name: "  peak memory", ...sides(both("peak")), other, unit: "MB", limit: { within: WITHIN.peak } },
    ];
  } finally {
    await session.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a preview that must have at least `least` resources, because an empty one would measure nothing. */
async function previewed(stack: Stack, least: number): Promise<void> {
  const { changeSummary } = await stack.preview();
  const created = changeSummary.create ?? 0;
  if (created < least) throw new Error(`the preview makes ${created} resources, not ${least}`);
}

interface Started {
  child: ChildProcess;
  port: string;
  /** The resources that the provider used, once it has ended. */
  usage: Promise<Usage>;
}

/** Starts a provider as Pulumi's language host does, and waits until it prints its port. */
async function start(root: string, provider: string): Promise<Started> {
  const tool = createRequire(join(root, "package.json")).resolve("@pulumi/pulumi/cmd/run-plugin");
  const measured = join(__dirname, "..", "check", "usage.js");
  const begin = performance.now();
  // The engine passes its own address when it attaches.
  const child = spawn(process.execPath, ["--require", measured, tool, provider, "127.0.0.1:0"], {
    cwd: provider,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const complaints = text(child.stderr!);
  const usage = json(child.stdio[3] as Readable).then(
    (said) => ({ ...(said as Omit<Usage, "took">), took: performance.now() - begin }),
    async () => {
      throw new Error(
        `the provider in ${provider} ended without a word of what it took:\n${await complaints}`,
      );
    },
  );
  usage.catch(() => undefined);
  const first = await Promise.race([once(child.stdout!, "data"), once(child, "exit").then(() => [""])]);
  const [port = ""] = /\d+/.exec(String(first[0])) ?? [];
  if (port === "") throw new Error(`the provider in ${provider} does not start:\n${await complaints}`);
  return { child, port, usage };
}

/** A provider that has the schema, and registers the requested components without children. */
function emptyProvider(folder: string, root: string, schema: string): string {
  const provider = join(folder, "empty");
  mkdirSync(provider);
  const sdk = JSON.stringify(createRequire(join(root, "package.json")).resolve("@pulumi/pulumi"));
  writeFileSync(join(provider, "PulumiPlugin.yaml"), "runtime: nodejs\n");
  writeFileSync(
    join(provider, "package.json"),
    JSON.stringify({ name: PACKAGE, version: "0.1.0", main: "index.js" }),
  );
  writeFileSync(
    join(provider, "index.js"),
    `const { ComponentResource, provider } = require(${sdk});
const schema = require("node:fs").readFileSync(${JSON.stringify(schema)}, "utf8");
const construct = (name, type, inputs, options) => {
  const made = new ComponentResource(type, name, {}, options);
  return Promise.resolve({ urn: made.urn, state: {} });
};
provider.main({ version: "0.1.0", schema, construct }, process.argv.slice(2));
`,
  );
  return provider;
}
