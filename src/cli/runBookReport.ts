import { paragraphs, plural, visibleJson } from "../text";
import { code, codeCell, fenced, markdownTable, plain } from "../report/markdown";
import { textOfLines } from "./terminal";
import {
  Answer,
  type ChangedProperty,
  type Check,
  type FlowRow,
  Outcome,
  type Patch,
  type RunBook,
  type Step,
} from "../runBook/runBook";

const OUTCOME: Readonly<Record<Outcome, (book: RunBook) => string>> = {
  [Outcome.NothingToDo]: () => "nothing to do",
  [Outcome.InPlace]: ({ steps }) =>
    `${plural(steps.length, "step")}, and the running cluster accepts ${steps.length === 1 ? "it" : "them"}`,
  [Outcome.Unknown]: ({ steps, changes }) =>
    `not known: ${unknownOf(changes).join(", ")}; decide once ${unknownOf(changes).length === 1 ? "it is" : "they are"} known (${plural(steps.length, "step")} for the rest)`,
  [Outcome.Blocked]: ({ obstacles }) => `do not start: ${plural(obstacles.length, "obstacle")}`,
  [Outcome.NewCluster]: ({ newCluster }) =>
    `the wanted state needs a new hosted cluster because of ${newCluster!.because.join(", ")}`,
};

const unknownOf = (changes: readonly ChangedProperty[]): string[] =>
  changes.filter(({ answer }) => answer === Answer.Unknown).map(({ property }) => property);

/** Formats run books for a terminal. */
export const runBookText = (books: readonly RunBook[]): string =>
  textOfLines(paragraphs(books.map(bookLines)));

function bookLines(book: RunBook): string[] {
  const { cluster, outcome, changes, obstacles, steps, newCluster, assumptions } = book;
  const below = [
    ...section("changes", changes.flatMap(changeLines)),
    ...section(
      "obstacles",
      obstacles.flatMap(({ what, fix }) => [what, `  fix  ${fix}`]),
    ),
    ...(newCluster ? section("a new cluster", [newCluster.loses, ...newCluster.actions]) : []),
    ...steps.flatMap((step) => ["", ...stepLines(step)]),
    ...section("assumptions", assumptions),
  ];
  return [
    `${cluster}: ${OUTCOME[outcome](book)}`,
    ...(below.some(usesHosted) ? [`HOSTED: ${HOSTED}`] : []),
    ...below,
  ];
}

/** The meaning of `HOSTED` in commands: the kubeconfig of the hosted cluster, which only the reader has. */
const HOSTED = "the path of the hosted cluster's kubeconfig";
const usesHosted = (line: string): boolean => line.includes("--kubeconfig HOSTED");

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)];

const changeLines = ({ property, before, after, answer, why, steps }: ChangedProperty): string[] => [
  `${answer.padEnd(13)} ${property}${valueText(before, after)}`,
  `              ${why}${steps.length > 0 ? ` (${steps.join(", ")})` : ""}`,
];

const valueText = (before: string | undefined, after: string | undefined): string =>
  before === undefined && after === undefined ? "" : `: ${before ?? "none"} -> ${after ?? "none"}`;

function stepLines(step: Step): string[] {
  const {
    number,
    title,
    place,
    disruption,
    effect,
    optional,
    actions,
    preChecks,
    patches,
    flows = [],
  } = step;
  const line = (name: string, text: string) => `   ${name.padEnd(11)} ${text}`;
  return [
    `${number}. ${title}${optional ? " (optional)" : ""}`,
    line("where", place),
    line("disruption", `${disruption}: ${effect}`),
    ...preChecks.flatMap((check) => checkLines("before", check)),
    ...flows.map((flow) => line("flow", flowText(flow))),
    ...(step.settings ? [line("settings", visibleJson(step.settings))] : []),
    ...actions.map((action) => line("do", action)),
    ...patches.map((patch) => line("run", commandText(patch))),
    ...step.verification.flatMap((check) => checkLines("after", check)),
    line("rollback", step.wayBack.text),
    ...step.wayBack.patches.map((patch) => commandLine(commandText(patch))),
    ...(step.documents.length > 0 ? [line("documented", step.documents.join("; "))] : []),
  ];
}

const checkLines = (name: string, { what, command, result }: Check): string[] => [
  `   ${name.padEnd(11)} ${result === undefined ? "" : `${result}: `}${what}`,
  ...(command === undefined ? [] : [commandLine(command)]),
];

/** Indents a command below the line that it belongs to. */
const commandLine = (command: string): string => `               ${command}`;

const commandText = ({ command, incomplete }: Patch): string =>
  incomplete ? `${command}   # fill in the credentials` : command;

