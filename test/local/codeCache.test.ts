import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { compiled } from "../../local/repository";

/** Each program runs twice: the second run uses the cache of the first. */
describe("the code cache, which is loaded before programs", () => {
  const folder = mkdtempSync(join(tmpdir(), "code-cache-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function twice(files: Record<string, string>): string[] {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const ahead = ["--require", compiled("local/onDemand/codeCache")];
    const run = () =>
      execFileSync(process.execPath, [...ahead, join(folder, "main.js")], { encoding: "utf8" });
    return [run(), run()];
  }

  // A text that no other run has cached.
  const mark = `/* ${Date.now()} ${process.pid} */`;

  it("gives modules everything that Node.js gives them", () => {
    const main = `#!/usr/bin/env node
      ${mark} const path = require("path");
      const other = require("./other");
      console.log(JSON.stringify([
        this === exports, require.main === module, path.basename(__filename), path.basename(__dirname),
        require.resolve("./other") === other.file, require.resolve.paths("x").length > 0,
        Object.keys(require.cache).includes(other.file), typeof require.extensions[".js"], other(2),
      ]));`;
    const other = `${mark} module.exports = (n) => { const twice = () => n * 2; return twice(); };\nmodule.exports.file = __filename;`;
    const expected = [true, true, "main.js", folder.split("/").at(-1), true, true, true, "function", 4];
    const runs = twice({ "main.js": main, "other.js": other });
    expect(runs.map((output) => JSON.parse(output) as unknown)).toEqual([expected, expected]);
  });

  it("compiles a module again if its text has changed, even to one of the same length", () => {
    const text = (word: string) => ({ "main.js": `${mark} console.log("${word}")` });
    expect(twice(text("one"))).toEqual(["one\n", "one\n"]);
    expect(twice(text("two"))).toEqual(["two\n", "two\n"]);
  });

  it("leaves ES modules and dynamic imports to Node.js", () => {
    const main = `${mark} import("./module.mjs").then(({ word }) => console.log(word));`;
    expect(twice({ "main.js": main, "module.mjs": `export const word = "imported";` })).toEqual([
      "imported\n",
      "imported\n",
    ]);
  });
});
