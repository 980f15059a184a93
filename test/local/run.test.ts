import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { repositoryRoot } from "../../local/repository";

let clone: string;

/** A clone with the real run.mjs, and with a compiler, a bundler, a schema writer, an npm and a command that only log that they ran. */
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "clone-"));
  mkdirSync(join(clone, "local"));
  mkdirSync(join(clone, "src"));
  for (const file of ["local/run.mjs", "src/supportedNode.js", "package.json"])
    copyFileSync(join(repositoryRoot, file), join(clone, file));
  put("package-lock.json", "{}");
  put("index.ts", "export {};");
  put("src/one.ts", "export {};");
  put("compiler.js", logging("compiled"));
  for (const [file, did] of [
    ["bundle", "bundled"],
    ["schema", "described"],
  ] as const)
    put(
      `local/${file}.mjs`,
      `import { createRequire } from "node:module"; const require = createRequire(import.meta.url); ${logging(did)}`,
    );
  put("command.js", `${logging("ran")} console.log(JSON.stringify(process.argv.slice(2))); process.exit(7);`);
  put(
    "npm.js",
    `${logging("npm")}
     const { mkdirSync, copyFileSync, writeFileSync } = require("fs");
     mkdirSync("node_modules/typescript/bin", { recursive: true });
     mkdirSync("dist/local/commands", { recursive: true });
     copyFileSync("compiler.js", "node_modules/typescript/bin/tsc");
     copyFileSync("command.js", "dist/local/commands/test.js");
     writeFileSync("node_modules/.package-lock.json", "{}");`,
  );
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

function put(file: string, content: string): void {
  mkdirSync(dirname(join(clone, file)), { recursive: true });
  writeFileSync(join(clone, file), content);
}

const logging = (what: string) =>
  `require("fs").appendFileSync(${JSON.stringify(join(clone, "log"))}, "${what} " + process.argv.slice(2).join(" ") + "\\n");`;

const log = () => readFileSync(join(clone, "log"), "utf8").trim().split("\n");
const env = () => ({ ...process.env, npm_execpath: join(clone, "npm.js") });
const run = (...args: string[]) =>
  spawnSync(process.execPath, [join(clone, "local", "run.mjs"), ...args], { encoding: "utf8", env: env() });

describe("the start of every npm script", () => {
  test("installs and compiles in a fresh clone, then runs the command with its arguments and its exit status", () => {
    const { status, stdout, stderr } = run("test", "test/address", "-t", "a b");
    expect(stdout.trim()).toBe('["test/address","-t","a b"]');
    expect(status).toBe(7);
    expect(log()).toEqual([
      "npm ci --ignore-scripts --no-audit --no-fund --loglevel=error",
      "compiled -p tsconfig.build.json",
      "bundled ",
      "described ",
      "ran test/address -t a b",
    ]);
    expect(stderr).toMatch(/installing dependencies.*done in \d+ s[^]*compiling.*done in \d+ s/);
  });

  test("neither installs nor compiles a second time", () => {
    run("test");
    rmSync(join(clone, "log"));
    run("test");
    expect(log()).toEqual(["ran"]);
  });

  test("compiles again after a source file is added or removed, and installs again for a newer lock file", () => {
    run("test");
    put("src/two.ts", "export {};");
    run("test");
    rmSync(join(clone, "src", "one.ts"));
    run("test");
    const later = Date.now() / 1000 + 60;
    utimesSync(join(clone, "package-lock.json"), later, later);
    run("test");
    const count = (what: string) => log().filter((line) => line.startsWith(what)).length;
    expect([count("compiled"), count("npm")]).toEqual([3, 2]);
  });

  test("fails if the compiler finds a fault, and shows the compiler's output", () => {
    put("compiler.js", `console.log("index.ts(1,1): error"); process.exit(2);`);
    const { status, stderr } = run("test");
    expect(status).toBe(2);
    expect(stderr).toContain("index.ts(1,1): error");
    expect(existsSync(join(clone, "dist", ".built-from"))).toBe(false);
  });

  test("refuses an unknown command", () => {
    const { status, stderr } = run("nonsense");
    expect(status).toBe(2);
    expect(stderr).toContain("quickstart|test|test-versions|bench|local");
  });

  test("refuses an older Node.js with a message before it installs anything", () => {
    put("old.cjs", `Object.defineProperty(process, "versions", { value: { node: "20.18.0" } });`);
    const { status, stderr } = spawnSync(
      process.execPath,
      ["--require", join(clone, "old.cjs"), join(clone, "local", "run.mjs"), "test"],
      { encoding: "utf8", env: env() },
    );
    expect(stderr).toBe(
      "hypershift-network needs Node.js 20.19, 22.12 or newer; this is 20.18.0: install one of these\n",
    );
    expect(status).toBe(2);
    expect(existsSync(join(clone, "log"))).toBe(false);
  });

  test("forwards a signal and exits with the status of the command", async () => {
    put(
      "command.js",
      `process.on("SIGTERM", () => process.exit(42)); setInterval(() => {}, 1000); ${logging("up")}`,
    );
    const running = spawn(process.execPath, [join(clone, "local", "run.mjs"), "test"], { env: env() });
    const ended = new Promise((resolve) => running.on("exit", resolve));
    while (!existsSync(join(clone, "log")) || !log().includes("up")) {
      await sleep(50);
    }
    running.kill("SIGTERM");
    expect(await ended).toBe(42);
  });
});
