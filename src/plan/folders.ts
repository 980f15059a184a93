import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";

import type { InputFault } from "./inputFault";
import { unreadable } from "./readBytes";

/** The files of a folder that may hold something to judge. */
export interface FolderFiles {
  files: string[];
  faults: InputFault[];
}

/** Whether a file in a folder, also one that is not there yet, is among those that are read with it. */
export function wouldRead(folder: string, file: string): boolean {
  try {
    const [around, inside] = [realpathSync(folder), realpathSync(dirname(resolve(file)))];
    if (!statSync(around).isDirectory()) return false;
    const steps = relative(around, join(inside, basename(file))).split(sep);
    return steps.every((step) => !isPassedOver(step)) && EXTENSIONS.has(extname(file).toLowerCase());
  } catch {
    return false;
  }
}

const EXTENSIONS: ReadonlySet<string> = new Set([".yaml", ".yml", ".json"]);

/** What others put into folders, and the user does not mean. */
const PASSED_OVER: ReadonlySet<string> = new Set(["node_modules"]);
const isPassedOver = (name: string): boolean => name.startsWith(".") || PASSED_OVER.has(name);

/** YAML and JSON files of a folder and those in it, in the order of their names. Links are followed, each folder once. */
export function filesIn(folder: string): FolderFiles {
  const found: FolderFiles = { files: [], faults: [] };
  collect(folder, new Set(), found);
  return found;
}

function collect(folder: string, seen: Set<string>, found: FolderFiles): void {
  try {
    // By what the file system calls it: its real path is looked up step by step, which takes long in deep folders.
    const { dev, ino } = statSync(folder);
    const real = `${dev}:${ino}`;
    if (seen.has(real)) return;
    seen.add(real);
    const names = readdirSync(folder).filter((name) => !isPassedOver(name));
    for (const name of names.sort()) visit(join(folder, name), seen, found);
  } catch (error) {
    found.faults.push(unreadable(folder, error));
  }
}

/** A link to nothing is a fault where its name says that it would be read. */
function visit(path: string, seen: Set<string>, found: FolderFiles): void {
  const isNamed = EXTENSIONS.has(extname(path).toLowerCase());
  try {
    const status = statSync(path);
    if (status.isDirectory()) collect(path, seen, found);
    else if (isNamed && status.isFile()) found.files.push(path);
  } catch (error) {
    if (isNamed) found.faults.push(unreadable(path, error));
  }
}
