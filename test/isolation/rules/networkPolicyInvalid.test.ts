import { shapeFaults } from "../../../src/objects/shape";
import { additionalPolicies } from "../../../src/isolation/additional";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { rules } from "../../../src/rules";
import { Level, Status } from "../../../src/gate/rule";
import { judge, resource, unknowns, violations } from "../../rules/builders";
import { changed } from "../../rules/refusals/objects";
import {
  judgedPolicy,
  policiesTaken,
  policyKinds,
  policyRefusals,
  policyWith,
  type PolicyKind,
} from "../../rules/refusals/policies";

const ruleOf = (id: string) => rules.find((rule) => rule.id === id)!;
const rule = ruleOf("network-policy-invalid");
/** An object of a file: Pulumi generates no name for it. */
const inFile = (one: Resource): Resource => ({ ...one, origin: { file: "policy.yaml", line: 1 } });
const policy = (kind: PolicyKind, change: object): Resource =>
  inFile(judgedPolicy(policyWith(kind, change as Readonly<Record<string, unknown>>)));
const said = (one: Resource) =>
  violations(rule, [one]).map(({ path, message, fix }) => `${path} ${message}, ${fix}`);

describe("a policy that the API server refuses, or that cannot be applied", () => {
  test.each(policyRefusals)("is found: $kind: $fact", ({ kind, change, rule: id, path, isWarning }) => {
    const found = violations(ruleOf(id), [policy(kind, change)]);
    const wanted = { path, level: isWarning ? Level.Warning : Level.Error };
    expect(found.map((one) => ({ path: one.path, level: one.level }))).toContainEqual(wanted);
  });

  test.each(policyRefusals)("is reported once: $kind: $fact", ({ kind, change }) => {
    const found = rules
      .flatMap((one) => judge(one, [policy(kind, change)]))
      .filter(({ status, path }) => status === Status.Violated && path !== "");
    const places = found.map(({ path }) => path);
    expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([]);
  });

  test("is listed once in policyRefusals", () => {
    const keys = policyRefusals.map(({ kind, fact }) => `${kind} ${fact}`);
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });
});

test.each(policiesTaken)("no fault is found in an accepted policy: $kind, $what", ({ kind, change }) => {
  const found = rules.flatMap((one) => judge(one, [policy(kind, change)]));
  expect(found).toEqual([]);
});

