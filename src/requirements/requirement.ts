import { at, type DocumentReference, HYPERSHIFT_PORTS, OCP_NETWORKING, OKD_NETWORKING } from "./documents";
import type { ReleaseRange } from "./release";
import { Direction, Perspective, Phase, Platform, PublishingType } from "./vocabulary";
import type { Protocol, Service, Zone } from "./vocabulary";

/** First and last port, inclusive. */
export interface PortRange {
  from: number;
  to: number;
}

/** A port that replaces the documented one. */
export interface Replacement {
  platform: Platform;
  /** Default: every strategy. */
  publishing?: PublishingType;
  port: number;
}

/** One flow that a document or the software requires, with all conditions for it. */
export interface Requirement {
  /** Stable name. */
  id: string;
  direction: Direction;
  /** The place whose ingress or egress it describes. */
  perspective: Perspective;
  platforms: readonly Platform[];
  /** The strategies of `service` for which it applies. */
  publishing: readonly PublishingType[];
  /** The service whose publishing strategy decides; if absent, any service's. */
  service?: Service;
  /** Releases of the hosted cluster for which it applies. Default: all. */
  releases?: ReleaseRange;
  /** If absent: every port, or a protocol without ports. */
  ports?: PortRange;
  protocol: Protocol;
  /** The component that listens (ingress), or that clients call (egress). */
  component: string;
  /** One sentence: who talks to whom, and why. */
  purpose: string;
  sources: readonly Zone[];
  destinations: readonly Zone[];
  phase: Phase;
  /** Whether the traffic is encrypted. If absent, it is not known. */
  tls?: boolean;
  /** Whether everyone may be a source. Absent for egress. */
  publicAllowed?: boolean;
  /** `pod`: network policies see this port, a host's packet filter does not unless the pod uses the host network. */
  portSeenAt?: "pod";
  /** False if it listens on localhost and needs no open firewall. */
  openInFirewall: boolean;
  /** True: only if private networks reach the control plane. */
  privateOnly: boolean;
  replacedOn: readonly Replacement[];
  /** Platforms on which HyperShift refuses the strategies above. */
  upstreamRejects: readonly Platform[];
  /** Gaps or contradictions of the documents. */
  note?: string;
  /** How upstream differs. */
  upstream?: string;
  documents: readonly DocumentReference[];
}

export const ALL_PLATFORMS: readonly Platform[] = Object.values(Platform);
export const ALL_STRATEGIES: readonly PublishingType[] = Object.values(PublishingType);

/** The documents that list what nodes call. */
export const NODE_EGRESS: readonly DocumentReference[] = [
  at(OKD_NETWORKING, "Table 5. Compute node egress requirements"),
  at(OCP_NETWORKING, "14.2.2. Egress requirements"),
  at(HYPERSHIFT_PORTS, "Worker Node Egress Requirements"),
];

/** Defaults that most rows share. */
const usual = {
  platforms: ALL_PLATFORMS,
  publishing: ALL_STRATEGIES,
  sources: [],
  destinations: [],
  phase: Phase.Always,
  openInFirewall: true,
  privateOnly: false,
  replacedOn: [],
  upstreamRejects: [],
} as const;

/** Creates a row, with defaults for what it does not state. */
export const requirement = (
  row: Omit<Requirement, keyof typeof usual> & Partial<Requirement>,
): Requirement => ({ ...usual, ...row });

/** Returns the range of a single port. */
export const port = (number: number): PortRange => ({ from: number, to: number });

/** Whether filters in front of hosts see the traffic of a row. */
export const isSeenAtHosts = ({ openInFirewall, portSeenAt }: Requirement): boolean =>
  openInFirewall && portSeenAt !== "pod";

/** Whether a row requires ingress to pods of the control plane. */
export const isIntoPods = ({ perspective, direction, openInFirewall }: Requirement): boolean =>
  perspective === Perspective.ControlPlane && direction === Direction.Ingress && openInFirewall;
