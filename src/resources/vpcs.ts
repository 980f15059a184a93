import { pushAll } from "../collections";
import { type Prefix, readPrefix } from "../address";
import { type Found, isMap, type Read, read, readText, readValue } from "./read";
import { keyOf, type ResourceIndex, vpcKey, vpcWithPart } from "./resourceIndex";
import { type PropertyValue, type Resource, UNKNOWN, type UnknownValue } from "./resource";
import { PEERINGS, PREFIX_LISTS, ROUTE_TABLES, SUBNETS, TYPE, VPCS } from "./resourceTypes";
import { prefixListContents, type PrefixListContents, routedListAt } from "./ruleSources";

/** An address range with the place that states it. */
export interface PlacedRange {
  /** As the subject of a sentence: `VPC workers`, `the route to peering pcx-1`. */
  name: string;
  prefix: Prefix;
  resource: Resource;
  path: string;
}

/** A VPC of the stack, or one of which only parts, such as subnets or peerings, are in the stack. */
export interface Vpc {
  /** URN, or the id if the VPC itself is not in the stack. */
  key: string;
  /** Absent if the VPC itself is not in the stack. */
  resource?: Resource;
  /** A peering that states every block of a VPC that is not in the stack. */
  peering?: Resource;
  /** Every associated block, IPv4 and IPv6. */
  blocks: PlacedRange[];
  subnets: PlacedRange[];
  /** Blocks that AWS or an address pool chooses later. */
  unknown: UnknownValue[];
}

/** Every VPC that the stack has or refers to, with all its address blocks. */
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
    else addBlocks(vpc, resource, nameOfVpc(index, key));
  }
  for (const peering of index.ofKind(PEERINGS))
    for (const { property, blocks } of ENDS) {
      const key = vpcKey(index, peering, property);
      if (key !== undefined && !found.get(key)?.resource)
        addPeered(vpcOf(key), peering, rangesAt(peering, blocks, `VPC ${shownId(key)}`));
    }
  return found;
}

/** A VPC as findings name it. Shows an id only if it has the form of AWS ids, because anything else may be a misplaced value. */
export const nameOfVpc = (index: ResourceIndex, key: string): string =>
  `VPC ${index.at(key)?.name ?? shownId(key)}`;

const shownId = (id: string) => (/^vpc-[0-9a-z]+$/.test(id) ? id : "elsewhere");

const ASSOCIATIONS: ReadonlySet<string> = new Set([TYPE.ipv4Association, TYPE.ipv6Association]);
const WITH_BLOCKS: ReadonlySet<string> = new Set([...VPCS, ...SUBNETS, ...ASSOCIATIONS]);
const BLOCKS = ["cidrBlock", "ipv6CidrBlock"];

/** The ends of a peering, and the properties with all their blocks, as the provider's data source has them. */
const ENDS: readonly { property: string; blocks: readonly string[] }[] = [
  { property: "vpcId", blocks: ["cidrBlockSets[].cidrBlock", "ipv6CidrBlockSets[].ipv6CidrBlock"] },
  {
    property: "peerVpcId",
    blocks: ["peerCidrBlockSets[].cidrBlock", "peerIpv6CidrBlockSets[].ipv6CidrBlock"],
  },
];

/** Adds the blocks of one peering only: each peering of a VPC states the same blocks. */
function addPeered(vpc: Vpc, peering: Resource, blocks: readonly PlacedRange[]): void {
  if (vpc.peering || blocks.length === 0) return;
  vpc.peering = peering;
  pushAll(vpc.blocks, blocks);
}

function addBlocks(vpc: Vpc, resource: Resource, name: string): void {
  pushAll(vpc.blocks, rangesAt(resource, BLOCKS, name));
  pushAll(vpc.unknown, pendingBlocks(resource));
}

/** Blocks that AWS or an address pool chooses, unknown until they exist. Blocks that the user did not request are not pending. */
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

