import { firstShared, overlap, type Prefix, readBlock, readPrefix } from "../address";
import { onceForEach } from "../collections";
import { type JudgedCluster, objectOf } from "../gate/clusters";
import { guestCluster } from "../gate/guestCluster";
import type { JudgedResources } from "../gate/judgedResources";
import { type Judgement, unknown, violated } from "../gate/rule";
import { implicitRanges } from "../requirements/implicitRanges";
import { areTwo, managementOf } from "../resources/managementCluster";
import { isList, propertyOf, read, readText } from "../resources/read";
import { type Resource, UNKNOWN, type UnknownValue } from "../resources/resource";
import { isNetwork, isUserDefinedNetwork } from "../resources/resourceTypes";
import type { PlacedRange } from "../resources/vpcs";
import type { ReservedRange } from "../topology/reservedRanges";
import { clusterRanges, GUEST_KINDS, networkRanges } from "./inventory";

/** Whether primary user-defined networks, which pods have instead of the cluster's, take the default join subnet. */
export enum DefaultJoin {
  /** One of them does. */
  Taken,
  /** None of them is here, as far as the input says of which cluster they are. */
  Absent,
  /** Every one that is here has its own. */
  Replaced,
  /** It hangs on values that are not known. */
  Unknown,
}

/** What a network says of its join subnet: whether it takes the default, or which value would tell; undefined where it is no primary one. */
type Said = DefaultJoin.Taken | DefaultJoin.Replaced | UnknownValue | undefined;

/** Where networks of one namespace and those of several hold what they say. */
const SPECS = ["spec", "spec.network"];
const LAYERS = SPECS.flatMap((spec) => ["layer2", "layer3"].map((layer) => `${spec}.${layer}`));

/** Where user-defined networks name blocks. */
export const USER_NETWORK_BLOCKS = SPECS.flatMap((spec) => [
  ...["subnets", "joinSubnets", "reservedSubnets", "infrastructureSubnets"].map(
    (list) => `${spec}.layer2.${list}[]`,
  ),
  ...["subnets[].cidr", "joinSubnets[]"].map((list) => `${spec}.layer3.${list}`),
  ...["subnets", "excludeSubnets"].map((list) => `${spec}.localnet.${list}[]`),
]);

function saidBy(resource: Resource): Said[] {
  const said = LAYERS.map((place): Said => {
    const [role] = read(resource.properties, `${place}.role`);
    const [own] = read(resource.properties, `${place}.joinSubnets`);
    if (role?.value !== "Primary" && role?.value !== UNKNOWN) return undefined;
    const isEmpty = own === undefined || (isList(own.value) && own.value.length === 0);
    if (!isEmpty && own.value !== UNKNOWN) return DefaultJoin.Replaced;
    if (role.value === UNKNOWN) return { resource, path: role.path };
    return isEmpty ? DefaultJoin.Taken : { resource, path: own.path };
  });
  // A spec that is not known as a whole is one value.
  const byPlace = new Map(said.map((one) => [typeof one === "object" ? one.path : one, one]));
  return [...byPlace.values()];
}

/** What the primary networks of the input make of the default join subnet, and the values that would tell. */
export const defaultJoin = onceForEach(
  (judged: JudgedResources): { use: DefaultJoin; unknown: readonly UnknownValue[] } => {
    const said = judged.ofKind(isUserDefinedNetwork).flatMap(saidBy);
    const unknown = said.flatMap((one) => (typeof one === "object" ? one : []));
    return { use: useOf(judged, said, unknown.length > 0), unknown };
  },
);

function useOf({ clusters }: JudgedResources, said: readonly Said[], isUnknown: boolean): DefaultJoin {
  if (said.includes(DefaultJoin.Taken)) return DefaultJoin.Taken;
  if (isUnknown) return DefaultJoin.Unknown;
  // Among several hosted clusters nothing says whose they are: another one may get networks without any.
  const areReplaced = said.includes(DefaultJoin.Replaced) && clusters.length <= 1;
  return areReplaced ? DefaultJoin.Replaced : DefaultJoin.Absent;
}

/** A range of a user-defined network, of the given layer. */
interface UserRange extends PlacedRange {
  layer: string;
}

/** The ranges of a user-defined network with one layer: of its pods, and its join subnets. */
function userRanges(resource: Resource, layer: string): { pods: UserRange[]; joins: UserRange[] } {
  const ranges = (list: string, name: string): UserRange[] =>
    read(resource.properties, `${layer}.${list}[]`).flatMap(({ path, value }) => {
      const cidr = typeof value === "string" ? value : propertyOf(value, "cidr");
      const prefix = typeof cidr === "string" ? readBlock(cidr) : undefined;
      const at = typeof value === "string" ? path : `${path}.cidr`;
      return prefix ? [{ name, prefix, resource, path: at, layer }] : [];
    });
  const name = `the user-defined network ${resource.name}`;
  return {
    pods: ranges("subnets", name),
    joins: ranges("joinSubnets", `the join subnet of ${name.slice(4)}`),
  };
}

/** What a range of a user-defined network shares addresses with. */
interface UserConflict {
  range: UserRange;
  other: Pick<ReservedRange, "name" | "prefix" | "implicit" | "row">;
  /** Whose range that is; absent: the network's own. */
  owner?: string;
  /** False where the network may as well be one of another cluster. */
  isSure: boolean;
}

