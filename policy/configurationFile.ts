import { existsSync, readFileSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";

import { NO_CONFIGURATION, rules } from "../src/rules";
import { readConfiguration, type ReadConfiguration } from "../src/rules/readConfiguration";

const ruleIds = rules.map(({ id }) => id);

/** The variable that names the configuration file. */
export const CONFIGURATION_VARIABLE = "HYPERSHIFT_NETWORK_CONFIG";

/**
 * Reads a configuration file, `hypershift-network.yaml`. A relative path is looked up in the folder in which the user
 * runs Pulumi, as far as the shell says it, and in the pack's own.
 */
export function readConfigurationFile(path: string): ReadConfiguration {
  const folders = isAbsolute(path) ? ["/"] : [process.env.PWD ?? process.cwd(), process.cwd()];
  const file = folders.map((folder) => resolve(folder, path)).find((candidate) => existsSync(candidate));
  const subject = { ...NO_CONFIGURATION, file: path };
  if (file === undefined)
    return {
      configuration: subject,
      faults: [
        { path, problem: "no such file", remedy: "write the absolute path of hypershift-network.yaml" },
      ],
    };
  try {
    return readConfiguration(parse(readFileSync(file, "utf8")), path, ruleIds);
  } catch (error) {
    const problem = error instanceof Error ? error.message.split("\n")[0]! : "cannot be read";
    return { configuration: subject, faults: [{ path, problem, remedy: "write YAML" }] };
  }
}

/** YAML is read with a package of some weight, which most runs of the pack do not need. */
function parse(text: string): unknown {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it with this file
  const yaml = require("yaml") as typeof import("yaml");
  return yaml.parse(text, { logLevel: "error" });
}
