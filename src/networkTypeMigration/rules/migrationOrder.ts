import { sameValue } from "../../hostedCluster/changes";
import { holdsUnknown, isGiven } from "../../objects/places";
import { migrationSources } from "../../requirements/migration";
import { readValue } from "../../resources/read";
import { UNKNOWN, type Resource } from "../../resources/resource";
import { isMachineConfigPool, isNetworkConfig } from "../../resources/resourceTypes";
import type { JudgedResources } from "../../gate/judgedResources";
import { hiddenMigrations, typeMigrations, type WrittenMigration } from "./migrations";
import { networkOperators, type WrittenOperator } from "../../networkOperator/rules/networkOperators";
import { Level, describeResource, unknown, violated, type Judgement, type Rule } from "../../gate/rule";

/** Steps of a migration of the network type that one deployment takes out of order. */
export const migrationOrder: Rule = {
  id: "migration-order",
  title: "A change of the network type goes step by step",
  level: Level.Error,
  description:
    "Where a stack holds the Network operator's object: another networkType in Network.config.openshift.io than the operator has needs a migration that has begun; while one lasts, in another mode than Live, MachineConfigPools of the stack are paused, the service network stays as it is, and the MTU is not changed at the same time. Which step a running cluster has reached, the backups of etcd and configuration, the reboots, and whether the release migrates at all, no plan says.",
  documents: [migrationSources.steps, migrationSources.rollback, migrationSources.operator],
  remediation:
    "Take one step in each deployment: begin the migration, pause the pools, change the network type, reboot the nodes, resume the pools, end the migration.",
  judge: (judged) => {
    const migrations = typeMigrations(judged);
    const configs = judged.ofKind(isNetworkConfig);
    return [
      ...hiddenMigrations(judged),
      ...(migrations.length === 0 ? judgeBeginning(judged, configs) : []),
      ...migrations.flatMap((migration) => [
        ...judgePools(judged, migration),
        ...judgeService(migration, configs),
        ...judgeMtu(migration),
      ]),
    ];
  },
};

const TYPE = "spec.networkType";

/** A new type, without a migration. */
function judgeBeginning(judged: JudgedResources, configs: readonly Resource[]): Judgement[] {
  const operators = networkOperators(judged, "spec.defaultNetwork.type");
  return operators.flatMap(({ value }) =>
    configs.flatMap((config) => {
      const has = value("spec.defaultNetwork.type");
      const wanted = readValue(config.properties, TYPE);
      if (!isGiven(wanted) || wanted === has) return [];
      if (has === UNKNOWN || wanted === UNKNOWN) return [unknown({ resource: config, path: TYPE })];
      if (typeof wanted !== "string" || typeof has !== "string") return [];
      return [
        violated({
          resource: config.origin,
          path: TYPE,
          message: `is another type than the Network operator has, and no migration has begun`,
          fix: "begin the migration in the Network operator's object, and change the type in a later deployment",
        }),
      ];
    }),
  );
}

/** Pools that restart nodes in the middle. */
function judgePools(judged: JudgedResources, { isLive }: WrittenMigration): Judgement[] {
  if (isLive) return [];
  const path = "spec.paused";
  return judged.ofKind(isMachineConfigPool).flatMap((pool) => {
    const paused = readValue(pool.properties, path);
    if (paused === UNKNOWN) return [unknown({ resource: pool, path })];
    if (paused === true) return [];
    const message =
      "is not true while the network type of the cluster is changed: the pool restarts nodes in between";
    return [
      violated({
        resource: pool.origin,
        path,
        message,
        fix: "pause the pool until every node has been restarted",
      }),
    ];
  });
}

function judgeService({ value, resource }: WrittenOperator, configs: readonly Resource[]): Judgement[] {
  const path = "spec.serviceNetwork";
  const has = value(path);
  return configs.flatMap((config) => {
    const wanted = readValue(config.properties, path);
    if (!isGiven(has) || !isGiven(wanted)) return [];
    if (holdsUnknown(has) || holdsUnknown(wanted)) return [unknown({ resource: config, path })];
    if (sameValue(has, wanted)) return [];
    const message = `is another one than ${describeResource(resource)} has, and a migration keeps the service network`;
    return [violated({ resource: config.origin, path, message, fix: "write it as it is" })];
  });
}

function judgeMtu({ value, resource, isLive }: WrittenMigration): Judgement[] {
  const path = "spec.migration.mtu";
  if (isLive || !isGiven(value(path)) || !isGiven(value("spec.migration.networkType"))) return [];
  const message =
    "stands beside networkType, and in another mode than Live the API server refuses the two together";
  return [
    violated({ resource: resource.origin, path, message, fix: "change the MTU before or after the type" }),
  ];
}
