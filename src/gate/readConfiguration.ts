import { isFilled, isGiven } from "../resources/read";
import { append, pushAll, isRecord } from "../collections";
import type { Fault } from "../fault";
import type { ConfiguredGroups } from "../resources/groupRoles";
import { shortValue, stringFor } from "../topology/normalize/values";
import { normalizeTopology } from "../topology/normalizeTopology";
import { Platform, Role } from "../requirements/vocabulary";
import {
  NO_CONFIGURATION,
  noSuchKey,
  noSuchRule,
  type Configuration,
  type ConfiguredCluster,
  type Enforcement,
} from "./configuration";
import type { Exemption } from "./verdict";
import { inSentence } from "../text";

/** A configuration with all its faults. */
export interface ReadConfiguration {
  configuration: Configuration;
  faults: Fault[];
}

const TOP = ["hostedClusters", "rules", "exemptions"] as const;
const LEVELS: readonly Enforcement[] = ["mandatory", "advisory", "disabled"];
const GROUP_KEYS: Readonly<Record<string, Role>> = {
  controlPlane: Role.ControlPlane,
  workers: Role.Workers,
  privateEndpoint: Role.PrivateEndpoint,
};

/**
 * Reads the content of a configuration file. Reports all faults at once; the valid parts are still used.
 *
 * @param file the file name for findings
 * @param known ids of all rules
 */
export function readConfiguration(
  document: unknown,
  file: string,
  known: readonly string[] = [],
): ReadConfiguration {
  const faults: Fault[] = [];
  const empty: Configuration = { ...NO_CONFIGURATION, file };
  if (!isGiven(document)) return { configuration: empty, faults };
  if (!isRecord(document)) {
    faults.push({
      path: file,
      problem: `is ${Array.isArray(document) ? "a list" : "a single value"}, not an object with ${inSentence(TOP, "or")}`,
      remedy: `begin with ${TOP[0]}:`,
    });
    return { configuration: empty, faults };
  }
  for (const key of Object.keys(document)) if (!isOneOf(TOP, key)) faults.push(noSuchKey(key, key, TOP));
  const clusters = readClusters(document.hostedClusters, faults);
  const levels = readLevels(document.rules, known, faults);
  const exemptions = readExemptions(document.exemptions, known, faults);
  return { configuration: { file, clusters, levels, exemptions }, faults };
}

/** A list in the file; empty if it is absent or, which is a fault, something else. */
function listIn(value: unknown, path: string, remedy: string, faults: Fault[]): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isGiven(value)) faults.push({ path, problem: "is not a list", remedy });
  return [];
}

/** The entries of an object in the file; empty if it is absent or, which is a fault, something else. */
function entriesIn(
  value: unknown,
  path: string,
  remedy: string,
  faults: Fault[],
): readonly (readonly [string, unknown])[] {
  if (isRecord(value)) return Object.entries(value);
  if (isGiven(value)) faults.push({ path, problem: "is not an object", remedy });
  return [];
}

function readClusters(value: unknown, faults: Fault[]): ConfiguredCluster[] {
  const entries = listIn(value, "hostedClusters", "begin each cluster with - name:", faults);
  const clusters = entries.flatMap((entry, position) =>
    readCluster(entry, `hostedClusters[${position}]`, faults),
  );
  const byName = new Map<unknown, ConfiguredCluster[]>();
  for (const cluster of clusters) {
    pushAll(faults, twice(cluster, byName.get(cluster.topology.name) ?? []));
    append(byName, cluster.topology.name, [cluster]);
  }
  return clusters;
}

/** With two entries for one cluster it would be unclear which applies. `before` are the entries with the same name. */
function twice(
  { path, topology: { name, namespace }, managementCluster }: ConfiguredCluster,
  before: readonly ConfiguredCluster[],
): Fault[] {
  const first = before.find(
    ({ topology: other, managementCluster: elsewhere }) =>
      typeof name === "string" &&
      (managementCluster === undefined || elsewhere === undefined || elsewhere === managementCluster) &&
      (namespace === undefined || other.namespace === undefined || other.namespace === namespace),
  );
  return first
    ? [
        {
          path: `${path}.name`,
          problem: `is the same as that of ${first.path}`,
          remedy: "write one entry for each cluster, or state the namespaces or management clusters of both",
        },
      ]
    : [];
}

function readCluster(entry: unknown, path: string, faults: Fault[]): ConfiguredCluster[] {
  if (!isRecord(entry)) {
    faults.push({ path, problem: "is not an object", remedy: "write name: and what else is known" });
    return [];
  }
  const { securityGroups, managementCluster, ...topology } = entry;
  const isNamed = isFilled(managementCluster);
  if (isGiven(managementCluster) && !isNamed)
    faults.push({
      path: `${path}.managementCluster`,
      problem: `${shortValue(managementCluster)} is not a name`,
      remedy: isBare(managementCluster)
        ? stringFor(managementCluster)
        : "write the folder, the provider or the server of the management cluster",
    });
  pushAll(faults, topologyFaults(topology, path));
  const groups = readGroups(securityGroups, `${path}.securityGroups`, faults);
  return [{ path, topology, securityGroups: groups, ...(isNamed && { managementCluster }) }];
}

