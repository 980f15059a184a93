// npm runs this after `npm install` in a clone, before it packs, and when a user installs the package from git: compiles
// only what is packed.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const { npm_command: command } = process.env;
const COMPILER = "node_modules/typescript/bin/tsc";

if (existsSync(COMPILER)) {
  const steps = [[COMPILER, "-p", "tsconfig.package.json"], ["local/bundle.mjs"], ["local/schema.mjs"]];
  const failed = steps.find((step) => spawnSync(process.execPath, step, { stdio: "inherit" }).status !== 0);
  if (failed) process.exitCode = 1;
} else if (command === "pack" || command === "publish") {
  process.stderr.write("nothing can be compiled without the packages for development: run npm ci\n");
  process.exitCode = 1;
}
// Without a compiler, as after `npm install --omit=dev`, Pulumi loads the sources by itself.
