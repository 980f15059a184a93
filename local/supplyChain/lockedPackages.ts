import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A package that users install with this one, as recorded in the lock file. */
export interface LockedPackage {
  /** Its folder under the root; unlike names, folders are unique. */
  folder: string;
  name: string;
  version: string;
  /** The licence in its package.json, as npm copied it. Undefined if that states none. */
  license?: string;
  hasIntegrity: boolean;
  /** Whether it runs an install script. */
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

/** The packages of a lock file that users install with this one: without the packages that compile, lint and test it. */
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
