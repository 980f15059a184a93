import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import type { Diagnostics } from "recheck";
import ts from "typescript";

import { repositoryRoot } from "../local/repository";

/** Runs recheck in this process: its native programs are loaded only where they are installed. */
process.env.RECHECK_BACKEND = "pure";
const { checkSync } = jest.requireActual<typeof import("recheck")>("recheck");

const PATIENCE_MS = 20_000;

/** Every regular expression in code that users run, with its location. */
function literals(): Map<string, string> {
  const found = new Map<string, string>();
  const sources = ["src", "policy"].flatMap((folder) =>
    (readdirSync(join(repositoryRoot, folder), { recursive: true }) as string[])
      .filter((name) => /\.[jt]s$/.test(name) && !name.includes("node_modules"))
      .map((name) => join(repositoryRoot, folder, name)),
  );
  for (const file of sources) {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
        found.set(node.text, `${relative(repositoryRoot, file)}:${line + 1}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

const judge = (literal: string): Diagnostics => {
  const end = literal.lastIndexOf("/");
  return checkSync(literal.slice(1, end), literal.slice(end + 1), { timeout: PATIENCE_MS });
};

test("no regular expression takes more than linear time on any input", () => {
  const all = literals();
  expect(all.size).toBeGreaterThan(150);
  const slow = [...all].flatMap(([literal, place]) => {
    const { status, ...more } = judge(literal);
    if (status === "safe") return [];
    const attack = "attack" in more ? more.attack?.pattern : "not decided";
    return [`${place} ${literal} ${status}: ${attack}`];
  });
  expect(slow).toEqual([]);
}, 120_000);

test.each(["^(a+)+$", "[. ]+$", "\\s*->\\s*x"])("a slow regular expression is detected: %s", (pattern) => {
  expect(judge(`/${pattern}/`).status).toBe("vulnerable");
});
