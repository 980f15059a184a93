import { setTimeout as sleep } from "node:timers/promises";

import * as ec2 from "@aws-sdk/client-ec2";

import type { ApiClient } from "../../../local/servers/apiClient";
import type { Session } from "../../../local/session";

interface ResourceList {
  resources?: { name: string; kind: string; verbs: string[] }[];
}

interface ObjectList {
  items?: { metadata: { name: string; namespace?: string; resourceVersion: string } }[];
}

/** Kinds that the API server manages itself, or that come and go with it. */
const ITS_OWN = /^(Event|Lease|APIService|FlowSchema|PriorityLevelConfiguration|ComponentStatus)$/;

/** Everything that exists: `EgressFirewall shop/default` for objects, `vpc-0a1b2c3d` for what EC2 has. */
export async function inventory(session: Session): Promise<Set<string>> {
  const [objects, ids] = await Promise.all([objectsOf(session.kubernetes), ec2Ids(session)]);
  return new Set([...objects.keys(), ...ids]);
}

/** Deletes every object that did not exist before. A namespace goes only when it is empty, so its content is deleted first. */
export async function clear({ kubernetes }: Session, before: ReadonlySet<string>): Promise<void> {
  const rest = async () => [...(await objectsOf(kubernetes))].filter(([key]) => !before.has(key));
  const isNamespace = ([key]: readonly [string, string]) => key.startsWith("Namespace ");
  const until = Date.now() + CLEAR_LIMIT_MS;
  // Of two kinds with the same name in different groups, only one is listed at a time.
  for (let left = await rest(); left.length > 0; left = await rest()) {
    if (Date.now() > until) throw new Error(`still there: ${left.map(([key]) => key).join(", ")}`);
    const namespaces = left.filter(isNamespace);
    for (const [, path] of [...left.filter((object) => !isNamespace(object)), ...namespaces])
      await kubernetes.request("DELETE", path);
    // Listing everything costs a hundred requests, so one namespace is polled until it is gone.
    for (const [, path] of namespaces)
      while (Date.now() < until && (await kubernetes.request("GET", path)).status !== 404)
        await sleep(PAUSE_MS);
    if (namespaces.length === 0) await sleep(PAUSE_MS);
  }
}

const CLEAR_LIMIT_MS = 60_000;
const PAUSE_MS = 100;

/** Every object with its path. */
export async function objectsOf(client: ApiClient): Promise<Map<string, string>> {
  return new Map((await found(client)).map(({ key, path }) => [key, path]));
}

/** The path of every object with its version, which changes with every write. */
export async function versionsOf(client: ApiClient): Promise<Map<string, string>> {
  return new Map((await found(client)).map(({ path, version }) => [path, version]));
}

interface Found {
  key: string;
  path: string;
  version: string;
}

async function found(client: ApiClient): Promise<Found[]> {
  const { body } = await client.request("GET", "/apis");
  const { groups = [] } = body as { groups?: { preferredVersion: { groupVersion: string } }[] };
  const versions = [
    "/api/v1",
    ...groups.map(({ preferredVersion: { groupVersion } }) => `/apis/${groupVersion}`),
  ];
  return (await Promise.all(versions.map((version) => foundInVersion(client, version)))).flat();
}

async function foundInVersion(client: ApiClient, version: string): Promise<Found[]> {
  const { body } = await client.request("GET", version);
  const kinds = ((body as ResourceList).resources ?? []).filter(
    ({ kind, verbs }) => verbs.includes("list") && !ITS_OWN.test(kind),
  );
  const lists = await Promise.all(
    kinds.map(async ({ name, kind }) => {
      const { items = [] } = (await client.request("GET", `${version}/${name}`)).body as ObjectList;
      return items.map(({ metadata }): Found => {
        const place = metadata.namespace === undefined ? "" : `namespaces/${metadata.namespace}/`;
        const path = `${version}/${place}${name}/${metadata.name}`;
        return { key: objectKey(kind, metadata), path, version: metadata.resourceVersion };
      });
    }),
  );
  return lists.flat();
}

/** The name of an object in the inventory. */
export const objectKey = (kind: string, { name, namespace }: { name: string; namespace?: string }): string =>
  `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;

async function ec2Ids(session: Session): Promise<string[]> {
  const { AWS_ACCESS_KEY_ID: accessKeyId = "", AWS_SECRET_ACCESS_KEY: secretAccessKey = "" } = session.env;
  const client = new ec2.EC2Client({
    region: "us-east-1",
    endpoint: session.awsEndpoint,
    credentials: { accessKeyId, secretAccessKey },
  });
  const found = await Promise.all([
    client.send(new ec2.DescribeVpcsCommand({})).then(({ Vpcs = [] }) => Vpcs.map(({ VpcId }) => VpcId)),
    client
      .send(new ec2.DescribeSubnetsCommand({}))
      .then(({ Subnets = [] }) => Subnets.map(({ SubnetId }) => SubnetId)),
    client
      .send(new ec2.DescribeSecurityGroupsCommand({}))
      .then(({ SecurityGroups = [] }) => SecurityGroups.map(({ GroupId }) => GroupId)),
    client
      .send(new ec2.DescribeSecurityGroupRulesCommand({}))
      .then(({ SecurityGroupRules = [] }) =>
        SecurityGroupRules.map(({ SecurityGroupRuleId }) => SecurityGroupRuleId),
      ),
    client.send(new ec2.DescribeNetworkAclsCommand({})).then(({ NetworkAcls = [] }) =>
      // moto keeps the default one of a VPC when the VPC is deleted.
      NetworkAcls.flatMap(({ NetworkAclId, IsDefault }) => (IsDefault ? [] : NetworkAclId)),
    ),
    client
      .send(new ec2.DescribeRouteTablesCommand({}))
      .then(({ RouteTables = [] }) => RouteTables.map(({ RouteTableId }) => RouteTableId)),
    client
      .send(new ec2.DescribeInternetGatewaysCommand({}))
      .then(({ InternetGateways = [] }) =>
        InternetGateways.map(({ InternetGatewayId }) => InternetGatewayId),
      ),
    client
      .send(new ec2.DescribeNatGatewaysCommand({}))
      .then(({ NatGateways = [] }) =>
        NatGateways.flatMap(({ NatGatewayId, State }) => (State === "deleted" ? [] : NatGatewayId)),
      ),
    client
      .send(new ec2.DescribeAddressesCommand({}))
      .then(({ Addresses = [] }) => Addresses.map(({ AllocationId }) => AllocationId)),
    client
      .send(new ec2.DescribeManagedPrefixListsCommand({}))
      .then(({ PrefixLists = [] }) =>
        PrefixLists.flatMap(({ PrefixListId, State }) => (State === "delete-complete" ? [] : PrefixListId)),
      ),
    client
      .send(new ec2.DescribeVpcEndpointsCommand({}))
      .then(({ VpcEndpoints = [] }) =>
        VpcEndpoints.flatMap(({ VpcEndpointId, State }) =>
          State?.toLowerCase() === "deleted" ? [] : VpcEndpointId,
        ),
      ),
    client.send(new ec2.DescribeVpcPeeringConnectionsCommand({})).then(({ VpcPeeringConnections = [] }) =>
      VpcPeeringConnections.flatMap(({ VpcPeeringConnectionId, Status }) =>
        // A deleted one stays listed for a while.
        Status?.Code === "deleted" ? [] : VpcPeeringConnectionId,
      ),
    ),
  ]);
  return found.flat().filter((id) => id !== undefined);
}
