import type { PropertyValue, Resource } from "../../../src/resources/resource";
import { resource, type Properties } from "../builders";
import { changed, type Change } from "./objects";

export type PolicyKind =
  "NetworkPolicy" | "AdminNetworkPolicy" | "BaselineAdminNetworkPolicy" | "ClusterNetworkPolicy";

/** A policy that is rejected, or accepted although it cannot be applied. */
export interface PolicyRefusal {
  kind: PolicyKind;
  fact: string;
  /** What rejects it: the API server immediately, others after they accepted it. */
  by: "API server" | "others";
  /** The change of an accepted policy. */
  change: Change;
  rule: "network-policy-invalid" | "cidr-invalid";
  /** The path of the finding. */
  path: string;
  /** Whether it is only a warning. */
  isWarning?: true;
}

const API = "policy.networking.k8s.io";
const everything = { namespaces: {} };
const pods = { pods: { namespaceSelector: {}, podSelector: { matchLabels: { app: "shop" } } } };

/** Policies that the API server accepts. */
const valid: Readonly<Record<PolicyKind, Properties>> = {
  NetworkPolicy: {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "shop", namespace: "clusters" },
    spec: { podSelector: {}, ingress: [{}] },
  },
  AdminNetworkPolicy: {
    apiVersion: `${API}/v1alpha1`,
    kind: "AdminNetworkPolicy",
    metadata: { name: "shop" },
    spec: { priority: 10, subject: everything, ingress: [{ action: "Allow", from: [everything] }] },
  },
  BaselineAdminNetworkPolicy: {
    apiVersion: `${API}/v1alpha1`,
    kind: "BaselineAdminNetworkPolicy",
    metadata: { name: "default" },
    spec: { subject: everything, ingress: [{ action: "Deny", from: [everything] }] },
  },
  ClusterNetworkPolicy: {
    apiVersion: `${API}/v1alpha2`,
    kind: "ClusterNetworkPolicy",
    metadata: { name: "shop" },
    spec: {
      tier: "Admin",
      priority: 10,
      subject: everything,
      ingress: [{ action: "Accept", from: [everything] }],
    },
  },
};

export const policyKinds = Object.keys(valid) as PolicyKind[];

export const policyWith = (kind: PolicyKind, change: Change): Properties =>
  changed(valid[kind], change) as Properties;

/** The resource that rules judge. */
export const judgedPolicy = (object: Properties): Resource => {
  const { name } = object.metadata as { name?: PropertyValue };
  const own = typeof name === "string" ? name : "shop";
  return resource(`kubernetes:${object.apiVersion as string}:${object.kind as string}`, own, object);
};

const many = <T>(count: number, of: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => of(at));
const long = (length: number) => "a".repeat(length);

type Row = readonly [fact: string, change: Change, path: string, more?: Partial<PolicyRefusal>];
const rows = (kind: PolicyKind, list: readonly Row[]): PolicyRefusal[] =>
  list.map(([fact, change, path, more]) => ({
    kind,
    fact,
    by: "API server",
    change,
    rule: "network-policy-invalid",
    path,
    ...more,
  }));
const later = { by: "others" } as const;
const cidr = { rule: "cidr-invalid" } as const;

const spec = (more: Change): Change => ({ spec: more });
const ingress = (rule: unknown): Change => spec({ ingress: [rule] });
const egress = (rule: unknown): Change => spec({ egress: [rule] });
const from = (...peers: unknown[]): Change => ingress({ from: peers });
const ports = (...entries: unknown[]): Change => ingress({ ports: entries });
const matching = (...matchExpressions: unknown[]): Change => spec({ podSelector: { matchExpressions } });
const RULE = "spec.ingress[0]";
const SELECTOR = "spec.podSelector";
const OUT = "spec.egress[0]";

