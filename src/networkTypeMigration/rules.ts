import { LIMIT } from "../requirements/limits";
import {
  LIVE_MIGRATION_ANNOTATION,
  MIGRATED_SDN_MODE,
  NOT_LIVE_SDN_MODE,
  OVERLAY_OVERHEAD,
  OVERLAY_PORT,
  migrationSources,
  nodeMtuOf,
  overlayMtu,
} from "../requirements/migration";
import {
  CONFIGURED_TYPE_PATH,
  NETWORK_TYPE_PATH,
  TARGET_TYPE_PATH,
} from "../requirements/networkObjectFields";
import { NetworkType } from "../requirements/vocabulary";
import { holdsUnknown, isGiven, read, readValue } from "../resources/read";
import { UNKNOWN, type PropertyValue, type Resource } from "../resources/resource";
import { isMachineConfigPool, isNetworkConfig, isNetworkOperator } from "../resources/resourceTypes";
import { isCertainlyApart, networksOfGuest } from "../addressRanges/inventory";
import {
  ANNOTATIONS,
  isTypeChangeRefused,
  type StatedMigration,
  statedMigration,
} from "../networkOperator/networkChanges";
import { networkTypeOf } from "../networkOperator/network";
import { GENEVE_PORT, OVN_CONFIG, networkOperators, type WrittenOperator } from "../networkOperator/rules";
import {
  Level,
  describeResource,
  secretOnly,
  Status,
  unknown,
  violated,
  type Judgement,
  type Rule,
} from "../gate/rule";
import { couldBeSame, liveValue, sameValue, statedBefore } from "../objects/specChange";
import { type JudgedCluster, placesOf as placesInCluster } from "../gate/clusters";
import { guestCluster } from "../gate/guestCluster";
import type { JudgedResources } from "../gate/judgedResources";
import { isUnknown, type NormalizedTopology } from "../topology/normalizedTopology";
import {
  areTwo,
  keyOfPlace,
  managementOf,
  notApart,
  notElsewhere,
  placesOf,
} from "../resources/managementCluster";

const OPERATOR_TYPE = `spec.${NETWORK_TYPE_PATH}`;
const CONFIGURED_TYPE = `spec.${CONFIGURED_TYPE_PATH}`;
const WANTED_TYPE = `spec.${TARGET_TYPE_PATH}`;
const MTU = "spec.migration.mtu";
const OVN_MTU = `${OVN_CONFIG}.mtu`;
const SDN_MTU = "spec.defaultNetwork.openshiftSDNConfig.mtu";
const { OVNKubernetes: OVN, OpenShiftSDN: SDN } = NetworkType;

/** Reports MTUs of a migration that leave no room for the overlay network. */
export const migrationMtu: Rule = {
  id: "migration-mtu",
  title: "MTU of a network migration does not fit the overlay network",
  level: Level.Error,
  description:
    "Reports Network operators that change the MTU (spec.migration.mtu) or the type of their network to an MTU that does not fit.",
  details: [
    `All values that the operator requires must be set. The network MTU must be at least ${LIMIT.operatorMtu.min} (${LIMIT.operatorMtu.minWithIpv6} with IPv6), both at most ${LIMIT.operatorMtu.max}, and the network MTU less than that of the nodes: by ${OVERLAY_OVERHEAD[OVN]} bytes with OVN-Kubernetes, ${OVERLAY_OVERHEAD.ipsec} more with IPsec, ${OVERLAY_OVERHEAD[SDN]} with OpenShift SDN.`,
    "If both network types have an MTU, each must fit the other's nodes.",
    "network.from must be the current network MTU, as the object, or in a preview its previous state, has it in ovnKubernetesConfig. No plan states the MTU of the nodes.",
  ],
  documents: [migrationSources.steps, migrationSources.rollback, migrationSources.operator],
  remediation: "Write the smallest MTU of the nodes less the bytes of the overlay network.",
  single: isNetworkOperator,
  judge: (judged) => [
    ...networkOperators(judged, MTU).flatMap(judgeChange),
    ...hiddenMigrations(judged),
    ...typeMigrations(judged).flatMap(judgeTypes),
  ],
};

