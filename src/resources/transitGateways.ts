import { contains, overlap, readPrefix, type Prefix } from "../address";
import { append } from "../collections";
import { readFlag, readText } from "./read";
import { keyOf, knownKey, type ResourceIndex, vpcKey } from "./resourceIndex";
import type { Resource } from "./resource";
import { TYPE } from "./resourceTypes";
import type { Vpc } from "./vpcs";

const GATEWAYS: ReadonlySet<string> = new Set([TYPE.transitGateway]);
const TABLES: ReadonlySet<string> = new Set([TYPE.transitGatewayRouteTable]);
const ATTACHMENTS: ReadonlySet<string> = new Set([TYPE.transitGatewayAttachment]);
const ASSOCIATIONS: ReadonlySet<string> = new Set([TYPE.transitGatewayAssociation]);
const ROUTES: ReadonlySet<string> = new Set([TYPE.transitGatewayRoute]);

/**
 * What EC2 tells and a plan does not, as properties that the AWS provider does not have. In a plan, propagations and default
 * route tables make routes that the user did not write.
 */
export const TOLD = {
  /** Of a route table: its routes are here, every one, propagated ones and blackholes too. */
  everyRoute: "everyRouteIsTold",
  /** Of an attachment: it has no route table, so that its traffic goes nowhere. */
  noTable: "hasNoRouteTable",
} as const;

/** A peering or a gateway. */
export interface Hub {
  /** Keys of the VPCs that it connects. */
  members: Iterable<string>;
  /** Whether two of them reach each other; absent: each reaches all others. */
  areConnected?: (a: string, b: string) => boolean;
}

/** A VPC at a transit gateway. Every part is undefined where it is unknown. */
interface Attached {
  key: string;
  vpc: string | undefined;
  gateway: string | undefined;
  /** The route table that decides where its traffic goes. */
  table: string | undefined;
  /** Every route by which its traffic goes. */
  routes: readonly GatewayRoute[] | undefined;
}

interface GatewayRoute {
  destination: Prefix;
  isBlackhole: boolean;
  /** The attachment to which it leads. */
  to: string | undefined;
}

/** Whose traffic heeds something at a gateway. */
export interface Heeding {
  /** Keys of the VPCs that do, or may; where there is none, it is unknown which do. */
  vpcs: readonly string[];
  /** Keys of VPCs that do not, where none is known that does. */
  butNot: readonly string[];
}

/** The transit gateways of a stack, with the VPCs at them, and where their route tables lead. */
export class TransitGateways {
  readonly #attached: readonly Attached[];
  readonly #byKey: ReadonlyMap<string, Attached>;
  readonly #byVpc = new Map<string, Attached[]>();
  readonly #byGateway = new Map<string, Attached[]>();
  readonly #byTable = new Map<string | undefined, Attached[]>();
  readonly #heeding = new Map<string, Heeding>();

  /** @param vpcs every VPC of the stack, by key: asked for where a route has to be held against their blocks */
  constructor(
    private readonly index: ResourceIndex,
    private readonly vpcs: () => ReadonlyMap<string, Vpc>,
  ) {
    this.#attached = attachedVpcs(index);
    this.#byKey = new Map(this.#attached.map((one) => [one.key, one]));
    for (const one of this.#attached) {
      if (one.vpc !== undefined) append(this.#byVpc, one.vpc, [one]);
      if (one.gateway !== undefined) append(this.#byGateway, one.gateway, [one]);
      append(this.#byTable, one.table, [one]);
    }
  }

  /**
   * Whether one of two VPCs reaches the other. Where every route of both is known, those decide: one way is enough, because
   * answers may come back by another. Else all VPCs at a gateway do.
   */
  connected(a: string, b: string): boolean {
    return this.#at(a).some((one) =>
      this.#at(b).some(
        (other) =>
          one.gateway !== undefined &&
          one.gateway === other.gateway &&
          (this.#leads(one, other) || this.#leads(other, one)),
      ),
    );
  }

  /** The gateways with the VPCs at them; where routes are known, not every two of them are connected. */
  hubs(): Hub[] {
    return [...this.#byGateway.values()].map((here) => ({
      members: new Set(vpcsAt(here)),
      ...(here.some(({ routes }) => routes) && { areConnected: (a, b) => this.connected(a, b) }),
    }));
  }

