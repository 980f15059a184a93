import { join } from "node:path";

import ts from "typescript";

import { repositoryRoot } from "../../local/repository";

const settingsOf = (name: string) =>
  ts.getParsedCommandLineOfConfigFile(join(repositoryRoot, name), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, "\n"));
    },
  })!;

/** With separate build records, one build would not restore what the other overwrote, and npm would pack code of other sources. */
test("the package and the full build have the same compiler options and the same build record", () => {
  const [packed, built] = [settingsOf("tsconfig.package.json"), settingsOf("tsconfig.build.json")];
  const own = ({ configFilePath: _, ...options }: ts.CompilerOptions) => options;
  expect(own(packed.options)).toEqual(own(built.options));
  expect(packed.options.tsBuildInfoFile).toBe(join(repositoryRoot, "dist", ".tsbuildinfo"));
  expect(built.fileNames).toEqual(expect.arrayContaining(packed.fileNames));
});
