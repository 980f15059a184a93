import { contains, meeting, overlap, readPrefix, type Prefix } from "../address";
import { append, onceForEach, onceIn } from "../collections";
import { isPlanned } from "./oneObject";
import { isFilled, readFlag, readText } from "./read";
import { keyOf, knownKey, onlyOne, type ResourceIndex, vpcKey } from "./resourceIndex";
import { type Resource, UNKNOWN } from "./resource";
import { PREFIX_LISTS, TRANSIT_ATTACHMENTS, TYPE } from "./resourceTypes";
import { prefixListContents } from "./ruleSources";
import type { Vpc } from "./vpcs";

/** Transit gateways. */
const TRANSIT_GATEWAYS: ReadonlySet<string> = new Set([TYPE.transitGateway]);
/** Route tables of transit gateways. */
const GATEWAY_TABLES: ReadonlySet<string> = new Set([TYPE.transitGatewayRouteTable]);
const ACCEPTERS: ReadonlySet<string> = new Set([
  TYPE.transitGatewayAccepter,
  TYPE.transitGatewayPeeringAccepter,
]);
const PEERINGS: ReadonlySet<string> = new Set([TYPE.transitGatewayPeering]);
const ATTACHMENTS: ReadonlySet<string> = new Set([...TRANSIT_ATTACHMENTS, ...PEERINGS, ...ACCEPTERS]);
const OTHER_DEFAULTS: ReadonlySet<string> = new Set([
  TYPE.transitGatewayDefaultAssociation,
  TYPE.transitGatewayDefaultPropagation,
]);
const ROUTES: ReadonlySet<string> = new Set([TYPE.transitGatewayRoute, TYPE.transitGatewayListRoute]);

/**
 * What EC2 tells and a plan does not, as properties that the AWS provider does not have. In a plan, propagations and default
 * route tables add routes that the user did not write: these are known only if the plan creates the gateway or the table.
 */
export const TOLD = {
  /** Of a route table: the input has every one of its routes, including propagated ones and blackholes. */
  everyRoute: "everyRouteIsTold",
  /** Of an attachment: it has no route table, so its traffic goes nowhere. */
  noTable: "hasNoRouteTable",
} as const;

/** A VPC at a transit gateway, or one end of a peering of two gateways. Parts that are unknown are undefined. */
export interface Attached {
  key: string;
  /** The peering of which it is an end; absent for VPCs. */
  peering?: string;
  vpc: string | undefined;
  gateway: string | undefined;
  /** The route table that decides where its traffic goes. */
  table: string | undefined;
  /** Every route that its traffic may follow. */
  routes: TableRoutes | undefined;
}

interface GatewayRoute {
  /** Undefined for a propagated route whose blocks are unknown. */
  destination: Prefix | undefined;
  isBlackhole: boolean;
  /** The attachment to which it leads. */
  to: string | undefined;
}

/** Every route of one table, indexed for lookups by many VPCs. */
class TableRoutes {
  readonly #toEach = new Map<string, GatewayRoute[]>();
  readonly #ways: (block: Prefix) => (GatewayRoute & { prefix: Prefix })[];
  readonly #holes: (block: Prefix) => { prefix: Prefix }[];
  readonly #hasHoles: boolean;
  /** The attachments to which routes lead, each once; undefined stands for unknown ones. */
  readonly ends: readonly (string | undefined)[];