const WANTED = ["network.from", "network.to", "machine.to"];

function judgeChange(operator: WrittenOperator): Judgement[] {
  const { resource, value } = operator;
  if (value(MTU) === UNKNOWN) return [unknown({ resource, path: MTU })];
  const absent = WANTED.filter((name) => value(`${MTU}.${name}`) === undefined);
  const network = numberAt(operator, `${MTU}.network.to`);
  const machine = numberAt(operator, `${MTU}.machine.to`);
  const pending = WANTED.filter((name) => value(`${MTU}.${name}`) === UNKNOWN);
  const { min, minWithIpv6, max } = LIMIT.operatorMtu;
  const least = holdsIpv6(operator) ? minWithIpv6 : min;
  const overhead = OVERLAY_OVERHEAD[OVN] + (hasIpsec(operator) ? OVERLAY_OVERHEAD.ipsec : 0);
  const at = (name: string, message: string, fix: string): Judgement =>
    violated({ resource: resource.origin, path: `${MTU}.${name}`, message, fix });
  return [
    ...absent.map((name) =>
      at(
        name,
        `missing: the network operator refuses a change of the MTU without it`,
        `write ${name}, even if it stays the same`,
      ),
    ),
    ...(typeof network === "number" && network < least
      ? [at("network.to", `${network} is less than ${least}`, `write ${least} or more`)]
      : []),
    ...Object.entries({ "network.to": network, "machine.to": machine }).flatMap(([name, mtu]) =>
      typeof mtu === "number" && mtu > max
        ? [
            at(
              name,
              `${mtu} is more than ${max}, the largest that the network operator accepts`,
              `write ${max} or less`,
            ),
          ]
        : [],
    ),
    ...(typeof network === "number" && typeof machine === "number" && machine - network < overhead
      ? [
          at(
            "machine.to",
            `${machine} leaves ${machine - network} bytes in addition to ${network}, but the overlay network needs ${overhead} of each packet`,
            `write machine.to ${network + overhead} or more, or network.to ${machine - overhead} or less`,
          ),
        ]
      : []),
    ...wrongStart(operator).map(([from, mtu]) =>
      at(
        "network.from",
        `${from} is not the present MTU of the cluster network, ${mtu}: the network operator refuses the change`,
        `write ${mtu}`,
      ),
    ),
    ...pending.map((name) => unknown({ resource, path: `${MTU}.${name}` })),
  ];
}

/**
 * The MTU from which a change begins, with the present one of OVN-Kubernetes if they differ. The operator compares them only when
 * the change begins: later the object may have the new MTU.
 */
function wrongStart(operator: WrittenOperator): [from: number, mtu: number][] {
  const { resource, value } = operator;
  const [from, to, own] = [`${MTU}.network.from`, `${MTU}.network.to`, OVN_MTU].map(value);
  const type = networkTypeOf(resource.properties.spec) ?? OVN;
  if (typeof from !== "number" || type !== OVN || isGiven(value(WANTED_TYPE))) return [];
  const before = statedBefore(resource);
  const [live, begun] = [OVN_MTU, `${MTU}.network.from`].map((path) =>
    liveValue(before, path.replace(/^spec\./, "")),
  );
  const mtu = live ?? own;
  const isBegun = live === undefined ? couldBeSame(own, to) : begun === UNKNOWN || begun === from;
  return typeof mtu !== "number" || mtu === from || isBegun ? [] : [[from, mtu]];
}

const holdsIpv6 = ({ resource }: WrittenOperator): boolean =>
  read(resource.properties, "spec.clusterNetwork[].cidr").some(
    ({ value }) => typeof value === "string" && value.includes(":"),
  );

function hasIpsec({ value }: WrittenOperator): boolean {
  const mode = value(`${OVN_CONFIG}.ipsecConfig.mode`);
  return value(`${OVN_CONFIG}.ipsecConfig`) !== undefined && (mode === undefined || mode === "Full");
}

