import type * as pulumi from "@pulumi/pulumi";
import type { AddressFamily } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { RuleMerging } from "./hostedControlPlaneSecurityGroupsArgs";

/** What the security group of the VPC endpoints of one private cluster is made from. */
export interface PrivateEndpointSecurityGroupArgs extends PrivateEndpointSettings {
  /**
   * The hosted cluster: platform AWS, `endpointAccess` PublicAndPrivate or Private; everything else is refused, because
   * there is no VPC endpoint. It decides which rules exist, so all its values are plain: 443 for the private router, 6443
   * where a load balancer publishes the API server; from `machineNetwork`, and with Private access from
   * `externalClientCidrs` too. Changing it adds and deletes single rules and never replaces the group. (HyperShift,
   * control-plane-operator/controllers/awsprivatelink)
   */
  topology: HostedClusterTopology;
  /** Id of the VPC of the workers, in which HyperShift makes the endpoints: `vpc-...`. Changing it replaces the group. */
  vpcId: pulumi.Input<string>;
  /** AWS region of all resources: `eu-central-1`. Defaults to the provider's region. Changing it replaces everything. */
  region?: pulumi.Input<string>;
  /**
   * Tags of the group and its rules, beside those that the component sets. Defaults to none. Keys that begin with
   * `kubernetes.io/cluster/` are refused, because HyperShift finds and deletes its own groups by them. Changes are made in
   * place.
   */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** What can be chosen of the group of the VPC endpoints, whatever the hosted cluster is. */
export interface PrivateEndpointSettings {
  /**
   * Ids of the VPC endpoints that get the group, `vpce-...`, under keys of your choice, which name the associations.
   * Defaults to none: the group is made and attached to nothing, with a warning. HyperShift writes the ids into
   * `status.endpointID` of the AWSEndpointService objects `private-router` and, where a load balancer publishes the API
   * server, `kube-apiserver-private` in the namespace of the hosted control plane; `readEndpointServices` reads them from
   * there. Its controller adds its own group to an endpoint and removes none, so the association lasts. Changing an id
   * replaces that association.
   */
  endpointIds?: Record<string, pulumi.Input<string>>;
  /**
   * Whether the ids of the endpoints are read from the AWSEndpointService objects of the management cluster, with the
   * Kubernetes provider of the component. Defaults to false. The objects appear while the hosted cluster comes up: where
   * one is missing, preview and update stop; where one names no endpoint yet, the update stops before the group is
   * attached. Excludes `endpointIds`. Changing it replaces associations whose names change.
   */
  readEndpointServices?: boolean;
  /**
   * Who else reaches the endpoints, from outside the machine network, under keys of your choice: peered and transit
   * networks, on-premises ranges, groups, prefix lists. Defaults to none. A key becomes part of the names of flows and
   * rules. Changes add, change and delete single rules.
   */
  callers?: Record<string, PrivateEndpointCaller>;
  /**
   * Keys of rules that are not made, as `<role>/<direction>/<key>`: `private-endpoint/ingress/endpoint-router`. Defaults
   * to none. The group that HyperShift makes for each endpoint admits the machine network already. Changes add and delete
   * single rules.
   */
  disabledRules?: string[];
  /**
   * How many inbound rules AWS lets a group have, counted for IPv4 and IPv6 apart: from 1 to 1000. Defaults to 60, AWS's
   * default quota. A prefix list counts as often as it may have entries. What `mergeRules` does not bring below it is
   * refused before anything is made. Changing it changes no resource, unless rules are merged for it. (Amazon VPC quotas)
   */
  ruleQuota?: number;
  /**
   * When rules for CIDR blocks are merged into fewer with exactly the same addresses. Defaults to `over-quota`: only where
   * the group would have more rules than `ruleQuota`, with a warning. One of the parts becomes the merged rule, in place;
   * the others are deleted after it. `always` keeps rules merged when fewer are needed. Changes add, change and delete
   * single rules.
   */
  mergeRules?: RuleMerging;
  /**
   * Id of an existing security group: `sg-...`. Defaults to none: a group is made. The rules are added to the existing
   * group, and none of its other rules is touched; a rule that it has already is refused by AWS: import it, or leave it
   * out with `disabledRules`. Changing it replaces rules and associations.
   */
  securityGroupId?: pulumi.Input<string>;
}

/** One network or group outside the machine network that reaches the VPC endpoints. */
export interface PrivateEndpointCaller {
  /**
   * A CIDR block, IPv4 or IPv6: `10.200.0.0/16`. Exactly one of `cidr`, `securityGroupId` and `prefixListId` is given.
   * 0.0.0.0/0 is refused. An Output is not known when rules that are the same are made one: AWS refuses it if there is
   * such a rule. Changing it changes the caller's rules in place.
   */
  cidr?: pulumi.Input<string>;
  /** The family of a `cidr` that is an Output: `IPv4` or `IPv6`. Defaults to `IPv4`. */
  family?: AddressFamily;
  /** A security group in the same or a peered VPC: `sg-...`. Exactly one of the three is given. Changing it changes the caller's rules in place. */
  securityGroupId?: pulumi.Input<string>;
  /** A managed prefix list: `pl-...`. Exactly one of the three is given. Changing it changes the caller's rules in place. */
  prefixListId?: pulumi.Input<string>;
  /**
   * The prefix list's maximum number of entries; for a list of AWS its weight. Defaults to 1, with a warning. AWS counts a
   * rule that refers to the list as so many rules, and so does `ruleQuota`. (Amazon VPC quotas)
   */
  maxEntries?: number;
  /**
   * The key that this caller had before, so that its rules stay under the new one; or the CIDR block by which version 0.1.0
   * named them. Defaults to none. Remove it once every stack is up to date.
   */
  formerKey?: string;
  /** Who it is, in some words: `the offices, over the transit gateway`. Defaults to the key. Begins the descriptions of its rules, which change in place. */
  description?: string;
}
