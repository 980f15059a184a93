import { chmodSync, copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { compiled } from "../repository";
import type { PulumiTool } from "../toolchain/pulumi";
import { loadedAhead } from "./nodeProgram";
import type { ProviderPlugin } from "./plugins";

/** Commands by which engines that do not use a language host start a policy pack; the first 3.2xx engines omitted the runtime. */
const POLICY_COMMANDS = ["pulumi-analyzer-policy-nodejs", "pulumi-analyzer-policy"];

export interface BinFolderOptions {
  readonly folder: string;
  readonly pulumi: PulumiTool;
  readonly plugins: readonly ProviderPlugin[];
}

/** Writes the commands of a session: pulumi, and the programs it looks for on PATH that nothing else provides. */
export function writeBinFolder({ folder, pulumi, plugins }: BinFolderOptions): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  linkOrCopy(pulumi.command, join(folder, process.platform === "win32" ? "pulumi.exe" : "pulumi"));
  if (!pulumi.ownLanguageHost) {
    writeCommand(folder, "pulumi-language-nodejs", compiled("local/engine/languageHost"));
    writeCommand(folder, "pulumi-resource-pulumi-nodejs", compiled("local/engine/dynamicProvider"));
    for (const name of POLICY_COMMANDS) {
      writeCommand(folder, name, compiled("local/engine/policyAnalyzer"));
    }
  }
  for (const { name, from } of plugins.filter(({ kind }) => kind === "stand-in")) {
    writeCommand(folder, `pulumi-resource-${name}`, from);
  }
}

function linkOrCopy(command: string, file: string): void {
  if (process.platform === "win32") {
    copyFileSync(command, file);
  } else {
    symlinkSync(command, file);
  }
}

function writeCommand(folder: string, name: string, program: string): void {
  const node = [process.execPath, ...loadedAhead(), program];
  if (process.platform === "win32") {
    writeFileSync(join(folder, `${name}.cmd`), `@${node.map((part) => `"${part}"`).join(" ")} %*\r\n`);
    return;
  }
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\nexec ${node.map(quoted).join(" ")} "$@"\n`);
  chmodSync(file, 0o700);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
