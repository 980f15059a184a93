import type * as pulumi from "@pulumi/pulumi";
import type { AddressFamily, Direction, Protocol, Role } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";

/** The arguments of the security groups of one hosted cluster. */
export interface HostedControlPlaneSecurityGroupsArgs extends SecurityGroupSettings {
  /**
   * The hosted cluster. It decides which rules exist, so its values must be plain, except addresses under keys. Changing it adds,
   * changes and deletes single rules and never replaces a group. (Port requirements of hosted control planes: ingress, egress,
   * publishing strategies, private clusters)
   */
  topology: HostedClusterTopology;
  /** Id of the VPC of the management cluster's hosts: `vpc-...`. Changing it replaces the groups created in it. */
  vpcId: pulumi.Input<string>;
  /**
   * Id of the VPC of the workers, if it is a different one: `vpc-...`. Defaults to `vpcId`. With a different VPC the groups do not
   * reference each other, because a reference is valid in one VPC only. Changing it replaces the workers' group.
   */
  workerVpcId?: pulumi.Input<string>;
  /** AWS region of all resources: `eu-central-1`. Defaults to the provider's region. Changing it replaces everything. */
  region?: pulumi.Input<string>;
  /**
   * Tags of groups and rules, in addition to those that the component sets. Defaults to none. Keys that begin with
   * `kubernetes.io/cluster/` are refused, because a cluster's AWS load balancers stop reconciling if two groups of an
   * instance carry such a tag. Changes are made in place.
   */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** Settings of the security groups that do not depend on the hosted cluster. */
export interface SecurityGroupSettings {
  /**
   * Security groups and prefix lists that are sources or destinations in addition to the topology's CIDR blocks, or instead of
   * blocks that would be assumed. Defaults to none. Changes add and delete single rules.
   */
  peers?: SecurityGroupPeers;
  /**
   * Your own rules, under keys of your choice, which name their resources. Defaults to none. A rule with the same protocol,
   * ports and peer as a documented rule is merged with it. Changes add, change and delete single rules.
   */
  additionalRules?: Record<string, AdditionalSecurityGroupRule>;
  /**
   * Keys of rules that are created only on request, as `<role>/<direction>/<key>`: `control-plane/ingress/capi-health`.
   * Defaults to none. These are ports of pods, which a host's firewall does not see unless the pod uses the host
   * network. Changes add and delete single rules.
   */
  enabledRules?: string[];
  /**
   * Keys of rules that are not created, as `<role>/<direction>/<key>`: `control-plane/ingress/router-clients`. Defaults to
   * none. The policy pack still reports the flows that are then missing, and names the key. Changes add and delete single rules.
   */
  disabledRules?: string[];
  /**
   * Whether the workers' group gets the rules of the group that HyperShift creates for worker nodes on AWS: VXLAN, Geneve,
   * IPsec, host services, kubelet and node ports among the nodes, ICMP and SSH from `machineNetwork`, and all outbound traffic.
   * Defaults to false, because nodes carry HyperShift's group in addition to this one. Set it if nodes carry only this
   * group; leave out single rules with `disabledRules`, or add single rules with `enabledRules` instead. Refused on other
   * platforms, for which HyperShift creates no such group. Changing it adds and deletes single rules. (HyperShift,
   * support/awsutil/sg.go)
   */
  defaultWorkerRules?: boolean;
  /**
   * How many rules AWS allows in a group in each direction, counted separately for IPv4 and IPv6: from 1 to 1000. Defaults to
   * 60, AWS's default quota. A block counts once in its family, a security group once in both, a prefix list as often as its
   * maximum number of entries. If AWS raised the quota of the account, set that number; if an existing group has other
   * rules, set what they leave. Rules that exceed it after `mergeRules` are refused before anything is created. Changing it
   * changes no resource, unless rules are merged for it. (Amazon VPC quotas)
   */
  ruleQuota?: number;
  /**
   * When rules for CIDR blocks are merged into fewer rules with exactly the same addresses: 10.0.0.0/17 and 10.0.128.0/17 of
   * the same protocol and ports into 10.0.0.0/16. Defaults to `over-quota`: only in a group and direction that would have more
   * rules than `ruleQuota`, with a warning. One of the parts becomes the merged rule, in place; the others are deleted
   * afterwards. If fewer rules are needed later, the single rules are created before the merged rule is deleted, and a full
   * group has no room for them: `always` keeps rules merged. Changes add, change and delete single rules.
   */
  mergeRules?: RuleMerging;
  /**
   * Id of an existing security group of the control-plane hosts: `sg-...`. Defaults to none: a group is created. The rules
   * are added to the existing group, and its other rules are not touched. AWS refuses a rule that the group already has:
   * import it, or leave it out with `disabledRules`. Changing it replaces the rules.
   */
  controlPlaneSecurityGroupId?: pulumi.Input<string>;
  /**
   * Id of an existing security group of the workers: `sg-...`. Defaults to none: a group is created. The rules are added
   * to the existing group, and its other rules are not touched. AWS refuses a rule that the group already has: import
   * it, or leave it out with `disabledRules`. Changing it replaces the rules.
   */
  workerSecurityGroupId?: pulumi.Input<string>;
}

/** Security groups and prefix lists for each kind of peer. */
export interface SecurityGroupPeers {
  /** The workers, in addition to `topology.workerCidrs`. Defaults to none. */
  workers?: PeerSet;
  /** Addresses of the workers behind NAT, in addition to `topology.workerNatCidrs`. Defaults to none. */
  workerNat?: PeerSet;
  /** External users and CI systems, in addition to `topology.externalClientCidrs`. Defaults to none. */
  externalClients?: PeerSet;
  /** Nodes and API of the management cluster, in addition to `topology.managementClusterCidrs`. Defaults to none. */
  managementCluster?: PeerSet;
  /** Control-plane load balancers and routers that workers dial, in addition to `topology.controlPlaneEndpointCidrs`. Defaults to none. */
  controlPlaneEndpoints?: PeerSet;
  /** Load balancers in front of the control-plane hosts, in addition to `topology.loadBalancerSubnetCidrs`. Defaults to none. */
  loadBalancers?: PeerSet;
  /** DNS servers, in addition to `topology.dnsServerCidrs`. Defaults to none. */
  dnsServers?: PeerSet;
  /** Container registries and external HTTPS services, in addition to `topology.registryCidrs`. Defaults to none. */
  registries?: PeerSet;
}

/** Peers that are not CIDR blocks, under keys of your choice. The keys become part of the names of their rules. */
export interface PeerSet {
  /** Ids of security groups in the same or a peered VPC, `sg-...`, by key. Defaults to none. Changing an id changes its rules in place. */
  securityGroupIds?: Record<string, pulumi.Input<string>>;
  /** Managed prefix lists by key. Defaults to none. Changing an id changes its rules in place. */
  prefixLists?: Record<string, PrefixListPeer>;
  /**
   * Former keys of entries of `securityGroupIds` and `prefixLists`, by their present keys: `{ jump: "bastion" }`.
   * Defaults to none. The rules are kept under the new names. Remove it once every stack is up to date.
   */
  formerKeys?: Record<string, string>;
}

/** A managed prefix list. */
export interface PrefixListPeer {
  /** Id of the prefix list: `pl-...`. */
  id: pulumi.Input<string>;
  /**
   * The list's maximum number of entries; for an AWS-managed list its weight. Defaults to 1, with a warning. AWS counts a rule
   * that references the list as that many rules, and so does `ruleQuota`. Changing it changes no resource, unless rules are
   * merged for it. (Amazon VPC quotas)
   */
  maxEntries?: number;
}

/** A rule that the documents do not require. */
export interface AdditionalSecurityGroupRule {
  /** The role whose group gets the rule: `control-plane` or `workers`. */
  role: Role;
  /** Whether the rule allows inbound or outbound traffic. */
  direction: Direction;
  /** The protocol. Set ports only with TCP and UDP: for other protocols AWS allows every port. */
  protocol: Protocol;
  /** First port, 0 to 65535. Defaults to every port. */
  fromPort?: number;
  /** Last port, 0 to 65535. Defaults to `fromPort`. */
  toPort?: number;
  /**
   * The peer as a CIDR block, IPv4 or IPv6: `10.0.0.0/8`. Set exactly one of `cidr`, `securityGroupId` and `prefixListId`.
   * An Output is not known yet when identical rules are merged: AWS refuses the rule if an identical one exists.
   */
  cidr?: pulumi.Input<string>;
  /** The family of a `cidr` that is an Output: `IPv4` or `IPv6`. Defaults to `IPv4`. */
  family?: AddressFamily;
  /** The peer as a security group: `sg-...`. Set exactly one of `cidr`, `securityGroupId` and `prefixListId`. */
  securityGroupId?: pulumi.Input<string>;
  /** The peer as a managed prefix list: `pl-...`. Set exactly one of `cidr`, `securityGroupId` and `prefixListId`. */
  prefixListId?: pulumi.Input<string>;
  /**
   * The prefix list's maximum number of entries; for an AWS-managed list its weight. `ruleQuota` counts the rule as that many
   * rules. Defaults to 1, with a warning. (Amazon VPC quotas)
   */
  maxEntries?: number;
  /**
   * The former key of this rule, so that its resource is kept under the new key; or the CIDR block by which version 0.1.0
   * named it. Defaults to none. Remove it once every stack is up to date.
   */
  formerKey?: string;
  /** Who talks to whom, and why: becomes the rule's description, limited by AWS to 255 characters. */
  description: string;
}

/** One rule as tables and reports show it. */
export interface SecurityGroupRuleRow {
  /** Name of the rule in its group and direction, built from protocol, ports and the peer's key or block: `tcp-6443-cidr-vpc`. */
  key: string;
  /** The role whose group holds the rule: `control-plane` or `workers`. */
  role: Role;
  /** Whether the rule allows inbound or outbound traffic. */
  direction: Direction;
  /** The protocol. */
  protocol: Protocol;
  /** The ports: `6443`, `30000-32767` or `all`. */
  ports: string;
  /** Source or destination: a CIDR block, or the name of a group or prefix list. */
  peer: string;
  /** Keys of the flows that need the rule, in the form of `disabledRules`. */
  flows: string[];
  /** Ids of the requirements that the rule fulfils. */
  requirements: string[];
  /** Who talks to whom, and why. */
  purpose: string;
  /** Document and heading of each source. */
  documents: string[];
  /** Disagreements between documents, deviations of upstream, and the blocks from which the rule was merged. */
  notes: string[];
}

/** When rules for CIDR blocks are merged into fewer rules with exactly the same addresses. */
export const RuleMerging = {
  /** Only if a group would have more rules in a direction than `ruleQuota`. */
  OverQuota: "over-quota",
  /** Always: the names of rules do not change when a group approaches its quota. */
  Always: "always",
  /** Never: more rules than `ruleQuota` are refused. */
  Never: "never",
} as const;
export type RuleMerging = (typeof RuleMerging)[keyof typeof RuleMerging];
