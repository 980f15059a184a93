import { prefixFaults } from "../../address/parse";
import { onceForEach, pushAll } from "../../collections";
import type { Fault } from "../../fault";
import { unreadableSelectorFaults } from "../labelSelector";
import {
  labelKeyFaults,
  labelNameFaults,
  OBJECT_KEYS,
  portFaults,
  portNameFaults,
  shownText,
  subdomainNameFaults,
  unknownKeyFaults,
  valueFaults,
} from "../places";
import {
  byKey,
  elsewhere,
  judgeShape,
  type Fields,
  hiddenText,
  labels,
  leaf,
  list,
  needed,
  number,
  object,
  ONE_AT_LEAST,
  oneOf,
  type ReadMode,
  type Relation,
  type Shape,
  shapeFaults,
  type ShapeJudgement,
  text,
} from "../shape";
import type { ObjectForm } from "../../requirements/hostedCluster/forms";
import { LIMIT } from "../../requirements/limits";
import { Protocol } from "../../requirements/vocabulary";
import { isNameBeginning } from "../../requirements/names";
import { type Found, isList, isMap, unknownPlaces } from "../../resources/read";
import { isStored } from "../../resources/oneObject";
import { type PropertyValue, type Resource, UNKNOWN } from "../../resources/resource";
import {
  isAdminNetworkPolicy,
  isBaselineAdminNetworkPolicy,
  isClusterNetworkPolicy,
  isClusterScoped,
  isNetworkPolicy,
  isPatch,
} from "../../resources/resourceTypes";
import {
  blockAlone,
  consequenceOf,
  domainNames,
  endPortFaults,
  exceptionFaults,
  keepsOutOfForce,
  namedPorts,
  POLICY_CODE,
  portNames,
  startBeforeEnd,
  startUpToEnd,
} from "./relations";

const PROTOCOLS = [Protocol.Tcp, Protocol.Udp, Protocol.Sctp];

const upTo = (max: number) => ({ min: 0, max });
const from1To = (max: number) => ({ min: 1, max });

/** What the CRDs state of a label selector: its form, and nothing of its keys, operators and values. */
const selectorForm = object({
  matchLabels: byKey(text(), {}),
  matchExpressions: list(object({ key: needed(text()), operator: needed(text()), values: list(text()) })),
});
const selector: Shape = {
  judge(into, { path, value }, reading) {
    const stored = withoutNulls(value, reading);
    pushAll(into.unknown, unknownPlaces(stored, path));
    const faults = unreadableSelectorFaults({ path, value: stored });
    if (faults.length === 0) return;
    const refused = new Set(shapeFaults(selectorForm, { path, value: stored }).map((fault) => fault.path));
    for (const fault of faults)
      into.faults.push(
        reading.isBuiltIn || refused.has(fault.path) ? fault : { ...fault, code: POLICY_CODE.unapplied },
      );
  },
  howTo: "write a label selector: {} selects everything",
  zero: {},
};

const reportedFaults = (faults: readonly Fault[]): Fault[] =>
  faults.map((fault) => ({ ...fault, code: POLICY_CODE.elsewhere }));

/** A value whose faults another rule reports. */
const reported = (faultsOf: (place: Found) => readonly Fault[]): Shape => ({
  judge: (into, place) => pushAll(into.faults, reportedFaults(faultsOf(place))),
  isElsewhere: true,
});

/** The API servers of today accept host bits. */
const block = reported(({ path, value }) => prefixFaults(path, value, { hostBits: "clear" }));
const port = number({ range: LIMIT.port });

/** A port number or a port name. */
const portOrName = leaf(({ path, value }) => {
  if (typeof value !== "string") return portFaults({ path, value });
  if (!/^\d+$/.test(value)) return portNameFaults({ path, value });
  const problem = `${shownText(value)} is a string, and not a port name`;
  return [{ path, problem, remedy: `write ${value} without quotes` }];
});

