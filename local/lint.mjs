// `npm run lint`: runs linter, format check and type check in parallel, and prints the output of each in one piece.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const commands = [
  ["oxlint/bin/oxlint", "-c", "oxlint.config.mjs"],
  ["prettier/bin/prettier.cjs", "--check", "--log-level=warn", "."],
  ["typescript/bin/tsc", "--noEmit"],
];

const statuses = await Promise.all(commands.map(run));
process.exit(statuses.every((status) => status === 0) ? 0 : 1);

function run([program, ...args]) {
  const child = spawn(process.execPath, [join(root, "node_modules", program), ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.on("close", (status) => {
      process.stdout.write(`${program.split("/")[0]}: ${status === 0 ? "fine" : "failed"}\n${output}`);
      resolve(status);
    });
  });
}
