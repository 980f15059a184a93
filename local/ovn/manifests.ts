import type { PropertyValue, Resource } from "../../src/resources/resource";

/** As defined in apimachinery. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** networking.k8s.io/v1 */
export interface PolicyPort {
  protocol?: string;
  port?: number | string;
  endPort?: number;
}

/** networking.k8s.io/v1 */
export interface PolicyPeer {
  podSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
  ipBlock?: { cidr: string; except?: string[] };
}

interface PodsSelector {
  namespaceSelector: LabelSelector;
  podSelector: LabelSelector;
}

/** policy.networking.k8s.io/v1alpha1 */
export interface AdminPeer {
  namespaces?: LabelSelector;
  pods?: PodsSelector;
  networks?: string[];
}

/** policy.networking.k8s.io/v1alpha1 */
export interface AdminPort {
  portNumber?: { protocol: string; port: number };
  portRange?: { protocol: string; start: number; end: number };
  namedPort?: string;
}

/** policy.networking.k8s.io/v1alpha1 */
export interface AdminSpec {
  /** Undefined for the baseline policy. */
  priority?: number;
  subject: { namespaces?: LabelSelector; pods?: PodsSelector };
  ingress?: { action: string; from: AdminPeer[]; ports?: AdminPort[] }[];
  egress?: { action: string; to: AdminPeer[]; ports?: AdminPort[] }[];
}

/** k8s.ovn.org/v1 */
export interface EgressFirewallSpec {
  egress: {
    type: string;
    to: { cidrSelector?: string; dnsName?: string; nodeSelector?: LabelSelector };
    ports?: { protocol: string; port?: number }[];
  }[];
}

/** networking.k8s.io/v1 */
export interface NetworkPolicySpec {
  podSelector: LabelSelector;
  policyTypes?: string[];
  ingress?: { from?: PolicyPeer[]; ports?: PolicyPort[] }[];
  egress?: { to?: PolicyPeer[]; ports?: PolicyPort[] }[];
}

interface Written<Kind extends string, Spec> {
  kind: Kind;
  metadata: { name: string; namespace?: string };
  spec: Spec;
}

/** An object that governs pods, as a user writes it. */
export type Manifest =
  | Written<"NetworkPolicy", NetworkPolicySpec>
  | Written<"EgressFirewall", EgressFirewallSpec>
  | Written<"AdminNetworkPolicy", AdminSpec>
  | Written<"BaselineAdminNetworkPolicy", AdminSpec>;

/** A manifest of one kind. */
export type OfKind<Kind extends Manifest["kind"]> = Extract<Manifest, { kind: Kind }>;

/** The manifests of a kind. */
export const ofKind = <Kind extends Manifest["kind"]>(
  manifests: readonly Manifest[],
  kind: Kind,
): OfKind<Kind>[] => manifests.filter((manifest): manifest is OfKind<Kind> => manifest.kind === kind);

const API_VERSION: Readonly<Record<Manifest["kind"], string>> = {
  NetworkPolicy: "networking.k8s.io/v1",
  EgressFirewall: "k8s.ovn.org/v1",
  AdminNetworkPolicy: "policy.networking.k8s.io/v1alpha1",
  BaselineAdminNetworkPolicy: "policy.networking.k8s.io/v1alpha1",
};

/** A manifest as the resource that readers accept. */
export const resourceOf = (manifest: Manifest): Resource => ({
  origin: {},
  type: `kubernetes:${API_VERSION[manifest.kind]}:${manifest.kind}`,
  name: manifest.metadata.name,
  properties: { metadata: manifest.metadata, spec: manifest.spec as unknown as PropertyValue },
});
