import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder that holds package.json and Pulumi.yaml, whether this runs from the sources or from `dist`. */
export const repositoryRoot: string = findRoot(__dirname);

/**
 * A program of local/ that runs in a process of its own, hence compiled: `compiled("local/engine/languageHost")`.
 * Fails with the command that makes it when it is not there.
 */
export function compiled(program: string): string {
  const file = join(repositoryRoot, "dist", `${program}.js`);
  if (!existsSync(file)) {
    throw new Error(`${file} is missing: run \`npm run build\` first`);
  }
  return file;
}

function findRoot(folder: string): string {
  if (existsSync(join(folder, "Pulumi.yaml")) && existsSync(join(folder, "package-lock.json"))) {
    return folder;
  }
  const parent = dirname(folder);
  if (parent === folder) {
    throw new Error("hypershift-network's local parts run from a clone of its repository only");
  }
  return findRoot(parent);
}
