import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

import { repositoryRoot } from "../local/repository";

/** The package that users get, as `npm run build` creates it. */
describe("the package", () => {
  const read = (file: string) => readFileSync(join(repositoryRoot, file), "utf8");
  const node = (program: string) =>
    execFileSync(process.execPath, ["-e", program], { cwd: repositoryRoot, encoding: "utf8" });
  let files: string[];

  beforeAll(() => {
    const args = ["pack", "--dry-run", "--ignore-scripts", "--json"];
    const [{ files: packed }] = JSON.parse(
      execFileSync("npm", args, { cwd: repositoryRoot, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }),
    ) as [{ files: { path: string }[] }];
    files = packed.map(({ path }) => path);
  });

  /** Patterns of the files that are packed. */
  const PACKED = [
    /^(package\.json|LICENSE|README\.md|CHANGELOG\.md|PulumiPlugin\.yaml)$/,
    /^dist\/(index|main|src\/.+|policy\/\w+)\.(js|js\.map|d\.ts)$/,
    /^dist\/schema\.json$/,
    /^src\/cli\/configuration\.schema\.json$/,
    /^dist\/policy\/(package\.json|PulumiPolicy\.yaml|README\.md)$/,
    /^policy\/(package\.json|PulumiPolicy\.yaml)$/,
    /^(ci|rbac)\/.+\.(ya?ml|sh|mjs|md)$/,
    /^docs\/[\w-]+\.(md|svg)$/,
    /^examples\/.+\.(ts|json|ya?ml|py|txt|md)$/,
  ];

  test("contains compiled code, types and maps, documents and examples, and no other file", () => {
    expect(files.filter((file) => !PACKED.some((pattern) => pattern.test(file)))).toEqual([]);
    expect(PACKED.filter((pattern) => !files.some((file) => pattern.test(file)))).toEqual([]);
  });

  test("has types and a map for every compiled file, except those that old versions of Node.js read", () => {
    const compiled = files.filter((file) => /^dist\/(index|main|src\/.+)\.js$/.test(file));
    expect(compiled.length).toBeGreaterThan(400);
    const bare = compiled.filter(
      (file) => !files.includes(`${file}.map`) || !files.includes(file.replace(/js$/, "d.ts")),
    );
    expect(bare).toEqual(["dist/main.js", "dist/src/cli/main.js", "dist/src/supportedNode.js"]);
  });

  test("has maps that contain their sources, which are not packed", () => {
    const map = JSON.parse(read("dist/src/text.js.map")) as { sourcesContent: string[] };
    expect(map.sourcesContent).toEqual([read("src/text.ts")]);
  });

  test("says that the working folder does not exist any more", () => {
    const gone = 'cd "$(mktemp -d)" && rmdir "$PWD" && exec "$0" "$1" check a.yaml';
    const command = ["-c", gone, process.execPath, join(repositoryRoot, "dist/src/cli/main.js")];
    const { status, stderr } = spawnSync("sh", command, { encoding: "utf8" });
    expect([status, stderr]).toEqual([
      2,
      "hypershift-network: the working folder does not exist any more: change into another one\n",
    ]);
  });

  test("has the help in one file without the commands, which are loaded only when they are called", () => {
    const parts = [...read("dist/src/cli/commandLine.js").matchAll(/^\/\/ (src\/.*)$/gm)].map(
      ([, file]) => file!,
    );
    expect([...new Set(parts)].sort()).toEqual([
      "src/cli/commandLine.ts",
      "src/cli/commands.ts",
      "src/cli/options.ts",
      "src/cli/prefetch.ts",
      "src/cli/program.ts",
      "src/cli/terminal.ts",
      "src/plan/readAhead.ts",
      "src/text.ts",
    ]);
  });

  /** Pages about the repository itself, which link to files that only a clone has. */
  const OF_THE_REPOSITORY = ["docs/contributing.md", "examples/README.md"];

  test("has only links to packed files in its documents", () => {
    const pages = files.filter((file) => file.endsWith(".md") && !OF_THE_REPOSITORY.includes(file));
    const dead = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)]
        .map(([, target]) => normalize(join(dirname(page), target!)).replace(/\/$/, ""))
        .filter((target) => !files.some((file) => file === target || file.startsWith(`${target}/`)))
        .map((target) => `${page} -> ${target}`),
    );
    expect(dead).toEqual([]);
    expect(read("dist/policy/README.md")).toContain("docs/check.md of hypershift-network");
  });

  test("contains only one source file: the schema of the configuration, which a command prints", () => {
    const packed = files.filter((file) => file.startsWith("src/"));
    expect(packed).toEqual(["src/cli/configuration.schema.json"]);
  });

  test("exports the components by its name and by the path of its folder", () => {
    const exported = (module: string) =>
      node(`console.log(Object.keys(require(${JSON.stringify(module)})).sort().join())`);
    const byName = exported("hypershift-network");
    expect(byName).toContain("HostedControlPlaneSecurityGroups,");
    expect(exported(repositoryRoot)).toBe(byName);
  });

  test("loads no client of a cluster or a cloud before a command needs it", () => {
    const clients = (module: string) =>
      node(`require(${JSON.stringify(module)});
        console.log(Object.keys(require.cache).filter((file) => /@aws-sdk|@kubernetes[\\\\/]client-node/.test(file)).length)`);
    expect(
      ["./dist/index.js", "./dist/policy/library.js", "./dist/src/testing/index.js"].map(clients),
    ).toEqual(Array(3).fill("0\n"));
  });

  test("depends on Pulumi by caret ranges, so that it shares one copy with the program", () => {
    const { dependencies } = JSON.parse(read("package.json")) as { dependencies: Record<string, string> };
    const ranges = Object.entries(dependencies).filter(([name]) => name.startsWith("@pulumi/"));
    expect(ranges).toHaveLength(4);
    expect(ranges.filter(([, range]) => !/^\^\d+\.\d+\.\d+$/.test(range))).toEqual([]);
    expect(existsSync(join(repositoryRoot, "dist"))).toBe(true);
  });
});
