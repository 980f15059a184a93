import fc from "fast-check";
import { parsePrefix, readPrefix, type Prefix } from "../../../src/address";
import {
  policyResource,
  selectorValue,
  type PacketPolicy,
  type PolicyPeer,
  type PolicyPort,
} from "../../../src/manifests/isolation";
import { LabelSelectorOperator, type PlainLabelSelector } from "../../../src/manifests/labelSelector";
import type { PolicyEnd } from "../../../src/reachability/filters";
import { labelClasses, judgeTraffic, selectsLabels, type Labels } from "../../../src/reachability/isolation";
import { Proof } from "../../../src/reachability/proof";
import { Direction, Protocol } from "../../../src/requirements";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";

const OWN = "own";
const own = { "kubernetes.io/metadata.name": OWN };
type FlowEnd = { prefixes: readonly Prefix[] } | { labels: Labels; namespace?: Labels };

/** What a selector says, in the words of the API. */
function selects({ matchLabels = {}, matchExpressions = [] }: PlainLabelSelector, labels: Labels): boolean {
  const holds = matchExpressions.map(({ key, operator, values = [] }) => {
    const value = labels[key];
    if (operator === LabelSelectorOperator.Exists) return value !== undefined;
    if (operator === LabelSelectorOperator.DoesNotExist) return value === undefined;
    const isAmong = value !== undefined && values.includes(value);
    return operator === LabelSelectorOperator.In ? isAmong : !isAmong;
  });
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value) && !holds.includes(false);
}

/** One packet, against the text of the NetworkPolicy API: address by address, port by port. */
function passes(
  policies: readonly PacketPolicy[],
  pod: Labels,
  end: { address: number } | { labels: Labels; namespace?: Labels },
  protocol: Protocol,
  port: number,
): boolean {
  const isolating = policies.filter((policy) => policy.egress && selects(policy.pods, pod));
  if (isolating.length === 0) return true;
  return isolating.some((policy) =>
    policy.egress!.some(({ peers, ports }) => {
      const portFits =
        !ports ||
        ports.some(
          (one) =>
            one.protocol === protocol &&
            (one.port === undefined || (one.port <= port && port <= (one.endPort ?? one.port))),
        );
      return portFits && (!peers || peers.some((peer) => isPeer(peer, end)));
    }),
  );
}

function isPeer(
  { ipBlock, podSelector, namespaceSelector }: PolicyPeer,
  end: { address: number } | { labels: Labels; namespace?: Labels },
): boolean {
  if ("address" in end)
    return !!ipBlock && within(ipBlock.cidr, end) && !ipBlock.except?.some((cidr) => within(cidr, end));
  if (ipBlock) return false;
  const rightNamespace = namespaceSelector
    ? selects(namespaceSelector, end.namespace ?? own)
    : end.namespace === undefined;
  return rightNamespace && (!podSelector || selects(podSelector, end.labels));
}

const within = (cidr: string, { address }: { address: number }) => {
  const { start, end } = parsePrefix(cidr).prefix!;
  return start <= BigInt(address) && BigInt(address) <= end;
};

// A small universe: 16 addresses, 8 ports, two keys with two values each.
const FIRST = 0x0a000000;
const addresses = Array.from({ length: 16 }, (_, offset) => FIRST + offset);
const ports = [1, 2, 3, 4, 5, 6, 7, 8];
const block = fc
  .record({ length: fc.integer({ min: 28, max: 32 }), offset: fc.integer({ min: 0, max: 15 }) })
  .map(({ length, offset }) => `10.0.0.${(offset >> (32 - length)) << (32 - length)}/${length}`);
const labels = fc.dictionary(fc.constantFrom("a", "b"), fc.constantFrom("x", "y"), { maxKeys: 2 });
const selector = fc.oneof(
  labels.map((matchLabels) => ({ matchLabels })),
  fc.record({
    matchExpressions: fc.array(
      fc.oneof(
        fc.record({
          key: fc.constantFrom("a", "b"),
          operator: fc.constantFrom(LabelSelectorOperator.In, LabelSelectorOperator.NotIn),
          values: fc.uniqueArray(fc.constantFrom("x", "y"), { minLength: 1 }),
        }),
        fc.record({
          key: fc.constantFrom("a", "b"),
          operator: fc.constantFrom(LabelSelectorOperator.Exists, LabelSelectorOperator.DoesNotExist),
        }),
      ),
      { maxLength: 2 },
    ),
  }),
);
const peer: fc.Arbitrary<PolicyPeer> = fc.oneof(
  fc.tuple(block, fc.array(block, { maxLength: 2 })).map(([cidr, except]) => ({
    ipBlock: { cidr, ...(except.length > 0 && { except }) },
  })),
  selector.map((podSelector) => ({ podSelector })),
  selector.map((namespaceSelector) => ({ namespaceSelector })),
  fc.record({ podSelector: selector, namespaceSelector: selector }),
);
const port: fc.Arbitrary<PolicyPort> = fc
  .record({
    protocol: fc.constantFrom(Protocol.Tcp, Protocol.Udp),
    from: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
    more: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ protocol, from, more }) => ({
    protocol,
    ...(from !== undefined && { port: from, ...(more > 0 && { endPort: from + more }) }),
  }));
