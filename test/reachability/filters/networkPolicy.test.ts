import fc from "fast-check";
import {
  adminNetworkPolicyFilter,
  baselineFilter,
} from "../../../src/reachability/filters/adminNetworkPolicy";
import { allowedBy } from "../../../src/reachability/filters/decide";
import { networkPolicyFilter } from "../../../src/reachability/filters/networkPolicy";
import type { KnownLabels } from "../../../src/resources/kubernetesObject";
import type { PodEnd, PolicyEnd } from "../../../src/reachability/filters/policySelection";
import { contains, isEmpty, packets, type PacketSet } from "../../../src/reachability/packets/packetSet";
import { service } from "../../../src/reachability/packets/service";
import { Action } from "../../../src/reachability/filters/filter";
import { Direction } from "../../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { EVERY_ADDRESS, address, differences, everyPacket, prefix, type SmallPacket } from "../smallUniverse";
import { STORED } from "./passing";

const object = (kind: string, spec: PropertyValue, namespace = "clusters-a", name = "policy"): Resource => ({
  origin: STORED,
  type: `kubernetes:${kind}`,
  name,
  properties: { metadata: { name, namespace }, spec },
});
const policy = (spec: PropertyValue, namespace?: string) =>
  object("networking.k8s.io/v1:NetworkPolicy", spec, namespace);

const all = (labels: Record<string, string>): KnownLabels => ({ labels, complete: true });
const pod = (labels: Record<string, string> = {}, more: Partial<PodEnd> = {}): PodEnd => ({
  kind: "pod",
  namespace: "clusters-a",
  namespaceLabels: all({ "kubernetes.io/metadata.name": "clusters-a" }),
  labels: all(labels),
  ports: [],
  ...more,
});
const outside: PolicyEnd = { kind: "addresses" };

/** Whether policies allow ingress to a pod at one port: yes, no or perhaps. */
function ingress(policies: readonly Resource[], to: PodEnd, other: PolicyEnd, port = 6443, protocol = 6) {
  const view = { direction: Direction.Ingress, pod: to, other };
  return answer(allowedBy([networkPolicyFilter(policies, view), baselineFilter([], view)]), port, protocol);
}

function egress(policies: readonly Resource[], from: PodEnd, other: PolicyEnd, port = 6443, protocol = 6) {
  const view = { direction: Direction.Egress, pod: from, other };
  return answer(allowedBy([networkPolicyFilter(policies, view), baselineFilter([], view)]), port, protocol);
}

function answer(
  { sure, possible }: { sure: PacketSet; possible: PacketSet },
  port: number,
  protocol: number,
) {
  const wanted = packets({
    services: [service(protocol, { from: port, to: port })],
    sources: [prefix("10.0.0.5/32")],
    destinations: [prefix("10.0.0.9/32")],
  });
  if (contains(sure, wanted)) return "yes";
  return isEmpty(wanted) || contains(possible, wanted) ? "perhaps" : "no";
}

