import { contains, enclosing, type Prefix } from "../address";
import { append, onceForEach, onceIn, pushAll } from "../collections";
import { Direction } from "../requirements/vocabulary";
import { isFilled, readText } from "./read";
import { keyOf, onlyOne, referredKey, type ResourceIndex, vpcKey } from "./resourceIndex";
import type { Resource, UnknownValue } from "./resource";
import { PEERINGS, TRANSIT_ATTACHMENTS, TYPE, VPCS } from "./resourceTypes";
import {
  isEnded,
  type PlacedRange,
  rangesAt,
  rangesInList,
  type RemoteRange,
  routesOf,
  type Vpc,
} from "./vpcs";
import {
  type Attached,
  attachedToGateways,
  attachmentOf,
  blocksOf,
  gatewayOfTable,
  isBlackhole,
  tableKey,
} from "./transitGateways";

/** A peering or gateway that connects VPCs. */
export interface Hub {
  /** Keys of the VPCs that it connects. */
  members: Iterable<string>;
  /** Absent if every member reaches all others. */
  ways?: Ways;
}

/** Which of the VPCs at a gateway reach each other. */
export interface Ways {
  areConnected: (a: string, b: string) => boolean;
  /** Keys of the VPCs and peerings to which routes from a VPC may lead, some more than once; undefined stands for any. */
  reached: (from: string) => Iterable<string | undefined>;
}

/** How networks are connected. */
export interface Connections {
  /** Whether two VPCs are connected: by a peering, a VPN gateway, or the route tables of transit gateways. */
  connected(a: string, b: string): boolean;
  /** The Cloud WAN core networks by attached VPC. The policy of a core network decides which of its VPCs reach each other. */
  coreNetworks: ReadonlyMap<string, ReadonlySet<string>>;
  /** What connects VPCs: all members of a hub reach each other unless its `ways` state otherwise. */
  hubs: readonly Hub[];
  /** Keys of all VPCs that are connected to something. */
  ends: ReadonlySet<string>;
  remote: readonly RemoteRange[];
  /** Ranges that may be beyond: it is unknown whether the end of the route passes traffic on, or the route is for many networks. */
  doubtful: readonly RemoteRange[];
  unknown: readonly UnknownValue[];
}

/** Peerings, transit gateways and VPNs of a stack, and the routes that lead there. */
export function connections(index: ResourceIndex, vpcs: () => ReadonlyMap<string, Vpc>): Connections {
  const hubs = new Map<string, Set<string>>();
  const unknown: UnknownValue[] = [];
  const join = (hub: string, vpc: string | undefined) => {
    if (vpc !== undefined) onceIn(hubs, hub, () => new Set()).add(vpc);
  };
  for (const resource of index.ofKind(HUBS)) {
    if (PEERINGS.has(resource.type) && !isEnded(resource))
      for (const end of ["vpcId", "peerVpcId"]) join(keyOf(resource), vpcKey(index, resource, end));
    if (resource.type === TYPE.vpnGateway) join(keyOf(resource), vpcKey(index, resource, "vpcId"));
    if (resource.type === TYPE.vpnGatewayAttachment)
      join(gatewayOf(index, resource, "vpnGatewayId"), vpcKey(index, resource, "vpcId"));
  }
  const cliques = [...hubs.values()].map((members): Hub => ({ members }));
  const hubsOf = new Map<string, ReadonlySet<string>[]>();
  for (const ends of hubs.values()) for (const end of ends) append(hubsOf, end, [ends]);
  for (const resource of index.ofKind(TRANSIT_ATTACHMENTS))
    join(gatewayOf(index, resource, "transitGatewayId"), vpcKey(index, resource, "vpcId"));
  const transit = new TransitGateways(index, vpcs);
  const connected = (a: string, b: string) =>
    transit.connected(a, b) || (hubsOf.get(a) ?? []).some((ends) => ends.has(b));
  const gateways: Gateways = { index, hubs, transit };
  // The blocks of a VPC in the stack already state what a route to it states.
  const isBlockThere = ({ vpc, resource, prefix }: RemoteRange) => {
    const end =
      vpc !== undefined && GATEWAY_ROUTES.has(resource.type) ? transit.endOf(resource, prefix) : undefined;
    return end !== undefined && connected(vpc!, end);
  };
  // Routes within a VPC lead through an appliance and back.
  const isOwn = ({ vpc, prefix }: RemoteRange) =>
    blocksOf(vpc, vpcs).some((block) => contains(block, prefix));
  // If another stack creates the VPC, only its subnets may be in this one.
  const around = new Map<string, Prefix[]>();
  const placeOf = (vpc = ""): Prefix[] => {
    const subnets = () => (vpcs().get(vpc)?.subnets ?? []).map(({ prefix }) => prefix);
    const blocks = blocksOf(vpc, vpcs);
    return blocks.length > 0 ? blocks : onceIn(around, vpc, () => enclosing(subnets()));
  };
  const isSummary = ({ vpc, prefix }: RemoteRange) => placeOf(vpc).some((block) => contains(prefix, block));
  const beyond = [
    ...routesOf(index, unknown),
    ...index.ofKind(BEHIND_GATEWAYS).flatMap((resource) => beyondGateways(resource, gateways, unknown)),
  ]
    .filter((range) => !isBlockThere(range) && !isOwn(range))
    .map((range) => (isSummary(range) ? { ...range, isDoubtful: true as const } : range));
  return {
    connected,
    coreNetworks: coreNetworks(index),
    hubs: [...cliques, ...transit.hubs()],
    ends: new Set([...hubs.values()].flatMap((ends) => [...ends])),
    remote: beyond.filter(({ isDoubtful }) => !isDoubtful),
    doubtful: beyond.filter(({ isDoubtful }) => isDoubtful),
    unknown,
  };
}

