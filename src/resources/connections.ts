import { isObject, read, readText } from "./read";
import { UNKNOWN, type PropertyValue, type Resource } from "./resource";
import type { ResourceIndex } from "./resourceIndex";
import { ROUTE_TABLES, TYPE } from "./resourceTypes";
import type { UnknownValue } from "./unknownValue";
import { rangesAt, vpcKey, type PlacedRange } from "./vpcs";

/** A range beyond the borders of a VPC, to which it has a way. */
export interface RemoteRange extends PlacedRange {
  /** The VPC that has the way; absent where the stack does not say which. */
  vpc?: string;
}

/** How networks are connected. */
export interface Connections {
  /** Keys of VPCs that reach each other: by peering, or by one transit gateway. */
  connected(a: string, b: string): boolean;
  /** Keys of all VPCs that are connected to something. */
  ends: ReadonlySet<string>;
  remote: readonly RemoteRange[];
  unknown: readonly UnknownValue[];
}

/** Peerings, transit gateways and VPNs of a stack, and the routes that lead there. */
export function connections(index: ResourceIndex): Connections {
  const hubs = new Map<string, Set<string>>();
  const unknown: UnknownValue[] = [];
  const join = (hub: string, vpc: string | undefined) => {
    if (vpc !== undefined) hubs.set(hub, (hubs.get(hub) ?? new Set()).add(vpc));
  };
  for (const resource of index.ofKind(HUBS)) {
    if (PEERINGS.has(resource.type))
      for (const end of ["vpcId", "peerVpcId"]) join(identityOf(resource), vpcKey(index, resource, end));
    if (resource.type === TYPE.transitGatewayAttachment)
      join(gatewayOf(index, resource, "transitGatewayId"), vpcKey(index, resource, "vpcId"));
    if (resource.type === TYPE.vpnGateway) join(identityOf(resource), vpcKey(index, resource, "vpcId"));
    if (resource.type === TYPE.vpnGatewayAttachment)
      join(gatewayOf(index, resource, "vpnGatewayId"), vpcKey(index, resource, "vpcId"));
  }
  const remote = index
    .ofKind(WITH_ROUTES)
    .flatMap((resource) => [...routed(index, resource, unknown), ...beyondGateways(index, resource, hubs)]);
  return {
    connected: (a, b) => [...hubs.values()].some((ends) => ends.has(a) && ends.has(b)),
    ends: new Set([...hubs.values()].flatMap((ends) => [...ends])),
    remote,
    unknown,
  };
}

const PEERINGS: ReadonlySet<string> = new Set([TYPE.peering, TYPE.peeringAccepter]);
const ATTACHMENTS: ReadonlySet<string> = new Set([TYPE.transitGatewayAttachment]);
const HUBS: ReadonlySet<string> = new Set([
  ...PEERINGS,
  ...ATTACHMENTS,
  TYPE.vpnGateway,
  TYPE.vpnGatewayAttachment,
]);
const WITH_ROUTES: ReadonlySet<string> = new Set([
  ...ROUTE_TABLES,
  TYPE.route,
  TYPE.vpnConnection,
  TYPE.vpnConnectionRoute,
  TYPE.transitGatewayRoute,
]);
const identityOf = (resource: Resource): string => resource.origin.urn ?? resource.name;

/** The gateway that a property refers to, as a key that is the same for all who refer to it. */
function gatewayOf(index: ResourceIndex, resource: Resource, property: string): string {
  const gateway = index.referred(resource, property, GATEWAYS);
  if (typeof gateway === "string") return gateway;
  return typeof gateway === "object" ? identityOf(gateway) : `${identityOf(resource)} ${property}`;
}

const GATEWAYS: ReadonlySet<string> = new Set([TYPE.transitGateway, TYPE.vpnGateway]);