const rule = fc.record(
  {
    peers: fc.array(peer, { minLength: 1, maxLength: 3 }),
    ports: fc.array(port, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: [] },
);
const policy = fc.record(
  { pods: selector, egress: fc.array(rule, { maxLength: 3 }) },
  { requiredKeys: ["pods"] },
);
const end = fc.oneof(
  fc.uniqueArray(block, { minLength: 1, maxLength: 3 }).map((cidrs): FlowEnd => ({
    prefixes: cidrs.map((cidr) => readPrefix(cidr)!),
  })),
  fc.record({ labels, namespace: labels }, { requiredKeys: ["labels"] }),
);

const endOf = (end: FlowEnd): PolicyEnd =>
  "prefixes" in end
    ? { kind: "addresses" }
    : {
        kind: "pod",
        namespace: end.namespace ? "elsewhere" : OWN,
        namespaceLabels: { labels: end.namespace ?? own, complete: true },
        labels: { labels: end.labels, complete: true },
      };

/** Every set of labels of the universe, with a value that no selector names. */
const everyPod: Labels[] = ["a", "b"].reduce<Labels[]>(
  (sets, key) =>
    [undefined, "x", "y", "z"].flatMap((value) =>
      sets.map((set) => (value ? { ...set, [key]: value } : set)),
    ),
  [{}],
);

describe("M12 what network policies let pass", () => {
  it("is what the NetworkPolicy API says, packet by packet", () => {
    fc.assert(
      fc.property(
        fc.array(policy, { maxLength: 4 }),
        labels,
        end,
        fc.tuple(fc.constantFrom(...ports), fc.constantFrom(...ports)),
        (policies, pod, other, [one, two]) => {
          const range = { from: Math.min(one, two), to: Math.max(one, two) };
          const ends =
            "prefixes" in other
              ? addresses
                  .filter((address) => other.prefixes.some((prefix) => within(prefix.text, { address })))
                  .map((address) => ({ address }))
              : [other];
          const all = (labelled: Labels) =>
            ends.every((single) =>
              ports
                .filter((number) => number >= range.from && number <= range.to)
                .every((number) => passes(policies, labelled, single, Protocol.Tcp, number)),
            );
          const traffic = {
            direction: Direction.Egress,
            pods: { matchLabels: pod },
            end: endOf(other),
            ...("prefixes" in other && { prefixes: other.prefixes }),
            services: [{ protocol: Protocol.Tcp, ports: range }],
          };
          const resources = policies.map((one) => policyResource(one, OWN));
          const verdicts = judgeTraffic(resources, OWN, traffic)!;
          const selected = everyPod.filter((labelled) => selects({ matchLabels: pod }, labelled));
          expect(verdicts.verdict.proof).toBe(selected.every(all) ? Proof.Proved : Proof.Refuted);
          if (verdicts.verdict.proof !== Proof.Refuted || !("prefixes" in other)) return;
          const { destination, port: number } = verdicts.verdict.packet;
          const address = Number(parsePrefix(`${destination}/32`).prefix!.start);
          expect(passes(policies, verdicts.pod, { address }, Protocol.Tcp, number)).toBe(false);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("a rule for some ports does not let every protocol pass", () => {
    const traffic = {
      direction: Direction.Ingress,
      pods: {},
      end: endOf({ labels: {} }),
      services: [{ protocol: Protocol.Any }],
    };
    const peers = [{ podSelector: {} }];
    const proofOf = (rule: object) =>
      judgeTraffic([policyResource({ pods: {}, ingress: [{ peers, ...rule }] }, OWN)], OWN, traffic)?.verdict
        .proof;
    expect(proofOf({})).toBe(Proof.Proved);
    expect(proofOf({ ports: [{ protocol: Protocol.Tcp }] })).toBe(Proof.Refuted);
  });

  it("a policy whose selector nobody knows decides perhaps, and one of another namespace never", () => {
    const deny = (podSelector: PropertyValue, namespace = OWN): Resource => ({
      origin: {},
      type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
      name: "deny",
      properties: { metadata: { name: "deny", namespace }, spec: { podSelector, policyTypes: ["Ingress"] } },
    });
    const traffic = {
      direction: Direction.Ingress,
      pods: {},
      end: endOf({ labels: {} }),
      services: [{ protocol: Protocol.Tcp }],
    };
    const proofOf = (policy: Resource) => judgeTraffic([policy], OWN, traffic)?.verdict.proof;
    expect(proofOf(deny(UNKNOWN))).toBe(Proof.Unknown);
    expect(proofOf(deny({ matchLabels: { app: UNKNOWN } }))).toBe(Proof.Unknown);
    expect(proofOf(deny({}))).toBe(Proof.Refuted);
    expect(proofOf(deny({}, "other"))).toBe(Proof.Proved);
  });
});

describe("classes of labels", () => {
  it("stand for every set of labels that selectors tell apart", () => {
    fc.assert(
      fc.property(fc.array(selector, { maxLength: 4 }), (selectors) => {
        const values = selectors.map(selectorValue);
        const way = (labelled: Labels) => values.map((value) => selectsLabels(value, labelled)).join();
        expect(new Set(labelClasses(values)!.map(way))).toEqual(new Set(everyPod.map(way)));
      }),
    );
  });

  it("are not made where they would be too many", () => {
    const many = Array.from({ length: 15 }, (_, i) => ({ matchLabels: { [`key-${i}`]: "a" } }));
    expect(labelClasses(many)).toBeUndefined();
  });
});
