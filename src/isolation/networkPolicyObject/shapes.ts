import { unreadableSelectorFaults } from "../../objects/labelSelector";
import { portFaults, portNameFaults, shownText } from "../../objects/places";
import {
  elsewhere,
  judgeShape,
  type Fields,
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
  type ShapeJudgement,
  text,
} from "../../objects/shape";
import type { ObjectForm } from "../../requirements/hostedCluster/forms";
import { LIMIT } from "../../requirements/limits";
import { Protocol } from "../../requirements/vocabulary";
import { isList, isMap, unknownPlaces } from "../../resources/read";
import type { PropertyValue, Resource } from "../../resources/resource";
import {
  isAdminNetworkPolicy,
  isBaselineAdminNetworkPolicy,
  isClusterNetworkPolicy,
  isNetworkPolicy,
  isPatch,
} from "../../resources/resourceTypes";
import {
  blockAlone,
  domainNames,
  endPortFaults,
  namedPorts,
  POLICY_CODE,
  portNames,
  startBeforeEnd,
  startUpToEnd,
} from "./relations";

const PROTOCOLS = [Protocol.Tcp, Protocol.Udp, Protocol.Sctp];

const upTo = (max: number) => ({ min: 0, max });
const from1To = (max: number) => ({ min: 1, max });
const selector: Shape = {
  judge(into, { path, value }, reading) {
    const stored = withoutNulls(value, reading);
    for (const unknown of unknownPlaces(stored, path)) into.unknown.push(unknown);
    for (const fault of unreadableSelectorFaults({ path, value: stored }))
      into.faults.push(reading.isBuiltIn ? fault : { ...fault, code: POLICY_CODE.unapplied });
  },
  howTo: "write a label selector: {} selects everything",
  zero: {},
};
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
    ipBlock: object({ cidr: needed(elsewhere, "write a CIDR block"), except: list(elsewhere) }),
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
  takesDomains: boolean;
}

/** As loose as in the CRDs: the range `A-z` also accepts brackets and underscores. */
const DOMAIN =
  /^(\*\.)?([a-zA-z0-9]([-a-zA-Z0-9_]*[a-zA-Z0-9])?\.)+[a-zA-z0-9]([-a-zA-Z0-9_]*[a-zA-Z0-9])?\.?$/;
const domain: ObjectForm = {
  matches: (name) => DOMAIN.test(name),
  name: "a domain name",
  remedy: "write a domain name, optionally with a leading wildcard: *.example.com",
};

const namespacedPods = (isNeeded: boolean): Shape =>
  object({ namespaceSelector: isNeeded ? needed(selector) : selector, podSelector: needed(selector) });

function peers({ needsNamespaces, takesDomains }: Dialect, isEgress: boolean): Shape {
  const names = (entry: Shape): Shape =>
    list(entry, { size: from1To(LIMIT.adminPolicyNames), distinct: true });
  return oneOf({
    namespaces: selector,
    pods: namespacedPods(needsNamespaces),
    ...(isEgress && { nodes: selector, networks: names(elsewhere) }),
    ...(isEgress && takesDomains && { domainNames: names(text({ form: domain })) }),
  });
}

function adminRules(dialect: Dialect, ends: "from" | "to"): Shape {
  const { actions, most, services, service, takesDomains } = dialect;
  return list(
    object(
      {
        name: text({ size: upTo(LIMIT.adminPolicyNameLength) }),
        action: needed(text({ words: actions })),
        [ends]: needed(list(peers(dialect, ends === "to"), { size: from1To(most) })),
        [services]: list(service, { size: from1To(most) }),
      },
      { relations: [namedPorts, ...(takesDomains ? [domainNames] : [])] },
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
const protocol = text({ words: PROTOCOLS });
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
  takesDomains: true,
};

/** The shape of the spec of an AdminNetworkPolicy, version v1alpha1. */
const adminNetworkPolicyShape = adminShape(admin, { priority });

/** The shape of the spec of a BaselineAdminNetworkPolicy, version v1alpha1. */
const baselineAdminNetworkPolicyShape = adminShape({
  ...admin,
  actions: ["Allow", "Deny"],
  takesDomains: false,
});

/** The only name that a BaselineAdminNetworkPolicy can have. */
export const BASELINE_NAME = "default";

const transport = object(
  { destinationPort: oneOf({ number: port, range: range(startBeforeEnd) }) },
  { size: ONE_AT_LEAST },
);

/** The shape of the spec of a ClusterNetworkPolicy, versions v1alpha2 and v1beta1. */
const clusterNetworkPolicyShape = adminShape(
  {
    actions: ["Accept", "Deny", "Pass"],
    most: LIMIT.clusterPolicyEntries,
    services: "protocols",
    service: oneOf({ tcp: transport, udp: transport, sctp: transport, destinationNamedPort: text() }),
    needsNamespaces: false,
    takesDomains: true,
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

/** A kind of policies, and the versions of its API that this package knows. */
interface PolicyKind {
  holds: (type: string) => boolean;
  versions: readonly string[];
  spec: Shape;
  isBuiltIn?: true;
}

const KINDS: readonly PolicyKind[] = [
  { holds: isNetworkPolicy, versions: ["v1"], spec: networkPolicyShape, isBuiltIn: true },
  { holds: isAdminNetworkPolicy, versions: ["v1alpha1"], spec: adminNetworkPolicyShape },
  { holds: isBaselineAdminNetworkPolicy, versions: ["v1alpha1"], spec: baselineAdminNetworkPolicyShape },
  { holds: isClusterNetworkPolicy, versions: ["v1alpha2", "v1beta1"], spec: clusterNetworkPolicyShape },
];

/** Judges the spec of a policy. Undefined if this package does not know its API version. */
export function judgePolicy({ type, properties }: Resource): ShapeJudgement | undefined {
  const kind = KINDS.find(({ holds }) => holds(type));
  if (!kind?.versions.some((version) => type.includes(`/${version}:`))) return undefined;
  const { spec, isBuiltIn = false } = kind;
  return judgeShape(spec, { path: "spec", value: properties.spec }, { isBuiltIn, isPatch: isPatch(type) });
}
