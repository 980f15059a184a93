import { readFileSync } from "node:fs";

/**
 * The peak memory of this process in megabytes. On Linux, node's `maxRSS` also counts the program that started it, until this one took
 * its place.
 */
export function peakMemory(): number {
  const own =
    process.platform === "linux"
      ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]
      : undefined;
  return (own === undefined ? process.resourceUsage().maxRSS : Number(own)) / 1_024;
}
