import { isAbsolute, sep } from "node:path";
import { pathToFileURL } from "node:url";

import type { Invocation, Log, Location, ReportingDescriptor, Result } from "sarif";

import { describeReference } from "../requirements/documents";
import { idOf } from "../resources/resource";
import { describeStale } from "../gate/exemptions";
import { identityOf, Level, Status, type Rule } from "../gate/rule";
import { jsonDocument, visible, visibleLines } from "../visible";
import { digest } from "./digest";
import { encoded, LiveFingerprints, livePath } from "./livePlace";
import { conclusionLines, type Report, type ReportedFinding } from "./report";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
const LEVELS = { [Level.Error]: "error", [Level.Warning]: "warning", [Level.Note]: "note" } as const;

/** The report for code scanning, SARIF 2.1.0. Exempted findings are in it as suppressed ones. */
export function sarifReport(report: Report): string {
  const { version, rules, findings, exempted, stale, notes } = report;
  const places = new Map(rules.map(({ id }, position) => [id, position]));
  const fingerprints = new LiveFingerprints();
  const said = [
    ...conclusionLines(report),
    ...notes,
    ...stale.map((one) => `stale exemption: ${describeStale(one)}`),
  ];
  const written = (finding: ReportedFinding) => result(finding, places, fingerprints);
  const log: Log = {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "hypershift-network", version, rules: rules.map(descriptor) } },
        columnKind: "utf16CodeUnits",
        ...(said.length > 0 && { invocations: [invocation(said)] }),
        results: [
          ...findings.map(written),
          ...exempted.map(({ finding, exemption }): Result => ({
            ...written(finding),
            suppressions: [
              { kind: "external", status: "accepted", justification: visible(exemption.reason) },
            ],
          })),
        ],
      },
    ],
  };
  return jsonDocument(log);
}

/** What was read and not judged stands beside the results. */
const invocation = (notes: readonly string[]): Invocation => ({
  executionSuccessful: true,
  toolExecutionNotifications: notes.map((note) => ({ level: "note", message: { text: visible(note) } })),
});

function descriptor({ id, title, description, remediation, level, documents }: Rule): ReportingDescriptor {
  const sources = documents.map(describeReference).join("; ");
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: description },
    help: { text: `${remediation} Documented in ${sources}.` },
    defaultConfiguration: { level: LEVELS[level] },
  };
}

function result(
  finding: ReportedFinding,
  places: ReadonlyMap<string, number>,
  fingerprints: LiveFingerprints,
): Result {
  const { rule, code, level, status, message, path, witness, fix, resource, flow, hop } = finding;
  const isUnknown = status === Status.Unknown;
  const sentences = [
    // Beside an alert in a file its line is shown; there is none of what runs.
    ...(resource.live === undefined ? [] : [[resource.live, path].filter((part) => part !== "").join("  ")]),
    isUnknown ? `Not judged, because a value is not known: ${message}` : message,
    ...(witness === undefined ? [] : [`For example ${witness}.`]),
    ...(isUnknown ? [] : [`Fix: ${fix}`]),
  ];
  const ruleIndex = places.get(rule);
  return {
    ruleId: rule,
    ...(ruleIndex !== undefined && { ruleIndex }),
    // "open" is SARIF's word for too little information; it goes with the level "none".
    ...(isUnknown ? { kind: "open", level: "none" } : { level: LEVELS[level] }),
    message: { text: visibleLines(sentences) },
    locations: [location(finding, path)],
    properties: {
      code,
      ...(flow && { flow: flow.map(visible) }),
      ...(hop !== undefined && { hop: visible(hop) }),
    },
    partialFingerprints: { "finding/v1": digest(identityOf(finding)), ...fingerprints.of(finding) },
  };
}

function location({ resource, line, subject }: ReportedFinding, path: string): Location {
  const { urn, file, live } = resource;
  const uri = live !== undefined ? livePath(resource) : file !== undefined ? uriOf(file) : undefined;
  // Code scanning shows nothing without a place in a file: findings in plans stand at the plan's first line.
  const startLine = (urn === undefined ? (line ?? resource.line) : undefined) ?? 1;
  return {
    ...(uri !== undefined && { physicalLocation: { artifactLocation: { uri }, region: { startLine } } }),
    logicalLocations: [
      {
        name: visible(subject),
        fullyQualifiedName: visible(
          [idOf(resource) ?? subject, path].filter((part) => part !== "").join("#"),
        ),
        kind: "resource",
      },
    ],
  };
}

/** Relative to where the command runs, as code scanning wants it. */
function uriOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.split(sep).map(encoded).join("/");
}
