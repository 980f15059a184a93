import type { Fault } from "../fault";
import { faultsTogether } from "../gate/clusterFaults";
import type { JudgedResources } from "../gate/judgedResources";
import { readConfiguration } from "../gate/readConfiguration";
import type { InputFault } from "./inputs";
import { textOf } from "./parseJson";
import { readBytes, statusOf, unreadable } from "./files";
import { type ReadDocument, readPart, yamlParts } from "./yamlDocuments";
import { existsSync, lstatSync, type Stats, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type Configuration, NO_CONFIGURATION } from "../gate/configuration";

/** A configuration with all its faults and the lines of its properties. */
export interface ConfigurationFile {
  configuration: Configuration;
  faults: InputFault[];
  lineOf: (path: string) => number | undefined;
}

/**
 * Reads `hypershift-network.yaml`, or the same as JSON.
 *
 * @param rules ids of the existing rules
 * @param tolerated ids of rules whose faults the caller judges itself
 * @param name how faults and findings name the file
 */
export function readConfigurationFile(
  file: string,
  rules: readonly string[],
  tolerated: readonly string[] = [],
  name = file,
): ConfigurationFile {
  const { document, faults: broken } = readOneDocument(file, "write all hosted clusters into one list", name);
  if (broken)
    return {
      configuration: { ...NO_CONFIGURATION, file: name },
      faults: broken,
      lineOf: () => undefined,
    };
  const lineOf = (path: string) => document?.lineOf(path);
  const { configuration, faults: all } = readConfiguration(document?.value, name, rules);
  const refused = [...twiceIn(document), ...all].filter(
    ({ rule }) => rule === undefined || !tolerated.includes(rule),
  );
  const faults = refused.map((one) => located(one, name, lineOf(one.path)));
  return { configuration: { ...configuration, lineOf }, faults, lineOf };
}

/** The one document of a file, absent if the file is empty; or why it cannot be read. */
export type OneDocument =
  { document?: ReadDocument; faults?: undefined } | { document?: undefined; faults: InputFault[] };

/**
 * Reads a file of settings as YAML or JSON.
 *
 * @param together the fix if the file has more than one document
 * @param name how faults name the file
 */
export function readOneDocument(file: string, together: string, name = file): OneDocument {
  const { bytes, fault } = readBytes(file);
  if (fault) return { faults: [name === file ? fault : { ...fault, file: name }] };
  const documents = yamlParts(textOf(bytes)).flatMap((part) => readPart(part, name));
  const broken = documents.flatMap((one) => one.fault ?? []);
  if (broken.length > 0) return { faults: broken };
  const filled = documents.filter(({ value }) => value !== null);
  if (filled.length > 1)
    return { faults: [{ file: name, problem: "holds more than one document", remedy: together }] };
  const [document] = (filled.length > 0 ? filled : documents) as [ReadDocument?];
  return document ? { document } : {};
}

/** Faults of keys that are set twice. */
export const twiceIn = (document: ReadDocument | undefined): Fault[] =>
  (document?.repeated ?? []).map((path) => ({
    path,
    problem: "has the same key twice",
    remedy: "leave one of them out",
  }));

/** A fault with its place in a file. */
export const located = (
  { path, problem, remedy }: Fault,
  file: string,
  line: number | undefined,
): InputFault => ({
  file,
  ...(line !== undefined && { line }),
  problem: path === file ? problem : `${path} ${problem}`,
  remedy,
});

/** Where a configuration does not fit the hosted clusters of the inputs. */
export function contradictions(judged: JudgedResources): InputFault[] {
  const { file = "the configuration", lineOf } = judged.configuration;
  return faultsTogether(judged).map((fault) => located(fault, file, lineOf?.(fault.path)));
}

/** Names of the configuration file if the user names none. */
const CONFIGURATION_NAMES = ["hypershift-network.yaml", "hypershift-network.yml"] as const;

/** A configuration that was found, not named by the user. Both fields are absent if there is none. */
export interface FoundConfiguration {
  /** Its path relative to the folder where the search began. */
  file?: string;
  /** Why it is not read. */
  fault?: InputFault;
}

/**
 * Looks for the configuration in a folder and its parents, up to the root of the repository that the folder is in; the nearest
 * one counts. Outside of a repository, only the folder itself is checked.
 *
 * @param isTrusted whether files of a user are read
 */
export function findConfiguration(from: string, isTrusted: Trust = trust()): FoundConfiguration {
  for (const folder of foldersFrom(from)) {
    const [file, other] = configurationsIn(folder).map((path) => relative(from, path));
    if (file === undefined) continue;
    if (other !== undefined)
      return {
        fault: {
          file,
          problem: `both ${file} and ${other} exist`,
          remedy: "keep one, or name one with --config",
        },
      };
    return judged(from, file, isTrusted);
  }
  return {};
}

/** The configuration files in a folder. */
export const configurationsIn = (folder: string): string[] =>
  CONFIGURATION_NAMES.map((name) => join(folder, name)).filter(isThere);

/** Whether a path exists; a broken link counts too. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Refuses a configuration unless the owners of both the link and its target are trusted. */
function judged(from: string, file: string, isTrusted: Trust): FoundConfiguration {
  const path = join(from, file);
  try {
    const [link, target] = [lstatSync(path), statSync(path)];
    if (!target.isFile()) return refused(file, "is not a file");
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
    problem: `${problem}, and --config does not name it`,
    remedy: "name the configuration with --config, or leave it out with --no-config",
  },
});

/** Whether files and links of a user, by uid, are trusted. */
export type Trust = (uid: number) => boolean;

/** Trusts root, the current user and, as git does, the user who became root with sudo. Windows has no uids: trusts everyone. */
export function trust(): Trust {
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

const deviceOf = (folder: string): number | undefined => statusOf(folder)?.dev;
