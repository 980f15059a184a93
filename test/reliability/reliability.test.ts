import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { repositoryRoot } from "../../local/repository";
import { recordings } from "../e2e/faults/recorded";
import { rows } from "./rows";

const PAGE = join(repositoryRoot, "docs", "reliability.md");
const RECORDING = "test/e2e/faults.test.ts";
const read = (file: string) => readFileSync(join(repositoryRoot, file), "utf8");

const HEAD = `# What was tried and what happened

<!-- Written by UPDATE_GOLDEN=1 npm test -- ${RECORDING} test/reliability: change the tests, not this page. -->

Tests cause these faults on the real engine, a real API server and an EC2 API, and record the results. After each fault of
\`up\`, the tests run \`up\` again: nothing may be lost, created twice or left open. \`npm test\` kills processes at a sample of points,
\`npm run test:interrupted\` at all of them. Tests on a full disk run where a user may mount one; elsewhere they are counted as skipped.
`;

const TAIL = `## Not tried

- An upgrade and a downgrade between two published versions: there is one so far. [Upgrading](upgrading.md) lists which names stay.
- A write to EC2 whose answer is lost: the AWS provider sends it. A killed engine is tried at each such write.
`;

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const table = (head: readonly string[], body: readonly (readonly string[])[]) =>
  [head, head.map(() => "---"), ...body].map((line) => `| ${line.map(cell).join(" | ")} |`).join("\n");

function page(): string {
  const recorded = Object.entries(recordings()).map(([what, { ended, said, next = "" }]) => [
    what,
    ended,
    said === "" ? "nothing" : `\`${said.replaceAll("`", "'").replaceAll("\n", " / ")}\``,
    next,
  ]);
  const themes = Object.entries(rows).map(
    ([theme, all]) =>
      `## ${theme}\n\n${table(
        ["fault", "what happens", "test"],
        all.map(({ fault, happens, file }) => [fault, happens, `\`${file}\``]),
      )}`,
  );
  const text = [
    HEAD,
    `## As recorded by \`${RECORDING}\`\n`,
    table(["fault", "ends with", "says", "and then"], recorded),
    ...themes,
    TAIL,
  ]
    .join("\n\n")
    .replaceAll(/\n{3,}/g, "\n\n");
  return `${text.trimEnd()}\n`;
}

test("docs/reliability.md matches the recordings and rows", () => {
  const made = page();
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(PAGE, made);
  expect(readFileSync(PAGE, "utf8")).toBe(made);
});

test.each(Object.values(rows).flat())("$file still has the test: $test", ({ file, test: name }) => {
  expect(read(file)).toContain(name);
});

test("every recording belongs to an existing test", () => {
  const source = read(RECORDING);
  const names = Object.keys(recordings());
  expect(names.length).toBeGreaterThan(25);
  const parts = names.map((name) => name.replace(/^.*?(?:the API server|the EC2 API) /, ""));
  expect(parts.filter((part) => !source.includes(part))).toEqual([]);
});
