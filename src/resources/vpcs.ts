import { pushAll } from "../pushAll";
import { readPrefix, type Prefix } from "../address";
import { read, readText, readValue, type Found } from "./read";
import { keyOf, type ResourceIndex, vpcKey } from "./resourceIndex";
import { UNKNOWN, type PropertyValue, type Resource, type UnknownValue } from "./resource";
import { PEERINGS, SUBNETS, TYPE, VPCS } from "./resourceTypes";

/** A range of addresses with the place that says it. */
export interface PlacedRange {
  /** As the subject of a sentence: `VPC workers`, `the route to peering pcx-1`. */
  name: string;
  prefix: Prefix;
  resource: Resource;
  path: string;
}

/** A VPC of the stack, or one of which only subnets or routes are in it. */
export interface Vpc {
  /** URN, or the id where the VPC itself is not in the stack. */
  key: string;
  /** Absent where the VPC itself is not in the stack. */
  resource?: Resource;
  /** A peering that says every block of a VPC that is not in the stack. */
  peering?: Resource;
  /** Every associated block, IPv4 and IPv6. */
  blocks: PlacedRange[];
  subnets: PlacedRange[];
  /** Blocks that are chosen elsewhere, later. */
  unknown: UnknownValue[];
}

/** Every VPC that the stack has or speaks of, with all its address blocks. */
export function vpcs(index: ResourceIndex): Map<string, Vpc> {
  const found = new Map<string, Vpc>();
  const vpcOf = (key: string, resource?: Resource): Vpc => {
    const vpc = found.get(key) ?? { key, blocks: [], subnets: [], unknown: [] };
    if (resource) vpc.resource = resource;
    found.set(key, vpc);
    return vpc;
  };
  for (const resource of index.ofKind(WITH_BLOCKS)) {
    if (VPCS.has(resource.type))
      addBlocks(vpcOf(keyOf(resource), resource), resource, `VPC ${resource.name}`);
    const isSubnet = SUBNETS.has(resource.type);
    if (!isSubnet && !ASSOCIATIONS.has(resource.type)) continue;
    const key = vpcKey(index, resource, "vpcId");
    if (key === undefined) continue;
    const vpc = vpcOf(key);
    if (isSubnet) pushAll(vpc.subnets, rangesAt(resource, BLOCKS, `subnet ${resource.name}`));
    else addBlocks(vpc, resource, `VPC ${index.at(key)?.name ?? shownId(key)}`);
  }
  for (const peering of index.ofKind(PEERINGS))
    for (const { property, blocks } of ENDS) {
      const key = vpcKey(index, peering, property);
      if (key !== undefined && !found.get(key)?.resource)
        addPeered(vpcOf(key), peering, rangesAt(peering, blocks, `VPC ${shownId(key)}`));
    }
  return found;
}

/** An id as AWS writes it; anything else may be a value that stands in the wrong place. */
const shownId = (id: string) => (/^vpc-[0-9a-z]+$/.test(id) ? id : "elsewhere");

const ASSOCIATIONS: ReadonlySet<string> = new Set([TYPE.ipv4Association, TYPE.ipv6Association]);
const WITH_BLOCKS: ReadonlySet<string> = new Set([...VPCS, ...SUBNETS, ...ASSOCIATIONS]);
const BLOCKS = ["cidrBlock", "ipv6CidrBlock"];

/** The ends of a peering, and where it says all their blocks, as the provider's data source does. */
const ENDS: readonly { property: string; blocks: readonly string[] }[] = [
  { property: "vpcId", blocks: ["cidrBlockSets[].cidrBlock", "ipv6CidrBlockSets[].ipv6CidrBlock"] },
  {
    property: "peerVpcId",
    blocks: ["peerCidrBlockSets[].cidrBlock", "peerIpv6CidrBlockSets[].ipv6CidrBlock"],
  },
];

/** Each peering of a VPC says the same blocks. */
function addPeered(vpc: Vpc, peering: Resource, blocks: readonly PlacedRange[]): void {
  if (vpc.peering || blocks.length === 0) return;
  vpc.peering = peering;
  pushAll(vpc.blocks, blocks);
}

function addBlocks(vpc: Vpc, resource: Resource, name: string): void {
  pushAll(vpc.blocks, rangesAt(resource, BLOCKS, name));
  pushAll(vpc.unknown, pendingBlocks(resource));
}

/** Blocks that AWS or an address pool chooses: not known before they exist. What the user did not ask for is not pending. */
function pendingBlocks(resource: Resource): UnknownValue[] {
  const asked = (property: string) => {
    const value = readValue(resource.properties, property);
    return value !== undefined && value !== false && value !== "false";
  };
  const known = (property: string) => typeof readText(resource.properties, property) === "string";
  return [
    ...(resource.properties.cidrBlock === UNKNOWN || asked("ipv4IpamPoolId") ? ["cidrBlock"] : []),
    ...(["assignGeneratedIpv6CidrBlock", "ipv6IpamPoolId", "ipv6Pool"].some(asked) ? ["ipv6CidrBlock"] : []),
  ]
    .filter((property) => !known(property))
    .map((path) => ({ resource, path }));
}

/** The ranges at some properties; what is no prefix is none, `cidr-invalid` speaks of it. */
export function rangesAt(
  resource: Resource,
  paths: readonly string[],
  name: string,
  within: Found = { path: "", value: resource.properties },
): PlacedRange[] {
  return paths.flatMap((wanted) =>
    read(within.value, wanted, within.path).flatMap(({ path, value }) => {
      const prefix = prefixOf(value);
      return prefix ? [{ name, prefix, resource, path }] : [];
    }),
  );
}

function prefixOf(value: PropertyValue): Prefix | undefined {
  return typeof value === "string" ? readPrefix(value) : undefined;
}
