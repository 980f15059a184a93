import {
  describeFlow,
  flowGroups,
  nameOfFlow,
  type FlowGroup,
  flowsSentence,
} from "../reachability/answers/describeAnswer";
import { XML_ENTITIES } from "./ci";
import type { PlanAnswer } from "../reachability/answers/answer";
import { describeRule } from "../reachability/answers/places";
import { Proof } from "../reachability/proof/prove";
import { sourcesOf, Status } from "../gate/rule";
import type { AddressPlan } from "../topology/addressPlan";
import type { FleetMap } from "../addressRanges/fleetMap";
import {
  COLLISION_HEAD,
  collisionRows,
  furtherText,
  MAP_HEAD,
  MAP_LEGEND,
  mapCells,
  mapPicture,
  mapSummary,
  aroundLines,
  overlapLines,
  PLAN_HEAD,
  planPicture,
  planRows,
} from "./addressPlan";
import { conclusionLines, placeText, scopeText, summaryText, type Report } from "./report";
import { firstOf, plural, visible } from "../text";
import { grouped } from "../collections";

/** The content of the page: findings, and the flows and addresses of each hosted cluster. */
export interface PageParts {
  report: Report;
  answers: readonly PlanAnswer[];
  plans: readonly AddressPlan[];
  /** For several clusters: how they relate to each other. */
  map?: FleetMap;
}