describe("a finding states the path, the value, the consequence and the fix", () => {
  const ports = (...entries: unknown[]) =>
    policy("NetworkPolicy", { spec: { ingress: [{ ports: entries }] } });

  const selecting = (namespaces: object) =>
    policy("AdminNetworkPolicy", { spec: { subject: { namespaces } } });
  const adminPorts = (portNumber: object) =>
    policy("AdminNetworkPolicy", {
      spec: { ingress: [{ action: "Deny", from: [{ namespaces: {} }], ports: [{ portNumber }] }] },
    });

  test.each([
    [
      ports({ port: 90, endPort: 80 }),
      "spec.ingress[0].ports[0].endPort 80 is before port 90: the API server refuses the policy, swap the two",
    ],
    [
      ports({ protocol: "TCPX" }),
      'spec.ingress[0].ports[0].protocol "TCPX" is not one of TCP, UDP, SCTP: the API server refuses the policy, did you mean TCP?',
    ],
    [
      ports({ port: "80" }),
      'spec.ingress[0].ports[0].port "80" is a string, and not a port name: the API server refuses the policy, write 80 without quotes',
    ],
    [
      ports({ port: "web" }, { protocol: "UDP", port: 53 }),
      'spec.ingress[0].ports[0].port "web" is a name, and OVN-Kubernetes reads only numbers: without a numeric port, every TCP port is allowed, write the number of the port',
    ],
    [
      ports({ protocol: "UDP", port: 53 }, { protocol: "UDP", port: "dns" }),
      'spec.ingress[0].ports[1].port "dns" is a name, and OVN-Kubernetes reads only numbers: only the numeric ports of the rule are allowed, write the number of the port',
    ],
    [
      ports({ protocol: UNKNOWN, port: "web" }),
      'spec.ingress[0].ports[0].port "web" is a name, and OVN-Kubernetes reads only numbers: without a numeric port, every port of its protocol is allowed, write the number of the port',
    ],
    [
      policy("NetworkPolicy", { spec: { ingress: [{ form: [] }] } }),
      "spec.ingress[0].form no such property: the API server refuses the policy, the properties are from, ports",
    ],
    [
      policy("AdminNetworkPolicy", { spec: { priority: 1001 } }),
      "spec.priority 1001 is not from 0 to 1000: the API server refuses the policy, write a whole number from 0 to 1000",
    ],
    [
      policy("AdminNetworkPolicy", { spec: { priority: 100 } }),
      "spec.priority 100 is after 99, the last priority that OVN-Kubernetes has: it does not apply the policy, write a whole number from 0 to 99",
    ],
    [
      policy("BaselineAdminNetworkPolicy", { metadata: { name: "mine" } }),
      'metadata.name "mine" is not default: the API server refuses the policy, write default: a cluster has one baseline, and this is its name',
    ],
    [
      policy("ClusterNetworkPolicy", { spec: { subject: { pods: { podSelector: {} } } } }),
      "spec.subject has namespaces and pods, and the API accepts 1: the API server refuses the policy, write one of namespaces, pods",
    ],
    [
      policy("NetworkPolicy", {
        spec: { podSelector: { matchExpressions: [{ key: "a", operator: "in" }] } },
      }),
      'spec.podSelector.matchExpressions[0].operator "in" is not In, NotIn, Exists or DoesNotExist: the API server refuses the policy, write In',
    ],
    [
      selecting({ matchExpressions: [{ key: "a", operator: "in" }] }),
      'spec.subject.namespaces.matchExpressions[0].operator "in" is not In, NotIn, Exists or DoesNotExist: a policy with such a selector is not applied, write In',
    ],
    [
      selecting({ matchLabels: { tier: "a b" } }),
      'spec.subject.namespaces.matchLabels.tier "a b" is not a label value: a policy with such a selector is not applied, write a string of at most 63 letters, digits, hyphens, dots and underscores, in quotes',
    ],
    [
      selecting({ matchLabels: { tier: 1 } }),
      "spec.subject.namespaces.matchLabels.tier 1 is not a label value: the API server refuses the policy, write a string of at most 63 letters, digits, hyphens, dots and underscores, in quotes",
    ],
    [
      selecting({ matchExpressions: [{ key: "a" }] }),
      "spec.subject.namespaces.matchExpressions[0].operator missing: the API server refuses the policy, write In, NotIn, Exists or DoesNotExist",
    ],
    [
      selecting({ matchlabels: { a: "b" } }),
      "spec.subject.namespaces.matchlabels no such property: the API server refuses the policy, did you mean matchLabels?",
    ],
    [
      adminPorts({ protocol: "ICMP", port: 8 }),
      'spec.ingress[0].ports[0].portNumber.protocol "ICMP" is not one of TCP, UDP, SCTP: the API server accepts it, but OVN-Kubernetes cannot match it: the rule has no effect, write one of TCP, UDP, SCTP',
    ],
    [
      adminPorts({ protocol: 6, port: 8 }),
      "spec.ingress[0].ports[0].portNumber.protocol 6 is not a string: the API server refuses the policy, write one of TCP, UDP, SCTP",
    ],
    [
      policy("NetworkPolicy", { Spec: {} }),
      "Spec no such property: the API server refuses the policy, did you mean spec?",
    ],
    [
      policy("NetworkPolicy", { metadata: { annotations: { "a b": "c" } } }),
      'metadata.annotations.a b "a b" is not the key of an annotation: the API server refuses the policy, write name or prefix.example.com/name',
    ],
    [
      policy("AdminNetworkPolicy", {
        spec: { ingress: [{ name: "a".repeat(101), action: "Deny", from: [{ namespaces: {} }] }] },
      }),
      "spec.ingress[0].name has 101 characters, and at most 100 are allowed: the API server refuses the policy, write at most 100 characters",
    ],
  ])("%#", (one, text) => expect(said(one)).toEqual([text]));
});