/** Possible platforms of an entry without one. IBM Cloud must be stated, because HyperShift allows ranges to overlap there. */
const UNSTATED = Object.values(Platform).filter((platform) => platform !== Platform.IBMCloud) as [
  Platform,
  ...Platform[],
];

/**
 * Faults of a topology. A cluster whose object is in the stack needs no platform here. Without a platform, only faults on every
 * platform count; the first platform is checked by itself, because most entries have no faults.
 */
function topologyFaults(topology: Readonly<Record<string, unknown>>, path: string): Fault[] {
  if ("platform" in topology) return normalizeTopology(topology, path).faults;
  const faultsOn = (platform: Platform) => normalizeTopology({ ...topology, platform }, path).faults;
  const [first, ...others] = UNSTATED;
  return others.reduce<Fault[]>((common, platform) => {
    if (common.length === 0) return common;
    const there = new Set(faultsOn(platform).map(identityOf));
    return common.filter((fault) => there.has(identityOf(fault)));
  }, faultsOn(first));
}

const identityOf = ({ path, problem }: Fault): string => JSON.stringify([path, problem]);

function readGroups(value: unknown, path: string, faults: Fault[]): ConfiguredGroups["groups"] {
  const entries = entriesIn(value, path, `write ${Object.keys(GROUP_KEYS).join(", ")}`, faults);
  return Object.fromEntries(
    entries.flatMap(([key, names]) => {
      const role = Object.hasOwn(GROUP_KEYS, key) ? GROUP_KEYS[key] : undefined;
      const isList = Array.isArray(names) && names.every((name) => typeof name === "string");
      if (role === undefined) faults.push(noSuchKey(`${path}.${key}`, key, Object.keys(GROUP_KEYS)));
      else if (!isList)
        faults.push({
          path: `${path}.${key}`,
          problem: "is not a list of names",
          remedy:
            Array.isArray(names) && names.some(isBare) ? "write each in quotes" : "write names, ids or URNs",
        });
      return role !== undefined && isList ? [[role, names]] : [];
    }),
  );
}

function readLevels(value: unknown, known: readonly string[], faults: Fault[]): Record<string, Enforcement> {
  return Object.fromEntries(
    entriesIn(value, "rules", "write port-missing: advisory", faults).flatMap(([rule, level]) => {
      const enforcement = LEVELS.find((candidate) => candidate === level);
      if (rule !== "all" && !known.includes(rule)) faults.push(noSuchRule(rule, known));
      if (enforcement === undefined)
        faults.push({
          path: `rules.${rule}`,
          problem: `${shortValue(level)} is not a level`,
          remedy: "write mandatory (errors), advisory (warnings) or disabled",
        });
      return enforcement === undefined ? [] : [[rule, enforcement]];
    }),
  );
}

const isOneOf = (words: readonly string[], word: string): boolean => words.includes(word);

const KEYS = ["rule", "resource", "reason"] as const;

const REMEDY: Readonly<Record<(typeof KEYS)[number], string>> = {
  rule: "write the id of a rule",
  resource: "write a URN, a name or Kind/name, with * for any text",
  reason: "write why the finding is accepted",
};

/** Reads the exemptions of a configuration. An incomplete exemption removes nothing. */
function readExemptions(value: unknown, known: readonly string[], faults: Fault[]): Exemption[] {
  return listIn(value, "exemptions", "begin each exemption with - rule:", faults).flatMap((entry, position) =>
    readExemption(entry, `exemptions[${position}]`, known, faults),
  );
}

function readExemption(entry: unknown, path: string, known: readonly string[], faults: Fault[]): Exemption[] {
  if (!isRecord(entry)) {
    faults.push({ path, problem: "is not an object", remedy: `write ${KEYS.join(", ")}` });
    return [];
  }
  const found = faults.length;
  for (const key of Object.keys(entry))
    if (!isOneOf(KEYS, key)) faults.push(noSuchKey(`${path}.${key}`, key, KEYS));
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
  if (isBare(value))
    faults.push({ path, problem: `${shortValue(value)} is not a string`, remedy: stringFor(value) });
  else {
    const wrong = typeof value === "string" ? "is empty" : "is not a string";
    faults.push({ path, problem: isGiven(value) ? wrong : "missing", remedy });
  }
  return undefined;
}

/** Whether a value would be the string that the user means if it were in quotes. */
const isBare = (value: unknown): boolean => ["number", "bigint", "boolean"].includes(typeof value);
