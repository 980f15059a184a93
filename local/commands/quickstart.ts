import { parseArgs } from "node:util";

import { removeQuickstart, runQuickstart } from "../quickstart/run";
import { reportOn } from "../report";

const HELP = `npm run quickstart [-- --down]

Creates the network of a hosted control plane with the Pulumi engine, an EC2 API and a Kubernetes API on this
machine, behind the policy gate; then shows how the gate refuses the same network written by hand.

  npm run quickstart              preview, up, and the refusal
  npm run quickstart -- --down    removes everything that it made
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { down: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const report = reportOn(process.stderr);
  process.exitCode = values.down ? await removeQuickstart(report) : await runQuickstart(report);
}

main().catch((error: unknown) => {
  process.stderr.write(`quickstart: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
