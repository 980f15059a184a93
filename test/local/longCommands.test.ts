import { readFileSync } from "node:fs";
import { join } from "node:path";

import { repositoryRoot } from "../../local/repository";
import { LONG_COMMANDS, longCommands } from "../../local/testing/longCommands";

const read = (file: string) => readFileSync(join(repositoryRoot, file), "utf8");

describe.each(Object.keys(LONG_COMMANDS))("npm run %s", (name) => {
  test("is a script of the package that npm test and docs/contributing.md name", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    expect(Object.keys(scripts)).toContain(name);
    expect(longCommands()).toContain(`npm run ${name} `);
    expect(read("docs/contributing.md")).toContain(`npm run ${name}`);
  });
});
