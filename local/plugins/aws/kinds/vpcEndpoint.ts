import {
  CreateVpcEndpointCommand,
  DeleteVpcEndpointsCommand,
  DescribePrefixListsCommand,
  DescribeVpcEndpointsCommand,
  type EC2Client,
  ModifyVpcEndpointCommand,
  type VpcEndpoint as Ec2Endpoint,
  type VpcEndpointType,
} from "@aws-sdk/client-ec2";

import { refusal, unlessGone } from "../awsError";
import type { Call, Kind, Tags } from "../kind";
import { flag, oneOf, region, tags, text, texts } from "../properties";
import { required, without } from "./required";

export interface VpcEndpoint {
  vpcId: string;
  serviceName: string;
  vpcEndpointType?: string;
  policy?: string;
  privateDnsEnabled?: boolean;
  routeTableIds?: string[];
  securityGroupIds?: string[];
  subnetIds?: string[];
  ipAddressType?: string;
  autoAccept?: boolean;
  region?: string;
  tags?: Tags;
  arn?: string;
  cidrBlocks?: string[];
  dnsEntries?: { dnsName: string; hostedZoneId: string }[];
  networkInterfaceIds?: string[];
  ownerId?: string;
  prefixListId?: string;
  requesterManaged?: boolean;
  state?: string;
}

const LIMIT_MS = 600_000;

