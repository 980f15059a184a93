#!/usr/bin/env node
// `node local/run.mjs COMMAND [ARG...]`: the entry point of `npm run quickstart`, `npm test` and others. A fresh clone has no
// dependencies and no compiled code, so this file uses neither: it installs and builds them, then runs the command.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { clearInterval, setInterval } from "node:timers";
import { fileURLToPath } from "node:url";

// Comes before everything that older versions of Node.js lack.
try {
  createRequire(import.meta.url)("../src/supportedNode.js");
} catch (error) {
  fail(2, error.message);
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const programs = {
  quickstart: "quickstart",
  test: "test",
  "test-versions": "testVersions",
  bench: "bench",
  local: "local",
  "prove-rows": "proveRows",
  mutation: "mutation",
  oracle: "oracle",
  fuzz: "fuzz",
  agree: "agree",
  "fleet-oracle": "fleetOracle",
  growth: "growth",
  "supply-chain": "supplyChain",
  languages: "languages",
};
const sources = [
  "index.ts",
  "main.js",
  "src",
  "policy",
  "local",
  "examples",
  "bench",
  "tsconfig.json",
  "tsconfig.build.json",
];
const stamp = join(root, "dist", ".built-from");

const [command, ...args] = process.argv.slice(2);
if (!Object.hasOwn(programs, command ?? "")) {
  fail(2, `usage: node local/run.mjs ${Object.keys(programs).join("|")} [argument...]`);
}

if (dependenciesAreStale()) {
  // The build follows in any case, and no dependency needs an install script to work.
  await step(
    "installing dependencies (npm ci)",
    npm("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"),
  );
}
const state = stateOfSources();
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== state) {
  await step("compiling", [
    process.execPath,
    join("node_modules", "typescript", "bin", "tsc"),
    "-p",
    "tsconfig.build.json",
  ]);
  await step("bundling", [process.execPath, join("local", "bundle.mjs")]);
  await step("writing the schema for other languages", [process.execPath, join("local", "schema.mjs")]);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, state);
}
await handOver([
  process.execPath,
  join(root, "dist", "local", "commands", `${programs[command]}.js`),
  ...args,
]);

function dependenciesAreStale() {
  const installed = join(root, "node_modules", ".package-lock.json");
  return !existsSync(installed) || modified(installed) < modified(join(root, "package-lock.json"));
}

/** Changes whenever a source file is changed, added or removed. */
function stateOfSources() {
  const hash = createHash("sha256").update(process.version);
  const visit = (path) => {
    const about = statSync(path, { throwIfNoEntry: false });
    if (about?.isDirectory()) {
      readdirSync(path)
        .sort()
        .filter((name) => name !== "node_modules")
        .forEach((name) => visit(join(path, name)));
    } else if (about) {
      hash.update(`${path} ${about.size} ${about.mtimeMs}\n`);
    }
  };
  sources.forEach((name) => visit(join(root, name)));
  return hash.digest("hex");
}

function modified(file) {
  return statSync(file).mtimeMs;
}

/** The npm that started this process, else the one on PATH. */
function npm(...rest) {
  const { npm_execpath: script } = process.env;
  return script?.endsWith(".js") ? [process.execPath, script, ...rest] : ["npm", ...rest];
}

/** Runs a command that the user waits for: shows its name and running time, and its output only if it fails. */
async function step(what, [program, ...rest]) {
  const start = Date.now();
  const seconds = () => `${Math.round((Date.now() - start) / 1000)} s`;
  const live = process.stderr.isTTY;
  process.stderr.write(live ? `${what} ...` : `${what} ...\n`);
  const shown = setInterval(
    () => process.stderr.write(live ? `\r\x1b[K${what} ... ${seconds()}` : `${what} ... ${seconds()}\n`),
    live ? 1_000 : 15_000,
  );
  const child = spawn(program, rest, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const status = await statusOf(child);
  clearInterval(shown);
  if (status !== 0) {
    fail(status, `${live ? "\n" : ""}${output.trimEnd()}\n${what}: failed after ${seconds()}`);
  }
  process.stderr.write(live ? `\r\x1b[K` : `${what}: done in ${seconds()}\n`);
}

/** Runs the actual command on this terminal and exits as it does, also after a signal. */
async function handOver([program, ...rest]) {
  const child = spawn(program, rest, { stdio: "inherit" });
  // Ctrl-C reaches the whole foreground group: the command shuts down by itself, and this process waits for it.
  process.on("SIGINT", () => {});
  for (const name of ["SIGTERM", "SIGHUP"]) {
    process.on(name, () => child.kill(name));
  }
  process.exit(await statusOf(child));
}

function statusOf(child) {
  return new Promise((resolve) => {
    child.on("error", (error) => fail(127, error.message));
    child.on("close", (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 1)));
  });
}

function fail(status, message) {
  process.stderr.write(`${message}\n`);
  process.exit(status);
}
