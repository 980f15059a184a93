import * as aws from "@pulumi/aws";

/** How long a test may take, in milliseconds. */
export const within = 240_000;
/** The changes of a deployment that has nothing to change. */
export const UNCHANGED = ["same"];

/** The program of a VPC with a group and a rule in it. */
export const networkWith =
  (vpc: aws.ec2.VpcArgs, rule: Partial<aws.vpc.SecurityGroupIngressRuleArgs> = {}) =>
  () => {
    const network = new aws.ec2.Vpc("vpc", { cidrBlock: "10.0.0.0/16", ...vpc });
    const group = new aws.ec2.SecurityGroup("group", { vpcId: network.id, description: "first" });
    const ingress = new aws.vpc.SecurityGroupIngressRule("rule", {
      securityGroupId: group.id,
      ipProtocol: "tcp",
      fromPort: 443,
      toPort: 443,
      cidrIpv4: "10.0.0.0/8",
      description: "the API",
      ...rule,
    });
    return Promise.resolve({ vpc: network, group, rule: ingress });
  };
/** What it returns. */
export interface Network extends Record<string, unknown> {
  vpc: Record<string, unknown>;
  group: Record<string, unknown>;
  rule: Record<string, unknown>;
}
