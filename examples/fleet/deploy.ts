/**
 * Previews, deploys or destroys the stack of every cluster of the ledger, several at a time, with Pulumi's Automation API:
 *
 *   npx tsx deploy.ts preview
 *   npx tsx deploy.ts up tenant-a tenant-b        only these
 *
 * tsx runs TypeScript; npx downloads it, because this package does not depend on it.
 * Each cluster has its own stack with its own state: a failure in one does not affect the others, and is reported at the end.
 */
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";

import { LocalWorkspace, type LocalWorkspaceOptions, type Stack } from "@pulumi/pulumi/automation";

/** What the command line accepts. */
export type Verb = "preview" | "up" | "destroy";

/** How many stacks run at once: each needs a Node.js process and its plugins. */
const AT_ONCE = 4;

/** The clusters that have a file in the ledger. */
export const clustersOf = (ledger: string): string[] =>
  readdirSync(ledger, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => basename(file, ".yaml"))
    .sort();

/** Runs the operation for each cluster, and returns the errors by cluster. `options` replaces this folder and its engine settings. */
export async function deploy(
  verb: Verb,
  clusters: readonly string[],
  options: LocalWorkspaceOptions = {},
  say: (line: string) => void = console.log,
): Promise<ReadonlyMap<string, Error>> {
  const failures = new Map<string, Error>();
  const waiting = [...clusters];
  const work = async () => {
    for (let cluster = waiting.shift(); cluster !== undefined; cluster = waiting.shift())
      try {
        const stack = await stackOf(cluster, options);
        const { changeSummary } = await run(stack, verb);
        say(`${cluster}  ${verb}: ${changeSummary}`);
      } catch (error) {
        failures.set(cluster, error as Error);
        say(`${cluster}  ${verb} failed`);
      }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failures;
}

async function stackOf(cluster: string, options: LocalWorkspaceOptions): Promise<Stack> {
  const { workDir = __dirname, ...others } = options;
  const stack = await LocalWorkspace.createOrSelectStack({ stackName: cluster, workDir }, others);
  await stack.setConfig("cluster", { value: cluster });
  return stack;
}

async function run(stack: Stack, verb: Verb): Promise<{ changeSummary: string }> {
  if (verb === "preview") return { changeSummary: JSON.stringify((await stack.preview()).changeSummary) };
  const { summary } = await stack[verb]();
  return { changeSummary: JSON.stringify(summary.resourceChanges ?? {}) };
}

async function main([verb, ...named]: readonly string[]): Promise<void> {
  if (verb !== "preview" && verb !== "up" && verb !== "destroy")
    throw new Error("usage: deploy.ts preview|up|destroy [cluster...]");
  const failures = await deploy(verb, named.length > 0 ? named : clustersOf(join(__dirname, "ledger")));
  for (const [cluster, { message }] of failures) console.error(`${cluster}: ${message}`);
  process.exitCode = failures.size > 0 ? 1 : 0;
}

if (require.main === module) void main(process.argv.slice(2));
