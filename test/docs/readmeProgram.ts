import { ModuleKind, transpileModule } from "typescript";

import * as library from "../../src";

/** The first program of the README. */
export const programOf = (readme: string): string => /^```ts\n(.*?)^```/ms.exec(readme)?.[1] ?? "";

/** Runs a program that imports only this package, and returns its exports. */
export function runProgram(source: string): unknown {
  const { outputText } = transpileModule(source, { compilerOptions: { module: ModuleKind.CommonJS } });
  const exports = {};
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const program = new Function("exports", "require", outputText) as (exports: object, load: unknown) => void;
  program(exports, (name: string) => {
    if (name !== "hypershift-network") throw new Error(`the program imports ${name}`);
    return library;
  });
  return exports;
}
