import { greatest, grouped } from "../../../collections";
import { type Family, merge, type Prefix } from "../../../address";
import type { PortRange } from "../../../requirements/requirement";
import { Direction } from "../../../requirements/vocabulary";
import {
  EVERY_SERVICE,
  PROTOCOL_NUMBER,
  protocolOf,
  type ServiceRange,
  transportName,
} from "../../packets/service";
import type { PacketSet } from "../../packets/packetSet";
import { blocksOf } from "../../packets/print";
import { LIMIT } from "../../../requirements/limits";
import type { NetworkAcl } from "../../../resources/networkAcls";
import { Action, type Clause } from "../../filters/filter";
import { isWrittenAt, ruleOf, writtenAt } from "../places";
import {
  type AwsTraffic,
  type EgressFirewallRepair,
  type NetworkAclRepair,
  obstructed,
  type Repair,
  type RepairAdvice,
} from "./repair";
import type { Resource } from "../../../resources/resource";

/** What one rule must allow, independent of the kind of rule. */
export interface NeededRule {
  /** Protocol number; absent: every protocol. */
  protocol?: number;
  /** Ports; for ICMP 256 times the type plus the code. */
  ports: PortRange;
  /** The addresses of the other end. */
  peers: readonly Prefix[];
}

/**
 * The fewest rules that allow `missing` and nothing beyond `required`: one for each protocol. Required packets are all combinations
 * of a protocol's ports with the ends, so that the ports between missing ones are required too.
 */
export function neededRules(missing: PacketSet, required: PacketSet, direction: Direction): NeededRule[] {
  const lacking = blocksOf(missing);
  const side = direction === Direction.Ingress ? "sources" : "destinations";
  const asked = grouped(
    blocksOf(required).flatMap(({ services }) => services),
    ({ from, to }) => `${from} ${to}`,
  );
  return [...asked.values()].flatMap(([range]) => {
    const inside = lacking.flatMap((block) => {
      const services = block.services.flatMap((one) => overlapOf(one, range));
      return services.length > 0 ? [{ services, peers: block[side] }] : [];
    });
    if (inside.length === 0) return [];
    const services = inside.flatMap((part) => part.services);
    const hull = {
      from: services.reduce((least, { from }) => Math.min(least, from), Infinity),
      to: greatest(services.map(({ to }) => to)),
    };
    return [{ ...ruleFor(hull, range), peers: merge(inside.flatMap(({ peers }) => peers)) }];
  });
}

function ruleFor(hull: ServiceRange, required: ServiceRange): Omit<NeededRule, "peers"> {
  const [first, last] = [protocolOf(hull.from), protocolOf(hull.to)];
  if (first.protocol !== last.protocol || required.to === EVERY_SERVICE.to)
    return { ports: { from: 0, to: 65_535 } };
  return { protocol: first.protocol, ports: { from: first.port, to: last.port } };
}

function overlapOf(a: ServiceRange, b: ServiceRange): ServiceRange[] {
  const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
  return from <= to ? [{ from, to }] : [];
}

/** The blocks of one address family. */
export const ofFamily = (peers: readonly Prefix[], family: Family): string[] =>
  peers.filter((prefix) => prefix.family === family).map(({ text }) => text);

const { tcp, udp, icmp, icmpV6 } = PROTOCOL_NUMBER;
const NAME: Readonly<Record<number, string>> = {
  [tcp]: "tcp",
  [udp]: "udp",
  [icmp]: "icmp",
  [icmpV6]: "icmpv6",
};

export const isIcmp = (protocol: number | undefined): boolean => protocol === icmp || protocol === icmpV6;

/** AWS writes all ports of a protocol without ports as 0 to 0, and all ICMP messages as -1. */
export function awsTraffic({ protocol, ports }: NeededRule): AwsTraffic {
  if (protocol === undefined) return { protocol: "-1", fromPort: 0, toPort: 0 };
  const name = NAME[protocol] ?? String(protocol);
  if (protocol === tcp || protocol === udp) return { protocol: name, fromPort: ports.from, toPort: ports.to };
  const none = isIcmp(protocol) ? -1 : 0;
  return { protocol: name, fromPort: none, toPort: none };
}

/** The peers that a rule's protocol can reach: ICMP and ICMPv6 each exist in only one address family. */
export const endsOf = ({ protocol, peers }: NeededRule): readonly Prefix[] =>
  isIcmp(protocol) ? peers.filter(({ family }) => family === (protocol === icmp ? 4 : 6)) : peers;

/** What a network ACL denies today. */
export interface AclDenial {
  acl: NetworkAcl;
  direction: Direction;
  asked: NetworkAclRepair["asked"];
  /** The first rule that denies some of the packets. Absent: no rule matches. */
  clause?: Clause;
}

