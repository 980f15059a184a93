/** The lines of stack traces in the output. */
export function stackLines(output: string): string[] {
  return output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /^at .*(:\d+|\(<anonymous>\)|\[.*\])\)?$/.test(line));
}

/** The stack lines that are not of Pulumi's SDK, Node.js, the preloads of the local stack, or the user's program. */
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
  // The headline is in the progress, too; the faults follow it in the summary.
  const start = lines.findLastIndex((line) => line.endsWith(headline));
  const count = Number(/: (\d+) faults?$/.exec(headline)?.[1] ?? 0);
  return start < 0 ? [] : lines.slice(start + 1, start + 1 + count);
}
