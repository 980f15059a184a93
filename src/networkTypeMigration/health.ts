import { condition, named, MigrationStep, phaseOf, type Moment } from "./phases";

const LOOK = "oc get machineconfigpool";

/** No pool is in trouble. */
export const poolsNotDegraded = condition("no MachineConfigPool is degraded", ({ cluster: { pools } }) =>
  pools
    .filter(({ degraded }) => degraded)
    .map(({ name }) => ({
      path: `MachineConfigPool ${name}`,
      problem: "is degraded",
      remedy: `look at it: oc describe machineconfigpool ${name}`,
    })),
);

/** Each pool has its configuration on all machines. */
export const poolsUpdated = condition("every MachineConfigPool is updated", ({ cluster: { pools } }) =>
  pools
    .filter(({ updated }) => !updated)
    .map(({ name, progress }) => ({
      path: `MachineConfigPool ${name}`,
      problem: `is not updated: ${progress}`,
      remedy: `wait for it: ${LOOK}`,
    })),
);

/** The Machine Config Operator restarts no node. */
export const poolsPaused = condition("every MachineConfigPool is paused", (moment: Moment) => {
  const running = moment.cluster.pools.filter(({ paused }) => !paused);
  if (running.length === 0) return [];
  const path = `MachineConfigPool ${named(running.map(({ name }) => name))}`;
  const remedy = `run phase ${phaseOf(MigrationStep.PausePools, moment.target)} first`;
  return [{ path, problem: "is not paused, and would restart nodes in between", remedy }];
});

/** The Machine Config Operator works. */
export const poolsRunning = condition("no MachineConfigPool is paused", (moment: Moment) => {
  const paused = moment.cluster.pools.filter((pool) => pool.paused);
  if (paused.length === 0) return [];
  const path = `MachineConfigPool ${named(paused.map(({ name }) => name))}`;
  const remedy =
    moment.step === MigrationStep.Begin
      ? "let it run before you begin"
      : `run phase ${phaseOf(MigrationStep.ResumePools, moment.target)} first`;
  return [{ path, problem: "is paused", remedy }];
});

/** The cluster is in a good state. */
export const operatorsFine = condition(
  "every ClusterOperator is available and not degraded",
  ({ cluster: { operators } }) => {
    const [path, remedy] = ["ClusterOperators", "look at them: oc get clusteroperator"];
    if (operators.length === 0) return [{ path, problem: "there are none", remedy }];
    return operators
      .filter(({ available, degraded }) => !available || degraded)
      .map(({ name, degraded }) => ({
        path: `ClusterOperator ${name}`,
        problem: degraded ? "is degraded" : "is not available",
        remedy: `look at it: oc describe clusteroperator ${name}`,
      }));
  },
);

/** Nodes take pods. */
export const nodesReady = condition("every node is ready", ({ cluster: { nodes } }) => {
  const waiting = nodes.filter(({ ready }) => !ready);
  if (nodes.length === 0)
    return [{ path: "Nodes", problem: "there are none", remedy: "look at them: oc get nodes" }];
  if (waiting.length === 0) return [];
  const remedy =
    "read the logs of its machine-config-daemon: oc get pod -n openshift-machine-config-operator -o wide";
  return [{ path: `Node ${named(waiting.map(({ name }) => name))}`, problem: "is not ready", remedy }];
});

/** Nodes have their machine configuration. */
export const nodesConfigured = condition(
  "every node has its machine configuration (state Done, current as desired)",
  ({ cluster: { nodes } }) => {
    const waiting = nodes.filter(({ isConfigured }) => !isConfigured);
    if (waiting.length === 0) return [];
    const path = `Node ${named(waiting.map(({ name }) => name))}`;
    const remedy = 'wait for it: oc describe node | egrep "hostname|machineconfig"';
    return [{ path, problem: "does not have the machine configuration that it is to have", remedy }];
  },
);
