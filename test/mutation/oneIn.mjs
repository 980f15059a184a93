// The sample of `npm run mutation -- --one-in=N`: StrykerJS asks before it tries a change, and what is not in the sample is called one
// that does not compile, which counts for nothing. Changes that no test reaches are asked for too, so the sample has its share of them.
import { createHash } from "node:crypto";

const one = Number(process.env.HYPERSHIFT_NETWORK_ONE_IN ?? 1);

/** The same changes each time, wherever the clone lies: chosen by where a change stands in its file and what it writes there. */
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
