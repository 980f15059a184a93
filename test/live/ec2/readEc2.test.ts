import { readFileSync } from "node:fs";
import { join } from "node:path";

import { isByController, isOwnedByCluster, securityGroups } from "../../../src/resources/securityGroups";
import { networkAcls } from "../../../src/resources/networkAcls";
import { UNKNOWN } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { TYPE } from "../../../src/resources/resourceTypes";
import { vpcs } from "../../../src/resources/vpcs";
import { ec2Error, playEc2, type Account } from "./ec2Account";
import { readEc2 } from "../../../src/live/ec2/readEc2";
import type { Ec2Access } from "../../../src/live/ec2/ec2Api";

const CLUSTER_TAG = { Key: "hypershift-network/cluster", Value: "tenant-a" };
const group = (id: string, more: object = {}) => ({
  GroupId: id,
  GroupName: `name-of-${id}`,
  OwnerId: "111111111111",
  VpcId: "vpc-1",
  ...more,
});
const read = (account: Account, access: Ec2Access = { region: "eu-west-1" }) => {
  const asked = playEc2(account);
  return readEc2(access, () => undefined).then((reading) => ({ ...reading, asked }));
};
const rulesOf = async (more: object, others: Account = {}) => {
  const { resources } = await read({
    DescribeSecurityGroups: { SecurityGroups: [group("sg-1", more), group("sg-2")] },
    ...others,
  });
  const index = new ResourceIndex(resources);
  return securityGroups(index).groups.find(({ resource }) => resource?.origin.live === "sg-1")!.rules;
};
afterEach(() => jest.restoreAllMocks());

describe("a region", () => {
  test.each(["us_east_1", "eu west", "x;y"])("that is no name of one is named: %s", async (region) => {
    const wrong = `${JSON.stringify(region)} is not the name of a region`;
    await expect(readEc2({ region }, () => undefined)).rejects.toThrow(wrong);
    jest.replaceProperty(process, "env", { ...process.env, AWS_REGION: region });
    await expect(readEc2({}, () => undefined)).rejects.toThrow(wrong);
  });

  test("is needed, and the SDK says nothing about the version of Node.js", async () => {
    const { AWS_REGION: _, ...env } = process.env;
    const warn = jest.spyOn(process, "emitWarning");
    jest.replaceProperty(process, "env", {
      ...env,
      AWS_CONFIG_FILE: "/nowhere",
      AWS_EC2_METADATA_DISABLED: "true",
    });
    await expect(readEc2({}, () => undefined)).rejects.toThrow("no region is set for the EC2 API");
    expect(warn).not.toHaveBeenCalled();
  });
});

