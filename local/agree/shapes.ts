import { merge, readPrefix, type Prefix } from "../../src/address";
import { Prefix as Block } from "../../src/address/prefix";
import { hostsOf } from "../../src/flows/hops";
import { requiredFlows } from "../../src/flows/required/requiredFlows";
import { mayBeHosts } from "../../src/reachability/flows/groupFilter";
import type { RuleTraffic } from "../../src/securityGroups/component/groupResource";
import type { NormalizedTopology } from "../../src/topology/normalizedTopology";
import { Role } from "../../src/requirements/vocabulary";
import type { Shape } from "./case";
import type { AclRule, Filters, GroupRule } from "./filters";

/** Ways to express the same with other rules. */
export const SHAPES = {
  /** As the components create them. */
  single: (filters: Filters) => filters,
  /** Adjacent CIDR blocks become one. */
  merged: (filters: Filters) => ({ ...filters, rules: merged(filters.rules) }),
  /** Each CIDR block and each port range becomes two. */
  halved: (filters: Filters) => ({
    ...filters,
    rules: filters.rules.flatMap(halvedRule),
    acls: renumbered(filters.acls.flatMap(halvedEntry)),
  }),
  /** If a rule admits all addresses of a role's hosts, their group replaces the addresses. */
  groups: (filters: Filters, topology: NormalizedTopology) => ({
    ...filters,
    rules: alike(filters.rules).flatMap((same) => byGroup(same, topology)),
  }),
  /** The addresses of hosts replace their group. */
  addresses: (filters: Filters, topology: NormalizedTopology) => ({
    ...filters,
    rules: filters.rules.flatMap((rule) => byAddresses(rule, topology)),
  }),
} as const satisfies Record<Shape, (filters: Filters, topology: NormalizedTopology) => Filters>;

/** Groups rules that differ only in their peers. */
export function alike(rules: readonly GroupRule[]): GroupRule[][] {
  const found = new Map<string, GroupRule[]>();
  for (const rule of rules) {
    const { role, direction, traffic } = rule;
    const key = JSON.stringify([role, direction, traffic]);
    found.set(key, [...(found.get(key) ?? []), rule]);
  }
  return [...found.values()];
}

const blocksOf = (rules: readonly GroupRule[]): Prefix[] =>
  rules.flatMap(({ peer }) => ("cidr" in peer ? [readPrefix(peer.cidr)!] : []));

const merged = (rules: readonly GroupRule[]): GroupRule[] =>
  alike(rules).flatMap((same) => [
    ...same.filter(({ peer }) => "group" in peer),
    ...merge(blocksOf(same)).map((block) => ({
      ...same[0]!,
      peer: { cidr: block.text },
      key: keyOf(same[0]!, block),
    })),
  ]);

const keyOf = ({ key }: GroupRule, { text }: Prefix): string => `${key}-${text.replaceAll(/[:/]/g, "-")}`;

function halvedRule(rule: GroupRule): GroupRule[] {
  const { peer } = rule;
  const peers = "cidr" in peer ? halves(peer.cidr).map((cidr) => ({ cidr })) : [peer];
  return peers.flatMap((one, first) =>
    halvedTraffic(rule.traffic).map((traffic, second) => ({
      ...rule,
      peer: one,
      traffic,
      key: `${rule.key}-${first}${second}`,
    })),
  );
}

function halves(cidr: string): string[] {
  const { family, start, length } = readPrefix(cidr)!;
  const bits = family === 4 ? 32 : 128;
  if (length === bits) return [cidr];
  const second = start + (1n << BigInt(bits - length - 1));
  return [start, second].map((from) => new Block(family, from, length + 1).text);
}

/** ICMP types cannot be halved. */
function halvedTraffic<Traffic extends Pick<RuleTraffic, "fromPort" | "toPort">>(
  traffic: Traffic,
): Traffic[] {
  const { fromPort = -1, toPort = -1 } = traffic;
  if (fromPort < 0 || fromPort === toPort) return [traffic];
  const middle = Math.floor((fromPort + toPort) / 2);
  return [
    { ...traffic, toPort: middle },
    { ...traffic, fromPort: middle + 1 },
  ];
}

function halvedEntry(rule: AclRule): AclRule[] {
  const { cidrBlock, ipv6CidrBlock } = rule;
  const blocks = [
    ...(cidrBlock === undefined ? [] : halves(cidrBlock).map((one) => ({ cidrBlock: one }))),
    ...(ipv6CidrBlock === undefined ? [] : halves(ipv6CidrBlock).map((one) => ({ ipv6CidrBlock: one }))),
  ];
  return blocks.flatMap((block) => halvedTraffic({ ...rule, ...block }));
}

/** Denials come before allowed traffic, and stay there. */
const renumbered = (rules: readonly AclRule[]): AclRule[] =>
  rules.map((rule, place) => ({ ...rule, ruleNumber: place + 1 }));

function byGroup(same: readonly GroupRule[], topology: NormalizedTopology): GroupRule[] {
  const texts = new Set(blocksOf(same).map(({ text }) => text));
  const group = [Role.Workers, Role.ControlPlane].find((role) => {
    const { prefixes = [], assumed } = hostsOf(topology, role);
    return !assumed && prefixes.length > 0 && prefixes.every(({ text }) => texts.has(text));
  });
  if (!group || isOfOthers(same[0]!, group, topology)) return [...same];
  const replaced = new Set(hostsOf(topology, group).prefixes!.map(({ text }) => text));
  const others = same.filter(({ peer }) => !("cidr" in peer && replaced.has(peer.cidr)));
  const hasGroup = others.some(({ peer }) => "group" in peer && peer.group === group);
  return hasGroup ? others : [...others, { ...same[0]!, peer: { group }, key: `${same[0]!.key}-${group}` }];
}

/** Whether a flow of this rule has peers with the hosts' addresses but without their group: endpoints in the workers' network. */
const isOfOthers = (
  { role, direction, traffic }: GroupRule,
  group: Role,
  topology: NormalizedTopology,
): boolean =>
  requiredFlows(topology).some(
    (flow) =>
      flow.role === role &&
      flow.direction === direction &&
      flow.ports !== undefined &&
      flow.ports.from <= (traffic.toPort ?? Infinity) &&
      (traffic.fromPort ?? 0) <= flow.ports.to &&
      flow.peers.some((peer) => !mayBeHosts(group, [peer], role)),
  );

function byAddresses(rule: GroupRule, topology: NormalizedTopology): GroupRule[] {
  const { prefixes } = "group" in rule.peer ? hostsOf(topology, rule.peer.group) : {};
  if (!prefixes) return [rule];
  return prefixes.map((block) => ({ ...rule, peer: { cidr: block.text }, key: keyOf(rule, block) }));
}
