import type { AdditionalRule } from "../../src/components/hostRules/additionalRules";
import type { HostedClusterTopology } from "../../src/topology/hostedClusterTopology";

/** How rules of security groups are written: by our component, as resources of their own, as the older ones, in the group itself. */
export type Writer = "component" | "split" | "classic" | "inline";

/** How filters are written. */
export interface Form {
  writer: Writer;
  shape: Shape;
  /** Blocks of one family stand in a managed prefix list, to which the rules refer. */
  lists?: true;
  /** A preview: the ids of what it makes are not known yet. */
  preview?: true;
  /** The configuration says the roles of groups; otherwise their tags do. */
  configured?: true;
  /** Rules of network ACLs stand in the ACL itself. */
  inlineAcls?: true;
}

/** The ways to say the same with other rules: `SHAPES`. */
export type Shape = "single" | "merged" | "halved" | "groups" | "addresses";

/** One hosted cluster with the filters that components make for it, and how these are written. Plain data: a case is printed as it is. */
export interface Case {
  seed: number;
  /** Its place among the cases of the seed, from 1. */
  place: number;
  topology: HostedClusterTopology;
  /** Keys of flows that get no rules. */
  disabledRules?: readonly string[];
  /** What the user opens besides. */
  additionalRules?: Readonly<Record<string, AdditionalRule>>;
  /** Whether subnets have network ACLs: those of the control plane, or of the workers too. */
  acls?: "control-plane" | "both";
  /** A block that a rule of the user's denies in every ACL, in both directions, before all others. */
  denied?: string;
  /** Whom public load balancers let in. */
  allowedCIDRBlocks?: readonly string[];
  form: Form;
  /** The policies of our component in the namespace of the control plane. */
  isolation?: { denyEgress?: true };
  /** Namespaces with an egress firewall that allows what is needed and denies the rest: of the hosted cluster, or that of the control plane. */
  firewalls?: readonly string[];
}
