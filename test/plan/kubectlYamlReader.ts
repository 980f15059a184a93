import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { readPart, yamlParts } from "../../src/plan/yamlDocuments";

/** What a reader finds in a text: its documents up to the first that is rejected. */
export interface Answer {
  documents: readonly unknown[];
  refused: boolean;
}

const GOLDEN = join(__dirname, "..", "golden", "kubectlYaml.json");

/** The answers of kubectl by the name of the case. */
export const goldenAnswers = (): Readonly<Record<string, Answer>> =>
  JSON.parse(readFileSync(GOLDEN, "utf8")) as Record<string, Answer>;

export const writeGoldenAnswers = (answers: Readonly<Record<string, Answer>>): void =>
  writeFileSync(GOLDEN, `${JSON.stringify(answers, undefined, 2)}\n`);

/** What this package reads, with JSON parsed as JSON, as `check` does. */
export function readHere(text: string): Answer {
  const json = jsonIn(text);
  if (json !== undefined) return { documents: [json], refused: false };
  const read = yamlParts(text).flatMap((part) => readPart(part, "a.yaml"));
  const values = read.flatMap((document) => (document.fault ? [] : [document.value]));
  return { documents: values.filter((value) => value !== null), refused: read.some(({ fault }) => fault) };
}

function jsonIn(text: string): unknown {
  try {
    return /^\s*[{[]/.test(text) ? (JSON.parse(text) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

/** How two readings agree. A reading with another value is neither stricter nor looser. */
export function outcomeOf(here: Answer, kubectl: Answer): "same" | "stricter" | "looser" | "different" {
  if (here.refused) return kubectl.refused ? "same" : "stricter";
  if (kubectl.refused) return "looser";
  return comparable(here.documents) === comparable(kubectl.documents) ? "same" : "different";
}

/** JSON with sorted keys and 0 for -0. */
const comparable = (value: unknown): string =>
  JSON.stringify(value, (_, entry: unknown) =>
    typeof entry === "object" && entry !== null && !Array.isArray(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)))
      : entry,
  );