/** The ranges at some properties. Skips values that are not a prefix; `cidr-invalid` reports them. */
export function rangesAt(
  resource: Resource,
  paths: readonly string[],
  name: string,
  within: Found = { path: "", value: resource.properties },
): PlacedRange[] {
  return paths.flatMap((wanted) =>
    read(within.value, wanted, within.path).flatMap(({ path, value }) => {
      const prefix = typeof value === "string" ? readPrefix(value) : undefined;
      return prefix ? [{ name, prefix, resource, path }] : [];
    }),
  );
}

/** A range outside a VPC, to which the VPC has a route. */
export interface RemoteRange extends PlacedRange {
  /** The VPC that has the route; absent if the stack does not state which. */
  vpc?: string;
  /** If `vpc` is absent: VPCs that are known not to have the route. */
  butNot?: readonly string[];
  /**
   * True if the route ends at a network interface, behind which may be a network or only the pods of a node. True also if the
   * destination contains the VPC itself: it then summarizes many networks and does not state which addresses are in use.
   */
  isDoubtful?: true;
}

/** Whether one of `vpcs` has, or may have, the route to a range. If `vpcs` is empty, it may be any VPC. */
export const isReached = ({ vpc, butNot = [] }: RemoteRange, vpcs: readonly string[]): boolean =>
  vpc === undefined ? vpcs.length === 0 || vpcs.some((key) => !butNot.includes(key)) : vpcs.includes(vpc);

const WITH_ROUTES: ReadonlySet<string> = new Set([...ROUTE_TABLES, TYPE.route]);

/** The destinations of routes to peerings, gateways, VPNs and appliances; default routes name no network. */
export function routesOf(index: ResourceIndex, unknown: UnknownValue[]): RemoteRange[] {
  return index.ofKind(WITH_ROUTES).flatMap((resource) => {
    const vpc = vpcOf(index, resource);
    return waysOf(index, resource).flatMap(({ path, route, way: { called, isDoubtful } }) => {
      const name = `the network behind ${called} (route ${resource.name})`;
      const list = listOf(index, { resource, path, route });
      const ranges = [
        ...blocksOf({ resource, path, route }, name, unknown),
        ...(list ? entriesOf(prefixListContents(index), list, name, unknown) : []),
      ];
      return ranges
        .filter(({ prefix }) => prefix.length > 0)
        .map((range) => ({
          ...range,
          ...(vpc !== undefined && { vpc }),
          ...(isDoubtful && { isDoubtful }),
        }));
    });
  });
}

/** A route with its place in a resource. */
interface Route {
  resource: Resource;
  /** Empty if the resource itself is the route. */
  path: string;
  route: PropertyValue;
}

/** A property of a route whose target leads to another network. */
interface Way {
  property: string;
  /** What findings call it. */
  called: string;
  /** If not every id leads there: the form of those that do, and the types of resources that have such an id. */
  id?: RegExp;
  types?: readonly string[];
  isDoubtful?: true;
}

const WAYS: readonly Way[] = [
  { property: "vpcPeeringConnectionId", called: "the peering" },
  { property: "transitGatewayId", called: "the transit gateway" },
  { property: "coreNetworkArn", called: "the core network" },
  { property: "localGatewayId", called: "the local gateway" },
  { property: "carrierGatewayId", called: "the carrier gateway" },
  { property: "odbNetworkArn", called: "the database network" },
  // A load balancer endpoint inspects traffic and passes it on to its destination.
  { property: "vpcEndpointId", called: "the VPC endpoint" },
  { property: "networkInterfaceId", called: "the network interface", isDoubtful: true },
  { property: "gatewayId", called: "the VPN gateway", id: /^vgw-/, types: [TYPE.vpnGateway] },
];
const DESTINATIONS = ["destinationCidrBlock", "destinationIpv6CidrBlock", "cidrBlock", "ipv6CidrBlock"];
const DESTINATION_LIST = "destinationPrefixListId";

function vpcOf(index: ResourceIndex, resource: Resource): string | undefined {
  const isTable = ROUTE_TABLES.has(resource.type);
  const table = isTable ? resource : index.referred(resource, "routeTableId", ROUTE_TABLES);
  if (typeof table !== "object") return keyWithPart(index, resource, "routeTableId");
  return vpcKey(index, table, "vpcId") ?? keyWithPart(index, table, "defaultRouteTableId");
}

