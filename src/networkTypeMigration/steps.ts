import { NETWORK_NAMESPACE, MULTUS, type MigratedType } from "../requirements/migration";
import { NetworkType } from "../requirements/vocabulary";
import {
  afterChange,
  whilePaused,
  MigrationPhase,
  MigrationStep,
  migrationPhases,
  phaseOf,
  type Condition,
  type PhaseOf,
} from "./phases";
import {
  BACKUP_COMMAND,
  backups,
  nodesConfigured,
  nodesReady,
  notUpgrading,
  operatorsFine,
  poolsNotDegraded,
  poolsPaused,
  poolsRunning,
  poolsUpdated,
  supportedInstall,
  supportedMode,
  supportedRelease,
  translated,
  wishesStand,
} from "./clusterConditions";
import { mtuFits, portsDiffer, rangesApart } from "./network";
import {
  begun,
  ended,
  machineConfigsFit,
  multusRolledOut,
  rebooted,
  recordFits,
  statusIsTarget,
  typeIsOld,
  typeIsOldOrChanged,
  typeIsTarget,
} from "./progress";

/** What stands before and after a step, and what a person does. */
export interface StepRules {
  /** What it does, as a sentence. */
  does: string;
  /** What has to hold before it, all of it each time the phase is asked for. */
  before: readonly Condition[];
  /** What it waits for. */
  after: readonly Condition[];
  /** What ends the waiting at once. */
  stop: readonly Condition[];
  /** What a person does before the next phase. */
  person: readonly string[];
  /** The phase that leads back from here. */
  wayBack: MigrationPhase;
}

const { OVNKubernetes: OVN } = NetworkType;
const supported = [supportedRelease, supportedInstall];
const fits = [mtuFits, portsDiffer];

const REBOOT = [
  `wait until Multus is rolled out: oc -n ${MULTUS.namespace} rollout status daemonset/${MULTUS.name}`,
  "restart every node: for ip in $(oc get nodes -o jsonpath='{.items[*].status.addresses[?(@.type==\"InternalIP\")].address}'); do ssh -o StrictHostKeyChecking=no core@$ip sudo shutdown -r -t 3; done",
];

/** On the way back, what the migration has not touched does not keep the user from calling it off. */
const whereChanged = (one: Condition, isForward: boolean): Condition => (isForward ? one : afterChange(one));

/** Going forward, the cluster has to be in a good state. The way back is open to a cluster that is not. */
const steps: Readonly<Record<MigrationStep, (phase: PhaseOf, isForward: boolean) => StepRules>> = {
  [MigrationStep.Begin]: ({ old }, isForward) => ({
    does: "sets the annotation that allows the network operator to change the type",
    before: isForward
      ? [
          ...supported,
          notUpgrading,
          supportedMode,
          typeIsOld,
          recordFits,
          poolsRunning,
          poolsUpdated,
          poolsNotDegraded,
          operatorsFine,
          nodesReady,
          rangesApart,
          ...fits,
          backups,
          translated,
        ]
      : [...supported, typeIsOld, recordFits, ...fits],
    after: [],
    stop: [],
    person: isForward
      ? [
          "say to all who use the cluster when it will be out of reach",
          `keep ${BACKUP_COMMAND.split("> ")[1]}`,
        ]
      : [],
    wayBack: phaseOf(MigrationStep.EndMigration, old),
  }),
  [MigrationStep.PausePools]: ({ old }, isForward) => ({
    does: "pauses every MachineConfigPool",
    before: [
      ...supported,
      begun,
      typeIsOld,
      recordFits,
      ...(isForward ? [notUpgrading, supportedMode, poolsNotDegraded] : []),
    ],
    after: [],
    stop: [],
    person: [],
    wayBack: phaseOf(MigrationStep.ResumePools, old),
  }),
  [MigrationStep.ChangeNetworkType]: ({ old }, isForward) => ({
    does: "writes MTU and port of the new overlay network, notes the boots of the nodes, and changes the type",
    before: [
      ...supported,
      begun,
      poolsPaused,
      typeIsOldOrChanged,
      recordFits,
      wishesStand,
      ...fits,
      // The user may have begun by hand: what keeps from beginning keeps from the change.
      ...(isForward ? [notUpgrading, supportedMode, poolsNotDegraded, rangesApart, backups, translated] : []),
    ],
    after: [multusRolledOut],
    stop: [],
    person: REBOOT,
    wayBack: phaseOf(MigrationStep.ChangeNetworkType, old),
  }),
  [MigrationStep.ResumePools]: ({ old }, isForward) => ({
    does: "lets every MachineConfigPool run again",
    before: [
      ...supported,
      begun,
      typeIsTarget,
      recordFits,
      whilePaused(multusRolledOut),
      whereChanged(rebooted, isForward),
    ],
    after: [poolsUpdated, whereChanged(machineConfigsFit, isForward)],
    stop: [poolsNotDegraded],
    person: [
      "check the machine configurations: oc get machineconfig NAME -o yaml | grep ExecStart",
      "restart nodes with pods in error: oc get pods --all-namespaces -o wide --sort-by='{.spec.nodeName}'",
    ],
    wayBack: phaseOf(MigrationStep.PausePools, old),
  }),
  [MigrationStep.EndMigration]: ({ old }, isForward) => ({
    does: "takes the annotation away, and what was noted",
    before: [
      ...supported,
      typeIsTarget,
      recordFits,
      statusIsTarget,
      poolsRunning,
      ...[poolsUpdated, poolsNotDegraded, machineConfigsFit, nodesConfigured, nodesReady, operatorsFine].map(
        (one) => whereChanged(one, isForward),
      ),
    ],
    after: [],
    stop: [],
    person: [],
    wayBack: phaseOf(MigrationStep.Begin, old),
  }),
  [MigrationStep.RemoveOldNetwork]: ({ old }) => ({
    does: `deletes namespace ${NETWORK_NAMESPACE[old]}`,
    before: [...supported, ended, typeIsTarget, statusIsTarget, poolsRunning, operatorsFine],
    after: [],
    stop: [],
    person: [],
    wayBack: phaseOf(MigrationStep.Begin, old),
  }),
};

const isForward = (target: MigratedType): boolean => target === OVN;

/** Whether a phase judges by the machine configurations: they are large, and the others do without. */
export const readsMachineConfigs = (phase: MigrationPhase): boolean =>
  [MigrationStep.ResumePools, MigrationStep.EndMigration].includes(migrationPhases[phase].step);

/** The rules of a phase. */
export function rulesOf(phase: MigrationPhase): StepRules {
  const row = migrationPhases[phase];
  return steps[row.step](row, isForward(row.target));
}
