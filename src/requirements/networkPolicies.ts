import { HYPERSHIFT, at } from "./documents";

/** Labels by which network policies tell the pods of a hosted control plane apart. */
export const POD_LABEL = {
  app: "app",
  kubevirt: "kubevirt.io",
  needsManagementApi: "hypershift.openshift.io/need-management-kas-access",
  needsMetricsServer: "hypershift.openshift.io/need-metrics-server-access",
} as const;

/** The pods that hold the virtual machines of a KubeVirt cluster. */
export const VIRT_LAUNCHER = "virt-launcher";

/** Labels by which network policies tell the namespaces of a management cluster apart. */
export const NAMESPACE_LABEL = {
  name: "kubernetes.io/metadata.name",
  policyGroup: "network.openshift.io/policy-group",
} as const;

/** Values of the policy-group label of namespaces. */
export const POLICY_GROUP = { monitoring: "monitoring", ingress: "ingress" } as const;

/** Namespaces of a management cluster that policies name. */
export const MANAGEMENT_NAMESPACE = { hyperShift: "hypershift", dns: "openshift-dns" } as const;

/** A NetworkPolicy that HyperShift writes into the namespace of a hosted control plane, and writes again after every change. */
export interface HyperShiftPolicy {
  name: string;
  /** What it lets through, and when it is there. */
  opens: string;
}

/**
 * HyperShift's own policies. Policies add up, so what these let in, no other policy takes away: those for node ports,
 * load balancers and the API server let everybody in.
 */
export const hyperShiftPolicies: readonly HyperShiftPolicy[] = [
  { name: "same-namespace", opens: "pods of the namespace to each other" },
  { name: "openshift-monitoring", opens: "monitoring namespaces to every pod" },
  {
    name: "openshift-ingress",
    opens: "the management cluster's router to every pod, where it serves routes",
  },
  { name: "sharedingress", opens: "ARO's shared ingress to every pod" },
  { name: "kas", opens: "everybody to the API server" },
  { name: "private-router", opens: "everybody to the router of the control plane; AWS, Azure and GCP" },
  {
    name: "management-kas",
    opens: "pods to everything but the management cluster; AWS, isolates their egress",
  },
  { name: "metrics-server", opens: "pods that ask for it to metrics of the management cluster; AWS" },
  { name: "nodeport-oauth", opens: "everybody to OAuth, by NodePort" },
  { name: "loadbalancer-oauth", opens: "everybody to OAuth, by LoadBalancer" },
  { name: "nodeport-ignition", opens: "everybody to the ignition server, by NodePort" },
  { name: "nodeport-ignition-proxy", opens: "everybody to the ignition proxy, by NodePort" },
  { name: "nodeport-konnectivity", opens: "everybody to the konnectivity server, by NodePort" },
  {
    name: "nodeport-konnectivity-kas",
    opens: "everybody to the konnectivity server in API server pods, by NodePort",
  },
  {
    name: "virt-launcher",
    opens: "everybody to virtual machines; KubeVirt, keeps them off the management cluster",
  },
];

/** Where HyperShift's policies are written. */
export const networkPolicySource = at(
  HYPERSHIFT,
  "hypershift-operator/controllers/hostedcluster/network_policies.go",
);