const policyPort = object(
  { protocol: text({ words: PROTOCOLS }), port: portOrName, endPort: port },
  { relations: [endPortFaults] },
);
const policyPeer = object(
  {
    podSelector: selector,
    namespaceSelector: selector,
    ipBlock: object(
      { cidr: needed(block, "write a CIDR block"), except: list(block) },
      {
        relations: [
          (path, { cidr, except }) =>
            reportedFaults(exceptionFaults({ path: `${path}.except`, value: except }, cidr)),
        ],
      },
    ),
  },
  {
    size: ONE_AT_LEAST,
    relations: [blockAlone],
    remedy:
      "write podSelector, namespaceSelector or both, or ipBlock; to mean every peer, leave the whole list out",
  },
);
const policyRules = (ends: "from" | "to") =>
  list(object({ [ends]: list(policyPeer), ports: list(policyPort) }, { relations: [portNames] }));

/** The shape of the spec of a NetworkPolicy. */
const networkPolicyShape: Shape = object({
  podSelector: selector,
  policyTypes: list(text({ words: ["Ingress", "Egress"] }), { size: upTo(LIMIT.policyTypes) }),
  ingress: policyRules("from"),
  egress: policyRules("to"),
});

/** The differences between the two APIs of cluster-wide policies. */
interface Dialect {
  actions: readonly string[];
  /** The most rules of a direction, and the most peers and services of a rule. */
  most: number;
  services: "ports" | "protocols";
  service: Shape;
  /** Whether a pod selector requires a namespace selector. */
  needsNamespaces: boolean;
  /** What the CRD accepts as a domain name. Absent: there are no domain names. */
  domain?: ObjectForm;
}

const domainMatching = (pattern: RegExp): ObjectForm => ({
  matches: (name) => pattern.test(name),
  name: "a domain name",
  remedy: "write a domain name, optionally with a leading wildcard: *.example.com",
});

/** As loose as in the CRDs of the alpha versions: the range `A-z` also accepts brackets and underscores. */
const alphaDomain = domainMatching(
  /^(\*\.)?([a-zA-z0-9]([-a-zA-Z0-9_]*[a-zA-Z0-9])?\.)+[a-zA-z0-9]([-a-zA-Z0-9_]*[a-zA-Z0-9])?\.?$/,
);
const betaDomain = domainMatching(
  /^(\*\.)?([a-zA-Z0-9]([-a-zA-Z0-9_]*[a-zA-Z0-9])?\.)+[a-zA-Z0-9]([-a-zA-Z0-9_]*[a-zA-Z0-9])?\.?$/,
);

const namespacedPods = (isNeeded: boolean): Shape =>
  object({ namespaceSelector: isNeeded ? needed(selector) : selector, podSelector: needed(selector) });

function peers({ needsNamespaces, domain }: Dialect, isEgress: boolean): Shape {
  const names = (entry: Shape): Shape =>
    list(entry, { size: from1To(LIMIT.adminPolicyNames), distinct: true });
  return oneOf({
    namespaces: selector,
    pods: namespacedPods(needsNamespaces),
    ...(isEgress && { nodes: selector, networks: names(block) }),
    ...(isEgress && domain && { domainNames: names(text({ form: domain })) }),
  });
}

function adminRules(dialect: Dialect, ends: "from" | "to"): Shape {
  const { actions, most, services, service, domain } = dialect;
  return list(
    object(
      {
        name: text({ size: upTo(LIMIT.adminPolicyNameLength) }),
        action: needed(text({ words: actions })),
        [ends]: needed(list(peers(dialect, ends === "to"), { size: from1To(most) })),
        [services]: list(service, { size: from1To(most) }),
      },
      { relations: [namedPorts, ...(domain ? [domainNames] : [])] },
    ),
    { size: upTo(most) },
  );
}

const adminShape = (dialect: Dialect, more: Fields = {}): Shape =>
  needed(
    object({
      ...more,
      subject: needed(oneOf({ namespaces: selector, pods: namespacedPods(dialect.needsNamespaces) })),
      ingress: adminRules(dialect, "from"),
      egress: adminRules(dialect, "to"),
    }),
  );

const { min: first, max: last } = LIMIT.adminPolicyPriority;
const priority = needed(number({ range: { min: first, max: last } }));

