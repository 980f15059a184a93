import { existsSync, lstatSync, statSync, type Stats } from "node:fs";
import { dirname, join, relative } from "node:path";

import type { InputFault } from "./inputFault";
import { unreadable } from "./readBytes";

/** What the configuration is called where it is not named. */
export const CONFIGURATION_NAMES = ["hypershift-network.yaml", "hypershift-network.yml"] as const;

/** A configuration that was found, not named. Both are absent where there is none. */
export interface FoundConfiguration {
  /** Its path from the folder where the search began. */
  file?: string;
  /** Why it is not read. */
  fault?: InputFault;
}

/**
 * Looks for the configuration in a folder and its parents, up to the root of the repository that the folder is in; the nearest
 * one counts. Outside of a repository only the folder is looked at.
 *
 * @param isTrusted whether files of a user are read
 */
export function findConfiguration(from: string, isTrusted: Trust = trust()): FoundConfiguration {
  for (const folder of foldersFrom(from)) {
    const [file, other] = configurationsIn(folder).map((path) => relative(from, path));
    if (file === undefined) continue;
    if (other !== undefined) return refused(file, `lies beside ${other}, and one of the two counts`);
    return judged(from, file, isTrusted);
  }
  return {};
}

/** The configurations that lie in a folder. */
export const configurationsIn = (folder: string): string[] =>
  CONFIGURATION_NAMES.map((name) => join(folder, name)).filter(isThere);

/** A link to nothing is there, too. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** A link is its owner's word, and what it leads to that of another one. */
function judged(from: string, file: string, isTrusted: Trust): FoundConfiguration {
  const path = join(from, file);
  try {
    const [link, target] = [lstatSync(path), statSync(path)];
    if (!target.isFile()) return refused(file, "is no file");
    const stranger = [link, target].find(({ uid }) => !isTrusted(uid));
    return stranger ? refused(file, describeOwner(stranger)) : { file };
  } catch (error) {
    const { problem } = unreadable(file, error);
    return refused(file, problem);
  }
}

const describeOwner = ({ uid }: Stats): string => `belongs to another user (uid ${uid})`;

const refused = (file: string, problem: string): FoundConfiguration => ({
  fault: {
    file,
    problem: `${problem}, and it was not named`,
    remedy: "name the configuration with --config, or leave it out with --no-config",
  },
});

/** Whether files of a user, by his number, are read. */
type Trust = (uid: number) => boolean;

/** Root can write everybody's files; who became root by sudo has his own files still, as for git. Windows has no numbers. */
function trust(): Trust {
  const own = process.geteuid?.();
  if (own === undefined) return () => true;
  const before = own === 0 && process.env.SUDO_UID ? [Number(process.env.SUDO_UID)] : [];
  const trusted = new Set([0, own, ...before]);
  return (uid) => trusted.has(uid);
}

/** A folder and its parents up to the root of the repository, on one file system. */
function foldersFrom(from: string): string[] {
  const folders: string[] = [];
  const device = deviceOf(from);
  for (let folder = from; deviceOf(folder) === device; folder = dirname(folder)) {
    folders.push(folder);
    if (existsSync(join(folder, ".git"))) return folders;
    if (dirname(folder) === folder) break;
  }
  return [from];
}

const deviceOf = (folder: string): number | undefined => {
  try {
    return statSync(folder).dev;
  } catch {
    return undefined;
  }
};
