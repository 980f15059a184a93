import { contains, meeting, overlap, readPrefix, type Prefix } from "../address";
import { append, onceForEach } from "../collections";
import { isPlanned } from "./oneObject";
import { isFilled, readFlag, readText } from "./read";
import { keyOf, knownKey, type ResourceIndex, vpcKey } from "./resourceIndex";
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
const ASSOCIATIONS: ReadonlySet<string> = new Set([TYPE.transitGatewayAssociation]);
const PROPAGATIONS: ReadonlySet<string> = new Set([TYPE.transitGatewayPropagation]);
const OTHER_DEFAULTS: ReadonlySet<string> = new Set([
  TYPE.transitGatewayDefaultAssociation,
  TYPE.transitGatewayDefaultPropagation,
]);
const ROUTES: ReadonlySet<string> = new Set([TYPE.transitGatewayRoute, TYPE.transitGatewayListRoute]);
const VPNS: ReadonlySet<string> = new Set([TYPE.vpnConnection]);

/**
 * What EC2 tells and a plan does not, as properties that the AWS provider does not have. In a plan, propagations and default
 * route tables make routes that the user did not write: those are known where the plan makes the gateway or the table.
 */
export const TOLD = {
  /** Of a route table: its routes are here, every one, propagated ones and blackholes too. */
  everyRoute: "everyRouteIsTold",
  /** Of an attachment: it has no route table, so that its traffic goes nowhere. */
  noTable: "hasNoRouteTable",
} as const;

/** A VPC at a transit gateway, or one end of a peering of two. Every part is undefined where it is unknown. */
export interface Attached {
  key: string;
  /** The peering of which it is an end; absent for VPCs. */
  peering?: string;
  vpc: string | undefined;
  gateway: string | undefined;
  /** The route table that decides where its traffic goes. */
  table: string | undefined;
  /** Every route by which its traffic goes. */
  routes: TableRoutes | undefined;
}

interface GatewayRoute {
  /** Undefined where it is for the blocks of a VPC that are not known. */
  destination: Prefix | undefined;
  isBlackhole: boolean;
  /** The attachment to which it leads. */
  to: string | undefined;
}

/** Every route of one table, made ready for the questions of many VPCs. */
class TableRoutes {
  readonly #toEach = new Map<string, GatewayRoute[]>();
  readonly #ways: (block: Prefix) => (GatewayRoute & { prefix: Prefix })[];
  readonly #holes: (block: Prefix) => { prefix: Prefix }[];
  readonly #hasHoles: boolean;
  /** The attachments to which routes lead, each once; undefined stands for those that are not known. */
  readonly ends: readonly (string | undefined)[];

  /** @param isTold whether EC2 tells them: then those to VPNs are among them, with what the VPN says is behind it */
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

