import { isGiven } from "../resources/read";
import { EGRESS_SINCE } from "../requirements/egressSupport";
import type { Release } from "../requirements/release";
import { isOlder } from "../objects/egressCluster";

/** The objects of which an egress router consists. */
export const EgressRouterForm = {
  /** An EgressRouter object, from which the Cluster Network Operator creates the rest. */
  CustomResource: "CustomResource",
  /** A NetworkAttachmentDefinition and a pod, as releases before 4.8 require. */
  NetworkAttachment: "NetworkAttachment",
} as const;
export type EgressRouterForm = (typeof EgressRouterForm)[keyof typeof EgressRouterForm];

/** The workload that runs the pod of a router with a network attachment. */
export const EgressRouterWorkload = {
  /** A Deployment of one replica, which restarts the pod on another node if its node fails. */
  Deployment: "Deployment",
  /** A single Pod. */
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
  /** All frames go through the external switch. */
  VEPA: "VEPA",
  /** Only one pod can use the interface. */
  Passthru: "Passthru",
} as const;
export type MacvlanMode = (typeof MacvlanMode)[keyof typeof MacvlanMode];

/** A redirection after validation: all values are known and valid. */
export interface PlainRedirectRule {
  port: number;
  protocol: EgressRouterProtocol;
  destinationIp: string;
  targetPort?: number;
}

/** The router's second interface after validation: all values are known and valid. */
export interface PlainMacvlan {
  mode?: MacvlanMode;
  master?: string;
}

export const EGRESS_ROUTER_API_VERSION = "network.operator.openshift.io/v1";
export const EGRESS_ROUTER_KIND = "EgressRouter";
export const NETWORK_ATTACHMENT_API_VERSION = "k8s.cni.cncf.io/v1";
export const NETWORK_ATTACHMENT_KIND = "NetworkAttachmentDefinition";

/** The label of the pods that the Cluster Network Operator creates from an EgressRouter object. */
export const OPERATOR_POD_LABEL = { app: "egress-router-cni" } as const;

/** Fixed names of what the Cluster Network Operator creates, so that a namespace can have only one EgressRouter object. */
export const OPERATOR_NAMES = {
  networkAttachment: "egress-router-cni-nad",
  deployment: "egress-router-cni-deployment",
  container: "egress-router-cni-pod",
} as const;

/** Returns a redirection in the form of the EgressRouter object. */
export function redirectRule({ port, protocol, destinationIp, targetPort }: PlainRedirectRule) {
  return {
    destinationIP: destinationIp,
    port,
    protocol,
    ...(isGiven(targetPort) && { targetPort }),
  };
}

/** Returns the second interface in the form of the EgressRouter object. */
export function networkInterface(macvlan: PlainMacvlan | null | undefined) {
  const { mode, master } = macvlan ?? {};
  return { macvlan: { mode: mode ?? MacvlanMode.Bridge, ...(isGiven(master) && { master }) } };
}

/** A router after validation: all values are known and valid. */
export interface PlainEgressRouter {
  name: string;
  /** Address and prefix length. */
  address: string;
  gateway: string;
  redirectRules?: readonly PlainRedirectRule[] | null;
  fallbackIp?: string | null;
  macvlan?: PlainMacvlan | null;
}

/** The CNI plug-in that gives a pod its second interface and redirects connections to the pod. */
export const EGRESS_ROUTER_PLUGIN = "egress-router";

/** Returns the configuration of the egress-router CNI plug-in, in the form of a NetworkAttachmentDefinition. */
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
 * Returns the destinations in the order in which the plug-in tries them: `PORT PROTOCOL ADDRESS [DESTINATION PORT]`, and last the
 * address for all other connections. The plug-in of release 4.7 reads only one address, which needs a prefix length.
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

/** The annotation by which the pod requests the second interface. With the default route named, only cluster traffic uses the first. */
export function networksAnnotation(name: string, gateway: string, release: Release | undefined): string {
  if (!release || isOlder(release, EGRESS_SINCE.egressRouterDefaultRoute)) return name;
  return JSON.stringify([{ name, "default-route": [gateway] }]);
}

/**
 * Returns a digest that changes with the configuration: pods read it only when they start. A static import would load all of Node's
 * cryptography for every check.
 */
export const configDigest = (config: string): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(config).digest("hex").slice(0, 16);

/** The annotation that holds the digest. */
export const DIGEST_ANNOTATION = "hypershift-network/network-attachment";

/** The label by which the Deployment and the Service select the pod. */
export const routerLabels = (name: string) => ({ name });

/** Returns the spec of the pod, which only waits: its network does the work. */
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

/** A port of the Service after validation: all values are known and valid. */
export interface PlainServicePort {
  name?: string;
  port: number;
  protocol: EgressRouterProtocol;
}

/** Returns a port in the form of the Service. Each has a name, because several ports require names. */
export const servicePort = ({ name, port, protocol }: PlainServicePort) => ({
  name: name ?? `${protocol.toLowerCase()}-${port}`,
  protocol,
  port,
});
