import { prefixListContents, type PrefixListContents } from "./prefixLists";
import { isObject, read, readText } from "./read";
import { type ResourceIndex, vpcKey } from "./resourceIndex";
import { UNKNOWN, type PropertyValue, type Resource, type UnknownValue } from "./resource";
import { PREFIX_LISTS, ROUTE_TABLES, TYPE } from "./resourceTypes";
import { rangesAt, type PlacedRange } from "./vpcs";

/** A range beyond the borders of a VPC, to which it has a way. */
export interface RemoteRange extends PlacedRange {
  /** The VPC that has the way; absent where the stack does not say which. */
  vpc?: string;
  /** Where it does not: VPCs that are known to have none. */
  butNot?: readonly string[];
}

/** Whether one of some VPCs has the way to a range, or may have it. Where none is known, it may be any. */
export const isReached = ({ vpc, butNot = [] }: RemoteRange, vpcs: readonly string[]): boolean =>
  vpc === undefined ? vpcs.length === 0 || vpcs.some((key) => !butNot.includes(key)) : vpcs.includes(vpc);

const WITH_ROUTES: ReadonlySet<string> = new Set([...ROUTE_TABLES, TYPE.route]);

/** The destinations of routes to peerings, transit gateways and VPNs; default routes name no network. */
export function routesOf(index: ResourceIndex, unknown: UnknownValue[]): RemoteRange[] {
  let lists: PrefixListContents | undefined;
  return index.ofKind(WITH_ROUTES).flatMap((resource) => {
    const vpc = vpcOf(index, resource);
    return waysOf(index, resource).flatMap(({ path, route, way }) => {
      const name = `the network behind ${way} (route ${resource.name})`;
      const list = listOf(index, { resource, path, route });
      const ranges = [
        ...blocksOf({ resource, path, route }, name, unknown),
        ...(list ? entriesOf((lists ??= prefixListContents(index)), list, name, unknown) : []),
      ];
      return ranges
        .filter(({ prefix }) => prefix.length > 0)
        .map((range) => ({ ...range, ...(vpc !== undefined && { vpc }) }));
    });
  });
}

/** A route, with the place in its resource. */
interface Route {
  resource: Resource;
  /** Empty where the route is the resource. */
  path: string;
  route: PropertyValue;
}

/** Properties of a route that lead to another network, with what findings call it. */
const WAYS: readonly { property: string; called: string; id?: RegExp; types?: readonly string[] }[] = [
  { property: "vpcPeeringConnectionId", called: "the peering" },
  { property: "transitGatewayId", called: "the transit gateway" },
  { property: "coreNetworkArn", called: "the core network" },
  { property: "localGatewayId", called: "the local gateway" },
  { property: "gatewayId", called: "the VPN gateway", id: /^vgw-/, types: [TYPE.vpnGateway] },
];
const DESTINATIONS = ["destinationCidrBlock", "destinationIpv6CidrBlock", "cidrBlock", "ipv6CidrBlock"];
const DESTINATION_LIST = "destinationPrefixListId";

function vpcOf(index: ResourceIndex, resource: Resource): string | undefined {
  const isTable = ROUTE_TABLES.has(resource.type);
  const table = isTable ? resource : index.referred(resource, "routeTableId", ROUTE_TABLES);
  return typeof table === "object" ? vpcKey(index, table, "vpcId") : undefined;
}

/** The routes of a resource that lead to another network. */
function waysOf(
  index: ResourceIndex,
  resource: Resource,
): { path: string; route: PropertyValue; way: string }[] {
  const isTable = ROUTE_TABLES.has(resource.type);
  const routes = isTable
    ? read(resource.properties, "routes[]")
    : [{ path: "", value: resource.properties as PropertyValue }];
  return routes.flatMap(({ path, value: route }) => {
    const way = isObject(route) ? wayOf(index, resource, route, isTable) : undefined;
    return way === undefined ? [] : [{ path, route, way }];
  });
}

function wayOf(
  index: ResourceIndex,
  resource: Resource,
  route: PropertyValue,
  isTable: boolean,
): string | undefined {
  return WAYS.find(({ property, id, types }) => {
    const target = readText(route, property);
    if (target === undefined || target === "") return false;
    if (!id) return true;
    if (typeof target === "string") return id.test(target);
    return index.madeFrom(resource, isTable ? "routes" : property, new Set(types)).length > 0;
  })?.called;
}

function blocksOf({ resource, path, route }: Route, name: string, unknown: UnknownValue[]): PlacedRange[] {
  for (const place of DESTINATIONS.flatMap((key) => read(route, key, path)))
    if (place.value === UNKNOWN) unknown.push({ resource, path: place.path });
  return rangesAt(resource, DESTINATIONS, name, { path, value: route });
}

/** Where a route names a prefix list; the list itself, where it is in the stack. */
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
      : index.named(String(named), PREFIX_LISTS);
  return {
    resource,
    path: path === "" ? DESTINATION_LIST : `${path}.${DESTINATION_LIST}`,
    list: typeof referred === "object" ? referred : undefined,
  };
}

function entriesOf(
  lists: PrefixListContents,
  { resource, path, list }: NamedList,
  name: string,
  unknown: UnknownValue[],
): PlacedRange[] {
  const entries = (list && lists.get(list)) ?? [{ kind: "unknown" as const }];
  if (entries.some(({ kind }) => kind === "unknown"))
    unknown.push({ resource, path, reason: "not every entry of its prefix list is in this stack" });
  return entries.flatMap((entry) =>
    entry.kind === "prefix" ? [{ name, prefix: entry.prefix, resource, path }] : [],
  );
}
