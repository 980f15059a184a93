import { disagreement } from "../fleet/agreement";
import { fleetOf } from "../fleet/cases";
import { agreeOnRanges } from "../fleet/ranges";
import { reportOn } from "../report";
import { withWholeNumbers } from "../wholeNumbers";
import { exitWith } from "./exit";

const HELP = `npm run fleet-oracle [-- --cases N] [--seed N] [--from N]

Plans the addresses of random fleets twice: with the package, and with a planner of its own that tries every address of a universe of
256 of them. Both have to give each cluster the same ranges, and to say the same of what does not fit, why, which pool would do, what
overlaps, how full pools are and how many more clusters fit. Before that every list of blocks of smaller universes is compared address by
address: which blocks overlap, which hold which, what they share.

  --cases N   so many fleets (100000)
  --seed N    the same seed gives the same ones (1)
  --from N    the first of them: fleets are numbered, and each is made without those before it (1)

Exit status: 0 both agree on every fleet, 1 they do not, 2 wrong usage.`;

const DEFAULTS = { cases: 100_000, seed: 1, from: 1 };
const EVERY = 10_000;
/** Size of the universe and number of blocks in a list: every such list is compared. */
const LISTS = [
  [64, 2],
  [16, 3],
  [4, 5],
] as const;

function main({ cases, seed, from }: typeof DEFAULTS): Promise<number> {
  const report = reportOn();
  const start = Date.now();
  let found = 0;
  for (const [universe, length] of LISTS) {
    const { lists, differing } = agreeOnRanges(universe, length);
    if (differing !== undefined) {
      found += 1;
      console.log(JSON.stringify(differing, undefined, 1));
    }
    console.log(`${lists} lists of ${length} blocks of ${universe} addresses compared`);
  }
  for (let place = from; place < from + cases; place++) {
    const given = fleetOf(seed, place);
    const answers = disagreement(given);
    if (answers && ++found === 1)
      console.log(`fleet ${place} of seed ${seed}\n${JSON.stringify({ given, ...answers }, undefined, 1)}`);
    const done = place - from + 1;
    if (done % EVERY === 0) report.say(`${done} of ${cases} fleets, ${found} disagreements`);
  }
  const seconds = Math.round((Date.now() - start) / 1000);
  console.log(`seed ${seed}: ${cases} fleets, ${found} disagreements, ${seconds} s`);
  return Promise.resolve(found === 0 ? 0 : 1);
}

exitWith(withWholeNumbers(process.argv.slice(2), HELP, DEFAULTS, main));
