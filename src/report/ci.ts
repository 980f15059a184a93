import { visible, visibleLines } from "../text";
import { Level, sourcesOf, Status } from "../gate/rule";
import {
  conclusionLines,
  type FailingFlows,
  failingFlows,
  type FailOn,
  fails,
  placeText,
  type Report,
  type ReportedFinding,
  scopeText,
  summaryText,
} from "./report";
import { type InputFault, placeOf, shownFaults } from "../plan/inputs";
import { grouped } from "../collections";

/** An XML element with its attributes; `body` is already XML. */
export function element(name: string, values: Readonly<Record<string, string | number>>, body = ""): string {
  const written = Object.entries(values).map(([key, value]) => ` ${key}="${escape(`${value}`)}"`);
  return body === "" ? `<${name}${written.join("")}/>` : `<${name}${written.join("")}>${body}</${name}>`;
}

export const XML_ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Escapes text for XML. Control characters and lone surrogates are not allowed even as escapes, so they are spelled out. */
const escape = (text: string): string =>
  visible(text).replace(/[&<>"]/g, (character) => XML_ENTITIES[character]!);

/** Lines as the body of an element. */
export const xmlLines = (lines: readonly string[]): string => lines.map(escape).join("\n");

/**
 * The report for CI systems that show tests: one suite per rule, one failed test per finding, and one per hosted cluster whose unknown or
 * assumed flows fail the run; a rule without findings has passed.
 */
export function junitReport(report: Report, failOn: FailOn): string {
  const { rules, findings, exempted } = report;
  const byRule = grouped(findings, ({ rule }) => rule);
  const accepted = grouped(exempted, ({ finding }) => finding.rule);
  const flows = failingFlows(report, failOn);
  const ofFlows = {
    tests: flows.length,
    failures: flows.length,
    skipped: 0,
    name: DOCUMENTED_FLOWS,
    body: flows.map(flowsCase).join(""),
  };
  const ofRules = rules.map(({ id }) => {
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
  const suites = flows.length > 0 ? [...ofRules, ofFlows] : ofRules;
  const sum = (key: "tests" | "failures") => suites.reduce((total, suite) => total + suite[key], 0);
  const body = suites.map(({ body: cases, ...numbers }) => element("testsuite", numbers, cases)).join("");
  const root = { name: "hypershift-network", tests: sum("tests"), failures: sum("failures") };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", root, body)}\n`;
}

/** The suite of flows that are no findings. */
const DOCUMENTED_FLOWS = "documented-flows";

const flowsCase = ({ cluster, message, fix }: FailingFlows): string =>
  element(
    "testcase",
    { classname: DOCUMENTED_FLOWS, name: cluster },
    element("failure", { message, type: "unknown" }, xmlLines([cluster, message, `fix: ${fix}`])),
  );

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

const COMMANDS = { [Level.Error]: "error", [Level.Warning]: "warning", [Level.Note]: "notice" } as const;

/** Annotations of GitHub Actions: one workflow command per line. */
export function githubReport(report: Report, failOn: FailOn): string {
  const { findings, summary } = report;
  const lines = findings.map((finding) =>
    command(
      finding.status === Status.Unknown ? "notice" : COMMANDS[finding.level],
      placeProperties(finding),
      messageOf(finding),
    ),
  );
  const flows = failingFlows(report, failOn).map(({ cluster, message, fix }) =>
    command("error", { title: "hypershift-network" }, [`${cluster}: ${message}`, `fix: ${fix}`]),
  );
  return `${[...conclusionLines(report).map(visible), ...lines, ...flows, visible(`${scopeText(summary)}: ${summaryText(report)}`)].join("\n")}\n`;
}

/** Annotations for inputs that cannot be judged. */
export function githubFaults(faults: readonly InputFault[]): string {
  const { shown, rest } = shownFaults(faults);
  const lines = shown.map(({ file, line, problem, remedy }) =>
    command("error", { file, ...(line !== undefined && { line }), title: "hypershift-network" }, [
      `${placeOf({ file, ...(line !== undefined && { line }) })} ${problem}: ${remedy}`,
    ]),
  );
  const further = rest.map((text) => command("error", { title: "hypershift-network" }, [text]));
  return [...lines, ...further].map((line) => `${line}\n`).join("");
}

/** Only findings in manifests have a line: a plan is not a file of the repository. */
const placeProperties = ({ rule, resource, line }: ReportedFinding) => ({
  ...(resource.file !== undefined && resource.urn === undefined && { file: resource.file, line: line ?? 1 }),
  title: rule,
});

function messageOf({ subject, path, message, witness, fix, status }: ReportedFinding): string[] {
  if (status === Status.Unknown) return [`not judged, because a value is not known: ${message}`];
  return [
    `${[subject, path].filter((part) => part !== "").join(" ")}: ${message}`,
    ...(witness === undefined ? [] : [`for example ${witness}`]),
    `fix: ${fix}`,
  ];
}

function command(
  name: string,
  properties: Readonly<Record<string, string | number>>,
  message: readonly string[],
): string {
  const written = Object.entries(properties).map(([key, value]) => `${key}=${property(visible(`${value}`))}`);
  return `::${name} ${written.join(",")}::${data(visibleLines(message))}`;
}

/** The runner's own escapes. */
const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\n", "%0A");
const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
