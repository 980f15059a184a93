import { createHash } from "node:crypto";

import { DescribeRouteTablesCommand, type Route as Ec2Route } from "@aws-sdk/client-ec2";

import { refusal, unlessGone } from "../awsError";
import type { Call, CheckFault, Kind } from "../kind";
import { ipv4Cidr, ipv6Cidr, region, text } from "../properties";
import {
  createRoute,
  deleteRoute,
  type Destination,
  replaceRoute,
  targetNames,
  type TargetName,
  targetOf,
} from "./routes";

export interface Route extends Partial<Record<TargetName, string>> {
  routeTableId: string;
  destinationCidrBlock?: string;
  destinationIpv6CidrBlock?: string;
  destinationPrefixListId?: string;
  region?: string;
  instanceId?: string;
  instanceOwnerId?: string;
  origin?: string;
  state?: string;
}

const COMPUTED_TARGETS = new Set<string>(["networkInterfaceId"]);

export const route: Kind<Route> = {
  token: "aws:ec2/route:Route",
  properties: {
    routeTableId: text({ required: true, replaces: true }),
    destinationCidrBlock: text({ replaces: true, check: ipv4Cidr }),
    destinationIpv6CidrBlock: text({ replaces: true, check: ipv6Cidr }),
    destinationPrefixListId: text({ replaces: true }),
    ...Object.fromEntries(targetNames.map((name) => [name, text({ computed: COMPUTED_TARGETS.has(name) })])),
    region,
  },
  outputs: ["instanceId", "instanceOwnerId", "origin", "state"],
  faults: (wanted) => [
    ...exactlyOne(
      "destinationCidrBlock",
      ["destinationCidrBlock", "destinationIpv6CidrBlock", "destinationPrefixListId"],
      wanted,
    ),
    ...exactlyOne("gatewayId", targetNames, wanted),
  ],

  markedParent: ({ routeTableId }) => routeTableId,
  async findLost(call, wanted) {
    const found = await find(call, wanted.routeTableId, destination(wanted));
    return found && idOf(wanted);
  },

  async create(call, wanted) {
    // A table has one route for each destination; EC2 rejects a second one, its local substitute may not.
    if (await find(call, wanted.routeTableId, destination(wanted))) {
      throw refusal(
        "RouteAlreadyExists",
        `The route identified by ${destinationText(wanted)} already exists in ${wanted.routeTableId}.`,
      );
    }
    await createRoute(call.ec2, wanted.routeTableId, {
      ...targets(wanted),
      destination: destination(wanted),
    });
    return idOf(wanted);
  },

  async read(call, _id, known) {
    if (known.routeTableId === undefined) return undefined;
    const found = await find(call, known.routeTableId, destination(known));
    if (found === undefined) return undefined;
    return {
      state: {
        routeTableId: known.routeTableId,
        destinationCidrBlock: found.DestinationCidrBlock,
        destinationIpv6CidrBlock: found.DestinationIpv6CidrBlock,
        destinationPrefixListId: found.DestinationPrefixListId,
        ...targetOf(found),
        instanceId: found.InstanceId ?? "",
        instanceOwnerId: found.InstanceOwnerId ?? "",
        origin: found.Origin,
        state: found.State,
      },
    };
  },

  async settle({ ec2 }, _id, wanted, actual) {
    const changed = targetNames.some((name) => wanted[name] !== undefined && wanted[name] !== actual[name]);
    if (changed)
      await replaceRoute(ec2, wanted.routeTableId, { ...targets(wanted), destination: destination(wanted) });
    return changed;
  },

  async remove(call, _id, state) {
    // EC2 reports "not found"; its local substitute may fail for a route that is already gone.
    const found = await find(call, state.routeTableId, destination(state));
    if (found) await unlessGone(() => deleteRoute(call.ec2, state.routeTableId, destination(state)));
  },

  /** `TABLE_DESTINATION`, as in the official provider. */
  importId(id) {
    const [routeTableId = "", text = ""] = id.split(/_(.*)/s);
    const property = text.startsWith("pl-")
      ? "destinationPrefixListId"
      : text.includes(":")
        ? "destinationIpv6CidrBlock"
        : "destinationCidrBlock";
    const known = { routeTableId, [property]: text };
    return { known, id: idOf(known) };
  },
};

async function find({ ec2 }: Call, routeTableId: string, wanted: Destination): Promise<Ec2Route | undefined> {
  const found = await unlessGone(() =>
    ec2.send(new DescribeRouteTablesCommand({ RouteTableIds: [routeTableId] })),
  );
  return found?.RouteTables?.[0]?.Routes?.find((route) =>
    Object.entries(wanted).every(([name, value]) => route[name as keyof Ec2Route] === value),
  );
}

const destinationText = (route: Partial<Route>) =>
  route.destinationCidrBlock ?? route.destinationIpv6CidrBlock ?? route.destinationPrefixListId ?? "";

function destination(route: Partial<Route>): Destination {
  if (route.destinationCidrBlock) return { DestinationCidrBlock: route.destinationCidrBlock };
  if (route.destinationIpv6CidrBlock) return { DestinationIpv6CidrBlock: route.destinationIpv6CidrBlock };
  return { DestinationPrefixListId: route.destinationPrefixListId ?? "" };
}

const targets = (route: Route) => Object.fromEntries(targetNames.map((name) => [name, route[name]]));

const idOf = (route: Partial<Route>) =>
  `r-${route.routeTableId}${createHash("sha256").update(destinationText(route)).digest().readUInt32BE(0)}`;

function exactlyOne<T extends object>(property: string, names: readonly string[], values: T): CheckFault[] {
  const given = names.filter((name) => values[name as keyof T]);
  return given.length === 1
    ? []
    : [
        {
          property,
          reason: `exactly one of ${names.join(", ")} must be given, got ${given.join(", ") || "none"}`,
        },
      ];
}
