import {
  MACHINE_ANNOTATION,
  MACHINE_CONFIG_ANNOTATION,
  MIGRATION_ANNOTATION,
  MIGRATION_RECORD_ANNOTATION,
} from "../requirements/migration";
import { parseRelease, type Release } from "../requirements/release";
import { rollOutOf, type RollOut } from "../resources/daemonSet";
import { annotationOf, nameOf, textAt } from "../resources/objectText";
import { read, readText, readValue } from "../resources/read";
import { entriesOf, isMap, type PropertyMap } from "../objects/places";
import type { MigrationObjects } from "./objects";
import { bootOf, parseRecord, type MigrationRecord } from "./record";

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
export const versionOf = (object: PropertyMap): string =>
  String(readText(object, "metadata.resourceVersion") ?? "");
