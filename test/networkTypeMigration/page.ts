import { MigrationPhase, migrationPhases } from "../../src/networkTypeMigration/phases";
import { rulesOf } from "../../src/networkTypeMigration/steps";

const MARKS = ["<!-- phases -->\n", "<!-- /phases -->"] as const;
const phases = Object.keys(migrationPhases) as MigrationPhase[];

/** The page of the documentation with regenerated phases. */
export function pageWithPhases(page: string): string {
  const [before, rest] = page.split(MARKS[0]);
  const [, after] = rest!.split(MARKS[1]);
  return `${before}${MARKS[0]}\n${table()}\n${phases.map(section).join("\n")}\n${MARKS[1]}${after}`;
}

/** A table with what each phase does and how to undo it. */
function table(): string {
  const rows = phases.map((phase) => [`\`${phase}\``, rulesOf(phase).does, `\`${rulesOf(phase).wayBack}\``]);
  const all = [["phase", "does", "way back"], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  const [head, ...body] = all.map(line);
  return `${[head, line(widths.map((width) => "-".repeat(width))), ...body].join("\n")}\n`;
}

function section(phase: MigrationPhase): string {
  const { before, after, stop, person } = rulesOf(phase);
  const parts = [
    list(
      "Before it:",
      before.map(({ words }) => words),
    ),
    list(
      "It waits until:",
      after.map(({ words }) => words),
    ),
    list(
      "It stops unless:",
      stop.map(({ words }) => words),
    ),
    list("Then a person has to:", person.map(withCode)),
  ];
  return `### ${phase}\n\n${parts.filter((part) => part !== "").join("\n")}`;
}

const list = (title: string, entries: readonly string[]): string =>
  entries.length === 0 ? "" : `${title}\n\n${entries.map((entry) => `- ${entry}\n`).join("")}`;

/** Formats a command after a colon as code. */
const withCode = (text: string): string =>
  text.replace(/: ((?:oc|for) .*)$/, (_, command: string) => `: \`${command}\``);