describe("corners of NetworkPolicy", () => {
  const client = pod({ app: "client" });

  test("a pod that no policy selects is open, one that is selected only to what rules allow", () => {
    const denyAll = policy({ podSelector: { matchLabels: { app: "db" } }, policyTypes: ["Ingress"] });
    expect(ingress([denyAll], pod({ app: "web" }), client)).toBe("yes");
    expect(ingress([denyAll], pod({ app: "db" }), client)).toBe("no");
  });

  test("policies add up: one that denies all takes nothing from one that allows", () => {
    const denyAll = policy({ podSelector: {}, policyTypes: ["Ingress"] });
    const allow = policy({ podSelector: {}, ingress: [{ ports: [{ port: 6443 }] }] });
    expect(ingress([denyAll, allow], pod(), client)).toBe("yes");
    expect(ingress([denyAll, allow], pod(), client, 443)).toBe("no");
  });

  test("a policy of another namespace says nothing", () => {
    expect(ingress([policy({ podSelector: {} }, "clusters-b")], pod(), client)).toBe("yes");
  });

  test.each([
    ["nothing", {}, "no", "yes"],
    ["egress rules", { egress: [{}] }, "no", "yes"],
    ["an empty list of egress rules", { egress: [] }, "no", "yes"],
    ["only Egress", { policyTypes: ["Egress"] }, "yes", "no"],
    ["only Egress, and ingress rules", { policyTypes: ["Egress"], ingress: [] }, "yes", "no"],
    ["both", { policyTypes: ["Ingress", "Egress"] }, "no", "no"],
  ])("with %s, policyTypes default as they do", (_, spec, into, out) => {
    const one = policy({ podSelector: {}, ...spec });
    expect(ingress([one], pod(), client)).toBe(into);
    expect(egress([one], pod(), client)).toBe(out);
  });

  test("egress rules without policyTypes isolate egress", () => {
    const one = policy({ podSelector: {}, egress: [{ ports: [{ port: 53, protocol: "UDP" }] }] });
    expect(egress([one], pod(), client)).toBe("no");
    expect(egress([one], pod(), client, 53, 17)).toBe("yes");
    const unknown = policy({ podSelector: {}, egress: UNKNOWN });
    // The list may turn out to be empty, which isolates nothing.
    expect(
      networkPolicyFilter([unknown], { direction: Direction.Egress, pod: pod(), other: client }).otherwise,
    ).toBe(Action.Pass);
  });

  test.each([
    ["a rule without from", {}, "yes"],
    ["an empty from", { from: [] }, "yes"],
    ["an empty peer, which no server takes", { from: [{}] }, "perhaps"],
    ["an empty podSelector: the policy's own namespace", { from: [{ podSelector: {} }] }, "yes"],
    ["an empty namespaceSelector: every namespace", { from: [{ namespaceSelector: {} }] }, "yes"],
  ])("%s", (_, rule, expected) => {
    expect(ingress([policy({ podSelector: {}, ingress: [rule] })], pod(), client)).toBe(expected);
  });

  test("a podSelector by itself means pods of the policy's namespace, with a namespaceSelector both have to hold", () => {
    const other = pod(
      { app: "client" },
      { namespace: "monitoring", namespaceLabels: all({ team: "monitoring" }) },
    );
    const from = (peer: PropertyValue) => policy({ podSelector: {}, ingress: [{ from: [peer] }] });
    const podSelector = { matchLabels: { app: "client" } };
    const namespaceSelector = { matchLabels: { team: "monitoring" } };
    expect(ingress([from({ podSelector })], pod(), other)).toBe("no");
    expect(ingress([from({ podSelector, namespaceSelector })], pod(), other)).toBe("yes");
    expect(ingress([from({ podSelector, namespaceSelector })], pod(), client)).toBe("no");
    expect(
      ingress([from({ podSelector: { matchLabels: { app: "x" } }, namespaceSelector })], pod(), other),
    ).toBe("no");
  });

  test("two peers in one list are an or", () => {
    const peers = [
      { podSelector: { matchLabels: { app: "x" } } },
      { podSelector: { matchLabels: { app: "client" } } },
    ];
    expect(ingress([policy({ podSelector: {}, ingress: [{ from: peers }] })], pod(), client)).toBe("yes");
  });

  test.each([
    ["In", { app: "a" }, ["a", "b"], true],
    ["In", {}, ["a"], false],
    ["NotIn", { app: "a" }, ["a"], false],
    ["NotIn, without the label", {}, ["a"], true],
    ["Exists", { app: "" }, undefined, true],
    ["Exists", {}, undefined, false],
    ["DoesNotExist", {}, undefined, true],
    ["DoesNotExist", { app: "a" }, undefined, false],
  ])("operator %s on %p", (operator, labels, values, isSelected) => {
    const expression = { key: "app", operator: operator.split(",")[0]!, ...(values && { values }) };
    const one = policy({ podSelector: { matchExpressions: [expression] } });
    expect(ingress([one], pod(labels as Record<string, string>), client)).toBe(isSelected ? "no" : "yes");
  });

  test("host bits of a block and of its exceptions mean nothing, and what is no block is unknown", () => {
    const block = (cidr: string, ...except: string[]) =>
      policy({ podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr, except } }] }] });
    expect(ingress([block("10.0.0.77/24")], pod(), outside)).toBe("yes");
    expect(ingress([block("10.0.0.0/8", "10.0.0.77/24")], pod(), outside)).toBe("no");
    expect(ingress([block("10.0.0.0")], pod(), outside)).toBe("perhaps");
    expect(ingress([block("10.0.0.0/8", "10.0.0")], pod(), outside)).toBe("perhaps");
  });

  test("exceptions are no denial: another block of the rule may hold what they leave out", () => {
    const blocks = (list: PropertyValue) => policy({ podSelector: {}, ingress: [{ from: list }] });
    const wide = { ipBlock: { cidr: "10.0.0.0/8", except: ["10.0.0.0/24"] } };
    expect(ingress([blocks([wide])], pod(), outside)).toBe("no");
    expect(ingress([blocks([wide, { ipBlock: { cidr: "10.0.0.4/30" } }])], pod(), outside)).toBe("yes");
  });

  test("a port without protocol is TCP, a protocol without port every port of it", () => {
    const ports = (list: PropertyValue) => policy({ podSelector: {}, ingress: [{ ports: list }] });
    expect(ingress([ports([{ port: 53 }])], pod(), client, 53, 6)).toBe("yes");
    expect(ingress([ports([{ port: 53 }])], pod(), client, 53, 17)).toBe("no");
    expect(ingress([ports([{ protocol: "UDP" }])], pod(), client, 1, 17)).toBe("yes");
    expect(ingress([ports([{ protocol: "UDP" }])], pod(), client, 1, 6)).toBe("no");
    expect(ingress([ports([])], pod(), client, 1, 1)).toBe("yes");
  });

  test("an endPort makes a range, both ends in it", () => {
    const one = policy({ podSelector: {}, ingress: [{ ports: [{ port: 30_000, endPort: 32_767 }] }] });
    expect([29_999, 30_000, 32_767, 32_768].map((port) => ingress([one], pod(), client, port))).toEqual([
      "no",
      "yes",
      "yes",
      "no",
    ]);
  });

  test("a named port is the one that this very pod calls so, and none where it has none", () => {
    const one = policy({ podSelector: {}, ingress: [{ ports: [{ port: "api" }] }] });
    const calls = (port: number) => pod({}, { ports: [{ name: "api", protocol: "TCP", port }] });
    expect(ingress([one], calls(6443), client)).toBe("yes");
    expect(ingress([one], calls(7443), client)).toBe("no");
    expect(ingress([one], pod({}, { ports: [{ name: "api", protocol: "UDP", port: 6443 }] }), client)).toBe(
      "no",
    );
    expect(ingress([one], pod({}, { ports: undefined }), client)).toBe("perhaps");
    const out = policy({ podSelector: {}, egress: [{ ports: [{ port: "api" }] }] });
    expect(egress([out], pod(), calls(6443))).toBe("yes");
    expect(egress([out], calls(6443), pod())).toBe("no");
    expect(egress([out], pod(), outside)).toBe("no");
  });

  test.each<[string, Record<string, PropertyValue>]>([
    ["a name that nothing explains", { port: "api" }],
    ["a port that is not known", { port: UNKNOWN }],
    ["an endPort that is not known", { port: 1, endPort: UNKNOWN }],
  ])("%s may be any port of its protocol, and surely is none of another one", (_, entry) => {
    const one = (more: Record<string, PropertyValue>) =>
      policy({ podSelector: {}, ingress: [{ ports: [{ ...entry, ...more }] }] });
    const listener = pod({}, { ports: undefined });
    expect(ingress([one({})], listener, client)).toBe("perhaps");
    expect(ingress([one({})], listener, client, 6443, 17)).toBe("no");
    expect(ingress([one({ protocol: "UDP" })], listener, client, 6443, 17)).toBe("perhaps");
    expect(ingress([one({ protocol: UNKNOWN })], listener, client, 6443, 17)).toBe("perhaps");
  });

  test("an endPort that is not known is no port before the first", () => {
    const one = policy({ podSelector: {}, ingress: [{ ports: [{ port: 6443, endPort: UNKNOWN }] }] });
    expect([6442, 6443, 6444].map((port) => ingress([one], pod(), client, port))).toEqual([
      "no",
      "perhaps",
      "perhaps",
    ]);
  });

  test("unknown labels decide perhaps, and a policy that perhaps selects denies perhaps", () => {
    const some: KnownLabels = { labels: { app: "db" }, complete: false };
    const one = policy({ podSelector: { matchLabels: { tier: "data" } } });
    expect(ingress([one], pod({}, { labels: some }), client)).toBe("perhaps");
    const other = policy({ podSelector: { matchLabels: { app: "web", tier: "data" } } });
    expect(ingress([other], pod({}, { labels: some }), client)).toBe("yes");
  });

  test.each([
    ["a block", { from: [{ ipBlock: { cidr: UNKNOWN } }] }],
    ["an exception", { from: [{ ipBlock: { cidr: "10.0.0.0/8", except: [UNKNOWN] } }] }],
    ["a port", { ports: [{ port: UNKNOWN }] }],
    ["an endPort", { ports: [{ port: 1, endPort: UNKNOWN }] }],
    ["a port that is a list", { ports: [{ port: [UNKNOWN] }] }],
    ["a protocol", { ports: [{ protocol: UNKNOWN }] }],
    ["a label", { from: [{ podSelector: { matchLabels: { app: UNKNOWN } } }] }],
    ["all peers", { from: UNKNOWN }],
    ["the rule", UNKNOWN],
  ])("%s that is not known yet makes the answer perhaps, and is named", (_, rule) => {
    const one = policy({ podSelector: {}, ingress: [rule as PropertyValue] });
    const view = { direction: Direction.Ingress, pod: pod(), other: pod({ app: "client" }) };
    expect(ingress([one], view.pod, view.other)).toBe("perhaps");
    const [clause] = networkPolicyFilter([one], view).clauses;
    expect(clause?.unknown).toHaveLength(1);
  });

  test("an unknown protocol is no silent nothing", () => {
    const one = policy({ podSelector: {}, ingress: [{ ports: [{ protocol: "QUIC", port: 443 }] }] });
    expect(ingress([one], pod(), client, 443)).toBe("perhaps");
  });
});

