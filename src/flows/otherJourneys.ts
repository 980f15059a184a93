import { Duty } from "../requirements/othersFilters";
import { Outside } from "../requirements/outsideModel";
import { Direction, Phase, Protocol, Role, Zone } from "../requirements/vocabulary";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { byNodes, hopOf } from "./hosts";
import { type HostHop, type Journey, type RequiredFlow, flowKey } from "./model";
import { workers } from "./peers";
import { senderHops } from "./podHops";
import { nodeFlows } from "./required/nodes";
import { proxyFlows } from "./required/proxies";
import { requiredFlows } from "./required/requiredFlows";
import { isTunnel } from "./tunnels";

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

/** Workers reach the proxies, through which they then ask for images and whatever else is outside. */
export const proxyJourneys = (topology: NormalizedTopology): Journey[] =>
  proxyFlows(topology).map((flow) => ({
    key: `workers-${flow.key}`,
    title: flow.purpose,
    from: workers(topology).zone,
    phase: Phase.Always,
    hops: [byNodes(topology, hopOf(topology, flow))],
    missing: [],
    outside: [Outside.HttpProxy, Outside.DnsAnswers],
  }));
