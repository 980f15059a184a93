import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { run } from "../toolchain/command";
import type { LanguageTools } from "../toolchain/languages";
import { repositoryRoot } from "../repository";
import type { Session } from "../session";
import { PULUMI_VERSION } from "../toolchain/versions";

/** Examples with a program in each of these languages. */
export const EXAMPLES = ["quickstart", "landing-zone"] as const;
/** The resources that a program created, as type and name. */
export type Made = ReadonlySet<string>;

/** The folder of the generated SDKs and the programs' projects, and the tools for them. */
export interface Workplace {
  readonly folder: string;
  readonly tools: LanguageTools;
}

const packages = ({ folder }: Workplace): string => join(folder, "packages");
const PACKAGE = "hypershift-network";
const sdk = ({ folder }: Workplace, language: string): string => join(folder, "sdk", language);

/** Generates the SDK for one language with Pulumi's generator. */
export const generate = (at: Workplace, language: "go" | "nodejs" | "python"): Promise<void> =>
  run(at.tools.generator, [join(repositoryRoot, "dist", "schema.json"), language, sdk(at, language)]);

/** Installs the Python SDK where programs find it, as `pip install` does for users. */
export const installPython = (at: Workplace): Promise<void> =>
  run(at.tools.python, [
    ...["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"],
    ...["--target", packages(at), sdk(at, "python")],
  ]);

/** Type-checks the Python programs against the generated SDK. */
export function checkPython(at: Workplace): Promise<void> {
  const programs = EXAMPLES.map((example) => pythonProgram(example));
  // Each program is the `__main__` module of its own folder, so each is checked separately.
  return Promise.all(
    programs.map((program) =>
      run(
        at.tools.python,
        ["-m", "mypy", "--follow-imports=silent", "--cache-dir", join(at.folder, "mypy"), program],
        {
          env: { ...process.env, MYPYPATH: packages(at) },
        },
      ),
    ),
  ).then(() => undefined);
}

/** Compiles the generated Go SDK, and with it the program of docs/components.md. */
export async function checkGo(at: Workplace): Promise<void> {
  const folder = join(sdk(at, "go"), "hypershiftnetwork");
  const program = join(folder, "program");
  mkdirSync(program);
  writeFileSync(join(program, "main.go"), goProgram());
  const module = `example.com/pulumi-${PACKAGE}/sdk/go/${PACKAGE}`;
  const lines = [`module ${module}`, "go 1.25", `require github.com/pulumi/pulumi/sdk/v3 v${PULUMI_VERSION}`];
  writeFileSync(join(folder, "go.mod"), `${lines.join("\n")}\n`);
  const env = { ...process.env, CGO_ENABLED: "0", GOWORK: "off" };
  await run(at.tools.go, ["mod", "tidy"], { cwd: folder, env });
  await run(at.tools.go, ["vet", "./..."], { cwd: folder, env });
}

function goProgram(): string {
  const page = readFileSync(join(repositoryRoot, "docs", "components.md"), "utf8");
  const program = /^```go\n(.*?)^```$/ms.exec(page)?.[1];
  if (program === undefined) throw new Error("docs/components.md has no program in Go");
  return program;
}

/** Deploys a Python example twice and destroys it; the second deployment must not change anything. */
export function runPython(at: Workplace, { env: own }: Session, example: string): Made {
  const project = projectFolder(at, `${example}-python`, "python");
  const program = join(repositoryRoot, "local", "languages", "run.py");
  const env = { ...own, PYTHONPATH: packages(at) };
  const answer = output(at.tools.python, [program, project, pythonProgram(example), example], {
    cwd: project,
    env,
  });
  const { resources, changes } = JSON.parse(answer) as {
    resources: string[];
    changes: Record<string, number>;
  };
  refuseChanges(changes);
  return new Set(resources.map(withoutProject));
}

/** Does the same for a YAML example, on Pulumi's language host for YAML. */
export function runYaml(at: Workplace, { env: own }: Session, example: string): Made {
  const project = projectFolder(at, `${example}-yaml`, "yaml");
  const text = readFileSync(join(repositoryRoot, "examples", example, "yaml", "Pulumi.yaml"), "utf8");
  writeFileSync(join(project, "Pulumi.yaml"), `${text}${provider}`);
  const env = { ...own, PATH: `${own.PATH}:${at.tools.yamlHost}` };
  const pulumi = (...args: string[]) => output("pulumi", args, { cwd: project, env });
  pulumi("stack", "init", "yaml");
  pulumi("up", "--yes", "--skip-preview");
  const { deployment } = JSON.parse(pulumi("stack", "export")) as {
    deployment: { resources: { urn: string }[] };
  };
  const { changeSummary = {} } = JSON.parse(pulumi("preview", "--json")) as {
    changeSummary?: Record<string, number>;
  };
  refuseChanges(Object.fromEntries(Object.entries(changeSummary).filter(([kind]) => kind !== "same")));
  pulumi("destroy", "--yes", "--skip-preview", "--exclude-protected");
  return new Set(deployment.resources.map(({ urn }) => withoutProject(urn.split("::").slice(2).join("::"))));
}

const provider = `plugins:\n  providers:\n    - { name: ${PACKAGE}, path: ${JSON.stringify(repositoryRoot)} }\n`;
const pythonProgram = (example: string): string =>
  join(repositoryRoot, "examples", example, "python", "__main__.py");

function projectFolder({ folder }: Workplace, name: string, runtime: string): string {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, "Pulumi.yaml"), `name: languages\nruntime: ${runtime}\n${provider}`);
  return project;
}

/** Removes the name of the stack and default providers, which contains the project and the version. */
const withoutProject = (resource: string): string =>
  resource.startsWith("pulumi:") ? resource.replace(/::.*/, "") : resource;

function refuseChanges(changes: Record<string, number>): void {
  if (Object.keys(changes).length > 0)
    throw new Error(`a second preview would change something: ${JSON.stringify(changes)}`);
}

function output(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...options,
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0)
    throw error ?? new Error(`${command} ${args.join(" ")}: status ${status}\n${stdout}\n${stderr}`);
  return stdout;
}