/** Normalizes a policy: white space and the order of keys do not matter. */
const samePolicy = (value: string): string => {
  try {
    return JSON.stringify(JSON.parse(value), (_, part: unknown) =>
      typeof part === "object" && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
        : part,
    );
  } catch {
    return value;
  }
};
const isJson = (value: string) =>
  samePolicy(value) === value && !/^\s*[{"[]/.test(value) ? "contains an invalid JSON policy" : undefined;

export const vpcEndpoint: Kind<VpcEndpoint> = {
  token: "aws:ec2/vpcEndpoint:VpcEndpoint",
  tagged: true,
  properties: {
    vpcId: text({ required: true, replaces: true }),
    serviceName: text({ required: true, replaces: true }),
    vpcEndpointType: text({
      default: "Gateway",
      replaces: true,
      check: oneOf("Gateway", "Interface", "GatewayLoadBalancer"),
    }),
    policy: text({ computed: true, normalize: samePolicy, check: isJson }),
    privateDnsEnabled: flag({ computed: true }),
    routeTableIds: texts({ computed: true }),
    securityGroupIds: texts({ computed: true }),
    subnetIds: texts({ computed: true }),
    ipAddressType: text({ computed: true, check: oneOf("ipv4", "dualstack", "ipv6") }),
    autoAccept: flag({ local: true }),
    region,
    tags,
  },
  outputs: [
    "arn",
    "cidrBlocks",
    "dnsEntries",
    "networkInterfaceIds",
    "ownerId",
    "prefixListId",
    "requesterManaged",
    "state",
  ],

  async create({ ec2, tagSpecifications }, wanted) {
    const { VpcEndpoint } = await ec2.send(
      new CreateVpcEndpointCommand({
        VpcId: wanted.vpcId,
        ServiceName: wanted.serviceName,
        VpcEndpointType: wanted.vpcEndpointType as VpcEndpointType,
        PolicyDocument: wanted.policy,
        PrivateDnsEnabled: wanted.privateDnsEnabled,
        RouteTableIds: some(wanted.routeTableIds),
        SecurityGroupIds: some(wanted.securityGroupIds),
        SubnetIds: some(wanted.subnetIds),
        IpAddressType: wanted.ipAddressType as "ipv4" | undefined,
        TagSpecifications: tagSpecifications("vpc-endpoint"),
      }),
    );
    return required(VpcEndpoint?.VpcEndpointId, "VpcEndpointId");
  },

  async read(call, id) {
    const endpoint = await describeEndpoint(call.ec2, id);
    return endpoint && { tags: endpoint.Tags, state: await stateOf(call, endpoint, id) };
  },

  async settle({ ec2 }, id, wanted, actual) {
    const change = {
      ...difference("RouteTableIds", wanted.routeTableIds, actual.routeTableIds),
      ...difference("SecurityGroupIds", wanted.securityGroupIds, actual.securityGroupIds),
      ...difference("SubnetIds", wanted.subnetIds, actual.subnetIds),
      ...(wanted.privateDnsEnabled !== undefined &&
        wanted.privateDnsEnabled !== actual.privateDnsEnabled && {
          PrivateDnsEnabled: wanted.privateDnsEnabled,
        }),
      ...(wanted.policy !== undefined &&
        samePolicy(wanted.policy) !== samePolicy(actual.policy ?? "") && { PolicyDocument: wanted.policy }),
    };
    const changed = Object.keys(change).length > 0;
    if (changed) await ec2.send(new ModifyVpcEndpointCommand({ VpcEndpointId: id, ...change }));
    await untilState(ec2, id, (state) => state !== "pending");
    return changed;
  },

  async remove({ ec2 }, id) {
    const reply = await unlessGone(() => ec2.send(new DeleteVpcEndpointsCommand({ VpcEndpointIds: [id] })));
    const failure = reply?.Unsuccessful?.[0]?.Error;
    if (failure && !failure.Code?.includes("NotFound"))
      throw refusal(failure.Code ?? "Unsuccessful", failure.Message ?? id);
    await untilState(ec2, id, (state) => state === undefined);
  },
};

const some = (list?: string[]) => (list?.length ? list : undefined);

function difference(name: string, wanted: string[] | undefined, actual: string[] = []) {
  if (wanted === undefined) return {};
  const [add, remove] = [without(wanted, actual), without(actual, wanted)];
  return {
    ...(add.length > 0 && { [`Add${name}`]: add }),
    ...(remove.length > 0 && { [`Remove${name}`]: remove }),
  };
}

export async function describeEndpoint(ec2: EC2Client, id: string): Promise<Ec2Endpoint | undefined> {
  const found = await unlessGone(() => ec2.send(new DescribeVpcEndpointsCommand({ VpcEndpointIds: [id] })));
  const endpoint = found?.VpcEndpoints?.[0];
  return ["deleted", "deleting", "failed", "rejected"].includes((endpoint?.State ?? "").toLowerCase())
    ? undefined
    : endpoint;
}

async function stateOf(
  { ec2, region, account }: Call,
  endpoint: Ec2Endpoint,
  id: string,
): Promise<Partial<VpcEndpoint>> {
  const ownerId = endpoint.OwnerId ?? (await account());
  const gateway = endpoint.VpcEndpointType === "Gateway";
  const filter = { Name: "prefix-list-name", Values: [endpoint.ServiceName ?? ""] };
  const lists = gateway
    ? await unlessGone(() => ec2.send(new DescribePrefixListsCommand({ Filters: [filter] }))).catch(
        () => undefined,
      )
    : undefined;
  return {
    vpcId: endpoint.VpcId,
    serviceName: endpoint.ServiceName,
    vpcEndpointType: endpoint.VpcEndpointType,
    policy: endpoint.PolicyDocument ?? "",
    privateDnsEnabled: endpoint.PrivateDnsEnabled ?? false,
    routeTableIds: endpoint.RouteTableIds ?? [],
    securityGroupIds: (endpoint.Groups ?? []).map(({ GroupId = "" }) => GroupId),
    subnetIds: endpoint.SubnetIds ?? [],
    ipAddressType: endpoint.IpAddressType ?? "",
    networkInterfaceIds: endpoint.NetworkInterfaceIds ?? [],
    dnsEntries: (endpoint.DnsEntries ?? []).map(({ DnsName = "", HostedZoneId = "" }) => ({
      dnsName: DnsName,
      hostedZoneId: HostedZoneId,
    })),
    cidrBlocks: lists?.PrefixLists?.[0]?.Cidrs ?? [],
    prefixListId: lists?.PrefixLists?.[0]?.PrefixListId ?? "",
    requesterManaged: endpoint.RequesterManaged ?? false,
    state: endpoint.State,
    ownerId,
    arn: `arn:aws:ec2:${region}:${ownerId}:vpc-endpoint/${id}`,
  };
}

async function untilState(
  ec2: EC2Client,
  id: string,
  reached: (state: string | undefined) => boolean,
): Promise<void> {
  const end = Date.now() + LIMIT_MS;
  while (!reached((await describeEndpoint(ec2, id))?.State?.toLowerCase())) {
    if (Date.now() > end) throw new Error(`${id} did not reach the wanted state in 10 minutes`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