/** Properties of a route that lead to another network, with what findings call it. */
const WAYS: readonly { property: string; called: string; id?: RegExp; types?: readonly string[] }[] = [
  { property: "vpcPeeringConnectionId", called: "the peering" },
  { property: "transitGatewayId", called: "the transit gateway" },
  { property: "coreNetworkArn", called: "the core network" },
  { property: "localGatewayId", called: "the local gateway" },
  { property: "gatewayId", called: "the VPN gateway", id: /^vgw-/, types: [TYPE.vpnGateway] },
];
const DESTINATIONS = ["destinationCidrBlock", "destinationIpv6CidrBlock", "cidrBlock", "ipv6CidrBlock"];

/** The destinations of routes to peerings, transit gateways and VPNs; default routes name no network. */
function routed(index: ResourceIndex, resource: Resource, unknown: UnknownValue[]): RemoteRange[] {
  const isTable = ROUTE_TABLES.has(resource.type);
  if (!isTable && resource.type !== TYPE.route) return [];
  const table = isTable ? resource : index.referred(resource, "routeTableId", ROUTE_TABLES);
  const vpc = typeof table === "object" ? vpcKey(index, table, "vpcId") : undefined;
  const routes = isTable
    ? read(resource.properties, "routes[]")
    : [{ path: "", value: resource.properties as PropertyValue }];
  return routes.flatMap(({ path, value }) => {
    const way = isObject(value) ? wayOf(index, resource, value, isTable) : undefined;
    if (!way) return [];
    const destinations = DESTINATIONS.map((key) => (path === "" ? key : `${path}.${key}`));
    for (const place of DESTINATIONS.flatMap((key) => read(value, key, path)))
      if (place.value === UNKNOWN) unknown.push({ resource, path: place.path });
    return rangesAt(resource, destinations, `the network behind ${way} (route ${resource.name})`)
      .filter(({ prefix }) => prefix.length > 0)
      .map((range) => ({ ...range, ...(vpc !== undefined && { vpc }) }));
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

/** Static routes of transit gateways and VPN connections, for every VPC at that gateway. */
function beyondGateways(
  index: ResourceIndex,
  resource: Resource,
  hubs: ReadonlyMap<string, ReadonlySet<string>>,
): RemoteRange[] {
  const at = (ranges: PlacedRange[], gateways: readonly string[]): RemoteRange[] => {
    const vpcs = gateways.flatMap((gateway) => [...(hubs.get(gateway) ?? [])]);
    const useful = ranges.filter(({ prefix }) => prefix.length > 0);
    return useful.flatMap((range) => (vpcs.length === 0 ? [range] : vpcs.map((vpc) => ({ ...range, vpc }))));
  };
  switch (resource.type) {
    case TYPE.vpnConnection:
      return at(
        rangesAt(
          resource,
          ["remoteIpv4NetworkCidr", "remoteIpv6NetworkCidr", "staticRoutes[]"],
          `the network behind VPN ${resource.name}`,
        ),
        gatewaysOf(index, resource),
      );
    case TYPE.vpnConnectionRoute: {
      const connection = index.referred(resource, "vpnConnectionId", new Set([TYPE.vpnConnection]));
      return at(
        rangesAt(resource, ["destinationCidrBlock"], `the network behind a VPN (route ${resource.name})`),
        typeof connection === "object" ? gatewaysOf(index, connection) : [],
      );
    }
    case TYPE.transitGatewayRoute:
      return at(
        rangesAt(
          resource,
          ["destinationCidrBlock"],
          `the network behind the transit gateway (route ${resource.name})`,
        ),
        index.ofKind(ATTACHMENTS).map((attachment) => gatewayOf(index, attachment, "transitGatewayId")),
      );
    default:
      return [];
  }
}

function gatewaysOf(index: ResourceIndex, connection: Resource): string[] {
  return ["vpnGatewayId", "transitGatewayId"]
    .filter(
      (property) =>
        connection.properties[property] !== undefined || connection.propertyDependencies?.[property],
    )
    .map((property) => gatewayOf(index, connection, property));
}
