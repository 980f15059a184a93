import { reportOn, type Report } from "../report";
import { findKubectlYaml } from "../toolchain/kubectlYaml";
import { findOvn } from "../toolchain/ovn";
import { findTools, type Tools } from "../toolchain/tools";
import { ToolMissing } from "../toolchain/sources";
import { countOf, sumOf, verdict, type Count } from "../testing/count";
import { E2E_PROCESSES, listTests, runJest, type JestRun } from "../testing/jest";
import { longCommands } from "../testing/longCommands";
import { officialParts, preferredPlugins } from "../testing/officialParts";
import { shareServers, SERVERS_VARIABLE } from "../testing/sharedServers";
import { exitWith } from "./exit";

const HELP = `npm test [-- PATTERN... [JEST OPTION...]]

Runs every test: units and properties first, then end to end on a Pulumi engine, an EC2 API and a Kubernetes API that
run on this machine. What is missing for the latter is found, installed or built first.

  npm test                                    everything
  npm test -- test/address                    the test files under a folder
  npm test -- test/e2e/session.test.ts        one file, with what it needs
  npm test -- test/rules -t "port-missing"    tests by name

Where a tool for the end-to-end part can neither be found nor made, that part is skipped, said and counted; with
CI=true nothing may be skipped.`;

const ON_OVN = "test/e2e/ovn/";
const ON_KUBECTL_YAML = "test/e2e/kubectlYaml/";
const ON_SERVERS = `test/e2e/(?!ovn/|kubectlYaml/)`;
/** What a group of end-to-end files runs on. */
interface Part {
  files: string;
  others: string;
  find: (report: Report) => Promise<unknown>;
  /** Whether several files share servers. */
  withServers?: boolean;
}

const END_TO_END: readonly Part[] = [
  { files: ON_SERVERS, others: `${ON_OVN}|${ON_KUBECTL_YAML}`, find: findTools, withServers: true },
  { files: ON_OVN, others: `${ON_SERVERS}|${ON_KUBECTL_YAML}`, find: findOvn },
  { files: ON_KUBECTL_YAML, others: `${ON_SERVERS}|${ON_OVN}`, find: findKubectlYaml },
];

const report = reportOn();
const nothingMayBeSkipped = !["", "0", "false"].includes(process.env.CI ?? "");

async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--help")) {
    console.log(HELP);
    return 0;
  }
  const wanted = { unit: await listTests("unit", args), e2e: await listTests("e2e", args) };
  if (wanted.unit.length + wanted.e2e.length === 0) {
    console.error(`no test file matches ${args.join(" ")}`);
    return 2;
  }
  const runs: Count[] = [];
  if (wanted.unit.length > 0) {
    runs.push(countOf(await runJest({ project: "unit", args })));
  }
  for (const part of END_TO_END) {
    const files = wanted.e2e.filter((file) => new RegExp(part.files).test(file));
    if (files.length === 0) continue;
    const only = [...args, `--testPathIgnorePatterns=${part.others}`];
    runs.push(await runEndToEnd({ project: "e2e", args: only }, part, files.length));
  }
  const { line, status } = verdict(sumOf(runs), { nothingMayBeSkipped });
  // Users who select tests know the commands.
  console.log(`\n${args.length === 0 ? `${longCommands()}\n\n` : ""}${line}`);
  return status;
}

async function runEndToEnd(run: JestRun, { find, withServers }: Part, files: number): Promise<Count> {
  let tools: unknown;
  try {
    tools = await find(report);
  } catch (error) {
    if (!(error instanceof ToolMissing)) {
      throw error;
    }
    report.say(`\nSkipping end-to-end tests. ${error.message}`);
    const { passed, failed, skipped } = countOf(await runJest({ ...run, onlyCount: true }));
    return { passed: 0, failed: 0, skipped: passed + failed + skipped };
  }
  if (withServers && preferredPlugins() === "official") {
    const parts = officialParts((tools as Tools).pulumi.tool);
    report.say(["The end-to-end tests run on", ...parts].join("\n  "));
  }
  // A single file starts its own servers.
  if (!withServers || files === 1) return countOf(await runJest(run));
  const servers = await shareServers(Math.min(files, E2E_PROCESSES), tools as Tools, report);
  try {
    return countOf(await runJest({ ...run, env: { [SERVERS_VARIABLE]: servers.folder } }));
  } finally {
    await servers.stop();
  }
}

exitWith(main(process.argv.slice(2)));
