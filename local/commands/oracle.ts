import { disagreements } from "../ovn/compare";
import { askOracle, describeOutcome, unexplained } from "../ovn/oracle";
import { reportOn } from "../report";
import { withWholeNumbers } from "../wholeNumbers";
import { exitWith } from "./exit";

const HELP = `npm run oracle [-- --objects N] [--packets N] [--seed N]

Holds the readers of network policies and egress firewalls against OVN: random objects are written into OVN's northbound
database as ovn-kubernetes writes them, random packets are sent through its logical flows with ovn-trace, and each verdict is
compared with the reader's. OVN is taken from PATH, or from Debian's package, unpacked into the user's cache folder.

  --objects N   at least so many policies and firewalls (120)
  --packets N   at least so many packets (2400)
  --seed N      the same seed gives the same objects and packets (1)

Exit status: 0 every difference is explained, 1 one is not, 2 wrong usage.`;

const DEFAULTS = { objects: 120, packets: 2400, seed: 1 };

async function main(options: typeof DEFAULTS): Promise<number> {
  const observations = await askOracle(options, reportOn());
  const differing = disagreements(observations);
  console.log(describeOutcome(observations, differing, options.seed));
  return unexplained(differing).length === 0 ? 0 : 1;
}

exitWith(withWholeNumbers(process.argv.slice(2), HELP, DEFAULTS, main));
