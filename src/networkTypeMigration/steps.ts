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

/** The conditions before and after a step, and what a person must do. */
export interface StepRules {
  /** What the step does, as a sentence. */
  does: string;
  /** Conditions that must all hold before the step, each time the phase is requested. */
  before: readonly Condition[];
  /** Conditions for which the step waits. */
  after: readonly Condition[];
  /** Conditions whose violation ends the waiting at once. */
  stop: readonly Condition[];
  /** What a person must do before the next phase. */
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

/** Drops a condition on the way back if the migration has not changed the type, so that the user can call it off. */
const whereChanged = (one: Condition, isForward: boolean): Condition => (isForward ? one : afterChange(one));

/** The rules of each step. Forward, the cluster must be healthy; the way back is open even if it is not. */
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
          "tell all users of the cluster when the cluster will be unreachable",
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
    does: "writes MTU and port of the new overlay network, records the boots of the nodes, and changes the type",
    before: [
      ...supported,
      begun,
      poolsPaused,
      typeIsOldOrChanged,
      recordFits,
      wishesStand,
      ...fits,
      // The user may have begun by hand: what prevents the beginning also prevents the change.
      ...(isForward ? [notUpgrading, supportedMode, poolsNotDegraded, rangesApart, backups, translated] : []),
    ],
    after: [multusRolledOut],
    stop: [],
    person: REBOOT,
    wayBack: phaseOf(MigrationStep.ChangeNetworkType, old),
  }),
  [MigrationStep.ResumePools]: ({ old }, isForward) => ({
    does: "resumes every MachineConfigPool",
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
    does: "removes the annotation and the record",
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

/** Whether a phase reads the machine configurations, which are large; other phases do without them. */
export const readsMachineConfigs = (phase: MigrationPhase): boolean =>
  [MigrationStep.ResumePools, MigrationStep.EndMigration].includes(migrationPhases[phase].step);

/** The rules of a phase. */
export function rulesOf(phase: MigrationPhase): StepRules {
  const row = migrationPhases[phase];
  return steps[row.step](row, isForward(row.target));
}
