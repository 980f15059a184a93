// Loaded before the program of a process that is measured: at its end it writes what the process took to file descriptor 3.
import { writeSync } from "node:fs";

// Servers end when they are told to.
process.on("SIGUSR2", () => process.exit(0));
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ worked: (userCPUTime + systemCPUTime) / 1_000, peak: maxRSS / 1_024 }));
});
