import { D4, EGRESS_ROUTER_CNI, NETWORK_OPERATOR, OCP_OVN, OCP_RELEASE_NOTES, at } from "./documents";
import { since } from "./since";
import type { Since } from "./since";

/** The first releases in which parts of the egress objects work. */
export const EGRESS_SINCE = {
  /** Rules of an egress firewall that name nodes by their labels. */
  firewallNodeSelector: since(4, 13, at(OCP_RELEASE_NOTES, "4.13, Networking")),
  /** `*.example.com` in an egress firewall, as a Technology Preview to this day. */
  firewallWildcards: since(4, 16, at(OCP_RELEASE_NOTES, "4.16, Networking")),
  /** Egress IP addresses on further networks of the nodes, on bare metal. */
  egressIpSecondaryNetworks: since(4, 14, at(OCP_OVN, "Configuring an egress IP address, Platform support")),
  /** The EgressRouter object. Before it an egress router is a network attachment and a pod. */
  egressRouterObject: since(
    4,
    8,
    at(D4, "15.12. Deploying an egress router pod in redirect mode"),
    at(OCP_OVN, "Deploying an egress router pod in redirect mode"),
  ),
  /** Several destinations, with ports and without prefix length, in the configuration of the CNI plug-in. */
  egressRouterDestinations: since(
    4,
    8,
    at(D4, "15.12.1. Network attachment definition for an egress router in redirect mode"),
    at(EGRESS_ROUTER_CNI, "pkg/macvlan/macvlan.go"),
  ),
  /** The router's default route in the annotation of its pod, which keeps the routes to the cluster network. */
  egressRouterDefaultRoute: since(4, 11, at(NETWORK_OPERATOR, "bindata/egress-router/001-deployment.yaml")),
} as const satisfies Record<string, Since>;
