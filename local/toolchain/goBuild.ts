import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onPath, run } from "./command";
import { Absent } from "./sources";

/** A set of commands built together from published Go modules. */
export interface GoBuild {
  /** Commands by the name of the file that is made: package, version and linker flags. */
  readonly commands: Readonly<Record<string, GoCommand>>;
  /** Lowest Go language version of the module. */
  readonly go: string;
  /** Lines of the module file beside `module` and `go`. */
  readonly replace?: readonly string[];
}

export interface GoCommand {
  readonly package: string;
  readonly version: string;
  /** Linker variables: `-X name=value`. */
  readonly stamp?: Readonly<Record<string, string>>;
}

/** The Go compiler, or why Go builds are not possible here. */
export function goCompiler(): string | Absent {
  return onPath("go") ?? new Absent("no `go` on PATH to build it with");
}

/** Builds commands into a folder. Go's own caches are used as they are set; its work folders are removed. */
export async function goBuild(go: string, build: GoBuild, folder: string): Promise<void> {
  const module = await mkdtemp(join(tmpdir(), "hypershift-network-go-"));
  const env = { ...process.env, CGO_ENABLED: "0", GOWORK: "off", GOTMPDIR: module };
  try {
    await writeFile(join(module, "go.mod"), moduleFile(build));
    for (const command of Object.values(build.commands)) {
      await run(go, ["get", "-tool", `${command.package}@v${command.version}`], { cwd: module, env });
    }
    for (const [name, command] of Object.entries(build.commands)) {
      await run(go, ["build", "-ldflags", linkerFlags(command), "-o", join(folder, name), command.package], {
        cwd: module,
        env,
      });
    }
  } finally {
    await rm(module, { recursive: true, force: true });
  }
}

function moduleFile({ go, replace = [] }: GoBuild): string {
  return [
    "module hypershift-network-tools",
    `go ${go}`,
    ...replace.map((line) => `replace ${line}`),
    "",
  ].join("\n");
}

function linkerFlags({ stamp = {} }: GoCommand): string {
  return ["-s -w", ...Object.entries(stamp).map(([name, value]) => `-X ${name}=${value}`)].join(" ");
}
