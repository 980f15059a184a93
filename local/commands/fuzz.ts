import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { type ByteCase, ByteFuzzer } from "../fuzz/bytes/byteFuzzer";
import { CORPUS } from "../fuzz/bytes/seeds";
import { casesOf, everyKindOnce, type Case } from "../fuzz/cases";
import { Fuzzer, type Found } from "../fuzz/fuzz";
import { minimised } from "../fuzz/minimise";
import { samples } from "../fuzz/samples";
import { repositoryRoot } from "../repository";
import { reportOn } from "../report";
import { withWholeNumbers } from "../wholeNumbers";
import { exitWith } from "./exit";

const REGRESSIONS = join("test", "fuzz", "regressions.json");
/** Only one case in this many mutates a value and runs the pack too, which takes about ten times as long as a case that mutates bytes. */
const BYTES_FOR_EACH_VALUE = 4;

const HELP = `npm run fuzz [-- --cases N] [--seed N]

Mutates valid inputs of every kind that commands and the policy pack read, in two ways.

A fifth of the cases change a value: it becomes one of every other type, null, unknown, a secret, missing, doubled, renamed, reordered. Nothing
may throw, the exit status is 0, 1 or 2 as documented, the pack judges as \`check\` does, and a value that a rule reads is judged, named as not
known, or found: a violation does not vanish without a word. Each kind of change at each kind of place comes once, and then any.

The others change bytes of previews, stack exports, manifests, configurations, fleets, ledgers and certificates: bits, ranges, words, texts at
which readers decide, and parts of other files. Nothing may throw, take long, end without a word, print a stack or what a terminal obeys.

  --cases N   so many mutations (100000)
  --seed N    the same seed gives the same mutations (1)

What breaks an invariant is made as small as it can be, and kept in ${REGRESSIONS} or ${CORPUS}, which \`npm test\` repeats.
Exit status: 0 every invariant holds, 1 one does not, 2 wrong usage.`;

const DEFAULTS = { cases: 100_000, seed: 1 };
const EVERY = 1_000;

async function main(options: typeof DEFAULTS): Promise<number> {
  const fuzzer = new Fuzzer();
  try {
    const start = Date.now();
    const values = Math.ceil(options.cases / (BYTES_FOR_EACH_VALUE + 1));
    const bytes = options.cases - values;
    const broken = await fuzzBytes(bytes, options.seed);
    const found = await fuzz({ ...options, cases: values }, fuzzer);
    const seconds = Math.round((Date.now() - start) / 1000);
    const findings = found.length + broken;
    console.log(
      `seed ${options.seed}: ${values} cases of values, ${bytes} of bytes, ${findings} findings, ${seconds} s`,
    );
    keep(found);
    return findings === 0 ? 0 : 1;
  } finally {
    fuzzer.close();
  }
}

/** Finds one case for each fault, minimised. */
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

/** Mutates bytes; adds failing inputs to the corpus, once for each target and kind of breach. Returns how many there are. */
async function fuzzBytes(cases: number, seed: number): Promise<number> {
  const fuzzer = new ByteFuzzer();
  const report = reportOn();
  const found = new Set<string>();
  let done = 0;
  try {
    for (const one of fuzzer.cases(cases, seed)) {
      const breach = await fuzzer.breach(one);
      const key = `${one.target.name}: ${breach?.split("\n").slice(0, 2).join(" ")}`;
      if (breach !== undefined && !found.has(key)) {
        found.add(key);
        report.say(`${one.target.name}: ${breach}`);
        keepBytes(await fuzzer.minimised(one));
      }
      if (++done % EVERY === 0) report.say(`${done} of ${cases} cases of bytes, ${found.size} findings`);
    }
  } finally {
    fuzzer.close();
  }
  return found.size;
}

function keepBytes({ target, bytes }: ByteCase): void {
  const name = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
  const file = join(CORPUS, target.name, `found-${name}`);
  mkdirSync(dirname(join(repositoryRoot, file)), { recursive: true });
  writeFileSync(join(repositoryRoot, file), bytes);
  console.log(`written into ${file}`);
}

/** Adds the findings to the cases that `npm test` repeats. */
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
