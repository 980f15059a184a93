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
import { STORED } from "./passing";

describe("the unknown values of an AdminNetworkPolicy", () => {
  const pod: PodEnd = {
    kind: "pod",
    namespace: "clusters-a",
    namespaceLabels: { labels: {}, complete: true },
    labels: { labels: {}, complete: true },
  };
  const outside: PolicyEnd = { kind: "addresses" };
  const policyOf = (spec: PropertyValue): Resource => ({
    origin: STORED,
    type: "kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy",
    name: "admin",
    properties: { spec },
  });
  const subject = { namespaces: {} };
  /** The paths and reasons that the first clause of a policy names. */
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
    ["an unknown rule", { priority: 1, subject, egress: [UNKNOWN] }, pod, ["spec.egress[0]"]],
    ["an unknown peer", to(UNKNOWN), pod, ["spec.egress[0].to[0]"]],
    ["unknown namespaces", to({ namespaces: UNKNOWN }), pod, ["spec.egress[0].to[0]"]],
    ["unknown pods", to({ pods: UNKNOWN }), pod, ["spec.egress[0].to[0]"]],
    [
      "an unknown network",
      to({ networks: ["10.0.0.0/8", UNKNOWN] }),
      outside,
      ["spec.egress[0].to[0].networks[1]"],
    ],
    ["unknown networks", to({ networks: UNKNOWN }), outside, ["spec.egress[0].to[0].networks"]],
    [
      "domain names, whose addresses the objects do not contain",
      to({ domainNames: ["example.com"] }),
      outside,
      ["spec.egress[0].to[0]: the objects do not contain the addresses of this peer"],
    ],
    [
      "nodes, whose addresses the objects do not contain",
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
      "a range that ends before it starts",
      to({ namespaces: {} }, { ports: [{ portRange: { start: 7, end: 1 } }] }),
      pod,
      ["spec.egress[0].ports[0]: the last port is before the first"],
    ],
    [
      "a named port of pods whose ports are unknown",
      to({ namespaces: {} }, { ports: [{ namedPort: "api" }] }),
      pod,
      ["spec.egress[0].ports[0]: the number of the pods' port api is not known"],
    ],
    ["an unknown subject", { ...to({ namespaces: {} }), subject: UNKNOWN }, pod, ["spec.subject"]],
    [
      "unknown namespaces of the subject",
      { ...to({ namespaces: {} }), subject: { namespaces: UNKNOWN } },
      pod,
      ["spec.subject"],
    ],
    [
      "unknown pods of the subject",
      { ...to({ namespaces: {} }), subject: { pods: UNKNOWN } },
      pod,
      ["spec.subject"],
    ],
    ["an empty subject", { ...to({ namespaces: {} }), subject: {} }, pod, ["spec.subject"]],
    [
      "an unknown priority",
      { ...to({ namespaces: {} }), priority: UNKNOWN },
      pod,
      ["spec.priority: the order of policies with unknown or equal priorities is not defined"],
    ],
  ])("include %s", (_, spec, other, expected) => {
    expect(named(spec, other)).toEqual(expected);
    const { sure, possible } = allowedBy([
      adminNetworkPolicyFilter([policyOf(spec)], { direction: Direction.Egress, pod, other }),
    ]);
    const packet = { source: 9, destination: 9, protocol: 6, port: 1 };
    expect(differences(sure, () => false, [packet])).toEqual([]);
    expect(differences(possible, () => true, [packet])).toEqual([]);
  });

  test("are none if everything is known", () => {
    expect(named(to({ namespaces: {} }), pod)).toEqual([]);
    expect(named(to({ networks: ["10.0.0.0/24"] }), outside)).toEqual([]);
  });

  test.each<[string, PropertyValue]>([
    ["an unknown number", { portNumber: { protocol: "TCP", port: UNKNOWN } }],
    ["a range with an unknown end", { portRange: { start: 1, end: UNKNOWN } }],
  ])("include %s, which may be any port of its protocol and no other", (_, port) => {
    const spec = to({ namespaces: {} }, { action: "Deny", ports: [port] });
    const { sure, possible } = allowedBy([
      adminNetworkPolicyFilter([policyOf(spec)], { direction: Direction.Egress, pod, other: pod }),
      { clauses: [], otherwise: Action.Allow },
    ]);
    const isUdp = ({ protocol }: SmallPacket) => protocol === 17;
    expect(differences(sure, isUdp, everyPacket([9], [3]))).toEqual([]);
    expect(differences(possible, () => true, everyPacket([9], [3]))).toEqual([]);
  });

  test("include a priority above 99, for which OVN-Kubernetes does not apply the policy", () => {
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

  test("exclude policies that do not apply to the pod", () => {
    const elsewhere = { ...to({ namespaces: {} }), subject: { namespaces: { matchLabels: { team: "x" } } } };
    expect(named(elsewhere, pod)).toBeUndefined();
  });

  test("do not include a missing protocol, which means TCP", () => {
    const spec = to({ networks: ["10.0.0.0/24"] }, { ports: [{ portNumber: { port: 7 } }] });
    const { sure } = allowedBy([
      adminNetworkPolicyFilter([policyOf(spec)], { direction: Direction.Egress, pod, other: outside }),
    ]);
    const isTcp7 = ({ protocol, port: number }: SmallPacket) => protocol === 6 && number === 7;
    expect(differences(sure, isTcp7, everyPacket([9], [3]))).toEqual([]);
  });

  test("do not include a known network, which is every address in it and no other", () => {
    const spec = to({ networks: ["10.0.0.4/30"] });
    const { sure, possible } = allowedBy([
      adminNetworkPolicyFilter([policyOf(spec)], { direction: Direction.Egress, pod, other: outside }),
    ]);
    const isInside = ({ destination }: SmallPacket) => destination >> 2 === 1;
    expect(differences(sure, isInside, everyPacket([9], SIXTEEN))).toEqual([]);
    expect(differences(possible, () => true, everyPacket([9], SIXTEEN))).toEqual([]);
  });
});

