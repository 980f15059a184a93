import {
  contains,
  firstShared,
  meeting,
  overlap,
  overlaps,
  type Prefix,
  readBlock,
  readPrefix,
} from "../address";
import { append, onceForEach, onceIn } from "../collections";
import { pluginIn } from "../egressRouter/surroundings";
import { objectFaults } from "../gate/clusterFaults";
import { type JudgedCluster, objectOf } from "../gate/clusters";
import { guestCluster, guestScope } from "../gate/guestCluster";
import type { JudgedResources } from "../gate/judgedResources";
import { describeResource, type Judgement, Level, type Rule, unknown, violated } from "../gate/rule";
import {
  BySelector,
  namespaceSelector,
  type PlainLabelSelector,
  plainSelector,
} from "../objects/labelSelector";
import { shapeFaults } from "../objects/shape";
import { at, NETWORK_OPERATOR, OVN_KUBERNETES } from "../requirements/documents";
import { implicitRangeOf, implicitRanges } from "../requirements/implicitRanges";
import {
  API_NAMESPACE,
  controllerOf,
  type KnownLabels,
  selected,
  textAt,
} from "../resources/kubernetesObject";
import {
  type Found,
  holdsUnknown,
  isGiven,
  isList,
  isMap,
  propertyOf,
  read,
  readText,
  readValue,
  stepTo,
} from "../resources/read";
import {
  type PropertyValue,
  type Resource,
  UNKNOWN,
  type UnknownValue,
  withProperties,
} from "../resources/resource";
import {
  isClusterScoped,
  isNamespace,
  isNetwork,
  isNetworkAttachment,
  isPatch,
  isUserDefinedNetwork,
} from "../resources/resourceTypes";
import { statedLabels, withStated } from "../resources/oneObject";
import type { PlacedRange } from "../resources/vpcs";
import { isAround, type RangeKind, type ReservedRange, sharedAddresses } from "../topology/reservedRanges";
import {
  GUEST_KINDS,
  isBeside,
  isCertainlyApart,
  type JudgedRange,
  networkOfPlan,
  networkRanges,
  networksByCluster,
  networksInside,
  networksMeeting,
  poolsMeeting,
  rangesOfCluster,
  Reach,
} from "./inventory";
import { blockOf, NETWORK_SPECS } from "./userNetworkFaults";

/** Whether primary user-defined networks, which replace the cluster's network for pods, use the default join subnet. */
export enum DefaultJoin {
  /** At least one network does. */
  Taken,
  /** No network in the input is known to belong to the cluster. */
  Absent,
  /** Every network in the input sets its own join subnet. */
  Replaced,
  /** The answer depends on unknown values. */
  Unknown,
}

/** The label of namespaces that get a primary network, with any value. (OVN-Kubernetes, Network segmentation) */
const PRIMARY_LABEL = "k8s.ovn.org/primary-user-defined-network";

const LABELS = "metadata.labels";

/** The plug-in of OVN-Kubernetes, and the path of its configuration (a string) in attachments. */
const PLUGIN = "ovn-k8s-cni-overlay";
const CONFIG = "spec.config";

/** User-defined networks, including attachments for OVN-Kubernetes' plug-in, except attachments that a controller creates for a network. */
const userNetworks = onceForEach((judged: JudgedResources): readonly Resource[] => [
  ...judged.ofKind(isUserDefinedNetwork),
  ...judged
    .ofKind(isNetworkAttachment)
    .filter(({ properties }) => controllerOf(properties) === undefined)
    .flatMap(ofAttachment),
]);

/** Converts an attachment to the form of a user-defined network. */
function ofAttachment(attachment: Resource): Resource[] {
  const plugin = pluginIn(textAt(attachment.properties, CONFIG), PLUGIN);
  const layer = textAt(plugin, "topology");
  if (!LAYER_NAMES.includes(layer)) return [];
  const blocks = (list: string): string[] =>
    textAt(plugin, list)
      .split(",")
      .map((block) => block.trim().split("/", 2).join("/"));
  const joins = blocks("joinSubnet").filter((block) => block !== "");
  const network: PropertyValue = {
    role: textAt(plugin, "role") === "primary" ? "Primary" : "Secondary",
    subnets: blocks("subnets"),
    ...(joins.length > 0 && { joinSubnets: joins }),
    excludeSubnets: blocks("excludeSubnets"),
  };
  const { metadata = {} } = attachment.properties;
  return [withProperties(attachment, { metadata, spec: { [layer]: network } })];
}

