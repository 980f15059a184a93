import { peersOf } from "../../flows/hosts";
import { seenAtHosts, type RequiredFlow } from "../../flows/model";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { NO_PACKETS, type PacketSet } from "../packets";
import { packetsOf } from "../path/judge";

/** All packets of a flow with the peers whose addresses the topology says, or has assumed, as filters before its hosts see them. */
export function flowPackets(flow: RequiredFlow, topology: NormalizedTopology): PacketSet {
  const peers = peersOf(topology, flow).filter(({ prefixes }) => prefixes);
  return peers.length === 0 ? NO_PACKETS : packetsOf(seenAtHosts(flow, peers));
}