describe("the unknown values of a ClusterNetworkPolicy", () => {
  const pod: PodEnd = {
    kind: "pod",
    namespace: "clusters-a",
    namespaceLabels: { labels: {}, complete: true },
    labels: { labels: {}, complete: true },
    ports: [{ name: "api", protocol: "TCP", port: 6443 }],
  };
  const view = { direction: Direction.Egress, pod, other: pod };
  const object = (kind: string, version: string, spec: PropertyValue): Resource => ({
    origin: STORED,
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
    ["a known number", { tcp: { destinationPort: { number: 80 } } }, []],
    ["a known range", { udp: { destinationPort: { range: { start: 1, end: 2 } } } }, []],
    ["a named port that the pod has", { destinationNamedPort: "api" }, []],
    ["an unknown protocol", UNKNOWN, [PROTOCOL]],
    ["an unknown port", { tcp: UNKNOWN }, [PROTOCOL]],
    ["a missing port", { tcp: {} }, [PROTOCOL]],
    ["an unknown number", { tcp: { destinationPort: { number: UNKNOWN } } }, [PROTOCOL]],
    ["the end of a range", { tcp: { destinationPort: { range: { start: 1, end: UNKNOWN } } } }, [PROTOCOL]],
    ["an unknown name", { destinationNamedPort: UNKNOWN }, [PROTOCOL]],
    ["a protocol of a later version", { icmp: {} }, [PROTOCOL]],
  ])("are named if they decide: %s", (_, protocol, expected) => {
    expect(named([clusterPolicy({ protocols: [protocol] })])).toEqual([expected]);
  });

  test("exclude ports in the form of an AdminNetworkPolicy, which restrict nothing", () => {
    const port = { ports: [{ portNumber: { protocol: "TCP", port: 80 } }] };
    const [clause] = adminNetworkPolicyFilter([clusterPolicy(port)], view).clauses;
    expect(clause!.sure).toEqual(adminNetworkPolicyFilter([clusterPolicy({})], view).clauses[0]!.sure);
  });

  test("include the action if it belongs to the other API version", () => {
    const actions = (policy: Resource) => adminNetworkPolicyFilter([policy], view).clauses[0]!.actions.length;
    expect(actions(clusterPolicy({ action: "Accept" }))).toBe(1);
    expect(actions(clusterPolicy({ action: "Allow" }))).toBe(3);
    expect(actions(older({ action: "Accept" }))).toBe(3);
  });

  test("include an unknown tier, which may be either tier", () => {
    const doubtful = [clusterPolicy({}, { tier: UNKNOWN })];
    expect(named(doubtful)).toEqual([["spec.tier"]]);
    expect(named(doubtful, baselineFilter)).toEqual([["spec.tier"]]);
    expect(named([clusterPolicy({})], baselineFilter)).toEqual([]);
    expect(named([clusterPolicy({}, { tier: "Baseline" })])).toEqual([]);
  });

  test("include the priority if an AdminNetworkPolicy matches the same packets", () => {
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