/** The place of a value in the object that was read. */
const writtenAt = ({ type }: Resource, path: string): string => (isNetworkAttachment(type) ? CONFIG : path);

/** Whether a primary network uses the default join subnet, or the unknown value that decides it; undefined for other networks. */
type Said = DefaultJoin.Taken | DefaultJoin.Replaced | UnknownValue | undefined;

const LAYER_NAMES: readonly string[] = ["layer2", "layer3"];
const LAYERS = NETWORK_SPECS.flatMap((spec) => LAYER_NAMES.map((layer) => `${spec}.${layer}`));

/** The paths at which user-defined networks name blocks. */
export const USER_NETWORK_BLOCKS = NETWORK_SPECS.flatMap((spec) => [
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
  // A spec that is unknown as a whole counts as one value.
  const byPlace = new Map(said.map((one) => [typeof one === "object" ? one.path : one, one]));
  return [...byPlace.values()];
}

/** Whether the primary networks of the input use the default join subnet, and the unknown values that decide it. */
export const defaultJoin = onceForEach(
  (judged: JudgedResources): { use: DefaultJoin; unknown: readonly UnknownValue[] } => {
    const said = userNetworks(judged).flatMap(saidBy);
    const unknown = said.flatMap((one) => (typeof one === "object" ? one : []));
    return { use: useOf(judged, said, unknown.length > 0), unknown };
  },
);

function useOf({ clusters }: JudgedResources, said: readonly Said[], isUnknown: boolean): DefaultJoin {
  if (said.includes(DefaultJoin.Taken)) return DefaultJoin.Taken;
  if (isUnknown) return DefaultJoin.Unknown;
  // With several hosted clusters it is unknown whose networks these are: another cluster may get networks without join subnets.
  const areReplaced = said.includes(DefaultJoin.Replaced) && clusters.length <= 1;
  return areReplaced ? DefaultJoin.Replaced : DefaultJoin.Absent;
}

/** A range of a user-defined network with the given layer. */
interface UserRange extends PlacedRange {
  layer: string;
  /** Blocks that an attachment excludes: OVN-Kubernetes does not compare ranges in such a block, no matter whose they are. */
  excluded: readonly Prefix[];
}

/** The ranges of one layer of a user-defined network: the ranges of its pods, and its join subnets. */
function userRanges(resource: Resource, layer: string): { pods: UserRange[]; joins: UserRange[] } {
  const excluded = read(resource.properties, `${layer}.excludeSubnets[]`).flatMap(({ value }) =>
    typeof value === "string" ? (readBlock(value) ?? []) : [],
  );
  const ranges = (list: string, name: string): UserRange[] =>
    read(resource.properties, `${layer}.${list}[]`).flatMap(({ path, value }) => {
      const prefix = blockOf(value);
      const at = typeof value === "string" ? path : `${path}.cidr`;
      return prefix ? [{ name, prefix, resource, path: writtenAt(resource, at), layer, excluded }] : [];
    });
  const name = `the user-defined network ${resource.name}`;
  return {
    pods: ranges("subnets", name),
    joins: ranges("joinSubnets", `the join subnet of ${name.slice(4)}`),
  };
}

/** The ranges of user-defined networks with addresses of a block, of networks that may be in a hosted cluster. */
export const userRangesAt = (
  judged: JudgedResources,
  cluster: JudgedCluster,
  block: Prefix,
): { range: JudgedRange }[] =>
  userNetworks(judged)
    .filter((network) => !isBeside(network, cluster))
    .flatMap((network) => LAYERS.flatMap((layer) => Object.values(userRanges(network, layer)).flat()))
    .filter(({ prefix }) => overlap(prefix, block))
    .map((range) => ({ range: networkOfPlan(range, "surrounding") }));

/** A range of a user-defined network, and a range that shares addresses with it. */
interface UserConflict {
  range: UserRange;
  other: Pick<ReservedRange, "name" | "prefix" | "implicit" | "row">;
  /** The owner of `other`; absent if it is the network itself. */
  owner?: string;
  /** False if the network may be in another cluster, or if the cluster may not use `other`. */
  isSure: boolean;
  /** What breaks, if OVN-Kubernetes creates the network anyway. */
  breaks?: string;
  /** True if only some addresses of `other` are meant: the overlap may be harmless. */
  isDoubtful?: boolean;
}

/**
 * Conflicts of user-defined networks: OVN-Kubernetes refuses ranges that overlap each other or ranges of the network's cluster. A join
 * subnet also hides the machines and the networks around the cluster that have its addresses.
 */
const userConflicts = onceForEach((judged: JudgedResources): readonly UserConflict[] =>
  userNetworks(judged).flatMap((network) => {
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
        ...overlaps(pods).flatMap(({ outer, inner }) =>
          sharing(inner, [{ name: "its other subnet", prefix: outer.prefix, implicit: false }]),
        ),
      ]
        .map((pair): UserConflict => ({ ...pair, isSure: true }))
        .concat(
          [...pods, ...joins].flatMap((range) =>
            around.flatMap(({ ranges, owner, isSure }) =>
              sharing(
                range,
                ranges.filter((one) => meets(one, layer)),
              ).map((pair) => ({ ...pair, owner, isSure: isSure && !isKept(pair.other) })),
            ),
          ),
          // The API has join subnets only for primary networks.
          (readText(network.properties, `${layer}.role`) === "Secondary" ? [] : joins).flatMap((range) =>
            around.flatMap(({ outside, owner, isSure }) =>
              hiddenBy(range, outside(range.prefix)).map((pair) => ({ ...pair, owner, isSure })),
            ),
          ),
        );
    });
  }),
);