/**
 * Whether rules in one VPC may name security groups of another: if both are peered in one region or, for ingress, attached to a transit
 * gateway that supports it. (VPC peering, Update your security groups; Amazon VPC Transit Gateways, Security group referencing)
 */
export const groupsAcross = onceForEach((index: ResourceIndex) => {
  const places = new Map<string, Set<string>>();
  const put = (vpc: string | undefined, place: string) => {
    if (vpc !== undefined) onceIn(places, vpc, () => new Set()).add(place);
  };
  for (const peering of index.ofKind(PEERINGS))
    if (!isEnded(peering) && !isBetweenRegions(index, peering))
      for (const end of PEERED) put(vpcKey(index, peering, end), keyOf(peering));
  for (const attachment of index.ofKind(TRANSIT_ATTACHMENTS)) {
    const gateway = index.referred(attachment, "transitGatewayId", GATEWAYS);
    if (typeof gateway !== "object" || readText(gateway.properties, REFERENCING) !== "enable") continue;
    if (readText(attachment.properties, REFERENCING) !== "disable")
      put(vpcKey(index, attachment, "vpcId"), INBOUND + keyOf(gateway));
  }
  return (a: string, b: string, direction: Direction): boolean => {
    const [one, other] = [a, b].map((vpc) => places.get(vpc) ?? NOWHERE);
    // Iterates over the smaller set: a hub VPC has a peering with every spoke, a spoke has only one.
    const [fewer, more] = one!.size < other!.size ? [one!, other!] : [other!, one!];
    return [...fewer].some(
      (place) => more.has(place) && (direction === Direction.Ingress || !place.startsWith(INBOUND)),
    );
  };
});

const PEERED = ["vpcId", "peerVpcId"] as const;

/** Whether a peering or its VPCs name different regions; without any region, they count as in one. */
function isBetweenRegions(index: ResourceIndex, peering: Resource): boolean {
  const vpcs = PEERED.map((end) => index.referred(peering, end, VPCS)).filter(
    (vpc) => typeof vpc === "object",
  );
  const said = [readText(peering.properties, "peerRegion"), ...[peering, ...vpcs].map(regionOf)];
  return new Set(said.filter(isFilled)).size > 1;
}

/** The `region` property, or the region in the ARN: older providers have only the ARN. */
function regionOf({ properties }: Resource): string | undefined {
  const region = readText(properties, "region");
  if (isFilled(region)) return region;
  const arn = readText(properties, "arn");
  return isFilled(arn) ? arn.split(":")[3] : undefined;
}

const NOWHERE: ReadonlySet<string> = new Set();

/** Default: off for gateways, on for attachments. */
const REFERENCING = "securityGroupReferencingSupport";
const INBOUND = "inbound ";

