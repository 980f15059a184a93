import type * as pulumi from "@pulumi/pulumi";
import type { AddressFamily, Direction, Protocol, Role } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";

/** The arguments of the network ACLs around the subnets of one hosted cluster. */
export interface HostedControlPlaneNetworkAclsArgs extends NetworkAclSettings {
  /**
   * The hosted cluster. It decides which rules exist, so all its values must be plain. With an associated subnet, the addresses
   * without which its hosts would be cut off from each other are required: `managementClusterCidrs`, `machineNetwork` or
   * `workerCidrs`, and behind load balancers `loadBalancerTargets`, `loadBalancerSubnetCidrs` and `workerNatCidrs`.
   * Changing it adds rules before it deletes others. (Network isolation for hosted clusters; port requirements of hosted
   * control planes)
   */
  topology: HostedClusterTopology;
  /** Id of the VPC of the management cluster's hosts: `vpc-...`. Changing it replaces ACLs, rules and associations. */
  vpcId: pulumi.Input<string>;
  /** Id of the VPC of the workers, if it is a different one: `vpc-...`. Defaults to `vpcId`. Changing it replaces the workers' ACL. */
  workerVpcId?: pulumi.Input<string>;
  /** AWS region of all resources: `eu-central-1`. Defaults to the provider's region. Changing it replaces everything. */
  region?: pulumi.Input<string>;
  /** Tags of the ACLs, in addition to the component's own; AWS has no tags for rules. Defaults to none. Changes are made in place. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** Settings of the network ACLs that do not depend on the hosted cluster. */
export interface NetworkAclSettings {
  /**
   * Subnets used only by hosts of this hosted cluster, under keys of your choice, which name the associations.
   * Defaults to none. An ACL filters everything in a subnet, so do not list a shared subnet here. Declaring a subnet changes
   * nothing by itself, except that the ACL of the workers exists only if a subnet of workers is declared.
   */
  dedicatedSubnets?: Record<string, DedicatedSubnet>;
  /**
   * Keys of the dedicated subnets whose traffic the ACLs filter. Defaults to none: the ACLs are created and filter nothing.
   * A key that `dedicatedSubnets` does not have is refused. Removing a key returns its subnet to the VPC's default ACL,
   * which is not necessarily the one that it had before. A subnet is associated after all rules are created, and released
   * before any rule is deleted.
   */
  associatedSubnets?: string[];
  /**
   * Your own rules, under keys of your choice: for users of applications on the workers, or services that the documents do
   * not name. Defaults to none. Overlaps with other rules are merged. Changes add and delete single rules.
   */
  additionalRules?: Record<string, AdditionalNetworkAclRule>;
  /**
   * Keys of rules that are created only on request, as `<role>/<direction>/<key>`: `control-plane/ingress/nodes-ipsec-esp`
   * with its counterpart in `egress`, for a management cluster that encrypts with IPsec. Defaults to none. Changes add and
   * delete single rules.
   */
  enabledRules?: string[];
  /**
   * Keys of rules that are not created, as `<role>/<direction>/<key>`: `control-plane/ingress/nodes-etcd-peer`. Defaults to
   * none. The rules for their answers are left out too. Changes add and delete single rules.
   */
  disabledRules?: string[];
  /**
   * How many rules AWS allows in an ACL in each direction, from 1 to 40, counted separately for IPv4 and IPv6, each including
   * the last rule, which denies the rest. Defaults to 20, AWS's default quota. Rules are merged where that changes no
   * addresses or ports; more rules are refused before anything is created, with the number for each flow. An update creates
   * new rules before it deletes others, so it needs room for both. Changing it changes no resource. (Amazon VPC quotas)
   */
  ruleQuota?: number;
  /**
   * Numbers of single rules, by their names in `rules`: `{ "control-plane/ingress/tcp-6443-10.0.0.0-16": 1500 }`, from 1 to
   * 32766. Defaults to a number from 1000 to 31999 that depends only on the rule, so that rules keep their numbers when
   * others are added or deleted. Set one if two rules would get the same number by chance, which is refused. Changing it
   * replaces that rule; the new rule is created before the old one is deleted.
   */
  ruleNumbers?: Record<string, number>;
  /**
   * Source ports of the hosts in the subnets when they call others; answers go to these ports. Defaults to 32768-65535, which
   * contains the range of Linux, so that node ports stay closed to the called peers. Changes add and delete single rules.
   * (Amazon VPC, Ephemeral ports)
   */
  hostEphemeralPorts?: NetworkAclPortRange;
  /**
   * Source ports of others when they call the hosts in the subnets. Defaults to 1024-65535, which AWS load balancers and NAT
   * gateways use. Changes add and delete single rules. (Amazon VPC, Ephemeral ports)
   */
  clientEphemeralPorts?: NetworkAclPortRange;
}

/** A subnet used only by hosts of one hosted cluster. */
export interface DedicatedSubnet {
  /** Id of the subnet: `subnet-...`. Changing it replaces its association. */
  subnetId: pulumi.Input<string>;
  /**
   * The role of the hosts in the subnet: `control-plane` or `workers`. Defaults to `control-plane`. Only workers on AWS, Agent
   * and None are in AWS subnets.
   */
  role?: Role;
}

/** A range of ports. */
export interface NetworkAclPortRange {
  /** First port, 0 to 65535. */
  fromPort: number;
  /** Last port, 0 to 65535, included. */
  toPort: number;
}

/** A rule that the documents do not require. */
export interface AdditionalNetworkAclRule {
  /** The role whose subnets the rule is for: `control-plane` or `workers`. */
  role: Role;
  /** Whether the rule allows traffic into the subnets or out of them. */
  direction: Direction;
  /** The protocol. Set ports only with TCP and UDP: for other protocols AWS allows every port. */
  protocol: Protocol;
  /** First port, 0 to 65535. Defaults to every port. */
  fromPort?: number;
  /** Last port, 0 to 65535. Defaults to `fromPort`. */
  toPort?: number;
  /**
   * The peer as a CIDR block, IPv4 or IPv6: `10.0.0.0/8`. An Output is not known yet when rules are merged, so it gets separate
   * rules. A new value replaces the rules under the same numbers, with a short gap in between.
   */
  cidr: pulumi.Input<string>;
  /** The family of a `cidr` that is an Output: `IPv4` or `IPv6`. Defaults to `IPv4`. */
  family?: AddressFamily;
  /** Whether answers are allowed in the opposite direction. Defaults to true. */
  answers?: boolean;
  /**
   * The former key of this rule, so that its resource is kept under the new key; or the CIDR block by which version 0.1.0
   * named it. Defaults to none. Remove it once every stack is up to date.
   */
  formerKey?: string;
  /** Who talks to whom, and why, for tables and reports. */
  description: string;
}

/** One rule of a network ACL as tables and reports show it. */
export interface NetworkAclRuleRow {
  /** Name of the rule, in the form of `ruleNumbers`: `control-plane/ingress/tcp-6443-10.0.0.0-16`. */
  key: string;
  /** The role whose subnets the rule is for: `control-plane` or `workers`. */
  role: Role;
  /** Whether the rule allows traffic into the subnets or out of them. */
  direction: Direction;
  /** Number of the rule in the ACL. */
  ruleNumber: number;
  /** The protocol. */
  protocol: Protocol;
  /** The ports: `6443`, `30000-32767` or `all`; for ICMP the messages: `all` or `packet too big`. */
  ports: string;
  /** Source or destination: a CIDR block. */
  peer: string;
  /** Keys of the flows that need the rule, in the form of `disabledRules`, including flows whose answers it allows. */
  flows: string[];
  /** Ids of the requirements that the rule fulfils. */
  requirements: string[];
  /** Who talks to whom, and why. */
  purpose: string;
  /** Document and heading of each source. */
  documents: string[];
}
