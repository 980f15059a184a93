import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../../fault";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import { UNKNOWN } from "../../resources/resource";
import { Role } from "../../topology/requiredFlow";
import { checked, knownPart, missingInputFaults } from "../checked";
import { refuse, warn } from "../refuse";
import { topologyOutput, withoutCredentials } from "../topologyOutput";
import type {
  HostedControlPlaneSecurityGroupsArgs,
  SecurityGroupRuleRow,
} from "./hostedControlPlaneSecurityGroupsArgs";
import { givenValues, knownValueFaults } from "./givenValues";
import type { GroupRole } from "./plannedRule";
import { createRule, type RuleSurroundings } from "./ruleResource";
import { ruleRow } from "./ruleRow";
import { securityGroupRules, type SecurityGroupOptions, type SecurityGroupPlan } from "./securityGroupRules";
import { CLUSTER_TAG, ROLE_TAG, tagFaults } from "./tags";

/**
 * AWS security groups for the hosts of a hosted control plane and for its workers, with every documented rule as a
 * resource of its own. Rules that others wrote into the groups are never removed.
 */
export class HostedControlPlaneSecurityGroups extends pulumi.ComponentResource {
  /** Id of the security group of the control-plane hosts: `sg-...`. */
  public readonly controlPlaneSecurityGroupId: pulumi.Output<string>;
  /** Id of the security group of the workers: `sg-...`. */
  public readonly workerSecurityGroupId: pulumi.Output<string>;
  /** Every rule with its reason, for tables and reports. */
  public readonly rules: pulumi.Output<SecurityGroupRuleRow[]>;
  /** The topology with its defaults, without credentials, for policies and reports. */
  public readonly topology: pulumi.Output<HostedClusterTopology>;

  constructor(
    name: string,
    args: HostedControlPlaneSecurityGroupsArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    super(TYPE, name, { ...args, topology: withoutCredentials(args?.topology) }, opts);
    const subject = `HostedControlPlaneSecurityGroups ${name}`;
    const plan = planOf(args);
    refuse(this, subject, [...plan.faults, ...inputFaults(name, args)]);
    warn(this, plan.warnings);

    const values = checkedValues(this, subject, args);
    const tags = args.tags ?? {};
    const around = { parent: this, name, values, tags, region: values.get("region") };
    const groups = {
      [Role.ControlPlane]:
        values.get("controlPlaneSecurityGroupId") ?? createGroup(Role.ControlPlane, args, around),
      [Role.Workers]: values.get("workerSecurityGroupId") ?? createGroup(Role.Workers, args, around),
    };
    for (const rule of plan.rules) createRule(rule, { ...around, groups });

    this.controlPlaneSecurityGroupId = groups[Role.ControlPlane];
    this.workerSecurityGroupId = groups[Role.Workers];
    this.rules = pulumi.output(plan.rules.map(ruleRow));
    this.topology = pulumi.output(topologyOutput(args.topology, plan.topology!));
    this.registerOutputs({
      controlPlaneSecurityGroupId: this.controlPlaneSecurityGroupId,
      workerSecurityGroupId: this.workerSecurityGroupId,
      rules: this.rules,
      topology: this.topology,
    });
  }
}

const TYPE = "hypershift-network:index:HostedControlPlaneSecurityGroups";

const REQUIRED = {
  topology: "describe the hosted cluster: { name: ..., platform: ..., ... }",
  vpcId: "write the id of the VPC of the management cluster's hosts: vpc-...",
};

type KnownInputs = Readonly<Record<string, unknown>>;

/** Values that other resources may produce, apart from those that the rules are planned from. */
const SINGLE_VALUES = [
  "vpcId",
  "workerVpcId",
  "region",
  "controlPlaneSecurityGroupId",
  "workerSecurityGroupId",
] as const;

/** The rules, from what is known of the inputs. */
function planOf(args: HostedControlPlaneSecurityGroupsArgs | undefined): SecurityGroupPlan {
  const { topology, ...others } = { ...args };
  if (topology === undefined || topology === null) return { rules: [], faults: [], warnings: [] };
  const options = knownPart(others) as unknown as SecurityGroupOptions;
  const { vpcId, workerVpcId = null } = others;
  return securityGroupRules(topology, {
    ...options,
    workersElsewhere: workerVpcId !== null && workerVpcId !== vpcId,
  });
}

/** What is wrong with the inputs that the plan does not read. */
function inputFaults(name: string, args: HostedControlPlaneSecurityGroupsArgs | undefined): Fault[] {
  const known = knownPart({ ...args }) as KnownInputs;
  return [
    ...missingInputFaults(args, REQUIRED),
    ...knownValueFaults(Object.fromEntries(SINGLE_VALUES.map((input) => [input, known[input]]))),
    ...tagFaults("tags", known.tags),
    ...nameFaults(name, known),
  ];
}

/** AWS refuses names of groups that look like ids; names of groups begin with the component's. */
function nameFaults(
  name: string,
  { controlPlaneSecurityGroupId, workerSecurityGroupId }: KnownInputs,
): Fault[] {
  const makesGroups = controlPlaneSecurityGroupId === undefined || workerSecurityGroupId === undefined;
  if (!makesGroups || !/^sg-/i.test(name)) return [];
  const problem = `${name} begins with sg-, which AWS refuses in names of security groups`;
  return [{ path: "name", problem, remedy: "give the component another name" }];
}

/** Ids and CIDR blocks of other resources by their place in the inputs, each of which is judged when it is known. */
function checkedValues(
  component: pulumi.Resource,
  subject: string,
  args: HostedControlPlaneSecurityGroupsArgs,
): ReadonlyMap<string, pulumi.Output<string>> {
  const values = givenValues({ ...args }).map(({ path, faultsOf, value }) => {
    const proved = checked(component, subject, value, (known) =>
      known === UNKNOWN ? [] : faultsOf(path, known),
    );
    return [path, proved as pulumi.Output<string>] as const;
  });
  return new Map(values);
}

/**
 * Descriptions never change: AWS replaces a group whose description changes, and a group that hangs on network
 * interfaces cannot be deleted.
 */
const GROUP_DESCRIPTION: Readonly<Record<GroupRole, string>> = {
  [Role.ControlPlane]: "Hosts of a hosted control plane",
  [Role.Workers]: "Workers of a hosted cluster",
};

/** A group without inline rules, so that nobody's rules are ever removed. */
function createGroup(
  role: GroupRole,
  { topology }: HostedControlPlaneSecurityGroupsArgs,
  { parent, name, values, tags, region }: Omit<RuleSurroundings, "groups">,
): pulumi.Output<string> {
  const workerVpcId = role === Role.Workers ? values.get("workerVpcId") : undefined;
  const group = new aws.ec2.SecurityGroup(
    `${name}-${role}`,
    {
      vpcId: workerVpcId ?? values.get("vpcId"),
      description: GROUP_DESCRIPTION[role],
      ...(region !== undefined && { region }),
      tags: { Name: `${name}-${role}`, ...tags, [CLUSTER_TAG]: topology.name, [ROLE_TAG]: role },
    },
    { parent, ignoreChanges: ["name", "description"] },
  );
  return group.id;
}
