import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A package that users get with this one, as the lock file has it. */
export interface LockedPackage {
  /** Its folder under the root, which is unique; names are not. */
  folder: string;
  name: string;
  version: string;
  /** What its package.json says, as npm copied it; absent where it says nothing. */
  license?: string;
  hasIntegrity: boolean;
  /** Whether it runs a script of its own when it is installed. */
  hasInstallScript: boolean;
}

interface Entry {
  version?: string;
  license?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  devOptional?: boolean;
  link?: boolean;
}

const FOLDER = "node_modules/";

/** The packages of a lock file that are installed with this one: all but what compiles, lints and tests it. */
export function productionPackages(lockFile: string): LockedPackage[] {
  const { packages } = JSON.parse(lockFile) as { packages: Record<string, Entry> };
  return Object.entries(packages)
    .filter(
      ([folder, { dev, devOptional, link }]) => folder.includes(FOLDER) && !dev && !devOptional && !link,
    )
    .map(([folder, { version = "", license, integrity, hasInstallScript }]) => ({
      folder,
      name: folder.slice(folder.lastIndexOf(FOLDER) + FOLDER.length),
      version,
      ...(license !== undefined && { license }),
      hasIntegrity: integrity !== undefined,
      hasInstallScript: hasInstallScript === true,
    }));
}

/** The lock file of a clone. */
export const lockFileOf = (root: string): string => readFileSync(join(root, "package-lock.json"), "utf8");