const sharing = <Other extends { prefix: Prefix }>(range: UserRange, others: readonly Other[]) =>
  others
    .filter(({ prefix }) => overlap(prefix, range.prefix))
    .filter(
      (other) =>
        !range.excluded.some((block) => [range, other].some(({ prefix }) => contains(block, prefix))),
    )
    .map((other) => ({ range, other }));

/** The ranges outside of the pod network that pods cannot reach, because a join subnet has their addresses. */
const hiddenBy = (join: UserRange, others: readonly ReservedRange[]) =>
  others.flatMap((other) => {
    const shared = sharedAddresses({ ...join, kind: "internalJoinSubnet", implicit: false }, other);
    if (!shared) return [];
    const { breaks } = implicitRangeOf("ovn-user-defined-join");
    return [{ range: join, other, breaks, isDoubtful: shared.isDoubtful }];
  });

/** The default join subnets that a primary network uses if it sets none. */
const defaultJoins = ({ properties }: Resource, layer: string): UserConflict["other"][] =>
  readText(properties, `${layer}.role`) !== "Primary" ||
  read(properties, `${layer}.joinSubnets`)[0]?.value === UNKNOWN
    ? []
    : implicitRanges
        .filter(({ onlyWith }) => onlyWith)
        .map(({ name, cidr }) => ({ name, prefix: readPrefix(cidr)!, implicit: true }));

/** The ranges of a cluster in which a user-defined network may be. */
interface RangesAround {
  owner: string;
  isSure: boolean;
  ranges: readonly ReservedRange[];
  /** The ranges with addresses of a block that OVN-Kubernetes does not compare with networks. */
  outside: (block: Prefix) => readonly ReservedRange[];
}

