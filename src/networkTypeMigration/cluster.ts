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
  /** The machine configuration that its machines are to have. */
  configuration?: string;
  /** The one that all of them have had last. */
  machinesHave?: string;
  updated: boolean;
  degraded: boolean;
  /** `2 of 3 machines updated` */
  progress: string;
}

/** A node. */
export interface MigratingNode {
  name: string;
  /** The beginning of the id of its boot. */
  boot: string;
  ready: boolean;
  addresses: string[];
  /** Whether it runs the control plane. */
  isControlPlane: boolean;
  /** Whether the cluster's own Machine API made it. */
  isMachine: boolean;
  /** Whether it has the machine configuration that it is to have. */
  isConfigured: boolean;
}

/** A ClusterOperator. */
export interface OperatorState {
  name: string;
  available: boolean;
  degraded: boolean;
}

/** What decides which phase a cluster may go to, as its objects say it. */
export interface MigratingCluster {
  objects: MigrationObjects;
  release?: Release;
  /** Whether the release is being changed, or was not brought about in whole. */
  isUpgrading: boolean;
  platform?: string;
  /** The type that is wanted: `spec.networkType`. */
  type?: string;
  /** The type that the operator has brought about: `status.networkType`. */
  statusType?: string;
  /** Whether the operator may change the type. */
  isBegun: boolean;
  /** Absent where no phase has changed the type. */
  record?: MigrationRecord;
  pools: Pool[];
  nodes: MigratingNode[];
  operators: OperatorState[];
  multus?: RollOut;
}

/** What was noted in the write that changed the type. */
export interface MigrationRecord {
  target: MigratedType;
  /** The generation of Multus before: a newer one rolls out because of the change. */
  multusGeneration: number;
  /** The beginnings of the ids of the boots before: nodes of another boot have been restarted. */
  boots: string[];
}

/** So much of a boot's id that no two of a cluster are the same, and that thousands of them fit into an annotation. */
const LENGTH = 12;

export const bootOf = (id: string): string => id.replaceAll("-", "").slice(0, LENGTH);

export const recordText = (record: MigrationRecord): string => JSON.stringify(record);

/** The record that a text holds; undefined where it holds none. */
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

/** Reads what decides from the objects of a cluster. */
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
    // What was said of an earlier generation or configuration says nothing of this one.
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

/** The version of an object that a write refers to. */
export const versionOf = (object: PropertyMap | undefined): string =>
  textAt(object, "metadata.resourceVersion");

const sdn = "/apis/network.openshift.io/v1";

/** Where the objects stand of which a cluster has one. */
export const MIGRATION_OBJECT = {
  config: "/apis/config.openshift.io/v1/networks/cluster",
  operator: "/apis/operator.openshift.io/v1/networks/cluster",
  version: "/apis/config.openshift.io/v1/clusterversions/version",
  infrastructure: "/apis/config.openshift.io/v1/infrastructures/cluster",
  multus: `/apis/apps/v1/namespaces/${MULTUS.namespace}/daemonsets/${MULTUS.name}`,
  sdnNamespace: `/api/v1/namespaces/${NETWORK_NAMESPACE[NetworkType.OpenShiftSDN]}`,
  ovnNamespace: `/api/v1/namespaces/${NETWORK_NAMESPACE[NetworkType.OVNKubernetes]}`,
} as const;

/** Where the objects stand of which a cluster has many. */
export const MIGRATION_LIST = {
  pools: "/apis/machineconfiguration.openshift.io/v1/machineconfigpools",
  operators: "/apis/config.openshift.io/v1/clusteroperators",
  nodes: "/api/v1/nodes",
  egressNetworkPolicies: `${sdn}/egressnetworkpolicies`,
  netNamespaces: `${sdn}/netnamespaces`,
  hostSubnets: `${sdn}/hostsubnets`,
} as const;

/** Where the machine configurations stand that pools name. */
export const MACHINE_CONFIGS = "/apis/machineconfiguration.openshift.io/v1/machineconfigs";

/** What a migration reads of a cluster: objects that are not there are absent, kinds that are unknown have no objects. */
export type MigrationObjects = { readonly [Name in keyof typeof MIGRATION_OBJECT]?: PropertyMap } & {
  readonly [Name in keyof typeof MIGRATION_LIST]: readonly PropertyMap[];
} & {
  /** Those that the pools name, for phases that read them; for others none. */
  readonly machineConfigs?: readonly PropertyMap[];
};

/** Whether a machine configuration that was read prepares nodes for a type. */
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

/** Whether all machines of all pools got a configuration of a type, which restarted them. */
export const machinesAreFor = (cluster: MigratingCluster, type: MigratedType): boolean =>
  cluster.pools.every(({ machinesHave }) => prepares(cluster, machinesHave, type));
