import { HYPERSHIFT, at } from "./documents";
import { Duty, HYPERSHIFT_READ, type OthersSource } from "./othersFilters";
import { Platform, PublishingType, Service } from "./vocabulary";

/** Labels by which network policies select the pods of a hosted control plane. */
export const POD_LABEL = {
  app: "app",
  kubevirt: "kubevirt.io",
  needsManagementApi: "hypershift.openshift.io/need-management-kas-access",
  needsMetricsServer: "hypershift.openshift.io/need-metrics-server-access",
  servesRequests: "hypershift.openshift.io/request-serving-component",
} as const;

/** The pods that hold the virtual machines of a KubeVirt cluster. */
export const VIRT_LAUNCHER = "virt-launcher";

/** Labels by which network policies select the namespaces of a management cluster. */
export const NAMESPACE_LABEL = {
  /** The API server sets it on every namespace; its value is the name. */
  name: "kubernetes.io/metadata.name",
  policyGroup: "network.openshift.io/policy-group",
  /** The newer form of routers' policy group, which OpenShift sets too, with an empty value. (openshift/cluster-ingress-operator) */
  ingressGroup: "policy-group.network.openshift.io/ingress",
  /** HyperShift sets it on the namespaces of control planes, with the value `true`; older versions with no value. */
  controlPlane: "hypershift.openshift.io/hosted-control-plane",
} as const;

/** Values of the policy-group label of namespaces. */
export const POLICY_GROUP = { monitoring: "monitoring", ingress: "ingress" } as const;

/** Namespaces that OpenShift puts into a policy group: the namespaces of routers and of its own monitoring. */
const OF_GROUP: ReadonlyMap<string | undefined, string> = new Map([
  ["openshift-ingress", POLICY_GROUP.ingress],
  ["openshift-monitoring", POLICY_GROUP.monitoring],
]);

/** Adds the labels that OpenShift sets to the labels of a namespace. */
export function withPolicyGroup(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { name, policyGroup, ingressGroup } = NAMESPACE_LABEL;
  const group =
    labels[ingressGroup] === "" ? POLICY_GROUP.ingress : (OF_GROUP.get(labels[name]) ?? labels[policyGroup]);
  if (group === undefined) return labels;
  return { ...labels, [policyGroup]: group, ...(group === POLICY_GROUP.ingress && { [ingressGroup]: "" }) };
}

/** The namespace that OpenShift puts into a policy group. */
export const namespaceOfGroup = (group: string | undefined): string | undefined =>
  [...OF_GROUP].find(([, one]) => one === group)?.[0];

/** The name of the namespaces that labels select; empty if it is not known. */
export const nameOfNamespaces = (labels: Readonly<Record<string, string>>): string =>
  labels[NAMESPACE_LABEL.name] ??
  namespaceOfGroup(withPolicyGroup(labels)[NAMESPACE_LABEL.policyGroup]) ??
  "";

/** Namespaces of a management cluster that policies name. */
export const MANAGEMENT_NAMESPACE = { hyperShift: "hypershift", dns: "openshift-dns" } as const;

/** Namespaces of the operators of hosted clusters. Only the management cluster has them. */
export const OPERATOR_NAMESPACES: readonly string[] = [
  MANAGEMENT_NAMESPACE.hyperShift,
  "multicluster-engine",
];

/** Whom a policy of HyperShift allows, and where; each port is a pod's port. */
export type HyperShiftOpening =
  | { from: "the same namespace" }
  /** Namespaces whose policy-group label has this value. */
  | { fromPolicyGroup: string }
  | { from: "everybody"; ports?: readonly number[] };

/** A NetworkPolicy that HyperShift creates in the namespace of a hosted control plane and restores after every change. */
export interface HyperShiftPolicy {
  name: string;
  /** Labels of the pods that it selects. Default: all pods. */
  pods?: Readonly<Record<string, string>>;
  /** It does not select pods that have this label, with any value. */
  unlessLabelled?: string;
  /** The ingress that it allows. If absent, it does not restrict ingress. */
  ingress?: HyperShiftOpening;
  /** The ingress that it allows on some platforms instead. */
  ingressOn?: { readonly [platform in Platform]?: HyperShiftOpening };
  /** True if it also lets everyone reach `networking.apiServer.port`. */
  atApiServerPort?: true;
  /** Allows egress outside the management cluster, and to these pods of the namespace. If absent, it does not restrict egress. */
  egress?: { to: "every pod" | "pods that serve requests" };
  /** Platforms on which it exists. Default: all. */
  platforms?: readonly Platform[];
  /** Only if this service is published this way. */
  published?: readonly [Service, PublishingType];
  /** Only if the management cluster's router serves routes of the control plane. */
  behindManagementRouter?: true;
}