  /** @param isTold whether EC2 tells the routes: they then include routes to VPNs, with the networks that these announce */
  constructor(
    routes: readonly GatewayRoute[],
    readonly isTold: boolean,
  ) {
    const placed = (some: readonly GatewayRoute[]) =>
      some.flatMap((route) => (route.destination ? [{ ...route, prefix: route.destination }] : []));
    const open = routes.filter(({ isBlackhole: isHole }) => !isHole);
    const holes = placed(routes.filter(({ isBlackhole: isHole }) => isHole));
    this.#hasHoles = holes.length > 0;
    this.#holes = meeting(holes);
    this.#ways = meeting(placed(open));
    this.ends = [...new Set(open.map(({ to }) => to))];
    for (const route of open) if (route.to !== undefined) append(this.#toEach, route.to, [route]);
  }

  /** The routes to an attachment. */
  to(attachment: string): readonly GatewayRoute[] {
    return this.#toEach.get(attachment) ?? [];
  }

  /** The routes toward any of `blocks`, without those whose addresses a more specific blackhole drops completely. */
  toward(blocks: readonly Prefix[]): Set<GatewayRoute> {
    return new Set(
      blocks.flatMap((block) => this.#ways(block).filter(({ prefix }) => !this.#isTaken(block, prefix))),
    );
  }

  /** Whether the table leads to every one of `attachments`, whatever their blocks are. */
  leadsToAll(attachments: readonly Attached[]): boolean {
    return !this.#hasHoles && attachments.every(({ key }) => this.#toEach.has(key));
  }

  /** Whether blackholes leave part of `blocks` to a route. True also for a route to networks behind these blocks. */
  isOpen({ destination }: GatewayRoute, blocks: readonly Prefix[]): boolean {
    if (!this.#hasHoles || !destination) return true;
    const own = blocks.filter((block) => overlap(destination, block));
    return own.length === 0 || own.some((block) => !this.#isTaken(block, destination));
  }

  readonly #isTaken = (block: Prefix, destination: Prefix): boolean =>
    this.#hasHoles &&
    this.#holes(block).some(({ prefix }) => prefix.length > destination.length && contains(prefix, block));
}

export const blocksOf = (vpc: string | undefined, vpcs: () => ReadonlyMap<string, Vpc>): Prefix[] =>
  (vpc === undefined ? undefined : vpcs().get(vpc))?.blocks.map(({ prefix }) => prefix) ?? [];

/** The table of an attachment that has none. It equals no id, because no id is empty. */
const NO_TABLE = "";

type BlocksOf = (vpc: string | undefined) => readonly Prefix[];

export function attachedToGateways(index: ResourceIndex, blocks: BlocksOf): Attached[] {
  const tables = new Map(
    index
      .ofKind(TYPE.transitGatewayAssociation)
      .map((one) => [attachmentOf(index, one), tableKey(index, one)] as const),
  );
  // If the attachment of an association is unknown, it may be any attachment.
  const isSure = !tables.has(undefined);
  const attached = index.ofKind(TRANSIT_ATTACHMENTS).flatMap((attachment): Attachment[] => {
    const key = keyOf(attachment);
    // The accepter of an attachment in the input is about the same attachment.
    if (canonicalKey(index, attachment) !== key) return [];
    const hasNone = readFlag(attachment.properties, TOLD.noTable) === true;
    const own = !hasNone && !tables.has(key) && isSure ? byDefault(index, attachment, ASSOCIATED) : undefined;
    return [
      {
        key,
        vpc: vpcKey(index, attachment, "vpcId"),
        gateway: knownKey(index, attachment, "transitGatewayId", TRANSIT_GATEWAYS),
        table: hasNone ? NO_TABLE : (tables.get(key) ?? own),
        attachment,
      },
    ];
  });
  const routes = new Map([...plannedRoutes(index, attached, blocks), ...toldRoutes(index)]);
  return [...attached, ...peeringEnds(index, isSure)].map(({ attachment: _, ...one }) => ({
    ...one,
    routes: one.table === undefined ? undefined : routes.get(one.table),
  }));
}

/**
 * Both ends of the peerings of transit gateways. Nothing is propagated through them: only static routes lead there, and traffic that
 * comes out follows the table of that end.
 *
 * @param isSure whether every association states its attachment
 */
function peeringEnds(index: ResourceIndex, isSure: boolean): Attachment[] {
  const peerings = index.ofKind(PEERINGS);
  if (peerings.length === 0) return [];
  const tables = new Map<string, string | undefined>();
  for (const one of index.ofKind(TYPE.transitGatewayAssociation))
    tables.set(endOf(attachmentOf(index, one), gatewayOfTable(index, one)), tableKey(index, one));
  return peerings.flatMap((attachment) =>
    ["transitGatewayId", "peerTransitGatewayId"].map((property): Attachment => {
      const gateway = knownKey(index, attachment, property, TRANSIT_GATEWAYS);
      const peering = keyOf(attachment);
      const key = endOf(peering, gateway ?? property);
      const own = isSure && !tables.has(key) ? byDefault(index, attachment, ASSOCIATED, property) : undefined;
      return { key, peering, vpc: undefined, gateway, table: tables.get(key) ?? own, attachment };
    }),
  );
}

const endOf = (peering: string | undefined, gateway: string | undefined): string =>
  `${peering ?? ""} at ${gateway ?? ""}`;

/** The gateway of the route table that a resource names. */
export function gatewayOfTable(index: ResourceIndex, resource: Resource): string | undefined {
  const table = index.referred(resource, TABLE, GATEWAY_TABLES);
  if (typeof table === "object") return knownKey(index, table, "transitGatewayId", TRANSIT_GATEWAYS);
  const own = gatewayWithTable(index, resource);
  return own && keyOf(own);
}

/** An attachment before the routes of its table are read. */
interface Attachment extends Omit<Attached, "routes"> {
  attachment: Resource;
}

/** The routes of tables for which EC2 tells every route; none for attachments without a table. */
function toldRoutes(index: ResourceIndex): Map<string, TableRoutes> {
  const tables = index
    .ofKind(GATEWAY_TABLES)
    .filter(({ properties }) => readFlag(properties, TOLD.everyRoute) === true);
  const told = new Map<string, GatewayRoute[]>([NO_TABLE, ...tables.map(keyOf)].map((key) => [key, []]));
  if (tables.length > 0)
    for (const resource of index.ofKind(ROUTES)) {
      const table = knownKey(index, resource, TABLE, GATEWAY_TABLES);
      const routes = table === undefined ? undefined : told.get(table);
      if (routes) for (const route of routesOf(index, resource) ?? []) routes.push(route);
    }
  return new Map([...told].map(([key, routes]) => [key, new TableRoutes(routes, true)]));
}

/**
 * The static and propagated routes of the tables that a plan creates, by themselves or with a gateway. Omits tables with routes that are
 * unknown, and tables managed elsewhere, because their manager writes routes too.
 */
function plannedRoutes(
  index: ResourceIndex,
  attached: readonly Attachment[],
  blocks: BlocksOf,
): Map<string, TableRoutes> {
  const gateways = index.ofKind(TRANSIT_GATEWAYS).filter(isMade);
  const tables = index
    .ofKind(GATEWAY_TABLES)
    .filter((table) => isMade(table) && !isDefaultTable(index, table));
  const routes = new Map<string, GatewayRoute[]>(
    [...gateways.flatMap((gateway) => defaultTable(index, gateway) ?? []), ...tables.map(keyOf)].map(
      (key) => [key, []],
    ),
  );
  if (routes.size === 0) return new Map();
  for (const resource of index.ofKind(ROUTES)) {
    const table = tableKey(index, resource);
    const found = routesOf(index, resource);
    // An unknown blackhole drops nothing.
    if (!found && isBlackhole(resource)) continue;
    if (table === undefined && !isBlackhole(resource)) return new Map();
    if (table === undefined) continue;
    if (!found) routes.delete(table);
    for (const route of found ?? []) routes.get(table)?.push(route);
  }
  const propagated = new Map<string, Set<string>>();
  for (const resource of index.ofKind(TYPE.transitGatewayPropagation)) {
    const [table, from] = [tableKey(index, resource), attachmentOf(index, resource)];
    if (table === undefined) return new Map();
    if (from === undefined) routes.delete(table);
    else onceIn(propagated, table, () => new Set()).add(from);
  }
  const vpns = index.ofKind(TYPE.vpnConnection).map((vpn) => ({ key: keyOf(vpn), attachment: vpn }));
  for (const { key, attachment } of [...attached, ...vpns]) {
    const table = byDefault(index, attachment, PROPAGATED);
    const gateway = index.referred(attachment, "transitGatewayId", TRANSIT_GATEWAYS);
    // The table may be the default table of the gateway.
    if (table === undefined && typeof gateway === "object")
      routes.delete(defaultTable(index, gateway) ?? NO_TABLE);
    if (table !== undefined && table !== NO_TABLE) onceIn(propagated, table, () => new Set()).add(key);
  }
  const vpcs = new Map(attached.map(({ key, vpc }) => [key, vpc]));
  return new Map(
    [...routes].map(([table, fixed]) => {
      // Static routes take precedence over propagated ones for the same addresses.
      const taken = new Set(fixed.map(({ destination }) => destination?.text));
      const ways = [...(propagated.get(table) ?? [])].flatMap((to): GatewayRoute[] => {
        const own = vpcs.has(to) ? blocks(vpcs.get(to)) : [];
        if (own.length === 0) return [{ to, destination: undefined, isBlackhole: false }];
        return own
          .filter(({ text }) => !taken.has(text))
          .map((destination) => ({ to, destination, isBlackhole: false }));
      });
      return [table, new TableRoutes([...fixed, ...ways], false)];
    }),
  );
}

/** Whether the plan creates or has created a resource: only then is what it states about it complete. */
const isMade = (resource: Resource): boolean => isPlanned(resource) && !resource.isRead;

/** The property names of a default on a gateway and on an attachment. */
interface Default {
  gateway: string;
  attachment: string;
}
const ASSOCIATED: Default = {
  gateway: "defaultRouteTableAssociation",
  attachment: "transitGatewayDefaultRouteTableAssociation",
};
const PROPAGATED: Default = {
  gateway: "defaultRouteTablePropagation",
  attachment: "transitGatewayDefaultRouteTablePropagation",
};

/**
 * The table that an attachment is associated with, or propagates to, by default: NO_TABLE if there is none, undefined if it is unknown.
 * Both defaults are on unless the program turns them off.
 *
 * @param attachment the attachment of a VPC; or a VPN or peering, for which the gateway decides
 * @param named the property that names the gateway
 */
function byDefault(
  index: ResourceIndex,
  attachment: Resource,
  of: Default,
  named = "transitGatewayId",
): string | undefined {
  const gateway = index.referred(attachment, named, TRANSIT_GATEWAYS);
  if (typeof gateway !== "object" || !isPlanned(gateway) || !isPlanned(attachment)) return undefined;
  // For an attachment of another account, the accepter decides.
  const settings = accepterOf(index).get(keyOf(attachment)) ?? attachment;
  const own = readFlag(settings.properties, of.attachment);
  const general = readText(gateway.properties, of.gateway) ?? "enable";
  if (own === false || general === "disable") return NO_TABLE;
  return own === UNKNOWN || general !== "enable" ? undefined : defaultTable(index, gateway);
}

const accepterOf = onceForEach(
  (index: ResourceIndex): ReadonlyMap<string, Resource> =>
    new Map(index.ofKind(ACCEPTERS).map((one) => [canonicalKey(index, one), one])),
);

/** The key of an attachment; for an accepter, the key of the accepted attachment if that is in the input. */
function canonicalKey(index: ResourceIndex, attachment: Resource): string {
  if (!ACCEPTERS.has(attachment.type)) return keyOf(attachment);
  const accepted = index.referred(attachment, ATTACHMENT, ATTACHED);
  return keyOf(typeof accepted === "object" ? accepted : attachment);
}

const ATTACHED: ReadonlySet<string> = new Set([TYPE.transitGatewayAttachment, ...PEERINGS]);
const ATTACHMENT = "transitGatewayAttachmentId";
/** The property that names a route table of a transit gateway. */
const TABLE = "transitGatewayRouteTableId";
const OWN_TABLES = ["associationDefaultRouteTableId", "propagationDefaultRouteTableId"];

/** The gateways by the ids of the tables that were created with them. */
const gatewaysByTable = onceForEach(
  (index: ResourceIndex): ReadonlyMap<unknown, Resource> =>
    new Map(
      index
        .ofKind(TRANSIT_GATEWAYS)
        .flatMap((gateway) => OWN_TABLES.map((own) => [gateway.properties[own], gateway] as const))
        .filter(([id]) => isFilled(id)),
    ),
);

/** The gateway that was created with the route table that a resource names. */
function gatewayWithTable(index: ResourceIndex, resource: Resource): Resource | undefined {
  const id = readText(resource.properties, TABLE);
  const known = typeof id === "string" ? gatewaysByTable(index).get(id) : undefined;
  return known ?? (id === UNKNOWN ? onlyOne(index.madeFrom(resource, TABLE, TRANSIT_GATEWAYS)) : undefined);
}

/** The key of the route table that a resource names: one in the input, one created with a gateway, or the id of another. */
export function tableKey(index: ResourceIndex, resource: Resource): string | undefined {
  const referred = index.referred(resource, TABLE, GATEWAY_TABLES);
  if (typeof referred === "object") return keyOf(referred);
  const gateway = gatewayWithTable(index, resource);
  if (gateway) return defaultTable(index, gateway);
  return typeof referred === "string" ? referred : undefined;
}

/** The key of the one table created with a gateway; undefined if the gateway may have other defaults. */
function defaultTable(index: ResourceIndex, gateway: Resource): string | undefined {
  const [association, propagation] = OWN_TABLES.map((own) => readText(gateway.properties, own));
  const areTwo = typeof association === "string" && typeof propagation === "string";
  if (hasOtherDefaults(index, keyOf(gateway)) || (areTwo && association !== propagation)) return undefined;
  const isOther = [association, propagation].some((id) => isFilled(id) && index.named(id, GATEWAY_TABLES));
  return isOther ? undefined : `${keyOf(gateway)} default`;
}

const gatewaysWithOtherDefaults = onceForEach(
  (index: ResourceIndex): ReadonlySet<string | undefined> =>
    new Set(
      index.ofKind(OTHER_DEFAULTS).map((one) => knownKey(index, one, "transitGatewayId", TRANSIT_GATEWAYS)),
    ),
);

/** Whether the program gives a gateway other default tables than those created with it. */
function hasOtherDefaults(index: ResourceIndex, gateway: string | undefined): boolean {
  const found = gatewaysWithOtherDefaults(index);
  return found.has(undefined) || found.has(gateway);
}

/** Whether attachments may propagate to a table by default, without a propagation that names it. */
const isDefaultTable = (index: ResourceIndex, table: Resource): boolean =>
  readFlag(table.properties, "defaultPropagationRouteTable") === true ||
  hasOtherDefaults(index, knownKey(index, table, "transitGatewayId", TRANSIT_GATEWAYS));

/** The routes that a resource creates: one, or one for each entry of a prefix list; undefined if they are unknown. */
function routesOf(index: ResourceIndex, resource: Resource): GatewayRoute[] | undefined {
  const isHole = isBlackhole(resource);
  const to = attachmentOf(index, resource);
  const destinations = destinationsOf(index, resource);
  if (!destinations || (to === undefined && !isHole && isPlanned(resource))) return undefined;
  return destinations.map((destination) => ({ destination, isBlackhole: isHole, to }));
}

function destinationsOf(index: ResourceIndex, resource: Resource): readonly Prefix[] | undefined {
  if (resource.type === TYPE.transitGatewayListRoute) {
    const list = index.referred(resource, "prefixListId", PREFIX_LISTS);
    const content = typeof list === "object" ? prefixListContents(index).get(list) : undefined;
    return content?.unknown.length === 0 ? content.blocks : undefined;
  }
  const text = readText(resource.properties, "destinationCidrBlock");
  const destination = typeof text === "string" ? readPrefix(text) : undefined;
  return destination && [destination];
}

/** The VPN connections by the ids of their attachments. */
const vpnsByAttachment = onceForEach(
  (index: ResourceIndex): ReadonlyMap<unknown, Resource> =>
    new Map(index.ofKind(TYPE.vpnConnection).map((vpn) => [vpn.properties[ATTACHMENT], vpn])),
);

/**
 * The key of the attachment that a resource names: of a VPC, a peering, a VPN, or another AWS resource that the id was made from.
 * Undefined if it may be the attachment of a VPC in the input.
 */
export function attachmentOf(index: ResourceIndex, resource: Resource): string | undefined {
  const referred = index.referred(resource, ATTACHMENT, ATTACHMENTS);
  if (typeof referred === "object") return canonicalKey(index, referred);
  if (typeof referred === "string") {
    const vpn = vpnsByAttachment(index).get(referred);
    return vpn ? keyOf(vpn) : referred;
  }
  const [source, ...others] = resource.propertyDependencies?.[ATTACHMENT] ?? [];
  const isOfAws = others.length === 0 && index.at(source)?.type.startsWith("aws:");
  return isOfAws ? source : undefined;
}

/** Whether a route of a transit gateway leads nowhere. */
export const isBlackhole = ({ properties }: Resource): boolean => readFlag(properties, "blackhole") === true;