const names: Row[] = [
  ["a name with capitals", { metadata: { name: "Shop" } }, "metadata.name"],
  ["a name of more than 253 characters", { metadata: { name: long(254) } }, "metadata.name"],
  ["no name", { metadata: { name: null } }, "metadata.name"],
];

/** Faults around the spec, which every kind of policy can have. */
const around: Row[] = [
  ["a property beside the spec", { Spec: {} }, "Spec"],
  ["rules beside the spec", { ingress: [] }, "ingress"],
  ["a property of the metadata that does not exist", { metadata: { label: {} } }, "metadata.label"],
  ["a label of the policy with a blank", { metadata: { labels: { app: "a b" } } }, "metadata.labels.app"],
  ["a label key of the policy with a blank", { metadata: { labels: { "x y": "a" } } }, "metadata.labels.x y"],
  [
    "an annotation key with a blank",
    { metadata: { annotations: { "a b": "c" } } },
    "metadata.annotations.a b",
  ],
  ["a number as an annotation", { metadata: { annotations: { a: 1 } } }, "metadata.annotations.a"],
];

const ofNamespaces = rows("NetworkPolicy", [
  ...names,
  ...around,
  ["a text in the place of the spec", { spec: "all" }, "spec"],
  ["a property that does not exist", spec({ ingres: [] }), "spec.ingres"],
  ["a property of a rule that does not exist", ingress({ form: [] }), `${RULE}.form`],
  ["peers of the other direction", ingress({ to: [{ podSelector: {} }] }), `${RULE}.to`],
  ["a text in the place of the rules", spec({ ingress: "all" }), "spec.ingress"],
  ["a text in the place of a rule", ingress("all"), RULE],
  ["a text in the place of the peers", ingress({ from: "all" }), `${RULE}.from`],
  ["an empty peer", from({}), `${RULE}.from[0]`],
  ["a peer that is null", from(null), `${RULE}.from[0]`],
  ["a peer with null selectors", from({ podSelector: null, namespaceSelector: null }), `${RULE}.from[0]`],
  [
    "an address beside a selector of pods",
    from({ podSelector: {}, ipBlock: { cidr: "10.0.0.0/8" } }),
    `${RULE}.from[0]`,
  ],
  [
    "an address beside a selector of namespaces",
    egress({ to: [{ namespaceSelector: {}, ipBlock: { cidr: "10.0.0.0/8" } }] }),
    `${OUT}.to[0]`,
  ],
  ["an address without cidr", from({ ipBlock: {} }), `${RULE}.from[0].ipBlock.cidr`],
  ["exceptions without cidr", from({ ipBlock: { except: ["10.0.0.0/24"] } }), `${RULE}.from[0].ipBlock.cidr`],
  ["a text in the place of an address", from({ ipBlock: "10.0.0.0/8" }), `${RULE}.from[0].ipBlock`],
  [
    "a text in the place of the exceptions",
    from({ ipBlock: { cidr: "10.0.0.0/8", except: "10.1.0.0/16" } }),
    `${RULE}.from[0].ipBlock.except`,
  ],
  ["an empty cidr", from({ ipBlock: { cidr: "" } }), `${RULE}.from[0].ipBlock.cidr`, cidr],
  [
    "an address without a mask",
    from({ ipBlock: { cidr: "10.0.0.1" } }),
    `${RULE}.from[0].ipBlock.cidr`,
    cidr,
  ],
  [
    "an exception that is no block",
    from({ ipBlock: { cidr: "10.0.0.0/8", except: ["all"] } }),
    `${RULE}.from[0].ipBlock.except[0]`,
    cidr,
  ],
  [
    "an exception outside the block",
    from({ ipBlock: { cidr: "10.0.0.0/8", except: ["192.168.0.0/16"] } }),
    `${RULE}.from[0].ipBlock.except[0]`,
    cidr,
  ],
  [
    "an exception that is the whole block",
    from({ ipBlock: { cidr: "10.0.0.0/8", except: ["10.0.0.0/8"] } }),
    `${RULE}.from[0].ipBlock.except[0]`,
    cidr,
  ],
  [
    "an exception of the other family",
    from({ ipBlock: { cidr: "10.0.0.0/8", except: ["fd00::/64"] } }),
    `${RULE}.from[0].ipBlock.except[0]`,
    cidr,
  ],
  [
    "an exception that is null",
    from({ ipBlock: { cidr: "10.0.0.0/8", except: [null] } }),
    `${RULE}.from[0].ipBlock.except[0]`,
  ],
  ["a protocol that does not exist", ports({ protocol: "TCPX" }), `${RULE}.ports[0].protocol`],
  ["a protocol in small letters", ports({ protocol: "tcp", port: 80 }), `${RULE}.ports[0].protocol`],
  ["a protocol without ports", ports({ protocol: "ICMP" }), `${RULE}.ports[0].protocol`],
  ["an empty protocol", ports({ protocol: "" }), `${RULE}.ports[0].protocol`],
  ["port 0", ports({ port: 0 }), `${RULE}.ports[0].port`],
  ["port 65536", ports({ port: 65536 }), `${RULE}.ports[0].port`],
  ["a port below zero", ports({ port: -1 }), `${RULE}.ports[0].port`],
  ["a port in quotes", ports({ port: "80" }), `${RULE}.ports[0].port`],
  ["a port by its name", ports({ port: "web-1" }), `${RULE}.ports[0].port`, { ...later, isWarning: true }],
  ["an empty port name", ports({ port: "" }), `${RULE}.ports[0].port`],
  ["a port name with capitals", ports({ port: "Web" }), `${RULE}.ports[0].port`],
  ["a port name with two hyphens", ports({ port: "we--b" }), `${RULE}.ports[0].port`],
  ["a port name with a hyphen at the end", ports({ port: "web-" }), `${RULE}.ports[0].port`],
  ["a port name of more than 15 characters", ports({ port: long(16) }), `${RULE}.ports[0].port`],
  ["a port that is a truth value", ports({ port: true }), `${RULE}.ports[0].port`],
  ["a port with a fraction", ports({ port: 80.5 }), `${RULE}.ports[0].port`],
  ["a last port before the first", ports({ port: 90, endPort: 80 }), `${RULE}.ports[0].endPort`],
  ["only a last port", ports({ endPort: 80 }), `${RULE}.ports[0].endPort`],
  ["a last port beside a name", ports({ port: "web", endPort: 80 }), `${RULE}.ports[0].endPort`],
  ["a last port of 65536", ports({ port: 80, endPort: 65536 }), `${RULE}.ports[0].endPort`],
  ["a last port of 0", ports({ port: 80, endPort: 0 }), `${RULE}.ports[0].endPort`],
  ["a last port in quotes", ports({ port: 80, endPort: "90" }), `${RULE}.ports[0].endPort`],
  ["a number in the place of a port", ports(80), `${RULE}.ports[0]`],
  ["a number in the place of the ports", ingress({ ports: 80 }), `${RULE}.ports`],
  ["a direction that does not exist", spec({ policyTypes: ["Ingres"] }), "spec.policyTypes[0]"],
  ["a direction in small letters", spec({ policyTypes: ["ingress"] }), "spec.policyTypes[0]"],
  ["a direction that is null", spec({ policyTypes: [null] }), "spec.policyTypes[0]"],
  ["three directions", spec({ policyTypes: ["Ingress", "Egress", "Ingress"] }), "spec.policyTypes"],
  ["a text in the place of the directions", spec({ policyTypes: "Ingress" }), "spec.policyTypes"],
  ["In without values", matching({ key: "app", operator: "In" }), `${SELECTOR}.matchExpressions[0].values`],
  [
    "NotIn with an empty list of values",
    matching({ key: "app", operator: "NotIn", values: [] }),
    `${SELECTOR}.matchExpressions[0].values`,
  ],
  [
    "Exists with values",
    matching({ key: "app", operator: "Exists", values: ["a"] }),
    `${SELECTOR}.matchExpressions[0].values`,
  ],
  [
    "an operator that does not exist",
    matching({ key: "app", operator: "Is", values: ["a"] }),
    `${SELECTOR}.matchExpressions[0].operator`,
  ],
  ["no operator", matching({ key: "app" }), `${SELECTOR}.matchExpressions[0].operator`],
  ["a demand without a key", matching({ operator: "Exists" }), `${SELECTOR}.matchExpressions[0].key`],
  ["a demand that is null", matching(null), `${SELECTOR}.matchExpressions[0].key`],
  ["a key with a blank", matching({ key: "a b", operator: "Exists" }), `${SELECTOR}.matchExpressions[0].key`],
  [
    "a value with a blank",
    matching({ key: "app", operator: "In", values: ["a b"] }),
    `${SELECTOR}.matchExpressions[0].values[0]`,
  ],
  [
    "a label of more than 63 characters",
    from({ podSelector: { matchLabels: { app: long(64) } } }),
    `${RULE}.from[0].podSelector.matchLabels.app`,
  ],
  [
    "a label key with two slashes",
    from({ podSelector: { matchLabels: { "a/b/c": "" } } }),
    `${RULE}.from[0].podSelector.matchLabels.a/b/c`,
  ],
  [
    "a number as a label",
    from({ podSelector: { matchLabels: { app: 1 } } }),
    `${RULE}.from[0].podSelector.matchLabels.app`,
  ],
  [
    "a property of a selector that does not exist",
    from({ podSelector: { matchLabel: {} } }),
    `${RULE}.from[0].podSelector.matchLabel`,
  ],
  ["a text in the place of a selector", spec({ podSelector: "app=shop" }), SELECTOR],
]);

