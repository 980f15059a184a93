import { judgeEgressIp, knownAddresses, selectionOf, type EgressIpInputs } from "./judge";
import {
  BySelector,
  demandedLabels,
  type PlainLabelSelector,
  type Rarest,
  rarestAmong,
} from "../objects/labelSelector";
import { EGRESS_ASSIGNABLE, type EgressIpSelection, SharedPods, overlapOf } from "./nodes";
import type { Fault } from "../fault";
import { objectKeyFaults, ownLabelFaults, PROPERTY_DROPPED, unknownKeyFaults } from "../objects/places";
import { judgeOwnAddresses } from "../addressRanges/ownAddresses";
import { OCP_4_7_OVN, OCP_BALANCING, OCP_OVN, at } from "../requirements/documents";
import { append, greatest, grouped, least, onceIn } from "../collections";
import { isFilled, isMap, read, readText, readValue, unknownPlaces } from "../resources/read";
import { isInEveryCluster, type KnownLabels, selected } from "../resources/kubernetesObject";
import { eachOnce, keyOfCopies, statedLabels, withPatches, withStated } from "../resources/oneObject";
import { UNKNOWN, type PropertyValue, type Resource } from "../resources/resource";
import { isEgressIp, isNamespace, isNode, isNodePool, isPatch } from "../resources/resourceTypes";
import type { JudgedCluster } from "../gate/clusters";
import type { JudgedResources } from "../gate/judgedResources";
import { isStatedIn, namesIn, objectFaults, objectNameFaults } from "../gate/clusterFaults";
import {
  Level,
  describeResource,
  unknown,
  violated,
  violatedBy,
  type Judgement,
  type Rule,
} from "../gate/rule";
import {
  clusterOfPool,
  guestCluster,
  guestInputs,
  guestScope,
  ifInOneCluster,
  isPoolOf,
  judgePlatform,
  nodesOf,
} from "../gate/guestCluster";
import { plural } from "../text";
import { egressIpSupport } from "../requirements/egressSupport";

/** An EgressIP object whose addresses or selectors cannot work. */
export const egressIpInvalid: Rule = {
  id: "egress-ip-invalid",
  title: "Egress IP address or selector is invalid",
  level: Level.Error,
  description: "Reports invalid addresses and selectors of EgressIP objects.",
  details: [
    "An object needs addresses that lie in the machine network, are neither reserved nor used in it, and belong to no node and no load-balancer pool of the input.",
    "Its selectors must select something.",
    "Two objects must not share an address, or select the same pods, either regardless of labels or with the labels that Namespaces of the input state.",
    "Objects of two servers or providers belong to two clusters; for objects of two folders this is unknown if there are several hosted clusters.",
    "The API server accepts any text as an address.",
    "Also reports names, labels and properties that it refuses or drops: without podSelector, an object is for every pod of its namespaces.",
  ],
  documents: [
    at(OCP_4_7_OVN, "15.9. Configuring an egress IP address"),
    at(OCP_OVN, "Configuring an egress IP address"),
    at(OCP_BALANCING, "Configuring MetalLB address pools"),
  ],
  remediation: "Write free addresses of the nodes' subnet, and selectors that no other object shares.",
  single: isEgressIp,
  judge: (judged) => {
    const [patches, objects] = [true, false].map((isPart) =>
      judged.ofKind(isEgressIp).filter(({ type }) => isPatch(type) === isPart),
    ) as [Resource[], Resource[]];
    const all = objects.map((object, position) => toldBy(judged, object, position));
    const rarest = rarestOf(all);
    const scopes = new Map<string, Compared>();
    const folders = new Compared(rarest);
    const ofObjects = all.flatMap((told) => {
      const { object } = told;
      const { key, isFolder } = guestScope(judged, object);
      const own = onceIn(scopes, key, () => new Compared(rarest));
      const others = own.isCopy(told) ? [] : judgeOthers(told, own);
      const found = [
        ...judgeObject(told),
        ...others,
        ...(isFolder && others.length === 0 && !folders.isCopy(told)
          ? judgeOthers(told, folders).map((one) => ifInOneCluster(object, one))
          : []),
      ];
      own.add(told);
      if (isFolder) folders.add(told);
      return found;
    });
    return [
      ...ofObjects,
      // Patches state parts of other objects.
      ...patches.flatMap((patch, position) => judgeObject(toldBy(judged, patch, position))),
      ...judgeNamespaces(judged, all, rarest),
      ...judgeOwnAddresses(judged, ({ resource }) => isEgressIp(resource.type)),
    ];
  },
};

