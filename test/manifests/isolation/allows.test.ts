import fc from "fast-check";
import { parsePrefix, readPrefix } from "../../../src/address";
import {
  droppedBy,
  type FlowEnd,
  type Labels,
  type PacketPolicy,
  type PolicyPeer,
  type PolicyPort,
} from "../../../src/manifests/isolation";
import { LabelSelectorOperator, selects } from "../../../src/manifests/labelSelector";
import { Direction, Protocol } from "../../../src/requirements";

const own = { name: "own" };

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
          const all = ends.every((single) =>
            ports
              .filter((number) => number >= range.from && number <= range.to)
              .every((number) => passes(policies, pod, single, Protocol.Tcp, number)),
          );
          const packets = {
            direction: Direction.Egress,
            pod,
            end: other,
            protocol: Protocol.Tcp,
            ports: range,
          };
          const dropped = droppedBy(policies, own, packets);
          expect(dropped === undefined).toBe(all);
          if (dropped?.address === undefined || dropped.port === undefined) return;
          const address = Number(parsePrefix(`${dropped.address}/32`).prefix!.start);
          expect(passes(policies, pod, { address }, Protocol.Tcp, dropped.port)).toBe(false);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("a rule for some ports does not let every protocol pass", () => {
    const everything = { direction: Direction.Ingress, pod: {}, end: { labels: {} }, protocol: Protocol.Any };
    const peers = [{ podSelector: {} }];
    const open = (rule: object) => droppedBy([{ pods: {}, ingress: [{ peers, ...rule }] }], own, everything);
    expect(open({})).toBeUndefined();
    expect(open({ ports: [{ protocol: Protocol.Tcp }] })).toEqual({});
  });
});
