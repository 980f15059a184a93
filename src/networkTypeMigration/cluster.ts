import {
  MACHINE_ANNOTATION,
  MACHINE_CONFIG_ANNOTATION,
  MACHINE_CONFIG_SCRIPT,
  MIGRATION_ANNOTATION,
  MIGRATION_RECORD_ANNOTATION,
  MULTUS,
  NETWORK_NAMESPACE,
  type MigratedType,
} from "../requirements/migration";
import { parseRelease, type Release } from "../requirements/release";
import { annotationOf, nameOf, type RollOut, rollOutOf, textAt } from "../resources/kubernetesObject";
import { entriesOf, isMap, type PropertyMap, read, readValue } from "../resources/read";
import { NetworkType } from "../requirements/vocabulary";

/** A MachineConfigPool. */
export interface Pool {
  name: string;
  resourceVersion: string;
  paused: boolean;
  /** The machine configuration that its machines should have. */
  configuration?: string;
  /** The last machine configuration that all of them had. */
  machinesHave?: string;
  updated: boolean;
  degraded: boolean;
  /** The progress: `2 of 3 machines updated`. */
  progress: string;
}

/** A node. */
export interface MigratingNode {
  name: string;
  /** The first characters of its boot ID. */
  boot: string;
  ready: boolean;
  addresses: string[];
  /** Whether it runs the control plane. */
  isControlPlane: boolean;
  /** Whether the cluster's own Machine API created it. */
  isMachine: boolean;
  /** Whether it has the machine configuration that it should have. */
  isConfigured: boolean;
}

/** A ClusterOperator. */
export interface OperatorState {
  name: string;
  available: boolean;
  degraded: boolean;
}

/** The state of a cluster that decides which phases it may go to, from its objects. */
export interface MigratingCluster {
  objects: MigrationObjects;
  release?: Release;
  /** Whether a change of the release is under way or was not completed. */
  isUpgrading: boolean;
  platform?: string;
  /** The wanted type: `spec.networkType`. */
  type?: string;
  /** The type that the operator has applied: `status.networkType`. */
  statusType?: string;
  /** Whether the operator may change the type. */
  isBegun: boolean;
  /** Absent if no phase has changed the type. */
  record?: MigrationRecord;
  pools: Pool[];
  nodes: MigratingNode[];
  operators: OperatorState[];
  multus?: RollOut;
}

/** The record that the write that changed the type left in the object. */
export interface MigrationRecord {
  target: MigratedType;
  /** The generation of Multus before the change: a newer one rolls out because of it. */
  multusGeneration: number;
  /** The first characters of the boot IDs before the change: nodes with other boot IDs have been restarted. */
  boots: string[];
}

/** The length of a shortened boot ID: unique within a cluster, and short enough for thousands in one annotation. */
const LENGTH = 12;

export const bootOf = (id: string): string => id.replaceAll("-", "").slice(0, LENGTH);

export const recordText = (record: MigrationRecord): string => JSON.stringify(record);

/** Parses a record; undefined if the text holds none. */
export function parseRecord(text: string | undefined): MigrationRecord | undefined {
  try {
    const { target, multusGeneration, boots } = JSON.parse(text ?? "") as Partial<MigrationRecord>;
    const known = target === NetworkType.OVNKubernetes || target === NetworkType.OpenShiftSDN;
    if (!known || typeof multusGeneration !== "number" || !Array.isArray(boots)) return undefined;
    return { target, multusGeneration, boots: boots.map(String) };
  } catch {
    return undefined;
  }
}

/** Reads the state of a migrating cluster from its objects. */
export function migratingCluster(objects: MigrationObjects): MigratingCluster {
  const { config, operator, version, infrastructure, multus } = objects;
  const release = parseRelease(textAt(version, "status.desired.version"));
  const platform = textAt(infrastructure, "status.platformStatus.type");
  const type = textAt(config, "spec.networkType");
  const statusType = textAt(config, "status.networkType");
  const record = parseRecord(annotationOf(config, MIGRATION_RECORD_ANNOTATION));
  return {
    objects,
    ...(release && { release }),
    isUpgrading: version !== undefined && !isCompleted(version),
    ...(platform && { platform }),
    ...(type && { type }),
    ...(statusType && { statusType }),
    isBegun: annotationOf(operator, MIGRATION_ANNOTATION) !== undefined,
    ...(record && { record }),
    pools: objects.pools.map(poolOf),
    nodes: objects.nodes.map(nodeOf),
    operators: objects.operators.map((object) => ({
      name: nameOf(object),
      available: hasCondition(object, "Available"),
      degraded: hasCondition(object, "Degraded"),
    })),
    ...(multus && { multus: rollOutOf(multus) }),
  };
}

function isCompleted(version: PropertyMap): boolean {
  const [last] = entriesOf(readValue(version, "status.history"));
  return isMap(last) && last.state === "Completed" && !hasCondition(version, "Progressing");
}

