import fc from "fast-check";
import {
  adminNetworkPolicyFilter,
  allowedBy,
  baselineFilter,
  networkPolicyFilter,
  type PodEnd,
  type PolicyEnd,
} from "../../../src/reachability/filters";
import { Direction } from "../../../src/requirements/vocabulary";
import type { PropertyValue, Resource } from "../../../src/resources/resource";
import { everyPacket, type SmallPacket } from "../smallUniverse";
import { NUMBER, podEnd, policyWith, type Policy } from "./adminPolicies";

const LIST = { [Direction.Ingress]: "ingress", [Direction.Egress]: "egress" };
const resourceOf = (
  kind: string,
  direction: Direction,
  { priority, subject, rules }: Policy,
  shownPriority: PropertyValue = priority,
): Resource => ({
  origin: {},
  type: `kubernetes:policy.networking.k8s.io/v1alpha1:${kind}`,
  name: kind,
  properties: {
    metadata: { name: kind },
    spec: {
      priority: shownPriority,
      subject: subject.written,
      [LIST[direction]]: rules.map(({ written }) => written),
    },
  },
});

/** A NetworkPolicy that lets the pod have one port of TCP, and nothing else. */
const onlyPort = (direction: Direction, number: number): Resource => ({
  origin: {},
  type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
  name: "only",
  properties: {
    metadata: { name: "only", namespace: "clusters-a" },
    spec: {
      podSelector: {},
      policyTypes: [direction === Direction.Ingress ? "Ingress" : "Egress"],
      [LIST[direction]]: [{ ports: [{ protocol: "TCP", port: number }] }],
    },
  },
});

/** One pod, one other end, and the policies that say what passes between them. */
export interface Universe {
  direction: Direction;
  pod: PodEnd;
  other: PolicyEnd;
  admins: readonly Policy[];
  /** The one port of TCP that a NetworkPolicy leaves open; absent: there is none. */
  only: number | undefined;
  baseline: Policy | undefined;
}

/** Universes with some admin policies. */
export const universeWith = (
  policies: (one: fc.Arbitrary<Policy>) => fc.Arbitrary<readonly Policy[]>,
): fc.Arbitrary<Universe> =>
  fc.constantFrom(Direction.Ingress, Direction.Egress).chain((direction) =>
    fc.record({
      direction: fc.constant(direction),
      pod: podEnd,
      other: fc.oneof(podEnd, fc.constant<PolicyEnd>({ kind: "addresses" })),
      admins: policies(policyWith(direction, "Allow", "Deny", "Pass")),
      only: fc.option(fc.nat(7), { nil: undefined }),
      baseline: fc.option(policyWith(direction, "Allow", "Deny"), { nil: undefined }),
    }),
  );

/** Whether a packet passes, when admin policies come in this order. */
export function passes({ direction, pod, other, only, baseline }: Universe, admins: readonly Policy[]) {
  const listener = direction === Direction.Ingress ? pod : other;
  return (packet: SmallPacket): boolean => {
    const firstOf = (policies: readonly Policy[]) =>
      policies
        .filter(({ subject }) => subject.means(pod, packet))
        .flatMap(({ rules }) => rules)
        .find(({ matches }) => matches(packet, other, listener))?.action;
    const word = firstOf(admins);
    if (word === "Allow" || word === "Deny") return word === "Allow";
    if (only !== undefined) return packet.protocol === NUMBER.TCP && packet.port === only;
    return firstOf(baseline ? [baseline] : []) !== "Deny";
  };
}

/** What the readers make of the same, with other priorities where they are given. */
export function answered(universe: Universe, shownPriorities?: readonly PropertyValue[]) {
  const { direction, pod, other, admins, only, baseline } = universe;
  const view = { direction, pod, other };
  const objects = admins.map((one, position) =>
    resourceOf("AdminNetworkPolicy", direction, one, shownPriorities?.[position]),
  );
  return allowedBy([
    adminNetworkPolicyFilter(objects, view),
    networkPolicyFilter(only === undefined ? [] : [onlyPort(direction, only)], view),
    baselineFilter(baseline ? [resourceOf("BaselineAdminNetworkPolicy", direction, baseline)] : [], view),
  ]);
}

export const SIXTEEN = Array.from({ length: 16 }, (_, bits) => bits);
export const packetsOf = ({ direction }: Universe) =>
  direction === Direction.Ingress ? everyPacket([5], [9]) : everyPacket([9], SIXTEEN);

/** All orders in which no policy stands before one with a lower value. */
export function ordersOf(policies: readonly Policy[]): (readonly Policy[])[] {
  if (policies.length === 0) return [[]];
  const lowest = Math.min(...policies.map(({ priority }) => priority));
  return policies.flatMap((first, position) =>
    first.priority === lowest
      ? ordersOf(policies.filter((_, i) => i !== position)).map((rest) => [first, ...rest])
      : [],
  );
}