function coreNetworks(index: ResourceIndex): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const attachment of index.ofKind(TYPE.coreNetworkAttachment)) {
    const { properties, propertyDependencies } = attachment;
    const [core, arn] = [readText(properties, "coreNetworkId"), readText(properties, "vpcArn")];
    const network = isFilled(core) ? core : propertyDependencies?.coreNetworkId?.join();
    const id = isFilled(arn) ? arn.slice(arn.lastIndexOf("/") + 1) : undefined;
    const made = onlyOne(index.madeFrom(attachment, "vpcArn", VPCS));
    const vpc = (id === undefined ? undefined : index.named(id, VPCS)) ?? made;
    const key = vpc ? keyOf(vpc) : id;
    if (network !== undefined && key !== undefined) onceIn(found, key, () => new Set()).add(network);
  }
  return found;
}

const HUBS: ReadonlySet<string> = new Set([...PEERINGS, TYPE.vpnGateway, TYPE.vpnGatewayAttachment]);
const BEHIND_GATEWAYS: ReadonlySet<string> = new Set([
  TYPE.vpnConnection,
  TYPE.vpnConnectionRoute,
  TYPE.transitGatewayRoute,
  TYPE.transitGatewayListRoute,
]);
/** Routes in transit gateway route tables: to one block, or to every entry of a prefix list. */
const GATEWAY_ROUTES: ReadonlySet<string> = new Set([TYPE.transitGatewayRoute, TYPE.transitGatewayListRoute]);

const VPN_CONNECTIONS: ReadonlySet<string> = new Set([TYPE.vpnConnection]);

/** The gateway that a property refers to. */
const gatewayOf = (index: ResourceIndex, resource: Resource, property: string): string =>
  referredKey(index, resource, property, GATEWAYS);

const GATEWAYS: ReadonlySet<string> = new Set([TYPE.transitGateway, TYPE.vpnGateway]);

/** The gateways of a stack and what is attached to them. */
interface Gateways {
  index: ResourceIndex;
  /** The VPCs at each hub. */
  hubs: ReadonlyMap<string, ReadonlySet<string>>;
  transit: TransitGateways;
}

