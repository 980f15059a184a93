import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { pushAll } from "../collections";
import type { Fault } from "../fault";
import { keyOfCluster } from "../fleet/document";
import { type LedgerEntry, readLedgerEntry } from "../fleet/ledger";
import { type Fleet, readFleet } from "../fleet/fleet";
import { located, readOneDocument, twiceIn } from "./configurationFile";
import { filesIn } from "./files";
import type { InputFault } from "./inputs";
import { isFolder } from "./readInputs";

/** The description of a fleet and the entries of its ledger, or why they cannot be read. */
export interface FleetFiles {
  /** Absent if the description has faults. */
  fleet?: Fleet;
  /** The folder of the ledger. */
  folder: string;
  ledger: readonly LedgerEntry[];
  faults: InputFault[];
}

/** Reads the description of a fleet and all files of its ledger, which need not exist yet. */
export function readFleetFiles(file: string): FleetFiles {
  const { value: fleet, faults } = readChecked(file, (value) => {
    const read = readFleet(value);
    return { value: read.fleet, faults: read.faults };
  });
  if (!fleet) return { folder: "", ledger: [], faults };
  const folder = isAbsolute(fleet.ledger) ? fleet.ledger : join(dirname(file), fleet.ledger);
  const { ledger, faults: broken } = readLedger(folder);
  return { fleet, folder, ledger, faults: broken };
}

/** Reads every file of a ledger. */
function readLedger(folder: string): Pick<FleetFiles, "ledger" | "faults"> {
  if (!existsSync(folder)) return { ledger: [], faults: [] };
  if (!isFolder(folder))
    return {
      ledger: [],
      faults: [{ file: folder, problem: "is a file, not a folder", remedy: "name a folder as the ledger" }],
    };
  const { files, faults } = filesIn(folder);
  const found = new Map<string, { entry: LedgerEntry; file: string }>();
  for (const file of files) {
    const { entry, faults: broken } = readLedgerFile(file);
    pushAll(faults, broken);
    if (!entry) continue;
    const key = keyOfCluster(entry);
    const first = found.get(key);
    if (first)
      faults.push({
        file,
        problem: `states the ranges of ${key}, as ${first.file} does`,
        remedy: "delete one of them",
      });
    else found.set(key, { entry, file });
  }
  return { ledger: [...found.values()].map(({ entry }) => entry), faults };
}

/** Reads one file of a ledger. */
export function readLedgerFile(file: string): { entry?: LedgerEntry; faults: InputFault[] } {
  const { value, faults } = readChecked(file, (document) => {
    const { entry, faults: found } = readLedgerEntry(document);
    return { value: entry, faults: found };
  });
  return { ...(value && { entry: value }), faults };
}

/** Reads a file of one document, and adds file and line to its faults. */
function readChecked<Value>(
  file: string,
  read: (value: unknown) => { value: Value | undefined; faults: readonly Fault[] },
): { value?: Value; faults: InputFault[] } {
  const { document, faults: broken } = readOneDocument(file, "write one file for each");
  if (broken) return { faults: broken };
  const { value, faults: found } = read(document?.value);
  const faults = [...twiceIn(document), ...found].map((one) =>
    located(one.path === "" ? { ...one, path: file } : one, file, document?.lineOf(one.path)),
  );
  return { ...(value !== undefined && faults.length === 0 && { value }), faults };
}
