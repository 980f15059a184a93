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
import { LIMIT } from "../requirements/limits";
import { OVERLAY_PORT } from "../requirements/migration";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { shownText } from "../objects/places";
import {
  block,
  eventualSwitch,
  type Fields,
  hiddenText,
  inputFaults,
  list,
  needed,
  number,
  object,
  ONE_AT_LEAST,
  port,
  word,
} from "../objects/shape";
import { isGiven, type PropertyMap } from "../resources/read";

/** The result of judging a phase on a cluster. */
export interface PhaseJudgement {
  /** Why the phase is refused. If there are faults, nothing is written. */
  faults: Fault[];
  /** The writes that remain. */
  writes: MigrationWrite[];
  /** What the phase waits for once all is written. */
  waiting: Fault[];
  /** Why waiting is pointless. */
  stopped: Fault[];
  /** What the user must rewrite by hand. Empty on the way back, where the objects of OpenShift SDN apply again. */
  translations: Translation[];
}

/** Judges a phase on the objects of a cluster. The previous phase does not matter: the cluster shows how far it is. */
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

/** The inputs of a migration, to the extent known. */
export interface MigrationInputs {
  [input: string]: PropertyValue | undefined;
}

/** How long a phase may wait, in seconds. Pools restart their machines one after the other. */
const MIGRATION_PATIENCE = { default: 600, resumePools: 7200, max: 86_400 } as const;

/** The default time that a phase waits, in seconds. */
export const patienceOf = (phase: MigrationPhase): number =>
  migrationPhases[phase].step === MigrationStep.ResumePools
    ? MIGRATION_PATIENCE.resumePools
    : MIGRATION_PATIENCE.default;

/** The shape of each input by itself. */
const INPUTS: Fields = {
  phase: needed(word(Object.values(MigrationPhase))),
  backupsTaken: eventualSwitch,
  translationsPrepared: eventualSwitch,
  smallestNodeMtu: number({ range: { min: LIMIT.mtu.min, max: LIMIT.mtu.max } }),
  genevePort: port,
  vxlanPort: port,
  clusterNetwork: list(
    object(
      {
        cidr: needed(block, "write a CIDR block"),
        hostPrefix: needed(number(), "write the prefix length of each node's subnet"),
      },
      { remedy: "write cidr and hostPrefix", relations: [hostPrefixFaults] },
    ),
    { size: ONE_AT_LEAST, remedy: "write a list with cidr and hostPrefix" },
  ),
  timeoutSeconds: number({ range: { min: 0, max: MIGRATION_PATIENCE.max } }),
  kubeconfig: hiddenText({ size: ONE_AT_LEAST }),
  context: hiddenText({ size: ONE_AT_LEAST }),
};

/** Faults of the inputs by themselves. Faults of the cluster are found when it is read. */
export const migrationInputFaults = (inputs: MigrationInputs): Fault[] => [
  ...inputFaults(INPUTS, inputs),
  ...samePortFaults(inputs),
];

function samePortFaults({ genevePort, vxlanPort }: MigrationInputs): Fault[] {
  const geneve = genevePort ?? OVERLAY_PORT[NetworkType.OVNKubernetes];
  const isSame = isGiven(vxlanPort) && vxlanPort !== UNKNOWN && geneve === vxlanPort;
  if (!isSame) return [];
  const problem = `${shownText(vxlanPort)} is also the port of Geneve`;
  return [{ path: "vxlanPort", problem, remedy: "choose another one: nodes have both overlay networks" }];
}

/** Values that are not prefix lengths at all are reported separately. */
function hostPrefixFaults(path: string, { cidr, hostPrefix }: PropertyMap): Fault[] {
  const { prefix } = parsePrefix(cidr);
  if (!prefix || !Number.isInteger(hostPrefix)) return [];
  const longest = prefix.family === 4 ? LIMIT.internalSubnetMask.max : LIMIT.internalSubnetV6Mask.max;
  if (Number(hostPrefix) > prefix.length && Number(hostPrefix) <= longest) return [];
  const problem = `${shownText(hostPrefix)} is not a prefix length for the subnet of a node`;
  const remedy = `write a whole number from ${prefix.length + 1} to ${longest}`;
  return [{ path: `${path}.hostPrefix`, problem, remedy }];
}
