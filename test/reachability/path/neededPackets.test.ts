import {
  NO_PACKETS,
  contains,
  equal,
  union,
  type PacketSet,
} from "../../../src/reachability/packets/packetSet";
import { journeys } from "../../../src/flows/journeys";
import { bootstrapPackets, neededPackets } from "../../../src/reachability/path/excess";
import { packetsOf } from "../../../src/reachability/path/duty";
import { hostsOf } from "../../../src/flows/hops";
import { Direction, Protocol, Zone, Role } from "../../../src/requirements/vocabulary";
import { readPrefix } from "../../../src/address";
import { possibleFlows, requiredFlows } from "../../../src/flows/required/requiredFlows";
import { nodeFlows } from "../../../src/flows/required/nodes";
import type { NormalizedTopology } from "../../../src/topology/normalizedTopology";
import { readings } from "../../../src/topology/readings";
import type { FlowPeer } from "../../../src/flows/model";
import { pinned, said } from "./clusters";

const places = Object.values(Role).flatMap((role) =>
  Object.values(Direction).map((direction) => ({ role, direction })),
);

/** The packets that one topology without unknown values needs at a place, with the hosts' own side open. */
function neededAt(topology: NormalizedTopology, role: Role, direction: Direction): PacketSet {
  const isHere = (one: { role: Role; direction: Direction }) =>
    one.role === role && one.direction === direction;
  const isIngress = direction === Direction.Ingress;
  const hops = journeys(topology).flatMap((journey) =>
    journey.hops.flatMap((hop) =>
      hop.kind === "hosts" && isHere(hop)
        ? [{ ...hop, peers: isIngress ? hop.sources : hop.destinations }]
        : [],
    ),
  );
  const nodes = role === Role.PrivateEndpoint ? [] : nodeFlows(topology, role);
  const flows = [...requiredFlows(topology), ...possibleFlows(topology), ...nodes].filter(isHere);
  const own = (peer: FlowPeer) => (peer.zone === Zone.SameSecurityGroup ? hostsOf(topology, role) : peer);
  return [...flows, ...hops].reduce((all, { protocol, ports, peers }) => {
    const [sources, destinations] = isIngress ? [peers.map(own), []] : [[], peers.map(own)];
    return union(all, packetsOf({ protocol, ...(ports && { ports }), sources, destinations }));
  }, NO_PACKETS);
}

const bare = said({ platform: "None", services: pinned });
const aws = said({ platform: "AWS", endpointAccess: "PublicAndPrivate", loadBalancerTargets: "instance" });

describe("the needed packets at hosts", () => {
  test.each([bare, aws])("are those of all flows and journeys together: $platform", (topology) => {
    const needed = neededPackets(topology);
    for (const { role, direction } of places)
      expect(equal(needed(role, direction), neededAt(topology, role, direction))).toBe(true);
    expect(neededPackets(topology)).toBe(needed);
  });

  test("are those of every possible value if a value is unknown", () => {
    const topology = { ...aws, unknown: ["endpointAccess", "loadBalancerTargets"] };
    const needed = neededPackets(topology);
    for (const { role, direction } of places) {
      const all = readings(topology).map((reading) => neededAt(reading.topology, role, direction));
      expect(equal(needed(role, direction), all.reduce(union, NO_PACKETS))).toBe(true);
    }
  });

  test("for joining nodes are the same if it is unknown whether nodes still join", () => {
    const [known, unknown] = [bootstrapPackets(bare), bootstrapPackets({ ...bare, unknown: ["bootstrap"] })];
    for (const { role, direction } of places)
      expect(equal(known(role, direction), unknown(role, direction))).toBe(true);
    const undecided = bootstrapPackets({ ...aws, unknown: ["loadBalancerTargets"] });
    for (const { role, direction } of places)
      expect(contains(undecided(role, direction), bootstrapPackets(aws)(role, direction))).toBe(true);
  });
});

test("toward node ports, the address is needed, and every node stays open, to which a user may move it", () => {
  const konnectivity = { ...pinned.konnectivity, address: "10.9.0.5" };
  const topology = said({ platform: "None", services: { ...pinned, konnectivity } });
  const needed = neededPackets(topology)(Role.Workers, Direction.Egress);
  const to = (destination: string, port: number) =>
    contains(
      needed,
      packetsOf({
        protocol: Protocol.Tcp,
        ports: { from: port, to: port },
        sources: [],
        destinations: [{ zone: Zone.ControlPlane, input: "", prefixes: [readPrefix(destination)!] }],
      }),
    );
  expect(["10.9.0.5/32", "10.1.0.0/16", "10.9.0.6/32"].map((one) => to(one, 31_091))).toEqual([
    true,
    true,
    false,
  ]);
  expect(to("10.9.0.5/32", 31_443)).toBe(false);
});