/** OVN-Kubernetes makes no network whose ranges share addresses with each other, or with those that its cluster has already. */
const userConflicts = onceForEach((judged: JudgedResources): readonly UserConflict[] =>
  judged.ofKind(isUserDefinedNetwork).flatMap((network) => {
    const around = rangesAround(judged, network);
    return LAYERS.flatMap((layer) => {
      const { pods, joins } = userRanges(network, layer);
      const taken = joins.length > 0 ? [] : defaultJoins(network, layer);
      return [
        ...joins.flatMap((range) =>
          sharing(
            range,
            pods.map(({ name, prefix }) => ({ name, prefix, implicit: false })),
          ),
        ),
        ...pods.flatMap((range) => sharing(range, taken)),
      ]
        .map((pair): UserConflict => ({ ...pair, isSure: true }))
        .concat(
          [...pods, ...joins].flatMap((range) =>
            around.flatMap(({ ranges, ...whose }) =>
              sharing(
                range,
                ranges.filter((one) => meets(one, layer)),
              ).map((pair) => ({ ...pair, ...whose, isSure: whose.isSure && !isKept(pair.other) })),
            ),
          ),
        );
    });
  }),
);

const sharing = <Other extends { prefix: Prefix }>(range: UserRange, others: readonly Other[]) =>
  others.filter(({ prefix }) => overlap(prefix, range.prefix)).map((other) => ({ range, other }));

/** What a primary network takes that says no join subnet. */
const defaultJoins = ({ properties }: Resource, layer: string): UserConflict["other"][] =>
  readText(properties, `${layer}.role`) !== "Primary" ||
  read(properties, `${layer}.joinSubnets`)[0]?.value === UNKNOWN
    ? []
    : implicitRanges
        .filter(({ onlyWith }) => onlyWith)
        .map(({ name, cidr }) => ({ name, prefix: readPrefix(cidr)!, implicit: true }));

/** The ranges of the cluster in which a user-defined network may be. */
function rangesAround(
  judged: JudgedResources,
  network: Resource,
): { owner: string; isSure: boolean; ranges: readonly ReservedRange[] }[] {
  const cluster = guestCluster(judged);
  const networks = judged.ofKind(isNetwork);
  const isSure = judged.clusters.length + networks.length === 1;
  return [
    ...(cluster && !isBeside(network, cluster)
      ? [{ owner: cluster.key, isSure, ranges: clusterRanges(cluster) }]
      : []),
    ...networks.map((one) => ({ owner: `Network ${one.name}`, isSure, ranges: networkRanges(one) })),
  ];
}

/** Whether an object is surely in the management cluster of a hosted cluster. */
function isBeside(network: Resource, cluster: JudgedCluster): boolean {
  if (readText(network.properties, "metadata.namespace") === cluster.topology?.controlPlaneNamespace)
    return true;
  const object = objectOf(cluster);
  const [place, other] = [managementOf(network), object && managementOf(object)];
  return place?.by !== "folder" && place?.by === other?.by && other !== undefined && !areTwo(place, other);
}

/** Whether a range is one in which nodes hide their addresses: OVN-Kubernetes holds each network against it, too. */
const isMasquerade = (row: ReservedRange["row"]): boolean => row?.nodeLocal === true && row.ovnOnly;

/** Whether only clusters take a range that were made with an older release, which nothing says of this one. */
const isKept = ({ row }: Pick<ReservedRange, "row">): boolean =>
  isMasquerade(row) && row?.newClustersOnly !== true;

/** Those that only networks of layer 3 take for themselves, beside what every cluster has of its own. */
const LAYER_3: readonly string[] = ["internalTransitSwitchSubnet", "ipv6InternalTransitSwitchSubnet"];

const meets = ({ kind, row }: ReservedRange, layer: string): boolean =>
  isMasquerade(row) ||
  (kind === "implicit" ? (row?.replacedBy ?? []) : [kind]).some(
    (one) => GUEST_KINDS.has(one) || (layer.endsWith("layer3") && LAYER_3.includes(one)),
  );

/** Ranges that are not known yet, and that may share addresses with those of a cluster. */
export const unknownUserRanges = (judged: JudgedResources): UnknownValue[] =>
  judged.ofKind(isUserDefinedNetwork).flatMap((resource) => {
    if (rangesAround(judged, resource).length === 0) return [];
    const lists = LAYERS.flatMap((layer) => ["subnets", "joinSubnets"].map((list) => `${layer}.${list}[]`));
    const hidden = lists
      .flatMap((list) => read(resource.properties, list))
      .flatMap(({ path, value }) => {
        if (value === UNKNOWN) return path;
        return propertyOf(value, "cidr") === UNKNOWN ? `${path}.cidr` : [];
      });
    return [...new Set(hidden)].map((path) => ({ resource, path }));
  });

/** What is found of user-defined networks: what they share with ranges that are written, or with those that are taken by default. */
export const judgeUserNetworks = (judged: JudgedResources, isImplicit: boolean): Judgement[] =>
  userConflicts(judged)
    .filter(({ other }) => other.implicit === isImplicit)
    .map(({ range: { name, prefix, resource, path }, other, owner, isSure }) => {
      const whose = owner === undefined ? "" : ` of ${owner}`;
      const message = `${name} ${prefix.text} shares addresses with ${other.name} ${other.prefix.text}${whose}`;
      if (!isSure) return unknown({ resource, path, reason: `${message}, if it is in that cluster` });
      return violated({
        resource: resource.origin,
        path,
        message: `${message}: OVN-Kubernetes does not make the network`,
        fix: `move ${name} to addresses that its cluster does not use`,
        witness: `${firstShared(prefix, other.prefix)} is in both`,
      });
    });
