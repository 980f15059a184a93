import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { parse } from "acorn";

import { repositoryRoot } from "../local/repository";

const manifest = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
  bin: Record<string, string>;
  exports: Record<string, string>;
};
const folder = mkdtempSync(join(tmpdir(), "supported-node-"));
const pretended = join(folder, "pretended.js");
const supportedNode = join(repositoryRoot, "src", "supportedNode.js");

beforeAll(() =>
  writeFileSync(
    pretended,
    `const Module = require("module");
     Object.defineProperty(process, "versions", { value: { ...process.versions, node: process.env.PRETENDED } });
     const load = Module._load;
     const loaded = [];
     Module._load = (request, ...rest) => (loaded.push(request), load(request, ...rest));
     process.on("exit", () => process.env.PRETENDED_LOADED && console.log(loaded.join(" ")));`,
  ),
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs Node.js and makes it report another version. */
function pretend(version: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", pretended, ...args], {
    cwd: repositoryRoot,
    encoding: "utf8",
    env: { ...process.env, PRETENDED: version, ...env },
  });
  return { status, stdout: stdout.trim(), stderr: stderr.trim() };
}

const words = (version: string) =>
  `hypershift-network needs Node.js 20.19, 22.12 or newer; this is ${version}: install one of these`;

describe("the supported versions of Node.js", () => {
  test.each(["0.12.18", "12.22.12", "18.20.0", "20.18.3", "21.7.3", "22.11.0"])(
    "do not include %s, which is rejected with a message and no stack",
    (version) => {
      const { status, stderr } = pretend(version, [
        "-e",
        `try { require(${JSON.stringify(supportedNode)}) } catch (error) { console.error(error.stack) }`,
      ]);
      expect(stderr).toBe(words(version));
      expect(status).toBe(0);
    },
  );

  test.each(["20.19.0", "20.20.2", "22.12.0", "23.0.0", "24.11.1", "30.1.0-nightly"])(
    "include %s",
    (version) => {
      expect(pretend(version, [supportedNode])).toEqual({ status: 0, stdout: "", stderr: "" });
    },
  );
});

describe("an older Node.js", () => {
  const version = "18.20.0";

  test.each(Object.values(manifest.bin))("gets a message and status 2 from the command %s", (file) => {
    expect(pretend(version, [file, "check", "plan.json"])).toEqual({
      status: 2,
      stdout: "",
      stderr: words(version),
    });
  });

  const imported = Object.entries(manifest.exports).filter(([, file]) => file.endsWith(".js"));
  test.each(imported)("cannot import %s, and gets the reason", (name) => {
    const { status, stderr } = pretend(version, ["-e", `require("hypershift-network${name.slice(1)}")`]);
    expect(stderr).toContain(words(version));
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(status).toBe(1);
  });

  test("cannot run the policy pack, and gets the reason", () => {
    const { status, stderr } = pretend(version, ["dist/policy/index.js"]);
    expect(stderr).toContain(words(version));
    expect(status).toBe(1);
  });

  test.each([...Object.values(manifest.bin), "dist/policy/index.js"])(
    "loads nothing else before %s has checked the version",
    (file) => {
      const { stdout } = pretend(version, [file], { PRETENDED_LOADED: "yes" });
      const loaded = stdout.split(" ").filter((request) => !request.startsWith("/"));
      expect(loaded.filter((request) => !/^(fs|path|\.{1,2}\/(src\/)?supportedNode)$/.test(request))).toEqual(
        [],
      );
    },
  );

  test.each([
    "dist/src/supportedNode.js",
    "dist/src/cli/main.js",
    "dist/policy/index.js",
    "dist/index.js",
    "dist/main.js",
  ])("can parse %s, which is ES5", (file) => {
    const text = readFileSync(join(repositoryRoot, file), "utf8");
    expect(() => parse(text, { ecmaVersion: 5, sourceType: "script", allowHashBang: true })).not.toThrow();
  });
});