/** Rules of a network ACL, each with one block and a free number before the denying rule. */
export function networkAclRepair(
  { acl, direction, asked, clause }: AclDenial,
  needed: readonly NeededRule[],
  planned: readonly Repair[] = [],
): RepairAdvice {
  const besides = planned.filter((one) => isIn(acl, direction, one));
  const here = acl.rules.filter((rule) => rule.direction === direction);
  const denying =
    clause && here.find(({ resource, path }) => resource === clause.resource && path === clause.path);
  const before = typeof denying?.number === "number" ? denying.number : undefined;
  const entries = needed.flatMap((rule) => endsOf(rule).map((peer) => entryOf(rule, peer)));
  const known = entries.map((entry) => besides.find((other) => isSame(other, entry, before)));
  const taken = here.map(({ number }) => number).filter((number) => typeof number === "number");
  const count = known.filter((one) => !one).length;
  const numbers = freeNumbers([...taken, ...besides.map(({ ruleNumber }) => ruleNumber)], before, count);
  if (!numbers)
    return obstructed(
      `too few rule numbers are free before rule ${before} (${count} needed): renumber the rules of ${acl.resource?.name ?? "the network ACL"} first`,
    );
  const free = numbers.values();
  return {
    rules: entries.map(
      (entry, position): NetworkAclRepair =>
        known[position] ?? {
          kind: "network-acl-rule",
          ...(acl.resource && { acl: writtenAt(acl.resource) }),
          direction,
          asked,
          ruleNumber: free.next().value!,
          ...entry,
          ...(clause?.actions.includes(Action.Deny) && { before: ruleOf(clause) }),
        },
    ),
  };
}

type Entry = Omit<NetworkAclRepair, "kind" | "acl" | "direction" | "asked" | "ruleNumber" | "before">;

/** In network ACLs the ports of ICMP are 0, and separate properties state its type and code. */
function entryOf(rule: NeededRule, { family, text }: Prefix): Entry {
  const words = awsTraffic(rule);
  return {
    ...words,
    ...(isIcmp(rule.protocol) && { fromPort: 0, toPort: 0, icmpType: -1, icmpCode: -1 }),
    ...(family === 4 ? { cidrBlock: text } : { ipv6CidrBlock: text }),
  };
}

/** Whether a planned rule already does what is needed. */
const isSame = (planned: NetworkAclRepair, entry: Entry, before: number | undefined): boolean =>
  (before === undefined || planned.ruleNumber < before) &&
  (Object.keys(entry) as (keyof Entry)[]).every((key) => planned[key] === entry[key]);

const isIn = ({ resource }: NetworkAcl, direction: Direction, repair: Repair): repair is NetworkAclRepair =>
  repair.kind === "network-acl-rule" && repair.direction === direction && isWrittenAt(repair.acl, resource);

/** The distance between the numbers of new rules, if there is room. */
const STEP = 10;

/** Unused rule numbers in ascending order, below `before` or after all others; right below `before` if there is no room in steps. */
function freeNumbers(
  taken: readonly number[],
  before: number | undefined,
  count: number,
): number[] | undefined {
  const { min, max } = LIMIT.networkAclRuleNumber;
  const end = before ?? max + 1;
  const used = new Set(taken);
  const last = Math.max(min - 1, greatest(taken.filter((number) => number < end)));
  const step = Math.min(STEP, Math.floor((end - last - 1) / Math.max(count, 1)));
  if (step > 0) return Array.from({ length: count }, (_, position) => last + (position + 1) * step);
  const free: number[] = [];
  for (let number = end - 1; number >= min && free.length < count; number--)
    if (!used.has(number)) free.unshift(number);
  return free.length === count ? free : undefined;
}

/** Rules name ports one by one, and nobody reads a longer list. */
const MOST_PORTS = 100;

/** Rules of an egress firewall, each with one block, in front of the first rule that denies. */
export function egressFirewallRepair(
  firewall: Resource,
  denying: { clause: Clause; index: number } | undefined,
  needed: readonly NeededRule[],
  planned: readonly Repair[] = [],
): RepairAdvice {
  const wide = needed.find(
    ({ protocol, ports }) => isTransport(protocol) && ports.to - ports.from >= MOST_PORTS,
  );
  if (wide)
    return obstructed(
      `an egress firewall lists ports one by one, and ports ${wide.ports.from}-${wide.ports.to} are too many to list: allow the destination on every port`,
    );
  const other = needed.find(({ protocol }) => protocol !== undefined && !isTransport(protocol));
  if (other)
    return obstructed(
      `an egress firewall cannot name protocol ${other.protocol}: allow the destination for every protocol`,
    );
  const entries = needed.flatMap((rule) => rule.peers.map((peer) => ({ rule, cidrSelector: peer.text })));
  // Rules that are planned at or before this position move it.
  const place = planned.reduce(
    (index, one) => (isInNamespace(firewall, one) && one.index <= index ? index + 1 : index),
    denying?.index ?? 0,
  );
  return {
    rules: entries.map(({ rule, cidrSelector }, position) => ({
      kind: "egress-firewall-rule",
      firewall: writtenAt(firewall),
      index: place + position,
      rule: { type: "Allow", to: { cidrSelector }, ...portsOf(rule) },
      ...(denying && { before: ruleOf(denying.clause) }),
    })),
  };
}

const isInNamespace = (firewall: Resource, repair: Repair): repair is EgressFirewallRepair =>
  repair.kind === "egress-firewall-rule" && isWrittenAt(repair.firewall, firewall);

const isTransport = (protocol: number | undefined): boolean => transportName(protocol) !== undefined;

function portsOf({ protocol, ports: { from, to } }: NeededRule): Pick<EgressFirewallRepair["rule"], "ports"> {
  const name = transportName(protocol);
  if (name === undefined) return {};
  const ports = Array.from({ length: to - from + 1 }, (_, position) => from + position);
  return { ports: ports.map((port) => ({ protocol: name, port })) };
}
