import {
  isElsewhere,
  keyOfPlace,
  managementOf,
  notApart,
  notElsewhere,
} from "../resources/managementCluster";
import { append, grouped, onceForEach, onceIn } from "../collections";
import { every, type KnownLabels, type Maybe, selected } from "../resources/kubernetesObject";
import { labelsOf } from "../resources/oneObject";
import { toleratedBy } from "./taints";
import {
  entriesOf,
  holdsUnknown,
  isFilled,
  isMap,
  propertyOf,
  type PropertyMap,
  read,
  readText,
  readValue,
} from "../resources/read";
import {
  NODE_KEY,
  TaintEffect,
  dedicatedNodeSources,
  isNodeState,
  toleratedTaints,
  type Taint,
  type Toleration,
} from "../requirements/dedicatedNodes";
import { UNKNOWN, type PropertyValue, type Resource } from "../resources/resource";
import { isHostedCluster, isNode, isPatch } from "../resources/resourceTypes";
import { isNamespaceUnknown } from "../topology/normalizedTopology";
import { type JudgedCluster, objectOf } from "../gate/clusters";
import {
  Level,
  describeResource,
  unknown,
  violated,
  type Judgement,
  type Rule,
  type ListedRule,
} from "../gate/rule";

const LABELS = "metadata.labels";
const SELECTOR = "spec.nodeSelector";
const TOLERATIONS = "spec.tolerations";

/** Finds dedicated nodes on which their hosted control plane cannot run, and control planes that may also run elsewhere. */
export const dedicatedNodes: Rule = {
  id: "dedicated-nodes",
  title: "Hosted control plane is not confined to its dedicated nodes",
  level: Level.Error,
  description: `Reports Nodes with the label or taint ${NODE_KEY.cluster}, and HostedClusters, that do not keep a hosted control plane on its own nodes.`,
  details: [
    "The value must be the namespace of a hosted control plane (<namespace>-<name>), the same in label and taint.",
    `Pods of the control plane must tolerate every taint of the node, by default or by spec.tolerations (${NODE_KEY.documented}, which the documents name, is not tolerated by default), and spec.nodeSelector must select one of these nodes and, unless it contains that label, no other Node of the input whose taints the pods tolerate.`,
    "Nodes that are not read from a running cluster may have labels that no input states.",
    "Taints that Kubernetes sets itself, such as those of cordoned nodes, are ignored.",
    "Nodes of machine sets, and nodes or clusters outside the stack, are not seen.",
  ],
  documents: Object.values(dedicatedNodeSources),
  remediation: `Label and taint the nodes with ${NODE_KEY.cluster}=<namespace>-<name> and effect NoSchedule, and select that label in spec.nodeSelector; DedicatedControlPlaneNodes does all three.`,
  judge: (judged) => {
    const nodes = judged.ofKind(isNode);
    const owners = new Owners(judged.clusters.flatMap(ownerOf));
    return [
      ...nodes.flatMap((node) => judgeNode(node, owners)),
      ...owners.all.flatMap((owner) => {
        const near = notElsewhere(owner.cluster.topology?.placement, nodes);
        return judgeSelector(owner, owners, nodesIn(notApart(owner.object, near)));
      }),
    ];
  },
};

/** A HostedCluster with the namespace and name by which nodes refer to it. */
interface Owner {
  cluster: JudgedCluster;
  object: Resource;
  /** The namespace of its control plane. */
  namespace: string;
  name: string;
}

/** The HostedClusters of a stack, with indexes: fleets have many, and each of their nodes is looked up. */
class Owners {
  readonly #byNamespace = new Map<string, Owner[]>();
  readonly #byName = new Map<string, Owner>();
  readonly #tolerances = new Map<Owner, ReturnType<typeof toleratedBy>>();
  #toleratedSomewhere: ReturnType<typeof toleratedBy> | undefined;