describe("security groups of EC2", () => {
  test("become resources of the AWS provider, with their tags and ID", async () => {
    const { resources, name, faults } = await read({
      DescribeSecurityGroups: {
        SecurityGroups: [group("sg-1", { Tags: [CLUSTER_TAG], Description: "hosts" })],
      },
    });
    expect([name, faults]).toEqual(["the EC2 API of eu-west-1", []]);
    expect(resources).toEqual([
      {
        origin: { live: "sg-1" },
        type: TYPE.securityGroup,
        name: "name-of-sg-1",
        properties: {
          id: "sg-1",
          name: "name-of-sg-1",
          description: "hosts",
          vpcId: "vpc-1",
          ingress: [],
          egress: [],
          tags: { "hypershift-network/cluster": "tenant-a" },
        },
      },
    ]);
  });

  test("have one rule for each peer", async () => {
    const rules = await rulesOf({
      IpPermissions: [
        {
          IpProtocol: "tcp",
          FromPort: 443,
          ToPort: 444,
          IpRanges: [{ CidrIp: "10.0.0.0/16" }, { CidrIp: "10.1.0.0/16" }],
          Ipv6Ranges: [{ CidrIpv6: "fd00::/8" }],
          UserIdGroupPairs: [
            { GroupId: "sg-1", UserId: "111111111111" },
            { GroupId: "sg-2", UserId: "111111111111" },
            { GroupId: "sg-9", UserId: "222222222222" },
          ],
        },
      ],
      IpPermissionsEgress: [{ IpProtocol: "-1", IpRanges: [{ CidrIp: "0.0.0.0/0" }] }],
    });
    expect(rules.map(({ direction, ports }) => [direction, ports])).toEqual([
      ...Array.from({ length: 6 }, () => ["ingress", { from: 443, to: 444 }]),
      ["egress", undefined],
    ]);
    expect(
      rules.flatMap(({ sources }) =>
        sources.map((source) =>
          source.kind === "prefix"
            ? source.prefix.toString()
            : source.kind === "group"
              ? source.group.origin.live
              : source.kind === "foreignGroup"
                ? source.id
                : source.kind,
        ),
      ),
    ).toEqual(["10.0.0.0/16", "10.1.0.0/16", "fd00::/8", "sg-1", "sg-2", "sg-9", "0.0.0.0/0"]);
  });

  test("show which rules controllers wrote, and which groups the cluster owns", async () => {
    const rules = await rulesOf({
      IpPermissions: [
        {
          IpProtocol: "tcp",
          FromPort: 31000,
          ToPort: 31000,
          IpRanges: [
            { CidrIp: "10.0.0.0/16", Description: "kubernetes.io/rule/nlb/client=a" },
            { CidrIp: "192.0.2.0/24", Description: "mine" },
          ],
        },
      ],
    });
    expect(rules.map(isByController)).toEqual([true, false]);
    expect(isOwnedByCluster(rules[0]!.resource)).toBe(false);
    const [owned] = await rulesOf({
      Tags: [{ Key: "kubernetes.io/cluster/infra", Value: "owned" }],
      IpPermissions: [{ IpProtocol: "-1", IpRanges: [{ CidrIp: "10.0.0.0/16" }] }],
    });
    expect(isOwnedByCluster(owned!.resource)).toBe(true);
  });

  test("keep type and code of ICMP rules", async () => {
    const [ping] = await rulesOf({
      IpPermissions: [{ IpProtocol: "icmp", FromPort: 8, ToPort: -1, IpRanges: [{ CidrIp: "10.0.0.0/16" }] }],
    });
    expect(ping).toMatchObject({ message: { type: 8, code: -1 } });
  });

  test("include the entries of prefix lists, page by page, and leave a list that cannot be read unknown", async () => {
    const IpPermissions = [
      {
        IpProtocol: "tcp",
        FromPort: 443,
        ToPort: 443,
        PrefixListIds: [{ PrefixListId: "pl-1" }, { PrefixListId: "pl-2" }],
      },
    ];
    const rules = await rulesOf(
      { IpPermissions },
      {
        DescribeManagedPrefixLists: {
          PrefixLists: [{ PrefixListId: "pl-1", PrefixListName: "offices", MaxEntries: 5 }],
        },
        GetManagedPrefixListEntries: [
          { Entries: [{ Cidr: "192.0.2.0/24" }] },
          { Entries: [{ Cidr: "198.51.100.0/24" }] },
        ],
      },
    );
    expect(rules[0]!.sources).toMatchObject([
      { kind: "list", blocks: [{ text: "192.0.2.0/24" }, { text: "198.51.100.0/24" }] },
    ]);
    expect(rules[1]!.sources).toMatchObject([
      { kind: "unknown", reason: "the entries of prefix list pl-2 are not in this stack" },
    ]);
  });

  test("request many prefix lists in batches of 200", async () => {
    const PrefixListIds = Array.from({ length: 401 }, (_, number) => ({ PrefixListId: `pl-${number}` }));
    const asked = playEc2({
      DescribeSecurityGroups: { SecurityGroups: [group("sg-1", { IpPermissions: [{ PrefixListIds }] })] },
    });
    await readEc2({ region: "eu-west-1" }, () => {});
    const questions = asked.filter(({ action }) => action === "DescribeManagedPrefixLists");
    const values = questions.map(
      ({ input }) => (input as { Filters: { Values: string[] }[] }).Filters[0]!.Values,
    );
    expect(values.map(({ length }) => length)).toEqual([200, 200, 1]);
    expect(values.flat()).toEqual(PrefixListIds.map(({ PrefixListId }) => PrefixListId));
  });
});

