import {
  adminNetworkPolicyFilter,
  baselineFilter,
} from "../../../src/reachability/filters/adminNetworkPolicy";
import { allowedBy } from "../../../src/reachability/filters/decide";
import { Action } from "../../../src/reachability/filters/filter";
import type { PodEnd, PolicyEnd } from "../../../src/reachability/filters/policySelection";
import { Direction } from "../../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { differences, everyPacket, type SmallPacket } from "../smallUniverse";
import { SIXTEEN } from "./adminUniverse";

describe("what is not known of an admin policy is named", () => {
  const pod: PodEnd = {
    kind: "pod",
    namespace: "clusters-a",
    namespaceLabels: { labels: {}, complete: true },
    labels: { labels: {}, complete: true },
  };
  const outside: PolicyEnd = { kind: "addresses" };
  const policyOf = (spec: PropertyValue): Resource => ({
    origin: {},
    type: "kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy",
    name: "admin",
    properties: { spec },
  });
  const subject = { namespaces: {} };
  /** The places and reasons that the first clause of a policy names. */
  const named = (spec: PropertyValue, other: PolicyEnd, direction = Direction.Egress) =>
    adminNetworkPolicyFilter([policyOf(spec)], { direction, pod, other }).clauses[0]?.unknown.map(
      ({ path, reason }) => (reason === undefined ? path : `${path}: ${reason}`),
    );
  const to = (
    peer: PropertyValue,
    more: Record<string, PropertyValue> = {},
  ): Record<string, PropertyValue> => ({
    priority: 1,
    subject,
    egress: [{ action: "Allow", to: [peer], ...more }],
  });

  test.each<[string, PropertyValue, PolicyEnd, string[]]>([
    ["a rule", { priority: 1, subject, egress: [UNKNOWN] }, pod, ["spec.egress[0]"]],
    ["a peer", to(UNKNOWN), pod, ["spec.egress[0].to[0]"]],
    ["namespaces", to({ namespaces: UNKNOWN }), pod, ["spec.egress[0].to[0]"]],
    ["pods", to({ pods: UNKNOWN }), pod, ["spec.egress[0].to[0]"]],
    ["a network", to({ networks: ["10.0.0.0/8", UNKNOWN] }), outside, ["spec.egress[0].to[0].networks[1]"]],
    ["networks", to({ networks: UNKNOWN }), outside, ["spec.egress[0].to[0].networks"]],
    [
      "domain names",
      to({ domainNames: ["example.com"] }),
      outside,
      ["spec.egress[0].to[0]: the objects do not contain the addresses of this peer"],
    ],
    [
      "nodes",
      to({ nodes: {}, namespaces: null, pods: null, networks: null }),
      outside,
      ["spec.egress[0].to[0]: the objects do not contain the addresses of this peer"],
    ],
    [
      "a port",
      to({ namespaces: {} }, { ports: [{ portNumber: { protocol: "TCP", port: UNKNOWN } }] }),
      pod,
      ["spec.egress[0].ports[0]"],
    ],
    [
      "the end of a range",
      to({ namespaces: {} }, { ports: [{ portRange: { start: 1, end: UNKNOWN } }] }),
      pod,
      ["spec.egress[0].ports[0]"],
    ],
    [
      "a protocol",
      to({ namespaces: {} }, { ports: [{ portNumber: { protocol: UNKNOWN, port: 1 } }] }),
      pod,
      ["spec.egress[0].ports[0]"],
    ],
    [
      "a range that ends before it begins",
      to({ namespaces: {} }, { ports: [{ portRange: { start: 7, end: 1 } }] }),
      pod,
      ["spec.egress[0].ports[0]: the last port is before the first"],
    ],
    [
      "the ports of the pods",
      to({ namespaces: {} }, { ports: [{ namedPort: "api" }] }),
      pod,
      ["spec.egress[0].ports[0]: the number of the pods' port api is not known"],
    ],
    ["the subject", { ...to({ namespaces: {} }), subject: UNKNOWN }, pod, ["spec.subject"]],
    [
      "its namespaces",
      { ...to({ namespaces: {} }), subject: { namespaces: UNKNOWN } },
      pod,
      ["spec.subject"],
    ],
    ["its pods", { ...to({ namespaces: {} }), subject: { pods: UNKNOWN } }, pod, ["spec.subject"]],
    ["no subject at all", { ...to({ namespaces: {} }), subject: {} }, pod, ["spec.subject"]],
    [
      "the priority",
      { ...to({ namespaces: {} }), priority: UNKNOWN },
      pod,
      ["spec.priority: the order of policies with unknown or equal priorities is not defined"],
    ],
  ])("%s", (_, spec, other, expected) => {
    expect(named(spec, other)).toEqual(expected);
    const { sure, possible } = allowedBy([
      adminNetworkPolicyFilter([policyOf(spec)], { direction: Direction.Egress, pod, other }),
    ]);
    const packet = { source: 9, destination: 9, protocol: 6, port: 1 };
    expect(differences(sure, () => false, [packet])).toEqual([]);
    expect(differences(possible, () => true, [packet])).toEqual([]);
  });

  test("what is known of a policy is not named", () => {
    expect(named(to({ namespaces: {} }), pod)).toEqual([]);
    expect(named(to({ networks: ["10.0.0.0/24"] }), outside)).toEqual([]);
  });

  test.each<[string, PropertyValue]>([
    ["a number that is not known", { portNumber: { protocol: "TCP", port: UNKNOWN } }],
    ["a range whose end is not known", { portRange: { start: 1, end: UNKNOWN } }],
  ])("%s may be any port of its protocol, and surely is none of another one", (_, port) => {
    const spec = to({ namespaces: {} }, { action: "Deny", ports: [port] });
    const { sure, possible } = allowedBy([
      adminNetworkPolicyFilter([policyOf(spec)], { direction: Direction.Egress, pod, other: pod }),
      { clauses: [], otherwise: Action.Allow },
    ]);
    const isUdp = ({ protocol }: SmallPacket) => protocol === 17;
    expect(differences(sure, isUdp, everyPacket([9], [3]))).toEqual([]);
    expect(differences(possible, () => true, everyPacket([9], [3]))).toEqual([]);
  });

  test("a priority that OVN-Kubernetes does not have decides perhaps: it leaves such a policy unapplied", () => {
    const late = (priority: number) => ({ ...to({ namespaces: {} }), priority });
    expect(named(late(99), pod)).toEqual([]);
    expect(named(late(100), pod)).toEqual([
      "spec.priority: OVN-Kubernetes supports no priority above 99, and does not apply the policy",
    ]);
    const denied = allowedBy([
      adminNetworkPolicyFilter([policyOf(late(100))], { direction: Direction.Egress, pod, other: pod }),
      { clauses: [], otherwise: Action.Deny },
    ]);
    expect(differences(denied.sure, () => false, everyPacket([9], [3]))).toEqual([]);
    expect(differences(denied.possible, () => true, everyPacket([9], [3]))).toEqual([]);
  });

  test("a policy whose subject is not this pod has no say", () => {
    const elsewhere = { ...to({ namespaces: {} }), subject: { namespaces: { matchLabels: { team: "x" } } } };
    expect(named(elsewhere, pod)).toBeUndefined();
  });

  test("a port without protocol is TCP", () => {
    const spec = to({ networks: ["10.0.0.0/24"] }, { ports: [{ portNumber: { port: 7 } }] });
    const { sure } = allowedBy([
      adminNetworkPolicyFilter([policyOf(spec)], { direction: Direction.Egress, pod, other: outside }),
    ]);
    const isTcp7 = ({ protocol, port: number }: SmallPacket) => protocol === 6 && number === 7;
    expect(differences(sure, isTcp7, everyPacket([9], [3]))).toEqual([]);
  });

  test("a network is every address in it and no other", () => {
    const spec = to({ networks: ["10.0.0.4/30"] });
    const { sure, possible } = allowedBy([
      adminNetworkPolicyFilter([policyOf(spec)], { direction: Direction.Egress, pod, other: outside }),
    ]);
    const isInside = ({ destination }: SmallPacket) => destination >> 2 === 1;
    expect(differences(sure, isInside, everyPacket([9], SIXTEEN))).toEqual([]);
    expect(differences(possible, () => true, everyPacket([9], SIXTEEN))).toEqual([]);
  });
});

