import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { casesOf, everyKindOnce, type Case } from "../fuzz/cases";
import { Fuzzer, type Found } from "../fuzz/fuzz";
import { minimised } from "../fuzz/minimise";
import { samples } from "../fuzz/samples";
import { repositoryRoot } from "../repository";
import { reportOn } from "../report";
import { withWholeNumbers } from "../wholeNumbers";
import { exitWith } from "./exit";

const REGRESSIONS = join("test", "fuzz", "regressions.json");

const HELP = `npm run fuzz [-- --cases N] [--seed N]

Mutates valid inputs of every kind that \`check\` and the policy pack read: a value becomes one of every other type, null, unknown, a
secret, missing, doubled, renamed, reordered. Nothing may throw, the exit status is 0, 1 or 2 as documented, the pack judges as \`check\`
does, and a value that a rule reads is judged, named as not known, or found: a violation does not vanish without a word. Each kind of
change at each kind of place comes once, and then any.

  --cases N   so many mutations (20000)
  --seed N    the same seed gives the same mutations (1)

What breaks an invariant is made as small as it can be, and written into ${REGRESSIONS}, which \`npm test\` repeats.
Exit status: 0 every invariant holds, 1 one does not, 2 wrong usage.`;

const DEFAULTS = { cases: 20_000, seed: 1 };
const EVERY = 1_000;

async function main(options: typeof DEFAULTS): Promise<number> {
  const fuzzer = new Fuzzer();
  try {
    const start = Date.now();
    const found = await fuzz(options, fuzzer);
    const seconds = Math.round((Date.now() - start) / 1000);
    console.log(`seed ${options.seed}: ${options.cases} cases, ${found.length} findings, ${seconds} s`);
    keep(found);
    return found.length === 0 ? 0 : 1;
  } finally {
    fuzzer.close();
  }
}

/** One case for each fault, as small as it can be. */
async function fuzz({ cases, seed }: typeof DEFAULTS, fuzzer: Fuzzer): Promise<Found[]> {
  const report = reportOn();
  const found = new Map<string, Found>();
  let done = 0;
  const kinds = everyKindOnce(samples(), seed).slice(0, cases);
  for (const one of [...kinds, ...casesOf(samples(), cases - kinds.length, seed)]) {
    for (const breach of await fuzzer.breaches(one))
      if (!found.has(breach.key)) {
        report.say(`${breach.key}\n  ${breach.detail.replaceAll("\n", "\n  ")}`);
        found.set(breach.key, await minimised(breach, fuzzer));
      }
    if (++done % EVERY === 0) report.say(`${done} of ${cases} cases, ${found.size} findings`);
  }
  return [...found.values()];
}

/** Adds what was found to what `npm test` repeats. */
function keep(found: readonly Found[]): void {
  if (found.length === 0) return;
  const file = join(repositoryRoot, REGRESSIONS);
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Case[]) : [];
  const cases = found.map(({ sample, mutation }): Case => ({ sample, mutation }));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `[\n${[...known, ...cases].map((one) => JSON.stringify(one)).join(",\n")}\n]\n`);
  console.log(`written into ${REGRESSIONS}`);
}

exitWith(withWholeNumbers(process.argv.slice(2), HELP, DEFAULTS, main));
