import fc from "fast-check";
import { PROTOCOL_NUMBER } from "../../../src/reachability/packets/service";
import type { Trial } from "../compare";
import type { Manifest } from "../manifests";
import { NODES, addressesAt } from "../network";
import type { End, Packet, Pod, Scene } from "../scene";
import { adminPolicies } from "./adminPolicies";
import { egressFirewalls } from "./egressFirewalls";
import { networkPolicies } from "./networkPolicies";
import { ADDRESSES, NAMES, PORTS, PORT_NAMES, labels, type Objects } from "./pools";

const NAMESPACES = ["a", "b", "c"];
const PODS_OF_ONE = 2;

/** The kinds of objects that govern the pods of scenes: scenes use these in turn. */
const KINDS: readonly (readonly Objects[])[] = [
  [networkPolicies],
  [egressFirewalls],
  [networkPolicies, egressFirewalls],
  [adminPolicies, networkPolicies],
];

/** Each scene has its own seed, and no two runs share one. */
const SEEDS_OF_ONE_RUN = 100_000;

/** Generates the same trials for the same seed: enough scenes for that many objects, with at least that many packets in total. */
export function trialsWith(objects: number, packets: number, run: number): Trial[] {
  const seed = run * SEEDS_OF_ONE_RUN;
  const scenes = scenesWith(objects, seed);
  const each = Math.ceil(packets / scenes.length);
  return scenes.map((scene, position) => ({
    scene,
    packets: packetsIn(scene, each, seed + position),
    ports: Math.floor(position / KINDS.length) % 2 === 0 ? "written" : "specified",
  }));
}

function scenesWith(objects: number, seed: number): Scene[] {
  const scenes: Scene[] = [];
  for (let count = 0; count < objects; count += scenes.at(-1)!.objects.length)
    scenes.push(fc.sample(sceneAt(scenes.length), { seed: seed + scenes.length, numRuns: 1 })[0]!);
  return scenes;
}

function sceneAt(position: number): fc.Arbitrary<Scene> {
  const id = `scene${position}`;
  const names = NAMESPACES.map((name) => `${id}-${name}`);
  const kinds = KINDS[position % KINDS.length]!;
  return fc
    .tuple(
      fc.tuple(...names.map(() => labels)),
      fc.tuple(...names.flatMap((namespace, at) => podsIn(namespace, at))),
      fc.tuple(...kinds.map((objects) => objects(names))),
    )
    .map(([namespaceLabels, pods, objects]) => ({
      id,
      namespaces: Object.fromEntries(names.map((name, at) => [name, namespaceLabels[at]!])),
      pods,
      objects: distinctNames(objects.flat()),
      names: NAMES,
    }));
}

/** Makes names distinct, because two objects of one kind and namespace cannot have the same name. */
const distinctNames = (objects: readonly Manifest[]): Manifest[] =>
  objects.map((object, position) =>
    object.kind === "NetworkPolicy"
      ? { ...object, metadata: { ...object.metadata, name: `policy-${position}` } }
      : object,
  );

const podPorts = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...PORT_NAMES),
    protocol: fc.constantFrom("TCP", "UDP"),
    port: fc.constantFrom(...PORTS),
  }),
  { maxLength: 2, selector: ({ name }) => name },
);

const podsIn = (namespace: string, position: number): fc.Arbitrary<Pod>[] =>
  Array.from({ length: PODS_OF_ONE }, (_, at) => {
    const node = (position + at) % NODES.length;
    return fc.record({
      name: fc.constant(`${namespace}-${at}`),
      namespace: fc.constant(namespace),
      labels,
      ports: podPorts,
      node: fc.constant(node),
      addresses: fc.constant(addressesAt(position * PODS_OF_ONE + at, node)),
    });
  });

const { tcp, udp, sctp, icmp, icmpV6 } = PROTOCOL_NUMBER;
/** Generic routing encapsulation: a protocol without ports. */
const GRE = 47;
const ECHO = { 4: [8, 0, 3 * 256 + 4], 6: [128, 129, 2] } as const;

const serviceIn = (family: 4 | 6): fc.Arbitrary<Pick<Packet, "protocol" | "port">> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        protocol: fc.constantFrom(tcp, tcp, udp, sctp),
        port: fc.oneof(fc.constantFrom(...PORTS), fc.constantFrom(2, 79, 81, 444, 8079, 29_999, 65_534)),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        protocol: fc.constant(family === 4 ? icmp : icmpV6),
        port: fc.constantFrom(...ECHO[family].map((type) => (type < 256 ? type * 256 : type))),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ protocol: GRE, port: 0 }) },
  );

/** That many packets, each with at least one end at a pod of the scene. */
function packetsIn({ pods }: Scene, count: number, seed: number): Packet[] {
  // Most policies, and the firewall above all, are in the first namespaces.
  const governed = pods.filter(({ namespace }) => !namespace.endsWith(NAMESPACES.at(-1)!));
  const pod = fc.constantFrom(...pods, ...governed, ...governed).map((one): End => ({ pod: one }));
  const packet = fc.constantFrom(4 as const, 6 as const).chain((family) => {
    const outside = fc.constantFrom(...ADDRESSES[family]).map((address): End => ({ address }));
    const ends = fc.oneof(
      fc.tuple(pod, pod).filter(([from, to]) => differ(from, to)),
      fc.tuple(pod, outside),
      fc.tuple(pod, outside),
      fc.tuple(outside, pod),
    );
    return fc
      .tuple(ends, serviceIn(family))
      .map(([[from, to], service]): Packet => ({ family, from, to, ...service }));
  });
  return fc.sample(packet, { seed, numRuns: count });
}

/** Excludes packets from a pod to itself, which do not leave the pod. */
const differ = (a: End, b: End): boolean => !("pod" in a && "pod" in b && a.pod.name === b.pod.name);
