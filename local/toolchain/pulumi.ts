import { mkdir } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";

import type { Report } from "../report";
import { repositoryRoot } from "../repository";
import { cached, cachedOrMade, type CacheEntry } from "./cache";
import { isExecutable, onPath, outputOf, run, userPath } from "./command";
import { goBuild, goCompiler } from "./goBuild";
import { answers } from "./reach";
import { Absent, firstOf, type Found, type Source } from "./sources";
import { LOWEST_PULUMI_VERSION, PULUMI_VERSION } from "./versions";

/** A Pulumi CLI with its engine. */
export interface PulumiTool {
  /** The executable. */
  readonly command: string;
  /** Its version, without the `v`. */
  readonly version: string;
  /** Whether Pulumi's own language host for Node.js is next to it. */
  readonly ownLanguageHost: boolean;
}

const EXECUTABLE = process.platform === "win32" ? "pulumi.exe" : "pulumi";
const PROOF = join("bin", EXECUTABLE);
/** Installed as Pulumi distributes it: with the language hosts. */
const INSTALLED: CacheEntry = { tool: "pulumi-installed", version: PULUMI_VERSION, proof: PROOF };
/** Built from the Go module: only the engine. */
const BUILT: CacheEntry = { tool: "pulumi", version: PULUMI_VERSION, proof: PROOF };
const INSTALLER = "https://get.pulumi.com/install.sh";
const INSTALLATION_PATIENCE_MS = 180_000;

/** Where the Pulumi engine may come from, in order of preference. */
export const pulumiSources: readonly Source<PulumiTool>[] = [
  { from: "pulumi on PATH", find: pulumiOnPath },
  { from: "the user's cache folder", find: pulumiInCache },
  { from: "Pulumi's installer, through the Automation API", find: installPulumi },
  { from: "its Go module, built here", find: buildPulumi },
];

/** Finds, installs or builds the Pulumi engine. */
export function findPulumi(report: Report): Promise<Found<PulumiTool>> {
  return firstOf("the Pulumi engine", pulumiSources, report);
}

async function pulumiOnPath(): Promise<PulumiTool | Absent> {
  const command = onPath("pulumi");
  if (command === undefined) {
    return new Absent("there is none");
  }
  const tool = await toolAt(command);
  return isUsable(tool.version)
    ? tool
    : new Absent(
        `${command} is version ${tool.version}, and at least ${LOWEST_PULUMI_VERSION} of version 3 is needed`,
      );
}

function pulumiInCache(): Promise<PulumiTool | Absent> {
  const folder = cached(INSTALLED) ?? cached(BUILT);
  return Promise.resolve(
    folder === undefined
      ? new Absent("it is not there yet")
      : { ...beside(join(folder, PROOF)), version: PULUMI_VERSION },
  );
}

async function installPulumi(report: Report): Promise<PulumiTool | Absent> {
  if (!(await answers(INSTALLER))) {
    report.say(`${new URL(INSTALLER).host} cannot be reached: not installing Pulumi from there`);
    return new Absent(`${INSTALLER} cannot be reached`);
  }
  const folder = await report.step(`installing Pulumi ${PULUMI_VERSION}`, () =>
    cachedOrMade(INSTALLED, report, (root) =>
      run(process.execPath, ["-e", INSTALL_PROGRAM, PULUMI_VERSION, root], {
        cwd: repositoryRoot,
        timeout: INSTALLATION_PATIENCE_MS,
      }),
    ),
  );
  return toolAt(join(folder, PROOF));
}

/** Runs in its own process, so that a download that hangs can be ended. */
const INSTALL_PROGRAM = `
  const [version, root] = process.argv.slice(1);
  const { PulumiCommand } = require("@pulumi/pulumi/automation");
  const { SemVer } = require("semver");
  PulumiCommand.install({ version: new SemVer(version), root }).catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
`;

async function buildPulumi(report: Report): Promise<PulumiTool | Absent> {
  const go = goCompiler();
  if (go instanceof Absent) {
    return go;
  }
  const folder = await report.step(`building the Pulumi engine ${PULUMI_VERSION}`, () =>
    cachedOrMade(BUILT, report, async (root) => {
      await mkdir(join(root, "bin"));
      await goBuild(go, ENGINE, join(root, "bin"));
    }),
  );
  return toolAt(join(folder, PROOF));
}

const ENGINE = {
  go: "1.25",
  commands: {
    [EXECUTABLE]: {
      package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
      version: PULUMI_VERSION,
      // Without this the engine has no version, and the Automation API rejects it.
      stamp: { "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version": `v${PULUMI_VERSION}` },
    },
  },
};

async function toolAt(command: string): Promise<PulumiTool> {
  const version = await outputOf(command, ["version"], { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" });
  return { ...beside(command), version: version.replace(/^v/, "") };
}

function beside(command: string): Omit<PulumiTool, "version"> {
  return {
    command,
    ownLanguageHost: [dirname(command), ...userPath().split(delimiter)].some((folder) =>
      isExecutable(join(folder, "pulumi-language-nodejs")),
    ),
  };
}

function isUsable(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [lowestMajor = 0, lowestMinor = 0] = LOWEST_PULUMI_VERSION.split(".").map(Number);
  return major === lowestMajor && minor >= lowestMinor;
}
