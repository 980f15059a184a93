import {
  OCP_4_7_OVN,
  EGRESS_ROUTER_CNI,
  NETWORK_OPERATOR,
  OCP_OVN,
  OCP_RELEASE_NOTES,
  at,
  type DocumentReference,
} from "./documents";
import { since, type Release, type Since } from "./release";
import { InfrastructurePlatform } from "./vocabulary";

/** What the documents state about a feature on one platform. */
export interface PlatformSupport {
  /** `unstated`: no document names the platform. */
  works: "yes" | "no" | "unstated";
  /** The first release in which it works. Default: all. */
  since?: Release;
  /** Why it does not work, before `since` or at all. */
  reason?: string;
  documents: readonly DocumentReference[];
}

/** What the documents state about a feature on every platform. */
export type SupportTable = Readonly<Record<InfrastructurePlatform, PlatformSupport>>;

const addresses4 = at(OCP_4_7_OVN, "15.9.1.1. Platform support");
const addressesToday = at(OCP_OVN, "Configuring an egress IP address, Platform support");
const notes = (release: string) => at(OCP_RELEASE_NOTES, `${release}, Networking`);

const moves =
  "an egress IP address needs a network in which nodes can take over addresses by themselves, or a cloud that attaches them";
const everywhere: PlatformSupport = { works: "yes", documents: [addresses4, addressesToday] };
const from = (major: number, minor: number): PlatformSupport => ({
  works: "yes",
  since: { major, minor },
  reason: moves,
  documents: [addresses4, notes(`${major}.${minor}`), addressesToday],
});
const notInTheCloud: PlatformSupport = {
  works: "no",
  reason: moves,
  documents: [addresses4, addressesToday],
};
const unstated: PlatformSupport = { works: "unstated", documents: [addresses4, addressesToday] };

/**
 * Where egress IP addresses work. Document 4.7 lists only bare metal and vSphere; later releases added
 * the clouds whose network the cloud network config controller can change.
 */
export const egressIpSupport: SupportTable = {
  [InfrastructurePlatform.BareMetal]: everywhere,
  [InfrastructurePlatform.VSphere]: everywhere,
  [InfrastructurePlatform.AWS]: from(4, 10),
  [InfrastructurePlatform.Azure]: from(4, 10),
  [InfrastructurePlatform.GCP]: from(4, 10),
  [InfrastructurePlatform.OpenStack]: from(4, 12),
  [InfrastructurePlatform.Nutanix]: from(4, 14),
  [InfrastructurePlatform.IBMCloud]: notInTheCloud,
  [InfrastructurePlatform.PowerVS]: notInTheCloud,
  [InfrastructurePlatform.OVirt]: unstated,
  [InfrastructurePlatform.KubeVirt]: unstated,
  // Nodes provisioned by other means: mostly bare metal, which cannot be detected.
  [InfrastructurePlatform.None]: everywhere,
};

const router4 = at(OCP_4_7_OVN, "15.11.1. About an egress router pod");
const routerToday = at(OCP_OVN, "Considerations for the use of an egress router pod");
const macvlan: PlatformSupport = { works: "yes", documents: [router4, routerToday] };
const noMacvlan: PlatformSupport = {
  works: "no",
  reason:
    "the router's second interface is a macvlan, and the network of a cloud drops frames from its MAC address",
  documents: [router4, routerToday],
};
const macvlanUnstated: PlatformSupport = { works: "unstated", documents: [router4, routerToday] };

/** Where an egress router works: on networks that accept frames from a MAC address that they did not assign. */
export const egressRouterSupport: SupportTable = {
  [InfrastructurePlatform.BareMetal]: macvlan,
  [InfrastructurePlatform.VSphere]: macvlan,
  [InfrastructurePlatform.OpenStack]: macvlan,
  [InfrastructurePlatform.OVirt]: macvlan,
  [InfrastructurePlatform.None]: macvlan,
  [InfrastructurePlatform.AWS]: noMacvlan,
  [InfrastructurePlatform.Azure]: noMacvlan,
  [InfrastructurePlatform.GCP]: noMacvlan,
  [InfrastructurePlatform.IBMCloud]: noMacvlan,
  [InfrastructurePlatform.PowerVS]: noMacvlan,
  [InfrastructurePlatform.Nutanix]: macvlanUnstated,
  [InfrastructurePlatform.KubeVirt]: macvlanUnstated,
};

/** The document on verifying an egress router. */
export const egressRouterVerificationSource = at(
  OCP_4_7_OVN,
  "15.12.3. Deploying an egress router pod in redirect mode, Verification",
);

/** The feature gate without which OVN-Kubernetes reads no wildcard and does not apply the whole egress firewall. */
export const WILDCARD_GATE = "DNSNameResolver";

/** The first releases in which parts of the egress objects work. */
export const EGRESS_SINCE = {
  /** Rules of an egress firewall that select nodes by label. */
  firewallNodeSelector: since(4, 13, at(OCP_RELEASE_NOTES, "4.13, Networking")),
  /** `*.example.com` in an egress firewall, still a Technology Preview, behind `WILDCARD_GATE`. */
  firewallWildcards: since(4, 16, at(OCP_RELEASE_NOTES, "4.16, Networking")),
  /** Egress IP addresses on secondary networks of the nodes, on bare metal. */
  egressIpSecondaryNetworks: since(4, 14, at(OCP_OVN, "Configuring an egress IP address, Platform support")),
  /** The EgressRouter object. Before it, an egress router is a network attachment and a pod. */
  egressRouterObject: since(
    4,
    8,
    at(OCP_4_7_OVN, "15.12. Deploying an egress router pod in redirect mode"),
    at(OCP_OVN, "Deploying an egress router pod in redirect mode"),
  ),
  /** Several destinations, with ports and without prefix length, in the configuration of the CNI plug-in. */
  egressRouterDestinations: since(
    4,
    8,
    at(OCP_4_7_OVN, "15.12.1. Network attachment definition for an egress router in redirect mode"),
    at(EGRESS_ROUTER_CNI, "pkg/macvlan/macvlan.go"),
  ),
  /** The router's default route in the annotation of its pod, which keeps the routes to the cluster network. */
  egressRouterDefaultRoute: since(4, 11, at(NETWORK_OPERATOR, "bindata/egress-router/001-deployment.yaml")),
} as const satisfies Record<string, Since>;
