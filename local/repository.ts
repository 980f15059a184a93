import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder that holds package.json and Pulumi.yaml, for both the sources and the compiled code in `dist`. */
export const repositoryRoot: string = findRoot(__dirname);

/**
 * The compiled file of a program in local/ that runs in its own process: `compiled("local/engine/languageHost")`. Throws
 * with the build command to run if the file is missing.
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
