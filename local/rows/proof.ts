import { testsOfRow } from "./rowTests";
import type { Scratch } from "./scratch";
import type { Entry } from "./withoutEntry";

/** The result of the row's tests after one of its entries was removed. */
export interface Proof {
  row: string;
  what: string;
  /** The first test that failed, and how many others did. */
  failing?: string;
  /** Why the entry is not proved to be tested. */
  problem?: string;
}

/** Removes an entry and runs the tests of its row in some files: at least one test has to fail, not only the loading of its file. */
export async function proofOf(scratch: Scratch, entry: Entry, files: readonly string[]): Promise<Proof> {
  const { row } = entry;
  const what = `${entry.id} (${entry.file})`;
  if (files.length === 0) return { row, what, problem: `no unit test has a title that begins with ${row}` };
  try {
    const report = await scratch.without(entry, () => scratch.test(row, files));
    const { failed, passed, unloaded } = testsOfRow(report, row);
    const [first, ...others] = failed;
    if (first !== undefined)
      return { row, what, failing: others.length === 0 ? first : `${first}, and ${others.length} more` };
    const problem =
      unloaded.length > 0
        ? `${unloaded.join(", ")} could not be loaded: take out something smaller`
        : passed.length > 0
          ? `${passed.length} tests, and none fails`
          : "the tests did not end";
    return { row, what, problem };
  } catch (error) {
    return { row, what, problem: error instanceof Error ? error.message : String(error) };
  }
}
