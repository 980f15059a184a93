import {
  handTranslations,
  MIGRATED_SDN_MODE,
  MIGRATION_RELEASE,
  migrationPlatforms,
  migrationSources,
  otherMigrationReleases,
  OVERLAY_PORT,
  overlayMtu,
} from "../requirements/migration";
import { compareReleases, formatRelease } from "../requirements/release";
import { entriesOf, isMap, readText, readValue } from "../resources/read";
import { condition, MigrationStep, type Moment, phaseOf } from "./phases";
import { settingOf, translations, TYPE_SETTINGS, wantedPort } from "./network";
import { isDeepStrictEqual } from "node:util";
import type { Fault } from "../fault";
import { firstOf } from "../text";

const first = formatRelease(MIGRATION_RELEASE.release);

/** The release supports this migration. */
export const supportedRelease = condition(
  `the release is ${first}`,
  ({ cluster: { release } }) => {
    const path = "ClusterVersion version";
    if (!release)
      return [
        { path, problem: "names no release", remedy: "check whether this is a standalone OpenShift cluster" },
      ];
    if (compareReleases(release, MIGRATION_RELEASE.release) === 0) return [];
    const row = otherMigrationReleases.find(({ from }) => compareReleases(release, from) >= 0);
    const reason = row?.reason ?? "is not an OpenShift 4 release";
    const remedy = "follow the documentation of that release: this component does not know its migration";
    return [{ path, problem: `${formatRelease(release)} ${reason}`, remedy }];
  },
  MIGRATION_RELEASE.documents,
);

/** No upgrade changes the operators at the same time. */
export const notUpgrading = condition("no upgrade of the cluster is under way", ({ cluster }) =>
  cluster.isUpgrading
    ? [
        {
          path: "ClusterVersion version",
          problem: "is being upgraded, or its last upgrade was not completed",
          remedy: "wait for it: oc get clusterversion",
        },
      ]
    : [],
);

/** The platform is supported, and the cluster's own Machine API created its control plane. */
export const supportedInstall = condition(
  `openshift-install created the machines, on ${migrationPlatforms.platforms.join(", ")}`,
  ({ cluster: { platform, nodes, pools } }) => {
    const faults = [];
    if (!migrationPlatforms.platforms.some((one) => one === platform)) {
      const problem = `${platform ?? "no platform"}, where the migration is not supported`;
      const remedy = `keep the network type; the migration is supported on ${migrationPlatforms.platforms.join(", ")}`;
      faults.push({ path: "Infrastructure cluster", problem, remedy });
    }
    if (pools.length === 0)
      faults.push({
        path: "MachineConfigPools",
        problem: "there are none, as in a hosted cluster",
        remedy: "create a new cluster with the other type: a hosted cluster cannot migrate",
      });
    const foreign = nodes.filter(({ isControlPlane, isMachine }) => isControlPlane && !isMachine);
    if (foreign.length > 0)
      faults.push({
        path: `Node ${firstOf(foreign.map(({ name }) => name))}`,
        problem:
          "was not created by the Machine API: on user-provisioned machines the migration is not supported",
        remedy: "keep the network type, or create a new cluster",
      });
    return faults;
  },
  migrationPlatforms.documents,
);

/** OpenShift SDN isolates by network policies. Once the cluster has the target type, its mode no longer matters. */
export const supportedMode = condition(
  `OpenShift SDN is in mode ${MIGRATED_SDN_MODE.mode}`,
  ({ cluster: { objects, type }, target }) => {
    if (type === target) return [];
    const path = "Network.operator cluster spec.defaultNetwork.openshiftSDNConfig.mode";
    const mode =
      objects.operator && readText(objects.operator, "spec.defaultNetwork.openshiftSDNConfig.mode");
    if (typeof mode !== "string" || mode === "" || mode === MIGRATED_SDN_MODE.mode) return [];
    const problem = `${mode}, which cannot migrate: OVN-Kubernetes isolates only by network policies`;
    return [{ path, problem, remedy: "create a new cluster, and write network policies for its projects" }];
  },
  MIGRATED_SDN_MODE.documents,
);

/** The user confirms that there are backups. */
export const backups = condition(
  "the user confirms backups of etcd and of the network's configuration",
  ({ wishes: { backupsTaken } }) =>
    backupsTaken === true
      ? []
      : [
          {
            path: "backupsTaken",
            problem: "is not true",
            remedy: `back up etcd, run \`${BACKUP_COMMAND}\`, then set it to true`,
          },
        ],
  [migrationSources.steps],
);

export const BACKUP_COMMAND =
  "oc get Network.config.openshift.io cluster -o yaml > cluster-openshift-sdn.yaml";