/** Judges the MTU of the new type by that of the old one: the nodes are the same, so one limits the other. */
function judgeTypes(migration: WrittenMigration): Judgement[] {
  const { resource, target } = migration;
  const ovn = numberAt(migration, OVN_MTU);
  const sdn = numberAt(migration, SDN_MTU);
  if (ovn === undefined || sdn === undefined) return [];
  if (ovn === UNKNOWN || sdn === UNKNOWN)
    return [unknown({ resource, path: ovn === UNKNOWN ? OVN_MTU : SDN_MTU })];
  const isBack = target === SDN;
  const [path, mtu, most, other] = isBack
    ? [SDN_MTU, sdn, overlayMtu(nodeMtuOf(ovn, OVN), SDN), `${ovn} of ${OVN}`]
    : [OVN_MTU, ovn, overlayMtu(nodeMtuOf(sdn, SDN), OVN), `${sdn} of ${SDN}`];
  if (mtu <= most) return [];
  const message = `${mtu} is too large for nodes that fit ${other}: ${most} is left of each packet`;
  return [violated({ resource: resource.origin, path, message, fix: `write ${most} or less` })];
}

const VXLAN = "spec.defaultNetwork.openshiftSDNConfig.vxlanPort";

/** Reports two overlay networks with the same port, while nodes run both. */
export const migrationPorts: Rule = {
  id: "migration-ports",
  title: "Overlay networks of a migration share a port",
  level: Level.Error,
  description: `Reports Network operators that change the network type while Geneve (${OVERLAY_PORT[OVN]} if unset) and OpenShift SDN's VXLAN (${OVERLAY_PORT[SDN]} if unset) have the same port. Nodes of both kinds run side by side, so the ports must differ. Whether the filters in front of the nodes allow both is not judged: those of a standalone cluster are in no topology.`,
  documents: [migrationSources.steps, migrationSources.rollback],
  remediation: "Give one of the two another UDP port.",
  single: isNetworkOperator,
  judge: (judged) => [...hiddenMigrations(judged), ...typeMigrations(judged).flatMap(judgeMigration)],
};

function judgeMigration(migration: WrittenMigration): Judgement[] {
  const { resource } = migration;
  const geneve = numberAt(migration, GENEVE_PORT) ?? OVERLAY_PORT[OVN];
  const vxlan = numberAt(migration, VXLAN) ?? OVERLAY_PORT[SDN];
  if (geneve === UNKNOWN || vxlan === UNKNOWN)
    return [unknown({ resource, path: geneve === UNKNOWN ? GENEVE_PORT : VXLAN })];
  if (geneve !== vxlan) return [];
  const isGeneveWritten = migration.value(GENEVE_PORT) !== undefined;
  return [
    violated({
      resource: resource.origin,
      path: isGeneveWritten ? GENEVE_PORT : VXLAN,
      message: `UDP ${geneve} is the port of both Geneve and OpenShift SDN's VXLAN`,
      fix: `leave it out for UDP ${OVERLAY_PORT[isGeneveWritten ? OVN : SDN]}, or choose another one`,
    }),
  ];
}

const SDN_MODE = "spec.defaultNetwork.openshiftSDNConfig.mode";
const { mode: MIGRATED_MODE, documents: MODE_DOCUMENTS } = MIGRATED_SDN_MODE;

/** Reports isolation modes of OpenShift SDN that OVN-Kubernetes does not have. */
export const migrationIsolationMode: Rule = {
  id: "migration-isolation-mode",
  title: "Isolation mode of OpenShift SDN cannot be migrated",
  level: Level.Error,
  description: `Reports Network operators that change from OpenShift SDN in an isolation mode other than ${MIGRATED_MODE} to OVN-Kubernetes, which supports only ${MIGRATED_MODE}.`,
  details: [
    `A migration that is started by the documented annotation is not possible in another mode. A migration that later releases start, by spec.migration or by the annotation ${LIVE_MIGRATION_ANNOTATION} of Network.config.openshift.io, may be possible and leaves namespaces open to each other: this is a warning.`,
    `From ${NOT_LIVE_SDN_MODE}, the network operator refuses a live migration.`,
    `If the object states no mode, it is ${MIGRATED_MODE}.`,
  ],
  documents: [...MODE_DOCUMENTS, migrationSources.steps, migrationSources.live],
  remediation: `Switch the cluster to mode ${MIGRATED_MODE} first, with network policies instead of isolated projects.`,
  single: isNetworkOperator,
  judge: (judged) => [...hiddenMigrations(judged), ...typeMigrations(judged).flatMap(judgeIsolation)],
};

