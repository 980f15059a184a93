import { flowPackets } from "../../../src/reachability/flows/groupFilter";
import { NO_PACKETS } from "../../../src/reachability/packets/packetSet";
import { Direction, Protocol, Zone, Role } from "../../../src/requirements/vocabulary";
import { requiredFlows } from "../../../src/flows/required/requiredFlows";
import type { FlowPeer, RequiredFlow } from "../../../src/flows/model";
import { said } from "../path/clusters";
import { prefix } from "../smallUniverse";
import { describePackets } from "../shown";

const topology = said({ platform: "None" });
const [some] = requiredFlows(topology) as [RequiredFlow];
const peer = (zone: Zone, ...cidrs: string[]): FlowPeer => ({
  zone,
  input: "",
  ...(cidrs.length > 0 && { prefixes: cidrs.map(prefix) }),
});
const packetsOf = (more: Partial<RequiredFlow>) => {
  const flow: RequiredFlow = {
    ...some,
    role: Role.Workers,
    direction: Direction.Ingress,
    protocol: Protocol.Tcp,
    ports: { from: 443, to: 444 },
    ...more,
  };
  return flowPackets(flow, topology);
};
const lines = (more: Partial<RequiredFlow>) => describePackets(packetsOf(more));

describe("the packets of a flow at its hosts", () => {
  test("come from the peers of ingress or go to the peers of egress, with any address of the hosts themselves", () => {
    const peers = [peer(Zone.ExternalClients, "192.0.2.0/24")];
    expect(lines({ peers })).toEqual(["TCP 443-444 from 192.0.2.0/24 to 0.0.0.0/0"]);
    expect(lines({ peers, direction: Direction.Egress })).toEqual([
      "TCP 443-444 from 0.0.0.0/0 to 192.0.2.0/24",
    ]);
  });

  test("have every port if the flow names none", () => {
    const { ports: _, ...portless } = some;
    const flow = {
      ...portless,
      role: Role.Workers,
      direction: Direction.Ingress,
      protocol: Protocol.Udp,
      peers: [peer(Zone.ExternalClients, "192.0.2.0/24")],
    };
    expect(describePackets(flowPackets(flow, topology))).toEqual(["UDP from 192.0.2.0/24 to 0.0.0.0/0"]);
  });

  test("cover only peers whose addresses the topology states, and are none without such a peer", () => {
    const unsaid = peer(Zone.Routes);
    expect(lines({ peers: [unsaid, peer(Zone.ExternalClients, "192.0.2.0/24")] })).toEqual([
      "TCP 443-444 from 192.0.2.0/24 to 0.0.0.0/0",
    ]);
    expect(packetsOf({ peers: [unsaid] })).toBe(NO_PACKETS);
    expect(packetsOf({ peers: [] })).toBe(NO_PACKETS);
  });

  test("have the hosts' own addresses at the other end for flows within a role", () => {
    const peers = [peer(Zone.SameSecurityGroup)];
    expect(lines({ peers })).toEqual(["TCP 443-444 from 10.0.0.0/16 to 0.0.0.0/0"]);
    expect(lines({ peers, role: Role.ControlPlane })).toEqual(["TCP 443-444 from 10.1.0.0/16 to 0.0.0.0/0"]);
  });
});
