import {
  DescribeRouteTablesCommand,
  DescribeSecurityGroupRulesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcPeeringConnectionsCommand,
  DescribeVpcsCommand,
  EC2Client,
  type SecurityGroupRule,
  type Tag,
} from "@aws-sdk/client-ec2";

import type { Session } from "../../../local/session";

/** Everything in the EC2 API, one line per object that describes it without its id. */
export interface Network {
  readonly lines: readonly string[];
  readonly ids: ReadonlySet<string>;
}

/** The EC2 API of a session, read and emptied with its own credentials. */
export class Ec2World {
  private readonly ec2: EC2Client;

  constructor(private readonly session: Session) {
    const { AWS_ACCESS_KEY_ID: accessKeyId = "", AWS_SECRET_ACCESS_KEY: secretAccessKey = "" } = session.env;
    const credentials = { accessKeyId, secretAccessKey };
    this.ec2 = new EC2Client({ region: "us-east-1", endpoint: session.awsEndpoint, credentials });
  }

  /** Makes moto forget all objects. */
  async empty(): Promise<void> {
    const key = this.session.env.AWS_ACCESS_KEY_ID ?? "";
    const { ok } = await fetch(`${this.session.awsEndpoint}/moto-api/reset`, {
      method: "POST",
      headers: { authorization: `AWS4-HMAC-SHA256 Credential=${key}/20260101/us-east-1/ec2/aws4_request` },
    });
    if (!ok) throw new Error("the EC2 API was not reset");
  }

  /** Two objects with the same kind and content are two equal lines, which shows duplicates. */
  async network(): Promise<Network> {
    const { ec2 } = this;
    const [vpcs, subnets, groups, rules, tables, peerings] = await Promise.all([
      ec2.send(new DescribeVpcsCommand({})).then(({ Vpcs = [] }) => Vpcs),
      ec2.send(new DescribeSubnetsCommand({})).then(({ Subnets = [] }) => Subnets),
      ec2.send(new DescribeSecurityGroupsCommand({})).then(({ SecurityGroups = [] }) => SecurityGroups),
      ec2
        .send(new DescribeSecurityGroupRulesCommand({}))
        .then(({ SecurityGroupRules = [] }) => SecurityGroupRules),
      ec2.send(new DescribeRouteTablesCommand({})).then(({ RouteTables = [] }) => RouteTables),
      ec2
        .send(new DescribeVpcPeeringConnectionsCommand({}))
        // A deleted one stays listed for a while.
        .then(({ VpcPeeringConnections = [] }) =>
          VpcPeeringConnections.filter(({ Status }) => Status?.Code !== "deleted"),
        ),
    ]);
    const words = new Map<string, string>();
    const name = (id = "none") => words.get(id) ?? id;
    const line = (id: string | undefined, text: string, tags?: Tag[]) => {
      words.set(id ?? "", text);
      return `${text} ${tagWords(tags)}`;
    };
    const lines = [
      ...vpcs.map(({ VpcId, CidrBlock, CidrBlockAssociationSet = [], Tags }) =>
        line(VpcId, `vpc ${CidrBlock} of ${CidrBlockAssociationSet.length} blocks`, Tags),
      ),
      ...subnets.map(({ SubnetId, CidrBlock, VpcId, Tags }) =>
        line(SubnetId, `subnet ${CidrBlock} in ${name(VpcId)}`, Tags),
      ),
      ...groups.map(({ GroupId, Description, VpcId, Tags }) =>
        line(GroupId, `group "${Description}" in ${name(VpcId)}`, Tags),
      ),
      ...rules.map((rule) => line(rule.SecurityGroupRuleId, ruleWords(rule, name), rule.Tags)),
      ...peerings.map(({ VpcPeeringConnectionId: id, Status, RequesterVpcInfo, AccepterVpcInfo, Tags }) =>
        line(
          id,
          `peering ${name(RequesterVpcInfo?.VpcId)} to ${name(AccepterVpcInfo?.VpcId)} ${Status?.Code}`,
          Tags,
        ),
      ),
      ...tables.map(({ RouteTableId, VpcId, Routes = [], Associations = [], Tags }) => {
        const routes = Routes.map(
          ({ DestinationCidrBlock, GatewayId, VpcPeeringConnectionId }) =>
            `${DestinationCidrBlock} by ${name(VpcPeeringConnectionId ?? GatewayId)}`,
        );
        const members = Associations.map(({ SubnetId, Main }) => (Main ? "main" : name(SubnetId)));
        const text = `routes of ${name(VpcId)}: ${routes.sort().join(", ")}; for ${members.sort().join(", ")}`;
        return line(RouteTableId, text, Tags);
      }),
    ];
    const associations = tables.flatMap(({ Associations = [] }) => Associations);
    const ids = [...words.keys(), ...associations.map(({ RouteTableAssociationId: id = "" }) => id)];
    return { lines: lines.sort(), ids: new Set(ids) };
  }
}

/** The marks by which the stand-in finds lost objects are tags too, so a leftover mark shows as a difference. */
const tagWords = (tags: Tag[] = []): string =>
  tags
    .map(({ Key, Value }) => `${Key}=${Value}`)
    .sort()
    .join(" ");

function ruleWords(rule: SecurityGroupRule, name: (id?: string) => string): string {
  const { IsEgress, IpProtocol, FromPort, ToPort, CidrIpv4, CidrIpv6, PrefixListId, Description } = rule;
  const peer = CidrIpv4 ?? CidrIpv6 ?? PrefixListId ?? name(rule.ReferencedGroupInfo?.GroupId);
  const direction = IsEgress ? "to" : "from";
  return `rule of ${name(rule.GroupId)}: ${IpProtocol} ${FromPort}-${ToPort} ${direction} ${peer} "${Description}"`;
}
