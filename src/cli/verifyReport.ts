import { isVerified, LiveStatus, type LiveCheck } from "../live";
import { element, xmlLines } from "../report/xml";
import { jsonDocument } from "../visible";
import { textOfLines } from "./terminal";

/** What was verified of one hosted cluster. */
export interface Verification {
  /** `namespace/name` */
  cluster: string;
  checks: readonly LiveCheck[];
}

/** A verification in one of its formats. */
export const verificationWriters: Readonly<Record<string, (verification: Verification) => string>> = {
  text: ({ cluster, checks }) => textOfLines([summary(cluster, checks), "", ...checks.flatMap(checkLines)]),
  json: ({ cluster, checks }) => jsonDocument({ version: 1, cluster, verified: isVerified(checks), checks }),
  junit: ({ cluster, checks }) => {
    const numbers = { tests: checks.length, failures: checks.filter(hasNotPassed).length };
    const suite = element("testsuite", { name: cluster, ...numbers }, checks.map(testCase).join(""));
    return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", { name: "hypershift-network verify", ...numbers }, suite)}\n`;
  },
};

const hasNotPassed = ({ status }: LiveCheck): boolean => status !== LiveStatus.Passed;

function summary(cluster: string, checks: readonly LiveCheck[]): string {
  const passed = checks.length - checks.filter(hasNotPassed).length;
  return `${cluster}: ${isVerified(checks) ? "verified" : "not verified"}, ${passed} of ${checks.length} checks passed`;
}

const checkLines = ({ status, what, expected, found, fix }: LiveCheck): string[] => [
  `${status.padEnd(8)} ${what}`,
  `         expected  ${expected}`,
  `         found     ${found}`,
  ...(fix === undefined ? [] : [`         fix       ${fix}`]),
];

function testCase(check: LiveCheck): string {
  const { id, what, expected, found, status, fix = "", documented } = check;
  const lines = [`expected: ${expected}`, `found: ${found}`, `fix: ${fix}`, `documented: ${documented}`];
  const body = hasNotPassed(check)
    ? element("failure", { message: `expected ${expected}, found ${found}`, type: status }, xmlLines(lines))
    : "";
  return element("testcase", { classname: id, name: what }, body);
}
