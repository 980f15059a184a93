import type * as pulumi from "@pulumi/pulumi";
import type { AddressFamily } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { RuleMerging } from "./hostedControlPlaneSecurityGroupsArgs";

/** The arguments of the security group of the VPC endpoints of one private cluster. */
export interface PrivateEndpointSecurityGroupArgs extends PrivateEndpointSettings {
  /**
   * The hosted cluster: platform AWS, `endpointAccess` PublicAndPrivate or Private; everything else is refused, because
   * there is no VPC endpoint. It decides which rules exist, so all its values must be plain: 443 for the private router, 6443
   * if a load balancer publishes the API server; from `machineNetwork`, and with Private access also from
   * `externalClientCidrs`. Changing it adds and deletes single rules and never replaces the group. (HyperShift,
   * control-plane-operator/controllers/awsprivatelink)
   */
  topology: HostedClusterTopology;
  /** Id of the workers' VPC, in which HyperShift creates the endpoints: `vpc-...`. Changing it replaces the group. */
  vpcId: pulumi.Input<string>;
  /** AWS region of all resources: `eu-central-1`. Defaults to the provider's region. Changing it replaces everything. */
  region?: pulumi.Input<string>;
  /**
   * Tags of the group and its rules, in addition to those that the component sets. Defaults to none. Keys that begin with
   * `kubernetes.io/cluster/` are refused, because HyperShift finds and deletes its own groups by them. Changes are made in
   * place.
   */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** Settings of the VPC endpoints' group that do not depend on the hosted cluster. */
export interface PrivateEndpointSettings {
  /**
   * Ids of the VPC endpoints that get the group, `vpce-...`, under keys of your choice, which name the associations.
   * Defaults to none: the group is created but not attached, with a warning. HyperShift writes the ids into
   * `status.endpointID` of the AWSEndpointService objects `private-router` and, if a load balancer publishes the API
   * server, `kube-apiserver-private` in the namespace of the hosted control plane; `readEndpointServices` reads them from
   * there. HyperShift's controller adds its own group to an endpoint and removes no group, so the association lasts.
   * Changing an id replaces that association.
   */
  endpointIds?: Record<string, pulumi.Input<string>>;
  /**
   * Whether the ids of the endpoints are read from the AWSEndpointService objects of the management cluster, with the
   * Kubernetes provider of the component. Defaults to false. The objects appear while the hosted cluster comes up: if an
   * object is missing, preview and update stop; if an object names no endpoint yet, the update stops before the group is
   * attached. Excludes `endpointIds`. Changing it replaces associations whose names change.
   */
  readEndpointServices?: boolean;
  /**
   * Other clients of the endpoints, from outside the machine network, under keys of your choice: peered and transit
   * networks, on-premises ranges, groups, prefix lists. Defaults to none. A key becomes part of the names of flows and
   * rules. Changes add, change and delete single rules.
   */
  callers?: Record<string, PrivateEndpointCaller>;
  /**
   * Keys of rules that are not created, as `<role>/<direction>/<key>`: `private-endpoint/ingress/endpoint-router`. Defaults
   * to none. The group that HyperShift creates for each endpoint already admits the machine network. Changes add and delete
   * single rules.
   */
  disabledRules?: string[];
  /**
   * How many inbound rules AWS allows in a group, counted separately for IPv4 and IPv6: from 1 to 1000. Defaults to 60, AWS's
   * default quota. A prefix list counts as often as its maximum number of entries. Rules that exceed it after `mergeRules` are
   * refused before anything is created. Changing it changes no resource, unless rules are merged for it. (Amazon VPC quotas)
   */
  ruleQuota?: number;
  /**
   * When rules for CIDR blocks are merged into fewer rules with exactly the same addresses. Defaults to `over-quota`: only if
   * the group would have more rules than `ruleQuota`, with a warning. One of the parts becomes the merged rule, in place;
   * the others are deleted afterwards. `always` keeps rules merged when fewer are needed. Changes add, change and delete
   * single rules.
   */
  mergeRules?: RuleMerging;
  /**
   * Id of an existing security group: `sg-...`. Defaults to none: a group is created. The rules are added to the existing
   * group, and its other rules are not touched. AWS refuses a rule that the group already has: import it, or leave it
   * out with `disabledRules`. Changing it replaces rules and associations.
   */
  securityGroupId?: pulumi.Input<string>;
}

/** One network or group outside the machine network that reaches the VPC endpoints. */
export interface PrivateEndpointCaller {
  /**
   * A CIDR block, IPv4 or IPv6: `10.200.0.0/16`. Set exactly one of `cidr`, `securityGroupId` and `prefixListId`.
   * 0.0.0.0/0 is refused. An Output is not known yet when identical rules are merged: AWS refuses the rule if an
   * identical one exists. Changing it changes the caller's rules in place.
   */
  cidr?: pulumi.Input<string>;
  /** The family of a `cidr` that is an Output: `IPv4` or `IPv6`. Defaults to `IPv4`. */
  family?: AddressFamily;
  /** A security group in the same or a peered VPC: `sg-...`. Set exactly one of the three. Changes are made in place. */
  securityGroupId?: pulumi.Input<string>;
  /** A managed prefix list: `pl-...`. Set exactly one of the three. Changes are made in place. */
  prefixListId?: pulumi.Input<string>;
  /**
   * The prefix list's maximum number of entries; for an AWS-managed list its weight. Defaults to 1, with a warning. AWS counts
   * a rule that references the list as that many rules, and so does `ruleQuota`. (Amazon VPC quotas)
   */
  maxEntries?: number;
  /**
   * The former key of this caller, so that its rules are kept under the new key; or the CIDR block by which version 0.1.0
   * named them. Defaults to none. Remove it once every stack is up to date.
   */
  formerKey?: string;
  /** Who calls: `the offices, over the transit gateway`. Defaults to the key. Starts the rules' descriptions, which change in place. */
  description?: string;
}
