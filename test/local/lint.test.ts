import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { repositoryRoot } from "../../local/repository";

/** Files for `npm run lint`, each of which compiles. */
const folder = mkdtempSync(join(tmpdir(), "lint-"));
const files: Readonly<Record<string, string>> = {
  "src/rules/upwards.ts": 'export * from "../plan/file";\n',
  "src/rules/upwardsType.ts": 'import type { file } from "../live/file";\nexport type File = typeof file;\n',
  "src/rules/pulumi.ts": 'export * from "@pulumi/pulumi";\n',
  "src/fault.ts": 'export * from "./topology/file";\n',
  "src/rules/downwards.ts": 'export * from "../topology/file";\nexport * from "./file";\n',
  "src/components/pulumi.ts": 'export * from "@pulumi/pulumi";\n',
  "policy/provider.ts": 'export * from "@pulumi/aws";\n',
  "policy/local.ts": 'export * from "../local/file";\n',
  "policy/rules.ts": 'export * from "../src/rules/file";\n',
  "src/cli/write.ts": 'import { writeFileSync } from "node:fs";\nwriteFileSync("a", "b");\n',
  "src/cli/writeAll.ts": 'import * as fs from "node:fs";\nfs.appendFileSync("a", "b");\n',
  "src/cli/outputFile.ts": 'import { writeFileSync } from "node:fs";\nwriteFileSync("a", "b");\n',
  "src/cli/say.ts": 'import { terminal } from "./terminal";\nterminal.error("a");\n',
  "src/cli/terminal.ts": 'export const terminal = { error: (text: string) => text };\nterminal.error("a");\n',
  "src/plan/spread.ts": "export const add = (to: string[], from: string[]) => to.push(...from);\n",
  "src/plan/promise.ts":
    "const work = async () => Promise.resolve();\nexport const start = () => {\n  work();\n};\n",
  "src/plan/circle.ts": 'import { back } from "./circleBack";\nexport const there = () => back;\n',
  "src/plan/circleBack.ts": 'import { there } from "./circle";\nexport const back = () => there;\n',
  "src/plan/any.ts": "export const read = (text: string): string => JSON.parse(text).name;\n",
  "src/plan/awaited.ts":
    "const work = async () => Promise.resolve();\nexport const start = async (_unused: string) => {\n  await work();\n};\n",
  "src/egressIp/pure.ts": 'export { file } from "./component/file";\n',
  "src/egressIp/rules/pure.ts": 'export { file } from "../component/file";\n',
  "src/egressIp/component/other.ts": 'export { file } from "../../egressRouter/component/file";\n',
  "src/egressIp/component/args.ts": 'export type { File } from "../../egressRouter/component/fileArgs";\n',
  "src/egressIp/component/downwards.ts": 'export { file } from "../rules/file";\n',
  "local/undefined.mjs": "nothing();\n",
};
for (const place of [
  "topology",
  "rules",
  "plan",
  "live",
  "egressIp/component",
  "egressIp/rules",
  "egressRouter/component",
]
  .map((name) => `src/${name}`)
  .concat("local"))
  write(`${place}/file.ts`, "export const file = 1;\n");
write("src/egressRouter/component/fileArgs.ts", "export type File = string;\n");
for (const [name, content] of Object.entries(files)) write(name, content);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("linting refuses upward or circular imports, floating promises, values of type any, and direct output", async () => {
  for (const name of ["oxlint.config.mjs", "tsconfig.json", "local/restrictedSyntax.mjs"])
    cpSync(join(repositoryRoot, name), join(folder, name));
  symlinkSync(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));
  expect(await lint()).toEqual([
    "local/undefined.mjs no-undef",
    "policy/local.ts no-restricted-imports",
    "policy/provider.ts no-restricted-imports",
    "src/cli/say.ts no-restricted-properties",
    "src/cli/write.ts no-restricted-imports",
    "src/cli/writeAll.ts no-restricted-imports",
    "src/egressIp/component/other.ts no-restricted-imports",
    "src/egressIp/pure.ts no-restricted-imports",
    "src/egressIp/rules/pure.ts no-restricted-imports",
    "src/fault.ts no-restricted-imports",
    "src/plan/any.ts no-unsafe-member-access",
    "src/plan/any.ts no-unsafe-return",
    "src/plan/circle.ts no-cycle",
    "src/plan/circleBack.ts no-cycle",
    "src/plan/promise.ts no-floating-promises",
    "src/plan/spread.ts restricted-syntax",
    "src/rules/pulumi.ts no-restricted-imports",
    "src/rules/upwards.ts no-restricted-imports",
    "src/rules/upwardsType.ts no-restricted-imports",
  ]);
});

function lint(): Promise<string[]> {
  const oxlint = join(repositoryRoot, "node_modules", "oxlint", "bin", "oxlint");
  const args = [oxlint, "-c", "oxlint.config.mjs", "--format=json", "src", "policy", "local"];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (_failed, output) => {
      const { diagnostics } = JSON.parse(output) as { diagnostics: { code: string; filename: string }[] };
      resolve(
        diagnostics.map(({ code, filename }) => `${filename} ${/\((.*)\)/.exec(code)?.[1] ?? code}`).sort(),
      );
    });
  });
}

function write(name: string, content: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}
