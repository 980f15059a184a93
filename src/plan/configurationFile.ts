import type { Fault } from "../fault";
import { readConfiguration } from "../gate/readConfiguration";
import { NO_CONFIGURATION, type Configuration } from "../gate/configuration";
import type { InputFault } from "./inputFault";
import { textOf } from "./parseJson";
import { readBytes } from "./readBytes";
import { readPart, type ReadDocument } from "./yamlDocuments";

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
 * @param name how faults and findings name the file
 */
export function readConfigurationFile(
  file: string,
  rules: readonly string[],
  tolerated: readonly string[] = [],
  name = file,
): ConfigurationFile {
  const nothing = (faults: InputFault[]): ConfigurationFile => ({
    configuration: { ...NO_CONFIGURATION, file: name },
    faults,
    lineOf: () => undefined,
  });
  const { bytes, fault } = readBytes(file);
  if (fault) return nothing([{ ...fault, file: name }]);
  const documents = readPart({ text: textOf(bytes), line: 1 }, name);
  const broken = documents.flatMap((one) => one.fault ?? []);
  if (broken.length > 0) return nothing(broken);
  if (documents.length > 1)
    return nothing([
      {
        file: name,
        problem: "holds more than one document",
        remedy: "write all hosted clusters into one list",
      },
    ]);
  const [document] = documents as [ReadDocument?];
  const twice: Fault[] | undefined = document?.repeated.map((path) => ({
    path,
    problem: "has the same key twice",
    remedy: "leave one of them out",
  }));
  const lineOf = (path: string) => document?.lineOf(path);
  const { configuration, faults } = readConfiguration(document?.value, name, rules);
  const refused = [...(twice ?? []), ...faults].filter(
    ({ rule }) => rule === undefined || !tolerated.includes(rule),
  );
  return { configuration, faults: refused.map((one) => located(one, name, lineOf(one.path))), lineOf };
}

const located = ({ path, problem, remedy }: Fault, file: string, line: number | undefined): InputFault => ({
  file,
  ...(line !== undefined && { line }),
  problem: path === file ? problem : `${path} ${problem}`,
  remedy,
});
