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

/** With records of their own, the one would not write again what the other had overwritten, and npm would pack other sources' code. */
test("what is packed and all that is built are compiled alike, into one folder with one record of it", () => {
  const [packed, built] = [settingsOf("tsconfig.package.json"), settingsOf("tsconfig.build.json")];
  const own = ({ configFilePath: _, ...options }: ts.CompilerOptions) => options;
  expect(own(packed.options)).toEqual(own(built.options));
  expect(packed.options.tsBuildInfoFile).toBe(join(repositoryRoot, "dist", ".tsbuildinfo"));
  expect(built.fileNames).toEqual(expect.arrayContaining(packed.fileNames));
});
