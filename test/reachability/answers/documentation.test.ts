import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../../..");
const documentation = readFileSync(join(root, "docs/reachability.md"), "utf8");
const source = readFileSync(join(root, "test/reachability/filters/networkPolicy.test.ts"), "utf8");

/** The test titles of a `describe`; for tables, the title with an ellipsis for each placeholder, or each label if it is only `%s`. */
function titlesIn(name: string): string[] {
  const [, rest = ""] = source.split(`describe("${name}"`);
  const [block = ""] = rest.split(/\n}\);/);
  return block.split(/\n {2}(?=test[.(])/).flatMap((text) => {
    const plain = /^test\("([^"]+)"/.exec(text)?.[1];
    if (plain !== undefined) return [plain];
    const template = /^\s*\]\)\("([^"]+)"/m.exec(text)?.[1];
    if (!text.startsWith("test.each") || template === undefined) return [];
    if (template !== "%s") return [template.replace(/%[sp]/g, "…")];
    return [...text.matchAll(/^ {4}\["([^"]+)"/gm)].map(([, title]) => title!);
  });
}

test("the documentation lists the tested corners of NetworkPolicy in the order of the tests", () => {
  const [, section = ""] = documentation.split("## Corners of NetworkPolicy");
  const written = [...section.matchAll(/^\| (.+?) +\| .+ \|$/gm)].map(([, title]) => title!);
  const titles = titlesIn("corners of NetworkPolicy");
  expect(titles.length).toBeGreaterThan(15);
  expect(written.filter((title) => title !== "test" && !/^-+$/.test(title))).toEqual(titles);
});

test("the functions that the documentation names exist", () => {
  const [table = ""] = documentation.split("## What");
  const names = [...table.matchAll(/`([a-z][A-Za-z]+)(?:\([^`]*)?`/g)].map(([, name]) => name!);
  const code = ["answers", "certificate"]
    .map((folder) => join(root, "src/reachability", folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => readFileSync(join(folder, name), "utf8")),
    )
    .join("\n");
  const known = new Set([...code.matchAll(/^export (?:function|const) (\w+)/gm)].map(([, name]) => name));
  expect(names.filter((name) => name !== "version" && !known.has(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(10);
});