/** Writes a self-contained page: no scripts, no fonts, no requests. */
export function htmlReport({ report, answers, plans, map }: PageParts): string {
  const { summary, version } = report;
  const body = [
    `<header><h1>hypershift-network</h1><p class="${toneOf(summary.errors, answers)}">${text(`${scopeText(summary)}: ${summaryText(report)}`)}</p>${headlines(answers)}</header>`,
    findingsSection(report),
    ...(map ? [mapSection(map)] : []),
    ...answers.map(answerSection),
    outsideSection(answers),
    ...plans.map(planSection),
    `<footer>hypershift-network ${text(version)}</footer>`,
  ].join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>hypershift-network report</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/** The tone is not good if flows are refuted, or if none is proved. */
function toneOf(errors: number, answers: readonly PlanAnswer[]): string {
  if (errors > 0 || answers.some(({ summary }) => summary.refuted > 0)) return "bad";
  return answers.some(({ summary }) => summary.proved === 0) ? "warning" : "good";
}

const headlines = (answers: readonly PlanAnswer[]): string =>
  conclusionLines({ conclusions: answers.map(({ cluster, summary: counts }) => ({ cluster, counts })) })
    .map((line) => `<p>${text(line)}</p>`)
    .join("");

function findingsSection({ findings, exempted, stale, notes }: Report): string {
  const rows = findings.map((finding) => [
    badge(finding.status === Status.Unknown ? "unknown" : finding.level),
    `<code class="rule">${text(finding.rule)}</code>`,
    `${text(finding.subject)}<br><small>${text(placeText(finding))}</small>`,
    `${finding.path === "" ? "" : `<code>${text(finding.path)}</code> `}${text(finding.message)}${
      finding.witness === undefined ? "" : `<br><small>for example ${text(finding.witness)}</small>`
    }<br><small>fix: ${text(finding.fix)}</small><br><small>${text(sourcesOf(finding))}</small>`,
  ]);
  const accepted = exempted.map(
    ({ finding, exemption }) => `${finding.rule} ${finding.subject}: ${exemption.reason}`,
  );
  const stales = stale.map(({ path, rule, resource }) => `${path}: ${rule} finds nothing at ${resource}`);
  return section("Findings", [
    rows.length === 0 ? "<p>No findings.</p>" : table(["level", "rule", "where", "what"], rows),
    list(plural(accepted.length, "accepted finding"), accepted),
    list(plural(stales.length, "stale exemption"), stales),
    list(plural(notes.length, "note"), notes),
  ]);
}

function answerSection({ cluster, flows, excess, summary }: PlanAnswer): string {
  const ways = flowGroups(flows).map((group) => groupOf(group));
  const open = excess.flatMap(({ rule, places }) =>
    places.map(
      ({ place, guard, packets }) => `${rule ? describeRule(rule) : guard}, ${place}: ${packets.join("; ")}`,
    ),
  );
  return section(`Flows of ${cluster}`, [
    `<p>${text(flowsSentence(summary))}.</p>`,
    ...ways,
    list(`${plural(open.length, "place")} open without need`, open),
  ]);
}

/** What no plan can show, each entry once, with the clusters that it concerns unless it concerns all. */
function outsideSection(answers: readonly PlanAnswer[]): string {
  const entries = answers.flatMap(({ cluster, outside }) => outside.map((entry) => ({ ...entry, cluster })));
  const lines = [...grouped(entries, ({ what }) => what)].map(([what, same]) => {
    const names = same.map(({ cluster }) => cluster);
    const of = names.length < answers.length ? ` of ${firstOf(names, 3)}` : "";
    return `<li>${text(`${what}${of}`)}<br><small>${text(same[0].why)}</small></li>`;
  });
  return lines.length === 0 ? "" : section("Outside the model", [`<ul>${lines.join("")}</ul>`]);
}

/** Shows the deciding causes once; each flow can be opened separately. */
function groupOf({ proof, flows, causes }: FlowGroup): string {
  const [first = "", ...more] = causes.map((line) => line.trim().replace(/ {2,}/, " "));
  const others = more.length > 0 ? `<pre>${causes.map(text).join("\n")}</pre>` : "";
  const each = flows.map(
    (flow) =>
      `<details${flows.length === 1 ? " open" : ""}><summary>${text(nameOfFlow(flow))}</summary><pre>${describeFlow(flow).map(text).join("\n")}</pre></details>`,
  );
  return `<details class="group"${proof === Proof.Refuted ? " open" : ""}><summary>${badge(proof)} ${text(plural(flows.length, "flow"))} <small>${text(first)}</small></summary>${others}${each.join("")}</details>`;
}

const planSection = (plan: AddressPlan): string =>
  section(`Addresses of ${plan.cluster}`, [
    table(PLAN_HEAD, cells(planRows(plan))),
    ...aroundLines(plan).map((line) => `<p>${text(line)}</p>`),
    `<pre>${planPicture(plan).map(text).join("\n")}</pre>`,
    list(plural(plan.overlaps.length + (plan.furtherOverlaps ?? 0), "overlap"), overlapLines(plan)),
    list(
      "Largest free block",
      plan.free.map(({ space, largest }) => `${space}: ${largest ?? "none"}`),
    ),
  ]);

function mapSection(map: FleetMap): string {
  const picture = mapPicture(map);
  return section("All hosted clusters", [
    `<p>${text(mapSummary(map))}.</p>`,
    map.collisions.length === 0 ? "" : table(COLLISION_HEAD, cells(collisionRows(map))),
    ...furtherText(map).map((line) => `<p>${text(line)}</p>`),
    "<h3>Addresses, host names and node ports</h3>",
    // Otherwise many entries in a cell would make it tall and narrow.
    `<div class="whole">${table(
      MAP_HEAD,
      mapCells(map).map((row) => row.map((cell) => cell.map(text).join("<br>"))),
    )}</div>`,
    ...(picture.length === 0
      ? []
      : [`<p>${text(MAP_LEGEND)}</p>`, `<pre>${picture.map(text).join("\n")}</pre>`]),
  ]);
}

const cells = (rows: readonly (readonly string[])[]): string[][] => rows.map((row) => row.map(text));

const section = (title: string, parts: readonly string[]): string =>
  `<section><h2>${text(title)}</h2>\n${parts.filter((part) => part !== "").join("\n")}</section>`;

const list = (title: string, entries: readonly string[]): string =>
  entries.length === 0
    ? ""
    : `<h3>${text(title)}</h3><ul>${entries.map((entry) => `<li>${text(entry)}</li>`).join("")}</ul>`;

/** Cells are already HTML. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<div class="wide"><table><thead><tr>${head.map((cell) => `<th>${text(cell)}</th>`).join("")}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`)
    .join("")}</tbody></table></div>`;

const badge = (word: string): string => `<span class="badge ${word}">${text(word)}</span>`;

const ENTITIES: Readonly<Record<string, string>> = { ...XML_ENTITIES, "'": "&#39;" };

/** Escapes text: names come from plans, and none of them is markup. */
const text = (value: string): string => visible(value).replace(/[&<>"']/g, (one) => ENTITIES[one]!);

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --line: #d0d7de; --dim: #57606a; --bad: #b3261e; --warn: #8a5300; --good: #1a6f37; --calm: #40566b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --line: #30363d; --dim: #9aa4af; --bad: #ff8a80; --warn: #ffc46b; --good: #7ee2a0; --calm: #a9c1d9; } }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
h1, h2, h3 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); }
small, footer { color: var(--dim); } code, pre { font: 13px/1.5 ui-monospace, monospace; } code { overflow-wrap: anywhere; } .rule { white-space: nowrap; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid var(--line); border-radius: 4px; } .wide { overflow-x: auto; } .whole td { white-space: nowrap; }
.badge { display: inline-block; min-width: 4.5rem; padding: 0 .4rem; border: 1px solid currentColor; border-radius: 4px; text-align: center; font-size: 13px; }
.bad, .error, .refuted { color: var(--bad); } .warning { color: var(--warn); } .good, .proved { color: var(--good); } .note, .unknown, .assumed { color: var(--calm); }
summary { cursor: pointer; padding: .2rem 0; } .group > :not(summary) { margin-left: 1.2rem; } footer { margin-top: 3rem; }
`;
