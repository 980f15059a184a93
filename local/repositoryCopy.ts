import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { repositoryRoot } from "./repository";

const NOT_COPIED = new Set(["node_modules", "dist", ".git", ".hypershift-network", "coverage"]);

/** Copies the sources as they are. Keeps `node_modules` of an earlier copy, and removes sources that no longer exist. */
export function copyRepository(copy: string): void {
  mkdirSync(copy, { recursive: true });
  readdirSync(copy)
    .filter((name) => name !== "node_modules")
    .forEach((name) => rmSync(join(copy, name), { recursive: true }));
  readdirSync(repositoryRoot)
    .filter((name) => !NOT_COPIED.has(name))
    .forEach((name) => cpSync(join(repositoryRoot, name), join(copy, name), { recursive: true }));
  if (!existsSync(join(copy, "package.json"))) {
    throw new Error(`${repositoryRoot} could not be copied to ${copy}`);
  }
}