/** Objects that came before: of one cluster, or of folders that may belong to one. */
class Compared {
  readonly users = new Map<string, Told[]>();
  readonly selections: Selections;
  readonly #keys = new Set<string | undefined>();

  constructor(rarest: Rarest) {
    this.selections = new Selections(rarest);
  }

  /** Whether an object is another copy of one of them. */
  isCopy({ object }: Told): boolean {
    const key = keyOfCopies(object);
    return key !== undefined && this.#keys.has(key);
  }

  add(told: Told): void {
    if (this.isCopy(told)) return;
    this.#keys.add(keyOfCopies(told.object));
    this.selections.add(told);
    for (const address of told.addresses) append(this.users, address, [told]);
  }
}

/** What an object states, read once. */
interface Told {
  object: Resource;
  /** Its position among all objects. */
  position: number;
  inputs: ReturnType<typeof egressIpInputs>;
  addresses: ReadonlySet<string>;
  selection: EgressIpSelection | undefined;
}

function toldBy(judged: JudgedResources, object: Resource, position: number): Told {
  const inputs = egressIpInputs(judged, object);
  const addresses = new Set(knownAddresses(inputs.addresses));
  return { object, position, inputs, addresses, selection: selectionOf(inputs) };
}

function judgeObject({ object, inputs }: Told): Judgement[] {
  const { faults } = judgeEgressIp(inputs, namesIn(EGRESS_IP_PATHS));
  const unknownKeys = [
    ...objectKeyFaults(object),
    ...specKeyFaults(readValue(object.properties, "spec")),
  ].map((fault) => violatedBy(object, fault, { message: `${fault.problem}: ${PROPERTY_DROPPED}` }));
  const pending = Object.values(EGRESS_IP_PATHS)
    .filter((path) => path.startsWith("spec."))
    .flatMap((path) => [...unknownPlaces(readValue(object.properties, path), path)]);
  return [
    ...objectNameFaults(object, "EgressIP object"),
    ...unknownKeys,
    ...objectFaults(object, [...ownLabelFaults(object), ...faults.filter(isStatedIn(object))]),
    ...pending.map((path) => unknown({ resource: object, path })),
  ];
}

/** Unknown properties of an EgressIP: without `podSelector`, for example, its addresses are for every pod of the namespaces. */
const specKeyFaults = (spec: PropertyValue | undefined): Fault[] =>
  isMap(spec) ? unknownKeyFaults("spec", spec, ["egressIPs", "namespaceSelector", "podSelector"]) : [];

/** Violations for earlier objects with one of these addresses, or for the same pods. */
function judgeOthers(
  { object: { origin }, addresses, selection }: Told,
  { users, selections }: Compared,
): Judgement[] {
  const shared = [...addresses].flatMap((address) => {
    const others = users.get(address) ?? [];
    return others.slice(0, 1).map(({ object }) =>
      violated({
        resource: origin,
        path: EGRESS_IP_PATHS.addresses,
        message: `${address} is also an address of ${describeResource(object)}${andOthers(others.length)}`,
        fix: "remove it from one of the two",
        witness: address,
      }),
    );
  });
  const same = selection ? selections.sharing(selection) : { count: 0 };
  return [...shared, ...(same.first ? [violated(samePods(origin, "pods", same.first, same.count))] : [])];
}

/** Pods that two objects select get the address of one of them, and it is not defined which. */
const samePods = (resource: Resource["origin"], pods: string, { object }: Told, count: number) => ({
  resource,
  path: EGRESS_IP_PATHS.namespaceSelector,
  message: `selects the same ${pods} as ${describeResource(object)}${andOthers(count)}, and it is not defined whose addresses they get`,
  fix: "give the two selectors different values of one label",
});

