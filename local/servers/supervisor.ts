import { spawn } from "node:child_process";

/**
 * Runs as a separate process for each server: `supervisor COMMAND ARG...` runs the command and stops it when its standard input ends,
 * which the operating system ensures when the process at the other end is gone for whatever reason. It leads a process group, so the
 * processes that the command started end too.
 */
const GRACE_MS = 5_000;

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  throw new Error("usage: supervisor COMMAND ARG...");
}

let stopping = false;
const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });

child.on("error", (error) => {
  console.error(`${command}: ${error.message}`);
  process.exit(127);
});
child.on("exit", (code, killedBy) => {
  if (process.platform !== "win32") {
    process.kill(-process.pid, "SIGTERM");
  }
  process.exit(code ?? (killedBy && !stopping ? 1 : 0));
});

function stop(): void {
  if (stopping) {
    return;
  }
  stopping = true;
  child.kill("SIGTERM");
  setTimeout(() => {
    if (process.platform === "win32") {
      child.kill("SIGKILL");
    } else {
      process.kill(-process.pid, "SIGKILL");
    }
  }, GRACE_MS);
}

for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  process.on(name, stop);
}
process.stdin.on("end", stop).on("error", stop).resume();
