import { condition, MigrationStep, type Moment, named, phaseOf } from "./phases";
import { isDeepStrictEqual } from "node:util";
import type { Fault } from "../fault";
import { OVERLAY_PORT, overlayMtu } from "../requirements/migration";
import { entriesOf, isMap, readValue } from "../resources/read";
import { settingOf, TYPE_SETTINGS, wantedPort } from "./network";

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

/** What the type was changed with cannot become something else: the network operator would refuse it. */
export const wishesStand = condition(
  "once the type has been changed, MTU, port and cluster network are asked for as they were written",
  (moment) => {
    const { cluster, target } = moment;
    if (cluster.type !== target || cluster.record?.target !== target) return [];
    return [...mtuFaults(moment), ...portFaults(moment), ...rangeFaults(moment)];
  },
);

function mtuFaults(moment: Moment): Fault[] {
  const { wishes, target } = moment;
  if (wishes.smallestNodeMtu === undefined) return [];
  const [wish, stands] = [overlayMtu(wishes.smallestNodeMtu, target), settingOf(moment, target, "mtu")];
  return wish === stands
    ? []
    : [differs(moment, "smallestNodeMtu", `asks for an MTU of ${wish}`, String(stands))];
}

function portFaults(moment: Moment): Fault[] {
  const { target } = moment;
  const { port } = TYPE_SETTINGS[target];
  const [wish, stands] = [
    wantedPort(moment, target),
    settingOf(moment, target, port) ?? OVERLAY_PORT[target],
  ];
  return wish === undefined || wish === stands
    ? []
    : [differs(moment, port, `asks for ${wish}`, String(stands))];
}

function rangeFaults(moment: Moment): Fault[] {
  const { wishes, cluster } = moment;
  if (!wishes.clusterNetwork) return [];
  const config = cluster.objects.config;
  const stands = entriesOf(config && readValue(config, "spec.clusterNetwork"))
    .filter(isMap)
    .map(({ cidr, hostPrefix }) => ({ cidr, hostPrefix }));
  const wish = wishes.clusterNetwork.map(({ cidr, hostPrefix }) => ({ cidr, hostPrefix }));
  if (isDeepStrictEqual(wish, stands)) return [];
  const shown = (all: readonly object[]) => JSON.stringify(all);
  return [differs(moment, "clusterNetwork", `asks for ${shown(wish)}`, shown(stands))];
}

const differs = ({ old }: Moment, path: string, asked: string, stands: string): Fault => ({
  path,
  problem: `${asked}, and the type was changed with ${stands}`,
  remedy: `leave it as it was, or go back first with phase ${phaseOf(MigrationStep.ChangeNetworkType, old)}`,
});
