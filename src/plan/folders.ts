import { readdirSync, realpathSync, statSync } from "node:fs";
import { extname, join } from "node:path";

import type { InputFault } from "./inputFault";
import { unreadable } from "./readBytes";

/** The files of a folder that may hold something to judge. */
export interface FolderFiles {
  files: string[];
  faults: InputFault[];
}

const EXTENSIONS: ReadonlySet<string> = new Set([".yaml", ".yml", ".json"]);

/** What others put into folders, and nobody means. */
const PASSED_OVER: ReadonlySet<string> = new Set(["node_modules"]);

/** YAML and JSON files of a folder and those in it, in the order of their names. Links are followed, each folder once. */
export function filesIn(folder: string): FolderFiles {
  const found: FolderFiles = { files: [], faults: [] };
  collect(folder, new Set(), found);
  return found;
}

function collect(folder: string, seen: Set<string>, found: FolderFiles): void {
  try {
    const real = realpathSync(folder);
    if (seen.has(real)) return;
    seen.add(real);
    const names = readdirSync(folder).filter((name) => !name.startsWith(".") && !PASSED_OVER.has(name));
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
