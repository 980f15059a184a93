import { isGiven } from "../objects/places";

/** What an egress router is made of. */
export enum EgressRouterForm {
  /** The EgressRouter object, from which the Cluster Network Operator makes the rest. */
  CustomResource = "CustomResource",
  /** A NetworkAttachmentDefinition and a pod, as releases before 4.8 need it. */
  NetworkAttachment = "NetworkAttachment",
}

/** What runs the pod of a router that is made of a network attachment. */
export enum EgressRouterWorkload {
  /** A Deployment of one replica, which starts the pod again elsewhere when its node fails. */
  Deployment = "Deployment",
  /** A Pod alone. */
  Pod = "Pod",
}

/** The transport of a connection that an egress router redirects. */
export enum EgressRouterProtocol {
  /** Transmission Control Protocol. */
  TCP = "TCP",
  /** User Datagram Protocol. */
  UDP = "UDP",
  /** Stream Control Transmission Protocol. */
  SCTP = "SCTP",
}

/** How the router's second interface shares the interface of its node. */
export enum MacvlanMode {
  /** Pods on one interface reach each other directly. */
  Bridge = "Bridge",
  /** Pods on one interface do not reach each other. */
  Private = "Private",
  /** All frames go through the switch outside. */
  VEPA = "VEPA",
  /** One pod has the interface alone. */
  Passthru = "Passthru",
}

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
