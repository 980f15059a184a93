/** The lines of stack traces in what was printed. */
export function stackLines(output: string): string[] {
  return output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /^at .*(:\d+|\(<anonymous>\)|\[.*\])\)?$/.test(line));
}

/** Those that do not come from Pulumi's SDK, Node.js, what the local stack loads before programs, or the user's own program. */
export function ownStackLines(output: string, userFolder: string): string[] {
  return stackLines(output).filter(
    (line) =>
      !line.includes("/node_modules/@pulumi/") &&
      !line.includes("node:") &&
      !line.includes("/local/onDemand/") &&
      !line.includes("(<anonymous>)") &&
      !line.includes(`${userFolder}/`),
  );
}

/** The faults that a user reads under the headline of one component, with single spaces, each once. */
export function faultsUnder(headline: string, output: string): string[] {
  const lines = output.split("\n").map((line) => line.trim().replace(/\s+/g, " "));
  // The headline stands in the progress, too; the faults follow it in the summary.
  const start = lines.findLastIndex((line) => line.endsWith(headline));
  const count = Number(/: (\d+) faults?$/.exec(headline)?.[1] ?? 0);
  return start < 0 ? [] : lines.slice(start + 1, start + 1 + count);
}
