import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { PackageSpec } from "@pulumi/pulumi/provider/experimental/schema";

import { repositoryRoot } from "../../local/repository";
import { copyRepository } from "../../local/repositoryCopy";
import type { Session } from "../../local/session";
import { sharedSession } from "./sharedSession";

/** The package as users get it: what npm packs, and a clone that npm builds, each in a project without other packages. */
let session: Session;
let folder: string;
const MEMORY = "/dev/shm";

beforeAll(async () => {
  // Packages have tens of thousands of files. If there is a folder in memory, npm writes them in half the time.
  folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "installed-package-"));
  session = await sharedSession(join(folder, "state"));
}, 900_000);
afterAll(async () => {
  await session?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The variables of `npm test` are not for projects of users, except where npm finds packages. */
const env = () =>
  Object.fromEntries(
    Object.entries({ ...session.env, npm_config_prefer_offline: "true" }).filter(
      ([name]) =>
        !/^(npm_|INIT_CWD$)/i.test(name) ||
        /^npm_config_(cache|registry|userconfig|prefer_offline)$/i.test(name),
    ),
  );

function run(cwd: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: env(),
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0)
    throw new Error(`${command} ${args.join(" ")} ended with ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

const PROGRAM = `
const { HostedControlPlaneSecurityGroups, Platform } = require("hypershift-network");
const groups = new HostedControlPlaneSecurityGroups("tenant-a", {
  vpcId: "vpc-0a1b2c3d",
  topology: {
    name: "tenant-a", platform: Platform.AWS, release: "4.20", machineNetwork: [{ cidr: "10.0.0.0/16" }],
    managementClusterCidrs: ["10.1.0.0/16"], externalClientCidrs: ["203.0.113.0/24"],
  },
});
exports.rules = groups.rules;
`;

/** An empty project into which the package is installed. */
function projectWith(name: string, installed: string, ...flags: string[]): string {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name, version: "1.0.0" }));
  writeFileSync(join(project, "Pulumi.yaml"), `name: ${name}\nruntime: nodejs\nmain: index.js\n`);
  writeFileSync(join(project, "index.js"), PROGRAM);
  run(project, "npm", "install", ...flags, installed);
  return project;
}

const installedIn = (project: string) => join(project, "node_modules", "hypershift-network");
const filesIn = (at: string) =>
  readdirSync(at, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        !join(entry.parentPath, entry.name).includes("node_modules/hypershift-network/node_modules"),
    )
    .map((entry) => join(entry.parentPath, entry.name).slice(at.length + 1))
    .filter((file) => file !== "package-lock.json")
    .sort();

const manifestOf = (at: string) =>
  JSON.parse(readFileSync(join(at, "package.json"), "utf8")) as Record<string, unknown>;

const { packages: locked } = JSON.parse(readFileSync(join(repositoryRoot, "package-lock.json"), "utf8")) as {
  packages: Record<string, { dev?: boolean }>;
};
/** What compiles, lints or tests this package, and is not needed at runtime. */
const development = Object.keys(
  manifestOf(join(repositoryRoot, "development")).devDependencies as object,
).filter((name) =>
  Object.entries(locked).every(([at, { dev }]) => dev || !at.endsWith(`node_modules/${name}`)),
);
const dependencies = Object.keys(manifestOf(repositoryRoot).dependencies as object);

let fromTarball: string;
beforeAll(() => {
  const [{ filename }] = JSON.parse(
    run(repositoryRoot, "npm", "pack", "--ignore-scripts", "--json", "--pack-destination", folder),
  ) as [{ filename: string }];
  fromTarball = projectWith("from-tarball", join(folder, filename), "--omit=dev");
}, 900_000);

describe("the tarball", () => {
  test("is complete: a preview shows the component's resources, the policy pack runs, and the CLI prints its version", () => {
    run(fromTarball, "pulumi", "stack", "init", "dev");
    const pack = join("node_modules", "hypershift-network", "policy");
    const output = run(fromTarball, "pulumi", "preview", "--policy-pack", pack, "--diff=false");
    expect(output).toContain("hypershift-network:index:HostedControlPlaneSecurityGroups");
    expect(output).toMatch(/✅ +hypershift-network/);
    expect(run(fromTarball, "npx", "hypershift-network", "--version").trim()).toBe(
      manifestOf(repositoryRoot).version,
    );
  }, 300_000);

  test("provides its schema, for which the language host installs only the package's runtime dependencies", () => {
    const at = installedIn(fromTarball);
    expect(manifestOf(at)).not.toHaveProperty("devDependencies");
    const schema = JSON.parse(
      run(fromTarball, "pulumi", "package", "get-schema", "./node_modules/hypershift-network"),
    ) as PackageSpec;
    expect(Object.keys(schema.resources ?? {})).toContain("hypershift-network:index:EgressFirewall");
    // The stand-in for the language host installs as Pulumi's own does, and runs the package's scripts.
    const added = readdirSync(join(at, "node_modules"));
    expect(added).toEqual(expect.arrayContaining(dependencies.filter((name) => !name.startsWith("@"))));
    expect(added).not.toEqual(expect.arrayContaining(["jest"]));
    expect(development).toContain("oxlint");
    expect(development.filter((name) => existsIn(at, name))).toEqual([]);
    run(at, "npm", "run", "prepare");
    expect(existsSync(join(at, "dist", ".tsbuildinfo"))).toBe(false);
  }, 600_000);
});

/** A program as users write it, in TypeScript. */
const TYPED_PROGRAM = `
import * as pulumi from "@pulumi/pulumi";
import { HostedControlPlaneSecurityGroups, Platform, type HostedClusterTopology } from "hypershift-network";
import { judge } from "hypershift-network/testing";

const topology: HostedClusterTopology = {
  name: "tenant-a",
  platform: "AWS",
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  managementClusterCidrs: ["10.1.0.0/16"],
};
const groups = new HostedControlPlaneSecurityGroups("typed", { vpcId: "vpc-0a1b2c3d", topology });
const ids: pulumi.Output<string> = groups.controlPlaneSecurityGroupId;
export const platform = [Platform.AWS, typeof judge];
export { ids };
`;
const TYPED_PACK = `
import { policies } from "hypershift-network/policy";

export const ours: number = policies({ configuration: { rules: { all: "advisory" } } }).length;
`;

/** What \`pulumi new typescript\` writes. */
const COMPILER_OPTIONS = {
  strict: true,
  outDir: "bin",
  target: "es2020",
  module: "commonjs",
  moduleResolution: "node",
  sourceMap: true,
  experimentalDecorators: true,
  noFallthroughCasesInSwitch: true,
  noImplicitReturns: true,
  forceConsistentCasingInFileNames: true,
};
const NODE16 = { module: "node16", moduleResolution: "node16" };

describe("the types of the tarball", () => {
  let project: string;
  beforeAll(() => {
    // Modules are found in the parent folder, as in a workspace.
    project = join(fromTarball, "typed");
    mkdirSync(project);
    run(fromTarball, "npm", "install", "--save-dev", "typescript@^5", "@types/node@^20");
  }, 300_000);

  const compile = (type: "commonjs" | "module", source: string, more: object) => {
    rmSync(join(project, "bin"), { recursive: true, force: true });
    writeFileSync(
      join(project, "package.json"),
      JSON.stringify({ name: "typed", version: "1.0.0", type, main: "bin/index.js" }),
    );
    writeFileSync(join(project, "index.ts"), source);
    writeFileSync(
      join(project, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...COMPILER_OPTIONS, ...more }, files: ["index.ts"] }),
    );
    run(project, process.execPath, join(fromTarball, "node_modules", "typescript", "bin", "tsc"), "-p", ".");
  };

  test.each([
    ["as Pulumi's template has it", "commonjs", {}],
    ["with moduleResolution node16", "commonjs", NODE16],
    ["as an ES module", "module", NODE16],
    ["with exactOptionalPropertyTypes", "commonjs", { ...NODE16, exactOptionalPropertyTypes: true }],
  ] as const)("compile in a program %s, which can then be previewed", (name, type, more) => {
    // Declarations of @pulumi/policy 1.21.0 name things that do not exist.
    compile(type, TYPED_PACK, { ...more, skipLibCheck: true });
    compile(type, TYPED_PROGRAM, more);
    const stack = name.replace(/\W+/g, "-");
    writeFileSync(join(project, "Pulumi.yaml"), "name: typed\nruntime: nodejs\n");
    run(project, "pulumi", "stack", "init", stack);
    const output = run(project, "pulumi", "preview", "--diff=false");
    expect(output).toContain("hypershift-network:index:HostedControlPlaneSecurityGroups");
  });
});

describe("the policies of the tarball", () => {
  test("are a separate folder that can be packed, installed elsewhere and run", () => {
    const [{ filename }] = JSON.parse(
      run(
        join(installedIn(fromTarball), "dist", "policy"),
        "npm",
        "pack",
        "--json",
        "--pack-destination",
        folder,
      ),
    ) as [{ filename: string }];
    const pack = join(folder, "published");
    mkdirSync(pack);
    run(pack, "tar", "-xzf", join(folder, filename), "--strip-components", "1");
    expect(readdirSync(pack).sort()).toEqual([
      "PulumiPolicy.yaml",
      "README.md",
      "index.js",
      "pack.js",
      "package.json",
      "supportedNode.js",
    ]);
    run(pack, "npm", "install", "--omit=dev");
    expect(existsIn(pack, "hypershift-network")).toBe(false);
    expect(run(fromTarball, "pulumi", "preview", "--policy-pack", pack)).toMatch(/✅ +hypershift-network/);
  }, 600_000);

  test("can be part of a custom policy pack that contains their configuration", () => {
    const pack = join(fromTarball, "acme");
    mkdirSync(pack);
    writeFileSync(join(pack, "PulumiPolicy.yaml"), "runtime: nodejs\nmain: index.js\n");
    writeFileSync(join(pack, "package.json"), JSON.stringify({ name: "acme", version: "1.0.0" }));
    writeFileSync(join(pack, "index.js"), OWN_PACK);
    const output = run(fromTarball, "pulumi", "preview", "--policy-pack", pack);
    expect(output).toContain("cidr-reserved-overlap");
    expect(output).toContain("100.64.0.0/16");
    expect(output).toContain("acme-own");
  }, 300_000);
});

/** A team's policy pack in which our policies are advisory. */
const OWN_PACK = `
const { PolicyPack } = require("@pulumi/policy");
const { policies } = require("hypershift-network/policy");
new PolicyPack("acme", {
  enforcementLevel: "advisory",
  policies: [
    ...policies({
      configuration: {
        hostedClusters: [{ name: "tenant-a", infrastructureCidrs: [{ name: "corporate", cidr: "100.64.0.0/16" }] }],
        rules: { all: "advisory" },
      },
    }),
    {
      name: "acme-own",
      description: "Says something of every stack.",
      enforcementLevel: "advisory",
      validateStack: (_, report) => report("acme was asked"),
    },
  ],
});
`;

const existsIn = (at: string, name: string): boolean => {
  try {
    return readdirSync(join(at, "node_modules", name)).length > 0;
  } catch {
    return false;
  }
};

test("an installation from git is built, and has the same files and manifest as the tarball", () => {
  const clone = join(folder, "clone");
  copyRepository(clone);
  const git = (...args: string[]) => execFileSync("git", ["-C", clone, ...args], { encoding: "utf8" });
  git("init", "--quiet");
  git("add", "--all");
  git("-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "--quiet", "--message", "all");
  const fromGit = projectWith("from-git", `git+file://${clone}`);
  expect(filesIn(installedIn(fromGit))).toEqual(filesIn(installedIn(fromTarball)));
  expect(manifestOf(installedIn(fromGit))).toEqual(manifestOf(installedIn(fromTarball)));
  run(fromGit, "pulumi", "stack", "init", "dev");
  const pack = join("node_modules", "hypershift-network", "policy");
  expect(run(fromGit, "pulumi", "preview", "--policy-pack", pack)).toMatch(/✅ +hypershift-network/);
}, 1_200_000);
