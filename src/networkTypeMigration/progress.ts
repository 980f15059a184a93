import type { Fault } from "../fault";
import {
  MACHINE_CONFIG_SCRIPT,
  MIGRATION_ANNOTATION,
  MIGRATION_RECORD_ANNOTATION,
  MULTUS,
  type MigratedType,
} from "../requirements/migration";
import { condition, MigrationStep, phaseOf, type Moment } from "./phases";
import { machinesAreFor, prepares } from "./cluster";
import { firstOf } from "../text";

const CONFIG = "Network.config cluster";
const OPERATOR = "Network.operator cluster";

/** The fix that names the phase to run first. */
const run = (step: MigrationStep, { target }: Moment): string => `run phase ${phaseOf(step, target)} first`;

/** The fix if the cluster has the wanted type already. */
const already = (moment: Moment): string => {
  const { cluster, old } = moment;
  if (cluster.record?.target === moment.target)
    return `continue with phase ${phaseOf(MigrationStep.ResumePools, moment.target)}`;
  return cluster.isBegun
    ? `end with ${phaseOf(MigrationStep.ResumePools, moment.target)} and ${phaseOf(MigrationStep.EndMigration, moment.target)}`
    : `leave the cluster as it is; to go back to ${old}, run ${phaseOf(MigrationStep.Begin, old)}`;
};

/** The cluster has the type that the migration replaces. */
export const typeIsOld = condition("the cluster has the old network type", (moment) => {
  const { cluster, old, target } = moment;
  if (cluster.type === old) return [];
  const problem = `has ${cluster.type ?? "no type"} and not ${old}`;
  const remedy = cluster.type === target ? already(moment) : "correct spec.networkType, or leave it as it is";
  return [{ path: CONFIG, problem, remedy }];
});

/** The cluster has the old type, or this phase changed it before it was interrupted or requested again. */
export const typeIsOldOrChanged = condition(
  "the cluster has the old network type, or this phase has changed it",
  (moment) =>
    moment.cluster.type === moment.target && moment.cluster.record?.target === moment.target
      ? []
      : typeIsOld.faults(moment),
);

/** `spec.networkType` is the new type. */
export const typeIsTarget = condition("the cluster has the new network type", (moment) => {
  const { cluster, target } = moment;
  if (cluster.type === target) return [];
  const remedy = run(MigrationStep.ChangeNetworkType, moment);
  return [{ path: CONFIG, problem: `has ${cluster.type ?? "no type"} and not ${target}`, remedy }];
});

/** The operator has applied the new type. */
export const statusIsTarget = condition("status.networkType is the new type", ({ cluster, target }) => {
  if (cluster.statusType === target) return [];
  const problem = `its status has ${cluster.statusType ?? "no type"} and not ${target}`;
  return [
    { path: CONFIG, problem, remedy: "check the network operator: oc describe clusteroperator network" },
  ];
});

/** No other program changed the type since the migration recorded it. */
export const recordFits = condition(
  "the network type has not been changed by hand since the migration changed it",
  ({ cluster: { record, type } }) => {
    if (!record || record.target === type) return [];
    const problem = `has ${type ?? "no type"}, and the migration changed it to ${record.target}: another program has changed it since`;
    return [{ path: CONFIG, problem, remedy: `write ${record.target} again, and continue from there` }];
  },
);

/** The operator may change the type. */
export const begun = condition(`the network operator has the annotation ${MIGRATION_ANNOTATION}`, (moment) =>
  moment.cluster.isBegun
    ? []
    : [
        {
          path: OPERATOR,
          problem: `has no annotation ${MIGRATION_ANNOTATION}`,
          remedy: run(MigrationStep.Begin, moment),
        },
      ],
);

/** No migration is under way. */
export const ended = condition("no migration is under way", (moment) => {
  const { isBegun, record } = moment.cluster;
  if (!isBegun && !record) return [];
  const problem = "shows that the migration is under way";
  return [{ path: isBegun ? OPERATOR : CONFIG, problem, remedy: run(MigrationStep.EndMigration, moment) }];
});

/** Multus is rolled out. If the change is recorded, its generation is newer than before the change. */
export const multusRolledOut = condition(
  `DaemonSet ${MULTUS.namespace}/${MULTUS.name} is rolled out, newer than before the change`,
  ({ cluster: { multus, record } }): Fault[] => {
    const path = `DaemonSet ${MULTUS.namespace}/${MULTUS.name}`;
    const remedy = `wait for it: oc -n ${MULTUS.namespace} rollout status daemonset/${MULTUS.name}`;
    if (!multus) return [{ path, problem: "is not there", remedy: "check the network operator" }];
    const isOld = record !== undefined && multus.generation <= record.multusGeneration;
    if (multus.isDone && !isOld) return [];
    const problem = `${multus.progress}${isOld ? ": still the generation from before the change" : ""}`;
    return [{ path, problem, remedy }];
  },
);

/** Every node has been restarted since the type changed. */
export const rebooted = condition(
  "every node has been restarted since the network type changed",
  ({ cluster, target, old }) => {
    const { nodes, record } = cluster;
    // Without a record, nothing was changed or others changed it: machines that have the type's configuration restarted for it.
    if (!record) return machinesAreFor(cluster, target) ? [] : [notNoted(old)];
    const waiting = nodes.filter(({ boot }) => record.boots.includes(boot));
    if (waiting.length === 0) return [];
    const path = `Node ${firstOf(waiting.map(({ name }) => name))}`;
    const problem = `${waiting.length} of ${nodes.length} not restarted since the network type changed`;
    return [{ path, problem, remedy: "restart each of them: ssh core@ADDRESS sudo shutdown -r -t 3" }];
  },
);

const notNoted = (old: MigratedType): Fault => ({
  path: CONFIG,
  problem: `has no annotation ${MIGRATION_RECORD_ANNOTATION}: the type was changed by hand, or the annotation was removed, and it is unknown which nodes have been restarted`,
  remedy: `go back with phase ${phaseOf(MigrationStep.ChangeNetworkType, old)}, or end the migration by hand as documented`,
});

/** The machine configurations of the pools are for the new type. */
export const machineConfigsFit = condition(
  `the machine configuration of every MachineConfigPool starts ${MACHINE_CONFIG_SCRIPT} with the new type`,
  ({ cluster, target }) =>
    cluster.pools
      .filter(({ configuration }) => !prepares(cluster, configuration, target))
      .map(({ name, configuration }) => ({
        path: `MachineConfigPool ${name}`,
        problem: configuration
          ? `has the machine configuration ${configuration} without ${MACHINE_CONFIG_SCRIPT} ${target}`
          : "names no machine configuration",
        remedy: `wait for the Machine Config Operator: oc get machineconfig ${configuration ?? "NAME"} -o yaml | grep ExecStart`,
      })),
);
