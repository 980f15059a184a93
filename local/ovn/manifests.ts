import type { PropertyValue, Resource } from "../../src/resources/resource";
import type { EgressFirewallSpec } from "./acls/egressFirewall";
import type { AdminSpec } from "./acls/adminNetworkPolicy";

/** As in apimachinery. */
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

/** A manifest as the record that readers take. */
export const resourceOf = (manifest: Manifest): Resource => ({
  origin: {},
  type: `kubernetes:${API_VERSION[manifest.kind]}:${manifest.kind}`,
  name: manifest.metadata.name,
  properties: { metadata: manifest.metadata, spec: manifest.spec as unknown as PropertyValue },
});
