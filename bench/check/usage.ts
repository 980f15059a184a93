// Loaded before the program in a measured process: at its end, writes the resources used to file descriptor 3.
import { readFileSync, writeSync } from "node:fs";

// Servers end on this signal.
process.on("SIGUSR2", () => process.exit(0));
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(
    3,
    JSON.stringify({ worked: (userCPUTime + systemCPUTime) / 1_000, peak: peakOr(maxRSS) / 1_024 }),
  );
});

/** The peak of this program in kilobytes. On Linux, `maxRSS` also counts the process that started it, before it became this one. */
function peakOr(maxRSS: number): number {
  if (process.platform !== "linux") return maxRSS;
  const [, own] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return own === undefined ? maxRSS : Number(own);
}
