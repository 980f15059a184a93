import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import { Protocol } from "../../requirements/vocabulary";
import { CLUSTER_TAG, ROLE_TAG } from "../../components/hostRules/tags";
import { nameForRole } from "../../resources/groupRoles";
import type { CheckedValues } from "../../components/hostRules/givenValues";
import { aclOf, type SubnetRole } from "./answers";
import { aclEntry, icmpOf } from "./aclEntry";
import { aclRuleKey } from "./aclRule";
import { type NumberedRule, numberKey } from "./ruleNumbers";
import type { Fault } from "../../fault";
import { mayMatch } from "../../reachability/flows/groupFilter";
import { networkAclFilter } from "../../reachability/filters";
import { networkAcls } from "../../resources/networkAcls";
import type { PropertyValue, Resource } from "../../resources/resource";
import { ResourceIndex } from "../../resources/resourceIndex";
import { TYPE } from "../../resources/resourceTypes";
import type { NetworkAclPlan } from "./networkAclRules";
import { type Place, proofFaults } from "../../components/hostRules/ruleWarnings";

/** What ACLs and their rules have around them. */
export interface AclSurroundings {
  /** The component's name, with which theirs begin. */
  name: string;
  /** The component as parent, and the check of its inputs, before which nothing is made: `gated`. */
  options: pulumi.CustomResourceOptions;
  region?: pulumi.Input<string>;
  /** CIDR blocks of other resources, by the path at which the inputs have them. */
  values: CheckedValues;
}

/** The ACL of a role, without inline rules and associations, so that those of others are never removed. */
export function createAcl(
  role: SubnetRole,
  cluster: string,
  vpcId: pulumi.Input<string>,
  tags: Record<string, pulumi.Input<string>>,
  { name, options, region }: AclSurroundings,
): aws.ec2.NetworkAcl {
  return new aws.ec2.NetworkAcl(
    nameForRole(name, role),
    {
      vpcId,
      ...(region !== undefined && { region }),
      tags: { Name: nameForRole(name, role), ...tags, [CLUSTER_TAG]: cluster, [ROLE_TAG]: role },
    },
    options,
  );
}

/** One rule as a resource of its own, named by what it lets pass. */
export function createAclRule(
  rule: NumberedRule,
  networkAclId: pulumi.Output<string>,
  { name, options, region, values }: AclSurroundings,
): aws.ec2.NetworkAclRule {
  const { role, direction, peer } = rule;
  return new aws.ec2.NetworkAclRule(
    nameForRole(name, role, direction, aclRuleKey(rule)),
    {
      networkAclId,
      ...aclEntry(rule),
      ...eventualBlock(rule, values),
      ...(region !== undefined && { region }),
    },
    // A block that changes keeps its rule's number, and a list has one rule of a number.
    { ...options, deleteBeforeReplace: peer.kind === "eventual" },
  );
}

type BlockArgs = Partial<Pick<aws.ec2.NetworkAclRuleArgs, "cidrBlock" | "ipv6CidrBlock" | "protocol">>;

/** A block that is not known yet: of which family it is, and so which ICMP, shows only then. */
function eventualBlock({ peer, protocol }: NumberedRule, values: CheckedValues): BlockArgs {
  const cidr = peer.kind === "eventual" ? values.get(peer.path) : undefined;
  if (cidr === undefined) return {};
  const isIPv6 = (block: string) => block.includes(":");
  // Inputs of older SDKs are not typed for an Output of undefined, which they take all the same.
  const blockWhere = (isTaken: (block: string) => boolean) =>
    cidr.apply((block) => (isTaken(block) ? block : undefined)) as pulumi.Output<string>;
  return {
    cidrBlock: blockWhere((block) => !isIPv6(block)),
    ipv6CidrBlock: blockWhere(isIPv6),
    ...(protocol === Protocol.Icmp && {
      protocol: cidr.apply((block) => icmpOf(isIPv6(block) ? 6 : 4)),
    }),
  };
}

/**
 * Proves the rules of a component's network ACLs before any of them is made: the entries that the engine gets are read as
 * those of any plan, and have to let every flow and its answers pass, and nothing else.
 */
export function aclProofFaults({ roles, rules, topology, purpose }: NetworkAclPlan): Fault[] {
  if (!topology || !purpose) return [];
  const { acls } = networkAcls(new ResourceIndex(rules.map(asResource)));
  const places = roles.map((role: SubnetRole): Place => {
    const own = acls.find(({ id }) => id === role)?.rules ?? [];
    return {
      role,
      filterFor: (flow) =>
        networkAclFilter(
          own.filter((rule) => mayMatch(rule, flow)),
          flow.direction,
        ),
      filter: (direction) => networkAclFilter(own, direction),
      isPassedBy: (flow) => aclOf(flow) === role,
    };
  });
  return proofFaults(places, purpose, topology);
}

/** A rule as the engine is asked for it; a block that another resource has matches nothing. */
const asResource = (rule: NumberedRule): Resource => ({
  origin: {},
  type: TYPE.networkAclRule,
  name: numberKey(rule),
  properties: { networkAclId: rule.role, ...(aclEntry(rule) as unknown as Record<string, PropertyValue>) },
});
