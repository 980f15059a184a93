import type { Prefix } from "../address";
import type { PortRange } from "../requirements/requirement";
import type { Direction, Phase, Protocol, Zone } from "../requirements/vocabulary";

export type { PortRange } from "../requirements/requirement";

/** The group of hosts whose packet filter has to let a flow pass. */
export enum Role {
  /** Nodes of the management cluster that carry hosted control planes. */
  ControlPlane = "control-plane",
  /** Compute nodes of the hosted cluster. */
  Workers = "workers",
  /** The VPC endpoint through which private clusters are reached. */
  PrivateEndpoint = "private-endpoint",
}

/** Whether a flow is written as the documents write it, or as the filter at that hop sees it. */
export enum View {
  /** Port and source as in the requirement documents: pod and service ports. */
  Documented = "documented",
  /** Port and source after translation: node ports, load balancers' and NAT addresses. */
  Hop = "hop",
}

/** The other end of a flow. */
export interface FlowPeer {
  zone: Zone;
  /** Its addresses; absent where the topology does not say them. */
  prefixes?: readonly Prefix[];
  /**
   * The topology property that says the addresses: `externalClientCidrs`. Empty for the group itself and for everything
   * (`Zone.SameSecurityGroup`, `Zone.Any`).
   */
  input: string;
  /** True where `prefixes` is what is opened for want of that property. */
  assumed?: boolean;
  /** True where `prefixes` is absent because a plan does not know that property yet. */
  unknown?: boolean;
}

/** A flow that one hosted cluster needs, as one group of hosts sees it. */
export interface RequiredFlow {
  /** Stable name, unique in a role and direction: `kube-apiserver`, `konnectivity-node-port`. */
  key: string;
  /** Id of the requirement row that demands it. */
  requirement: string;
  role: Role;
  direction: Direction;
  protocol: Protocol;
  /** Absent: every port, or a protocol without ports. */
  ports?: PortRange;
  /** Sources of an ingress flow, destinations of an egress flow. */
  peers: readonly FlowPeer[];
  view: View;
  phase: Phase;
  /** One sentence for rule descriptions and tables: who talks to whom, and why. */
  purpose: string;
  /**
   * True where no rule is made unless the user asks for the key: pod ports that a host firewall does not see, and what
   * nodes have by another group.
   */
  optIn: boolean;
  /** True where answers go to this port too, or have none: tunnels and protocols without ports. Filters that keep no state ask. */
  samePortBothWays?: true;
  /** Whether 0.0.0.0/0 is an acceptable peer. */
  publicAllowed: boolean;
  /** Where the sources disagree or upstream differs. */
  notes: readonly string[];
  /** Document and heading of each source: `OKD networking, Table 1. Common ingress ports`. */
  documents: readonly string[];
}

/** The key by which users name the rules of a flow: `control-plane/ingress/konnectivity`. */
export function flowKey({ role, direction, key }: RequiredFlow): string {
  return `${role}/${direction}/${key}`;
}

/** Whether a flow has the port of a pod, which no filter of hosts is asked for by itself. */
const isOfPods = ({ optIn, role, view }: RequiredFlow): boolean =>
  optIn && role === Role.ControlPlane && view === View.Documented;

/** Which of some flows network policies alone see: those of ports of pods, unless load balancers lead hosts to the same port. */
export function podsOnlyAmong(flows: readonly RequiredFlow[]): (flow: RequiredFlow) => boolean {
  const packets = ({ role, direction, protocol, ports }: RequiredFlow) =>
    JSON.stringify([role, direction, protocol, ports]);
  const seen = new Set(flows.filter((flow) => !isOfPods(flow)).map(packets));
  return (flow) => isOfPods(flow) && !seen.has(packets(flow));
}