/** The ranges behind a VPN connection or transit gateway route, for every VPC that may reach them. */
function beyondGateways(
  resource: Resource,
  { index, hubs, transit }: Gateways,
  unknown: UnknownValue[],
): RemoteRange[] {
  const behindVpn = (connection: Resource | undefined, ranges: readonly PlacedRange[]): RemoteRange[] => {
    const gateways = connection ? gatewaysOf(index, connection) : [];
    const blocks = ranges.map(({ prefix }) => prefix);
    const ends = gateways.flatMap((gateway) =>
      transit
        .peeredWith(gateway)
        .flatMap((one) => [...(hubs.get(one) ?? [])])
        .map((vpc) => ({ vpc, mayUse: transit.mayUseVpn(vpc, gateway, connection, blocks) })),
    );
    const vpcs = ends.filter(({ mayUse }) => mayUse).map(({ vpc }) => vpc);
    return ends.length > 0 && vpcs.length === 0 ? [] : rangesFor({ vpcs, butNot: [] }, ranges);
  };
  switch (resource.type) {
    case TYPE.vpnConnection:
      return behindVpn(
        resource,
        // The customer's side: AWS calls its own side "remote".
        rangesAt(
          resource,
          ["localIpv4NetworkCidr", "localIpv6NetworkCidr"],
          `the network behind VPN ${resource.name}`,
        ),
      );
    case TYPE.vpnConnectionRoute: {
      const connection = index.referred(resource, "vpnConnectionId", VPN_CONNECTIONS);
      return behindVpn(
        typeof connection === "object" ? connection : undefined,
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

/** Ranges for each of `vpcs`, or for any VPC not in `butNot` if `vpcs` is empty. Default routes name no network. */
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

/** The VPCs whose traffic follows a route at a gateway. */
interface Heeding {
  /** Keys of the VPCs whose traffic does, or may; if empty, it is unknown which. */
  vpcs: readonly string[];
  /** If `vpcs` is empty: keys of the VPCs whose traffic is known not to follow it. */
  butNot: readonly string[];
}

/** The transit gateways of a stack: the VPCs attached to them, their peerings, and where their route tables lead. */
class TransitGateways {
  readonly #attached: readonly Attached[];
  readonly #byKey: ReadonlyMap<string, Attached>;
  readonly #byVpc = new Map<string, Attached[]>();
  readonly #byGateway = new Map<string, Attached[]>();
  readonly #byTable = new Map<string | undefined, Attached[]>();
  readonly #ends = new Map<string, Attached[]>();
  /** The gateways that peerings join, by each gateway. */
  readonly #joined = new Map<string, string[]>();
  readonly #heeding = new Map<string, Heeding>();
  readonly #endsOf = new Map<string, readonly string[]>();

  /** @param vpcs every VPC of the stack, by key; called only when a route has to be compared with their blocks */
  constructor(
    private readonly index: ResourceIndex,
    private readonly vpcs: () => ReadonlyMap<string, Vpc>,
  ) {
    const all = attachedToGateways(index, (vpc) => blocksOf(vpc, vpcs));
    for (const one of all) if (one.peering !== undefined) append(this.#ends, one.peering, [one]);
    for (const [one, other] of this.#ends.values()) this.#join(one?.gateway, other?.gateway);
    this.#attached = all.filter(({ peering }) => peering === undefined);
    this.#byKey = new Map(this.#attached.map((one) => [one.key, one]));
    for (const one of this.#attached) {
      if (one.vpc !== undefined) append(this.#byVpc, one.vpc, [one]);
      if (one.gateway !== undefined) append(this.#byGateway, one.gateway, [one]);
      append(this.#byTable, one.table, [one]);
    }
  }

  /**
   * Whether one of two VPCs reaches the other. If every route of both is known, the routes decide; one direction is enough,
   * because answers may return another way. Otherwise all VPCs at a gateway reach each other.
   */
  connected(a: string, b: string): boolean {
    return this.#at(a).some((one) =>
      this.#at(b).some(
        (other) =>
          one.gateway !== undefined &&
          other.gateway !== undefined &&
          this.#netOf(one.gateway) === this.#netOf(other.gateway) &&
          (this.#leads(one, other) || this.#leads(other, one)),
      ),
    );
  }

  /** The gateways with their VPCs, peered gateways as one hub. If routes are known, some of the VPCs may not be connected. */
  hubs(): Hub[] {
    const nets = new Map<string | readonly string[], Attached[]>();
    for (const [gateway, here] of this.#byGateway) append(nets, this.#netOf(gateway), here);
    return [...nets].map(([net, here]) => {
      const tables = new Set(here.map(({ routes }) => routes));
      const isMesh =
        typeof net === "string" &&
        [...tables].every((routes) => routes === undefined || routes.leadsToAll(here));
      return {
        members: new Set(vpcsAt(here)),
        ...(!isMesh && {
          ways: {
            areConnected: (a: string, b: string) => this.connected(a, b),
            reached: (from: string) => this.#reached(this.#at(from)),
          },
        }),
      };
    });
  }

  /**
   * The VPCs whose traffic follows a route: those whose attachment has the table of the route. If the stack does not state the
   * table of an attachment, it may be any table of its gateway.
   */
  heeding(route: Resource): Heeding {
    const { index } = this;
    const table = tableKey(index, route);
    const gateway = gatewayOfTable(index, route);
    const key = `${table ?? ""}\n${gateway ?? ""}`;
    const known = this.#heeding.get(key);
    if (known) return known;
    // Looks attachments up by table: this runs for each route, and there may be as many attachments as routes.
    const candidates =
      table === undefined
        ? this.#attached
        : [table, undefined].flatMap((one) => this.#byTable.get(one) ?? []);
    const heeding = candidates.filter((one) => mayBe(one.gateway, gateway));
    const vpcs = vpcsAt(heeding);
    const others = new Set(heeding);
    const butNot = vpcs.length > 0 ? [] : vpcsAt(this.#attached.filter((one) => !others.has(one)));
    this.#heeding.set(key, { vpcs, butNot });
    return { vpcs, butNot };
  }

  /** The VPC in which a route ends, here or behind a peering: the route leads to it, and its blocks contain the destination. */
  endOf(route: Resource, destination: Prefix): string | undefined {
    const to = attachmentOf(this.index, route);
    if (to === undefined) return undefined;
    const [end] = onceIn(this.#endsOf, `${to}\n${destination.text}`, () => this.#findEnds(to, destination));
    return end;
  }

  #findEnds(to: string, destination: Prefix): readonly string[] {
    const ends = this.#ends.get(to) ?? [];
    const onward = ends.flatMap(({ routes }) => [...(routes?.toward([destination]) ?? [])]);
    return [to, ...onward.flatMap((route) => route.to ?? [])]
      .flatMap((key) => this.#byKey.get(key)?.vpc ?? [])
      .filter((vpc) => blocksOf(vpc, this.vpcs).some((block) => contains(block, destination)));
  }

  /**
   * Whether a VPC at a gateway, or at one peered with it, may reach the networks that a VPN at the gateway states: not if EC2 tells
   * every route, or if the plan has no route to the VPN.
   */
  mayUseVpn(vpc: string, gateway: string, vpn: Resource | undefined, behind: readonly Prefix[]): boolean {
    const net = this.#netOf(gateway);
    const here = this.#at(vpc).filter((one) => one.gateway !== undefined && this.#netOf(one.gateway) === net);
    const leads = (from: Attached, passed: Set<Attached>): boolean => {
      const { routes } = from;
      if (from.gateway === gateway)
        return !routes || (!routes.isTold && (vpn === undefined || routes.to(keyOf(vpn)).length > 0));
      passed.add(from);
      return [...(routes?.toward(behind) ?? [])].some((route) => {
        const next = this.#next(route.to, from.gateway);
        return next !== undefined && !passed.has(next) && leads(next, passed);
      });
    };
    return here.length === 0 || here.some((one) => leads(one, new Set()));
  }

  /** A gateway and all gateways that are peered with it, directly or through others. */
  peeredWith(gateway: string): readonly string[] {
    return this.#joined.get(gateway) ?? [gateway];
  }

  #join(one: string | undefined, other: string | undefined): void {
    if (one === undefined || other === undefined) return;
    const [a, b] = [this.#joined.get(one) ?? [one], this.#joined.get(other) ?? [other]];
    if (a === b) return;
    const [more, fewer] = a.length < b.length ? [b, a] : [a, b];
    pushAll(more, fewer);
    for (const gateway of [one, other, ...fewer]) this.#joined.set(gateway, more);
  }

  /** A key that is the same for gateways that are peered, directly or through others. */
  readonly #netOf = (gateway: string): string | readonly string[] => this.#joined.get(gateway) ?? gateway;

  /** Where a route at a gateway leads: a VPC there, or the other end of a peering. */
  #next(to: string | undefined, gateway: string | undefined): Attached | undefined {
    if (to === undefined) return undefined;
    return this.#byKey.get(to) ?? this.#ends.get(to)?.find((end) => end.gateway !== gateway);
  }

  readonly #at = (vpc: string): readonly Attached[] => this.#byVpc.get(vpc) ?? [];

  /** Yields every step of the routes from some attachments, whatever the blocks at their ends. */
  *#reached(from: readonly Attached[]): Iterable<string | undefined> {
    const seen = new Set(from);
    // The set grows during the iteration.
    for (const { routes, gateway } of seen)
      for (const end of routes?.ends ?? [undefined]) {
        const next = this.#next(end, gateway);
        yield next?.peering ?? next?.vpc;
        if (next) seen.add(next);
      }
  }

  /**
   * Whether routes lead from one attachment to another, also through peerings and VPCs that forward traffic. Unknown routes may lead to
   * any attachment of the same gateway, but not to another gateway.
   */
  #leads(from: Attached, to: Attached, passed = new Set<Attached>()): boolean {
    const { routes } = from;
    const isHere = from.gateway === to.gateway;
    if (!routes) return isHere;
    passed.add(from);
    const blocks = blocksOf(to.vpc, this.vpcs);
    if (routes.to(to.key).some((route) => routes.isOpen(route, blocks))) return true;
    return [...routes.toward(blocks)].some((route) => {
      const next = this.#next(route.to, from.gateway);
      // It is unknown what is behind a VPN, but a default route to it names no network.
      if (!next) return isHere && route.destination!.length > 0;
      return !passed.has(next) && this.#leads(next, to, passed);
    });
  }
}

const vpcsAt = (attached: readonly Attached[]): string[] => attached.flatMap(({ vpc }) => vpc ?? []);

const mayBe = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined || a === b;