function judgeIsolation({ resource, value, target, isStated, isLive }: WrittenMigration): Judgement[] {
  const mode = value(SDN_MODE);
  // The annotation does not state the direction: it is back if the cluster has OVN-Kubernetes.
  const isBack = target === SDN || (target === undefined && value(OPERATOR_TYPE) === OVN);
  if (isBack || !isGiven(mode) || mode === "" || mode === MIGRATED_MODE) return [];
  if (mode === UNKNOWN) return [unknown({ resource, path: SDN_MODE })];
  if (typeof mode !== "string") return [];
  const at = { resource: resource.origin, path: SDN_MODE };
  if (isLive && mode === NOT_LIVE_SDN_MODE) {
    const message = `is ${mode}, from which the network operator refuses a live migration to ${OVN}`;
    return [violated({ ...at, message })];
  }
  if (!isStated) {
    const message = `is ${mode}, and only clusters in mode ${MIGRATED_MODE} can migrate to ${OVN}`;
    return [violated({ ...at, message })];
  }
  const message = `is ${mode}, which ${OVN} does not have: namespaces are open to each other afterwards`;
  return [violated({ ...at, level: Level.Warning, message })];
}

/** Reports deployments that take steps of a network type migration out of order. */
export const migrationOrder: Rule = {
  id: "migration-order",
  title: "Network type change skips a step",
  level: Level.Error,
  description:
    "Reports network type changes that skip a step, in stacks that contain the Network operator's object.",
  details: [
    "A networkType in Network.config.openshift.io that differs from the operator's needs a migration that has begun, or the annotation of a live migration in the same object; without the operator's object, a change of the type is unknown.",
    "During a migration the service network must stay the same; in modes other than Live, MachineConfigPools of the stack must be paused, and the MTU must not change at the same time.",
    "Also reports migrations of the only hosted cluster, which keeps the network type of its HostedCluster, and other types in Network objects without a cluster network, which are inside it.",
    "No plan states the step that a running cluster has reached, backups of etcd and configuration, reboots, or whether the release supports the migration.",
  ],
  documents: [
    migrationSources.steps,
    migrationSources.rollback,
    migrationSources.operator,
    migrationSources.live,
  ],
  remediation:
    "Take one step in each deployment: begin the migration, pause the pools, change the network type, reboot the nodes, resume the pools, end the migration.",
  judge: (judged) => {
    const migrations = typeMigrations(judged);
    const configs = judged.ofKind(isNetworkConfig);
    const inClusterOf = besides(networkOperators(judged));
    const typed = networkOperators(judged, OPERATOR_TYPE);
    const operators = typed.map(({ resource }) => resource);
    const migrating = new Set(migrations.flatMap((migration) => inClusterOf(migration, operators)));
    const still = typed.filter(({ resource }) => !migrating.has(resource));
    const beside = new Set([...still, ...migrations].map((operator) => inClusterOf(operator, configs)));
    const judgedBeside = new Set([...beside].flat());
    return [
      ...hiddenMigrations(judged),
      ...judgeGuest(judged),
      ...configs.filter((config) => !judgedBeside.has(config)).flatMap(judgeAlone),
      ...still.flatMap((operator) => judgeBeginning(operator, inClusterOf(operator, configs))),
      ...migrations.flatMap((migration) => [
        ...judgePools(inClusterOf(migration, judged.ofKind(isMachineConfigPool)), migration),
        ...judgeService(migration, inClusterOf(migration, configs)),
        ...judgeMtu(migration),
      ]),
    ];
  },
};