/** Faults for which both API versions reject a policy of the cluster. */
function ofCluster(kind: PolicyKind): PolicyRefusal[] {
  const isNewer = kind === "ClusterNetworkPolicy";
  const most = isNewer ? 25 : 100;
  const action = isNewer ? "Accept" : "Allow";
  const other = isNewer ? "Allow" : "Accept";
  const rule = (more: object = {}): Change => ingress({ action, from: [everything], ...more });
  const out = (more: object): Change => egress({ action, to: [everything], ...more });
  const to = (...peers: unknown[]): Change => out({ to: peers });
  const named = isNewer
    ? { protocols: [{ destinationNamedPort: "web" }] }
    : { ports: [{ namedPort: "web" }] };
  const namedPath = isNewer ? "protocols[0].destinationNamedPort" : "ports[0].namedPort";
  const services = isNewer ? "protocols" : "ports";
  return rows(kind, [
    ...names.filter(([fact]) => fact === "no name" || kind !== "BaselineAdminNetworkPolicy"),
    ...around,
    ["no spec", { spec: null }, "spec"],
    ["no subject", spec({ subject: null }), "spec.subject"],
    ["an empty subject", spec({ subject: { namespaces: null } }), "spec.subject"],
    ["two subjects", spec({ subject: { ...everything, ...pods } }), "spec.subject"],
    [
      "pods without a selector",
      spec({ subject: { namespaces: null, pods: { namespaceSelector: {} } } }),
      "spec.subject.pods.podSelector",
    ],
    ["a property that does not exist", spec({ ingres: [] }), "spec.ingres"],
    ["no action", rule({ action: undefined }), `${RULE}.action`],
    ["an action of the other version", rule({ action: other }), `${RULE}.action`],
    ["an action in small letters", rule({ action: "deny" }), `${RULE}.action`],
    ["no peers", ingress({ action }), `${RULE}.from`],
    ["an empty list of peers", rule({ from: [] }), `${RULE}.from`],
    ["a peer that is null", rule({ from: [null] }), `${RULE}.from[0]`],
    ["an empty peer", rule({ from: [{}] }), `${RULE}.from[0]`],
    ["pods and namespaces in one peer", rule({ from: [{ ...everything, ...pods }] }), `${RULE}.from[0]`],
    ["addresses as a source", rule({ from: [{ networks: ["10.0.0.0/8"] }] }), `${RULE}.from[0].networks`],
    [`${most + 1} peers`, rule({ from: many(most + 1, () => everything) }), `${RULE}.from`],
    [
      `${most + 1} rules`,
      spec({ ingress: many(most + 1, () => ({ action, from: [everything] })) }),
      "spec.ingress",
    ],
    ["a name of a rule with 101 characters", rule({ name: long(101) }), `${RULE}.name`],
    ["a number as the name of a rule", rule({ name: 5 }), `${RULE}.name`],
    [`an empty list of ${services}`, rule({ [services]: [] }), `${RULE}.${services}`],
    [`an empty entry of ${services}`, rule({ [services]: [{}] }), `${RULE}.${services}[0]`],
    ["no networks", to({ networks: [] }), `${OUT}.to[0].networks`],
    ["26 networks", to({ networks: many(26, (at) => `10.${at}.0.0/16`) }), `${OUT}.to[0].networks`],
    ["a network twice", to({ networks: ["10.0.0.0/8", "10.0.0.0/8"] }), `${OUT}.to[0].networks`],
    ["an empty network", to({ networks: [""] }), `${OUT}.to[0].networks[0]`, cidr],
    ["a network that is null", to({ networks: [null] }), `${OUT}.to[0].networks[0]`],
    ["a network without a mask", to({ networks: ["10.0.0.1"] }), `${OUT}.to[0].networks[0]`, cidr],
    ["a network with leading zeros", to({ networks: ["010.0.0.0/8"] }), `${OUT}.to[0].networks[0]`, cidr],
    ["IPv4 inside IPv6", to({ networks: ["::ffff:10.0.0.0/104"] }), `${OUT}.to[0].networks[0]`, cidr],
    [
      "a port by name beside networks",
      out({ to: [{ networks: ["10.0.0.0/8"] }], ...named }),
      `${OUT}.${namedPath}`,
    ],
    [
      "a port by name beside nodes",
      out({ to: [everything, { nodes: {} }], ...named }),
      `${OUT}.${namedPath}`,
    ],
    [
      "an operator that does not exist",
      spec({ subject: { namespaces: { matchExpressions: [{ key: "a", operator: "Is" }] } } }),
      "spec.subject.namespaces.matchExpressions[0].operator",
      later,
    ],
    [
      "In without values",
      rule({ from: [{ namespaces: { matchExpressions: [{ key: "a", operator: "In" }] } }] }),
      `${RULE}.from[0].namespaces.matchExpressions[0].values`,
      later,
    ],
    [
      "a label with a blank",
      rule({ from: [{ namespaces: { matchLabels: { a: "b c" } } }] }),
      `${RULE}.from[0].namespaces.matchLabels.a`,
      later,
    ],
    [
      "a demand without an operator",
      to({ nodes: { matchExpressions: [{ key: "a" }] } }),
      `${OUT}.to[0].nodes.matchExpressions[0].operator`,
    ],
    [
      "a demand that is null",
      to({ nodes: { matchExpressions: [null] } }),
      `${OUT}.to[0].nodes.matchExpressions[0]`,
    ],
    ["a number as a label", to({ nodes: { matchLabels: { a: 1 } } }), `${OUT}.to[0].nodes.matchLabels.a`],
    ...(isNewer || kind === "AdminNetworkPolicy" ? ofPriorities(action, to) : []),
  ]);
}

