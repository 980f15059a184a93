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

/** Whether a flow is given as in the documents, or as the filter at that hop sees it. */
export enum View {
  /** Port and source as in the requirement documents: pod and service ports. */
  Documented = "documented",
  /** Port and source after translation: node ports, load balancers' and NAT addresses. */
  Hop = "hop",
}

/** The other end of a flow. */
export interface FlowPeer {
  zone: Zone;
  /** Its addresses. Undefined if the topology does not state them. */
  prefixes?: readonly Prefix[];
  /**
   * The topology property that states the addresses: `externalClientCidrs`. Empty for the group itself and for everything
   * (`Zone.SameSecurityGroup`, `Zone.Any`).
   */
  input: string;
  /** True if `prefixes` is what is opened because that property is not set. */
  assumed?: boolean;
  /** True if `prefixes` is undefined because a plan does not know that property yet. */
  unknown?: boolean;
  /** The addresses that packets of the flow have, if they are not all of `prefixes`: the others are opened too, and are no excess. */
  needed?: readonly Prefix[];
}

/** The peers with the addresses that packets of a flow have, without those that are only opened too. */
export const neededPeers = (peers: readonly FlowPeer[]): FlowPeer[] =>
  peers.flatMap(({ needed, ...peer }) =>
    needed === undefined ? [peer] : needed.length > 0 ? [{ ...peer, prefixes: needed }] : [],
  );

/** Protocol and ports of packets. */
export interface Traffic {
  protocol: Protocol;
  /** Undefined: every port, or a protocol without ports. */
  ports?: PortRange;
  /** True if replies go to this port too, or have none: tunnels and protocols without ports. Stateless filters need this. */
  samePortBothWays?: true;
}

/** What the filter of hosts must allow in one direction for a hosted cluster. Components create rules from it. */
export interface RequiredFlow extends Traffic {
  /** Stable name, unique in a role and direction: `kube-apiserver`, `konnectivity-node-port`. */
  key: string;
  /** Id of the requirement row that requires it. */
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
   * True if no rule is created unless the user requests the key: pod ports that a host firewall does not see, and what
   * another group of the nodes allows.
   */
  optIn: boolean;
  /** Whether 0.0.0.0/0 is an acceptable peer. */
  publicAllowed: boolean;
  /** Points on which the sources disagree or upstream differs. */
  notes: readonly string[];
  /** Document and heading of each source: `OKD networking, Table 1. Common ingress ports`. */
  documents: readonly string[];
}

/** The key by which users name the rules of a flow: `control-plane/ingress/konnectivity`. */
export function flowKey({ role, direction, key }: RequiredFlow): string {
  return `${role}/${direction}/${key}`;
}

/** Packets as one place sees them, after every translation on the path. */
export interface SeenPackets extends Traffic {
  /** Set if one of the ports is meant and it is not stated which: the property that would state it, empty if there is none. */
  portInput?: string;
  sources: readonly FlowPeer[];
  destinations: readonly FlowPeer[];
}

/** Packets between hosts and their peers. Without `own`, the hosts' own addresses are open: filters in front of hosts do not need them. */
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

/** The end of packets that rules of a direction name. */
export const namedEnds = (
  direction: Direction,
  { sources, destinations }: Pick<SeenPackets, "sources" | "destinations">,
): readonly FlowPeer[] => (direction === Direction.Ingress ? sources : destinations);

/** The packet filter of hosts: their security groups and the network ACLs of their subnets. */
export interface HostHop extends SeenPackets {
  kind: "hosts";
  role: Role;
  direction: Direction;
  /** The required flow that these packets are all or part of. Undefined if an unknown value decides which one. */
  flow?: { key: string; requirement: string };
  /** Who has to make security groups allow these packets. Default: the plan. */
  duty?: Duty;
  /** What these packets encapsulate, if they do: `traffic of pods between nodes`. */
  carries?: string;
}

/** Pods of the hosted control plane, whose network policies judge incoming packets. */
export interface PodHop extends SeenPackets {
  kind: "pods";
  /** Value of the label `app`. */
  app: string;
  /** The senders: pods of a namespace with these labels, or senders that policies do not identify by labels. */
  from: PodSender | "addresses";
  /** The published service to which it leads, whichever journey continues from there. */
  service?: Service;
}

/** Any pods of the hosted control plane, whose network policies judge outgoing packets. */
export interface SenderHop extends SeenPackets {
  kind: "senders";
  /** What policies see at the other end: pods of a namespace with these labels, or only addresses. */
  to: Readonly<Record<string, string>> | "addresses";
}

/** Pods that send to a pod. */
export interface PodSender {
  /** Default: the hosted control plane namespace itself. */
  namespaceLabels?: Readonly<Record<string, string>>;
  labels: Readonly<Record<string, string>>;
}

/** Pods of a namespace, whose egress firewall judges what leaves their cluster. */
export interface NamespaceHop extends SeenPackets {
  kind: "namespace";
  /** Whether the namespace is in the hosted cluster, or that of its control plane in the management cluster. */
  cluster: "hosted" | "management";
  /** Name of the namespace, or of its egress firewall if a plan does not know the namespace yet. */
  namespace: string;
}

/** A listener on the node itself: nothing that a plan shows judges these packets. */
export interface NodeHop extends SeenPackets {
  kind: "node";
  /** What listens there. */
  listener: NodeApiProxy;
}

/** A public load balancer with a list of the clients that it lets in. */
export interface BalancerHop extends SeenPackets {
  kind: "balancer";
  /** The addresses that it lets in. */
  allowed: readonly Prefix[];
  /** The HostedCluster that lists them. */
  listedBy: Resource;
}

/** A place on the path at which packets are judged. */
export type Hop = HostHop | PodHop | SenderHop | NamespaceHop | NodeHop | BalancerHop;

/** A value that the topology does not state and that a proof needs. */
export interface MissingInput {
  /** Property of the topology: `loadBalancerTargets`. */
  input: string;
  /** What cannot be determined without it. */
  why: string;
  /** What the property would have to name in addition, if it is set but incomplete. */
  add?: string;
}

/** One documented flow on its whole path. */
export interface Journey {
  /** Stable, unique in a cluster: `workers-konnectivity`. */
  key: string;
  /** One sentence: who talks to whom, and by which path. */
  title: string;
  from: Zone;
  service?: Service;
  phase: Phase;
  hops: readonly Hop[];
  /** Parts of the path that cannot be judged. */
  missing: readonly MissingInput[];
  /** What else decides on the path and is in no plan: ids of `outsideModel`. */
  outside: readonly Outside[];
  /** True if not all pods need it: a filter may drop it on purpose. */
  optional?: true;
}
