import { writeFileSync } from "node:fs";

import type { JestResult } from "./count";

/** The setting that names the file for the result of a run. */
export const RESULT_FILE = "HYPERSHIFT_NETWORK_TEST_RESULT";

/** A reporter for Jest beside its own: writes the counts where `npm test` reads them. */
export default class ResultReporter {
  onRunComplete(_contexts: unknown, result: JestResult): void {
    const file = process.env[RESULT_FILE];
    if (file !== undefined) {
      const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } =
        result;
      const counts: JestResult = {
        numPassedTests,
        numFailedTests,
        numPendingTests,
        numTodoTests,
        numRuntimeErrorTestSuites,
      };
      writeFileSync(file, JSON.stringify(counts));
    }
  }
}
