import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { onPath, run, type RunOptions } from "./command";
import { Absent } from "./sources";

/** A set of commands that are built together from published Go modules. */
export interface GoBuild {
  /** Commands by the name of the file to build: package, version and linker flags. */
  readonly commands: Readonly<Record<string, GoCommand>>;
  /** Lowest Go language version of the module. */
  readonly go: string;
  /** Lines of the module file in addition to `module` and `go`. */
  readonly replace?: readonly string[];
}

export interface GoCommand {
  readonly package: string;
  readonly version: string;
  /** Linker variables: `-X name=value`. */
  readonly stamp?: Readonly<Record<string, string>>;
}

/** A command of this repository that is built on published Go modules. */
export interface OwnGoCommand {
  /** Its only source file. */
  readonly source: string;
  /** Modules that it imports, with their versions. */
  readonly modules: Readonly<Record<string, string>>;
  /** Lowest Go language version of the module. */
  readonly go: string;
}

/** The Go compiler, or why Go builds are not possible here. */
export function goCompiler(): string | Absent {
  return onPath("go") ?? new Absent("no `go` on PATH to build it with");
}

/** Builds commands into a folder. Uses Go's own caches as they are configured; removes the work folders. */
export function goBuild(go: string, build: GoBuild, folder: string): Promise<void> {
  return inModule(build, async (options) => {
    for (const command of Object.values(build.commands)) {
      await run(go, ["get", "-tool", `${command.package}@v${command.version}`], options);
    }
    for (const [name, command] of Object.entries(build.commands)) {
      const flags = ["-ldflags", linkerFlags(command), "-o", join(folder, name)];
      await run(go, ["build", ...flags, command.package], options);
    }
  });
}

/** Builds a command of this repository into a file. */
export function goBuildOwn(
  go: string,
  { source, modules, ...module }: OwnGoCommand,
  file: string,
): Promise<void> {
  return inModule(module, async (options) => {
    await copyFile(source, join(options.cwd, basename(source)));
    await run(
      go,
      ["get", ...Object.entries(modules).map(([name, version]) => `${name}@v${version}`)],
      options,
    );
    await run(go, ["build", "-ldflags", "-s -w", "-o", file, "."], options);
  });
}

async function inModule(
  parts: Pick<GoBuild, "go" | "replace">,
  work: (options: RunOptions & { cwd: string }) => Promise<void>,
): Promise<void> {
  const module = await mkdtemp(join(tmpdir(), "hypershift-network-go-"));
  const env = { ...process.env, CGO_ENABLED: "0", GOWORK: "off", GOTMPDIR: module };
  try {
    await writeFile(join(module, "go.mod"), moduleFile(parts));
    await work({ cwd: module, env });
  } finally {
    await rm(module, { recursive: true, force: true });
  }
}

function moduleFile({ go, replace = [] }: Pick<GoBuild, "go" | "replace">): string {
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
