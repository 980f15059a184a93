import type { DocumentReference } from "./documents";
import type { ReleaseRange } from "./release";
import { Direction, Perspective, Phase, Platform, PublishingType } from "./vocabulary";
import type { Protocol, Service, Zone } from "./vocabulary";

/** First and last port, both included. */
export interface PortRange {
  from: number;
  to: number;
}

/** Where another port takes the place of the documented one. */
export interface Replacement {
  platform: Platform;
  /** Absent: with every strategy. */
  publishing?: PublishingType;
  port: number;
}

/** One flow that a document demands or that the software needs, with everything that decides when it holds. */
export interface Requirement {
  /** Stable name. */
  id: string;
  direction: Direction;
  /** The place whose ingress or egress it is. */
  perspective: Perspective;
  platforms: readonly Platform[];
  /** The strategies of `service` with which it holds. */
  publishing: readonly PublishingType[];
  /** The service whose publishing strategy decides; absent where any service's does. */
  service?: Service;
  /** Releases of the hosted cluster with which it holds. Absent: all. */
  releases?: ReleaseRange;
  /** Absent: every port, or a protocol without ports. */
  ports?: PortRange;
  protocol: Protocol;
  /** Who listens (ingress), or who is asked (egress). */
  component: string;
  /** One sentence: who talks to whom, and why. */
  purpose: string;
  sources: readonly Zone[];
  destinations: readonly Zone[];
  phase: Phase;
  /** Whether the traffic is encrypted. Absent: not known. */
  tls?: boolean;
  /** Whether everybody may be a source. Absent for egress. */
  publicAllowed?: boolean;
  /** `pod`: network policies see this port, a host's packet filter does not unless the pod uses the host network. */
  portSeenAt?: "pod";
  /** False: it listens on localhost, and no firewall is to be opened for it. */
  openInFirewall: boolean;
  /** True: only where private networks reach the control plane. */
  privateOnly: boolean;
  replacedOn: readonly Replacement[];
  /** Platforms on which HyperShift refuses the strategies above. */
  upstreamRejects: readonly Platform[];
  /** Where documents are silent or contradict each other. */
  note?: string;
  /** What upstream does differently. */
  upstream?: string;
  documents: readonly DocumentReference[];
}

export const ALL_PLATFORMS: readonly Platform[] = Object.values(Platform);
export const ALL_STRATEGIES: readonly PublishingType[] = Object.values(PublishingType);

/** What most rows have in common. */
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

/** A row, with the usual values where it says nothing. */
export const requirement = (
  row: Omit<Requirement, keyof typeof usual> & Partial<Requirement>,
): Requirement => ({
  ...usual,
  ...row,
});

/** The range of a single port. */
export const port = (number: number): PortRange => ({ from: number, to: number });

/** Whether filters before hosts see what a row asks for. */
export const isSeenAtHosts = ({ openInFirewall, portSeenAt }: Requirement): boolean =>
  openInFirewall && portSeenAt !== "pod";

/** Whether a row asks for what comes into pods of the control plane. */
export const isIntoPods = ({ perspective, direction, openInFirewall }: Requirement): boolean =>
  perspective === Perspective.ControlPlane && direction === Direction.Ingress && openInFirewall;
