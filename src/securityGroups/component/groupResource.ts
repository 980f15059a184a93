import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../../fault";
import { Role } from "../../requirements/vocabulary";
import type { RuleSurroundings } from "./ruleResource";
import { CLUSTER_TAG, ROLE_TAG } from "../../components/hostRules/tags";

/**
 * Descriptions never change: AWS replaces a group whose description changes, and a group that hangs on network
 * interfaces cannot be deleted.
 */
const GROUP_DESCRIPTION: Readonly<Record<Role, string>> = {
  [Role.ControlPlane]: "Hosts of a hosted control plane",
  [Role.Workers]: "Workers of a hosted cluster",
  [Role.PrivateEndpoint]: "VPC endpoint of a hosted control plane",
};

/** The group of a role, without inline rules, so that nobody's rules are ever removed. */
export function createGroup(
  role: Role,
  cluster: string,
  vpcId: pulumi.Input<string> | undefined,
  { name, options, tags, region }: Omit<RuleSurroundings, "groups">,
): pulumi.Output<string> {
  const group = new aws.ec2.SecurityGroup(
    `${name}-${role}`,
    {
      ...(vpcId !== undefined && { vpcId }),
      description: GROUP_DESCRIPTION[role],
      ...(region !== undefined && { region }),
      tags: { Name: `${name}-${role}`, ...tags, [CLUSTER_TAG]: cluster, [ROLE_TAG]: role },
    },
    { ...options, ignoreChanges: ["name", "description"] },
  );
  return group.id;
}

/** AWS refuses names of groups that look like ids; names of groups begin with the component's. */
export function groupNameFaults(name: string): Fault[] {
  if (!/^sg-/i.test(name)) return [];
  const problem = `${name} begins with sg-, which AWS refuses in names of security groups`;
  return [{ path: "name", problem, remedy: "give the component another name" }];
}