describe("unknown values", () => {
  const at = (change: object, kind: PolicyKind = "NetworkPolicy") => {
    const one = policy(kind, change);
    return {
      violated: violations(rule, [one]).map(({ path }) => path),
      unknown: unknowns(rule, [one]).map(({ message }) => message.replace(/^\S+ \S+: /, "")),
    };
  };

  it("are reported as unknown with their paths, and are no violation", () => {
    const rule = {
      from: [{ podSelector: UNKNOWN, ipBlock: { cidr: "10.0.0.0/8" } }, UNKNOWN],
      ports: [
        { port: UNKNOWN, endPort: 80, protocol: UNKNOWN },
        { port: 90, endPort: UNKNOWN },
      ],
    };
    expect(at({ spec: { ingress: [rule] } })).toEqual({
      violated: [],
      unknown: [
        "spec.ingress[0].from[0].podSelector",
        "spec.ingress[0].from[1]",
        "spec.ingress[0].ports[0].protocol",
        "spec.ingress[0].ports[0].port",
        "spec.ingress[0].ports[1].endPort",
      ],
    });
  });

  it("do not hide faults next to them", () => {
    const change = { spec: { podSelector: UNKNOWN, policyTypes: [UNKNOWN, "Outward"] } };
    expect(at(change)).toEqual({
      violated: ["spec.policyTypes[1]"],
      unknown: ["spec.podSelector"].concat("spec.policyTypes[0]"),
    });
  });

  it("in a union count as possibly absent", () => {
    const subject = { namespaces: {}, pods: UNKNOWN };
    expect(at({ spec: { subject } }, "AdminNetworkPolicy")).toEqual({
      violated: [],
      unknown: ["spec.subject.pods"],
    });
  });

  it("in an ipBlock are left to the rule cidr-invalid", () => {
    const from = [{ ipBlock: { cidr: UNKNOWN, except: [UNKNOWN] } }];
    expect(at({ spec: { ingress: [{ from }] } })).toEqual({ violated: [], unknown: [] });
  });

  it.each(policyKinds)("may be the whole spec of a %s", (kind) => {
    expect(at({ spec: UNKNOWN }, kind)).toEqual({ violated: [], unknown: ["spec"] });
  });

  it("may be the name of a baseline", () => {
    expect(at({ metadata: { name: UNKNOWN } }, "BaselineAdminNetworkPolicy")).toEqual({
      violated: [],
      unknown: ["metadata.name"],
    });
  });

  it("include the whole policy if its API version is not known", () => {
    const later = policyWith("ClusterNetworkPolicy", {
      apiVersion: "policy.networking.k8s.io/v1",
      spec: "x",
    });
    expect(violations(rule, [judgedPolicy(later)])).toEqual([]);
    expect(unknowns(rule, [judgedPolicy(later)]).map(({ path }) => path)).toEqual(["apiVersion"]);
  });
});

test.each(["v1alpha2", "v1beta1"])("a ClusterNetworkPolicy %s has the same fields", (version) => {
  const apiVersion = `policy.networking.k8s.io/${version}`;
  expect(said(policy("ClusterNetworkPolicy", { apiVersion }))).toEqual([]);
  expect(said(policy("ClusterNetworkPolicy", { apiVersion, spec: { tier: "Top" } }))).toEqual([
    expect.stringContaining("spec.tier"),
  ]);
});

test.each([
  ["_x.example.com", false],
  ["^a.example.com", false],
  ["a.[b", false],
  ["*.example.com", true],
  ["A1.x_y.com.", true],
])(
  "ClusterNetworkPolicy v1beta1 takes fewer domain names than the versions before it: %s",
  (name, isTaken) => {
    const found = said(
      policy("ClusterNetworkPolicy", {
        apiVersion: "policy.networking.k8s.io/v1beta1",
        spec: { egress: [{ action: "Accept", to: [{ domainNames: [name] }] }] },
      }),
    );
    const wrong = expect.stringContaining("spec.egress[0].to[0].domainNames[0]") as string;
    expect(found).toEqual(isTaken ? [] : [wrong]);
  },
);

