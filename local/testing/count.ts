/** How tests went. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What is read of Jest's result file. */
export interface JestResult {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  /** Test files that could not even be loaded. */
  readonly numRuntimeErrorTestSuites: number;
}

/** A file that does not load is a failure as a test that fails is. */
export function countOf(result: JestResult): Count {
  return {
    passed: result.numPassedTests,
    failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    skipped: result.numPendingTests + result.numTodoTests,
  };
}

/** All counts together. */
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

/** The last line and the exit status. A run without a single test passed shows nothing, and fails. */
export function verdict(
  { passed, failed, skipped }: Count,
  { nothingMayBeSkipped }: { nothingMayBeSkipped: boolean },
): { line: string; status: 0 | 1 } {
  const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  const bad = failed > 0 || passed + skipped === 0 || (nothingMayBeSkipped && (skipped > 0 || passed === 0));
  return { line, status: bad ? 1 : 0 };
}
