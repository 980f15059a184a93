import { prefixOf } from "../../../src/address";
import { parseAddress } from "../../../src/address/parse";
import {
  explainPacket,
  readPacketQuery,
  type PacketQuery,
} from "../../../src/reachability/answers/explain/explainPacket";
import { TRANSPORT_NUMBER, service } from "../../../src/reachability/packets/service";
import { contains, packets } from "../../../src/reachability/packets/packetSet";
import { neededPackets } from "../../../src/reachability/path/excess";
import { ALL_PLATFORMS } from "../../../src/requirements/requirement";
import { Direction, Platform, Protocol, Role } from "../../../src/requirements/vocabulary";
import { faultsOf, normal, openly, published } from "../../topology/topologies";
import { everything } from "../path/clusters";

const cases = ALL_PLATFORMS.flatMap((platform) =>
  Object.entries(published).flatMap(([strategy, services]) =>
    ["instance", "ip"].map((targets) => ({
      platform,
      strategy,
      targets,
      raw: { ...everything, ...openly(platform), platform, services, loadBalancerTargets: targets },
    })),
  ),
).filter(({ raw }) => faultsOf(raw).length === 0);

const host = (text: string) => prefixOf(parseAddress(text).address!);
const OWN = { [Role.Workers]: host("10.0.3.4"), [Role.ControlPlane]: host("10.1.3.4") };
const PLACES = ([Role.Workers, Role.ControlPlane] as const).flatMap((role) =>
  Object.values(Direction).map((direction) => ({ role, direction, place: `${direction} of ${role}` })),
);
/** Workers, nodes of the management cluster, load balancers, NAT, users, endpoints, registries, and an address of none of these. */
const OTHERS = [
  "10.0.9.9",
  "10.1.9.9",
  "10.1.0.9",
  "198.51.100.7",
  "203.0.113.9",
  "192.0.2.9",
  "198.51.100.200",
  "8.8.8.8",
].map(host);
const SERVICES = [
  ...[22, 53, 443, 2040, 6443, 7443, 8091, 8443, 9090, 9500, 10250, 31000].map((port) => ({
    protocol: Protocol.Tcp,
    port,
  })),
  ...[53, 500, 6081, 9880].map((port) => ({ protocol: Protocol.Udp, port })),
];

describe.each(cases)("explain of $platform with $strategy and $targets targets", ({ raw }) => {
  const topology = normal(raw);
  const needed = neededPackets(topology);

  test.each(PLACES)("agrees with check and prove on packets at $place", ({ role, direction, place }) => {
    const all = OTHERS.flatMap((other) => SERVICES.map((what) => ({ other, ...what })));
    const differing = all.filter(({ other, protocol, port }) => {
      const [source, destination] = direction === Direction.Ingress ? [other, OWN[role]] : [OWN[role], other];
      const range = service(TRANSPORT_NUMBER[protocol]!, { from: port, to: port });
      const packet = packets({ services: [range], sources: [source], destinations: [destination] });
      const query: PacketQuery = {
        source: { prefix: source },
        destination: { prefix: destination },
        protocol,
        port,
      };
      const here = explainPacket(query, topology).flows.filter((flow) => flow.place === place);
      const isNeeded = contains(needed(role, direction), packet);
      return isNeeded ? here.length === 0 : here.some(({ sure }) => sure);
    });
    expect(differing.map(({ other, protocol, port }) => `${other.text} ${protocol} ${port}`)).toEqual([]);
  });
});

test("what nodes of one group send to each other comes only from these nodes", () => {
  const topology = normal({ ...everything, ...openly(Platform.AWS), platform: Platform.AWS });
  const flowsOf = (source: string) =>
    explainPacket(readPacketQuery(`${source} -> 10.0.3.4, UDP 6081`)!, topology).flows.filter(
      ({ place }) => place === "ingress of workers",
    );
  expect(flowsOf("10.0.9.9").map(({ key, sure }) => [key, sure])).toContainEqual([
    "workers/ingress/worker-udp-6081",
    true,
  ]);
  expect(flowsOf("203.0.113.9")).toEqual([]);
  expect(flowsOf("same-security-group")).not.toEqual([]);
});