describe("what is not known of a ClusterNetworkPolicy is named", () => {
  const pod: PodEnd = {
    kind: "pod",
    namespace: "clusters-a",
    namespaceLabels: { labels: {}, complete: true },
    labels: { labels: {}, complete: true },
    ports: [{ name: "api", protocol: "TCP", port: 6443 }],
  };
  const view = { direction: Direction.Egress, pod, other: pod };
  const object = (kind: string, version: string, spec: PropertyValue): Resource => ({
    origin: {},
    type: `kubernetes:policy.networking.k8s.io/${version}:${kind}`,
    name: kind,
    properties: { spec },
  });
  const everybody = { namespaces: {} };
  const clusterPolicy = (rule: Record<string, PropertyValue>, more: Record<string, PropertyValue> = {}) =>
    object("ClusterNetworkPolicy", "v1beta1", {
      tier: "Admin",
      priority: 1,
      subject: everybody,
      egress: [{ action: "Deny", to: [everybody], ...rule }],
      ...more,
    });
  const older = (rule: Record<string, PropertyValue>, priority = 1) =>
    object("AdminNetworkPolicy", "v1alpha1", {
      priority,
      subject: everybody,
      egress: [{ action: "Allow", to: [everybody], ...rule }],
    });
  const named = (policies: readonly Resource[], filter = adminNetworkPolicyFilter) =>
    filter(policies, view).clauses.map(({ unknown }) =>
      unknown.map(({ path, reason }) => (reason === undefined ? path : `${path}: ${reason}`)),
    );
  const PROTOCOL = "spec.egress[0].protocols[0]";

  test.each<[string, PropertyValue, string[]]>([
    ["a number", { tcp: { destinationPort: { number: 80 } } }, []],
    ["a range", { udp: { destinationPort: { range: { start: 1, end: 2 } } } }, []],
    ["a name that the pod has", { destinationNamedPort: "api" }, []],
    ["a protocol", UNKNOWN, [PROTOCOL]],
    ["its port", { tcp: UNKNOWN }, [PROTOCOL]],
    ["no port at all", { tcp: {} }, [PROTOCOL]],
    ["the number", { tcp: { destinationPort: { number: UNKNOWN } } }, [PROTOCOL]],
    ["the end of a range", { tcp: { destinationPort: { range: { start: 1, end: UNKNOWN } } } }, [PROTOCOL]],
    ["the name", { destinationNamedPort: UNKNOWN }, [PROTOCOL]],
    ["a protocol of a later version", { icmp: {} }, [PROTOCOL]],
  ])("%s", (_, protocol, expected) => {
    expect(named([clusterPolicy({ protocols: [protocol] })])).toEqual([expected]);
  });

  test("ports of the older version restrict nothing, nor do protocols in it", () => {
    const port = { ports: [{ portNumber: { protocol: "TCP", port: 80 } }] };
    const [clause] = adminNetworkPolicyFilter([clusterPolicy(port)], view).clauses;
    expect(clause!.sure).toEqual(adminNetworkPolicyFilter([clusterPolicy({})], view).clauses[0]!.sure);
  });

  test("the word of the other version may do anything", () => {
    const actions = (policy: Resource) => adminNetworkPolicyFilter([policy], view).clauses[0]!.actions.length;
    expect(actions(clusterPolicy({ action: "Accept" }))).toBe(1);
    expect(actions(clusterPolicy({ action: "Allow" }))).toBe(3);
    expect(actions(older({ action: "Accept" }))).toBe(3);
  });

  test("a tier that is not known may be either, and another one is not this one", () => {
    const doubtful = [clusterPolicy({}, { tier: UNKNOWN })];
    expect(named(doubtful)).toEqual([["spec.tier"]]);
    expect(named(doubtful, baselineFilter)).toEqual([["spec.tier"]]);
    expect(named([clusterPolicy({})], baselineFilter)).toEqual([]);
    expect(named([clusterPolicy({}, { tier: "Baseline" })])).toEqual([]);
  });

  test("beside an AdminNetworkPolicy it decides only on what that one leaves", () => {
    const tcp = (port: number) => ({ protocols: [{ tcp: { destinationPort: { number: port } } }] });
    const ports = (port: number) => ({ ports: [{ portNumber: { protocol: "TCP", port } }] });
    const reason = "spec.priority: the order of this policy and a policy of another kind is not defined";
    expect(named([clusterPolicy(tcp(1)), older(ports(2))])).toEqual([[], []]);
    const meeting = [clusterPolicy(tcp(1)), older(ports(1), 5)];
    expect(named(meeting)).toEqual([[reason], [reason]]);
    const { sure, possible } = allowedBy([adminNetworkPolicyFilter(meeting, view)]);
    const packet = { source: 9, destination: 9, protocol: 6, port: 1 };
    expect(differences(sure, () => false, [packet])).toEqual([]);
    expect(differences(possible, () => true, [packet])).toEqual([]);
  });
});
