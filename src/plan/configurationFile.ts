import type { Fault } from "../fault";
import { readConfiguration } from "../rules/readConfiguration";
import { NO_CONFIGURATION, type Configuration } from "../rules/configuration";
import type { InputFault } from "./inputFault";
import { textOf } from "./parseJson";
import { readBytes } from "./readBytes";
import { readPart, type YamlDocument } from "./yamlDocuments";

/** A configuration with everything that is wrong with it, and the lines of its properties. */
export interface ConfigurationFile {
  configuration: Configuration;
  faults: InputFault[];
  lineOf: (path: string) => number | undefined;
}

/**
 * Reads `hypershift-network.yaml`, or the same as JSON.
 *
 * @param rules ids of the rules that there are
 * @param tolerated ids of rules whose faults the caller judges itself
 */
export function readConfigurationFile(
  file: string,
  rules: readonly string[],
  tolerated: readonly string[] = [],
): ConfigurationFile {
  const nothing = (faults: InputFault[]): ConfigurationFile => ({
    configuration: { ...NO_CONFIGURATION, file },
    faults,
    lineOf: () => undefined,
  });
  const { bytes, fault } = readBytes(file);
  if (fault) return nothing([fault]);
  const documents = readPart({ text: textOf(bytes), line: 1 }, file);
  const broken = documents.flatMap((one) => one.fault ?? []);
  if (broken.length > 0) return nothing(broken);
  if (documents.length > 1)
    return nothing([
      { file, problem: "holds more than one document", remedy: "write all hosted clusters into one list" },
    ]);
  const [document] = documents as [Exclude<YamlDocument, { value?: undefined }>?];
  const lineOf = (path: string) => document?.lineOf(path);
  const { configuration, faults } = readConfiguration(document?.value, file, rules);
  const refused = faults.filter(({ rule }) => rule === undefined || !tolerated.includes(rule));
  return { configuration, faults: refused.map((one) => located(one, file, lineOf(one.path))), lineOf };
}

const located = ({ path, problem, remedy }: Fault, file: string, line: number | undefined): InputFault => ({
  file,
  ...(line !== undefined && { line }),
  problem: path === file ? problem : `${path} ${problem}`,
  remedy,
});
