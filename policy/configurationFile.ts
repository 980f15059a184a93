import { lstatSync, readFileSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";

import type { Fault } from "../src/fault";
import { isTooDeep, TOO_DEEP } from "../src/nesting";
import { readCause } from "../src/pathCause";
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
  const file = folders.map((folder) => resolve(folder, path)).find(isThere);
  const subject = { ...NO_CONFIGURATION, file: path };
  if (file === undefined)
    return {
      configuration: subject,
      faults: [
        { path, problem: "no such file", remedy: "write the absolute path of hypershift-network.yaml" },
      ],
    };
  try {
    const document = parse(readFileSync(file, "utf8"));
    if (isTooDeep(document)) return { configuration: subject, faults: [{ path, ...TOO_DEEP }] };
    return readConfiguration(document, path, ruleIds);
  } catch (error) {
    return { configuration: subject, faults: [{ path, ...whyNot(error) }] };
  }
}

function whyNot(error: unknown): Pick<Fault, "problem" | "remedy"> {
  if ((error as NodeJS.ErrnoException).syscall !== undefined) {
    const [problem, remedy] = readCause(error);
    return { problem, remedy };
  }
  const problem = error instanceof Error ? error.message.split("\n")[0]! : "cannot be read";
  // The parser makes a mistake at a place of it.
  return /^Maximum call stack/.test(problem) ? TOO_DEEP : { problem, remedy: "write YAML" };
}

/** Whether there is something, be it unreadable: why, reading it says. */
function isThere(file: string): boolean {
  try {
    lstatSync(file);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

/** YAML is read with a package of some weight, which most runs of the pack do not need. */
function parse(text: string): unknown {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it with this file
  const yaml = require("yaml") as typeof import("yaml");
  return yaml.parse(text, { logLevel: "error" });
}