/**
 * Returns a function for the objects in the cluster of a Network operator. Each cluster has one. If there are several in different
 * folders or by different providers, an object belongs to the nearest.
 */
function besides(
  operators: readonly WrittenOperator[],
): (operator: WrittenOperator, objects: readonly Resource[]) => readonly Resource[] {
  const places = placesOf(operators.map(({ resource }) => resource));
  const all = [...places.values()];
  return ({ resource }, objects) => {
    const place = managementOf(resource);
    const own = place && places.get(keyOfPlace(place));
    return notElsewhere(own && { own, all }, objects);
  };
}

/** Reports a new type without a migration. */
function judgeBeginning({ resource }: WrittenOperator, configs: readonly Resource[]): Judgement[] {
  // The rule `immutable-field` reports it.
  if (isTypeChangeRefused(resource)) return [];
  const has = networkTypeOf(resource.properties.spec);
  return configs.flatMap((config) => {
    const wanted = networkTypeOf(config.properties.spec);
    if (!isGiven(wanted) || wanted === has || isTypeChangeRefused(config)) return [];
    if (has === UNKNOWN || wanted === UNKNOWN) return [unknown({ resource: config, path: CONFIGURED_TYPE })];
    const places = [
      { resource, path: WANTED_TYPE },
      { resource, path: ANNOTATIONS },
      { resource: config, path: ANNOTATIONS },
    ];
    const open = places.find((one) => readValue(one.resource.properties, one.path) === UNKNOWN);
    if (open) return [unknown({ ...open, reason: HAS_BEGUN })];
    if (typeof wanted !== "string" || typeof has !== "string") return [];
    return [
      violated({
        resource: config.origin,
        path: CONFIGURED_TYPE,
        message: `differs from the type of the Network operator, and no migration has begun`,
        fix: "begin the migration in the Network operator's object, and change the type in a later deployment",
      }),
    ];
  });
}

const HAS_BEGUN = "whether a migration to the new network type has begun";

/** Judges a new type in a stack whose objects do not state whether a migration has begun. */
function judgeAlone(config: Resource): Judgement[] {
  const was = config.before && liveValue(statedBefore(config), CONFIGURED_TYPE_PATH);
  const wanted = readValue(config.properties, CONFIGURED_TYPE);
  const typeOf = (networkType: PropertyValue) => networkTypeOf({ networkType });
  if (!isGiven(was) || !isGiven(wanted) || sameValue(typeOf(was), typeOf(wanted))) return [];
  if (statedMigration(config) || isTypeChangeRefused(config)) return [];
  return [unknown({ resource: config, path: CONFIGURED_TYPE, reason: HAS_BEGUN })];
}

/** Reports migrations of the only hosted cluster, and another type than that of its HostedCluster. */
function judgeGuest(judged: JudgedResources): Judgement[] {
  const cluster = guestCluster(judged);
  const { topology } = cluster ?? {};
  if (!cluster || !topology) return [];
  const pools = judged.ofKind(isMachineConfigPool);
  return [...networksOfGuest(judged)].flat().flatMap((network) => {
    const place = managementOf(network);
    // Machine config pools show that the objects beside them are those of a cluster of its own, such as the management cluster.
    if (pools.some((pool) => !areTwo(managementOf(pool), place))) return [];
    const isSure = isCertainlyApart(network, cluster) && notApart(network, pools).length === 0;
    return judgeInside(network, { ...cluster, topology }).map((found) =>
      isSure || found.status !== Status.Violated
        ? found
        : unknown({
            resource: network,
            path: found.path,
            reason: `${found.message}, if it is in that cluster`,
          }),
    );
  });
}

