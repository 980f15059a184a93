import { isGiven } from "../resources/read";
import { EGRESS_SINCE } from "../requirements/egressSupport";
import type { Release } from "../requirements/release";
import { isOlder } from "../objects/egressCluster";

/** What an egress router is made of. */
export const EgressRouterForm = {
  /** The EgressRouter object, from which the Cluster Network Operator makes the rest. */
  CustomResource: "CustomResource",
  /** A NetworkAttachmentDefinition and a pod, as releases before 4.8 need it. */
  NetworkAttachment: "NetworkAttachment",
} as const;
export type EgressRouterForm = (typeof EgressRouterForm)[keyof typeof EgressRouterForm];

/** What runs the pod of a router that is made of a network attachment. */
export const EgressRouterWorkload = {
  /** A Deployment of one replica, which starts the pod again elsewhere when its node fails. */
  Deployment: "Deployment",
  /** Only a Pod. */
  Pod: "Pod",
} as const;
export type EgressRouterWorkload = (typeof EgressRouterWorkload)[keyof typeof EgressRouterWorkload];

/** The transport of a connection that an egress router redirects. */
export const EgressRouterProtocol = {
  /** Transmission Control Protocol. */
  TCP: "TCP",
  /** User Datagram Protocol. */
  UDP: "UDP",
  /** Stream Control Transmission Protocol. */
  SCTP: "SCTP",
} as const;
export type EgressRouterProtocol = (typeof EgressRouterProtocol)[keyof typeof EgressRouterProtocol];

/** How the router's second interface shares the interface of its node. */
export const MacvlanMode = {
  /** Pods on one interface reach each other directly. */
  Bridge: "Bridge",
  /** Pods on one interface do not reach each other. */
  Private: "Private",
  /** All frames go through the switch outside. */
  VEPA: "VEPA",
  /** Only one pod has the interface. */
  Passthru: "Passthru",
} as const;
export type MacvlanMode = (typeof MacvlanMode)[keyof typeof MacvlanMode];

/** A redirection, all of whose values are known and right. */
export interface PlainRedirectRule {
  port: number;
  protocol: EgressRouterProtocol;
  destinationIp: string;
  targetPort?: number;
}

/** The router's second interface, all of whose values are known and right. */
export interface PlainMacvlan {
  mode?: MacvlanMode;
  master?: string;
}

export const EGRESS_ROUTER_API_VERSION = "network.operator.openshift.io/v1";
export const EGRESS_ROUTER_KIND = "EgressRouter";
export const NETWORK_ATTACHMENT_API_VERSION = "k8s.cni.cncf.io/v1";
export const NETWORK_ATTACHMENT_KIND = "NetworkAttachmentDefinition";

/** The label of the pods that the Cluster Network Operator makes from an EgressRouter object. */
export const OPERATOR_POD_LABEL = { app: "egress-router-cni" } as const;

/** Names that the Cluster Network Operator gives to what it makes, so that a namespace has one EgressRouter at most. */
export const OPERATOR_NAMES = {
  networkAttachment: "egress-router-cni-nad",
  deployment: "egress-router-cni-deployment",
  container: "egress-router-cni-pod",
} as const;

/** A redirection as the EgressRouter object holds it. */
export function redirectRule({ port, protocol, destinationIp, targetPort }: PlainRedirectRule) {
  return {
    destinationIP: destinationIp,
    port,
    protocol,
    ...(isGiven(targetPort) && { targetPort }),
  };
}

/** The second interface as the EgressRouter object holds it. */
export function networkInterface(macvlan: PlainMacvlan | null | undefined) {
  const { mode, master } = macvlan ?? {};
  return { macvlan: { mode: mode ?? MacvlanMode.Bridge, ...(isGiven(master) && { master }) } };
}

/** A router whose values are known and right. */
export interface PlainEgressRouter {
  name: string;
  /** Address and prefix length. */
  address: string;
  gateway: string;
  redirectRules?: readonly PlainRedirectRule[] | null;
  fallbackIp?: string | null;
  macvlan?: PlainMacvlan | null;
}

/** The CNI plug-in that gives a pod its second interface, and redirects what comes to it. */
export const EGRESS_ROUTER_PLUGIN = "egress-router";

/** The configuration of the egress-router CNI plug-in, as a NetworkAttachmentDefinition holds it. */
export function networkAttachmentConfig(router: PlainEgressRouter, release: Release | undefined): string {
  const { name, address, gateway, macvlan } = router;
  const args = {
    ...(isGiven(macvlan?.master) && { master: macvlan.master }),
    // The plug-in knows the modes only in lowercase.
    ...(isGiven(macvlan?.mode) && { mode: macvlan.mode.toLowerCase() }),
  };
  return JSON.stringify({
    cniVersion: "0.4.0",
    type: EGRESS_ROUTER_PLUGIN,
    name,
    ...(Object.keys(args).length > 0 && { interfaceType: "macvlan", interfaceArgs: args }),
    ip: { addresses: [address], destinations: destinations(router, release), gateway },
  });
}

/**
 * Where connections go, in the order in which the plug-in tries them: `PORT PROTOCOL ADDRESS [PORT THERE]`, and last the
 * address for all others. The plug-in of release 4.7 reads only one address, and wants a prefix length behind it.
 */
function destinations(
  { redirectRules, fallbackIp }: PlainEgressRouter,
  release: Release | undefined,
): string[] {
  if (isOlder(release, EGRESS_SINCE.egressRouterDestinations) && isGiven(fallbackIp))
    return [`${fallbackIp}/${fallbackIp.includes(":") ? 128 : 32}`];
  const rules = (redirectRules ?? []).map(({ port, protocol, destinationIp, targetPort }) =>
    [port, protocol, destinationIp, targetPort].filter(isGiven).join(" "),
  );
  return [...rules, ...(isGiven(fallbackIp) ? [fallbackIp] : [])];
}

/** How the pod asks for the second interface. Naming the default route keeps those to the cluster network on the first one. */
export function networksAnnotation(name: string, gateway: string, release: Release | undefined): string {
  if (!release || isOlder(release, EGRESS_SINCE.egressRouterDefaultRoute)) return name;
  return JSON.stringify([{ name, "default-route": [gateway] }]);
}

/**
 * Changes whenever the configuration does: pods read it when they start, and never again. An import would load all of Node's
 * cryptography with every check.
 */
export const configDigest = (config: string): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(config).digest("hex").slice(0, 16);

/** The annotation that holds the digest. */
export const DIGEST_ANNOTATION = "hypershift-network/network-attachment";

/** The label by which Deployment and Service find the pod. */
export const routerLabels = (name: string) => ({ name });

/** The pod waits and does nothing: its network does the work. */
export function routerPodSpec(name: string, image: string, command?: readonly string[] | null) {
  return {
    containers: [
      {
        name,
        image,
        ...(command && { command: [...command] }),
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
      },
    ],
  };
}

/** A port of the Service, all of whose values are known and right. */
export interface PlainServicePort {
  name?: string;
  port: number;
  protocol: EgressRouterProtocol;
}

/** A port as the Service holds it; each has a name, as several ports need. */
export const servicePort = ({ name, port, protocol }: PlainServicePort) => ({
  name: name ?? `${protocol.toLowerCase()}-${port}`,
  protocol,
  port,
});
