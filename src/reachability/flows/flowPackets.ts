import { Direction, Zone } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { FlowPeer, RequiredFlow } from "../../flows/model";
import { NO_PACKETS, type PacketSet } from "../packets";
import { hostsOf } from "../../flows/hosts";
import { packetsOf } from "../path/judge";

/** All packets of a flow with the peers whose addresses the topology says, or has assumed, as filters before its hosts see them. */
export function flowPackets(flow: RequiredFlow, topology: NormalizedTopology): PacketSet {
  const peers = flow.peers.map((peer) => knownPeer(peer, flow, topology)).filter(({ prefixes }) => prefixes);
  if (peers.length === 0) return NO_PACKETS;
  const { protocol, ports, direction } = flow;
  const isInbound = direction === Direction.Ingress;
  return packetsOf({
    protocol,
    ...(ports && { ports }),
    sources: isInbound ? peers : [],
    destinations: isInbound ? [] : peers,
  });
}

const knownPeer = (peer: FlowPeer, { role }: RequiredFlow, topology: NormalizedTopology): FlowPeer =>
  peer.zone === Zone.SameSecurityGroup ? hostsOf(topology, role) : peer;
