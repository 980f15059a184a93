import type { Mutation } from "./mutation";
import { testsOfRow } from "./rowTests";
import type { Scratch } from "./scratch";

/** One thing of a row taken out, and what the row's tests said. */
export interface Proof {
  row: string;
  what: string;
  /** The first test that failed, and how many others did. */
  failing?: string;
  /** Why nothing is proved. */
  problem?: string;
}

/** Something to take out, with the files that have tests of its row. */
export interface Try {
  row: string;
  files: readonly string[];
  mutation: Mutation;
}

/** Takes it out and runs the tests of the row: one of them has to fail, not only the file it stands in. */
export async function proofOf(scratch: Scratch, { row, files, mutation }: Try): Promise<Proof> {
  const what = `${mutation.what} (${mutation.file})`;
  if (files.length === 0) return { row, what, problem: `no unit test has a title that begins with ${row}` };
  try {
    const report = await scratch.without(mutation, () => scratch.test(row, files));
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
