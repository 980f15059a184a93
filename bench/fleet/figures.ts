import { deepStrictEqual, strictEqual } from "node:assert/strict";

import { overlapsAmong } from "../../src/address";
import { readFleet } from "../../src/fleet/fleet";
import { type FleetPlan, planFleet } from "../../src/fleet/planFleet";
import type { Figure } from "../figure";
import { timeInTurns } from "../timing";

/** Numbers of clusters, and the milliseconds within which they must be planned. */
const SIZES = [
  { clusters: 500, within: 50 },
  { clusters: 5_000, within: 500 },
] as const;
const ADDED = 100;

/** Numbers of nodes, used in turn: they need networks of several sizes. */
const NODES = [3, 12, 60, 25, 6, 40, 120, 9];

/** A fleet document with that many clusters, as users write it. */
export const fleetDocument = (clusters: number): unknown => ({
  apiVersion: "hypershift-network/v1",
  kind: "Fleet",
  spec: {
    pools: {
      machineNetwork: ["10.0.0.0/11"],
      clusterNetwork: ["10.64.0.0/10", "10.128.0.0/9"],
      serviceNetwork: ["172.16.0.0/12"],
      internalJoinSubnet: ["100.64.0.0/11"],
      internalTransitSwitchSubnet: ["100.96.0.0/11"],
    },
    reuse: ["serviceNetwork", "internalJoinSubnet", "internalTransitSwitchSubnet"],
    taken: [
      { name: "corporate", cidr: "10.0.0.0/16" },
      { name: "transit", cidr: "10.64.0.0/20" },
    ],
    defaults: { platform: "AWS", release: "4.20", podsPerNode: 29, zones: 3 },
    clusters: Array.from({ length: clusters }, (_, at) => ({
      name: `tenant-${String(at).padStart(5, "0")}`,
      nodes: NODES[at % NODES.length],
    })),
  },
});

const fleetWith = (clusters: number) => {
  const { fleet, faults } = readFleet(fleetDocument(clusters));
  if (!fleet) throw new Error(JSON.stringify(faults));
  return fleet;
};

const rangesOf = ({ entries }: FleetPlan): string[] =>
  entries.map(
    ({ entry: { name, ranges } }) => `${name} ${ranges.map(({ prefix }) => prefix.text).join(" ")}`,
  );

/** The facts that were checked in addition to the time. */
export interface CheckedFleet {
  clusters: number;
  /** Ranges that only one cluster may have. */
  distinct: number;
  /** Clusters whose ranges stayed the same when others were added. */
  stayed: number;
}

/** The time to plan a fleet, after its plan was checked. */
export function fleetFigures(turns: number): { figures: Figure[]; checked: CheckedFleet } {
  const figures = SIZES.map(({ clusters, within }): Figure => {
    const fleet = fleetWith(clusters);
    strictEqual(planFleet({ fleet, ledger: [] }).entries.length, clusters);
    const text = JSON.stringify(fleetDocument(clusters));
    const [ours, theirs] = timeInTurns(
      () => planFleet({ fleet, ledger: [] }),
      () => JSON.parse(text) as unknown,
      turns,
      3,
    );
    const other = "JSON.parse of its clusters";
    return { name: `the plan of a fleet of ${clusters} clusters`, ours, other, theirs, limit: { within } };
  });
  return { figures, checked: checkedPlans() };
}

/** Throws if a plan is wrong. */
function checkedPlans(): CheckedFleet {
  const { clusters } = SIZES[0];
  const plan = planFleet({ fleet: fleetWith(clusters), ledger: [] });
  deepStrictEqual(rangesOf(planFleet({ fleet: fleetWith(clusters), ledger: [] })), rangesOf(plan));
  strictEqual(plan.entries.length, clusters);
  const distinct = plan.entries.flatMap(({ entry: { ranges } }) =>
    ranges.filter(({ isReused }) => !isReused),
  );
  strictEqual(overlapsAmong(distinct.map(({ prefix }) => prefix.text)).pairs, 0);
  const later = planFleet({
    fleet: fleetWith(clusters + ADDED),
    ledger: plan.entries.map(({ entry }) => entry),
  });
  strictEqual(later.entries.length, clusters + ADDED);
  deepStrictEqual(rangesOf(later).slice(0, clusters), rangesOf(plan));
  return { clusters, distinct: distinct.length, stayed: clusters };
}