/** Faults that only policies with a priority can have. */
const ofPriorities = (action: string, to: (...peers: unknown[]) => Change): Row[] => [
  ["no priority", spec({ priority: null }), "spec.priority"],
  ["priority 1001", spec({ priority: 1001 }), "spec.priority"],
  ["a priority below zero", spec({ priority: -1 }), "spec.priority"],
  ["a priority in quotes", spec({ priority: "10" }), "spec.priority"],
  ["no domain names", to({ domainNames: [] }), `${OUT}.to[0].domainNames`],
  [
    "26 domain names",
    to({ domainNames: many(26, (at) => `a${at}.example.com`) }),
    `${OUT}.to[0].domainNames`,
  ],
  ["a domain name twice", to({ domainNames: ["a.com", "a.com"] }), `${OUT}.to[0].domainNames`],
  ["a domain name of one label", to({ domainNames: ["localhost"] }), `${OUT}.to[0].domainNames[0]`],
  ["a star in a domain name", to({ domainNames: ["a.*.com"] }), `${OUT}.to[0].domainNames[0]`],
  [
    "a domain name that is denied",
    egress({ action: "Deny", to: [{ domainNames: ["a.com"] }] }),
    `${OUT}.to[0].domainNames`,
    later,
  ],
  [
    "a port by name beside domain names",
    egress({
      action,
      to: [{ domainNames: ["a.com"] }],
      ...(action === "Accept"
        ? { protocols: [{ destinationNamedPort: "web" }] }
        : { ports: [{ namedPort: "web" }] }),
    }),
    action === "Accept" ? `${OUT}.protocols[0].destinationNamedPort` : `${OUT}.ports[0].namedPort`,
  ],
];

