import { writeFileSync } from "node:fs";

import type { JestResult } from "./count";

/** Environment variable with the path of the result file. */
export const RESULT_FILE = "HYPERSHIFT_NETWORK_TEST_RESULT";

/** A Jest reporter in addition to the default one: writes the counts to the file that `npm test` reads. */
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
