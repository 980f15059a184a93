import {
  MIGRATION_ANNOTATION,
  MIGRATION_RECORD_ANNOTATION,
  NETWORK_NAMESPACE,
} from "../requirements/migration";
import { type PropertyMap, readText } from "../resources/read";
import { versionOf, MIGRATION_LIST, MIGRATION_OBJECT } from "./cluster";
import { MigrationStep, recordText, type Moment } from "./phases";
import { TYPE_SETTINGS, settingOf, wantedMtu, wantedPort } from "./network";
import { NetworkType } from "../requirements/vocabulary";

/** A write of a phase. */
export interface MigrationWrite {
  /** Description for people: `pause MachineConfigPool worker`. */
  what: string;
  method: "PATCH" | "DELETE";
  path: string;
  /** A merge patch with the version that was read, so that it overwrites nothing that another program wrote since. */
  body: PropertyMap;
}

/** The writes of a phase that remain, in order; empty if it has been carried out. */
export function writesOf(moment: Moment): MigrationWrite[] {
  return writes[moment.step](moment);
}

const writes: Readonly<Record<MigrationStep, (moment: Moment) => MigrationWrite[]>> = {
  [MigrationStep.Begin]: ({ cluster }) =>
    cluster.isBegun ? [] : [onOperator(cluster.objects.operator, "annotate", begunWith(""))],
  [MigrationStep.PausePools]: (moment) => paused(moment, true),
  [MigrationStep.ChangeNetworkType]: (moment) => [...settings(moment), ...changedType(moment)],
  [MigrationStep.ResumePools]: (moment) => paused(moment, false),
  [MigrationStep.EndMigration]: ({ cluster: { isBegun, record, objects } }) => [
    ...(isBegun ? [onOperator(objects.operator, "take the annotation from", begunWith(null))] : []),
    ...(record ? [onConfig(objects.config, "take the notes from", recordedAs(null), {})] : []),
  ],
  [MigrationStep.RemoveOldNetwork]: removal,
};

const begunWith = (value: string | null): Change => ({
  metadata: { annotations: { [MIGRATION_ANNOTATION]: value } },
});
const recordedAs = (value: string | null): PropertyMap => ({
  annotations: { [MIGRATION_RECORD_ANNOTATION]: value },
});

interface Change {
  metadata?: PropertyMap;
  spec?: PropertyMap;
}

const patch = (
  what: string,
  path: string,
  resourceVersion: string,
  { metadata, ...rest }: Change,
): MigrationWrite => ({
  what,
  method: "PATCH",
  path,
  body: { metadata: { ...metadata, resourceVersion }, ...rest },
});

const onOperator = (operator: PropertyMap | undefined, verb: string, change: Change): MigrationWrite =>
  patch(`${verb} Network.operator cluster`, MIGRATION_OBJECT.operator, versionOf(operator), change);

const onConfig = (
  config: PropertyMap | undefined,
  verb: string,
  metadata: PropertyMap,
  spec: PropertyMap,
): MigrationWrite =>
  patch(`${verb} Network.config cluster`, MIGRATION_OBJECT.config, versionOf(config), {
    metadata,
    ...(Object.keys(spec).length > 0 && { spec }),
  });

const paused = ({ cluster: { pools } }: Moment, wanted: boolean): MigrationWrite[] =>
  pools
    .filter((pool) => pool.paused !== wanted)
    .map(({ name, resourceVersion }) =>
      patch(
        `${wanted ? "pause" : "resume"} MachineConfigPool ${name}`,
        `${MIGRATION_LIST.pools}/${name}`,
        resourceVersion,
        { spec: { paused: wanted } },
      ),
    );

/** The settings are written before the type, not after it as in the document: the operator applies them when it applies the type. */
function settings(moment: Moment): MigrationWrite[] {
  const { target, cluster } = moment;
  // The network operator applies them together with the type, and refuses other values later.
  if (cluster.type === target) return [];
  const { config, port } = TYPE_SETTINGS[target];
  const wanted = { mtu: wantedMtu(moment), [port]: wantedPort(moment, target) };
  const other = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && value !== settingOf(moment, target, name),
  );
  if (other.length === 0) return [];
  const spec = { defaultNetwork: { [config]: Object.fromEntries(other) as PropertyMap } };
  return [onOperator(cluster.objects.operator, "write MTU and port to", { spec })];
}

/** Writes the record together with the type, so that neither exists without the other. */
function changedType(moment: Moment): MigrationWrite[] {
  const { cluster, target, wishes } = moment;
  if (cluster.type === target) return [];
  const { clusterNetwork } = wishes;
  const record = recordedAs(
    recordText({
      target,
      multusGeneration: multusGeneration(moment),
      boots: cluster.nodes.map(({ boot }) => boot).sort(),
    }),
  );
  const spec = {
    networkType: target,
    ...(clusterNetwork && { clusterNetwork: clusterNetwork.map((network) => ({ ...network })) }),
  };
  return [onConfig(cluster.objects.config, "change the type in", record, spec)];
}

/** The generation to record: 0, so that none has to be newer, if the operator never left this type nor rolled Multus out since. */
function multusGeneration({ cluster: { multus, record, statusType }, target }: Moment): number {
  const generation = multus?.generation ?? 0;
  return statusType === target && record?.multusGeneration === generation ? 0 : generation;
}

function removal({ cluster: { objects }, old }: Moment): MigrationWrite[] {
  const [namespace, path] =
    old === NetworkType.OpenShiftSDN
      ? [objects.sdnNamespace, MIGRATION_OBJECT.sdnNamespace]
      : [objects.ovnNamespace, MIGRATION_OBJECT.ovnNamespace];
  if (!namespace || typeof readText(namespace, "metadata.deletionTimestamp") === "string") return [];
  const preconditions = { resourceVersion: versionOf(namespace) };
  return [
    { what: `delete namespace ${NETWORK_NAMESPACE[old]}`, method: "DELETE", path, body: { preconditions } },
  ];
}
