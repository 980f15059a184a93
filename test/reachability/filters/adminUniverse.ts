import fc from "fast-check";
import {
  adminNetworkPolicyFilter,
  baselineFilter,
} from "../../../src/reachability/filters/adminNetworkPolicy";
import { allowedBy } from "../../../src/reachability/filters/decide";
import { networkPolicyFilter } from "../../../src/reachability/filters/networkPolicy";
import type { PodEnd, PolicyEnd } from "../../../src/reachability/filters/policySelection";
import { Direction } from "../../../src/requirements/vocabulary";
import type { PropertyValue, Resource } from "../../../src/resources/resource";
import { everyPacket, type SmallPacket } from "../smallUniverse";
import { NUMBER, podEnd, policyWith, type Policy } from "./adminPolicies";
import { STORED } from "./passing";

const LIST = { [Direction.Ingress]: "ingress", [Direction.Egress]: "egress" };

/** The form of policies: AdminNetworkPolicies with a baseline, or ClusterNetworkPolicies of two tiers. */
export type Form = "older" | "cluster";
const resourceOf = (
  kind: string,
  direction: Direction,
  { priority, subject, rules }: Policy,
  shownPriority: PropertyValue = priority,
): Resource => ({
  origin: STORED,
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

/** The same policy as an object of the later API version. */
function clusterPolicyOf(
  tier: string,
  direction: Direction,
  policy: Policy,
  shownPriority: PropertyValue = policy.priority,
): Resource {
  const made = resourceOf("ClusterNetworkPolicy", direction, policy, shownPriority);
  const { subject } = policy;
  return {
    ...made,
    type: "kubernetes:policy.networking.k8s.io/v1beta1:ClusterNetworkPolicy",
    properties: {
      ...made.properties,
      spec: {
        tier,
        priority: shownPriority,
        subject: subject.written,
        [LIST[direction]]: policy.rules.map(({ written }) => clusterRule(written as OlderRule)),
      },
    },
  };
}

type OlderRule = Record<string, PropertyValue> & {
  action: string;
  ports?: readonly {
    namedPort?: string;
    portNumber?: { protocol: string; port: number };
    portRange?: { protocol: string; start: number; end: number };
  }[];
};

function clusterRule({ action, ports, ...ends }: OlderRule): PropertyValue {
  const protocols = ports?.map(({ namedPort, portNumber, portRange }): PropertyValue => {
    if (portNumber)
      return { [portNumber.protocol.toLowerCase()]: { destinationPort: { number: portNumber.port } } };
    if (!portRange) return { destinationNamedPort: namedPort! };
    const { protocol, start, end } = portRange;
    return { [protocol.toLowerCase()]: { destinationPort: { range: { start, end } } } };
  });
  return { ...ends, action: action === "Allow" ? "Accept" : action, ...(protocols && { protocols }) };
}

/** A NetworkPolicy that allows one TCP port to or from the pod, and nothing else. */
const onlyPort = (direction: Direction, number: number): Resource => ({
  origin: STORED,
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

/** One pod, one other end, and the policies that decide on packets between them. */
export interface Universe {
  direction: Direction;
  pod: PodEnd;
  other: PolicyEnd;
  admins: readonly Policy[];
  /** The one TCP port that a NetworkPolicy allows; undefined if there is no NetworkPolicy. */
  only: number | undefined;
  baselines: readonly Policy[];
}

/** Universes with some admin policies. */
export const universeWith = (
  policies: (one: fc.Arbitrary<Policy>) => fc.Arbitrary<readonly Policy[]>,
  form: Form = "older",
): fc.Arbitrary<Universe> =>
  fc.constantFrom(Direction.Ingress, Direction.Egress).chain((direction) =>
    fc.record({
      direction: fc.constant(direction),
      pod: podEnd,
      other: fc.oneof(podEnd, fc.constant<PolicyEnd>({ kind: "addresses" })),
      admins: policies(policyWith(direction, "Allow", "Deny", "Pass")),
      only: fc.option(fc.nat(7), { nil: undefined }),
      baselines:
        form === "older"
          ? fc.array(policyWith(direction, "Allow", "Deny"), { maxLength: 1 })
          : policies(policyWith(direction, "Allow", "Deny", "Pass")),
    }),
  );

/** The rules of a policy that match a packet. */
export function matching(
  { direction, pod, other }: Universe,
  { subject, rules }: Policy,
  packet: SmallPacket,
) {
  const listener = direction === Direction.Ingress ? pod : other;
  if (!subject.means(pod, packet)) return [];
  return rules.filter(({ matches }) => matches(packet, other, listener));
}

/** Whether a packet passes if policies apply in this order. */
export function passes(
  universe: Universe,
  admins: readonly Policy[],
  baselines: readonly Policy[] = universe.baselines,
) {
  const { only } = universe;
  return (packet: SmallPacket): boolean => {
    const firstOf = (policies: readonly Policy[]) =>
      policies.flatMap((policy) => matching(universe, policy, packet))[0]?.action;
    const word = firstOf(admins);
    if (word === "Allow" || word === "Deny") return word === "Allow";
    if (only !== undefined) return packet.protocol === NUMBER.TCP && packet.port === only;
    return firstOf(baselines) !== "Deny";
  };
}

/** What the readers allow in the same universe, with other priorities if they are given. */
export function answered(
  universe: Universe,
  { priorities, form = "older" }: { priorities?: readonly PropertyValue[]; form?: Form } = {},
) {
  const { direction, pod, other, admins, only, baselines } = universe;
  const view = { direction, pod, other };
  const objectsOf = (policies: readonly Policy[], kind: string, tier: string) =>
    policies.map((one, position) =>
      form === "older"
        ? resourceOf(kind, direction, one, tier === "Admin" ? priorities?.[position] : undefined)
        : clusterPolicyOf(tier, direction, one, tier === "Admin" ? priorities?.[position] : undefined),
    );
  const before = objectsOf(admins, "AdminNetworkPolicy", "Admin");
  const behind = objectsOf(baselines, "BaselineAdminNetworkPolicy", "Baseline");
  // Each tier selects its own policies among those of both tiers.
  const all = form === "older" ? undefined : [...before, ...behind];
  return allowedBy([
    adminNetworkPolicyFilter(all ?? before, view),
    networkPolicyFilter(only === undefined ? [] : [onlyPort(direction, only)], view),
    baselineFilter(all ?? behind, view),
  ]);
}

export const SIXTEEN = Array.from({ length: 16 }, (_, bits) => bits);
export const packetsOf = ({ direction }: Universe) =>
  direction === Direction.Ingress ? everyPacket([5], [9]) : everyPacket([9], SIXTEEN);

/** All orders in which no policy comes before one with a lower priority value. */
export function ordersOf(policies: readonly Policy[]): (readonly Policy[])[] {
  if (policies.length === 0) return [[]];
  const lowest = Math.min(...policies.map(({ priority }) => priority));
  return policies.flatMap((first, position) =>
    first.priority === lowest
      ? ordersOf(policies.filter((_, i) => i !== position)).map((rest) => [first, ...rest])
      : [],
  );
}