  /** The routes for addresses of some blocks of which no blackhole takes them all out. */
  toward(blocks: readonly Prefix[]): Set<GatewayRoute> {
    return new Set(
      blocks.flatMap((block) => this.#ways(block).filter(({ prefix }) => !this.#isTaken(block, prefix))),
    );
  }

  /** Whether it leads to every one of some attachments, whatever their blocks are. */
  leadsToAll(attachments: readonly Attached[]): boolean {
    return !this.#hasHoles && attachments.every(({ key }) => this.#toEach.has(key));
  }

  /** Whether a route goes to some blocks, of which blackholes leave something; true where it is for what is behind them. */
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

/** The table of an attachment that has none: no id is empty. */
const NO_TABLE = "";

type BlocksOf = (vpc: string | undefined) => readonly Prefix[];

export function attachedToGateways(index: ResourceIndex, blocks: BlocksOf): Attached[] {
  const tables = new Map(
    index.ofKind(ASSOCIATIONS).map((one) => [attachmentOf(index, one), tableKey(index, one)] as const),
  );
  // Where it is not known whose table that is, it may be anybody's.
  const isSure = !tables.has(undefined);
  const attached = index.ofKind(TRANSIT_ATTACHMENTS).flatMap((attachment): Attachment[] => {
    const key = keyOf(attachment);
    // Who accepts an attachment of the input speaks of the same one.
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
 * Both ends of the peerings of transit gateways. Nothing is propagated through them: only static routes lead there, and what comes out
 * follows the table of the end.
 *
 * @param isSure whether every association says whose it is
 */
function peeringEnds(index: ResourceIndex, isSure: boolean): Attachment[] {
  const peerings = index.ofKind(PEERINGS);
  if (peerings.length === 0) return [];
  const tables = new Map<string, string | undefined>();
  for (const one of index.ofKind(ASSOCIATIONS))
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

/** The gateway of the table that something names. */
export function gatewayOfTable(index: ResourceIndex, resource: Resource): string | undefined {
  const table = index.referred(resource, TABLE, GATEWAY_TABLES);
  if (typeof table === "object") return knownKey(index, table, "transitGatewayId", TRANSIT_GATEWAYS);
  const own = gatewayWithTable(index, resource);
  return own && keyOf(own);
}

/** The same, before the routes of its table are read. */
interface Attachment extends Omit<Attached, "routes"> {
  attachment: Resource;
}

/** The routes of tables of which EC2 tells every one; none of an attachment without a table. */
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
 * The routes of the tables that a plan makes, by itself or with a gateway: the static ones, and those that attachments propagate. A table
 * is left out where some of that is not known. Who manages a table elsewhere writes routes there, too.
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
    // A blackhole that is not known takes nothing out.
    if (!found && isBlackhole(resource)) continue;
    if (table === undefined && !isBlackhole(resource)) return new Map();
    if (table === undefined) continue;
    if (!found) routes.delete(table);
    for (const route of found ?? []) routes.get(table)?.push(route);
  }
  const propagated = new Map<string, Set<string>>();
  for (const resource of index.ofKind(PROPAGATIONS)) {
    const [table, from] = [tableKey(index, resource), attachmentOf(index, resource)];
    if (table === undefined) return new Map();
    if (from === undefined) routes.delete(table);
    else addTo(propagated, table, from);
  }
  const vpns = index.ofKind(VPNS).map((vpn) => ({ key: keyOf(vpn), attachment: vpn }));
  for (const { key, attachment } of [...attached, ...vpns]) {
    const table = byDefault(index, attachment, PROPAGATED);
    const gateway = index.referred(attachment, "transitGatewayId", TRANSIT_GATEWAYS);
    // It may be that of its gateway.
    if (table === undefined && typeof gateway === "object")
      routes.delete(defaultTable(index, gateway) ?? NO_TABLE);
    if (table !== undefined && table !== NO_TABLE) addTo(propagated, table, key);
  }
  const vpcs = new Map(attached.map(({ key, vpc }) => [key, vpc]));
  return new Map(
    [...routes].map(([table, fixed]) => {
      // Static routes go before propagated ones for the same addresses.
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

const addTo = (sets: Map<string, Set<string>>, key: string, value: string): unknown =>
  sets.set(key, (sets.get(key) ?? new Set()).add(value));

/** Whether a plan makes something, or has made it: only then what it says of it is all that there is. */
const isMade = (resource: Resource): boolean => isPlanned(resource) && !resource.isRead;

/** What a default of a gateway is called at the gateway and at an attachment. */
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
 * The table that an attachment is associated with, or propagates to, where nobody says so: NO_TABLE where it is none, undefined where it
 * is unknown. Both are on unless the program turns them off.
 *
 * @param attachment that of a VPC, or a VPN or peering, which leaves it to its gateway
 * @param named what names the gateway
 */
function byDefault(
  index: ResourceIndex,
  attachment: Resource,
  of: Default,
  named = "transitGatewayId",
): string | undefined {
  const gateway = index.referred(attachment, named, TRANSIT_GATEWAYS);
  if (typeof gateway !== "object" || !isPlanned(gateway) || !isPlanned(attachment)) return undefined;
  // Of another account, who accepts it says so.
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

/** The key of an attachment: of one that is accepted, that of the attachment itself where it is in the input. */
function canonicalKey(index: ResourceIndex, attachment: Resource): string {
  if (!ACCEPTERS.has(attachment.type)) return keyOf(attachment);
  const accepted = index.referred(attachment, ATTACHMENT, ATTACHED);
  return keyOf(typeof accepted === "object" ? accepted : attachment);
}

const ATTACHED: ReadonlySet<string> = new Set([TYPE.transitGatewayAttachment, ...PEERINGS]);
const ATTACHMENT = "transitGatewayAttachmentId";
/** What names a route table of a transit gateway. */
const TABLE = "transitGatewayRouteTableId";
const OWN_TABLES = ["associationDefaultRouteTableId", "propagationDefaultRouteTableId"];

/** The gateways by the ids of the tables that came with them. */
const gatewaysByTable = onceForEach(
  (index: ResourceIndex): ReadonlyMap<unknown, Resource> =>
    new Map(
      index
        .ofKind(TRANSIT_GATEWAYS)
        .flatMap((gateway) => OWN_TABLES.map((own) => [gateway.properties[own], gateway] as const))
        .filter(([id]) => isFilled(id)),
    ),
);

/** The gateway of which something names a table that came with it. */
function gatewayWithTable(index: ResourceIndex, resource: Resource): Resource | undefined {
  const id = readText(resource.properties, TABLE);
  const known = typeof id === "string" ? gatewaysByTable(index).get(id) : undefined;
  return (
    known ?? (id === UNKNOWN ? index.only(index.madeFrom(resource, TABLE, TRANSIT_GATEWAYS), id) : undefined)
  );
}

/** The route table that something names: one of the input, the one that came with a gateway, or the id of another. */
export function tableKey(index: ResourceIndex, resource: Resource): string | undefined {
  const referred = index.referred(resource, TABLE, GATEWAY_TABLES);
  if (typeof referred === "object") return keyOf(referred);
  const gateway = gatewayWithTable(index, resource);
  if (gateway) return defaultTable(index, gateway);
  return typeof referred === "string" ? referred : undefined;
}

/** The one table that came with a gateway; undefined where it may have other defaults. */
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

/** Whether the program gives a gateway other default tables than those that came with it. */
function hasOtherDefaults(index: ResourceIndex, gateway: string | undefined): boolean {
  const found = gatewaysWithOtherDefaults(index);
  return found.has(undefined) || found.has(gateway);
}

/** Whether attachments may propagate to a table that nobody names for it. */
const isDefaultTable = (index: ResourceIndex, table: Resource): boolean =>
  readFlag(table.properties, "defaultPropagationRouteTable") === true ||
  hasOtherDefaults(index, knownKey(index, table, "transitGatewayId", TRANSIT_GATEWAYS));

/** The routes that a resource makes: one, or one for each entry of a prefix list; undefined where they are not known. */
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
    new Map(index.ofKind(VPNS).map((vpn) => [vpn.properties[ATTACHMENT], vpn])),
);

/**
 * The attachment that something names: of a VPC, a peering, a VPN, or anything else of AWS that it was made from. Undefined where it may
 * be that of a VPC of the input.
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
