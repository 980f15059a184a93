import { LIMIT } from "./limits";
import type { ObjectForm, ValueDemand } from "./hostedCluster/forms";
import { Protocol } from "./vocabulary";

/** What may stand at one place of a network policy, and below it. */
export interface Shape extends Omit<ValueDemand, "type"> {
  /** `port` is the number of a port or its name, `selector` selects by labels. */
  type: ValueDemand["type"] | "port" | "selector";
  /** Whether what holds it cannot do without it. */
  required?: boolean;
  /** The properties of an object: there are no others. */
  fields?: Readonly<Record<string, Shape>>;
  /** The entries of a list. */
  entries?: Shape;
  /** What the properties of an object demand of each other. */
  relations?: readonly Relation[];
  /** True where another rule speaks of the value, `cidr-invalid` of blocks. */
  isElsewhere?: true;
}

/** What properties demand of each other. */
export enum Relation {
  /** `endPort` is the last port of a range, and `port` its first. */
  EndPort = "end port",
  /** Addresses stand by themselves: pods are selected in an entry of their own. */
  BlockAlone = "block alone",
  /** `start` comes before `end`, or is the same port. */
  StartUpToEnd = "start up to end",
  /** `start` comes before `end`. */
  StartBeforeEnd = "start before end",
  /** Ports by name are those of pods. */
  NamedPorts = "named ports",
  /** Domain names are there to let packets pass. */
  DomainNames = "domain names",
}

const PROTOCOLS = [Protocol.Tcp, Protocol.Udp, Protocol.Sctp];

const upTo = (max: number) => ({ min: 0, max });
const from1To = (max: number) => ({ min: 1, max });
const some = from1To(Number.MAX_SAFE_INTEGER);
const text = (more: Partial<Shape> = {}): Shape => ({ type: "text", ...more });
const list = (entries: Shape, more: Partial<Shape> = {}): Shape => ({ type: "list", entries, ...more });
const object = (fields: Readonly<Record<string, Shape>>, more: Partial<Shape> = {}): Shape => ({
  type: "object",
  fields,
  ...more,
});
/** An object that says one of several things. */
const oneOf = (fields: Readonly<Record<string, Shape>>, more: Partial<Shape> = {}): Shape =>
  object(fields, { size: from1To(1), remedy: `write one of ${Object.keys(fields).join(", ")}`, ...more });
const needed = (shape: Shape): Shape => ({ ...shape, required: true });

const selector: Shape = { type: "selector" };
const port: Shape = { type: "number", range: LIMIT.port };

const policyPort = object(
  { protocol: text({ words: PROTOCOLS }), port: { type: "port" }, endPort: port },
  { relations: [Relation.EndPort] },
);
const block = text({ isElsewhere: true });
const policyPeer = object(
  {
    podSelector: selector,
    namespaceSelector: selector,
    ipBlock: object({ cidr: needed(block), except: list(block) }),
  },
  {
    size: some,
    relations: [Relation.BlockAlone],
    remedy:
      "write podSelector, namespaceSelector or both, or ipBlock; to mean everybody, leave the whole list out",
  },
);
const policyRules = (ends: "from" | "to") =>
  list(object({ [ends]: list(policyPeer), ports: list(policyPort) }));

/** The spec of a NetworkPolicy. */
export const networkPolicyShape: Shape = object({
  podSelector: selector,
  policyTypes: list(text({ words: ["Ingress", "Egress"] }), { size: upTo(LIMIT.policyTypes) }),
  ingress: policyRules("from"),
  egress: policyRules("to"),
});

/** What differs between the cluster's policies of both versions of the API. */
interface Dialect {
  actions: readonly string[];
  /** Rules of a direction, and peers and services of a rule. */
  most: number;
  services: "ports" | "protocols";
  service: Shape;
  /** Whether pods are selected in namespaces that a selector of their own says. */
  needsNamespaces: boolean;
  takesDomains: boolean;
}

/** As loose as the definitions: brackets and underscores pass for letters. */
const DOMAIN =
  /^(\*\.)?([a-zA-z0-9]([-a-zA-Z0-9_]*[a-zA-Z0-9])?\.)+[a-zA-z0-9]([-a-zA-Z0-9_]*[a-zA-Z0-9])?\.?$/;
const domain: ObjectForm = {
  matches: (name) => DOMAIN.test(name),
  name: "a domain name",
  remedy: "write labels joined by dots, at most with *. before them: *.example.com",
};

const namespacedPods = (isNeeded: boolean): Shape =>
  object({ namespaceSelector: { ...selector, required: isNeeded }, podSelector: needed(selector) });

function peers({ needsNamespaces, takesDomains }: Dialect, isEgress: boolean): Shape {
  const names = (entry: Shape): Shape =>
    list(entry, { size: from1To(LIMIT.adminPolicyNames), distinct: true });
  return oneOf({
    namespaces: selector,
    pods: namespacedPods(needsNamespaces),
    ...(isEgress && { nodes: selector, networks: names(block) }),
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
      { relations: [Relation.NamedPorts, ...(takesDomains ? [Relation.DomainNames] : [])] },
    ),
    { size: upTo(most) },
  );
}

const adminShape = (dialect: Dialect, more: Readonly<Record<string, Shape>> = {}): Shape =>
  object(
    {
      ...more,
      subject: needed(oneOf({ namespaces: selector, pods: namespacedPods(dialect.needsNamespaces) })),
      ingress: adminRules(dialect, "from"),
      egress: adminRules(dialect, "to"),
    },
    { required: true },
  );

const { min: first, max: last } = LIMIT.adminPolicyPriority;
const priority = needed({ type: "number", range: { min: first, max: last } });

const range = (relation: Relation, more: Readonly<Record<string, Shape>> = {}) =>
  object({ ...more, start: needed(port), end: needed(port) }, { relations: [relation] });
const protocol = text({ words: PROTOCOLS });
const admin: Dialect = {
  actions: ["Allow", "Deny", "Pass"],
  most: LIMIT.adminPolicyEntries,
  services: "ports",
  service: oneOf({
    portNumber: object({ protocol, port: needed(port) }),
    portRange: range(Relation.StartUpToEnd, { protocol }),
    namedPort: text(),
  }),
  needsNamespaces: true,
  takesDomains: true,
};

/** The spec of an AdminNetworkPolicy, version v1alpha1. */
export const adminNetworkPolicyShape = adminShape(admin, { priority });

/** The spec of a BaselineAdminNetworkPolicy, version v1alpha1. */
export const baselineAdminNetworkPolicyShape = adminShape({
  ...admin,
  actions: ["Allow", "Deny"],
  takesDomains: false,
});

/** The only name of a BaselineAdminNetworkPolicy. */
export const BASELINE_NAME = "default";

const transport = object(
  { destinationPort: oneOf({ number: port, range: range(Relation.StartBeforeEnd) }) },
  { size: some },
);

/** The spec of a ClusterNetworkPolicy, version v1alpha2. */
export const clusterNetworkPolicyShape = adminShape(
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
