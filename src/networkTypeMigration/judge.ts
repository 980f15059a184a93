import type { Fault } from "../fault";
import { NetworkType } from "../requirements/vocabulary";
import { migratingCluster, type MigrationObjects } from "./cluster";
import {
  MigrationPhase,
  MigrationStep,
  migrationPhases,
  type Condition,
  type MigrationWishes,
  type Moment,
} from "./phases";
import { writesOf, type MigrationWrite } from "./patches";
import { rulesOf } from "./steps";
import { translations, type Translation } from "./network";
import { parsePrefix } from "../address/parse";
import type { Family } from "../address";
import { LIMIT } from "../requirements/limits";
import { OVERLAY_PORT } from "../requirements/migration";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import {
  eventualSwitchFaults,
  portFaults,
  shownText,
  textFaults,
  unknownKeyFaults,
  wordFaults,
} from "../objects/places";
import { isGiven, isList, isMap, type Place } from "../resources/read";

/** What a phase comes to on a cluster. */
export interface PhaseJudgement {
  /** Why the phase is refused; then nothing is written. */
  faults: Fault[];
  /** What it still has to write. */
  writes: MigrationWrite[];
  /** What it waits for once all is written. */
  waiting: Fault[];
  /** Why waiting is no use. */
  stopped: Fault[];
  /** What the user writes anew; nothing on the way back, on which the objects of OpenShift SDN count again. */
  translations: Translation[];
}

/** Judges a phase on the objects of a cluster, whatever phase there was before: the cluster says how far it is. */
export function judgePhase(
  phase: MigrationPhase,
  objects: MigrationObjects,
  wishes: MigrationWishes,
): PhaseJudgement {
  const moment: Moment = { phase, ...migrationPhases[phase], cluster: migratingCluster(objects), wishes };
  const { before, after, stop } = rulesOf(phase);
  const faultsOf = (conditions: readonly Condition[]) =>
    conditions.flatMap((condition) => condition.faults(moment));
  const faults = faultsOf(before);
  const writes = faults.length > 0 ? [] : writesOf(moment);
  return {
    faults,
    writes,
    waiting: faultsOf(after),
    stopped: faultsOf(stop),
    translations: moment.target === NetworkType.OVNKubernetes ? translations(objects) : [],
  };
}

/** What is known of the inputs of a migration. */
export interface MigrationInputs {
  [input: string]: PropertyValue | undefined;
}

/** How long a phase may wait, in seconds. Pools restart their machines one after the other. */
const MIGRATION_PATIENCE = { default: 600, resumePools: 7200, max: 86_400 } as const;

/** How long a phase waits where it is not stated, in seconds. */
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
