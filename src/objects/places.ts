import type { Fault } from "../fault";
import { LIMIT } from "../requirements/limits";
import { isLabelName, isPortName, isSubdomainName, PORT_NAME_FORM } from "../requirements/names";
import { isGiven, isList, isMap, type Place, type PropertyMap } from "../resources/read";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { closest } from "../topology/normalize/values";

/** One fault for each property that nothing reads, with the one that was probably meant. */
export function unknownKeyFaults(path: string, value: PropertyMap, keys: readonly string[]): Fault[] {
  return Object.keys(value)
    .filter((key) => !keys.includes(key))
    .map((key) => {
      const meant = closest(key, keys);
      const remedy = meant ? `did you mean ${meant}?` : `the properties are ${keys.join(", ")}`;
      return { path: path === "" ? key : `${path}.${key}`, problem: "no such property", remedy };
    });
}

/** The faults of one of a few words, exactly. `needs` says what the word stands beside: `a port needs `. */
export function wordFaults({ path, value }: Place, words: readonly string[], needs = ""): Fault[] {
  if (value === UNKNOWN || words.some((word) => word === value)) return [];
  const choice = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
  if (!isGiven(value))
    return [{ path, problem: "missing", remedy: needs ? `${needs}${choice} beside it` : `write ${choice}` }];
  const meant = typeof value === "string" ? closest(value, words) : undefined;
  return [{ path, problem: `${shownText(value)} is not ${choice}`, remedy: `write ${meant ?? choice}` }];
}

/** The faults of a TCP, UDP or SCTP port; `missing` says what it is needed for where it has to be there. */
export function portFaults({ path, value }: Place, missing?: string): Fault[] {
  if (value === UNKNOWN) return [];
  if (!isGiven(value)) return missing === undefined ? [] : [{ path, problem: "missing", remedy: missing }];
  const { min, max } = LIMIT.port;
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return [];
  return [
    { path, problem: `${shownText(value)} is no port`, remedy: `write a whole number from ${min} to ${max}` },
  ];
}

/** The faults of the name of a port. */
export function portNameFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN || (typeof value === "string" && isPortName(value))) return [];
  return [{ path, problem: `${shownText(value)} is no name of a port`, remedy: `write ${PORT_NAME_FORM}` }];
}

/** The faults of a switch that may be an Output. */
export function eventualSwitchFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN || typeof value === "boolean") return [];
  const problem = `${shownText(value)} is neither true nor false`;
  return [{ path, problem, remedy: "write true or false, without quotes" }];
}

/** The faults of a name that is a DNS label, as those of namespaces and HostedClusters are. */
export function labelNameFaults({ path, value }: Place, example: string): Fault[] {
  if (value === UNKNOWN) return [];
  if (!isGiven(value)) return [{ path, problem: "missing", remedy: `write ${example}` }];
  if (typeof value === "string" && isLabelName(value)) return [];
  const remedy = `write at most ${LIMIT.labelLength} small letters, digits and hyphens`;
  return [{ path, problem: `${shownText(value)} is no Kubernetes name`, remedy }];
}

/** The faults of a name that is a DNS subdomain, as those of nodes and most objects are. */
export function subdomainNameFaults({ path, value }: Place, example: string): Fault[] {
  if (value === UNKNOWN) return [];
  if (!isGiven(value)) return [{ path, problem: "missing", remedy: `write ${example}` }];
  if (typeof value === "string" && isSubdomainName(value)) return [];
  const remedy = `write at most ${LIMIT.subdomainLength} small letters, digits, hyphens and dots`;
  return [{ path, problem: `${shownText(value)} is no Kubernetes name`, remedy }];
}

/** The faults of a text that may be a secret: nothing of it is shown. */
export function textFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN || typeof value === "string") return [];
  return [{ path, problem: "is no text", remedy: "write a text, or leave it out" }];
}

const labelName = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** A name, behind a domain where one stands before the slash. */
function isLabelKey(text: string): boolean {
  const parts = text.split("/");
  const isPrefixed = parts.length === 2 && isSubdomainName(parts[0]!);
  return (parts.length === 1 || isPrefixed) && labelName.test(parts.at(-1)!);
}
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** The faults of the key of a label or a taint. */
export function labelKeyFaults({ path, value }: Place): Fault[] {
  if (value === UNKNOWN || (typeof value === "string" && isLabelKey(value))) return [];
  const remedy = "write name or prefix.example.com/name";
  if (!isGiven(value)) return [{ path, problem: "missing", remedy }];
  return [{ path, problem: `${shownText(value)} is no label key`, remedy }];
}

/** The faults of the value of a label or a taint. */
export function labelValueFaults({ path, value }: Place): Fault[] {
  if (value === UNKNOWN || (typeof value === "string" && labelValue.test(value))) return [];
  const remedy = `write a text of at most ${LIMIT.labelLength} letters, digits, hyphens, dots and underscores, in quotes`;
  return [{ path, problem: `${shownText(value)} is no label value`, remedy }];
}

/** The faults of a map of Kubernetes labels. */
export function labelFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (!isMap(value)) return [{ path, problem: "is no map", remedy: "write labels as key: value" }];
  return Object.entries(value).flatMap(([key, entry]) => {
    const at = `${path}.${key}`;
    return [...labelKeyFaults({ path: at, value: key }), ...labelValueFaults({ path: at, value: entry })];
  });
}

/** A value in the words of a fault: short, on one line. For values that cannot be secret. */
export function shownText(value: PropertyValue | undefined): string {
  if (typeof value === "string")
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (isList(value)) return "a list";
  return isMap(value) ? "an object" : String(value);
}
