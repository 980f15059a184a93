import { type Fleet, readFleet } from "../../src/fleet/fleet";
import { type LedgerEntry, readLedgerEntry } from "../../src/fleet/ledger";
import { type FleetPlan, planFleet } from "../../src/fleet/planFleet";

const AROUND = { apiVersion: "hypershift-network/v1" };

function fleet(spec: object): Fleet {
  const { fleet: read, faults } = readFleet({ ...AROUND, kind: "Fleet", spec });
  expect(faults).toEqual([]);
  return read!;
}

export function entry(name: string, spec: object): LedgerEntry {
  const { entry: read, faults } = readLedgerEntry({
    ...AROUND,
    kind: "AddressPlan",
    metadata: { name },
    spec: { platform: "AWS", ...spec },
  });
  expect(faults).toEqual([]);
  return read!;
}

export const cluster = (name: string, more: object = {}) => ({ name, platform: "AWS", nodes: 10, ...more });
export const planOf = (spec: object, ledger: LedgerEntry[] = [], existing: LedgerEntry[] = []): FleetPlan =>
  planFleet({ fleet: fleet(spec), ledger, existing });
/** `tenant-a planned 10.0.0.0/27 10.64.0.0/19` */
export const entriesOf = ({ entries }: FleetPlan) =>
  entries.map(({ state, entry: { name, ranges } }) =>
    [name, state, ...ranges.map(({ prefix }) => prefix.text)].join(" "),
  );
