import { Duty } from "../requirements/othersFilters";
import { Direction, Protocol, Zone } from "../requirements/vocabulary";
import { nodeFlows } from "../topology/flows/nodeNetwork";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { Role, flowKey, type RequiredFlow } from "../topology/requiredFlow";
import { requiredFlows } from "../topology/requiredFlows";
import { byNodes, hopOf } from "./hosts";
import type { HostHop, Journey } from "./journey";
import { isTunnel } from "./nodeTunnels";
import { Outside } from "./outside";
import { senderHops } from "./senderHops";

/** What hosts ask outside, and what nodes need among themselves: flows with one place on the way that a plan shows. */
export function otherJourneys(topology: NormalizedTopology): Journey[] {
  const outward = requiredFlows(topology).filter(
    ({ direction, role, protocol, key }) =>
      direction === Direction.Egress &&
      (role === Role.ControlPlane || OUTWARD.has(key)) &&
      protocol !== Protocol.Any,
  );
  const among = [Role.ControlPlane, Role.Workers] as const;
  const nodes = among
    .flatMap((role) => nodeFlows(topology, role))
    .filter((flow) => !flow.optIn && !isTunnel(flow));
  return [...outward, ...nodes].map((flow) => journeyOf(topology, flow));
}

/** Flows of workers that no published service stands behind. */
const OUTWARD: ReadonlySet<string> = new Set(["https", "dns-tcp", "dns-udp"]);

function journeyOf(topology: NormalizedTopology, flow: RequiredFlow): Journey {
  const { direction, peers, phase, purpose } = flow;
  const hop = hopOf(topology, flow);
  return {
    key: flowKey(flow).replaceAll("/", "-"),
    title: purpose,
    from: (direction === Direction.Egress ? hop.sources : peers)[0]?.zone ?? Zone.Any,
    phase,
    hops: [...senderHops(flow), flow.key.startsWith("nodes-") ? byNodes(topology, hop) : withDuty(flow, hop)],
    missing: [],
    outside: outsideOf(flow),
  };
}

/** What load balancers send to node ports their controller lets in. */
const withDuty = ({ key }: RequiredFlow, hop: HostHop): HostHop =>
  key.startsWith("load-balancer-") ? { ...hop, duty: Duty.Others } : hop;

function outsideOf({ direction, role, key }: RequiredFlow): Outside[] {
  if (direction === Direction.Egress && !key.startsWith("nodes-"))
    return [Outside.OtherEnd, Outside.DnsAnswers, ...(key.startsWith("dns-") ? [Outside.VpcServices] : [])];
  return role === Role.ControlPlane && key.startsWith("load-balancer-")
    ? [Outside.LoadBalancerListeners, Outside.ControllerGroups]
    : [];
}
