import { readFileSync } from "node:fs";

import {
  DescribeNetworkAclsCommand,
  DescribeSecurityGroupRulesCommand,
  DescribeSecurityGroupsCommand,
  DescribeVpcEndpointsCommand,
  DescribeVpcsCommand,
  EC2Client,
} from "@aws-sdk/client-ec2";
import { parse } from "yaml";

import { ApiClient } from "../../local/servers/apiClient";
import type { Session } from "../../local/session";

/** The content of a session's EC2 API and Kubernetes API, read without the engine. */
export class World {
  /** The EC2 API itself. */
  readonly ec2: EC2Client;
  readonly #kubernetes: ApiClient;

  constructor(session: Session) {
    this.ec2 = new EC2Client({
      endpoint: session.awsEndpoint,
      region: session.env.AWS_REGION ?? "",
      credentials: {
        accessKeyId: session.env.AWS_ACCESS_KEY_ID ?? "",
        secretAccessKey: session.env.AWS_SECRET_ACCESS_KEY ?? "",
      },
    });
    this.#kubernetes = clientOf(session.kubeconfig);
  }

  /** The rules of a security group: `ingress tcp 6443 10.0.0.0/16`; groups and prefix lists by id. */
  async rules(groupId: string): Promise<string[]> {
    const answer = await this.ec2.send(
      new DescribeSecurityGroupRulesCommand({ Filters: [{ Name: "group-id", Values: [groupId] }] }),
    );
    const rules = (answer.SecurityGroupRules ?? []).map((rule) => {
      const ports = rule.FromPort === rule.ToPort ? `${rule.FromPort}` : `${rule.FromPort}-${rule.ToPort}`;
      const peer =
        rule.CidrIpv4 ?? rule.CidrIpv6 ?? rule.ReferencedGroupInfo?.GroupId ?? rule.PrefixListId ?? "nobody";
      return `${rule.IsEgress ? "egress" : "ingress"} ${rule.IpProtocol} ${ports} ${peer}`;
    });
    return rules.sort();
  }

  /** Ids of the security groups of a VPC. */
  async groupIds(vpcId: string): Promise<string[]> {
    const filter = { Name: "vpc-id", Values: [vpcId] };
    const answer = await this.ec2.send(new DescribeSecurityGroupsCommand({ Filters: [filter] }));
    return (answer.SecurityGroups ?? []).map(({ GroupId = "" }) => GroupId);
  }

  /** Ids of the security groups of a VPC endpoint, sorted. */
  async groupsOfEndpoint(endpointId: string): Promise<string[]> {
    const answer = await this.ec2.send(new DescribeVpcEndpointsCommand({ VpcEndpointIds: [endpointId] }));
    return (answer.VpcEndpoints?.[0]?.Groups ?? []).map(({ GroupId = "" }) => GroupId).sort();
  }

  /** The rules of a network ACL without the final deny rules: `ingress 2197 tcp 6443 10.0.0.0/16`. */
  async aclRules(aclId: string): Promise<string[]> {
    const answer = await this.ec2.send(new DescribeNetworkAclsCommand({ NetworkAclIds: [aclId] }));
    const rules = (answer.NetworkAcls?.[0]?.Entries ?? [])
      .filter(({ RuleNumber = 0 }) => RuleNumber < 32767)
      .map(({ Egress, RuleNumber, Protocol = "", PortRange: ports, CidrBlock }) => {
        const range = ports && (ports.From === ports.To ? ports.From : `${ports.From}-${ports.To}`);
        const protocol = PROTOCOLS[Protocol] ?? Protocol;
        const words = [Egress ? "egress" : "ingress", RuleNumber, protocol, range, CidrBlock];
        return words.filter((word) => word !== undefined).join(" ");
      });
    return rules.sort();
  }

  /** The network ACL that filters a subnet. */
  async aclOfSubnet(subnetId: string): Promise<{ id: string; isDefault: boolean }> {
    const filter = { Name: "association.subnet-id", Values: [subnetId] };
    const answer = await this.ec2.send(new DescribeNetworkAclsCommand({ Filters: [filter] }));
    const { NetworkAclId: id = "", IsDefault: isDefault = false } = answer.NetworkAcls?.[0] ?? {};
    return { id, isDefault };
  }

  /** The blocks of all VPCs except the account's default one. */
  async vpcs(): Promise<string[]> {
    const answer = await this.ec2.send(new DescribeVpcsCommand({}));
    return (answer.Vpcs ?? []).filter((vpc) => !vpc.IsDefault).map((vpc) => vpc.CidrBlock ?? "");
  }

  /** An object of the Kubernetes API by its path; undefined if it does not exist. */
  async object(path: string): Promise<{ spec?: Record<string, unknown> } | undefined> {
    const { status, body } = await this.#kubernetes.request("GET", path);
    return status === 404 ? undefined : (body as { spec?: Record<string, unknown> });
  }
}

const PROTOCOLS: Readonly<Record<string, string>> = { "1": "icmp", "6": "tcp", "17": "udp" };

function clientOf(kubeconfig: string): ApiClient {
  const { clusters, users } = parse(readFileSync(kubeconfig, "utf8")) as {
    clusters: { cluster: { server: string; "certificate-authority-data": string } }[];
    users: { user: { token: string } }[];
  };
  const cluster = clusters[0]!.cluster;
  const certificate = Buffer.from(cluster["certificate-authority-data"], "base64").toString("utf8");
  return new ApiClient(cluster.server, users[0]!.user.token, certificate);
}