/** Port faults of the older API version, for both of its kinds. */
function ofOlder(kind: PolicyKind): PolicyRefusal[] {
  const withPorts = (...entries: unknown[]): Change =>
    ingress({ action: "Allow", from: [everything], ports: entries });
  const PORT = `${RULE}.ports[0]`;
  return rows(kind, [
    ["101 ports", withPorts(...many(101, () => ({ portNumber: { port: 80 } }))), `${RULE}.ports`],
    ["two kinds of ports at once", withPorts({ namedPort: "web", portNumber: { port: 80 } }), PORT],
    ["no number", withPorts({ portNumber: {} }), `${PORT}.portNumber.port`],
    ["port 0", withPorts({ portNumber: { port: 0 } }), `${PORT}.portNumber.port`],
    ["port 65536", withPorts({ portRange: { start: 1, end: 65536 } }), `${PORT}.portRange.end`],
    ["a range without an end", withPorts({ portRange: { start: 1 } }), `${PORT}.portRange.end`],
    ["a port as in a NetworkPolicy", withPorts({ port: 80 }), `${PORT}.port`],
    [
      "a range from the last to the first",
      withPorts({ portRange: { start: 90, end: 80 } }),
      `${PORT}.portRange`,
      later,
    ],
    [
      "a protocol that does not exist",
      withPorts({ portNumber: { port: 80, protocol: "TCPX" } }),
      `${PORT}.portNumber.protocol`,
      later,
    ],
    [
      "pods without namespaces",
      ingress({ action: "Allow", from: [{ pods: { podSelector: {} } }] }),
      `${RULE}.from[0].pods.namespaceSelector`,
    ],
  ]);
}

