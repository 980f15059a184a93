// The sample of `npm run mutation -- --one-in=N`: StrykerJS checks each mutant first, and mutants outside the sample are reported as
// compile errors, which do not count. Mutants that no test reaches are checked too, so the sample has its share of them.
import { createHash } from "node:crypto";

const one = Number(process.env.HYPERSHIFT_NETWORK_ONE_IN ?? 1);

/** Selects the same mutants each time, wherever the clone is: by their position in the file and their replacement. */
function isInSample({ fileName, location: { start, end }, replacement }) {
  const file = fileName.split(/[\\/]/).slice(-2).join("/");
  const place = [file, start.line, start.column, end.line, end.column, replacement].join("\n");
  return createHash("sha256").update(place).digest().readUInt32BE(0) % one === 0;
}

class OneIn {
  async init() {}

  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }

  async check(mutants) {
    const answer = (mutant) =>
      isInSample(mutant)
        ? { status: "passed" }
        : { status: "compileError", reason: `not in a sample of one in ${one}` };
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, answer(mutant)]));
  }
}

export const strykerPlugins = [{ kind: "Checker", name: "one-in", injectableClass: OneIn }];