const keyWithPart = (...of: Parameters<typeof vpcWithPart>): string | undefined => {
  const vpc = vpcWithPart(...of);
  return vpc && keyOf(vpc);
};

/** The routes of a resource that lead to another network. */
function waysOf(
  index: ResourceIndex,
  resource: Resource,
): { path: string; route: PropertyValue; way: Way }[] {
  const isTable = ROUTE_TABLES.has(resource.type);
  const routes = isTable
    ? read(resource.properties, "routes[]")
    : [{ path: "", value: resource.properties as PropertyValue }];
  return routes.flatMap(({ path, value: route }) => {
    const way = isMap(route) ? wayOf(index, resource, route, isTable) : undefined;
    return way === undefined ? [] : [{ path, route, way }];
  });
}

/** States in which a peering connects nothing, and routes to it drop traffic. */
const ENDED: ReadonlySet<unknown> = new Set(["rejected", "failed", "expired", "deleting", "deleted"]);

/** Whether the status of a peering shows that it was rejected or is gone. */
export const isEnded = (peering: Resource): boolean =>
  ENDED.has(readText(peering.properties, "acceptStatus"));

function leadsNowhere(
  index: ResourceIndex,
  resource: Resource,
  target: Read<string>,
  isTable: boolean,
): boolean {
  const named =
    typeof target === "string"
      ? index.named(target, PEERINGS)
      : index.sourceOf(resource, isTable ? "routes" : PEERING, PEERINGS, target);
  return named !== undefined && isEnded(named);
}

const PEERING = "vpcPeeringConnectionId";

function wayOf(
  index: ResourceIndex,
  resource: Resource,
  route: PropertyValue,
  isTable: boolean,
): Way | undefined {
  return WAYS.find(({ property, id, types }) => {
    const target = readText(route, property);
    if (target === undefined || target === "") return false;
    if (property === PEERING && leadsNowhere(index, resource, target, isTable)) return false;
    if (!id) return true;
    if (typeof target === "string") return id.test(target);
    return index.madeFrom(resource, isTable ? "routes" : property, new Set(types)).length > 0;
  });
}

function blocksOf({ resource, path, route }: Route, name: string, unknown: UnknownValue[]): PlacedRange[] {
  for (const place of DESTINATIONS.flatMap((key) => read(route, key, path)))
    if (place.value === UNKNOWN) unknown.push({ resource, path: place.path });
  return rangesAt(resource, DESTINATIONS, name, { path, value: route });
}

/** The place where a route names a prefix list, and the list itself if it is in the stack. */
interface NamedList {
  resource: Resource;
  path: string;
  list: Resource | undefined;
}

function listOf(index: ResourceIndex, { resource, path, route }: Route): NamedList | undefined {
  const named = readText(route, DESTINATION_LIST);
  if (named === undefined || named === "") return undefined;
  const referred =
    path === ""
      ? index.referred(resource, DESTINATION_LIST, PREFIX_LISTS)
      : routedListAt(resource, named, index);
  return {
    resource,
    path: path === "" ? DESTINATION_LIST : `${path}.${DESTINATION_LIST}`,
    list: typeof referred === "object" ? referred : undefined,
  };
}

/** The entries of the prefix list that a property names. Adds the place to `unknown` if not every entry is known. */
export function rangesInList(
  index: ResourceIndex,
  resource: Resource,
  property: string,
  name: string,
  unknown: UnknownValue[],
): PlacedRange[] {
  const referred = index.referred(resource, property, PREFIX_LISTS);
  const list = typeof referred === "object" ? referred : undefined;
  return entriesOf(prefixListContents(index), { resource, path: property, list }, name, unknown);
}

function entriesOf(
  lists: PrefixListContents,
  { resource, path, list }: NamedList,
  name: string,
  unknown: UnknownValue[],
): PlacedRange[] {
  const content = list && lists.get(list);
  if (!content || content.unknown.length > 0)
    unknown.push({ resource, path, reason: "not every entry of its prefix list is in this stack" });
  return (content?.blocks ?? []).map((prefix) => ({ name, prefix, resource, path }));
}