export const flowText = ({
  role,
  direction,
  service,
  peers,
  purpose,
  podsOnly,
  whileJoining,
}: FlowRow): string => {
  const marks = [...(podsOnly ? ["pods only"] : []), ...(whileJoining ? ["while nodes join"] : [])];
  const word = direction === "ingress" ? "from" : "to";
  return `${role} ${direction} ${service} ${word} ${peers.join(", ")}: ${purpose}${marks.length > 0 ? ` (${marks.join(", ")})` : ""}`;
};

/** Formats run books as Markdown, to keep with a change and tick off. */
export const runBookMarkdown = (books: readonly RunBook[]): string =>
  `${books.map((book) => markdown(book).join("\n\n")).join("\n\n")}\n`;

function markdown(book: RunBook): string[] {
  const { cluster, outcome, changes, obstacles, steps, newCluster, assumptions } = book;
  const below = [
    ...(changes.length > 0 ? ["## What changes", changeTable(changes)] : []),
    ...(obstacles.length > 0
      ? ["## Obstacles", list(obstacles.map(({ what, fix }) => `${plain(what)}  \n  Fix: ${plain(fix)}`))]
      : []),
    ...(newCluster
      ? [
          "## A new cluster",
          `${plain(capital(newCluster.loses))}.`,
          list(newCluster.actions.map(plainWithCode)),
        ]
      : []),
    ...(steps.length > 0 ? ["## Steps", ...steps.flatMap(stepMarkdown)] : []),
    ...(assumptions.length > 0 ? ["## Assumptions", list(assumptions.map(plain))] : []),
  ];
  return [
    `# Run book for ${plain(cluster)}`,
    `${plain(capital(OUTCOME[outcome](book)))}.`,
    ...(below.some(usesHosted) ? [`${code("HOSTED")}: ${HOSTED}`] : []),
    ...below,
  ];
}

function changeTable(changes: readonly ChangedProperty[]): string {
  const rows = changes.map(({ property, before, after, answer, why, steps }) => [
    codeCell(property),
    before === undefined ? "" : codeCell(before),
    after === undefined ? "" : codeCell(after),
    answer,
    plain(why),
    steps.map(code).join(", "),
  ]);
  return markdownTable(["property", "now", "wanted", "answer", "why", "steps"], rows);
}

function stepMarkdown(step: Step): string[] {
  const { number, id, title, place, disruption, effect, optional, actions, patches, flows = [] } = step;
  return [
    `### ${number}. ${plain(title)}${optional ? " (optional)" : ""}`,
    `${code(id)}, in the ${place}. Disruption: **${disruption}**; ${plain(effect)}.`,
    ...checksMarkdown("Before", step.preChecks),
    ...(flows.length > 0 ? [flowTable(flows)] : []),
    ...(step.settings ? [fenced(yamlLines(step.settings), "yaml")] : []),
    ...(actions.length > 0 ? [list(actions.map(plainWithCode))] : []),
    ...commandsMarkdown(patches),
    ...checksMarkdown("After", step.verification),
    `**Rollback:** ${plainWithCode(step.wayBack.text)}`,
    ...commandsMarkdown(step.wayBack.patches),
    ...(step.documents.length > 0 ? [`Documented in ${plain(step.documents.join("; "))}.`] : []),
  ];
}

function checksMarkdown(title: string, checks: readonly Check[]): string[] {
  if (checks.length === 0) return [];
  const items = checks.map(
    ({ what, command, result }) =>
      `- [${result === "met" ? "x" : " "}] ${result === undefined || result === "met" ? "" : `**${result}** `}${plain(what)}${command === undefined ? "" : `  \n  ${code(command)}`}`,
  );
  return [`**${title}**`, items.join("\n")];
}

function commandsMarkdown(patches: readonly Patch[]): string[] {
  if (patches.length === 0) return [];
  return [fenced(patches.map(commandText), "sh")];
}

const flowTable = (flows: readonly FlowRow[]): string =>
  markdownTable(
    ["hosts", "direction", "port", "peers", "why"],
    flows.map(({ role, direction, service, peers, purpose, podsOnly, whileJoining }) => [
      role,
      direction,
      plain(service),
      plain(peers.join(", ")),
      plain(`${purpose}${podsOnly ? " (pods only)" : ""}${whileJoining ? " (while nodes join)" : ""}`),
    ]),
  );

/** JSON is YAML; one property per line is easier to read. */
const yamlLines = (settings: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(settings).map(([key, value]) =>
    value === null ? `# ${key}: left out` : `${key}: ${visibleJson(value)}`,
  );

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join("\n");
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Escapes text, but keeps code in backticks as code. */
const plainWithCode = (text: string): string =>
  text
    .split("`")
    .map((part, position) => (position % 2 === 0 ? plain(part) : code(part)))
    .join("");
