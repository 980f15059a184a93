import { visible } from "../text";
import { sourcesOf, Status } from "../gate/rule";
import { type FailOn, fails, grouped, placeText, type Report, type ReportedFinding } from "./report";

/** An element of XML with its attributes; `body` is XML already. */
export function element(name: string, values: Readonly<Record<string, string | number>>, body = ""): string {
  const written = Object.entries(values).map(([key, value]) => ` ${key}="${escape(`${value}`)}"`);
  return body === "" ? `<${name}${written.join("")}/>` : `<${name}${written.join("")}>${body}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** A text as XML. It has no place for control characters and half surrogates, not even escaped: they are spelled out. */
const escape = (text: string): string =>
  visible(text).replace(/[&<>"]/g, (character) => ENTITIES[character]!);

/** Lines as the body of an element. */
export const xmlLines = (lines: readonly string[]): string => lines.map(escape).join("\n");

/** The report for CI systems that show tests: one suite a rule, one failed test a finding; a rule without findings passed. */
export function junitReport({ rules, findings, exempted }: Report, failOn: FailOn): string {
  const byRule = grouped(findings, ({ rule }) => rule);
  const accepted = grouped(exempted, ({ finding }) => finding.rule);
  const suites = rules.map(({ id }) => {
    const found = byRule.get(id) ?? [];
    const cases = [
      ...found.map((finding) => testCase(finding, fails(finding, failOn))),
      ...(accepted.get(id) ?? []).map(({ finding, exemption }) =>
        element(
          "testcase",
          attributes(finding),
          element("skipped", { message: `exempted: ${exemption.reason}` }),
        ),
      ),
    ];
    const all = cases.length === 0 ? [element("testcase", { classname: id, name: "no findings" })] : cases;
    return {
      tests: all.length,
      failures: found.filter((finding) => fails(finding, failOn)).length,
      skipped: all.length - found.length - (cases.length === 0 ? 1 : 0),
      name: id,
      body: all.join(""),
    };
  });
  const sum = (key: "tests" | "failures") => suites.reduce((total, suite) => total + suite[key], 0);
  const body = suites.map(({ body: cases, ...numbers }) => element("testsuite", numbers, cases)).join("");
  const root = { name: "hypershift-network", tests: sum("tests"), failures: sum("failures") };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", root, body)}\n`;
}

function testCase(finding: ReportedFinding, failed: boolean): string {
  const { level, status, message, path, witness, fix } = finding;
  const place = `${placeText(finding)}${path === "" ? "" : ` ${path}`}`;
  const more = [
    message,
    ...(witness === undefined ? [] : [`for example: ${witness}`]),
    `documented: ${sourcesOf(finding)}`,
    `fix: ${fix}`,
  ];
  const type = status === Status.Unknown ? "unknown" : level;
  const body = failed
    ? element("failure", { message, type }, xmlLines([place, ...more]))
    : element("system-out", {}, xmlLines([`${type}: ${place}`, ...more]));
  return element("testcase", attributes(finding), body);
}

const attributes = ({ rule, subject, path, resource, line }: ReportedFinding) => ({
  classname: rule,
  name: [subject, path].filter((part) => part !== "").join(" "),
  ...(resource.file !== undefined && { file: resource.file }),
  ...(line !== undefined && { line }),
});
