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

/** A document by its short name and its full title. */
const cited = (key: string, title: string): SourceDocument => ({ key, title });

/** A document of a release of OpenShift. */
const openShift = (key: string, title: string): SourceDocument =>
  cited(key, `OpenShift Container Platform ${title}`);

const sourceCode = (key: string, name: string, repository: string, commit?: string): SourceDocument => ({
  ...cited(key, `${name}, source code`),
  repository,
  ...(commit !== undefined && { commit }),
});

export const OKD_NETWORKING = cited("OKD networking", "OKD, Networking for hosted control planes");
export const OCP_NETWORKING = cited(
  "OCP networking",
  "OpenShift Container Platform, Hosted control planes, chapter 14: Networking",
);
export const HYPERSHIFT_PORTS = cited("HyperShift ports", "HyperShift, HCP networking requirements");
export const OCP_PROXY = cited("OCP proxy", "OpenShift, Proxy support for hosted control planes");
export const OCP_4_7_OVN = openShift(
  "OCP 4.7 OVN",
  "4.7, chapter 15: OVN-Kubernetes default CNI network provider",
);
export const OCP_4_10_OVN = openShift("OCP 4.10 OVN", "4.10, OVN-Kubernetes default CNI network provider");
export const OCP_4_14_OVN = openShift("OCP 4.14 OVN", "4.14, OVN-Kubernetes network plugin");
export const OCP_OVN = openShift("OCP OVN", "4.22, OVN-Kubernetes network plugin");
export const OCP_SECURITY = openShift("OCP network security", "4.22, Network security");
export const OCP_BALANCING = openShift("OCP load balancing", "4.22, Ingress and load balancing");
export const OCP_DISTRIBUTION = openShift(
  "OCP workload distribution",
  "4.22, Hosted control planes, Distributing hosted cluster workloads",
);
export const OCP_NODES = openShift("OCP nodes", "4.22, Nodes");
export const OCP_RELEASE_NOTES = cited("OCP release notes", "OpenShift Container Platform, Release notes");
export const HYPERSHIFT = sourceCode(
  "HyperShift",
  "HyperShift",
  "openshift/hypershift",
  "3ee9615567acffaf3e3ee25c2ca2942d650565cf",
);
export const NETWORK_OPERATOR = sourceCode(
  "CNO",
  "Cluster Network Operator",
  "openshift/cluster-network-operator",
  "2a6a57fef3ac1c8fde00e85b603e9f73ef29b75c",
);
export const INGRESS_OPERATOR = sourceCode(
  "Ingress operator",
  "Cluster Ingress Operator",
  "openshift/cluster-ingress-operator",
);
export const OVN_KUBERNETES = sourceCode(
  "OVN-Kubernetes",
  "OVN-Kubernetes",
  "ovn-kubernetes/ovn-kubernetes",
  "8871cd9cec9c45d6da1baf9e3b06eb575f49039c",
);
export const NETWORK_POLICY_API = cited(
  "Network Policy API",
  "Network Policy API of Kubernetes, v0.1.8, and ClusterNetworkPolicy v1alpha2 and v1beta1",
);
export const EGRESS_ROUTER_CNI = sourceCode(
  "egress-router-cni",
  "Egress router CNI plug-in",
  "openshift/egress-router-cni",
  "02e7b218912ee7521948816d486d18f27600c874",
);
export const AWS_VPC = cited("AWS VPC", "Amazon VPC, Subnet CIDR blocks");
export const AZURE_VNET = cited("Azure VNet", "Azure Virtual Network frequently asked questions");
export const GCP_VPC = cited("GCP VPC", "Google Cloud VPC, Subnets");
export const AWS_QUOTAS = cited("AWS", "Amazon VPC quotas");
export const AWS_LOAD_BALANCING = cited(
  "AWS load balancing",
  "Elastic Load Balancing, Network Load Balancers",
);
export const CLOUD_PROVIDER_AWS = sourceCode(
  "AWS cloud controller",
  "Cloud provider AWS",
  "kubernetes/cloud-provider-aws",
);
export const INSTALLER = sourceCode(
  "OpenShift installer",
  "OpenShift installer",
  "openshift/installer",
  "0c83e9875c4f6fcd3d3bc04382dbe8df52bfd38e",
);
export const AWS_NETWORK_ACLS = cited(
  "AWS network ACLs",
  "Amazon VPC, Control subnet traffic with network access control lists",
);
export const PULUMI_AWS = cited("Pulumi AWS", "Pulumi AWS provider, API documentation");
export const PULUMI_KUBERNETES = cited("Pulumi Kubernetes", "Pulumi Kubernetes provider, API documentation");
export const SPECIAL_PURPOSE = cited("RFC 6890", "Special-Purpose IP Address Registries");
export const DOCKER = cited("Docker", "Docker Engine documentation");
export const KUBERNETES = cited("Kubernetes", "Kubernetes documentation");

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