describe("NetworkPolicy agrees with a model that checks packet by packet", () => {
  const block = fc
    .tuple(fc.nat(255), fc.integer({ min: 24, max: 32 }))
    .map(([bits, length]) => ({ first: bits & (0xff << (32 - length)), length }));
  const inside = ({ first, length }: { first: number; length: number }, bits: number) =>
    bits >> (32 - length) === first >> (32 - length);
  const text = ({ first, length }: { first: number; length: number }) => `${address(first)}/${length}`;
  const rule = fc.record({
    peers: fc.array(fc.record({ block, except: fc.array(block, { maxLength: 2 }) }), { maxLength: 2 }),
    ports: fc.array(
      fc.record({ protocol: fc.constantFrom("TCP", "UDP"), port: fc.nat(7), more: fc.nat(3) }),
      { maxLength: 2 },
    ),
  });
  const NUMBER: Readonly<Record<string, number>> = { TCP: 6, UDP: 17 };

  test("for blocks with exceptions and port ranges", () => {
    fc.assert(
      fc.property(fc.array(fc.array(rule, { maxLength: 3 }), { minLength: 1, maxLength: 3 }), (policies) => {
        const objects = policies.map((rules) =>
          policy({
            podSelector: {},
            policyTypes: ["Ingress"],
            ingress: rules.map(({ peers, ports }) => ({
              from: peers.map((peer) => ({
                ipBlock: { cidr: text(peer.block), except: peer.except.map(text) },
              })),
              ports: ports.map(({ protocol, port, more }) => ({ protocol, port, endPort: port + more })),
            })),
          }),
        );
        const view = { direction: Direction.Ingress, pod: pod(), other: outside };
        const { sure, possible } = allowedBy([networkPolicyFilter(objects, view)]);
        const model = (packet: SmallPacket) =>
          policies
            .flat()
            .some(
              ({ peers, ports }) =>
                (peers.length === 0 ||
                  peers.some(
                    (peer) =>
                      inside(peer.block, packet.source) &&
                      !peer.except.some((hole) => inside(hole, packet.source)),
                  )) &&
                (ports.length === 0 ||
                  ports.some(
                    ({ protocol, port, more }) =>
                      NUMBER[protocol] === packet.protocol &&
                      packet.port >= port &&
                      packet.port <= port + more,
                  )),
            );
        expect(differences(sure, model, everyPacket(EVERY_ADDRESS, [9]))).toEqual([]);
        expect(possible).toEqual(sure);
      }),
      { numRuns: 60 },
    );
  });
});

