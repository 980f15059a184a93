import { LIMIT } from "./limits";
import { at, HYPERSHIFT } from "./documents";

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Whether a text is a DNS label, like names of namespaces. */
export const isLabelName = (text: string): boolean => text.length <= LIMIT.labelLength && LABEL.test(text);

/** Whether a text is a DNS subdomain, like names of most Kubernetes objects: its parts may be long. */
export const isSubdomainName = (text: string): boolean =>
  text.length <= LIMIT.subdomainLength && text.split(".").every((part) => LABEL.test(part));

/** Whether a text can be the prefix of a generated name: it may end with a hyphen, but not with a dot. */
export const isNameBeginning = (text: string): boolean =>
  isSubdomainName(text.endsWith("-") ? `${text}x` : text);

/** Whether a HostedCluster can have that name: the namespace of its control plane, which contains the name, is a label. */
export const isHostedClusterName = (text: string): boolean =>
  text.length <= LIMIT.labelLength && isSubdomainName(text);

const PORT_NAME = /^(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*$/;

/** Whether a text is a port name for Services, containers and network policies. */
export const isPortName = (text: string): boolean =>
  text.length <= LIMIT.portNameLength && PORT_NAME.test(text);

/** The form of a port name. */
export const PORT_NAME_FORM = `at most ${LIMIT.portNameLength} lowercase letters, digits and single hyphens, with one letter at least`;

/** The namespace in which HyperShift runs the control plane of a HostedCluster: names may contain dots, namespaces may not. */
export const controlPlaneNamespaceOf = (namespace: string, name: string): string =>
  `${namespace}-${name.replaceAll(".", "-")}`;

/** The only name of an EgressFirewall that OVN-Kubernetes accepts, so that a namespace has at most one. */
export const EGRESS_FIREWALL_NAME = "default";

/** The DaemonSet of a hosted cluster whose arguments state where the nodes connect to konnectivity. */
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

/** The status fields of a HostedCluster that state how its services are reached. */
export const STATUS_FIELD = {
  apiServerHost: "status.controlPlaneEndpoint.host",
  apiServerPort: "status.controlPlaneEndpoint.port",
  ignition: "status.ignitionEndpoint",
  oauth: "status.oauthCallbackURLTemplate",
} as const;
