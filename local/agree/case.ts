import type { AdditionalRule } from "../../src/components/hostRules/additionalRules";
import type { HostedClusterTopology } from "../../src/topology/hostedClusterTopology";

/** How security group rules are written: by the component, as current or classic rule resources, or inline in the group. */
export type Writer = "component" | "split" | "classic" | "inline";

/** The form in which filters are written. */
export interface Form {
  writer: Writer;
  shape: Shape;
  /** CIDR blocks of one family are in a managed prefix list that the rules reference. */
  lists?: true;
  /** The plan is a preview: the ids of new resources are not known yet. */
  preview?: true;
  /** The configuration states the roles of groups; by default their tags do. */
  configured?: true;
  /** Network ACL rules are inline in the ACL. */
  inlineAcls?: true;
}

/** Ways to express the same with other rules: `SHAPES`. */
export type Shape = "single" | "merged" | "halved" | "groups" | "addresses";

/** A hosted cluster, the filters that components create for it, and the form in which these are written. Plain data, for printing. */
export interface Case {
  seed: number;
  /** Its number among the cases of the seed, from 1. */
  place: number;
  topology: HostedClusterTopology;
  /** Keys of flows that get no rules. */
  disabledRules?: readonly string[];
  /** Further rules of the user. */
  additionalRules?: Readonly<Record<string, AdditionalRule>>;
  /** Which subnets have network ACLs: those of the control plane only, or those of the workers too. */
  acls?: "control-plane" | "both";
  /** A CIDR block that a user's rule denies in every ACL, in both directions, before all other rules. */
  denied?: string;
  /** The CIDR blocks that public load balancers admit. */
  allowedCIDRBlocks?: readonly string[];
  form: Form;
  /** The component's network policies in the control-plane namespace. */
  isolation?: { denyEgress?: true };
  /** Namespaces of the hosted cluster or control plane whose egress firewall allows only the required traffic. */
  firewalls?: readonly string[];
}
