import { readFlag } from "./read";
import { keyOf, referredKey, vpcKey } from "./referredKey";
import type { Resource } from "./resource";
import type { ResourceIndex } from "./resourceIndex";
import { PEERINGS, TYPE } from "./resourceTypes";
import { routesOf, type RemoteRange } from "./routes";
import { heedingRoutes, type Heeding } from "./transitGateways";
import type { UnknownValue } from "./unknownValue";
import { rangesAt, type PlacedRange } from "./vpcs";

export type { RemoteRange } from "./routes";

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
      for (const end of ["vpcId", "peerVpcId"]) join(keyOf(resource), vpcKey(index, resource, end));
    if (resource.type === TYPE.transitGatewayAttachment)
      join(gatewayOf(index, resource, "transitGatewayId"), vpcKey(index, resource, "vpcId"));
    if (resource.type === TYPE.vpnGateway) join(keyOf(resource), vpcKey(index, resource, "vpcId"));
    if (resource.type === TYPE.vpnGatewayAttachment)
      join(gatewayOf(index, resource, "vpnGatewayId"), vpcKey(index, resource, "vpcId"));
  }
  const gateways: Gateways = { index, hubs, heedingRoute: heedingRoutes(index) };
  const remote = [
    ...routesOf(index, unknown),
    ...index.ofKind(BEHIND_GATEWAYS).flatMap((resource) => beyondGateways(resource, gateways)),
  ];
  return {
    connected: (a, b) => [...hubs.values()].some((ends) => ends.has(a) && ends.has(b)),
    ends: new Set([...hubs.values()].flatMap((ends) => [...ends])),
    remote,
    unknown,
  };
}

const HUBS: ReadonlySet<string> = new Set([
  ...PEERINGS,
  TYPE.transitGatewayAttachment,
  TYPE.vpnGateway,
  TYPE.vpnGatewayAttachment,
]);
const BEHIND_GATEWAYS: ReadonlySet<string> = new Set([
  TYPE.vpnConnection,
  TYPE.vpnConnectionRoute,
  TYPE.transitGatewayRoute,
]);

/** The gateway that a property refers to. */
const gatewayOf = (index: ResourceIndex, resource: Resource, property: string): string =>
  referredKey(index, resource, property, GATEWAYS);

const GATEWAYS: ReadonlySet<string> = new Set([TYPE.transitGateway, TYPE.vpnGateway]);

/** What is at the gateways of a stack. */
interface Gateways {
  index: ResourceIndex;
  /** The VPCs at each hub. */
  hubs: ReadonlyMap<string, ReadonlySet<string>>;
  /** The VPCs whose traffic heeds a route of a transit gateway. */
  heedingRoute: (route: Resource) => Heeding;
}

/** Routes of transit gateways, and of VPN connections, for every VPC that they are for. */
function beyondGateways(resource: Resource, { index, hubs, heedingRoute }: Gateways): RemoteRange[] {
  const at = (gateways: readonly string[]): Heeding => ({
    vpcs: gateways.flatMap((gateway) => [...(hubs.get(gateway) ?? [])]),
    butNot: [],
  });
  switch (resource.type) {
    case TYPE.vpnConnection:
      return rangesFor(
        at(gatewaysOf(index, resource)),
        // The customer's side: "remote" is what AWS calls its own.
        rangesAt(
          resource,
          ["localIpv4NetworkCidr", "localIpv6NetworkCidr"],
          `the network behind VPN ${resource.name}`,
        ),
      );
    case TYPE.vpnConnectionRoute: {
      const connection = index.referred(resource, "vpnConnectionId", new Set([TYPE.vpnConnection]));
      return rangesFor(
        typeof connection === "object" ? at(gatewaysOf(index, connection)) : at([]),
        rangesAt(resource, ["destinationCidrBlock"], `the network behind a VPN (route ${resource.name})`),
      );
    }
    default:
      if (readFlag(resource.properties, "blackhole") === true) return [];
      return rangesFor(
        heedingRoute(resource),
        rangesAt(
          resource,
          ["destinationCidrBlock"],
          `the network behind the transit gateway (route ${resource.name})`,
        ),
      );
  }
}

/** Ranges for some VPCs; where none is known, for any that may be it. Default routes name no network. */
function rangesFor({ vpcs, butNot }: Heeding, ranges: readonly PlacedRange[]): RemoteRange[] {
  const useful = ranges.filter(({ prefix }) => prefix.length > 0);
  return useful.flatMap((range) =>
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
