// What npm runs after `npm install` in a clone, before it packs, and where somebody installs the package from git.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const { npm_execpath: npm, npm_command: command } = process.env;

if (existsSync("node_modules/typescript/bin/tsc")) {
  const { status } = spawnSync(process.execPath, [npm, "run", "build"], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} else if (command === "pack" || command === "publish") {
  process.stderr.write("nothing can be compiled without the packages for development: run npm ci\n");
  process.exitCode = 1;
}
// Without a compiler, as after `npm install --omit=dev`, Pulumi loads the sources by itself.
