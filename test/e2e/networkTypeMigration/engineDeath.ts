import { runningProcesses, signal } from "../../../local/servers/processes";

/** What dies: only the engine, as with `kill -9`, or also everything that it started, as when its machine fails. */
export type Death = "engine" | "all of it";

/** Kills the `pulumi up` of this process, before anything else can happen. */
export function killEngine(death: Death): void {
  const running = runningProcesses();
  const engine = running.find(
    ({ parent, command }) => parent === process.pid && /\bpulumi up\b/.test(command),
  );
  if (!engine) throw new Error("no pulumi up runs here");
  const doomed = [engine.pid];
  if (death === "all of it")
    // The list grows while it is walked: children, and their children.
    for (const one of doomed)
      doomed.push(...running.filter(({ parent }) => parent === one).map(({ pid }) => pid));
  for (const pid of doomed) signal(pid, "SIGKILL");
}
