import type { PortRange } from "../../requirements/requirement";
import type { Direction, Phase, Protocol, Service, Zone } from "../../requirements/vocabulary";
import type { FlowPeer, Role } from "../../topology/requiredFlow";

/** Packets as one place sees them, after every translation on the way. */
export interface SeenPackets {
  protocol: Protocol;
  /** Absent: every port, or a protocol without ports. */
  ports?: PortRange;
  /** Where one of the ports is meant and nobody says which: the property that would, empty where there is none. */
  portInput?: string;
  sources: readonly FlowPeer[];
  destinations: readonly FlowPeer[];
}

/** The packet filter of hosts: their security groups and the network ACLs of their subnets. */
export interface HostHop extends SeenPackets {
  kind: "hosts";
  role: Role;
  direction: Direction;
}

/** Pods of the hosted control plane, whose network policies judge what comes in. */
export interface PodHop extends SeenPackets {
  kind: "pods";
  /** Value of the label `app`. */
  app: string;
  /** Who stands behind the sources: pods of a namespace with these labels, or nobody whom policies know by labels. */
  from: PodSender | "addresses";
}

/** Pods that send to a pod. */
export interface PodSender {
  /** Absent: the hosted control plane namespace itself. */
  namespaceLabels?: Readonly<Record<string, string>>;
  labels: Readonly<Record<string, string>>;
}

/** A place on the way at which packets are judged. */
export type Hop = HostHop | PodHop;

/** What the topology does not say, and what no proof goes without. */
export interface MissingInput {
  /** Property of the topology: `loadBalancerTargets`. */
  input: string;
  /** What cannot be said without it. */
  why: string;
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
  /** Parts of the way that nobody can judge. */
  missing: readonly MissingInput[];
  /** Places on the way that no plan shows. */
  outside: readonly string[];
}
