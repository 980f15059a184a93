// Loaded before the program in a measured process: at its end, writes the resources used to file descriptor 3.
import { writeSync } from "node:fs";
import { peakMemory } from "../peakMemory";

// Servers end on this signal.
process.on("SIGUSR2", () => process.exit(0));
process.on("exit", () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  writeSync(3, JSON.stringify({ worked: (userCPUTime + systemCPUTime) / 1_000, peak: peakMemory() }));
});
