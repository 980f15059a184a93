import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { PackageSpec } from "@pulumi/pulumi/provider/experimental/schema";

import { repositoryRoot } from "../../local/repository";
import type { Session } from "../../local/session";
import { packageJson } from "../schema/schema";
import { schemaText } from "../schema/schemaText";
import { sharedSession } from "./sharedSession";

/** The declarations of a schema. The engine sorts names, the analyzer keeps them in source order. */
const inOrder = (text: string) =>
  text
    .trim()
    .split("\n\n")
    .map((declaration) => {
      const [head, ...properties] = declaration.split("\n");
      return [head, ...properties.sort()].join("\n");
    })
    .sort();

/** What `pulumi package add` sees of the package, through the engine and the language host. */
describe("pulumi package get-schema", () => {
  const folder = mkdtempSync(join(tmpdir(), "package-schema-"));
  let session: Session;

  beforeAll(async () => {
    session = await sharedSession(folder);
  });
  afterAll(async () => {
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("gives users of other languages the components of the golden file", () => {
    // Must work without compiled files.
    const noAnalyzer = join(folder, "noAnalyzer.js");
    writeFileSync(
      noAnalyzer,
      `const Module = require("node:module");
      const load = Module._load;
      Module._load = function (request, ...rest) {
        const loaded = load.call(this, request, ...rest);
        return /experimental.analyzer$|^\\.\\/analyzer$/.test(request)
          ? { ...loaded, Analyzer: class { constructor() { throw new Error("the package is compiled"); } } }
          : loaded;
      };`,
    );
    // From another folder: the repository has both Pulumi.yaml and PulumiPlugin.yaml, which the command refuses.
    const { status, stdout, stderr } = spawnSync("pulumi", ["package", "get-schema", repositoryRoot], {
      cwd: folder,
      env: { ...session.env, NODE_OPTIONS: `--require ${noAnalyzer}` },
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
    const schema = JSON.parse(stdout) as PackageSpec;
    expect(schema).toMatchObject({ name: packageJson.name, version: packageJson.version });
    const golden = readFileSync(join(repositoryRoot, "test/golden/schema.txt"), "utf8");
    expect(inOrder(schemaText(schema))).toEqual(inOrder(golden));
  });
});