const everybodyAt = (...ports: number[]): HyperShiftOpening => ({ from: "everybody", ports });
const byNodePort = (service: Service) => [service, PublishingType.NodePort] as const;

/**
 * HyperShift's own policies, as its source defines them: literals, independent of the code that plans flows. Policies add up,
 * so no other policy can deny what these allow: the policies for node ports, load balancers and the API server allow everyone.
 */
export const hyperShiftPolicies: readonly HyperShiftPolicy[] = [
  {
    name: "same-namespace",
    ingress: { from: "the same namespace" },
  },
  {
    name: "openshift-monitoring",
    ingress: { fromPolicyGroup: "monitoring" },
  },
  {
    name: "openshift-ingress",
    ingress: { fromPolicyGroup: "ingress" },
    behindManagementRouter: true,
  },
  // ARO's shared ingress to every pod.
  { name: "sharedingress" },
  {
    name: "kas",
    pods: { [POD_LABEL.app]: "kube-apiserver" },
    ingress: everybodyAt(6443),
    ingressOn: { [Platform.IBMCloud]: everybodyAt(2040) },
    atApiServerPort: true,
  },
  {
    name: "private-router",
    pods: { [POD_LABEL.app]: "private-router" },
    ingress: everybodyAt(8080, 8443),
    egress: { to: "pods that serve requests" },
    platforms: [Platform.AWS, Platform.Azure, Platform.GCP],
  },
  {
    name: "management-kas",
    unlessLabelled: POD_LABEL.needsManagementApi,
    egress: { to: "every pod" },
    platforms: [Platform.AWS],
  },
  // Pods that ask for it to metrics of the management cluster; AWS.
  { name: "metrics-server" },
  {
    name: "nodeport-oauth",
    pods: { [POD_LABEL.app]: "oauth-openshift" },
    ingress: everybodyAt(6443),
    published: byNodePort(Service.OAuthServer),
  },
  {
    name: "loadbalancer-oauth",
    pods: { [POD_LABEL.app]: "oauth-openshift" },
    ingress: everybodyAt(6443),
    published: [Service.OAuthServer, PublishingType.LoadBalancer],
  },
  {
    name: "nodeport-ignition",
    pods: { [POD_LABEL.app]: "ignition-server" },
    ingress: everybodyAt(9090),
    published: byNodePort(Service.Ignition),
  },
  {
    name: "nodeport-ignition-proxy",
    pods: { [POD_LABEL.app]: "ignition-server-proxy" },
    ingress: everybodyAt(8443),
    published: byNodePort(Service.Ignition),
  },
  {
    name: "nodeport-konnectivity",
    pods: { [POD_LABEL.app]: "konnectivity-server" },
    ingress: everybodyAt(8091),
    published: byNodePort(Service.Konnectivity),
  },
  {
    name: "nodeport-konnectivity-kas",
    pods: { [POD_LABEL.app]: "kube-apiserver" },
    ingress: everybodyAt(8091),
    published: byNodePort(Service.Konnectivity),
  },
  {
    name: "virt-launcher",
    pods: { [POD_LABEL.kubevirt]: VIRT_LAUNCHER },
    ingress: { from: "everybody" },
    platforms: [Platform.KubeVirt],
  },
];

/** The source code of HyperShift's policies. */
export const networkPolicySource = at(
  HYPERSHIFT,
  "hypershift-operator/controllers/hostedcluster/network_policies.go",
);

/** HyperShift's policies as a proof sees them: a filter outside the plan, which adds up with the policies of a plan. */
export const hyperShiftPolicyFilter: OthersSource = {
  id: "hypershift-network-policies",
  name: "HyperShift's own network policies of the control plane's namespace",
  duty: Duty.HyperShift,
  releases: HYPERSHIFT_READ,
  documents: [networkPolicySource],
  toProof: "make a ControlPlaneIsolation, or read the cluster's policies by --live",
};
