import { Direction, Protocol, Zone } from "../../requirements/vocabulary";
import { nodeFlows } from "../../topology/flows/nodeNetwork";
import { peerFrom, workers } from "../../topology/flows/peers";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { Role, flowKey, type FlowPeer, type RequiredFlow } from "../../topology/requiredFlow";
import { requiredFlows } from "../../topology/requiredFlows";
import type { HostHop, Journey } from "./journey";

/** What hosts ask outside, and what nodes need among themselves: flows with one place on the way that a plan shows. */
export function otherJourneys(topology: NormalizedTopology): Journey[] {
  const outward = requiredFlows(topology).filter(
    ({ direction, role, protocol, key }) =>
      direction === Direction.Egress &&
      (role === Role.ControlPlane || OUTWARD.has(key)) &&
      protocol !== Protocol.Any,
  );
  const among = [Role.ControlPlane, Role.Workers] as const;
  const nodes = among.flatMap((role) => nodeFlows(topology, role)).filter(({ optIn }) => !optIn);
  return [...outward, ...nodes].map((flow) => journeyOf(topology, flow));
}

/** Flows of workers that no published service stands behind. */
const OUTWARD: ReadonlySet<string> = new Set(["https", "dns-tcp", "dns-udp"]);

function journeyOf(topology: NormalizedTopology, flow: RequiredFlow): Journey {
  const { role, direction, protocol, ports, peers, phase, purpose } = flow;
  const isOutward = direction === Direction.Egress;
  const own = [addressesOf(topology, role)];
  const hop: HostHop = {
    kind: "hosts",
    role,
    direction,
    protocol,
    ...(ports && { ports }),
    sources: isOutward ? own : peers,
    destinations: isOutward ? peers : own,
  };
  return {
    key: flowKey(flow).replaceAll("/", "-"),
    title: purpose,
    from: isOutward ? zoneOf[role] : (peers[0]?.zone ?? Zone.Any),
    phase,
    hops: [hop],
    missing: [],
    outside: isOutward ? ["what the other end lets in", "routes and DNS answers"] : ["routes"],
  };
}

const zoneOf: Readonly<Record<Role, Zone>> = {
  [Role.ControlPlane]: Zone.ControlPlane,
  [Role.Workers]: Zone.Workers,
  [Role.PrivateEndpoint]: Zone.MachineNetwork,
};

function addressesOf(topology: NormalizedTopology, role: Role): FlowPeer {
  if (role === Role.Workers) return workers(topology);
  return role === Role.ControlPlane
    ? peerFrom(topology, Zone.ControlPlane, "managementClusterCidrs")
    : peerFrom(topology, Zone.MachineNetwork, "machineNetwork");
}
