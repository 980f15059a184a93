import type { Fault } from "../fault";
import type { Exemption } from "./exemptions";
import { isMap, noSuchKey, noSuchRule } from "./settings";

const KEYS = ["rule", "resource", "reason"] as const;

const REMEDY: Readonly<Record<(typeof KEYS)[number], string>> = {
  rule: "write the id of a rule",
  resource: "write a URN, a name or Kind/name, with * for any text",
  reason: "write why the finding is accepted",
};

/** Reads the exemptions of a configuration. An exemption that is not whole takes nothing out. */
export function readExemptions(value: unknown, known: readonly string[], faults: Fault[]): Exemption[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    faults.push({ path: "exemptions", problem: "is no list", remedy: "begin each exemption with - rule:" });
    return [];
  }
  return value.flatMap((entry: unknown, position) =>
    readExemption(entry, `exemptions[${position}]`, known, faults),
  );
}

function readExemption(entry: unknown, path: string, known: readonly string[], faults: Fault[]): Exemption[] {
  if (!isMap(entry)) {
    faults.push({ path, problem: "is no object", remedy: `write ${KEYS.join(", ")}` });
    return [];
  }
  const found = faults.length;
  for (const key of Object.keys(entry))
    if (!(KEYS as readonly string[]).includes(key)) faults.push(noSuchKey(`${path}.${key}`, key, KEYS));
  const [rule, resource, reason] = KEYS.map((key) =>
    readWords(entry[key], `${path}.${key}`, REMEDY[key], faults),
  );
  if (rule !== undefined && !known.includes(rule)) faults.push(noSuchRule(rule, known, `${path}.rule`));
  if (resource !== undefined && /^\**$/.test(resource))
    faults.push({
      path: `${path}.resource`,
      problem: "exempts everything",
      remedy: "name the resource, or disable the rule under rules:",
    });
  if (faults.length > found) return [];
  return [{ path, rule: rule!, resource: resource!, reason: reason! }];
}

function readWords(value: unknown, path: string, remedy: string, faults: Fault[]): string | undefined {
  const words = typeof value === "string" ? value.trim() : "";
  if (words !== "") return words;
  faults.push({ path, problem: value === undefined || value === null ? "missing" : "is no text", remedy });
  return undefined;
}
