import type { HostedClusterTopology } from "../topology/hostedClusterTopology";

/** What stands in hypershift-network.yaml. Its JSON Schema is made from this file. */
export interface ConfigurationDocument {
  /** The hosted clusters, as far as no HostedCluster object or component says what they are. */
  hostedClusters?: ConfiguredHostedCluster[];
  /** How strictly rules are enforced, by rule; `all` is for those that are not named. */
  rules?: Record<string, RuleEnforcement>;
  /** Findings that are accepted. */
  exemptions?: ConfiguredExemption[];
}

/** One hosted cluster: what its HostedCluster object says, if there is one, need not be repeated. */
export interface ConfiguredHostedCluster extends Partial<HostedClusterTopology> {
  name: string;
  /** The security groups of the hosted cluster by their role, where neither a component nor a tag says it: names, ids or URNs. */
  securityGroups?: ConfiguredSecurityGroups;
}

/** Security groups by their role: names, ids or URNs. */
export interface ConfiguredSecurityGroups {
  /** Groups of the hosts that carry the hosted control plane. */
  controlPlane?: string[];
  /** Groups of the worker nodes. */
  workers?: string[];
  /** Groups of the VPC endpoints of a private cluster. */
  privateEndpoint?: string[];
}

/** One finding that is accepted. */
export interface ConfiguredExemption {
  /** Id of the rule. */
  rule: string;
  /** The resource: URN, name, `Kind/name`, `Kind/namespace/name`, id of EC2 or file, in which `*` stands for any text. */
  resource: string;
  /** Why the finding is accepted. It is shown with it. */
  reason: string;
}

/** `mandatory` findings are errors, `advisory` ones warnings, `disabled` rules are not asked. */
export type RuleEnforcement = "mandatory" | "advisory" | "disabled";