/** The ranges of the clusters in which a user-defined network may be. */
function rangesAround(judged: JudgedResources, network: Resource): RangesAround[] {
  const cluster = guestCluster(judged);
  const inside = new Set(cluster ? networksInside(judged, cluster) : []);
  const networks = networksByCluster(judged.ofKind(isNetwork)).filter((objects) => !inside.has(objects));
  const isApart = !cluster || isCertainlyApart(network, cluster);
  const isSure = isApart && judged.clusters.length + networks.length === 1;
  return [
    ...(cluster && !isBeside(network, cluster)
      ? [
          {
            owner: cluster.key,
            isSure,
            ranges: rangesOfCluster(judged, cluster),
            outside: outsideCluster(judged),
          },
        ]
      : []),
    ...networks.map((objects) => {
      const ranges = networkRanges(...objects);
      const owner = `Network ${objects[0].name}`;
      return { owner, isSure, ranges, outside: meeting(ranges.filter(isOutside)) };
    }),
  ];
}

/** What the pods of the only hosted cluster reach outside of their network: its machines, the networks around it, and pools. */
const outsideCluster = onceForEach((judged: JudgedResources): RangesAround["outside"] => {
  const cluster = guestCluster(judged);
  if (!cluster) return () => [];
  const own = meeting(rangesOfCluster(judged, cluster).filter(isOutside));
  const networks = networksMeeting(judged, cluster);
  const pools = poolsMeeting(judged, objectOf(cluster));
  return (block) => [
    ...own(block),
    ...networks(block).flatMap(({ range, reach }) => (reach === Reach.Unconnected ? [] : range)),
    ...pools(block),
  ];
});

/** Whether a range is a masquerade subnet of nodes: OVN-Kubernetes also compares networks with these. */
const isMasquerade = ({ kind, row }: Pick<ReservedRange, "kind" | "row">): boolean =>
  kind === "masqueradeSubnet" || isDefaultMasquerade(row);

const isDefaultMasquerade = (row: ReservedRange["row"]): boolean => row?.nodeLocal === true && row.ovnOnly;

/** Whether only clusters that were created with an older release use a range: the input does not state that release. */
const isKept = ({ row }: Pick<ReservedRange, "row">): boolean =>
  isDefaultMasquerade(row) && row?.newClustersOnly !== true;

/** Kinds of ranges that only layer 3 networks use, in addition to the ranges of every cluster. */
const LAYER_3: readonly string[] = ["internalTransitSwitchSubnet", "ipv6InternalTransitSwitchSubnet"];

const meets = (range: ReservedRange, layer: string): boolean =>
  isMasquerade(range) ||
  kindsOf(range).some((one) => GUEST_KINDS.has(one) || (layer.endsWith("layer3") && LAYER_3.includes(one)));

/** The kind of a range, or the kinds that replace a default. */
const kindsOf = ({ kind, row }: ReservedRange): readonly RangeKind[] =>
  kind === "implicit" ? (row?.replacedBy ?? []) : [kind];

/** Whether hosts outside of the pod network have the addresses of a range. */
const isOutside = (range: ReservedRange): boolean =>
  isAround(range) || kindsOf(range).some((kind) => kind === "machineNetwork" || kind === "advertiseAddress");

