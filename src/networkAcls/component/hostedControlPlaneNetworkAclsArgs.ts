import type * as pulumi from "@pulumi/pulumi";
import type { AddressFamily, Direction, Protocol, Role } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";

/** What the network ACLs around the subnets of one hosted cluster are made from. */
export interface HostedControlPlaneNetworkAclsArgs extends NetworkAclSettings {
  /**
   * The hosted cluster. It decides which rules exist, so all its values are plain. With an associated subnet, addresses
   * without which its hosts would lose each other are required: `managementClusterCidrs`, `machineNetwork` or
   * `workerCidrs`, and behind load balancers `loadBalancerTargets`, `loadBalancerSubnetCidrs` and `workerNatCidrs`.
   * Changing it adds rules before it deletes others. (Network isolation for hosted clusters; port requirements of hosted
   * control planes)
   */
  topology: HostedClusterTopology;
  /** Id of the VPC of the management cluster's hosts: `vpc-...`. Changing it replaces ACLs, rules and associations. */
  vpcId: pulumi.Input<string>;
  /** Id of the VPC of the workers, where it is another one: `vpc-...`. Defaults to `vpcId`. Changing it replaces the ACL of the workers. */
  workerVpcId?: pulumi.Input<string>;
  /** AWS region of all resources: `eu-central-1`. Defaults to the provider's region. Changing it replaces everything. */
  region?: pulumi.Input<string>;
  /** Tags of the ACLs, beside those that the component sets; AWS has none for their rules. Defaults to none. Changes are made in place. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** What can be chosen of the network ACLs, whatever the hosted cluster is. */
export interface NetworkAclSettings {
  /**
   * Subnets that nothing but hosts of this hosted cluster uses, under keys of your choice, which name the associations.
   * Defaults to none. An ACL filters everything in a subnet, so a subnet that others share does not belong here. Declaring
   * one changes nothing by itself, except that the ACL of the workers exists only where a subnet of workers is declared.
   */
  dedicatedSubnets?: Record<string, DedicatedSubnet>;
  /**
   * Keys of the dedicated subnets whose traffic the ACLs filter. Defaults to none: the ACLs are made and filter nothing.
   * A key that `dedicatedSubnets` does not have is refused. Taking one out gives its subnet back to the VPC's default ACL,
   * which is not necessarily the one that it had before. A subnet is associated after all rules are there and released
   * before any of them goes.
   */
  associatedSubnets?: string[];
  /**
   * Rules of your own under keys of your choice: users of applications on the workers, or services that the documents do
   * not name. Defaults to none. What they share with other rules is merged. Changes add and delete single rules.
   */
  additionalRules?: Record<string, AdditionalNetworkAclRule>;
  /**
   * Keys of rules that are made only when asked for, as `<role>/<direction>/<key>`: `control-plane/ingress/nodes-ipsec-esp`
   * with its counterpart in `egress`, for a management cluster that encrypts with IPsec. Defaults to none. Changes add and
   * delete single rules.
   */
  enabledRules?: string[];
  /**
   * Keys of rules that are not made, as `<role>/<direction>/<key>`: `control-plane/ingress/nodes-etcd-peer`. Defaults to
   * none. Their answers go with them. Changes add and delete single rules.
   */
  disabledRules?: string[];
  /**
   * How many rules AWS lets an ACL have in each direction, from 1 to 40, counted for IPv4 and IPv6 apart, each with the
   * last one, which denies the rest. Defaults to 20, AWS's default quota. Rules are merged exactly as far as they can be;
   * more are refused before anything is made, with the number for each flow. An update makes new rules before it deletes
   * others, so it needs room for both. Changing it changes no resource. (Amazon VPC quotas)
   */
  ruleQuota?: number;
  /**
   * Numbers of single rules, by their names in `rules`: `{ "control-plane/ingress/tcp-6443-10.0.0.0-16": 1500 }`, from 1 to
   * 32766. Defaults to a number from 1000 to 31999 that depends only on the rule, so that rules keep theirs whatever
   * others come and go. Give one where two rules would get the same by chance, which is refused. Changing it replaces that
   * rule, the new one before the old one goes.
   */
  ruleNumbers?: Record<string, number>;
  /**
   * Ports from which the hosts of the subnets call, to which they get their answers. Defaults to 32768-65535, which holds
   * the range of Linux, so that node ports stay closed to those whom they call. Changes add and delete single rules.
   * (Amazon VPC, Ephemeral ports)
   */
  hostEphemeralPorts?: NetworkAclPortRange;
  /**
   * Ports from which others call the hosts of the subnets. Defaults to 1024-65535, which load balancers and NAT gateways of
   * AWS use. Changes add and delete single rules. (Amazon VPC, Ephemeral ports)
   */
  clientEphemeralPorts?: NetworkAclPortRange;
}

/** A subnet that hosts of one hosted cluster have for themselves. */
export interface DedicatedSubnet {
  /** Its id: `subnet-...`. Changing it replaces its association. */
  subnetId: pulumi.Input<string>;
  /**
   * Whose hosts are in it: `control-plane` or `workers`. Defaults to `control-plane`. Only workers on AWS, Agent and None
   * are in subnets of AWS.
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

/** A rule that the documents do not ask for. */
export interface AdditionalNetworkAclRule {
  /** Whose subnets: `control-plane` or `workers`. */
  role: Role;
  /** Whether the rule lets traffic into the subnets or out of them. */
  direction: Direction;
  /** The transport. Ports are given only with TCP and UDP: AWS lets every port of other protocols through. */
  protocol: Protocol;
  /** First port, 0 to 65535. Defaults to every port. */
  fromPort?: number;
  /** Last port, 0 to 65535. Defaults to `fromPort`. */
  toPort?: number;
  /**
   * The other end as a CIDR block, IPv4 or IPv6: `10.0.0.0/8`. An Output is not known when rules are merged: it has rules of
   * its own. A new value replaces the rules in their place, with a short gap between.
   */
  cidr: pulumi.Input<string>;
  /** The family of a `cidr` that is an Output: `IPv4` or `IPv6`. Defaults to `IPv4`. */
  family?: AddressFamily;
  /** Whether answers are let through in the other direction. Defaults to true. */
  answers?: boolean;
  /**
   * The key that this rule had before, so that its resource stays under the new one; or the CIDR block by which version 0.1.0
   * named it. Defaults to none. Remove it once every stack is up to date.
   */
  formerKey?: string;
  /** Who talks to whom, and why, for tables and reports. */
  description: string;
}

/** One rule of a network ACL as tables and reports show it. */
export interface NetworkAclRuleRow {
  /** Name of the rule, as `ruleNumbers` takes it: `control-plane/ingress/tcp-6443-10.0.0.0-16`. */
  key: string;
  /** Whose subnets: `control-plane` or `workers`. */
  role: Role;
  /** Whether it lets traffic into the subnets or out of them. */
  direction: Direction;
  /** Its number in the ACL. */
  ruleNumber: number;
  /** The transport. */
  protocol: Protocol;
  /** The ports: `6443`, `30000-32767` or `all`; of ICMP the messages: `all`, or `packet too big`. */
  ports: string;
  /** Source or destination: a CIDR block. */
  peer: string;
  /** Keys of the flows that need it, as `disabledRules` takes them, those whose answers it lets through among them. */
  flows: string[];
  /** Ids of the requirements that it fulfils. */
  requirements: string[];
  /** Who talks to whom, and why. */
  purpose: string;
  /** Document and heading of each source. */
  documents: string[];
}
