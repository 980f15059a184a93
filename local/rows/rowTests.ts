import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { repositoryRoot } from "../repository";

/** The parts of Jest's result that are read here. */
export interface JestReport {
  testResults: {
    name: string;
    message: string;
    assertionResults: { ancestorTitles: string[]; title: string; status: string }[];
  }[];
}

/** The results of the tests of one row. */
export interface RowTests {
  passed: string[];
  failed: string[];
  /** Files that could not be loaded: they prove nothing. */
  unloaded: string[];
}

const NAMES = /^(?:M\d+ )+/;

/** The row names at the beginning of a title: `M6 M8 fragments are taken`. A range, `M1-M5`, does not count. */
export function rowsOf(titles: readonly string[]): string[] {
  return titles.flatMap((title) => NAMES.exec(title)?.[0].trim().split(" ") ?? []);
}

/** The results of a row's tests in a Jest run. */
export function testsOfRow(report: JestReport, row: string): RowTests {
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const named = tests.filter(({ ancestorTitles, title }) => rowsOf([...ancestorTitles, title]).includes(row));
  const withStatus = (wanted: string) =>
    named
      .filter(({ status }) => status === wanted)
      .map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(" "));
  return {
    passed: withStatus("passed"),
    failed: withStatus("failed"),
    unloaded: report.testResults
      .filter(({ assertionResults, message }) => assertionResults.length === 0 && message !== "")
      .map(({ name }) => name),
  };
}

/** The files with a passed test of the row. */
export function filesOfRow(report: JestReport, row: string): string[] {
  return report.testResults
    .filter(({ assertionResults }) =>
      assertionResults.some(
        ({ ancestorTitles, title, status }) =>
          status === "passed" && rowsOf([...ancestorTitles, title]).includes(row),
      ),
    )
    .map(({ name }) => name);
}

/** The unit test files in which a title may begin with one of the rows: only these need to run. */
export function filesNaming(rows: readonly string[]): string[] {
  const title = new RegExp(`["'\`](M\\d+ )*(${rows.join("|")}) `);
  return readdirSync(join(repositoryRoot, "test"), { recursive: true, encoding: "utf8" })
    .map((file) => join("test", file))
    .filter((file) => file.endsWith(".test.ts") && !file.startsWith(join("test", "e2e")))
    .filter((file) => title.test(readFileSync(join(repositoryRoot, file), "utf8")));
}
