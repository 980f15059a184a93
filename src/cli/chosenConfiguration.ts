import { dirname, relative, resolve } from "node:path";

import { isFolder } from "../plan/readInputs";
import { plural } from "../text";
import { rules } from "../rules";
import {
  type ConfigurationFile,
  configurationsIn,
  findConfiguration,
  readConfigurationFile,
} from "../plan/configurationFile";
import { CONFIGURATION_VARIABLE } from "./options";
import type { InputFault } from "../plan/inputs";
import { type Configuration, NO_CONFIGURATION } from "../gate/configuration";

/** The command-line options about the configuration. */
export interface ConfigurationOptions {
  /** The file that `--config` or the environment names; false: `--no-config`. */
  config?: string | false | undefined;
  /** The file with the current state. */
  change?: string | undefined;
}

/** The configuration of a command, with all its faults. */
export interface ChosenConfiguration extends ConfigurationFile {
  /** Notes for a user who did not name the configuration. */
  notes: string[];
}

/**
 * Chooses the configuration of a command: the file that the command line names, else the file that the environment names, else the one in
 * the working folder or above it in the repository.
 *
 * @param paths the inputs of the command
 * @param tolerated ids of rules whose faults the command judges itself
 */
export function chosenConfiguration(
  options: ConfigurationOptions,
  paths: readonly string[],
  tolerated: readonly string[] = [],
): ChosenConfiguration {
  const { file, isFound, fault } = choice(options);
  if (fault) return { ...NOTHING, faults: [fault], notes: [] };
  const read = file === undefined ? NOTHING : readConfigurationFile(file, ids(), tolerated);
  if (!isFound) return { ...read, faults: read.faults.map(namedByVariable(file)), notes: [] };
  const notes = [
    ...(file === undefined || read.faults.length > 0 ? [] : [describeFound(file, read.configuration)]),
    ...besideInputs(paths, [file, options.change]).map(
      (path) => `${path} is next to an input and is not read: name it with --config`,
    ),
  ];
  return { ...read, notes };
}

/** Names the environment variable in a fault: the user may not have typed the file on the command line. */
const namedByVariable =
  (file: string | undefined) =>
  (fault: InputFault): InputFault =>
    file === process.env[CONFIGURATION_VARIABLE] && fault.line === undefined
      ? { ...fault, problem: `${fault.problem}, and ${CONFIGURATION_VARIABLE} names it` }
      : fault;

/** Whether a command has a configuration, even one with faults. */
export function hasConfiguration(options: ConfigurationOptions): boolean {
  const { file, fault } = choice(options);
  return file !== undefined || fault !== undefined;
}

const NOTHING: ConfigurationFile = {
  configuration: NO_CONFIGURATION,
  faults: [],
  lineOf: () => undefined,
};

const ids = (): string[] => rules.map(({ id }) => id);

/** A file that was named, or that was found unless the user wants none. */
interface Choice {
  file?: string;
  isFound: boolean;
  fault?: InputFault;
}

function choice({ config, change }: ConfigurationOptions): Choice {
  if (config === false) return { isFound: false };
  if (config !== undefined) return { file: config, isFound: false };
  const { file, fault } = findConfiguration(process.cwd());
  // The file with the current state is not the wanted configuration.
  const isCurrent = [file, fault?.file].some((one) => one !== undefined && isSame(one, change));
  if (isCurrent) return { isFound: true };
  return { isFound: true, ...(file !== undefined && { file }), ...(fault && { fault }) };
}

function describeFound(file: string, { clusters, levels, exemptions = [] }: Configuration): string {
  const holds = [
    plural(clusters.length, "hosted cluster"),
    plural(Object.keys(levels).length, "level of a rule", "levels of rules"),
    plural(exemptions.length, "exemption"),
  ].join(", ");
  return `${file} is the configuration, found in the ${dirname(file) === "." ? "working folder" : "repository"}: ${holds}; --no-config ignores it`;
}

/** Configurations in the folders of the inputs: whoever put them there may expect them to be used. */
function besideInputs(paths: readonly string[], known: readonly (string | undefined)[]): string[] {
  const folders = new Set(paths.filter((path) => path !== "-").map(folderOf));
  return [...folders]
    .flatMap((folder) => configurationsIn(folder))
    .filter((path) => !known.some((one) => isSame(path, one)))
    .map((path) => relative(process.cwd(), path));
}

const folderOf = (path: string): string => (isFolder(path) ? resolve(path) : dirname(resolve(path)));

const isSame = (one: string, other: string | undefined): boolean =>
  other !== undefined && resolve(one) === resolve(other);
