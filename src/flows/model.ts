import type { Prefix } from "../address";
import type { Duty } from "../requirements/othersFilters";
import type { Outside } from "../requirements/outsideModel";
import type { PortRange } from "../requirements/requirement";
import {
  Direction,
  type Phase,
  type Protocol,
  type Role,
  type Service,
  type Zone,
} from "../requirements/vocabulary";
import type { Resource } from "../resources/resource";
import type { NodeApiProxy } from "../topology/proxy/apiProxy";

export type { PortRange } from "../requirements/requirement";

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

/** Protocol and ports of packets. */
export interface Traffic {
  protocol: Protocol;
  /** Absent: every port, or a protocol without ports. */
  ports?: PortRange;
  /** True where answers go to this port too, or have none: tunnels and protocols without ports. Filters that keep no state ask. */
  samePortBothWays?: true;
}

/** What the filter of some hosts has to let pass in one direction for a hosted cluster: with it components make rules. */
export interface RequiredFlow extends Traffic {
  /** Stable name, unique in a role and direction: `kube-apiserver`, `konnectivity-node-port`. */
  key: string;
  /** Id of the requirement row that demands it. */
  requirement: string;
  role: Role;
  direction: Direction;
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

/** Packets as one place sees them, after every translation on the way. */
export interface SeenPackets extends Traffic {
  /** Where one of the ports is meant and it is not stated which: the property that would, empty where there is none. */
  portInput?: string;
  sources: readonly FlowPeer[];
  destinations: readonly FlowPeer[];
}

/** Packets between some hosts and their peers. The hosts' own addresses are open where they are left out: filters before hosts do not ask. */
export const seenAtHosts = (
  { direction, protocol, ports, samePortBothWays }: Traffic & { direction: Direction },
  peers: readonly FlowPeer[],
  own: readonly FlowPeer[] = [],
): SeenPackets => ({
  protocol,
  ...(ports && { ports }),
  ...(samePortBothWays && { samePortBothWays }),
  ...(direction === Direction.Ingress
    ? { sources: peers, destinations: own }
    : { sources: own, destinations: peers }),
});

/** The packet filter of hosts: their security groups and the network ACLs of their subnets. */
export interface HostHop extends SeenPackets {
  kind: "hosts";
  role: Role;
  direction: Direction;
  /** The required flow whose packets these are, or some of them. Absent where an unknown value decides which one. */
  flow?: { key: string; requirement: string };
  /** Whose duty it is that security groups let these packets pass. Absent: the plan's. */
  duty?: Duty;
  /** What these packets have in them, where that is other packets: `traffic of pods between nodes`. */
  carries?: string;
}

/** Pods of the hosted control plane, whose network policies judge what comes in. */
export interface PodHop extends SeenPackets {
  kind: "pods";
  /** Value of the label `app`. */
  app: string;
  /** Who stands behind the sources: pods of a namespace with these labels, or senders that policies do not know by labels. */
  from: PodSender | "addresses";
  /** The published service to which it leads, whichever journey goes on from there. */
  service?: Service;
}

/** Pods of the hosted control plane, no matter which, whose network policies judge what leaves them. */
export interface SenderHop extends SeenPackets {
  kind: "senders";
  /** Whom policies see at the other end: pods of a namespace with these labels, or only addresses. */
  to: Readonly<Record<string, string>> | "addresses";
}

/** Pods that send to a pod. */
export interface PodSender {
  /** Absent: the hosted control plane namespace itself. */
  namespaceLabels?: Readonly<Record<string, string>>;
  labels: Readonly<Record<string, string>>;
}

/** Pods of a namespace, whose egress firewall judges what leaves their cluster. */
export interface NamespaceHop extends SeenPackets {
  kind: "namespace";
  /** Whether the namespace is in the hosted cluster, or that of its control plane in the management cluster. */
  cluster: "hosted" | "management";
  /** Name of the namespace; of its egress firewall where a plan does not know it yet. */
  namespace: string;
}

/** What answers on a node itself: nothing that a plan shows judges these packets. */
export interface NodeHop extends SeenPackets {
  kind: "node";
  /** What listens there. */
  listener: NodeApiProxy;
}

/** A public load balancer with a list of those whom it lets in. */
export interface BalancerHop extends SeenPackets {
  kind: "balancer";
  /** Whom it lets in. */
  allowed: readonly Prefix[];
  /** The HostedCluster that lists them. */
  listedBy: Resource;
}

/** A place on the way at which packets are judged. */
export type Hop = HostHop | PodHop | SenderHop | NamespaceHop | NodeHop | BalancerHop;

/** What the topology does not say, and what no proof goes without. */
export interface MissingInput {
  /** Property of the topology: `loadBalancerTargets`. */
  input: string;
  /** What cannot be said without it. */
  why: string;
  /** What the property would have to name besides, where it is said and leaves that out. */
  add?: string;
}

/** One documented flow on its whole way. */
export interface Journey {
  /** Stable, unique in a cluster: `workers-konnectivity`. */
  key: string;
  /** One sentence: who talks to whom, and which way. */
  title: string;
  from: Zone;
  service?: Service;
  phase: Phase;
  hops: readonly Hop[];
  /** Parts of the way that cannot be judged. */
  missing: readonly MissingInput[];
  /** What decides on the way too and stands in no plan: ids of `outsideModel`. */
  outside: readonly Outside[];
  /** True where not all pods need it: what drops it may well be meant to. */
  optional?: true;
}
