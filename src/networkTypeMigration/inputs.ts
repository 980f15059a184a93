import { parsePrefix, type Family } from "../address";
import type { Fault } from "../fault";
import { LIMIT } from "../requirements/limits";
import { OVERLAY_PORT } from "../requirements/migration";
import { NetworkType } from "../requirements/vocabulary";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import {
  eventualSwitchFaults,
  isGiven,
  isList,
  isMap,
  portFaults,
  shownText,
  textFaults,
  unknownKeyFaults,
  wordFaults,
  type Place,
} from "../objects/places";
import { MigrationPhase, MigrationStep, migrationPhases } from "./phases";

/** What is known of the inputs of a migration. */
export interface MigrationInputs {
  [input: string]: PropertyValue | undefined;
}

/** How long a phase may wait, in seconds. Pools restart their machines one after the other. */
export const MIGRATION_PATIENCE = { default: 600, resumePools: 7200, max: 86_400 } as const;

/** How long a phase waits where nobody says it, in seconds. */
export const patienceOf = (phase: MigrationPhase): number =>
  migrationPhases[phase].step === MigrationStep.ResumePools
    ? MIGRATION_PATIENCE.resumePools
    : MIGRATION_PATIENCE.default;

/** Whatever is wrong with the inputs by themselves; what is wrong with the cluster shows when it is read. */
export function migrationInputFaults(inputs: MigrationInputs): Fault[] {
  const at = (path: string): Place => ({ path, value: inputs[path] });
  return [
    ...wordFaults(at("phase"), Object.values(MigrationPhase)),
    ...eventualSwitchFaults(at("backupsTaken")),
    ...eventualSwitchFaults(at("translationsPrepared")),
    ...numberFaults(at("smallestNodeMtu"), LIMIT.mtu.min, LIMIT.mtu.max),
    ...portFaults(at("genevePort")),
    ...portFaults(at("vxlanPort")),
    ...samePortFaults(inputs),
    ...clusterNetworkFaults(at("clusterNetwork")),
    ...numberFaults(at("timeoutSeconds"), 0, MIGRATION_PATIENCE.max),
    ...textFaults(at("kubeconfig")),
    ...textFaults(at("context")),
  ];
}

function numberFaults({ path, value }: Place, min: number, max: number): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return [];
  const problem = `${shownText(value)} is no such number`;
  return [{ path, problem, remedy: `write a whole number from ${min} to ${max}` }];
}

function samePortFaults({ genevePort, vxlanPort }: MigrationInputs): Fault[] {
  const geneve = genevePort ?? OVERLAY_PORT[NetworkType.OVNKubernetes];
  const isSame = isGiven(vxlanPort) && vxlanPort !== UNKNOWN && geneve === vxlanPort;
  if (!isSame) return [];
  const problem = `${shownText(vxlanPort)} is the port of Geneve too`;
  return [{ path: "vxlanPort", problem, remedy: "choose another one: nodes have both overlay networks" }];
}

function clusterNetworkFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (!isList(value) || value.length === 0)
    return [{ path, problem: "is no list of networks", remedy: "write a list with cidr and hostPrefix" }];
  return value.flatMap((entry, position) => networkFaults(`${path}[${position}]`, entry));
}

function networkFaults(path: string, entry: PropertyValue): Fault[] {
  if (entry === UNKNOWN) return [];
  if (!isMap(entry)) return [{ path, problem: "is no network", remedy: "write cidr and hostPrefix" }];
  const unknown = unknownKeyFaults(path, entry, ["cidr", "hostPrefix"]);
  if (entry.cidr === UNKNOWN) return unknown;
  const { prefix, problem, remedy } = parsePrefix(entry.cidr);
  if (!prefix) return [...unknown, { path: `${path}.cidr`, problem, remedy }];
  return [
    ...unknown,
    ...hostPrefixFaults(
      { path: `${path}.hostPrefix`, value: entry.hostPrefix },
      prefix.length,
      prefix.family,
    ),
  ];
}

function hostPrefixFaults({ path, value }: Place, length: number, family: Family): Fault[] {
  if (value === UNKNOWN) return [];
  const longest = family === 4 ? LIMIT.internalSubnetMask.max : LIMIT.internalSubnetV6Mask.max;
  const isPart = typeof value === "number" && Number.isInteger(value) && value > length && value <= longest;
  if (isPart) return [];
  const problem = isGiven(value) ? `${shownText(value)} is no prefix length of a node's part` : "missing";
  return [{ path, problem, remedy: `write a whole number from ${length + 1} to ${longest}` }];
}