/** Judges a Network object as one inside a hosted cluster. */
function judgeInside(
  network: Resource,
  cluster: JudgedCluster & { topology: NormalizedTopology },
): Judgement[] {
  const { origin: resource, properties } = network;
  const { topology, key } = cluster;
  const isConfig = isNetworkConfig(network.type);
  const migration = statedMigration(network);
  const begun = ({ path }: StatedMigration): Judgement => {
    const message = `begins a migration of ${key}, and a hosted cluster keeps its network type: its network operator refuses a live migration, and no other one reaches its nodes`;
    const fix = "leave it out: another network type needs another hosted cluster";
    return violated({ resource, path, message, fix });
  };
  if (migration && !migration.isStated) {
    const message = "has no effect: network operators of hosted clusters do not read this annotation";
    return [violated({ level: Level.Warning, resource, path: migration.path, message, fix: "leave it out" })];
  }
  if (migration && !isConfig) return [begun(migration)];
  const open = [WANTED_TYPE, ANNOTATIONS].find((path) => readValue(properties, path) === UNKNOWN);
  if (open) return [unknown({ resource: network, path: open })];
  const path = isConfig ? CONFIGURED_TYPE : OPERATOR_TYPE;
  const type = networkTypeOf(properties.spec);
  if (!isGiven(type) || type === "") return [];
  if (type === UNKNOWN) return [unknown({ resource: network, path })];
  const word = Object.values(NetworkType).find((one) => one === type) ?? NetworkType.Other;
  if (isUnknown(topology, "networkType"))
    return placesInCluster(cluster, "networkType").map((place) => unknown(place));
  // The annotation of a live migration may remain, and begins nothing in a cluster of the type.
  if (word === topology.networkType) return [];
  if (migration) return [begun(migration)];
  const message = `differs from the network type of ${key}, which is ${topology.networkType} and never changes`;
  return [violated({ resource, path, message, fix: `write ${topology.networkType}, or leave it out` })];
}

/** Reports pools that restart nodes during the change. */
function judgePools(pools: readonly Resource[], { isLive }: WrittenMigration): Judgement[] {
  if (isLive) return [];
  const path = "spec.paused";
  return pools.flatMap((pool) => {
    const paused = readValue(pool.properties, path);
    if (paused === UNKNOWN) return [unknown({ resource: pool, path })];
    if (paused === true) return [];
    const message =
      "is not true while the network type of the cluster is changed: the pool restarts nodes during the change";
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
    const message = `differs from that of ${describeResource(resource)}, and a migration must keep the service network`;
    return [violated({ resource: config.origin, path, message, fix: "keep the current value" })];
  });
}

function judgeMtu({ value, resource, isLive }: WrittenMigration): Judgement[] {
  const path = "spec.migration.mtu";
  if (isLive || !isGiven(value(path)) || !isGiven(value(WANTED_TYPE))) return [];
  const message =
    "is set together with networkType, and in a mode other than Live the API server refuses the combination";
  return [
    violated({ resource: resource.origin, path, message, fix: "change the MTU before or after the type" }),
  ];
}

/** A Network operator whose cluster changes its network type. */
export interface WrittenMigration extends WrittenOperator, Omit<StatedMigration, "path"> {}

/** The network operators whose clusters change their network type, as their own object or that of the configuration states. */
function typeMigrations(judged: JudgedResources): WrittenMigration[] {
  const operators = networkOperators(judged);
  const inClusterOf = besides(operators);
  const annotated = judged.ofKind(isNetworkConfig).filter((config) => statedMigration(config));
  return operators.flatMap((operator) => {
    const own = statedMigration(operator.resource);
    const [config] = inClusterOf(operator, annotated);
    const live = config && statedMigration(config);
    if (own) return [{ ...operator, ...own, isLive: own.isLive || live !== undefined }];
    // After a live migration, the annotation may remain.
    return live && live.target !== networkTypeOf(operator.resource.properties.spec)
      ? [{ ...operator, ...live }]
      : [];
  });
}

/** Findings of Network operators whose wanted type is a secret. */
const hiddenMigrations = (judged: JudgedResources): Judgement[] =>
  networkOperators(judged, WANTED_TYPE).flatMap(({ resource }) =>
    secretOnly({ resource, path: WANTED_TYPE }),
  );

/** The number at a path: UNKNOWN if it is unknown, undefined if it is absent or not a number. */
function numberAt({ value }: WrittenOperator, path: string): number | typeof UNKNOWN | undefined {
  const found = value(path);
  return typeof found === "number" || found === UNKNOWN ? found : undefined;
}
