import { lstatSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";

import { readConfigurationFile as readFile } from "../src/plan/configurationFile";
import type { Fault } from "../src/fault";
import { type InputFault, placeOf } from "../src/plan/inputs";
import { readConfiguration, type ReadConfiguration } from "../src/gate/readConfiguration";
import { rules } from "../src/rules";
import { NO_CONFIGURATION } from "../src/gate/configuration";

const ruleIds = rules.map(({ id }) => id);

/** The environment variable that names the configuration file. */
export const CONFIGURATION_VARIABLE = "HYPERSHIFT_NETWORK_CONFIG";

/**
 * Reads a configuration file, `hypershift-network.yaml`. A relative path is looked up in the folder in which the user
 * runs Pulumi (`PWD`, if the shell sets it), then in the pack's folder.
 */
export function readConfigurationFile(path: string): ReadConfiguration {
  const folders = isAbsolute(path) ? ["/"] : [process.env.PWD ?? process.cwd(), process.cwd()];
  const file = folders.map((folder) => resolve(folder, path)).find(isThere);
  const subject = { ...NO_CONFIGURATION, file: path };
  if (file === undefined)
    return {
      configuration: subject,
      faults: [
        { path, problem: "no such file", remedy: "write the absolute path of hypershift-network.yaml" },
      ],
    };
  const { configuration, faults } = readFile(file, ruleIds, [], path);
  return { configuration, faults: faults.map(atPlace) };
}

/** A fault of the file with its line as its path. */
export const atPlace = ({ problem, remedy, ...place }: InputFault): Fault => ({
  path: placeOf(place),
  problem,
  remedy,
});

/** A configuration: the path of a file, or the content of such a file. */
export type ConfigurationSource = string | Readonly<Record<string, unknown>>;

/** Reads a configuration. If it is not a file, places in it begin with `name`. */
export const configurationOf = (source: ConfigurationSource, name: string): ReadConfiguration =>
  typeof source === "string" ? readConfigurationFile(source) : readConfiguration(source, name, ruleIds);

/** Whether a file exists, even if it is unreadable: reading it reports why. */
function isThere(file: string): boolean {
  try {
    lstatSync(file);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}
