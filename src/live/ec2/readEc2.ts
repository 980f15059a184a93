import { pushAll } from "../../pushAll";
import type { Resource } from "../../resources/resource";
import { LiveFault } from "../../cluster/liveCheck";
import { granted, type LiveReading, type Reading } from "../liveReading";
import { Ec2Api, type Ec2Access } from "./ec2Api";
import { networkAclResource } from "./networkAcls";
import { prefixListResource, subnetResource, vpcResources } from "./networks";
import { readConnections, type ReadAll } from "./readConnections";
import { prefixListIdsIn, securityGroupResource } from "./securityGroups";

/**
 * Security groups, network ACLs, VPCs, subnets, what connects the VPCs with other networks, and the prefix lists that rules
 * and routes name.
 *
 * @throws LiveFault where EC2 does not answer; missing permissions are among the faults
 */
export async function readEc2(access: Ec2Access, reading: Reading): Promise<LiveReading> {
  const api = await Ec2Api.open(access);
  const faults: LiveFault[] = [];
  const all: ReadAll = async (what, read) => {
    reading(`${what} of ${api.name}`);
    return (await granted(faults, read)) ?? [];
  };
  const vpcs = await all("VPCs", api.vpcsThere);
  if (faults.length === 0)
    pushAll(
      faults,
      absent(
        access,
        vpcs.map(({ VpcId }) => VpcId),
        api.name,
      ),
    );
  const subnets = await all("subnets", api.subnets);
  const groups = await all("security groups", api.securityGroups);
  const acls = await all("network ACLs", api.networkAcls);
  const resources: Resource[] = [
    ...vpcs.flatMap(vpcResources),
    ...subnets.map(subnetResource),
    ...groups.map(securityGroupResource),
    ...acls.map(networkAclResource),
  ];
  const connections = await readConnections(api, all, new Set(vpcs.flatMap(({ VpcId }) => VpcId ?? [])));
  pushAll(resources, connections.resources);
  const named = [...new Set([...prefixListIdsIn(groups), ...connections.prefixLists])];
  const lists = named.length === 0 ? [] : await all("prefix lists", () => api.prefixLists(named));
  for (const list of lists) {
    const id = list.PrefixListId ?? "";
    resources.push(prefixListResource(list, await all(`prefix list ${id}`, () => api.prefixListEntries(id))));
  }
  return { name: api.name, runsIn: `ec2/${api.region}`, resources, notes: connections.notes, faults };
}

/** VPCs that were named and are not there: a gate that looked at nothing must not say that all is well. */
const absent = (
  { vpcs = [] }: Ec2Access,
  found: readonly (string | undefined)[],
  name: string,
): LiveFault[] =>
  vpcs
    .filter((id) => !found.includes(id))
    .map((id) => new LiveFault(`${name} has no VPC ${id}`, "look at --vpc and --region"));