describe("network ACLs of EC2", () => {
  const acl = (id: string, subnet: string, more: object = {}) => ({
    NetworkAclId: id,
    VpcId: "vpc-1",
    Associations: [{ SubnetId: subnet }],
    Entries: [],
    ...more,
  });

  test("have their subnets, and their rules without the fixed rule of AWS", async () => {
    const entry = { RuleAction: "allow", CidrBlock: "10.0.0.0/16" };
    const { resources } = await read({
      DescribeSubnets: { Subnets: [{ SubnetId: "subnet-1", VpcId: "vpc-1", CidrBlock: "10.8.0.0/20" }] },
      DescribeNetworkAcls: {
        NetworkAcls: [
          acl("acl-1", "subnet-1", {
            Entries: [
              { ...entry, RuleNumber: 100, Protocol: "6", PortRange: { From: 443, To: 444 }, Egress: false },
              { ...entry, RuleNumber: 110, Protocol: "1", IcmpTypeCode: { Type: 3, Code: 4 }, Egress: true },
              {
                RuleNumber: 32767,
                RuleAction: "deny",
                Protocol: "-1",
                CidrBlock: "0.0.0.0/0",
                Egress: false,
              },
            ],
          }),
          acl("acl-2", "subnet-2", { IsDefault: true }),
        ],
      },
    });
    const { acls } = networkAcls(new ResourceIndex(resources));
    expect(acls.map(({ resource }) => resource?.type)).toEqual([TYPE.defaultNetworkAcl, TYPE.networkAcl]);
    const [second, first] = acls;
    expect(
      first!.rules.map(({ number, direction, action, protocol, ports, message, peer }) => [
        number,
        direction,
        action,
        protocol,
        ports ?? message,
        peer === UNKNOWN ? "unknown" : peer?.toString(),
      ]),
    ).toEqual([
      [100, "ingress", "allow", "TCP", { from: 443, to: 444 }, "10.0.0.0/16"],
      [110, "egress", "allow", "1", { type: 3, code: 4 }, "10.0.0.0/16"],
    ]);
    expect(first!.subnets).toMatchObject([{ subnet: { origin: { live: "subnet-1" } } }]);
    expect(second!.subnets).toMatchObject([{ subnet: "subnet-2" }]);
  });
});

describe("VPCs of EC2", () => {
  test("have every associated block, and their subnets", async () => {
    const state = (State: string) => ({ State });
    const { resources } = await read({
      DescribeVpcs: {
        Vpcs: [
          {
            VpcId: "vpc-1",
            CidrBlock: "10.8.0.0/16",
            CidrBlockAssociationSet: [
              { AssociationId: "a-0", CidrBlock: "10.8.0.0/16", CidrBlockState: state("associated") },
              { AssociationId: "a-1", CidrBlock: "10.9.0.0/16", CidrBlockState: state("associated") },
              { AssociationId: "a-2", CidrBlock: "10.10.0.0/16", CidrBlockState: state("disassociated") },
            ],
            Ipv6CidrBlockAssociationSet: [
              { AssociationId: "a-3", Ipv6CidrBlock: "fd00:1::/56", Ipv6CidrBlockState: state("associated") },
              { AssociationId: "a-4", Ipv6CidrBlock: "fd00:2::/56", Ipv6CidrBlockState: state("associated") },
            ],
          },
        ],
      },
      DescribeSubnets: {
        Subnets: [
          {
            SubnetId: "subnet-1",
            VpcId: "vpc-1",
            CidrBlock: "10.8.0.0/20",
            Ipv6CidrBlockAssociationSet: [
              { Ipv6CidrBlock: "fd00:1::/64", Ipv6CidrBlockState: state("associated") },
            ],
          },
        ],
      },
    });
    const [vpc, ...others] = [...vpcs(new ResourceIndex(resources)).values()];
    expect(others).toEqual([]);
    expect(vpc!.blocks.map(({ prefix }) => prefix.toString()).sort()).toEqual([
      "10.8.0.0/16",
      "10.9.0.0/16",
      "fd00:1::/56",
      "fd00:2::/56",
    ]);
    expect(vpc!.subnets.map(({ prefix }) => prefix.toString())).toEqual(["10.8.0.0/20", "fd00:1::/64"]);
  });
});

