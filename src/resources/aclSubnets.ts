import { append } from "./append";
import { read, readText } from "./read";
import { keyOf, vpcKey } from "./referredKey";
import { UNKNOWN, type PropertyValue, type Resource } from "./resource";
import type { ResourceIndex } from "./resourceIndex";
import { NETWORK_ACLS, SUBNETS, TYPE, VPCS } from "./resourceTypes";

/** A subnet that has a network ACL, and where that is written. */
export interface AclSubnet {
  /** A subnet of this stack, the id of another one, or not known. */
  subnet: Resource | string | typeof UNKNOWN;
  /** The ACL, the association, or the subnet itself where the ACL of its VPC holds for want of another. */
  resource: Resource;
  path: string;
}

/** A network ACL: of this stack, the id of another one, or not known. */
type AclKey = Resource | string | typeof UNKNOWN;

const ACLS_AND_ASSOCIATIONS: ReadonlySet<string> = new Set([...NETWORK_ACLS, TYPE.networkAclAssociation]);
const DEFAULT_ACLS: ReadonlySet<string> = new Set([TYPE.defaultNetworkAcl]);

/** The subnets of each network ACL: listed in it, associated, or those of its VPC that have no other. */
export function aclSubnets(index: ResourceIndex): Map<AclKey, AclSubnet[]> {
  const found = new Map<AclKey, AclSubnet[]>();
  for (const resource of index.ofKind(ACLS_AND_ASSOCIATIONS)) {
    if (NETWORK_ACLS.has(resource.type)) append(found, resource, listedSubnets(index, resource));
    if (resource.type !== TYPE.networkAclAssociation) continue;
    const acl = index.referred(resource, "networkAclId", NETWORK_ACLS);
    const subnet = index.referred(resource, "subnetId", SUBNETS);
    if (acl !== undefined && subnet !== undefined)
      append(found, acl, [{ subnet, resource, path: "subnetId" }]);
  }
  for (const [acl, subnets] of remainingSubnets(index, found)) append(found, acl, subnets);
  return found;
}

/** What `subnetIds` of an ACL says. What the list was made from counts where its entries are not known yet. */
function listedSubnets(index: ResourceIndex, acl: Resource): AclSubnet[] {
  const listed = read(acl.properties, "subnetIds[]");
  const made = index.madeFrom(acl, "subnetIds", SUBNETS);
  const known = listed.flatMap(({ path, value }): AclSubnet[] => {
    const subnet = subnetOf(index, value);
    return subnet === undefined ? [] : [{ subnet, resource: acl, path }];
  });
  if (made.length === 0) return known;
  const named = new Set(known.map(({ subnet }) => subnet));
  return [
    ...known.filter(({ subnet }) => subnet !== UNKNOWN),
    ...made.flatMap((subnet) => (named.has(subnet) ? [] : [{ subnet, resource: acl, path: "subnetIds" }])),
  ];
}

function subnetOf(index: ResourceIndex, value: PropertyValue): AclSubnet["subnet"] | undefined {
  if (value === UNKNOWN) return UNKNOWN;
  return typeof value === "string" ? (index.named(value, SUBNETS) ?? value) : undefined;
}

/** A VPC's default ACL stands before every subnet that has no other. */
function remainingSubnets(
  index: ResourceIndex,
  found: ReadonlyMap<AclKey, readonly AclSubnet[]>,
): [Resource, AclSubnet[]][] {
  const defaults = index.ofKind(DEFAULT_ACLS);
  if (defaults.length === 0) return [];
  const taken = new Set([...found.values()].flat().map(({ subnet }) => subnet));
  const free = index.ofKind(SUBNETS).filter((subnet) => !taken.has(subnet));
  return defaults.map((acl) => {
    const vpc = vpcOfDefault(index, acl);
    const own = free.filter((subnet) => vpc !== undefined && vpcKey(index, subnet, "vpcId") === vpc);
    return [acl, own.map((subnet) => ({ subnet, resource: subnet, path: "vpcId" }))];
  });
}

/** The VPC whose default ACL a resource takes over. */
function vpcOfDefault(index: ResourceIndex, acl: Resource): string | undefined {
  const [made, ...others] = index.madeFrom(acl, "defaultNetworkAclId", VPCS);
  if (made && others.length === 0) return keyOf(made);
  const id = readText(acl.properties, "defaultNetworkAclId");
  const vpc = index
    .ofKind(VPCS)
    .find(({ properties }) => typeof id === "string" && readText(properties, "defaultNetworkAclId") === id);
  return vpc ? keyOf(vpc) : vpcKey(index, acl, "vpcId");
}