describe("a policy whose name Pulumi generates", () => {
  const unnamed = (kind: PolicyKind) => judgedPolicy(policyWith(kind, { metadata: { name: null } }));

  it("needs no name in its metadata", () => expect(said(unnamed("NetworkPolicy"))).toEqual([]));
  it("cannot be a baseline, whose name must be default", () =>
    expect(said(unnamed("BaselineAdminNetworkPolicy"))).toEqual([
      expect.stringContaining("metadata.name missing"),
    ]));
});

test.each(policyKinds)("what a stored object has around its spec is no fault: %s", (kind) => {
  const stored = {
    status: {},
    metadata: {
      creationTimestamp: "2026-01-01T00:00:00Z",
      generation: 1,
      managedFields: [],
      ownerReferences: [],
      finalizers: [],
      resourceVersion: "1",
      uid: "a",
    },
  };
  expect(said(policy(kind, stored))).toEqual([]);
});

test("what Pulumi and its provider add to an object is no fault", () => {
  const { properties, ...others } = judgedPolicy(policyWith("NetworkPolicy", {}));
  const outputs = {
    ...properties,
    id: "clusters/shop",
    __fieldManager: "pulumi",
    __initialApiVersion: "v1",
    __inputs: {},
  };
  const urn = "urn:pulumi:test::network::kubernetes:networking.k8s.io/v1:NetworkPolicy::shop";
  const stated = { ...others, origin: { urn } };
  expect(said({ ...stated, properties: outputs })).toEqual([]);
  expect(said({ ...stated, properties: outputs, inputs: properties })).toEqual([]);
  expect(said({ ...stated, properties: outputs, inputs: { ...properties, Spec: {} } })).toEqual([
    expect.stringContaining("Spec no such property"),
  ]);
});

describe("a patch", () => {
  const patch = (kind: PolicyKind, spec: PropertyValue) =>
    resource(`kubernetes:${policyWith(kind, {}).apiVersion as string}:${kind}Patch`, "patched", {
      metadata: { name: "default" },
      spec,
    });

  it("may omit fields that the complete policy must have", () => {
    expect(said(patch("AdminNetworkPolicy", { ingress: [] }))).toEqual([]);
    expect(said(patch("AdminNetworkPolicy", { subject: {} }))).toEqual([]);
  });

  it("must have complete entries in its lists", () => {
    expect(said(patch("AdminNetworkPolicy", { ingress: [{ action: "Deny" }] }))).toEqual([
      expect.stringContaining("spec.ingress[0].from missing"),
    ]);
  });
});

/** ControlPlaneIsolation checks additional policies in the same way. */
test.each([
  ["a port of 0", { ports: [{ protocol: "TCP", port: 0 }] }],
  ["a last port before the first", { ports: [{ protocol: "TCP", port: 90, endPort: 80 }] }],
  ["only a last port", { ports: [{ protocol: "TCP", endPort: 80 }] }],
  ["a protocol that does not exist", { ports: [{ protocol: "TCPX", port: 80 }] }],
  ["an empty peer", { peers: [{}] }],
  ["both addresses and pods", { peers: [{ cidr: "10.0.0.0/8", pods: {} }] }],
  ["In without values", { peers: [{ pods: { matchExpressions: [{ key: "a", operator: "In" }] } }] }],
  ["an exception outside the block", { peers: [{ cidr: "10.0.0.0/8", except: ["192.168.0.0/16"] }] }],
])("an additional policy is refused for %s", (_, ingress) => {
  const own = changed({}, { mine: { purpose: "x", ingress: [ingress] } });
  expect(shapeFaults(additionalPolicies, { path: "additionalPolicies", value: own })).toHaveLength(1);
});