describe("AdminNetworkPolicy and BaselineAdminNetworkPolicy", () => {
  const admin = (
    priority: PropertyValue,
    rules: PropertyValue[],
    subject: PropertyValue = { namespaces: {} },
  ) => object("policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy", { priority, subject, ingress: rules });
  const baseline = (rules: PropertyValue[]) =>
    object("policy.networking.k8s.io/v1alpha1:BaselineAdminNetworkPolicy", {
      subject: { namespaces: {} },
      ingress: rules,
    });
  const everyone = [{ namespaces: {} }];
  const rule = (action: string, more: Record<string, PropertyValue> = {}) => ({
    action,
    from: everyone,
    ...more,
  });
  const client = pod({ app: "client" });
  const denyAll = policy({ podSelector: {}, policyTypes: ["Ingress"] });

  function verdict(admins: Resource[], policies: Resource[], baselines: Resource[], port = 6443) {
    const view = { direction: Direction.Ingress, pod: pod(), other: client };
    const filters = [
      adminNetworkPolicyFilter(admins, view),
      networkPolicyFilter(policies, view),
      baselineFilter(baselines, view),
    ];
    return answer(allowedBy(filters), port, 6);
  }

  test("administrators' policies decide before NetworkPolicies, which decide before the baseline", () => {
    expect(verdict([admin(1, [rule("Allow")])], [denyAll], [])).toBe("yes");
    expect(verdict([admin(1, [rule("Deny")])], [], [])).toBe("no");
    expect(verdict([admin(1, [rule("Pass")])], [denyAll], [])).toBe("no");
    expect(verdict([], [], [baseline([rule("Deny")])])).toBe("no");
    const allow = policy({ podSelector: {}, ingress: [{}] });
    expect(verdict([], [allow], [baseline([rule("Deny")])])).toBe("yes");
    expect(verdict([], [], [])).toBe("yes");
  });

  test("Pass skips all other administrators' policies", () => {
    expect(verdict([admin(1, [rule("Pass")]), admin(2, [rule("Deny")])], [], [])).toBe("yes");
  });

  test("the lowest priority value comes first, and within a policy the first rule", () => {
    expect(verdict([admin(20, [rule("Deny")]), admin(3, [rule("Allow")])], [], [])).toBe("yes");
    expect(verdict([admin(1, [rule("Deny"), rule("Allow")])], [], [])).toBe("no");
  });

  test("equal and unknown priorities decide only what every order decides", () => {
    expect(verdict([admin(1, [rule("Deny")]), admin(1, [rule("Allow")])], [], [])).toBe("perhaps");
    expect(verdict([admin(1, [rule("Deny")]), admin(1, [rule("Deny")])], [denyAll], [])).toBe("no");
    expect(verdict([admin(1, [rule("Deny")]), admin(1, [rule("Deny")])], [], [])).toBe("no");
    expect(verdict([admin(1, [rule("Deny")]), admin(1, [rule("Deny"), rule("Allow")])], [], [])).toBe("no");
    expect(verdict([admin(1, [rule("Allow")]), admin(1, [rule("Allow")])], [denyAll], [])).toBe("yes");
    expect(verdict([admin(1, [rule("Deny")]), admin(1, [rule("Pass"), rule("Deny")])], [], [])).toBe(
      "perhaps",
    );
    expect(verdict([admin(UNKNOWN, [rule("Deny")]), admin(5, [rule("Allow")])], [], [])).toBe("perhaps");
  });

  test("ports may be numbers, ranges and names", () => {
    const ports = (port: PropertyValue) => [admin(1, [rule("Deny", { ports: [port] })])];
    expect(verdict(ports({ portNumber: { protocol: "TCP", port: 6443 } }), [], [])).toBe("no");
    expect(verdict(ports({ portNumber: { protocol: "UDP", port: 6443 } }), [], [])).toBe("yes");
    expect(verdict(ports({ portRange: { protocol: "TCP", start: 6000, end: 7000 } }), [], [])).toBe("no");
    expect(verdict(ports({ portRange: { protocol: "TCP", start: 6000, end: 7000 } }), [], [], 7001)).toBe(
      "yes",
    );
    expect(verdict(ports({ namedPort: "api" }), [], [])).toBe("yes");
  });

  test("subjects may be namespaces or pods in them", () => {
    const labelled = { namespaceSelector: {}, podSelector: { matchLabels: { app: "none" } } };
    expect(verdict([admin(1, [rule("Deny")], { pods: labelled })], [], [])).toBe("yes");
    expect(verdict([admin(1, [rule("Deny")], { namespaces: { matchLabels: { team: "x" } } })], [], [])).toBe(
      "yes",
    );
    expect(verdict([admin(1, [rule("Deny")], UNKNOWN)], [], [])).toBe("perhaps");
  });

  test("unknown kinds of peers and actions leave the answer open", () => {
    expect(
      verdict([admin(1, [{ action: "Deny", from: [{ serviceAccounts: { name: "a" } }] }])], [], []),
    ).toBe("perhaps");
    expect(verdict([admin(1, [{ action: "Drop", from: everyone }])], [], [])).toBe("perhaps");
  });
});
