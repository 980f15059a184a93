import type * as ec2 from "@pulumi/aws/ec2";
import * as pulumi from "@pulumi/pulumi";
import { onceForEach } from "../../collections";
import type { Fault } from "../../fault";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import { Role } from "../../requirements/vocabulary";
import { checked, missingInputFaults, ownOutputs, warn } from "../../components/checked";
import {
  leafwise,
  arnOf,
  childOf,
  withAddresses,
  topologyOutput,
  withoutCredentials,
} from "../../components/outputs";
import { gated, givenPart, knownPart } from "../../components/settled";
import {
  checkedValues,
  type GivenValue,
  knownValueFaults,
  namedBlocks,
  peersByKey,
  peerSetIds,
  tagFaults,
  VALUE,
} from "../../components/hostRules/givenValues";
import {
  duplicateFaults,
  groupProofFaults,
  ruleRow,
  type SecurityGroupOptions,
  type SecurityGroupPlan,
  securityGroupRules,
} from "./securityGroupRules";
import { otherFamilyFaults } from "../../components/hostRules/rulePeers";
import { topologyAmong } from "../../components/hostRules/flowSelection";
import { createGroup, groupNameFaults, createRules } from "./groupResource";
import type {
  HostedControlPlaneSecurityGroupsArgs,
  SecurityGroupRuleRow,
} from "./hostedControlPlaneSecurityGroupsArgs";
import { isGiven } from "../../resources/read";

/**
 * AWS security groups for the hosts of a hosted control plane and for its workers, with every documented rule as a
 * separate resource. Rules that others add to the groups are never removed.
 */
export class HostedControlPlaneSecurityGroups extends pulumi.ComponentResource {
  /** Id of the security group of the control-plane hosts: `sg-...`. */
  public readonly controlPlaneSecurityGroupId: pulumi.Output<string>;
  /** Id of the security group of the workers: `sg-...`. */
  public readonly workerSecurityGroupId: pulumi.Output<string>;
  /** ARN of the security group of the control-plane hosts. Absent if an existing group is given. */
  public readonly controlPlaneSecurityGroupArn?: pulumi.Output<string>;
  /** ARN of the security group of the workers. Absent if an existing group is given. */
  public readonly workerSecurityGroupArn?: pulumi.Output<string>;
  /** Every rule with its reason, for tables and reports. */
  public readonly rules: pulumi.Output<SecurityGroupRuleRow[]>;
  /** Keys of the documented rules that were not created because `disabledRules` lists them, for policies and reports. */
  public readonly disabledRules: pulumi.Output<string[]>;
  /** Settings that work but are probably not intended, to the extent known before anything is created. */
  public readonly warnings: pulumi.Output<string[]>;
  /** The topology with its defaults, without credentials, for policies and reports. */
  public readonly topology: pulumi.Output<HostedClusterTopology>;

  constructor(
    name: string,
    args: HostedControlPlaneSecurityGroupsArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    super(TYPE, name, { ...args, topology: withoutCredentials(args?.topology) }, opts);
    const inputs = { ...args };
    const check = checked(this, `HostedControlPlaneSecurityGroups ${name}`, inputs, (known) =>
      securityGroupFaults(name, inputs, known as KnownInputs),
    );
    const given = givenPart(inputs);
    const plan = knownPlan(given);
    this.warnings = warn(this, plan.warnings);

    const values = checkedValues(check, everyValue(given));
    const { tags } = given;
    const around = { name, options: gated(this, check), values, tags, region: values.get("region") };
    const cluster = given.topology.name;
    const vpcId = values.get("vpcId");
    const workerVpcId = values.get("workerVpcId") ?? vpcId;
    const groups = {
      [Role.ControlPlane]:
        values.get("controlPlaneSecurityGroupId") ?? createGroup(Role.ControlPlane, cluster, vpcId, around),
      [Role.Workers]:
        values.get("workerSecurityGroupId") ?? createGroup(Role.Workers, cluster, workerVpcId, around),
    };
    createRules(plan.rules, { ...around, groups });

    // If the check fails, the outputs fail too: a child that is not created would leave them unresolved forever.
    this.controlPlaneSecurityGroupId = check.apply(() => groups[Role.ControlPlane]);
    this.workerSecurityGroupId = check.apply(() => groups[Role.Workers]);
    this.controlPlaneSecurityGroupArn = arnOf(this, Role.ControlPlane, check);
    this.workerSecurityGroupArn = arnOf(this, Role.Workers, check);
    this.rules = leafwise(withAddresses(plan.rules.map(ruleRow), plan.topology!, given.topology, check));
    this.disabledRules = pulumi.output([...(given.disabledRules ?? [])]);
    this.topology = leafwise(topologyOutput(withDefaultWorkerRules(given), plan.topology!));
    this.registerOutputs(ownOutputs(this));
  }