const protocols = (...entries: unknown[]): Change =>
  ingress({ action: "Accept", from: [everything], protocols: entries });
const PROTOCOL = `${RULE}.protocols[0]`;
const range = (start: number, end: number) => ({ tcp: { destinationPort: { range: { start, end } } } });

/** Every form of a policy that is rejected or cannot be applied. */
export const policyRefusals: readonly PolicyRefusal[] = [
  ...ofNamespaces,
  ...ofCluster("AdminNetworkPolicy"),
  ...ofOlder("AdminNetworkPolicy"),
  ...ofCluster("BaselineAdminNetworkPolicy"),
  ...ofOlder("BaselineAdminNetworkPolicy"),
  ...ofCluster("ClusterNetworkPolicy"),
  ...rows("AdminNetworkPolicy", [
    [
      "a priority that OVN-Kubernetes lacks",
      spec({ priority: 100 }),
      "spec.priority",
      { ...later, isWarning: true },
    ],
    ["a tier", spec({ tier: "Admin" }), "spec.tier"],
  ]),
  ...rows("BaselineAdminNetworkPolicy", [
    ["another name", { metadata: { name: "baseline" } }, "metadata.name"],
    [
      "a name that the API server makes up",
      { metadata: { name: null, generateName: "default" } },
      "metadata.name",
    ],
    ["a priority", spec({ priority: 10 }), "spec.priority"],
    ["Pass", ingress({ action: "Pass", from: [everything] }), `${RULE}.action`],
    [
      "domain names",
      egress({ action: "Deny", to: [{ domainNames: ["a.com"] }] }),
      `${OUT}.to[0].domainNames`,
    ],
  ]),
  ...rows("ClusterNetworkPolicy", [
    ["no tier", spec({ tier: null }), "spec.tier"],
    ["a tier that does not exist", spec({ tier: "NetworkPolicy" }), "spec.tier"],
    [
      "ports of the older version",
      ingress({ action: "Accept", from: [everything], ports: [{ namedPort: "web" }] }),
      `${RULE}.ports`,
    ],
    ["26 protocols", protocols(...many(26, () => ({ destinationNamedPort: "web" }))), `${RULE}.protocols`],
    ["two protocols at once", protocols({ ...range(1, 2), destinationNamedPort: "web" }), PROTOCOL],
    ["an empty protocol", protocols({ tcp: {} }), `${PROTOCOL}.tcp`],
    [
      "a protocol without a port",
      protocols({ udp: { destinationPort: {} } }),
      `${PROTOCOL}.udp.destinationPort`,
    ],
    ["a protocol that does not exist", protocols({ icmp: {} }), `${PROTOCOL}.icmp`],
    [
      "port 0",
      protocols({ sctp: { destinationPort: { number: 0 } } }),
      `${PROTOCOL}.sctp.destinationPort.number`,
    ],
    ["a range from the last to the first", protocols(range(90, 80)), `${PROTOCOL}.tcp.destinationPort.range`],
    ["a range of one port", protocols(range(80, 80)), `${PROTOCOL}.tcp.destinationPort.range`],
    [
      "a range without a beginning",
      protocols({ tcp: { destinationPort: { range: { end: 2 } } } }),
      `${PROTOCOL}.tcp.destinationPort.range.start`,
    ],
  ]),
];