/** Violations for objects whose selectors do not overlap by themselves, but select the same pods of a namespace by its labels. */
function judgeNamespaces(judged: JudgedResources, all: readonly Told[], rarest: Rarest): Judgement[] {
  const found = new Map<Told, Judgement>();
  for (const [scope, objects] of grouped(all, ({ object }) => guestScope(judged, object).key)) {
    const sharing = sharingPods(objects, rarest);
    const asking = new BySelector(sharing.map((told) => [told.selection!.namespaces, told] as const));
    for (const [name, labels] of namespacesOf(judged, scope, sharing)) {
      const here = new Selections(rarest);
      const asked = asking.perhapsSelecting(labels.labels);
      for (const told of asked.sort((a, b) => a.position - b.position)) {
        const { namespaces, pods } = told.selection!;
        if (selected(namespaces as PropertyValue, labels) !== true) continue;
        const selection = { namespaces: {}, pods };
        const { first, count } = here.sharing(selection);
        here.add({ ...told, selection });
        const other = first && all[first.position]?.selection;
        if (!other || found.has(told) || overlapOf(told.selection!, other) === SharedPods.Certain) continue;
        const finding = violated(samePods(told.object.origin, `pods of namespace ${name}`, first, count));
        found.set(told, finding);
      }
    }
  }
  return [...found.values()];
}

/** The objects that share pods with another if one namespace has both. Objects for all namespaces overlap anyway. */
function sharingPods(objects: readonly Told[], rarest: Rarest): Told[] {
  const telling = objects.filter(({ selection }) => selection && keysOf(selection.namespaces).length > 0);
  const ofPods = ({ selection }: Told): EgressIpSelection => ({ namespaces: {}, pods: selection!.pods });
  const all = new Selections(rarest);
  for (const told of telling) all.add({ ...told, selection: ofPods(told) });
  const counts = new Map<string, number>();
  return telling.filter((told) => {
    const selection = ofPods(told);
    return onceIn(counts, JSON.stringify(selection), () => all.sharing(selection).count) > 1;
  });
}

/** The namespaces of a hosted cluster in the input: one for each combination of labels that these objects distinguish. */
function namespacesOf(
  judged: JudgedResources,
  scope: string,
  objects: readonly Told[],
): ReadonlyMap<string, KnownLabels> {
  const elsewhere = new Set(
    judged.clusters.flatMap(({ topology }) =>
      topology ? [topology.namespace, topology.controlPlaneNamespace] : [],
    ),
  );
  const versions = new Map<string, Resource[]>();
  for (const object of judged.ofKind(isNamespace)) {
    const name = readText(object.properties, "metadata.name");
    const isHosted = typeof name === "string" && (isInEveryCluster(name) || !elsewhere.has(name));
    if (isHosted && guestScope(judged, object).key === scope) append(versions, name, [object]);
  }
  const keys = new Set(objects.flatMap(({ selection }) => (selection ? keysOf(selection.namespaces) : [])));
  const ways = new Map<string, readonly [name: string, KnownLabels]>();
  for (const [name, all] of versions) {
    const known = withStated({ labels: {}, complete: false }, statedLabels(name, all));
    const asked = Object.entries(known.labels).filter(([key]) => keys.has(key));
    onceIn(ways, JSON.stringify([known.complete, asked.sort()]), () => [name, known] as const);
  }
  return new Map(ways.values());
}

/** The label keys by which a selector distinguishes objects. */
const keysOf = ({ matchLabels = {}, matchExpressions = [] }: PlainLabelSelector): string[] => [
  ...Object.keys(matchLabels),
  ...matchExpressions.map(({ key }) => key),
];

/** Counts the other objects: listing all pairs of many objects would be quadratic. */
const andOthers = (count: number): string =>
  count > 1 ? ` and ${plural(count - 1, "object")} before it` : "";

/** Objects with the same selection. */
interface Sharing {
  first: Told;
  count: number;
  selection: EgressIpSelection;
}

/** Selections, indexed by required labels: a selection within another requires the same labels, or some of the values of each. */
class Selections {
  readonly #groups = new Map<string, Sharing>();
  readonly #byRarest = new Map<string, Sharing[]>();
  readonly #byAny = new Map<string, Sharing[]>();

  constructor(private readonly rarest: Rarest) {}