  /**
   * The VPCs whose traffic heeds a route: those whose attachment has its table. Where the stack does not say which table an
   * attachment has, every table of its gateway may be it.
   */
  heeding(route: Resource): Heeding {
    const { index } = this;
    const table = knownKey(index, route, "transitGatewayRouteTableId", TABLES);
    const resource = index.referred(route, "transitGatewayRouteTableId", TABLES);
    const gateway =
      typeof resource === "object" ? knownKey(index, resource, "transitGatewayId", GATEWAYS) : undefined;
    const key = `${table ?? ""}\n${gateway ?? ""}`;
    const known = this.#heeding.get(key);
    if (known) return known;
    // Each route asks, and there may be as many attachments as routes.
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

  /** The VPC in which a route to some addresses ends: it leads there, and the VPC itself says them. */
  endOf(route: Resource, destination: Prefix): string | undefined {
    const to = attachmentOf(this.index, route);
    const end = to === undefined ? undefined : this.#byKey.get(to);
    const isInside = end && this.#blocksOf(end).some((block) => contains(block, destination));
    return isInside ? end.vpc : undefined;
  }

  /** Whether every route is known by which a VPC's traffic goes at a gateway. */
  isTold(vpc: string, gateway: string): boolean {
    const here = this.#at(vpc).filter((one) => one.gateway === gateway);
    return here.length > 0 && here.every(({ routes }) => routes !== undefined);
  }

  readonly #at = (vpc: string): readonly Attached[] => this.#byVpc.get(vpc) ?? [];

  /** Whether routes lead from one attachment to another, also through VPCs that pass traffic on; unknown ones may. */
  #leads(from: Attached, to: Attached, passed = new Set<Attached>()): boolean {
    const { routes } = from;
    if (!routes) return true;
    passed.add(from);
    return routes.some((route) => {
      if (route.isBlackhole) return false;
      if (route.to === to.key) return true;
      if (!this.#covers(route, routes, to)) return false;
      const next = route.to === undefined ? undefined : this.#byKey.get(route.to);
      // Who knows what is behind a VPN: a default route to it names no network.
      if (!next) return route.destination.length > 0;
      return !passed.has(next) && this.#leads(next, to, passed);
    });
  }

  /** Whether a route is for addresses of a VPC, and no blackhole takes them all out. */
  #covers({ destination }: GatewayRoute, routes: readonly GatewayRoute[], to: Attached): boolean {
    const isTaken = (block: Prefix) =>
      routes.some(
        (hole) =>
          hole.isBlackhole &&
          hole.destination.length > destination.length &&
          contains(hole.destination, block),
      );
    return this.#blocksOf(to).some((block) => overlap(destination, block) && !isTaken(block));
  }

  #blocksOf({ vpc }: Attached): Prefix[] {
    return (vpc === undefined ? undefined : this.vpcs().get(vpc))?.blocks.map(({ prefix }) => prefix) ?? [];
  }
}

/** The table of an attachment that has none: no id is empty. */
const NO_TABLE = "";

const vpcsAt = (attached: readonly Attached[]): string[] => attached.flatMap(({ vpc }) => vpc ?? []);

const mayBe = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined || a === b;

function attachedVpcs(index: ResourceIndex): Attached[] {
  const tables = new Map(
    index
      .ofKind(ASSOCIATIONS)
      .map((one) => [
        knownKey(index, one, "transitGatewayAttachmentId", ATTACHMENTS),
        knownKey(index, one, "transitGatewayRouteTableId", TABLES),
      ]),
  );
  const told = toldRoutes(index);
  return index.ofKind(ATTACHMENTS).map((attachment) => {
    const key = keyOf(attachment);
    const hasNone = readFlag(attachment.properties, TOLD.noTable) === true;
    const table = hasNone ? NO_TABLE : tables.get(key);
    return {
      key,
      vpc: vpcKey(index, attachment, "vpcId"),
      gateway: knownKey(index, attachment, "transitGatewayId", GATEWAYS),
      table,
      routes: hasNone ? [] : table === undefined ? undefined : told.get(table),
    };
  });
}

/** The routes of tables of which every one is known. */
function toldRoutes(index: ResourceIndex): Map<string, GatewayRoute[]> {
  const tables = index
    .ofKind(TABLES)
    .filter(({ properties }) => readFlag(properties, TOLD.everyRoute) === true);
  const told = new Map<string, GatewayRoute[]>(tables.map((table) => [keyOf(table), []]));
  if (told.size === 0) return told;
  for (const resource of index.ofKind(ROUTES)) {
    const table = knownKey(index, resource, "transitGatewayRouteTableId", TABLES);
    const route = routeOf(index, resource);
    if (table !== undefined && route) told.get(table)?.push(route);
  }
  return told;
}

function routeOf(index: ResourceIndex, resource: Resource): GatewayRoute | undefined {
  const text = readText(resource.properties, "destinationCidrBlock");
  const destination = typeof text === "string" ? readPrefix(text) : undefined;
  return (
    destination && {
      destination,
      isBlackhole: isBlackhole(resource),
      to: attachmentOf(index, resource),
    }
  );
}

/** The attachment to which a route leads. */
const attachmentOf = (index: ResourceIndex, route: Resource): string | undefined =>
  knownKey(index, route, "transitGatewayAttachmentId", ATTACHMENTS);

/** Whether a route of a transit gateway leads nowhere. */
export const isBlackhole = ({ properties }: Resource): boolean => readFlag(properties, "blackhole") === true;
