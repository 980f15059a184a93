import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import type { Report } from "../report";
import { repositoryRoot } from "../repository";
import { cachedOrMade, type CacheEntry } from "./cache";
import { onPath } from "./command";
import { goBuild, goBuildOwn, goCompiler } from "./goBuild";
import { Absent } from "./sources";
import { PULUMI_VERSION, PULUMI_YAML_VERSION, PYTHON_PACKAGES } from "./versions";
import { COMPLETE, PYTHON, virtualEnvironment } from "./virtualEnvironment";

/** The tools that generate, check and run programs in other languages. */
export interface LanguageTools {
  /** The Go compiler. */
  readonly go: string;
  /** Pulumi's generators of SDKs. */
  readonly generator: string;
  /** The folder of Pulumi's language host for YAML. */
  readonly yamlHost: string;
  /** A Python with Pulumi's SDKs and a type checker. */
  readonly python: string;
}

const GENERATOR: CacheEntry = { tool: "sdk-generator", version: PULUMI_VERSION, proof: "generator" };
const YAML_HOST: CacheEntry = {
  tool: "pulumi-language-yaml",
  version: PULUMI_YAML_VERSION,
  proof: "pulumi-language-yaml",
};
const PACKAGES: CacheEntry = {
  tool: "pulumi-python",
  version: PYTHON_PACKAGES.map((wanted) => wanted.split("==")[1]).join("-"),
  proof: COMPLETE,
};

/** Builds or installs the tools that are not yet in the user's cache folder. */
export async function languageTools(report: Report): Promise<LanguageTools> {
  const go = goCompiler();
  if (go instanceof Absent) throw new Error(`SDKs need Go: ${go.reason}`);
  const python = onPath("python3") ?? onPath("python");
  if (python === undefined) throw new Error("programs in Python need one: no `python3` on PATH");
  const generator = await made(report, GENERATOR, (folder) =>
    goBuildOwn(go, generatorSource, join(folder, GENERATOR.proof)),
  );
  const yamlHost = await made(report, YAML_HOST, async (folder) => {
    await mkdir(folder, { recursive: true });
    await goBuild(go, yamlHostSource, folder);
  });
  const packages = await made(report, PACKAGES, (folder) =>
    virtualEnvironment(python, folder, PYTHON_PACKAGES),
  );
  return {
    go,
    generator: join(generator, GENERATOR.proof),
    yamlHost,
    python: join(packages, PYTHON),
  };
}

const generatorSource = {
  go: "1.25",
  source: join(repositoryRoot, "local", "languages", "generator.go"),
  // Lists the packages one by one: `go get` of the module leaves out what its packages import.
  modules: Object.fromEntries(
    ["go", "nodejs", "python", "schema"].map((name) => [
      `github.com/pulumi/pulumi/pkg/v3/codegen/${name}`,
      PULUMI_VERSION,
    ]),
  ),
};

const yamlHostSource = {
  go: "1.25",
  commands: {
    [YAML_HOST.proof]: {
      package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
      version: PULUMI_YAML_VERSION,
    },
  },
};

const made = (report: Report, entry: CacheEntry, make: (folder: string) => Promise<void>): Promise<string> =>
  report.step(`making ${entry.tool} ${entry.version}`, () => cachedOrMade(entry, report, make));