function poolOf(object: PropertyMap): Pool {
  const number = (path: string): number => {
    const value = readValue(object, path);
    return typeof value === "number" ? value : 0;
  };
  const [configuration, machinesHave] = ["spec", "status"].map((part) =>
    textAt(object, `${part}.configuration.name`),
  );
  return {
    name: nameOf(object),
    resourceVersion: versionOf(object),
    paused: readValue(object, "spec.paused") === true,
    ...(configuration && { configuration }),
    ...(machinesHave && { machinesHave }),
    // Conditions of an earlier generation or configuration do not apply to this one.
    updated:
      configuration === machinesHave &&
      hasCondition(object, "Updated") &&
      !hasCondition(object, "Updating") &&
      number("status.observedGeneration") >= number("metadata.generation"),
    degraded: hasCondition(object, "Degraded"),
    progress: `${number("status.updatedMachineCount")} of ${number("status.machineCount")} machines updated`,
  };
}

const CONTROL_PLANE = ["node-role.kubernetes.io/master", "node-role.kubernetes.io/control-plane"];

function nodeOf(object: PropertyMap): MigratingNode {
  const labels = readValue(object, "metadata.labels");
  const { current, desired, state, done } = MACHINE_CONFIG_ANNOTATION;
  return {
    name: nameOf(object),
    boot: bootOf(textAt(object, "status.nodeInfo.bootID")),
    ready: hasCondition(object, "Ready"),
    addresses: read(object, "status.addresses[]").flatMap(({ value }) =>
      isMap(value) && value.type === "InternalIP" && typeof value.address === "string" ? [value.address] : [],
    ),
    isControlPlane: isMap(labels) && CONTROL_PLANE.some((label) => label in labels),
    isMachine: annotationOf(object, MACHINE_ANNOTATION) !== undefined,
    isConfigured:
      annotationOf(object, state) === done && annotationOf(object, current) === annotationOf(object, desired),
  };
}

const hasCondition = (object: PropertyMap, type: string): boolean =>
  read(object, "status.conditions[]").some(
    ({ value }) => isMap(value) && value.type === type && value.status === "True",
  );

/** The version of an object to which a write refers. */
export const versionOf = (object: PropertyMap | undefined): string =>
  textAt(object, "metadata.resourceVersion");

const sdn = "/apis/network.openshift.io/v1";

/** API paths of the objects that a cluster has once. */
export const MIGRATION_OBJECT = {
  config: "/apis/config.openshift.io/v1/networks/cluster",
  operator: "/apis/operator.openshift.io/v1/networks/cluster",
  version: "/apis/config.openshift.io/v1/clusterversions/version",
  infrastructure: "/apis/config.openshift.io/v1/infrastructures/cluster",
  multus: `/apis/apps/v1/namespaces/${MULTUS.namespace}/daemonsets/${MULTUS.name}`,
  sdnNamespace: `/api/v1/namespaces/${NETWORK_NAMESPACE[NetworkType.OpenShiftSDN]}`,
  ovnNamespace: `/api/v1/namespaces/${NETWORK_NAMESPACE[NetworkType.OVNKubernetes]}`,
} as const;

/** API paths of the lists of objects. */
export const MIGRATION_LIST = {
  pools: "/apis/machineconfiguration.openshift.io/v1/machineconfigpools",
  operators: "/apis/config.openshift.io/v1/clusteroperators",
  nodes: "/api/v1/nodes",
  egressNetworkPolicies: `${sdn}/egressnetworkpolicies`,
  netNamespaces: `${sdn}/netnamespaces`,
  hostSubnets: `${sdn}/hostsubnets`,
} as const;

/** API path of the machine configurations that pools name. */
export const MACHINE_CONFIGS = "/apis/machineconfiguration.openshift.io/v1/machineconfigs";

/** What a migration reads of a cluster. Missing objects are absent; unknown kinds have no objects. */
export type MigrationObjects = { readonly [Name in keyof typeof MIGRATION_OBJECT]?: PropertyMap } & {
  readonly [Name in keyof typeof MIGRATION_LIST]: readonly PropertyMap[];
} & {
  /** The machine configurations that the pools name. Read only for phases that use them. */
  readonly machineConfigs?: readonly PropertyMap[];
};

/** Whether a machine configuration prepares nodes for a network type. */
export function prepares(
  { objects }: MigratingCluster,
  name: string | undefined,
  type: MigratedType,
): boolean {
  const config = objects.machineConfigs?.find((one) => nameOf(one) === name);
  const start = new RegExp(`${MACHINE_CONFIG_SCRIPT.replaceAll(".", "\\.")} ${type}\\s*$`, "m");
  return read(config, "spec.config.systemd.units[].contents").some(
    ({ value }) => typeof value === "string" && start.test(value),
  );
}

/** Whether all machines of all pools have a configuration for a network type, which restarted them. */
export const machinesAreFor = (cluster: MigratingCluster, type: MigratedType): boolean =>
  cluster.pools.every(({ machinesHave }) => prepares(cluster, machinesHave, type));