/** The user confirms that settings that are lost are rewritten. */
export const translated = condition(
  "the user confirms that the listed settings, which OVN-Kubernetes does not take over, have been rewritten",
  ({ cluster: { objects }, wishes: { translationsPrepared } }) =>
    translationsPrepared === true
      ? []
      : translations(objects).map(({ object, what, instead }) => ({
          path: object,
          problem: `${what} not taken over`,
          remedy: `prepare ${instead}, then set translationsPrepared to true`,
        })),
  handTranslations.multicast.documents,
);

const LOOK = "oc get machineconfigpool";

/** No pool is degraded. */
export const poolsNotDegraded = condition("no MachineConfigPool is degraded", ({ cluster: { pools } }) =>
  pools
    .filter(({ degraded }) => degraded)
    .map(({ name }) => ({
      path: `MachineConfigPool ${name}`,
      problem: "is degraded",
      remedy: `check it: oc describe machineconfigpool ${name}`,
    })),
);

/** Every pool has its configuration on all machines. */
export const poolsUpdated = condition("every MachineConfigPool is updated", ({ cluster: { pools } }) =>
  pools
    .filter(({ updated }) => !updated)
    .map(({ name, progress }) => ({
      path: `MachineConfigPool ${name}`,
      problem: `is not updated: ${progress}`,
      remedy: `wait for it: ${LOOK}`,
    })),
);

/** Every pool is paused, so that the Machine Config Operator restarts no node. */
export const poolsPaused = condition("every MachineConfigPool is paused", (moment: Moment) => {
  const running = moment.cluster.pools.filter(({ paused }) => !paused);
  if (running.length === 0) return [];
  const path = `MachineConfigPool ${firstOf(running.map(({ name }) => name))}`;
  const remedy = `run phase ${phaseOf(MigrationStep.PausePools, moment.target)} first`;
  return [{ path, problem: "is not paused, and would restart nodes during the change", remedy }];
});

/** No pool is paused, so that the Machine Config Operator works. */
export const poolsRunning = condition("no MachineConfigPool is paused", (moment: Moment) => {
  const paused = moment.cluster.pools.filter((pool) => pool.paused);
  if (paused.length === 0) return [];
  const path = `MachineConfigPool ${firstOf(paused.map(({ name }) => name))}`;
  const remedy =
    moment.step === MigrationStep.Begin
      ? "resume it before you begin"
      : `run phase ${phaseOf(MigrationStep.ResumePools, moment.target)} first`;
  return [{ path, problem: "is paused", remedy }];
});

/** Every ClusterOperator is available and not degraded. */
export const operatorsFine = condition(
  "every ClusterOperator is available and not degraded",
  ({ cluster: { operators } }) => {
    const [path, remedy] = ["ClusterOperators", "check them: oc get clusteroperator"];
    if (operators.length === 0) return [{ path, problem: "there are none", remedy }];
    return operators
      .filter(({ available, degraded }) => !available || degraded)
      .map(({ name, degraded }) => ({
        path: `ClusterOperator ${name}`,
        problem: degraded ? "is degraded" : "is not available",
        remedy: `check it: oc describe clusteroperator ${name}`,
      }));
  },
);

/** Every node is ready to run pods. */
export const nodesReady = condition("every node is ready", ({ cluster: { nodes } }) => {
  const waiting = nodes.filter(({ ready }) => !ready);
  if (nodes.length === 0)
    return [{ path: "Nodes", problem: "there are none", remedy: "check them: oc get nodes" }];
  if (waiting.length === 0) return [];
  const remedy =
    "read the logs of its machine-config-daemon: oc get pod -n openshift-machine-config-operator -o wide";
  return [{ path: `Node ${firstOf(waiting.map(({ name }) => name))}`, problem: "is not ready", remedy }];
});

/** Every node has the machine configuration that it should have. */
export const nodesConfigured = condition(
  "every node has its machine configuration (state Done, current as desired)",
  ({ cluster: { nodes } }) => {
    const waiting = nodes.filter(({ isConfigured }) => !isConfigured);
    if (waiting.length === 0) return [];
    const path = `Node ${firstOf(waiting.map(({ name }) => name))}`;
    const remedy = 'wait for it: oc describe node | egrep "hostname|machineconfig"';
    return [{ path, problem: "does not have its desired machine configuration", remedy }];
  },
);

/** After the change of the type, its settings are requested as they were written: the network operator refuses others. */
export const wishesStand = condition(
  "after the type has been changed, the requested MTU, port and cluster network are the ones that were written",
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
    : [differs(moment, "smallestNodeMtu", `requests an MTU of ${wish}`, String(stands))];
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
    : [differs(moment, port, `requests ${wish}`, String(stands))];
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
  return [differs(moment, "clusterNetwork", `requests ${shown(wish)}`, shown(stands))];
}

const differs = ({ old }: Moment, path: string, asked: string, stands: string): Fault => ({
  path,
  problem: `${asked}, but the type was changed with ${stands}`,
  remedy: `write the value with which the type was changed, or go back first with phase ${phaseOf(MigrationStep.ChangeNetworkType, old)}`,
});
