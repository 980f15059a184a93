import { jsonDocument, visible, visibleLines } from "../text";
import { conclusionLines, type Report, type ReportedFinding } from "./report";
import { isAbsolute, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Invocation, Location, Log, ReportingDescriptor, Result } from "sarif";
import { describeReference } from "../requirements/documents";
import { idOf, type Origin } from "../resources/resource";
import { describeStale } from "../gate/verdict";
import { type Finding, identityOf, Level, type Rule, Status, wholeDescription } from "../gate/rule";

/** The report for programs. Its version changes if a property is removed or changes its meaning; properties may be added. */
export function jsonReport({ conclusions, findings, exempted, stale, notes, summary }: Report): string {
  const document = {
    version: 1,
    hostedClusters: conclusions.map(({ cluster, counts }) => ({ cluster, summary: counts })),
    findings: findings.map(jsonFinding),
    exempted: exempted.map(({ finding, exemption }) => ({
      ...jsonFinding(finding),
      reason: exemption.reason,
    })),
    staleExemptions: stale.map(({ path, rule, resource }) => ({ path, rule, resource })),
    notes,
    summary,
  };
  return jsonDocument(document);
}

function jsonFinding(finding: ReportedFinding) {
  const { rule, code, level, status, resource, line, path, message, fix, requirement, documents } = finding;
  const { witness, cluster, flow, hop } = finding;
  return {
    rule,
    code,
    level,
    status,
    resource: { ...resource, ...(line !== undefined && { line }) },
    path,
    message,
    fix,
    ...(requirement !== undefined && { requirement }),
    documents,
    ...(witness !== undefined && { witness }),
    ...(cluster !== undefined && { cluster }),
    ...(flow && { flow }),
    ...(hop !== undefined && { hop }),
  };
}

/** SHA-256 as hexadecimal digits. An import would load all of Node.js cryptography with every report. */
export const digest = (text: string): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
const LEVELS = { [Level.Error]: "error", [Level.Warning]: "warning", [Level.Note]: "note" } as const;

/** The report for code scanning, SARIF 2.1.0. Exempted findings are included as suppressed results. */
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

/** Notes about what was read but not judged accompany the results. */
const invocation = (notes: readonly string[]): Invocation => ({
  executionSuccessful: true,
  toolExecutionNotifications: notes.map((note) => ({ level: "note", message: { text: visible(note) } })),
});

function descriptor(rule: Rule): ReportingDescriptor {
  const { id, title, remediation, level, documents } = rule;
  const sources = documents.map(describeReference).join("; ");
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: wholeDescription(rule) },
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
    // Alerts in files show their line; running systems have none.
    ...(resource.live === undefined ? [] : [[resource.live, path].filter((part) => part !== "").join("  ")]),
    isUnknown ? `Not judged, because a value is not known: ${message}` : message,
    ...(witness === undefined ? [] : [`For example ${witness}.`]),
    ...(isUnknown ? [] : [`Fix: ${fix}`]),
  ];
  const ruleIndex = places.get(rule);
  return {
    ruleId: rule,
    ...(ruleIndex !== undefined && { ruleIndex }),
    // SARIF uses "open" for too little information, together with the level "none".
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
  // Code scanning requires a place in a file: findings in plans are placed at the plan's first line.
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

/** Relative to the working folder, as code scanning requires. */
function uriOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.split(sep).map(encoded).join("/");
}

/** `HostedCluster clusters/tenant-a`, `Node worker-0` */
const OBJECT = /^(\S+) (?:([^/]+)\/)?([^/]+)$/;

/**
 * The path that represents a running system, because code scanning requires a file:
 * `live/cluster/api.example.com%3A6443/clusters/HostedCluster/tenant-a`, `live/ec2/eu-west-1/sg-0a1b2c3d`. No file has this path.
 */
function livePath({ runsIn, live = "" }: Origin): string {
  const [, kind, namespace, name] = OBJECT.exec(live) ?? [];
  const parts = kind === undefined || name === undefined ? live.split("/") : [namespace, kind, name];
  return ["live", ...(runsIn?.split("/") ?? []), ...parts]
    .filter((part) => part !== undefined)
    .map(segment)
    .join("/");
}

/** Empty segments, and segments of dots only, would lead elsewhere. */
const segment = (part: string): string => (part === "" || /^\.+$/.test(part) ? "_" : encoded(part));

/** A part of a path in the encoding of URIs, which have no code for lone surrogates. */
export const encoded = (part: string): string => encodeURIComponent(Buffer.from(part).toString());

/** The name under which code scanning reads the identity of a result. If it is missing, code scanning computes it from a file's line. */
const PRIMARY = "primaryLocationLineHash";

/** Numbers of things that vary: with one more node it is still the same finding. */
const COUNTS = /\b\d+(?= (?:\w+ )?(?:nodes?|addresses|rules)\b)|(?<=\broom for )\d+/g;

/** Identifies findings of running systems, the same in every run, although lists may come in another order each time. */
class LiveFingerprints {
  readonly #counts = new Map<string, number>();

  of({ resource, rule, status, path, message }: Finding): Readonly<Record<string, string>> {
    const { live, runsIn = "" } = resource;
    if (live === undefined) return {};
    const [place, said] = [path.replace(/\[\d+\]/g, "[]"), message.replace(COUNTS, "")];
    const hash = digest(JSON.stringify([rule, status, runsIn, live, place, said]));
    const count = (this.#counts.get(hash) ?? 0) + 1;
    this.#counts.set(hash, count);
    return { [PRIMARY]: `${hash}:${count}` };
  }
}