  /** The group of the control-plane hosts, in Node.js programs; undefined if an existing group is given. */
  get controlPlaneSecurityGroup(): ec2.SecurityGroup | undefined {
    return childOf(this, Role.ControlPlane);
  }

  /** The group of the workers, in Node.js programs; undefined if an existing group is given. */
  get workerSecurityGroup(): ec2.SecurityGroup | undefined {
    return childOf(this, Role.Workers);
  }
}

const TYPE = "hypershift-network:index:HostedControlPlaneSecurityGroups";

const REQUIRED = {
  topology: "describe the hosted cluster: { name: ..., platform: ..., ... }",
  vpcId: "write the id of the VPC of the management cluster's hosts: vpc-...",
};

/** The topology with `defaultWorkerRules` if the argument is set, so that rules know that nodes carry only these groups. */
const withDefaultWorkerRules = ({
  topology,
  defaultWorkerRules,
}: HostedControlPlaneSecurityGroupsArgs): HostedClusterTopology =>
  defaultWorkerRules === true ? { ...topology, defaultWorkerRules } : topology;

type Args = Partial<HostedControlPlaneSecurityGroupsArgs>;
type KnownInputs = Readonly<Record<string, unknown>>;

/** Values that other resources may produce, except those from which the rules are planned. */
function singleValues(inputs: KnownInputs): GivenValue[] {
  const { vpcId, workerVpcId, region, controlPlaneSecurityGroupId, workerSecurityGroupId } = inputs;
  return [
    { path: "vpcId", faultsOf: VALUE.vpc, value: vpcId },
    { path: "workerVpcId", faultsOf: VALUE.vpc, value: workerVpcId },
    { path: "region", faultsOf: VALUE.region, value: region },
    {
      path: "controlPlaneSecurityGroupId",
      faultsOf: VALUE.securityGroup,
      value: controlPlaneSecurityGroupId,
    },
    { path: "workerSecurityGroupId", faultsOf: VALUE.securityGroup, value: workerSecurityGroupId },
  ];
}

/** Every value that other resources may produce. */
const everyValue = (inputs: KnownInputs): GivenValue[] => [
  ...singleValues(inputs),
  ...peerSetIds(inputs.peers),
  ...peersByKey("additionalRules", inputs.additionalRules),
  ...namedBlocks(inputs.topology),
];

/** All faults of the known inputs. */
export function securityGroupFaults(name: string, args: Args, known: KnownInputs): Fault[] {
  const { rules } = knownPlan(args);
  const plan = planOf(args, known);
  return [
    ...plan.faults,
    ...groupProofFaults(plan),
    ...missingInputFaults(known, REQUIRED),
    ...knownValueFaults(singleValues(known)),
    ...tagFaults("tags", known.tags),
    ...nameFaults(name, known),
    ...duplicateFaults(rules, everyValue(known)),
    ...otherFamilyFaults(rules, everyValue(known)),
  ];
}

/** What is opened or left closed because the known inputs are not specific enough. */
export const securityGroupWarnings = (args: Args): readonly string[] => knownPlan(args).warnings;

/** The plan from the inputs that are known immediately, computed once for faults, warnings and resources. */
const knownPlan = onceForEach((args: Args) => planOf(args, knownPart(args) as KnownInputs));

/** The rules from the known inputs. The topology must be plain; the plan reports where it is not. */
function planOf(args: Args, known: KnownInputs): SecurityGroupPlan {
  const { topology: _, ...options } = known;
  const { topology = null, vpcId, workerVpcId = null } = args;
  if (topology === null) return { rules: [], faults: [], warnings: [] };
  const workersElsewhere = workerVpcId !== null && workerVpcId !== vpcId;
  return securityGroupRules(
    topology,
    { ...(options as SecurityGroupOptions), workersElsewhere },
    topologyAmong(args, known),
  );
}

/** Faults of the names of new groups; existing groups already have a name. */
function nameFaults(
  name: string,
  { controlPlaneSecurityGroupId, workerSecurityGroupId }: KnownInputs,
): Fault[] {
  const makesGroups = !isGiven(controlPlaneSecurityGroupId) || !isGiven(workerSecurityGroupId);
  return makesGroups ? groupNameFaults(name) : [];
}
