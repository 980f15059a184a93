import { LIMIT } from "./limits";
import { at, HYPERSHIFT } from "./documents";

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Whether a text is a DNS label, as names of namespaces are. */
export const isLabelName = (text: string): boolean => text.length <= LIMIT.labelLength && LABEL.test(text);

/** Whether a text is a DNS subdomain, as names of most Kubernetes objects are: its parts may be long. */
export const isSubdomainName = (text: string): boolean =>
  text.length <= LIMIT.subdomainLength && text.split(".").every((part) => LABEL.test(part));

/** Whether a HostedCluster can have that name: the namespace of its control plane, which is made of it, is a label. */
export const isHostedClusterName = (text: string): boolean =>
  text.length <= LIMIT.labelLength && isSubdomainName(text);

const PORT_NAME = /^(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*$/;

/** Whether a text is the name of a port, as Services, containers and network policies have them. */
export const isPortName = (text: string): boolean =>
  text.length <= LIMIT.portNameLength && PORT_NAME.test(text);

/** How to write the name of a port. */
export const PORT_NAME_FORM = `at most ${LIMIT.portNameLength} small letters, digits and single hyphens, with one letter at least`;

/** The namespace in which HyperShift runs the control plane of a HostedCluster: namespaces have no dots, names may. */
export const controlPlaneNamespaceOf = (namespace: string, name: string): string =>
  `${namespace}-${name.replaceAll(".", "-")}`;

/** The only name of an EgressFirewall that OVN-Kubernetes takes, so that a namespace has one at most. */
export const EGRESS_FIREWALL_NAME = "default";

/** The DaemonSet of a hosted cluster whose arguments say where the nodes dial konnectivity. */
export const KONNECTIVITY_AGENT = {
  namespace: "kube-system",
  name: "konnectivity-agent",
  hostFlag: "--proxy-server-host",
  portFlag: "--proxy-server-port",
  source: at(
    HYPERSHIFT,
    "control-plane-operator/hostedclusterconfigoperator/controllers/resources/konnectivity/reconcile.go",
  ),
} as const;

/** Where the status of a HostedCluster says how its services are reached. */
export const STATUS_FIELD = {
  apiServerHost: "status.controlPlaneEndpoint.host",
  apiServerPort: "status.controlPlaneEndpoint.port",
  ignition: "status.ignitionEndpoint",
  oauth: "status.oauthCallbackURLTemplate",
} as const;