describe("reading EC2", () => {
  test("needs exactly the actions of the IAM policy in docs/check.md", async () => {
    const PrefixListIds = [{ PrefixListId: "pl-1" }];
    const { asked } = await read({
      DescribeSecurityGroups: { SecurityGroups: [group("sg-1", { IpPermissions: [{ PrefixListIds }] })] },
      DescribeManagedPrefixLists: { PrefixLists: PrefixListIds },
      DescribeTransitGatewayAttachments: {
        TransitGatewayAttachments: [{ TransitGatewayId: "tgw-1", State: "available" }],
      },
      DescribeTransitGatewayRouteTables: { TransitGatewayRouteTables: [{ TransitGatewayId: "tgw-1" }] },
    });
    const page = readFileSync(join(__dirname, "../../../docs/check.md"), "utf8");
    const allowed = [...page.matchAll(/"ec2:(\w+)"/g)].map(([, action]) => action);
    expect(allowed.sort()).toEqual([...new Set(asked.map(({ action }) => action))].sort());
  });

  test("requests only the named VPCs, and reports a missing one", async () => {
    const { asked, faults } = await read(
      { DescribeVpcs: { Vpcs: [{ VpcId: "vpc-1" }] } },
      { region: "eu-west-1", vpcs: ["vpc-1", "vpc-2"] },
    );
    const filters = asked.map(({ action, input }) => [
      action,
      ((input as { Filters?: { Name: string; Values: string[] }[] }).Filters ?? [])
        .filter(({ Values }) => Values.join() === "vpc-1,vpc-2")
        .map(({ Name }) => Name)
        .join(),
    ]);
    expect(filters).toEqual([
      ["DescribeVpcs", "vpc-id"],
      ["DescribeSubnets", "vpc-id"],
      ["DescribeSecurityGroups", "vpc-id"],
      ["DescribeNetworkAcls", "vpc-id"],
      ["DescribeRouteTables", "vpc-id"],
      ["DescribeVpcPeeringConnections", ""],
      ["DescribeTransitGatewayAttachments", "resource-id"],
      ["DescribeTransitGatewayRouteTables", ""],
      ["DescribeVpnGateways", "attachment.vpc-id"],
      ["DescribeVpnConnections", ""],
    ]);
    expect(faults.map(({ message }) => message)).toEqual(["the EC2 API of eu-west-1 has no VPC vpc-2"]);
  });

  test("reads every page", async () => {
    const { resources, asked } = await read({
      DescribeSecurityGroups: ["sg-1", "sg-2", "sg-3"].map((id) => ({ SecurityGroups: [group(id)] })),
    });
    expect(resources.map(({ origin }) => origin.live)).toEqual(["sg-1", "sg-2", "sg-3"]);
    expect(asked.filter(({ action }) => action === "DescribeSecurityGroups")).toHaveLength(3);
  });

  test("names every forbidden action, without the message of AWS", async () => {
    const refused = ec2Error("UnauthorizedOperation", "Encoded authorization failure message: s3cret");
    const actions = [
      "DescribeSecurityGroups",
      "DescribeNetworkAcls",
      "DescribeRouteTables",
      "DescribeVpcPeeringConnections",
      "DescribeTransitGatewayAttachments",
      "DescribeTransitGatewayRouteTables",
      "DescribeVpnGateways",
      "DescribeVpnConnections",
    ];
    const { faults } = await read(Object.fromEntries(actions.map((action) => [action, refused])));
    expect(faults.map(({ message }) => message)).toEqual(
      actions.map((action) => `the EC2 API of eu-west-1 forbids ec2:${action}`),
    );
  });

  test.each([
    [
      ec2Error("CredentialsProviderError", "Could not load"),
      "no usable AWS credentials found (CredentialsProviderError)",
      "set AWS_PROFILE",
    ],
    [ec2Error("RequestExpired"), "rejects the credentials (RequestExpired)", "AWS_PROFILE"],
    [
      ec2Error("TimeoutError", "connect ECONNREFUSED"),
      "does not answer ec2:DescribeVpcs: connect ECONNREFUSED",
      "region",
    ],
  ])("fails without credentials or an answer: %s", async (error, problem, remedy) => {
    const fault = await read({ DescribeVpcs: error }).catch((one: unknown) => one);
    expect(fault).toMatchObject({
      message: expect.stringContaining(problem) as unknown,
      remedy: expect.stringContaining(remedy) as unknown,
    });
  });
});
