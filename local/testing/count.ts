/** The counts of a test run. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The parts of Jest's result file that are read here. */
export interface JestResult {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  /** Test files that could not be loaded. */
  readonly numRuntimeErrorTestSuites: number;
}

/** Counts a test file that does not load as a failed test. */
export function countOf(result: JestResult): Count {
  return {
    passed: result.numPassedTests,
    failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    skipped: result.numPendingTests + result.numTodoTests,
  };
}

/** The sum of all counts. */
export function sumOf(counts: readonly Count[]): Count {
  return counts.reduce(
    (sum, count) => ({
      passed: sum.passed + count.passed,
      failed: sum.failed + count.failed,
      skipped: sum.skipped + count.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/** The last line and the exit status. A run without any test fails; with `nothingMayBeSkipped`, a skipped test fails too. */
export function verdict(
  { passed, failed, skipped }: Count,
  { nothingMayBeSkipped }: { nothingMayBeSkipped: boolean },
): { line: string; status: 0 | 1 } {
  const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  const bad = failed > 0 || passed + skipped === 0 || (nothingMayBeSkipped && (skipped > 0 || passed === 0));
  return { line, status: bad ? 1 : 0 };
}
