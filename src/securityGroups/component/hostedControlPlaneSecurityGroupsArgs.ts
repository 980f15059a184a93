import type * as pulumi from "@pulumi/pulumi";
import type { AddressFamily, Direction, Protocol, Role } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";

/** What the security groups of one hosted cluster are made from. */
export interface HostedControlPlaneSecurityGroupsArgs extends SecurityGroupSettings {
  /**
   * The hosted cluster. It decides which rules exist, so its values are plain, except addresses under keys. Changing it adds,
   * changes and deletes single rules and never replaces a group. (Port requirements of hosted control planes: ingress, egress,
   * publishing strategies, private clusters)
   */
  topology: HostedClusterTopology;
  /** Id of the VPC of the management cluster's hosts: `vpc-...`. Changing it replaces the groups that were made in it. */
  vpcId: pulumi.Input<string>;
  /**
   * Id of the VPC of the workers, where it is another one: `vpc-...`. Defaults to `vpcId`. With it the groups do not
   * refer to each other, because a reference holds in one VPC only. Changing it replaces the workers' group.
   */
  workerVpcId?: pulumi.Input<string>;
  /** AWS region of all resources: `eu-central-1`. Defaults to the provider's region. Changing it replaces everything. */
  region?: pulumi.Input<string>;
  /**
   * Tags of groups and rules, beside those that the component sets. Defaults to none. Keys that begin with
   * `kubernetes.io/cluster/` are refused, because the AWS load balancers of a cluster stop reconciling when two groups
   * of an instance carry one. Changes are made in place.
   */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** What can be chosen of the security groups, whatever the hosted cluster is. */
export interface SecurityGroupSettings {
  /**
   * Security groups and prefix lists that are sources or destinations beside the topology's CIDR blocks, or in place of
   * blocks that would be assumed. Defaults to none. Changes add and delete single rules.
   */
  peers?: SecurityGroupPeers;
  /**
   * Rules of your own under keys of your choice, which name their resources. Defaults to none. A rule that is the same
   * as a documented one (protocol, ports, peer) becomes one with it. Changes add, change and delete single rules.
   */
  additionalRules?: Record<string, AdditionalSecurityGroupRule>;
  /**
   * Keys of rules that are made only when asked for, as `<role>/<direction>/<key>`: `control-plane/ingress/capi-health`.
   * Defaults to none. These are ports of pods, which a host's firewall does not see unless the pod uses the host
   * network. Changes add and delete single rules.
   */
  enabledRules?: string[];
  /**
   * Keys of rules that are not made, as `<role>/<direction>/<key>`: `control-plane/ingress/router-clients`. Defaults to
   * none. The policy pack still reports what is then missing, and names the key. Changes add and delete single rules.
   */
  disabledRules?: string[];
  /**
   * Whether the workers' group gets the rules of the group that HyperShift makes for worker nodes on AWS: VXLAN, Geneve,
   * IPsec, host services, kubelet and node ports among the nodes, ICMP and SSH from `machineNetwork`, and everything out.
   * Defaults to false, because nodes carry HyperShift's group beside this one. Ask for them where nodes carry only this
   * one; single ones are left out with `disabledRules`, or taken with `enabledRules` in place of this. Refused on other
   * platforms, for which HyperShift makes no such group. Changing it adds and deletes single rules. (HyperShift,
   * support/awsutil/sg.go)
   */
  defaultWorkerRules?: boolean;
  /**
   * How many rules AWS lets a group have in each direction, counted for IPv4 and IPv6 apart: from 1 to 1000. Defaults to
   * 60, AWS's default quota. A block counts once in its family, a security group once in both, a prefix list as often as
   * it may have entries. Where AWS raised the quota of the account write that; where others have rules in an existing
   * group write what they leave. What `mergeRules` does not bring below it is refused before anything is made. Changing it
   * changes no resource, unless rules are merged for it. (Amazon VPC quotas)
   */
  ruleQuota?: number;
  /**
   * When rules for CIDR blocks are merged into fewer with exactly the same addresses: 10.0.0.0/17 and 10.0.128.0/17 of the
   * same protocol and ports into 10.0.0.0/16. Defaults to `over-quota`: only in a group and direction that would have more
   * rules than `ruleQuota`, with a warning. One of the parts becomes the merged rule, in place; the others are deleted
   * after it. Where fewer rules are needed later, the single ones are made before the merged one goes, for which a full
   * group has no room: `always` keeps rules merged. Changes add, change and delete single rules.
   */
  mergeRules?: RuleMerging;
  /**
   * Id of an existing security group of the control-plane hosts: `sg-...`. Defaults to none: a group is made. The rules
   * are added to the existing group, and none of its other rules is touched; a rule that it has already is refused by
   * AWS: import it, or leave it out with `disabledRules`. Changing it replaces the rules.
   */
  controlPlaneSecurityGroupId?: pulumi.Input<string>;
  /**
   * Id of an existing security group of the workers: `sg-...`. Defaults to none: a group is made. The rules are added
   * to the existing group, and none of its other rules is touched; a rule that it has already is refused by AWS: import
   * it, or leave it out with `disabledRules`. Changing it replaces the rules.
   */
  workerSecurityGroupId?: pulumi.Input<string>;
}

/** Security groups and prefix lists for each kind of peer. */
export interface SecurityGroupPeers {
  /** The workers, beside `topology.workerCidrs`. Defaults to none. */
  workers?: PeerSet;
  /** Addresses of the workers behind NAT, beside `topology.workerNatCidrs`. Defaults to none. */
  workerNat?: PeerSet;
  /** Users and CI systems outside, beside `topology.externalClientCidrs`. Defaults to none. */
  externalClients?: PeerSet;
  /** Nodes and API of the management cluster, beside `topology.managementClusterCidrs`. Defaults to none. */
  managementCluster?: PeerSet;
  /** Load balancers and routers of the control plane that workers dial, beside `topology.controlPlaneEndpointCidrs`. Defaults to none. */
  controlPlaneEndpoints?: PeerSet;
  /** Load balancers in front of the control-plane hosts, beside `topology.loadBalancerSubnetCidrs`. Defaults to none. */
  loadBalancers?: PeerSet;
  /** DNS servers, beside `topology.dnsServerCidrs`. Defaults to none. */
  dnsServers?: PeerSet;
  /** Container registries and HTTPS services outside, beside `topology.registryCidrs`. Defaults to none. */
  registries?: PeerSet;
}

/** Peers that are not CIDR blocks, under keys of your choice, which become part of the names of their rules. */
export interface PeerSet {
  /** Ids of security groups in the same or a peered VPC, `sg-...`, by key. Defaults to none. Changing an id changes its rules in place. */
  securityGroupIds?: Record<string, pulumi.Input<string>>;
  /** Managed prefix lists by key. Defaults to none. Changing an id changes its rules in place. */
  prefixLists?: Record<string, PrefixListPeer>;
  /**
   * Keys of `securityGroupIds` and `prefixLists` that were others before, by the keys that they have now: `{ jump: "bastion" }`.
   * Defaults to none. Their rules stay under the new names. Remove it once every stack is up to date.
   */
  formerKeys?: Record<string, string>;
}

/** A managed prefix list. */
export interface PrefixListPeer {
  /** Id of the prefix list: `pl-...`. */
  id: pulumi.Input<string>;
  /**
   * The list's maximum number of entries; for a list of AWS its weight. Defaults to 1, with a warning. AWS counts a rule
   * that refers to the list as so many rules, and so does `ruleQuota`. Changing it changes no resource, unless rules are
   * merged for it. (Amazon VPC quotas)
   */
  maxEntries?: number;
}

/** A rule that the documents do not ask for. */
export interface AdditionalSecurityGroupRule {
  /** Whose group gets the rule: `control-plane` or `workers`. */
  role: Role;
  /** Whether the rule lets traffic in or out. */
  direction: Direction;
  /** The transport. Ports are given only with TCP and UDP: AWS lets every port of other protocols through. */
  protocol: Protocol;
  /** First port, 0 to 65535. Defaults to every port. */
  fromPort?: number;
  /** Last port, 0 to 65535. Defaults to `fromPort`. */
  toPort?: number;
  /**
   * The peer as a CIDR block, IPv4 or IPv6: `10.0.0.0/8`. Exactly one of `cidr`, `securityGroupId` and `prefixListId` is
   * given. An Output is not known when rules that are the same are made one: AWS refuses it if there is such a rule.
   */
  cidr?: pulumi.Input<string>;
  /** The family of a `cidr` that is an Output: `IPv4` or `IPv6`. Defaults to `IPv4`. */
  family?: AddressFamily;
  /** The peer as a security group: `sg-...`. Exactly one of `cidr`, `securityGroupId` and `prefixListId` is given. */
  securityGroupId?: pulumi.Input<string>;
  /** The peer as a managed prefix list: `pl-...`. Exactly one of `cidr`, `securityGroupId` and `prefixListId` is given. */
  prefixListId?: pulumi.Input<string>;
  /**
   * The prefix list's maximum number of entries; for a list of AWS its weight. `ruleQuota` counts the rule as so many.
   * Defaults to 1, with a warning. (Amazon VPC quotas)
   */
  maxEntries?: number;
  /**
   * The key that this rule had before, so that its resource stays under the new one; or the CIDR block by which version 0.1.0
   * named it. Defaults to none. Remove it once every stack is up to date.
   */
  formerKey?: string;
  /** Who talks to whom, and why: becomes the rule's description, of which AWS keeps 255 characters. */
  description: string;
}

/** One rule as tables and reports show it. */
export interface SecurityGroupRuleRow {
  /** Name of the rule in its group and direction, made of protocol, ports and the key of the peer, else its block: `tcp-6443-cidr-vpc`. */
  key: string;
  /** Whose group holds it: `control-plane` or `workers`. */
  role: Role;
  /** Whether it lets traffic in or out. */
  direction: Direction;
  /** The transport. */
  protocol: Protocol;
  /** The ports: `6443`, `30000-32767` or `all`. */
  ports: string;
  /** Source or destination: a CIDR block, or the name of a group or prefix list. */
  peer: string;
  /** Keys of the flows that need it, as `disabledRules` takes them. */
  flows: string[];
  /** Ids of the requirements that it fulfils. */
  requirements: string[];
  /** Who talks to whom, and why. */
  purpose: string;
  /** Document and heading of each source. */
  documents: string[];
  /** Where documents disagree, what upstream does differently, and from which blocks the rule was merged. */
  notes: string[];
}

/** When rules for CIDR blocks are merged into fewer rules with exactly the same addresses. */
export const RuleMerging = {
  /** Where a group would have more rules in a direction than `ruleQuota`, and only there. */
  OverQuota: "over-quota",
  /** Always: the names of rules do not change when a group comes near its quota. */
  Always: "always",
  /** Never: where there are more rules than `ruleQuota`, they are refused. */
  Never: "never",
} as const;
export type RuleMerging = (typeof RuleMerging)[keyof typeof RuleMerging];