const range = (relation: Relation, more: Fields = {}) =>
  object({ ...more, start: needed(port), end: needed(port) }, { relations: [relation] });

/** The CRDs accept any text. */
const protocol = leaf((place) =>
  valueFaults({ type: "text", words: PROTOCOLS }, place, shownText).map((fault) =>
    typeof place.value === "string" ? { ...fault, code: POLICY_CODE.unmatched } : fault,
  ),
);
const admin: Dialect = {
  actions: ["Allow", "Deny", "Pass"],
  most: LIMIT.adminPolicyEntries,
  services: "ports",
  service: oneOf({
    portNumber: object({ protocol, port: needed(port) }),
    portRange: range(startUpToEnd, { protocol }),
    namedPort: text(),
  }),
  needsNamespaces: true,
};

/** The shape of the spec of an AdminNetworkPolicy, version v1alpha1. */
const adminNetworkPolicyShape = adminShape({ ...admin, domain: alphaDomain }, { priority });

/** The shape of the spec of a BaselineAdminNetworkPolicy, version v1alpha1. */
const baselineAdminNetworkPolicyShape = adminShape({ ...admin, actions: ["Allow", "Deny"] });

/** The only name that a BaselineAdminNetworkPolicy can have. */
export const BASELINE_NAME = "default";

const transport = object(
  { destinationPort: oneOf({ number: port, range: range(startBeforeEnd) }) },
  { size: ONE_AT_LEAST },
);

/** The shape of the spec of a ClusterNetworkPolicy. */
const clusterNetworkPolicyShape = (domain: ObjectForm): Shape =>
  adminShape(
    {
      actions: ["Accept", "Deny", "Pass"],
      most: LIMIT.clusterPolicyEntries,
      services: "protocols",
      service: oneOf({ tcp: transport, udp: transport, sctp: transport, destinationNamedPort: text() }),
      needsNamespaces: false,
      domain,
    },
    { tier: needed(text({ words: ["Admin", "Baseline"] })), priority },
  );

/** Returns a selector as the API server stores it. */
function withoutNulls(selector: PropertyValue, { isBuiltIn }: ReadMode): PropertyValue {
  if (!isMap(selector)) return selector;
  const { matchLabels, matchExpressions } = selector;
  const isZero = (entry: PropertyValue) => isBuiltIn && entry === null;
  return {
    ...selector,
    ...(isMap(matchLabels) && {
      matchLabels: Object.fromEntries(
        Object.entries(matchLabels).flatMap(([key, entry]) =>
          entry !== null ? [[key, entry]] : isBuiltIn ? [[key, ""]] : [],
        ),
      ),
    }),
    ...(isList(matchExpressions) && {
      matchExpressions: matchExpressions.map((entry) => {
        if (isZero(entry)) return {};
        if (!isMap(entry) || !isList(entry.values)) return entry;
        return { ...entry, values: entry.values.map((one) => (isZero(one) ? "" : one)) };
      }),
    }),
  };
}

/** A kind of policies. */
interface PolicyKind {
  holds: (type: string) => boolean;
  /** The shape of the spec in each version of its API that this package knows. */
  specs: Readonly<Record<string, Shape>>;
  isBuiltIn?: true;
  /** The only name that such a policy can have. */
  name?: string;
}

const KINDS: readonly PolicyKind[] = [
  { holds: isNetworkPolicy, specs: { v1: networkPolicyShape }, isBuiltIn: true },
  { holds: isAdminNetworkPolicy, specs: { v1alpha1: adminNetworkPolicyShape } },
  {
    holds: isBaselineAdminNetworkPolicy,
    specs: { v1alpha1: baselineAdminNetworkPolicyShape },
    name: BASELINE_NAME,
  },
  {
    holds: isClusterNetworkPolicy,
    specs: {
      v1alpha2: clusterNetworkPolicyShape(alphaDomain),
      v1beta1: clusterNetworkPolicyShape(betaDomain),
    },
  },
];

/** Names that the API server refuses. An empty one counts as absent. */
const nameWith = (faultsOf: (place: Found) => readonly Fault[]): Shape =>
  reported((place) => (place.value === "" ? [] : faultsOf(place)));

