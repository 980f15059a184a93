import { isDeepStrictEqual } from "node:util";
import type { Prefix } from "../../src/address";
import { readFleet } from "../../src/fleet/fleet";
import { type LedgerEntry, readLedgerEntry } from "../../src/fleet/ledger";
import { planFleet } from "../../src/fleet/planFleet";
import { byBruteForce, type FleetAnswer, shownRange } from "./bruteForce";
import { type Block, type CaseEntry, type FleetCase, KINDS } from "./cases";

/** The position of the universe among all addresses. */
const BASE = "10.11.12";
const bits = (size: number): number => 32 - Math.log2(size);
const cidr = ({ at, size }: Block): string => `${BASE}.${at}/${bits(size)}`;
const blockOf = ({ numbers: { from }, length }: Prefix): Block => ({
  at: from & 255,
  size: 2 ** (32 - length),
});
const nameOf = (key: string): string => key.slice("clusters/".length);

/** The fleet document as users write it. */
export const fleetDocument = ({ pools, reuse, taken, clusters }: FleetCase): unknown => ({
  apiVersion: "hypershift-network/v1",
  kind: "Fleet",
  spec: {
    pools: Object.fromEntries(Object.entries(pools).map(([kind, blocks]) => [kind, blocks.map(cidr)])),
    reuse,
    taken: taken.map((block, at) => ({ name: `taken-${at}`, cidr: cidr(block) })),
    clusters,
  },
});

function entryDocument({ name, ranges }: CaseEntry): unknown {
  const said = ranges.map(({ kind, block }) => [
    kind,
    kind.startsWith("internal")
      ? cidr(block)
      : [{ cidr: cidr(block), ...(kind === "clusterNetwork" && { hostPrefix: 32 }) }],
  ]);
  return {
    apiVersion: "hypershift-network/v1",
    kind: "AddressPlan",
    metadata: { name, namespace: "clusters" },
    spec: {
      platform: "None",
      ...(Object.fromEntries(said) as Record<string, unknown>),
      reused: ranges.filter(({ isReused }) => isReused).map(({ kind }) => kind),
    },
  };
}

/** The answer of the package's planner. */
export function byPlanner(given: FleetCase): FleetAnswer {
  const { fleet, faults } = readFleet(fleetDocument(given));
  if (!fleet) throw new Error(JSON.stringify(faults));
  const entries = [...new Map(given.ledger.map((entry) => [entry.name, entry])).values()];
  const ledger = entries.map((entry): LedgerEntry => {
    const read = readLedgerEntry(entryDocument(entry));
    if (!read.entry) throw new Error(JSON.stringify(read.faults));
    return read.entry;
  });
  const plan = planFleet({
    fleet,
    ledger,
    existing: ledger.filter((_, at) => entries[at]!.isDeployed),
  });
  return {
    ranges: plan.entries.flatMap(({ entry }) =>
      entry.ranges.map(({ kind, prefix, isReused }) =>
        shownRange(entry.name, { kind, block: blockOf(prefix), isReused }),
      ),
    ),
    unplaced: plan.unplaced.map(nameOf),
    shortages: [...plan.shortages]
      .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
      .map(({ kind, wanted, free, widened, beside }) => ({
        kind,
        wanted: wanted.map(({ key }) => nameOf(key)),
        free: free.map((text) => 2 ** (32 - Number(text.split("/")[1]))),
        ...(widened && widened.to.length >= 24 && { widened: 2 ** (32 - widened.to.length) }),
        beside: 2 ** (32 - beside),
      })),
    conflicts: [
      ...new Set(
        plan.conflicts
          .flatMap(({ range, other }) => [range, other])
          .flatMap(({ entry, range }) =>
            entry && range ? shownRange(entry.name, { ...range, block: blockOf(range.prefix) }) : [],
          ),
      ),
    ].sort(),
    used: plan.pools.map(({ used }) => used),
    more: plan.forecasts.map(({ like, more, isMore, limitedBy }) =>
      isMore ? `${nameOf(like)} without end` : `${nameOf(like)} ${more} ${limitedBy.join()}`,
    ),
  };
}

/** The answers of the two planners if they differ; undefined if they agree. */
export function disagreement(
  given: FleetCase,
): { planner: FleetAnswer; bruteForce: FleetAnswer } | undefined {
  const [planner, bruteForce] = [byPlanner(given), byBruteForce(given)];
  return isDeepStrictEqual(planner, bruteForce) ? undefined : { planner, bruteForce };
}

/** A fleet whose files and entries are in reverse order. */
export const reversed = (given: FleetCase): FleetCase => ({
  ...given,
  taken: [...given.taken].reverse(),
  clusters: [...given.clusters].reverse(),
});
