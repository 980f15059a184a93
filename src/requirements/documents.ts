/** A text that sets requirements for a network, or shows what the software really does. */
export interface SourceDocument {
  /** The short name that findings and tables print. */
  key: string;
  /** The full title. */
  title: string;
  /** Repository on GitHub, if the document is source code. */
  repository?: string;
  /** Commit at which the source code was read. */
  commit?: string;
}

/** A place in a document. */
export interface DocumentReference {
  document: SourceDocument;
  /** The heading of the section; in source code the path of the file. */
  heading: string;
}

export const OKD_NETWORKING: SourceDocument = {
  key: "OKD networking",
  title: "OKD, Networking for hosted control planes",
};
export const OCP_NETWORKING: SourceDocument = {
  key: "OCP networking",
  title: "OpenShift Container Platform, Hosted control planes, chapter 14: Networking",
};
export const HYPERSHIFT_PORTS: SourceDocument = {
  key: "HyperShift ports",
  title: "HyperShift, HCP networking requirements",
};
export const OCP_PROXY: SourceDocument = {
  key: "OCP proxy",
  title: "OpenShift, Proxy support for hosted control planes",
};
export const OCP_4_7_OVN: SourceDocument = {
  key: "OCP 4.7 OVN",
  title: "OpenShift Container Platform 4.7, chapter 15: OVN-Kubernetes default CNI network provider",
};

export const OCP_4_10_OVN: SourceDocument = {
  key: "OCP 4.10 OVN",
  title: "OpenShift Container Platform 4.10, OVN-Kubernetes default CNI network provider",
};
export const OCP_4_14_OVN: SourceDocument = {
  key: "OCP 4.14 OVN",
  title: "OpenShift Container Platform 4.14, OVN-Kubernetes network plugin",
};
const OCP_INSTALLATION: SourceDocument = {
  key: "OCP installation",
  title: "OpenShift Container Platform 4.22, Installation configuration parameters",
};
export const OCP_OVN: SourceDocument = {
  key: "OCP OVN",
  title: "OpenShift Container Platform 4.22, OVN-Kubernetes network plugin",
};
export const OCP_SECURITY: SourceDocument = {
  key: "OCP network security",
  title: "OpenShift Container Platform 4.22, Network security",
};
export const OCP_BALANCING: SourceDocument = {
  key: "OCP load balancing",
  title: "OpenShift Container Platform 4.22, Ingress and load balancing",
};
export const OCP_DISTRIBUTION: SourceDocument = {
  key: "OCP workload distribution",
  title: "OpenShift Container Platform 4.22, Hosted control planes, Distributing hosted cluster workloads",
};
export const OCP_NODES: SourceDocument = {
  key: "OCP nodes",
  title: "OpenShift Container Platform 4.22, Nodes",
};
export const OCP_RELEASE_NOTES: SourceDocument = {
  key: "OCP release notes",
  title: "OpenShift Container Platform, Release notes",
};

