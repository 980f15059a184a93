import { basename } from "node:path";

import { runningProcesses, signal } from "../../../local/servers/processes";

/** Kills the engines that this process has started, as an outage would; what they started stays behind. */
export function killEngine(): void {
  const engines = runningProcesses().filter(
    ({ parent, command }) => parent === process.pid && basename(command.split(" ")[0] ?? "") === "pulumi",
  );
  for (const { pid } of engines) signal(pid, "SIGKILL");
}