  constructor(readonly all: readonly Owner[]) {
    for (const owner of all) {
      append(this.#byNamespace, owner.namespace, [owner]);
      for (const name of [owner.name, owner.cluster.key])
        if (!this.#byName.has(name)) this.#byName.set(name, owner);
    }
  }

  /** The HostedClusters whose control plane is in a namespace. */
  inNamespace(namespace: string): readonly Owner[] {
    return this.#byNamespace.get(namespace) ?? [];
  }

  /** The HostedCluster that a node names by its name or key instead of its namespace. */
  named(name: string): Owner | undefined {
    return this.#byName.get(name);
  }

  /** Whether pods of a control plane tolerate a taint. */
  tolerates(owner: Owner, taint: Taint): boolean {
    const known =
      this.#tolerances.get(owner) ??
      toleratedBy([...toleratedTaints(owner.namespace), ...tolerationsOf(owner)]);
    this.#tolerances.set(owner, known);
    return known(taint);
  }

  /** Whether any HostedCluster tolerates a taint by `spec.tolerations`, or may tolerate it because these are unknown. */
  mayTolerate(taint: Taint): boolean {
    this.#toleratedSomewhere ??= this.all.some((owner) => holdsUnknown(stated(owner, TOLERATIONS)))
      ? () => true
      : toleratedBy(this.all.flatMap(tolerationsOf));
    return this.#toleratedSomewhere(taint);
  }
}

/** Whether a node may be in the management cluster of a hosted cluster. */
const isOwn = ({ cluster }: Owner, node: Resource): boolean =>
  !isElsewhere(cluster.topology?.placement, node);

/** A node: what the objects and patches of one name state. */
interface Node {
  /** The first of them. */
  resource: Resource;
  labels: KnownLabels;
  taints: readonly Taint[];
  /** False if it may have other taints. */
  areTaintsKnown: boolean;
}

/** The nodes of a management cluster, with indexes. */
interface Nodes {
  all: readonly Node[];
  dedicated: ReadonlyMap<PropertyValue | undefined, ReadonlySet<Node>>;
  byLabel: ReadonlyMap<string, readonly Node[]>;
}

const nodesIn = onceForEach((objects: readonly Resource[]): Nodes => {
  const nameOf = (object: Resource) => readText(object.properties, "metadata.name");
  const versions = grouped(objects, (object) => (isFilled(nameOf(object)) ? nameOf(object) : object));
  const dedicated = new Map<PropertyValue | undefined, Set<Node>>();
  const byLabel = new Map<string, Node[]>();
  const all = [...versions.values()].map((own) => {
    const node = nodeOf(own);
    for (const label of Object.entries(node.labels.labels)) append(byLabel, textOf(label), [node]);
    for (const namespace of own.map(dedicationOf))
      onceIn(dedicated, namespace, () => new Set<Node>()).add(node);
    return node;
  });
  return { all, dedicated, byLabel };
});

function nodeOf(versions: readonly Resource[]): Node {
  const taints = versions.map(({ properties }) => readValue(properties, "spec.taints"));
  const { labels, complete } = labelsOf(versions);
  return {
    resource: versions[0]!,
    labels: { labels, complete: complete && versions.length === 1 },
    taints: versions.flatMap(taintsOf).map(({ taint }) => taint),
    areTaintsKnown: versions.some(({ type }) => !isPatch(type)) && !taints.some(holdsUnknown),
  };
}

/** `zone=a` */
const textOf = ([key, value]: [string, PropertyValue]): string =>
  `${key}=${typeof value === "string" ? value : ""}`;

/** The values at a path in a HostedCluster and the patches on it. */
const statements = ({ object, cluster }: Owner, path: string): PropertyValue[] =>
  [object, ...cluster.sources.flatMap(({ resource }) => resource ?? [])]
    .filter(({ type }) => isHostedCluster(type))
    .map(({ properties }) => readValue(properties, path))
    .filter((value) => value !== undefined);

/** The value at a path in a HostedCluster or, if it has none, in the patches on it. */
const stated = (owner: Owner, path: string): PropertyValue | undefined => statements(owner, path)[0];

function ownerOf(cluster: JudgedCluster): Owner[] {
  const object = objectOf(cluster);
  const { topology } = cluster;
  if (!object || !topology || isNamespaceUnknown(topology)) return [];
  return [{ cluster, object, namespace: topology.controlPlaneNamespace, name: topology.name }];
}

/** The hosted control plane that a node is dedicated to, from its label or taint. */
const dedicationOf = (node: Resource): PropertyValue | undefined => {
  const label = propertyOf(readValue(node.properties, LABELS), NODE_KEY.cluster);
  return label ?? taintsOf(node).find(({ taint }) => taint.key === NODE_KEY.cluster)?.taint.value;
};

/** The taints of a node, without those that are its state. */
function taintsOf({ properties }: Resource): { path: string; taint: Taint }[] {
  return read(properties, "spec.taints[]").flatMap(({ path, value }) => {
    const key = propertyOf(value, "key");
    if (holdsUnknown(value) || typeof key !== "string" || isNodeState(key)) return [];
    return [{ path, taint: value as unknown as Taint }];
  });
}

function judgeNode(node: Resource, owners: Owners): Judgement[] {
  const dedication = dedicationOf(node);
  const labels = readValue(node.properties, LABELS);
  const at = (path: string, message: string, fix: string) =>
    violated({ resource: node.origin, path, message, fix });
  const path = `${LABELS}.${NODE_KEY.cluster}`;
  if ((labels === UNKNOWN || dedication === UNKNOWN) && owners.all.length > 0) {
    const reason = "which hosted control plane the node is for";
    return [unknown({ resource: node, path: labels === UNKNOWN ? LABELS : path, reason })];
  }
  if (typeof dedication !== "string") return documentedTaints(node, owners, at);
  const place = propertyOf(labels, NODE_KEY.cluster) === dedication ? path : "spec.taints";
  const owner = owners.inNamespace(dedication).find((one) => isOwn(one, node));
  const meant = owners.named(dedication);
  if (!owner && meant)
    return [
      at(
        place,
        `${dedication} is not a namespace of a hosted control plane: no pod of ${meant.cluster.key} prefers or tolerates it`,
        `write ${meant.namespace}`,
      ),
    ];
  return owner
    ? [...untolerated(node, owners, owner, at), ...unknownTaints(node)]
    : documentedTaints(node, owners, at);
}

/** An unknown taint may keep the control plane off its node. */
const unknownTaints = (node: Resource): Judgement[] =>
  read(node.properties, "spec.taints[]").flatMap(({ path, value }) =>
    holdsUnknown(value) ? [unknown({ resource: node, path })] : [],
  );

type Finder = (path: string, message: string, fix: string) => Judgement;

/** Taints that keep the control plane off a node dedicated to it. */
function untolerated(node: Resource, owners: Owners, owner: Owner, at: Finder): Judgement[] {
  const { object, namespace, cluster } = owner;
  if (holdsUnknown(stated(owner, TOLERATIONS))) {
    const reason = "whether the control plane tolerates the taints of its nodes";
    return taintsOf(node).length > 0 ? [unknown({ resource: object, path: TOLERATIONS, reason })] : [];
  }
  return taintsOf(node)
    .filter(({ taint }) => keepsOff(taint) && !owners.tolerates(owner, taint))
    .map(({ path, taint }) =>
      at(
        path,
        `no pod of ${cluster.key} tolerates ${taintText(taint)}, although the node is dedicated to it`,
        `write ${NODE_KEY.cluster}=${namespace}:${TaintEffect.NoSchedule}, or add a toleration to spec.tolerations of the HostedCluster`,
      ),
    );
}

const tolerationsOf = (owner: Owner): Toleration[] =>
  entriesOf(stated(owner, TOLERATIONS)).flatMap((value) => (isMap(value) ? [value as Toleration] : []));

const keepsOff = ({ effect }: Taint): boolean => effect !== TaintEffect.PreferNoSchedule;

const taintText = ({ key, value, effect }: Taint): string => `${key}${value ? `=${value}` : ""}:${effect}`;

/** Reports the documents' key on a node that no known cluster owns: no pod tolerates it by default. */
function documentedTaints(node: Resource, owners: Owners, at: Finder): Judgement[] {
  return taintsOf(node)
    .filter(({ taint }) => taint.key === NODE_KEY.documented && keepsOff(taint))
    .filter(({ taint }) => owners.all.length > 0 && !owners.mayTolerate(taint))
    .map(({ path, taint }) =>
      at(
        path,
        `no hosted control plane of the stack tolerates ${taintText(taint)}`,
        `write the taint with the key ${NODE_KEY.cluster}, or list it in spec.tolerations of the HostedCluster`,
      ),
    );
}

/** The node selector with the labels that patches add; values that differ or are no text are UNKNOWN. */
function selectorOf(owner: Owner): PropertyMap | typeof UNKNOWN {
  const said = statements(owner, SELECTOR);
  if (said.includes(UNKNOWN)) return UNKNOWN;
  const labels = new Map<string, PropertyValue>();
  for (const [key, value] of said.filter(isMap).flatMap(Object.entries<PropertyValue>)) {
    const isSure = typeof value === "string" && (labels.get(key) ?? value) === value;
    labels.set(key, isSure ? value : UNKNOWN);
  }
  return Object.fromEntries(labels);
}

/** Whether the control plane stays on its nodes. */
function judgeSelector(owner: Owner, owners: Owners, nodes: Nodes): Judgement[] {
  const { object, namespace, cluster } = owner;
  const own = nodes.dedicated.get(namespace) ?? new Set();
  const [first] = own;
  const selector = selectorOf(owner);
  const chosen = propertyOf(selector, NODE_KEY.cluster);
  const at = (path: string, message: string, fix: string) =>
    violated({ resource: object.origin, path, message, fix });
  if (selector === UNKNOWN || chosen === UNKNOWN)
    return first ? [unknown({ resource: object, path: SELECTOR })] : [];
  if (typeof chosen === "string" && chosen !== namespace) {
    const message = `${chosen} is not the namespace of this control plane: its pods go to nodes that are not dedicated to it`;
    return [at(`${SELECTOR}.${NODE_KEY.cluster}`, message, `write ${namespace}`)];
  }
  if (!first) return [];
  if (Object.keys(selector).length > 0) return judgeSelection(owner, selector, { owners, nodes, own, at });
  const message = `missing, although ${describeResource(first.resource)} is dedicated to ${cluster.key}: its pods prefer that node and run on others too`;
  return [at(SELECTOR, message, `write ${NODE_KEY.cluster}: ${namespace}`)];
}

/** Whether a selector selects a node of the hosted cluster and, unless it names the cluster, no other node. */
function judgeSelection(
  owner: Owner,
  selector: PropertyMap,
  { owners, nodes, own, at }: { owners: Owners; nodes: Nodes; own: ReadonlySet<Node>; at: Finder },
): Judgement[] {
  const { object, namespace, cluster } = owner;
  const asked = { matchLabels: selector };
  const selects = ({ labels }: Node) => selected(asked, labels);
  const isShared = !Object.hasOwn(selector, NODE_KEY.cluster);
  const mayRun = mayRunOn(owner, owners);
  const runsOn = (node: Node) =>
    !own.has(node) && selects(node) !== false && every([selects(node), mayRun(node)]);
  const ofOwn = new Map([...own].map((node) => [selects(node), node]));
  const lost = ofOwn.size === 1 && ofOwn.get(false);
  if (lost) {
    const message = `does not select ${describeResource(lost.resource)}, although it is dedicated to ${cluster.key}: no pod of the control plane runs there`;
    const fix = isShared
      ? `write only labels that the node has, such as ${NODE_KEY.cluster}`
      : `label the node with ${NODE_KEY.cluster}=${namespace}`;
    return [at(SELECTOR, message, fix)];
  }
  const [label] = Object.entries(selector);
  const other = isShared && nodes.byLabel.get(textOf(label!))?.find((node) => runsOn(node) === true);
  if (other) {
    const message = `also selects ${describeResource(other.resource)}, which is not dedicated to ${cluster.key}: pods of the control plane run there too`;
    return [at(SELECTOR, message, `write ${NODE_KEY.cluster}: ${namespace}`)];
  }
  const open = ofOwn.has(true)
    ? nodes.all.find((node) => isShared && runsOn(node) === undefined)
    : ofOwn.get(undefined);
  const reason = open && `whether its pods run on ${describeResource(open.resource)}`;
  return open ? [unknown({ resource: object, path: SELECTOR, reason })] : [];
}

/** Whether the taints of a node let pods of a control plane run there; undefined also if it may be in another cluster. */
function mayRunOn(owner: Owner, owners: Owners): (node: Node) => Maybe {
  const place = managementOf(owner.object);
  const mayTolerateMore = holdsUnknown(stated(owner, TOLERATIONS));
  const tolerated = new Map<string, boolean>();
  const tolerates = (taint: Taint) =>
    onceIn(tolerated, taintText(taint), () => owners.tolerates(owner, taint));
  return ({ resource, taints, areTaintsKnown }) => {
    if (taints.some((taint) => keepsOff(taint) && !tolerates(taint)))
      return mayTolerateMore ? undefined : false;
    const ofNode = managementOf(resource);
    const isHere = place && ofNode ? keyOfPlace(place) === keyOfPlace(ofNode) : place === ofNode;
    return areTaintsKnown && isHere ? true : undefined;
  };
}

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const dedicatedNodesRules: readonly ListedRule[] = [
  {
    rule: dedicatedNodes,
    violated: `
nodeSelector: { hypershift.openshift.io/cluster: clusters-tenant-a }
---
apiVersion: v1
kind: Node
metadata: { name: node-1, labels: { hypershift.openshift.io/cluster: clusters-tenant-a } }
spec:
  taints: [{ key: hypershift.openshift.io/hosted-cluster, value: clusters-tenant-a, effect: NoSchedule }]
`,
    mended: { "key: hypershift.openshift.io/hosted-cluster": "key: hypershift.openshift.io/cluster" },
  },
];
