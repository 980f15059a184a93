import { caseOf } from "../agree/cases";
import { breachesOf } from "../agree/invariants";
import type { Breach } from "../agree/oneVerdict";
import { minimised } from "../agree/minimise";
import { reportOn } from "../report";
import { withWholeNumbers } from "../wholeNumbers";
import { exitWith } from "./exit";
import type { Case } from "../agree/case";

const HELP = `npm run agree [-- --cases N] [--seed N] [--from N]

Makes hosted clusters of every kind, with the filters that components make for them, written in every form that readers know.
What components make is refuted nowhere; \`check\`, \`prove\`, \`explain\`, the report and the checker of certificates say the same of
every flow; what a form changes is a fault.

  --cases N   so many hosted clusters (10000)
  --seed N    the same seed gives the same ones (1)
  --from N    the first of them: cases are numbered, and each is made without those before it (1)

What breaks an invariant is printed as small as it can be, with its seed and number.
Exit status: 0 every invariant holds, 1 one does not, 2 wrong usage.`;

const DEFAULTS = { cases: 10_000, seed: 1, from: 1 };
const EVERY = 1_000;

function main({ cases, seed, from }: typeof DEFAULTS): Promise<number> {
  const report = reportOn();
  const start = Date.now();
  const found = new Map<string, { given: Case; breach: Breach; times: number }>();
  for (let place = from; place < from + cases; place++) {
    const given = caseOf(seed, place);
    for (const breach of breachesOf(given)) {
      const same = found.get(breach.invariant);
      if (same) same.times++;
      else found.set(breach.invariant, { ...minimised(given, breach), times: 1 });
    }
    const done = place - from + 1;
    if (done % EVERY === 0) report.say(`${done} of ${cases} cases, ${found.size} invariants broken`);
  }
  for (const [invariant, { given, breach, times }] of found)
    console.log(
      [
        `${invariant}: not in ${times} cases, first in case ${given.place} of seed ${given.seed}`,
        `  ${JSON.stringify(given)}`,
        ...breach.detail.split("\n").map((line) => `  ${line}`),
      ].join("\n"),
    );
  const seconds = Math.round((Date.now() - start) / 1000);
  console.log(`seed ${seed}: ${cases} cases, ${found.size} invariants broken, ${seconds} s`);
  return Promise.resolve(found.size === 0 ? 0 : 1);
}

exitWith(withWholeNumbers(process.argv.slice(2), HELP, DEFAULTS, main));