export const HYPERSHIFT: SourceDocument = {
  key: "HyperShift",
  title: "HyperShift, source code",
  repository: "openshift/hypershift",
  commit: "3ee9615567acffaf3e3ee25c2ca2942d650565cf",
};
export const NETWORK_OPERATOR: SourceDocument = {
  key: "CNO",
  title: "Cluster Network Operator, source code",
  repository: "openshift/cluster-network-operator",
  commit: "2a6a57fef3ac1c8fde00e85b603e9f73ef29b75c",
};
export const INGRESS_OPERATOR: SourceDocument = {
  key: "Ingress operator",
  title: "Cluster Ingress Operator, source code",
  repository: "openshift/cluster-ingress-operator",
};
export const OVN_KUBERNETES: SourceDocument = {
  key: "OVN-Kubernetes",
  title: "OVN-Kubernetes, source code",
  repository: "ovn-kubernetes/ovn-kubernetes",
  commit: "8871cd9cec9c45d6da1baf9e3b06eb575f49039c",
};
export const NETWORK_POLICY_API: SourceDocument = {
  key: "Network Policy API",
  title: "Network Policy API of Kubernetes, v0.1.8, and ClusterNetworkPolicy v1alpha2 and v1beta1",
};
export const EGRESS_ROUTER_CNI: SourceDocument = {
  key: "egress-router-cni",
  title: "Egress router CNI plug-in, source code",
  repository: "openshift/egress-router-cni",
  commit: "02e7b218912ee7521948816d486d18f27600c874",
};
export const AWS_VPC: SourceDocument = { key: "AWS VPC", title: "Amazon VPC, Subnet CIDR blocks" };
export const AZURE_VNET: SourceDocument = {
  key: "Azure VNet",
  title: "Azure Virtual Network frequently asked questions",
};
export const GCP_VPC: SourceDocument = { key: "GCP VPC", title: "Google Cloud VPC, Subnets" };
export const AWS_QUOTAS: SourceDocument = { key: "AWS", title: "Amazon VPC quotas" };
export const AWS_LOAD_BALANCING: SourceDocument = {
  key: "AWS load balancing",
  title: "Elastic Load Balancing, Network Load Balancers",
};
export const CLOUD_PROVIDER_AWS: SourceDocument = {
  key: "AWS cloud controller",
  title: "Cloud provider AWS, source code",
  repository: "kubernetes/cloud-provider-aws",
};
export const INSTALLER: SourceDocument = {
  key: "OpenShift installer",
  title: "OpenShift installer, source code",
  repository: "openshift/installer",
  commit: "0c83e9875c4f6fcd3d3bc04382dbe8df52bfd38e",
};
export const AWS_NETWORK_ACLS: SourceDocument = {
  key: "AWS network ACLs",
  title: "Amazon VPC, Control subnet traffic with network access control lists",
};
export const PULUMI_AWS: SourceDocument = {
  key: "Pulumi AWS",
  title: "Pulumi AWS provider, API documentation",
};
export const PULUMI_KUBERNETES: SourceDocument = {
  key: "Pulumi Kubernetes",
  title: "Pulumi Kubernetes provider, API documentation",
};
export const SPECIAL_PURPOSE: SourceDocument = {
  key: "RFC 6890",
  title: "Special-Purpose IP Address Registries",
};
export const DOCKER: SourceDocument = { key: "Docker", title: "Docker Engine documentation" };
export const KUBERNETES: SourceDocument = { key: "Kubernetes", title: "Kubernetes documentation" };

/** Every document that a requirement may name, in the order in which tables list them. */
export const sourceDocuments: readonly SourceDocument[] = [
  OKD_NETWORKING,
  OCP_NETWORKING,
  HYPERSHIFT_PORTS,
  OCP_PROXY,
  OCP_4_7_OVN,
  OCP_4_10_OVN,
  OCP_4_14_OVN,
  OCP_OVN,
  OCP_SECURITY,
  OCP_BALANCING,
  OCP_INSTALLATION,
  OCP_DISTRIBUTION,
  OCP_NODES,
  OCP_RELEASE_NOTES,
  HYPERSHIFT,
  NETWORK_OPERATOR,
  INGRESS_OPERATOR,
  OVN_KUBERNETES,
  NETWORK_POLICY_API,
  EGRESS_ROUTER_CNI,
  INSTALLER,
  CLOUD_PROVIDER_AWS,
  AWS_LOAD_BALANCING,
  AWS_QUOTAS,
  AWS_NETWORK_ACLS,
  PULUMI_AWS,
  PULUMI_KUBERNETES,
  AWS_VPC,
  AZURE_VNET,
  GCP_VPC,
  KUBERNETES,
  SPECIAL_PURPOSE,
  DOCKER,
];

/** A reference to a heading of a document. */
export const at = (document: SourceDocument, heading: string): DocumentReference => ({ document, heading });

/** Formats a reference as one line: `OKD networking, Table 1. Common ingress ports`. */
export function describeReference({ document, heading }: DocumentReference): string {
  return `${document.key}, ${heading}`;
}

/** The address of a source code document at the commit at which it was read; undefined for other documents. */
export function linkTo({ document: { repository, commit }, heading }: DocumentReference): string | undefined {
  if (repository === undefined) return undefined;
  const path = /^[\w.-]+(\/[\w.-]+)+$/.test(heading) ? heading : "";
  return `https://github.com/${repository}/tree/${commit ?? "HEAD"}/${path}`.replace(/\/$/, "");
}
