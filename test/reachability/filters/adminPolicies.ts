import fc from "fast-check";
import type { PodEnd, PolicyEnd } from "../../../src/reachability/filters/policySelection";
import { Direction } from "../../../src/requirements/vocabulary";
import type { PropertyValue } from "../../../src/resources/resource";
import { address, type SmallPacket } from "../smallUniverse";

/** A part of a policy: its written form, and its meaning defined independently of the reader. */
interface Drawn<Means> {
  written: PropertyValue;
  means: Means;
}

type Labels = Readonly<Record<string, string>>;
const selector = fc.constantFrom<Drawn<(labels: Labels) => boolean>>(
  { written: {}, means: () => true },
  { written: { matchLabels: { app: "a" } }, means: ({ app }) => app === "a" },
  { written: { matchLabels: { app: "b" } }, means: ({ app }) => app === "b" },
  {
    written: { matchExpressions: [{ key: "app", operator: "NotIn", values: ["a"] }] },
    means: ({ app }) => app !== "a",
  },
);

const labels = fc.constantFrom<Labels>({}, { app: "a" }, { app: "b" });
const transport = fc.constantFrom("TCP", "UDP");
export const NUMBER: Readonly<Record<string, number>> = { TCP: 6, UDP: 17 };

export const podEnd: fc.Arbitrary<PodEnd> = fc
  .record({ namespaceLabels: labels, labels, protocol: transport, port: fc.nat(7) })
  .map(({ protocol, port, ...of }) => ({
    kind: "pod",
    namespace: "clusters-a",
    namespaceLabels: { labels: of.namespaceLabels, complete: true },
    labels: { labels: of.labels, complete: true },
    ports: [{ name: "web", protocol, port }],
  }));

type MeansEnd = (end: PolicyEnd, packet: SmallPacket) => boolean;

/** Pods selected by namespace, or by namespace and pod labels; never addresses outside the cluster. */
const pods: fc.Arbitrary<Drawn<MeansEnd>> = fc.oneof(
  selector.map(({ written, means }): Drawn<MeansEnd> => ({
    written: { namespaces: written },
    means: (end: PolicyEnd) => end.kind === "pod" && means(end.namespaceLabels.labels),
  })),
  fc.tuple(selector, selector).map(([namespaces, ofPods]): Drawn<MeansEnd> => ({
    written: { pods: { namespaceSelector: namespaces.written, podSelector: ofPods.written } },
    means: (end: PolicyEnd) =>
      end.kind === "pod" && namespaces.means(end.namespaceLabels.labels) && ofPods.means(end.labels.labels),
  })),
);

/** Blocks of the first sixteen addresses of 10.0.0.0: a peer that only egress rules have. */
const networks = fc
  .array(fc.tuple(fc.nat(15), fc.integer({ min: 28, max: 32 })), { minLength: 1, maxLength: 2 })
  .map((blocks): Drawn<MeansEnd> => ({
    written: {
      networks: blocks.map(([bits, length]) => `${address(bits & (0xff << (32 - length)))}/${length}`),
    },
    means: (_: PolicyEnd, { destination }: SmallPacket) =>
      blocks.some(([bits, length]) => bits >> (32 - length) === destination >> (32 - length)),
  }));

type PortMeans = (packet: SmallPacket, listener: PolicyEnd) => boolean;
const port: fc.Arbitrary<Drawn<PortMeans>> = fc.oneof(
  fc.record({ protocol: transport, port: fc.nat(7) }).map((at) => ({
    written: { portNumber: at },
    means: (packet: SmallPacket) => packet.protocol === NUMBER[at.protocol] && packet.port === at.port,
  })),
  fc.record({ protocol: transport, start: fc.nat(7), more: fc.nat(3) }).map(({ protocol, start, more }) => ({
    written: { portRange: { protocol, start, end: start + more } },
    means: (packet: SmallPacket) =>
      packet.protocol === NUMBER[protocol] && packet.port >= start && packet.port <= start + more,
  })),
  fc.constant({
    written: { namedPort: "web" },
    means: ({ protocol, port: number }: SmallPacket, listener: PolicyEnd) =>
      listener.kind === "pod" &&
      listener.ports!.some((named) => NUMBER[named.protocol] === protocol && named.port === number),
  }),
);

export interface Rule {
  action: string;
  matches: (packet: SmallPacket, other: PolicyEnd, listener: PolicyEnd) => boolean;
  written: PropertyValue;
}

const ruleWith = (direction: Direction, ...actions: string[]): fc.Arbitrary<Rule> =>
  fc
    .record({
      action: fc.constantFrom(...actions),
      peers: fc.array(direction === Direction.Egress ? fc.oneof(pods, networks) : pods, {
        minLength: 1,
        maxLength: 2,
      }),
      ports: fc.array(port, { maxLength: 2 }),
    })
    .map(({ action, peers, ports }) => ({
      action,
      matches: (packet, other, listener) =>
        peers.some(({ means }) => means(other, packet)) &&
        (ports.length === 0 || ports.some(({ means }) => means(packet, listener))),
      written: {
        action,
        [direction === Direction.Ingress ? "from" : "to"]: peers.map(({ written }) => written),
        ...(ports.length > 0 && { ports: ports.map(({ written }) => written) }),
      },
    }));

export interface Policy {
  priority: number;
  subject: Drawn<MeansEnd>;
  rules: readonly Rule[];
}

export const policyWith = (direction: Direction, ...actions: string[]): fc.Arbitrary<Policy> =>
  fc.record({
    priority: fc.nat(3),
    subject: pods,
    rules: fc.array(ruleWith(direction, ...actions), { maxLength: 3 }),
  });