  add(told: Told): void {
    const { selection } = told;
    if (!selection) return;
    const key = JSON.stringify([selection.namespaces, selection.pods]);
    const known = this.#groups.get(key);
    if (known) {
      known.count++;
      return;
    }
    const group = { first: told, count: 1, selection };
    this.#groups.set(key, group);
    const demanded = demandedBy(selection);
    for (const label of this.rarest(demanded) ?? [""]) append(this.#byRarest, label, [group]);
    for (const label of demanded.flat()) append(this.#byAny, label, [group]);
  }

  /** The first object that selects the same pods, and the number of such objects. */
  sharing(selection: EgressIpSelection): { first?: Told; count: number } {
    const demanded = demandedBy(selection);
    const rarest = this.rarest(demanded);
    const around = ["", ...demanded.flat()].flatMap((one) => this.#byRarest.get(one) ?? []);
    const within = rarest ? rarest.flatMap((one) => this.#byAny.get(one) ?? []) : this.#groups.values();
    const found = [...new Set([...around, ...within])].filter(
      (group) => overlapOf(selection, group.selection) === SharedPods.Certain,
    );
    const count = found.reduce((sum, group) => sum + group.count, 0);
    const [earliest] = found.sort((a, b) => a.first.position - b.first.position);
    return { ...(earliest && { first: earliest.first }), count };
  }
}

const rarestOf = (all: readonly Told[]): Rarest =>
  rarestAmong(all.map(({ selection }) => (selection ? demandedBy(selection) : [])));

/** The labels that a namespace and a pod must have to be selected. */
const demandedBy = ({ namespaces, pods }: EgressIpSelection): string[][] =>
  [namespaces, pods].flatMap((selector, of) =>
    demandedLabels(selector).map((labels) => labels.map((label) => `${of} ${label}`)),
  );

const [KEY] = Object.keys(EGRESS_ASSIGNABLE) as [string];

/** An EgressIP object with more addresses than there are nodes that may hold one. */
export const egressIpNodes: Rule = {
  id: "egress-ip-nodes",
  title: "Egress IP has more addresses than assignable nodes",
  level: Level.Error,
  description: `Reports EgressIP objects with more addresses than the stack has nodes with the label ${KEY}: Node objects, and nodes of NodePools that set it. A node holds at most one address of an object. NodePools of another hosted cluster do not count. If the stack labels no nodes, the number of nodes is unknown.`,
  documents: [
    at(OCP_4_7_OVN, "15.9.1.3. Assignment of egress IPs to nodes"),
    at(OCP_OVN, "Configuring an egress IP address"),
  ],
  remediation: `Label more nodes with ${KEY}, or spread the addresses over several objects.`,
  judge: (judged) => {
    const objects = judged.ofKind(isEgressIp);
    return objects.length === 0 ? [] : judgeObjects(judged, objects);
  },
};

function judgeObjects(judged: JudgedResources, objects: readonly Resource[]): Judgement[] {
  const labelled = labelledOf(judged);
  const isKnown =
    labelled.some(({ cluster }) => cluster !== UNKNOWN) && labelled.every(({ count }) => count !== UNKNOWN);
  const { fewest, nodes } = nodesByCluster(labelled);
  const because = labelled
    .filter(({ count }) => count === UNKNOWN)
    .flatMap(({ resource }) => COUNTED.map((counted) => ({ resource, path: counted })));
  return objects.flatMap((resource) => {
    const path = "spec.egressIPs";
    const addresses = read(resource.properties, `${path}[]`).length;
    if (!isKnown || (addresses > fewest && addresses <= nodes)) {
      const reason = `how many nodes have the label ${KEY}${isKnown ? " in the hosted cluster of this object" : ""}`;
      return [unknown({ resource, path, reason, because })];
    }
    if (addresses <= fewest) return [];
    const message = `${addresses} addresses for ${plural(nodes, "node")} with the label ${KEY}, each of which can hold at most one of them`;
    return [violated({ resource: resource.origin, path, message })];
  });
}

/** A node with the label, or a NodePool that gives it to its nodes. */
interface Labelled {
  resource: Resource;
  count: number | typeof UNKNOWN;
  /** The hosted cluster of a NodePool; undefined for nodes, and for NodePools of the only cluster. */
  cluster: string | typeof UNKNOWN | undefined;
}

/** The least and the greatest number of labelled nodes that a hosted cluster may have. */
function nodesByCluster(labelled: readonly Labelled[]): { fewest: number; nodes: number } {
  const sums = new Map<Labelled["cluster"], number>();
  for (const { cluster, count } of labelled)
    sums.set(cluster, (sums.get(cluster) ?? 0) + (count === UNKNOWN ? 0 : count));
  const [everywhere, perhaps] = [sums.get(undefined) ?? 0, sums.get(UNKNOWN) ?? 0];
  const own = [...sums].flatMap(([cluster, sum]) => (typeof cluster === "string" ? sum : []));
  const [fewest, most] = own.length > 0 ? [least(own), greatest(own)] : [0, 0];
  return { fewest: everywhere + fewest, nodes: everywhere + most + perhaps };
}

/** The labelled nodes that may belong to the hosted cluster of the objects, if there is only one such cluster. */
function labelledOf(judged: JudgedResources): Labelled[] {
  const only = guestCluster(judged);
  const nodes = new Map<unknown, Labelled>();
  for (const node of judged.ofKind(isNode)) {
    const name = readText(node.properties, "metadata.name");
    const key = isFilled(name) ? `${guestScope(judged, node).key} ${name}` : node;
    for (const count of labelledNodes(node)) nodes.set(key, { resource: node, count, cluster: undefined });
  }
  const pools = withPatches(eachOnce(judged.ofKind(isNodePool))).flatMap((resource): Labelled[] => {
    const { isOther, cluster } = clusterOf(resource, only);
    return isOther ? [] : labelledNodes(resource).map((count) => ({ resource, count, cluster }));
  });
  return [...nodes.values(), ...pools];
}

/** The hosted cluster of a NodePool, and whether it certainly is another one than the only cluster. */
function clusterOf(
  pool: Resource,
  only: JudgedCluster | undefined,
): { isOther?: boolean; cluster: Labelled["cluster"] } {
  if (only?.isNamed) {
    const namespace = only.raw.namespace === UNKNOWN ? UNKNOWN : only.namespace;
    const isOwn = isPoolOf(pool, { name: only.name, namespace });
    return { isOther: isOwn === false, cluster: isOwn === undefined ? UNKNOWN : undefined };
  }
  const { name, namespace } = clusterOfPool(pool);
  return {
    cluster: name === UNKNOWN || namespace === UNKNOWN ? UNKNOWN : `${namespace ?? ""}/${name ?? ""}`,
  };
}

/** The fields that determine how many nodes have the label. */
const COUNTED = ["spec.replicas", "spec.autoScaling", "metadata.labels", "spec.nodeLabels"];

/** The number of labelled nodes that a resource represents; empty for most resources. */
function labelledNodes(resource: Resource): (number | typeof UNKNOWN)[] {
  const { type, properties } = resource;
  const labels = readValue(properties, isNode(type) ? "metadata.labels" : "spec.nodeLabels");
  if (labels === UNKNOWN) return [UNKNOWN];
  if (typeof labels !== "object" || labels === null || !Object.hasOwn(labels, KEY)) return [];
  return [isNode(type) ? 1 : nodesOf(resource).most];
}

/** Egress IP addresses on a platform that cannot move addresses between nodes. */
export const egressIpPlatform: Rule = {
  id: "egress-ip-platform",
  title: "Egress IP is not supported on the platform",
  level: Level.Error,
  description:
    "Reports EgressIP objects, in a stack with one hosted cluster, that its platform, release or network type does not support. On clouds whose nodes cannot take over an address, the object has no effect. Network types other than OVN-Kubernetes do not have such objects.",
  documents: [
    at(OCP_4_7_OVN, "15.9.1.1. Platform support"),
    at(OCP_OVN, "Configuring an egress IP address, Platform support"),
  ],
  remediation:
    "Leave the object out, or move the cluster to a release or platform that has egress IP addresses.",
  judge: (judged) =>
    judgePlatform(
      judged,
      { feature: "egress IP addresses", support: egressIpSupport },
      judged.ofKind(isEgressIp),
    ),
};

/** The paths in an EgressIP object of the inputs of the component that creates such objects. */
const EGRESS_IP_PATHS = {
  annotations: "metadata.annotations",
  addresses: "spec.egressIPs",
  namespaceSelector: "spec.namespaceSelector",
  podSelector: "spec.podSelector",
} as const;

/** Reads an EgressIP object as inputs of that component. */
function egressIpInputs(judged: JudgedResources, { properties }: Resource): EgressIpInputs {
  const entries = Object.entries(EGRESS_IP_PATHS).map(([name, path]) => [name, readValue(properties, path)]);
  return { ...(Object.fromEntries(entries) as EgressIpInputs), ...guestInputs(judged) };
}