/** Policies that are accepted and applied. */
export const policiesTaken: readonly { kind: PolicyKind; what: string; change: Change }[] = [
  ...policyKinds.flatMap((kind) => [
    { kind, what: "the smallest one", change: {} },
    {
      kind,
      what: "labels and annotations",
      change: {
        metadata: {
          labels: { "example.com/app": "a", b: "" },
          annotations: { "Example.com/a": "any text at all", c: "" },
        },
      },
    },
  ]),
  ...(
    [
      ["no spec", { spec: null }],
      ["no selector of pods", spec({ podSelector: null })],
      ["both directions", spec({ policyTypes: ["Ingress", "Egress"], egress: [] })],
      ["a direction twice", spec({ policyTypes: ["Ingress", "Ingress"] })],
      ["no direction", spec({ policyTypes: [] })],
      ["rules that are empty lists", spec({ ingress: [], egress: [{ to: [], ports: [] }] })],
      ["a rule that is null", spec({ ingress: [null] })],
      ["a port that is null", ingress({ ports: [null] })],
      ["a null property", ingress({ from: null, ports: [{ port: 80, endPort: null, protocol: null }] })],
      ["a label that is null", from({ podSelector: { matchLabels: { app: null } } })],
      ["a value that is null", matching({ key: "app", operator: "In", values: [null] })],
      [
        "every kind of peers",
        from(
          { podSelector: {} },
          { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "a" } }, podSelector: {} },
          { ipBlock: { cidr: "0.0.0.0/0", except: ["10.0.0.0/8", "192.168.0.0/16"] } },
          { ipBlock: { cidr: "fd00::/8", except: [] } },
          { ipBlock: { cidr: "10.0.0.0/8", except: null } },
        ),
      ],
      [
        "every kind of ports",
        ports({}, { protocol: "SCTP" }, { port: 1 }, { protocol: "UDP", port: 65535, endPort: 65535 }),
      ],
      [
        "every operator",
        matching(
          { key: "a", operator: "In", values: [""] },
          { key: "example.com/b", operator: "NotIn", values: ["x_1.y", "z"] },
          { key: "c", operator: "Exists" },
          { key: "d", operator: "DoesNotExist", values: [] },
        ),
      ],
      [
        "a selector that nothing matches",
        matching({ key: "a", operator: "Exists" }, { key: "a", operator: "DoesNotExist" }),
      ],
      ["a name with dots", { metadata: { name: "shop.v1" } }],
      ["a name that the API server makes up", { metadata: { name: null, generateName: "shop-" } }],
    ] as const
  ).map(([what, change]) => ({ kind: "NetworkPolicy" as const, what, change })),
  ...(["AdminNetworkPolicy", "BaselineAdminNetworkPolicy"] as const).flatMap((kind) => [
    {
      kind,
      what: "every kind of ports",
      change: ingress({
        name: "é".repeat(100),
        action: "Allow",
        from: [everything, pods],
        ports: [
          { portNumber: { port: 80 } },
          { portNumber: { port: 80, protocol: "UDP" } },
          { portRange: { start: 80, end: 90 } },
          { portRange: { start: 80, end: 80, protocol: "SCTP" } },
          { namedPort: "web" },
        ],
      }),
    },
    {
      kind,
      what: "every kind of peers",
      change: egress({
        action: "Deny",
        to: [pods, { nodes: { matchLabels: { a: "b" } } }, { networks: ["10.0.0.0/8", "fd00::/8"] }],
      }),
    },
    {
      kind,
      what: "a name of a rule of 100 characters beyond the basic plane",
      change: ingress({ name: "😀".repeat(100), action: "Deny", from: [everything] }),
    },
    { kind, what: "no rules", change: spec({ ingress: null }) },
    {
      kind,
      what: "a null property",
      change: spec({ egress: [{ action: "Deny", to: [everything], ports: null }] }),
    },
  ]),
  {
    kind: "AdminNetworkPolicy",
    what: "domain names",
    change: egress({ action: "Allow", to: [{ domainNames: ["*.example.com", "a.example.com."] }] }),
  },
  { kind: "AdminNetworkPolicy", what: "the last priority of OVN-Kubernetes", change: spec({ priority: 99 }) },
  { kind: "AdminNetworkPolicy", what: "priority 0", change: spec({ priority: 0 }) },
  {
    kind: "ClusterNetworkPolicy",
    what: "every kind of protocols",
    change: ingress({
      action: "Accept",
      from: [{ pods: { podSelector: {} } }],
      protocols: [
        { tcp: { destinationPort: { number: 80 } } },
        { udp: { destinationPort: { range: { start: 1, end: 2 } } } },
        { sctp: { destinationPort: { number: 1 } } },
        { destinationNamedPort: "web" },
      ],
    }),
  },
  {
    kind: "ClusterNetworkPolicy",
    what: "an underscore in a domain name of version v1alpha2",
    change: egress({ action: "Accept", to: [{ domainNames: ["_x.example.com"] }] }),
  },
  {
    kind: "ClusterNetworkPolicy",
    what: "the baseline tier",
    change: spec({ tier: "Baseline", priority: 1000 }),
  },
];
