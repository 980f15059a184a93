import fc from "fast-check";
import { parsePrefix } from "../../../src/address/parse";
import { readPrefix, type Prefix } from "../../../src/address";
import type { PacketPolicy, PolicyPeer, PolicyPort, PolicyRule } from "../../../src/isolation/networkPolicy";
import { LabelSelectorOperator } from "../../../src/resources/kubernetesObject";
import type { PlainLabelSelector } from "../../../src/objects/labelSelector";
import type { PolicyEnd } from "../../../src/reachability/filters/policySelection";
import { Direction, Protocol } from "../../../src/requirements/vocabulary";
import { NAMESPACE_LABEL } from "../../../src/requirements/networkPolicies";
import type { Labels } from "../../../src/reachability/isolation/podTraffic";

// A small universe of 16 addresses, 8 ports, and two keys with two values each, with a model of the NetworkPolicy API.

/** The judged namespace. */
export const OWN = "own";
const own: Labels = { [NAMESPACE_LABEL.name]: OWN };

/** An address or a pod; a pod without namespace labels is in the judged namespace. */
export type OneEnd = { address: number } | { labels: Labels; namespace?: Labels };
export type FlowEnd = { prefixes: readonly Prefix[] } | { labels: Labels; namespace?: Labels };

/** Whether a selector matches, as the API defines it. */
export function selects(
  { matchLabels = {}, matchExpressions = [] }: PlainLabelSelector,
  labelled: Labels,
): boolean {
  const holds = matchExpressions.map(({ key, operator, values = [] }) => {
    const value = labelled[key];
    if (operator === LabelSelectorOperator.Exists) return value !== undefined;
    if (operator === LabelSelectorOperator.DoesNotExist) return value === undefined;
    const isAmong = value !== undefined && values.includes(value);
    return operator === LabelSelectorOperator.In ? isAmong : !isAmong;
  });
  return (
    Object.entries(matchLabels).every(([key, value]) => labelled[key] === value) && !holds.includes(false)
  );
}

/** Whether one packet passes according to the NetworkPolicy API: address by address, port by port. */
export function passes(
  policies: readonly PacketPolicy[],
  direction: Direction,
  pod: Labels,
  other: OneEnd,
  protocol: Protocol,
  port: number,
): boolean {
  const isolating = policies.filter((policy) => policy[direction] && selects(policy.pods, pod));
  if (isolating.length === 0) return true;
  return isolating.some((policy) => policy[direction]!.some((rule) => allows(rule, other, protocol, port)));
}

/** Whether a rule of a policy allows a packet. */
export const allows = (
  { peers, ports: own }: PolicyRule,
  other: OneEnd,
  protocol: Protocol,
  number: number,
): boolean => {
  const portFits =
    !own ||
    own.some(
      (one) =>
        one.protocol === protocol &&
        (one.port === undefined || (one.port <= number && number <= (one.endPort ?? one.port))),
    );
  return portFits && (!peers || peers.some((one) => isPeer(one, other)));
};

function isPeer({ ipBlock, podSelector, namespaceSelector }: PolicyPeer, other: OneEnd): boolean {
  if ("address" in other)
    return !!ipBlock && within(ipBlock.cidr, other) && !ipBlock.except?.some((cidr) => within(cidr, other));
  if (ipBlock) return false;
  const rightNamespace = namespaceSelector
    ? selects(namespaceSelector, other.namespace ?? own)
    : other.namespace === undefined;
  return rightNamespace && (!podSelector || selects(podSelector, other.labels));
}

export const within = (cidr: string, { address }: { address: number }): boolean => {
  const { start, end: last } = parsePrefix(cidr).prefix!;
  return start <= BigInt(address) && BigInt(address) <= last;
};

const FIRST = 0x0a000000;
export const addresses = Array.from({ length: 16 }, (_, offset) => FIRST + offset);
export const ports = [1, 2, 3, 4, 5, 6, 7, 8];

const block = fc
  .record({ length: fc.integer({ min: 28, max: 32 }), offset: fc.integer({ min: 0, max: 15 }) })
  .map(({ length, offset }) => `10.0.0.${(offset >> (32 - length)) << (32 - length)}/${length}`);
export const labels = fc.dictionary(fc.constantFrom("a", "b"), fc.constantFrom("x", "y"), { maxKeys: 2 });
export const selector: fc.Arbitrary<PlainLabelSelector> = fc.oneof(
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
const rule: fc.Arbitrary<PolicyRule> = fc.record(
  {
    peers: fc.array(peer, { minLength: 1, maxLength: 3 }),
    ports: fc.array(port, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: [] },
);

/** A policy for the direction, or one for the opposite direction only. */
export const policyOn = (direction: Direction): fc.Arbitrary<PacketPolicy> =>
  fc
    .record({ pods: selector, rules: fc.array(rule, { maxLength: 3 }) }, { requiredKeys: ["pods"] })
    .map(({ pods, rules }) => ({ pods, [rules ? direction : opposite(direction)]: rules ?? [] }));

const opposite = (direction: Direction) =>
  direction === Direction.Ingress ? Direction.Egress : Direction.Ingress;

export const end: fc.Arbitrary<FlowEnd> = fc.oneof(
  fc.uniqueArray(block, { minLength: 1, maxLength: 3 }).map((cidrs): FlowEnd => ({
    prefixes: cidrs.map((cidr) => readPrefix(cidr)!),
  })),
  fc.record({ labels, namespace: labels }, { requiredKeys: ["labels"] }),
);

export const endOf = (other: FlowEnd): PolicyEnd =>
  "prefixes" in other
    ? { kind: "addresses" }
    : {
        kind: "pod",
        namespace: other.namespace ? "elsewhere" : OWN,
        namespaceLabels: { labels: other.namespace ?? own, complete: true },
        labels: { labels: other.labels, complete: true },
      };

/** Every set of labels of the universe, including a value that no selector names. */
export const everyPod: Labels[] = ["a", "b"].reduce<Labels[]>(
  (sets, key) =>
    [undefined, "x", "y", "z"].flatMap((value) =>
      sets.map((set) => (value ? { ...set, [key]: value } : set)),
    ),
  [{}],
);
