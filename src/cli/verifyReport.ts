import { isVerified, LiveStatus, type LiveCheck } from "../live";
import { printable } from "../report";
import { element, escape } from "../report/xml";

/** What was verified of one hosted cluster. */
export interface Verification {
  /** `namespace/name` */
  cluster: string;
  checks: readonly LiveCheck[];
}

/** A verification in one of its formats. */
export const verificationWriters: Readonly<Record<string, (verification: Verification) => string>> = {
  text: ({ cluster, checks }) =>
    [summary(cluster, checks), "", ...checks.flatMap(checkLines), ""].map(printable).join("\n"),
  json: ({ cluster, checks }) =>
    `${JSON.stringify({ version: 1, cluster, verified: isVerified(checks), checks }, undefined, 2)}\n`,
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
  const text = `expected: ${expected}\nfound: ${found}\nfix: ${fix}\ndocumented: ${documented}`;
  const body = hasNotPassed(check)
    ? element("failure", { message: `expected ${expected}, found ${found}`, type: status }, escape(text))
    : "";
  return element("testcase", { classname: id, name: what }, body);
}
