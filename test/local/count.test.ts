import { countOf, sumOf, verdict, type JestResult } from "../../local/testing/count";

const result = (changes: Partial<JestResult>): JestResult => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
  ...changes,
});
const onMyMachine = { nothingMayBeSkipped: false };
const onCi = { nothingMayBeSkipped: true };

describe("the last line of npm test", () => {
  test("counts passed and failed tests, and skipped tests only if there are any", () => {
    expect(verdict({ passed: 3, failed: 1, skipped: 0 }, onMyMachine).line).toBe("3 passed, 1 failed");
    expect(verdict({ passed: 3, failed: 0, skipped: 2 }, onMyMachine).line).toBe(
      "3 passed, 0 failed, 2 skipped",
    );
  });

  test("counts a test file that does not load as failed, and a todo test as skipped", () => {
    expect(countOf(result({ numPassedTests: 2, numRuntimeErrorTestSuites: 1, numTodoTests: 1 }))).toEqual({
      passed: 2,
      failed: 1,
      skipped: 1,
    });
  });

  test("adds up the counts of all runs", () => {
    const runs = [
      { passed: 1, failed: 0, skipped: 0 },
      { passed: 2, failed: 1, skipped: 4 },
    ];
    expect(sumOf(runs)).toEqual({ passed: 3, failed: 1, skipped: 4 });
  });
});

describe("the exit status of npm test", () => {
  test.each([
    ["all passed", { passed: 3, failed: 0, skipped: 0 }, 0, 0],
    ["one failed", { passed: 3, failed: 1, skipped: 0 }, 1, 1],
    ["some skipped", { passed: 3, failed: 0, skipped: 1 }, 0, 1],
    ["only skipped", { passed: 0, failed: 0, skipped: 1 }, 0, 1],
    ["nothing run", { passed: 0, failed: 0, skipped: 0 }, 1, 1],
  ] as const)("%s", (_name, count, mine, ci) => {
    expect(verdict(count, onMyMachine).status).toBe(mine);
    expect(verdict(count, onCi).status).toBe(ci);
  });
});