/** The annotations of an object. Prefixes of their keys may have capitals. */
const annotations = byKey(hiddenText(), {
  keyFaults: (path, key) =>
    labelKeyFaults({ path, value: key.toLowerCase() }).map((fault) => ({
      ...fault,
      problem: `${shownText(key)} is not the key of an annotation`,
    })),
});

const metadataFields: Fields = {
  name: nameWith(subdomainNameFaults),
  generateName: nameWith(({ path, value }) =>
    typeof value === "string" && isNameBeginning(value) ? [] : subdomainNameFaults({ path, value }),
  ),
  labels,
  annotations,
  ...Object.fromEntries(
    [
      ...["selfLink", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp"],
      ...["deletionGracePeriodSeconds", "ownerReferences", "finalizers", "managedFields"],
    ].map((field) => [field, elsewhere]),
  ),
};
const ofNamespace = object({ ...metadataFields, namespace: nameWith(labelNameFaults) });
/** The API server clears the namespace of a cluster-scoped object. */
const ofCluster = object({ ...metadataFields, namespace: elsewhere });

/** Faults around the spec of a policy: properties that no object has, and metadata. Unknown values may be valid. */
function faultsAroundSpec(
  { type, properties, inputs, origin }: Resource,
  { name: only }: PolicyKind,
): Fault[] {
  const stated = inputs ?? properties;
  const isOfStack = origin.urn !== undefined;
  // Pulumi and its provider add properties of their own. What is not known yet may turn out to be absent.
  const own = Object.entries(stated).filter(
    ([key, value]) => value !== UNKNOWN && (!isOfStack || !(key === "id" || key.startsWith("__"))),
  );
  const { metadata } = stated;
  const name = isMap(metadata) ? metadata.name : undefined;
  const shape = isClusterScoped(type) ? ofCluster : ofNamespace;
  return [
    ...unknownKeyFaults("", Object.fromEntries(own), OBJECT_KEYS),
    ...judgeShape(shape, { path: "metadata", value: metadata }, { isBuiltIn: true, isPatch: isPatch(type) })
      .faults,
    ...reportedFaults(only !== undefined && typeof name === "string" && name !== only ? [ANOTHER_NAME] : []),
  ];
}

const ANOTHER_NAME: Fault = {
  path: "metadata.name",
  problem: `is not ${BASELINE_NAME}`,
  remedy: `write ${BASELINE_NAME}`,
};

/** Why a policy is not judged. */
export const OTHER_VERSION = {
  path: "apiVersion",
  reason: "this package does not know the fields of this version",
};

const kindOf = (type: string): PolicyKind | undefined => KINDS.find(({ holds }) => holds(type));

/** Judges a policy. Undefined if this package does not know its API version. */
export const judgePolicy = onceForEach((policy: Resource): ShapeJudgement | undefined => {
  const { type, properties } = policy;
  const kind = kindOf(type);
  const [, spec] = Object.entries(kind?.specs ?? {}).find(([version]) => type.includes(`/${version}:`)) ?? [];
  if (!kind || !spec) return undefined;
  const reading = { isBuiltIn: kind.isBuiltIn ?? false, isPatch: isPatch(type) };
  const { faults, unknown } = judgeShape(spec, { path: "spec", value: properties.spec }, reading);
  return { faults: [...faultsAroundSpec(policy, kind), ...faults], unknown };
});

/**
 * The first fault because of which no rule of a policy may apply: an earlier version of the object may then be in force. Undefined if
 * there is none. What a cluster has stored is not refused. The rules of a version that this package does not know may mean anything.
 */
export const outOfForce = onceForEach((policy: Resource): { path: string; reason: string } | undefined => {
  const judgement = judgePolicy(policy);
  if (!judgement) return kindOf(policy.type) && OTHER_VERSION;
  const fault = judgement.faults.find(
    (one) => keepsOutOfForce(one) && (!isStored(policy) || one.code === POLICY_CODE.unapplied),
  );
  return fault && { path: fault.path, reason: consequenceOf(fault.code) };
});
