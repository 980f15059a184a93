import { append } from "../collections";
import { keyOf, referredKey, type ResourceIndex, vpcKey } from "./resourceIndex";
import type { Resource, UnknownValue } from "./resource";
import { PEERINGS, TYPE } from "./resourceTypes";
import { type PlacedRange, rangesAt, rangesInList, type RemoteRange, routesOf, type Vpc } from "./vpcs";
import { isBlackhole, TransitGateways, type Heeding, type Hub } from "./transitGateways";

/** How networks are connected. */
export interface Connections {
  /** Whether one VPC reaches another: by peering, by a VPN gateway, or as far as the route tables of a transit gateway lead. */
  connected(a: string, b: string): boolean;
  /** What connects VPCs: all that are at one place, as far as it does not say otherwise of two. */
  hubs: readonly Hub[];
  /** Keys of all VPCs that are connected to something. */
  ends: ReadonlySet<string>;
  remote: readonly RemoteRange[];
  unknown: readonly UnknownValue[];
}

/** Peerings, transit gateways and VPNs of a stack, and the routes that lead there. */
export function connections(index: ResourceIndex, vpcs: () => ReadonlyMap<string, Vpc>): Connections {
  const hubs = new Map<string, Set<string>>();
  const unknown: UnknownValue[] = [];
  const join = (hub: string, vpc: string | undefined) => {
    if (vpc !== undefined) hubs.set(hub, (hubs.get(hub) ?? new Set()).add(vpc));
  };
  for (const resource of index.ofKind(HUBS)) {
    if (PEERINGS.has(resource.type))
      for (const end of ["vpcId", "peerVpcId"]) join(keyOf(resource), vpcKey(index, resource, end));
    if (resource.type === TYPE.vpnGateway) join(keyOf(resource), vpcKey(index, resource, "vpcId"));
    if (resource.type === TYPE.vpnGatewayAttachment)
      join(gatewayOf(index, resource, "vpnGatewayId"), vpcKey(index, resource, "vpcId"));
  }
  const cliques = [...hubs.values()].map((members): Hub => ({ members }));
  const hubsOf = new Map<string, ReadonlySet<string>[]>();
  for (const ends of hubs.values()) for (const end of ends) append(hubsOf, end, [ends]);
  for (const resource of index.ofKind(TRANSIT))
    join(gatewayOf(index, resource, "transitGatewayId"), vpcKey(index, resource, "vpcId"));
  const transit = new TransitGateways(index, vpcs);
  const connected = (a: string, b: string) =>
    transit.connected(a, b) || (hubsOf.get(a) ?? []).some((ends) => ends.has(b));
  const gateways: Gateways = { index, hubs, transit };
  // What a route says of a VPC that is here, its block says.
  const isBlockThere = ({ vpc, resource, prefix }: RemoteRange) => {
    const end =
      vpc !== undefined && GATEWAY_ROUTES.has(resource.type) ? transit.endOf(resource, prefix) : undefined;
    return end !== undefined && connected(vpc!, end);
  };
  const remote = [
    ...routesOf(index, unknown),
    ...index.ofKind(BEHIND_GATEWAYS).flatMap((resource) => beyondGateways(resource, gateways, unknown)),
  ].filter((range) => !isBlockThere(range));
  return {
    connected,
    hubs: [...cliques, ...transit.hubs()],
    ends: new Set([...hubs.values()].flatMap((ends) => [...ends])),
    remote,
    unknown,
  };
}

const HUBS: ReadonlySet<string> = new Set([...PEERINGS, TYPE.vpnGateway, TYPE.vpnGatewayAttachment]);
const TRANSIT: ReadonlySet<string> = new Set([TYPE.transitGatewayAttachment]);
const BEHIND_GATEWAYS: ReadonlySet<string> = new Set([
  TYPE.vpnConnection,
  TYPE.vpnConnectionRoute,
  TYPE.transitGatewayRoute,
  TYPE.transitGatewayListRoute,
]);
/** Routes of the tables of transit gateways: to one block each, or to every entry of a prefix list. */
const GATEWAY_ROUTES: ReadonlySet<string> = new Set([TYPE.transitGatewayRoute, TYPE.transitGatewayListRoute]);

const VPN_CONNECTIONS: ReadonlySet<string> = new Set([TYPE.vpnConnection]);

/** The gateway that a property refers to. */
const gatewayOf = (index: ResourceIndex, resource: Resource, property: string): string =>
  referredKey(index, resource, property, GATEWAYS);

const GATEWAYS: ReadonlySet<string> = new Set([TYPE.transitGateway, TYPE.vpnGateway]);

/** What is at the gateways of a stack. */
interface Gateways {
  index: ResourceIndex;
  /** The VPCs at each hub. */
  hubs: ReadonlyMap<string, ReadonlySet<string>>;
  transit: TransitGateways;
}

/** Routes of transit gateways, and of VPN connections, for every VPC that they are for. */
function beyondGateways(
  resource: Resource,
  { index, hubs, transit }: Gateways,
  unknown: UnknownValue[],
): RemoteRange[] {
  // Where every route of a transit gateway is known, those to its VPNs are among them.
  const behindVpn = (gateways: readonly string[], ranges: readonly PlacedRange[]): RemoteRange[] => {
    const ends = gateways.flatMap((gateway) =>
      [...(hubs.get(gateway) ?? [])].map((vpc) => ({ vpc, isTold: transit.isTold(vpc, gateway) })),
    );
    const vpcs = ends.filter(({ isTold }) => !isTold).map(({ vpc }) => vpc);
    return ends.length > 0 && vpcs.length === 0 ? [] : rangesFor({ vpcs, butNot: [] }, ranges);
  };
  switch (resource.type) {
    case TYPE.vpnConnection:
      return behindVpn(
        gatewaysOf(index, resource),
        // The customer's side: "remote" is what AWS calls its own.
        rangesAt(
          resource,
          ["localIpv4NetworkCidr", "localIpv6NetworkCidr"],
          `the network behind VPN ${resource.name}`,
        ),
      );
    case TYPE.vpnConnectionRoute: {
      const connection = index.referred(resource, "vpnConnectionId", VPN_CONNECTIONS);
      return behindVpn(
        typeof connection === "object" ? gatewaysOf(index, connection) : [],
        rangesAt(resource, ["destinationCidrBlock"], `the network behind a VPN (route ${resource.name})`),
      );
    }
    default: {
      if (isBlackhole(resource)) return [];
      const name = `the network behind the transit gateway (route ${resource.name})`;
      return rangesFor(
        transit.heeding(resource),
        resource.type === TYPE.transitGatewayListRoute
          ? rangesInList(index, resource, "prefixListId", name, unknown)
          : rangesAt(resource, ["destinationCidrBlock"], name),
      );
    }
  }
}

/** Ranges for some VPCs; where none is known, for any that may be it. Default routes name no network. */
function rangesFor({ vpcs, butNot }: Heeding, ranges: readonly PlacedRange[]): RemoteRange[] {
  const useful = ranges.filter(({ prefix }) => prefix.length > 0);
  return useful.flatMap<RemoteRange>((range) =>
    vpcs.length === 0 ? [{ ...range, butNot }] : vpcs.map((vpc) => ({ ...range, vpc })),
  );
}

function gatewaysOf(index: ResourceIndex, connection: Resource): string[] {
  return ["vpnGatewayId", "transitGatewayId"]
    .filter(
      (property) =>
        connection.properties[property] !== undefined || connection.propertyDependencies?.[property],
    )
    .map((property) => gatewayOf(index, connection, property));
}
