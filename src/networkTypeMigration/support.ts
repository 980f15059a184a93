import {
  MIGRATED_SDN_MODE,
  MIGRATION_RELEASE,
  handTranslations,
  migrationPlatforms,
  migrationSources,
  otherMigrationReleases,
} from "../requirements/migration";
import { compareReleases, formatRelease } from "../requirements/release";
import { readText } from "../resources/read";
import { condition, named } from "./phases";
import { translations } from "./network";

const first = formatRelease(MIGRATION_RELEASE.release);

/** The release has this migration. */
export const supportedRelease = condition(
  `the release is ${first}`,
  ({ cluster: { release } }) => {
    const path = "ClusterVersion version";
    if (!release)
      return [
        { path, problem: "names no release", remedy: "look whether this is an OpenShift cluster of its own" },
      ];
    if (compareReleases(release, MIGRATION_RELEASE.release) === 0) return [];
    const row = otherMigrationReleases.find(({ from }) => compareReleases(release, from) >= 0);
    const reason = row?.reason ?? "is none of OpenShift 4";
    const remedy = "follow the documentation of that release: this component does not know its migration";
    return [{ path, problem: `${formatRelease(release)} ${reason}`, remedy }];
  },
  MIGRATION_RELEASE.documents,
);

/** The operators change for nothing else. */
export const notUpgrading = condition("no upgrade of the cluster is under way", ({ cluster }) =>
  cluster.isUpgrading
    ? [
        {
          path: "ClusterVersion version",
          problem: "is in an upgrade, or its last one was not completed",
          remedy: "wait for it: oc get clusterversion",
        },
      ]
    : [],
);

/** The platform is one of the supported ones, and the cluster's own Machine API made its control plane. */
export const supportedInstall = condition(
  `openshift-install made the machines, on ${migrationPlatforms.platforms.join(", ")}`,
  ({ cluster: { platform, nodes, pools } }) => {
    const faults = [];
    if (!migrationPlatforms.platforms.some((one) => one === platform)) {
      const problem = `${platform ?? "no platform"}, where the migration is not supported`;
      const remedy = `stay with the network type; it migrates on ${migrationPlatforms.platforms.join(", ")}`;
      faults.push({ path: "Infrastructure cluster", problem, remedy });
    }
    if (pools.length === 0)
      faults.push({
        path: "MachineConfigPools",
        problem: "there are none, as in a hosted cluster",
        remedy: "make a new cluster with the other type: a hosted cluster does not migrate",
      });
    const foreign = nodes.filter(({ isControlPlane, isMachine }) => isControlPlane && !isMachine);
    if (foreign.length > 0)
      faults.push({
        path: `Node ${named(foreign.map(({ name }) => name))}`,
        problem:
          "was not made by the Machine API: on user-provisioned machines the migration is not supported",
        remedy: "stay with the network type, or make a new cluster",
      });
    return faults;
  },
  migrationPlatforms.documents,
);

/** OpenShift SDN isolates by network policies. Once the cluster has left it, its mode is a setting that is left over. */
export const supportedMode = condition(
  `OpenShift SDN is in mode ${MIGRATED_SDN_MODE.mode}`,
  ({ cluster: { objects, type }, target }) => {
    if (type === target) return [];
    const path = "Network.operator cluster spec.defaultNetwork.openshiftSDNConfig.mode";
    const mode =
      objects.operator && readText(objects.operator, "spec.defaultNetwork.openshiftSDNConfig.mode");
    if (typeof mode !== "string" || mode === "" || mode === MIGRATED_SDN_MODE.mode) return [];
    const problem = `${mode}, which cannot migrate: OVN-Kubernetes isolates only by network policies`;
    return [{ path, problem, remedy: "make a new cluster, and write network policies for its projects" }];
  },
  MIGRATED_SDN_MODE.documents,
);

/** The user says that backups are there. */
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

/** What gets lost is known, and the user has written it anew. */
export const translated = condition(
  "the user confirms that what OVN-Kubernetes does not take over is written anew; it is listed",
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