/** Ranges of user-defined networks that are not known yet and may share addresses with those of a cluster. */
export const unknownUserRanges = (judged: JudgedResources): UnknownValue[] =>
  userNetworks(judged).flatMap((resource) => {
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

/** Findings about user-defined networks that share addresses with written ranges or, if `isImplicit`, with default ranges. */
export const judgeUserNetworks = (judged: JudgedResources, isImplicit: boolean): Judgement[] =>
  userConflicts(judged)
    .filter(({ other }) => other.implicit === isImplicit)
    .map(({ range: { name, prefix, resource, path }, other, owner, isSure, breaks, isDoubtful }) => {
      const whose = owner === undefined ? "" : ` of ${owner}`;
      const message = `${name} ${prefix.text} shares addresses with ${other.name} ${other.prefix.text}${whose}`;
      if (!isSure) return unknown({ resource, path, reason: `${message}, if it is in that cluster` });
      return violated({
        ...(isDoubtful === true && { level: Level.Warning }),
        resource: resource.origin,
        path,
        message: `${message}: ${breaks ?? "OVN-Kubernetes does not create the network"}`,
        fix: `move ${name} to addresses that ${breaks === undefined ? "its cluster does not use" : "nothing else uses"}`,
        witness: `${firstShared(prefix, other.prefix)} is in both`,
      });
    });

/** Reports primary networks that cannot be created in a namespace that they are meant for. */
export const primaryNetworkNamespace: Rule = {
  id: "primary-network-namespace",
  title: "Primary user-defined network is not created in a namespace",
  level: Level.Error,
  description: `Reports UserDefinedNetworks, ClusterUserDefinedNetworks and OVN-Kubernetes network attachments with the role Primary that cannot be created in a namespace. A namespace can have one primary network, and only if the namespace was created with the label ${PRIMARY_LABEL}, which cannot be added later. In a preview, the rule reports a Namespace that gets or loses the label.`,
  details: [
    "Also reports a ClusterUserDefinedNetwork whose namespaceSelector is missing or contradicts itself, or which OVN-Kubernetes cannot read: it creates the network in no namespace, whatever its role. The API accepts any operator, key and value.",
    "If the Namespace object is not in the input, the rule compares only the names of its networks.",
    "Objects of two servers or providers belong to two clusters, as do objects of two folders if there are several hosted clusters.",
  ],
  documents: [
    at(OVN_KUBERNETES, "go-controller/pkg/clustermanager/userdefinednetwork/controller_helper.go"),
    at(OVN_KUBERNETES, "go-controller/pkg/clustermanager/userdefinednetwork/controller.go"),
    at(NETWORK_OPERATOR, "bindata/network/ovn-kubernetes/common/udn-admission-policy.yaml"),
  ],
  remediation: `Create the namespace with the label ${PRIMARY_LABEL}, and keep only one primary network for it.`,
  judge: (judged) => {
    const byScope = new Map<string, Resource[]>();
    const hidden: Judgement[] = [];
    for (const network of userNetworks(judged)) {
      const roles = LAYERS.flatMap((layer) => read(network.properties, `${layer}.role`));
      const path = namespacePath(network);
      const where: Found[] = [{ path, value: readValue(network.properties, path) ?? null }];
      const isPrimary = roles.some(({ value }) => value === "Primary");
      if (isPrimary) append(byScope, guestScope(judged, network).key, [network]);
      const open = (isPrimary ? where : roles).find(({ value }) => holdsUnknown(value));
      if (open)
        hidden.push(
          unknown({
            resource: network,
            path: open.path,
            reason: "whether it is a primary network of a namespace",
          }),
        );
    }
    return [
      ...hidden,
      ...judged.ofKind(isOfSeveral).flatMap(judgeSelector),
      ...[...byScope].flatMap(([scope, networks]) => judgePrimaries(judged, scope, networks)),
      ...judged.ofKind(isNamespace).flatMap(judgeLabelChange),
    ];
  },
};

/** Reports a plan that adds the label to an existing namespace or removes it. What was not known before may be anything. */
function judgeLabelChange({ origin, properties, before }: Resource): Judgement[] {
  const [will, was, live] = [properties, before?.inputs, before?.outputs].map((object) => {
    const labels = readValue(object, LABELS);
    return labels === UNKNOWN ? UNKNOWN : propertyOf(labels, PRIMARY_LABEL);
  });
  if ([will, was, live].includes(UNKNOWN) || !isGiven(before?.outputs.metadata)) return [];
  const isAdded = isGiven(will) && !isGiven(was) && !isGiven(live);
  if (!isAdded && (isGiven(will) || !isGiven(was))) return [];
  return [
    violated({
      resource: origin,
      path: `${LABELS}${stepTo(PRIMARY_LABEL)}`,
      message: `is ${isAdded ? "added" : "removed"}, and the API server refuses that after a namespace is created`,
      fix: isAdded ? "leave it out, and create another namespace with the label" : "keep the label",
    }),
  ];
}

/** Judges the primary networks of one cluster, with at most one finding of each kind per network. */
function judgePrimaries(judged: JudgedResources, scope: string, networks: readonly Resource[]): Judgement[] {
  const order = new Map(networks.map((network, position) => [network, position]));
  const own = new Map<string, Resource[]>();
  const selecting: [PlainLabelSelector, Resource][] = [];
  for (const network of networks) {
    const selector = plainSelector(readValue(network.properties, "spec.namespaceSelector"));
    const namespace = readText(network.properties, "metadata.namespace") ?? API_NAMESPACE;
    if (isOfSeveral(network.type)) {
      if (selector) selecting.push([selector, network]);
    } else if (namespace !== UNKNOWN) append(own, namespace, [network]);
  }
  const bySelector = new BySelector(selecting);
  const unlabelled = new Map<Resource, Judgement>();
  const second = new Map<Resource, Judgement>();
  const hidden: Judgement[] = [];
  for (const [name, { labels, lacks, open }] of namespacesIn(judged, scope, [...own.keys()])) {
    const all = bySelector
      .perhapsSelecting(labels.labels)
      .filter(({ properties }) => selected(readValue(properties, "spec.namespaceSelector"), labels) === true)
      .concat(own.get(name) ?? [])
      .sort((a, b) => order.get(a)! - order.get(b)!);
    if (open && all.length > 0) hidden.push(unknown({ resource: open, path: LABELS }));
    for (const network of lacks ? all : []) onceIn(unlabelled, network, () => withoutLabel(network, name));
    // A network that is written twice is one object.
    const others = all.filter((network) => identityOf(network) !== identityOf(all[0]!));
    for (const network of others) onceIn(second, network, () => besideAnother(network, name, all[0]!));
  }
  return [...unlabelled.values(), ...second.values(), ...hidden];
}

const isOfSeveral = (type: string): boolean => isUserDefinedNetwork(type) && isClusterScoped(type);

/** Reports a selector of namespaces that selects none for certain. */
function judgeSelector(network: Resource): Judgement[] {
  const path = namespacePath(network);
  const value = readValue(network.properties, path);
  return isMap(network.properties.spec)
    ? objectFaults(network, shapeFaults(namespaceSelector, { path, value }))
    : [];
}

const identityOf = ({ type, properties }: Resource): string =>
  `${type} ${textAt(properties, "metadata.name")}`;

/** The path at which a network states its namespaces. */
const namespacePath = (network: Resource): string =>
  isOfSeveral(network.type) ? "spec.namespaceSelector" : "metadata.namespace";

const withoutLabel = (network: Resource, name: string): Judgement =>
  violated({
    resource: network.origin,
    path: namespacePath(network),
    message: `namespace ${name} has no label ${PRIMARY_LABEL}: OVN-Kubernetes does not create the primary network in it`,
    fix: `create namespace ${name} with the label, which cannot be added later`,
  });

const besideAnother = (network: Resource, name: string, first: Resource): Judgement =>
  violated({
    resource: network.origin,
    path: namespacePath(network),
    message: `${describeResource(first)} is a primary network of namespace ${name}, too: OVN-Kubernetes creates only one of them`,
    fix: "keep only one of them, or make the other a secondary one",
  });

/** A namespace with its known labels. */
interface LabelledNamespace {
  labels: KnownLabels;
  /** Whether the namespace certainly lacks the label for primary networks. */
  lacks: boolean;
  /** The object whose labels are unknown. */
  open: Resource | undefined;
}

/** The namespaces of a cluster that the input defines, and the namespaces `named`. */
function namespacesIn(
  judged: JudgedResources,
  scope: string,
  named: readonly string[],
): ReadonlyMap<string, LabelledNamespace> {
  const objects = new Map<string, Resource[]>(named.map((name) => [name, []]));
  for (const object of judged.ofKind(isNamespace)) {
    const name = readText(object.properties, "metadata.name");
    if (typeof name === "string" && guestScope(judged, object).key === scope) append(objects, name, [object]);
  }
  return new Map(
    [...objects].map(([name, all]) => {
      const stated = statedLabels(name, all);
      const isMade = all.some(({ type }) => !isPatch(type));
      const labels = withStated({ labels: {}, complete: false }, stated);
      const open = all.find(({ properties }) => readValue(properties, LABELS) === UNKNOWN);
      return [name, { labels, lacks: isMade && !stated.mayHave(PRIMARY_LABEL), open }];
    }),
  );
}
