import { firstOf, withoutEnd } from "../../text";
import { contains, type Family, merge, type Prefix } from "../../address";
import { nameForRole } from "../../resources/groupRoles";
import { AddressBlock, blockPath } from "../../topology/addressBlocks";
import { Direction, Protocol, Role } from "../../requirements/vocabulary";
import type { View } from "../../flows/model";
import type { PortRange } from "../../requirements/requirement";
import { nameOfPeer, type PeerName, type Reference, slugOfText } from "./peerSets";
import { grouped } from "../../collections";

/** Protocols as EC2 names or numbers them, in rules of security groups and network ACLs. */
export const EC2_PROTOCOL: Readonly<Record<Protocol, string>> = {
  [Protocol.Tcp]: "tcp",
  [Protocol.Udp]: "udp",
  [Protocol.Icmp]: "icmp",
  [Protocol.Sctp]: "132",
  [Protocol.Esp]: "50",
  [Protocol.Any]: "-1",
};

/** A CIDR block that the plan knows. */
export interface BlockPeer {
  kind: "prefix";
  prefix: Prefix;
  /** Absent: the rule is named after the block. */
  name?: PeerName;
}

/** A CIDR block that another resource has not produced yet. */
export interface EventualPeer extends PeerName {
  kind: "eventual";
  /** The path of the input: `topology.addresses.vpc.cidr`. */
  path: string;
  /** The family that the user states for it. */
  family: Family;
  /** The block that stands in for it in the topology. Absent if it is not from the topology. */
  standIn?: Prefix;
}

/** The other end of a rule: a CIDR block, one of the component's own groups, a reference, or a block not known yet. */
export type RulePeer =
  BlockPeer | { kind: "group"; role: Role } | { kind: "reference"; reference: Reference } | EventualPeer;

/** A topology block as a peer, named after its key if it has one. */
export function peerOfBlock(prefix: Prefix): BlockPeer | EventualPeer {
  if (!(prefix instanceof AddressBlock)) return { kind: "prefix", prefix };
  const { key, formerKey, isStandIn } = prefix;
  const name = nameOfPeer("cidr", key, formerKey);
  return isStandIn
    ? { kind: "eventual", path: blockPath(key), ...name, family: prefix.family, standIn: prefix }
    : { kind: "prefix", prefix, name };
}

/** The family of a block, to the extent that it is decided. */
export function familyOf(peer: RulePeer): Family | undefined {
  if (peer.kind === "prefix") return peer.prefix.family;
  return peer.kind === "eventual" ? peer.family : undefined;
}

/** A rule with the name of its resource, and options by which the engine finds it under its earlier names. */
export interface NamedRule<Rule> {
  rule: Rule;
  name: string;
  /** Aliases, without names that other rules have now. */
  former: { aliases?: { name: string }[] };
}

/** Names the rules of a component by what each of them allows, with aliases for their other keys. */
export function namedRules<Rule extends { role: string; direction: Direction }>(
  component: string,
  rules: readonly Rule[],
  keyOf: (rule: Rule) => string,
  otherKeysOf: (rule: Rule) => readonly string[],
): NamedRule<Rule>[] {
  const nameOf = ({ role, direction }: Rule, key: string) => nameForRole(component, role, direction, key);
  const taken = new Set(rules.map((rule) => nameOf(rule, keyOf(rule))));
  return rules.map((rule) => {
    const others = otherKeysOf(rule).map((key) => nameOf(rule, key));
    const aliases = others.filter((name) => !taken.has(name)).map((name) => ({ name }));
    return { rule, name: nameOf(rule, keyOf(rule)), former: aliases.length > 0 ? { aliases } : {} };
  });
}

/** One security-group rule, before it becomes a resource. */
export interface PlannedRule {
  role: Role;
  direction: Direction;
  protocol: Protocol;
  /** Absent: every port, or a protocol without ports. */
  ports?: PortRange;
  peer: RulePeer;
  /** Keys of the flows that need it, in the form of `disabledRules`. */
  flows: readonly string[];
  /** Ids of the requirements. */
  requirements: readonly string[];
  views: readonly View[];
  purposes: readonly string[];
  documents: readonly string[];
  notes: readonly string[];
  /** The peers of the rules that it replaces. Absent if it replaces none. */
  mergedFrom?: readonly RulePeer[];
  /** The same peer under other names. Absent if it has one name. */
  sameAs?: readonly RulePeer[];
}

/**
 * The name of a rule in its group and direction: `tcp-6443-cidr-vpc`, `tcp-6443-10.0.0.0-16`. It consists of what identifies a
 * rule for AWS (protocol, ports, peer), so that a rule that two flows share keeps its name when one of them goes. Under another
 * name it would be created before the old one is deleted, and AWS refuses the duplicate. A peer with a key is named after the
 * key, so that a new address keeps the rule.
 */
export function ruleKey({ protocol, ports, peer }: Pick<PlannedRule, "protocol" | "ports" | "peer">): string {
  return keyWith({ protocol, ports }, peerSlug(peer));
}

const keyWith = ({ protocol, ports }: Pick<PlannedRule, "protocol" | "ports">, slug: string): string =>
  [protocol.toLowerCase(), ...(ports ? [describePorts(ports)] : []), slug].join("-");

/** `6443`, `30000-32767`, or `all`. */
export function describePorts(ports: PortRange | undefined): string {
  if (!ports) return "all";
  return ports.from === ports.to ? `${ports.from}` : `${ports.from}-${ports.to}`;
}

/** The members of a role's security group, for tables. */
const MEMBERS: Readonly<Record<Role, string>> = {
  [Role.ControlPlane]: "control-plane hosts",
  [Role.Workers]: "workers",
  [Role.PrivateEndpoint]: "VPC endpoint",
};

/** The peer in words: `10.0.0.0/16`, `security group of the workers`. */
export function describePeer(peer: RulePeer): string {
  switch (peer.kind) {
    case "prefix":
      return peer.prefix.text;
    case "group":
      return `security group of the ${MEMBERS[peer.role]}`;
    case "reference":
      return peer.reference.text;
    case "eventual":
      return `CIDR block of ${peer.path}`;
  }
}

/** The peer in rows: for a block that is not known yet, the stand-in, which `withAddresses` replaces. */
export const rowPeer = (peer: RulePeer): string =>
  peer.kind === "eventual" && peer.standIn ? peer.standIn.text : describePeer(peer);

/**
 * The other names under which a rule may have been created: those of rules that it replaces, of its previous keys, and of its
 * block, which version 0.1.0 used even for peers with a key.
 */
export function otherKeys(rule: PlannedRule): string[] {
  const peers = [rule.peer, ...(rule.sameAs ?? []), ...(rule.mergedFrom ?? [])];
  const keys = peers.flatMap(slugsOf).map((slug) => keyWith(rule, slug));
  return [...new Set(keys)].filter((key) => key !== ruleKey(rule));
}

/** Merges rules that AWS would treat as the same into one that keeps the purposes of all. */
export function mergeDuplicates<Rule extends PlannedRule>(rules: readonly Rule[]): Rule[] {
  const merged = new Map<string, Rule>();
  for (const rule of rules) {
    const identity = ruleIdentity(rule);
    const first = merged.get(identity);
    merged.set(identity, first ? sameRule(first, rule) : rule);
  }
  return [...merged.values()];
}

/** One rule for two. If one is named after its block, the name stays: a key may go, and the rule must not move then. */
function sameRule<Rule extends PlannedRule>(first: Rule, second: Rule): Rule {
  const isByKey = ({ peer }: PlannedRule) => peer.kind === "prefix" && peer.name !== undefined;
  const one = joined(first, second);
  const { peer } = isByKey(first) && !isByKey(second) ? second : first;
  const sameAs = [...(first.sameAs ?? []), first.peer, second.peer].filter((other) => other !== peer);
  return { ...one, peer, ...(sameAs.some((other) => peerSlug(other) !== peerSlug(peer)) && { sameAs }) };
}

/** What identifies a rule for AWS. */
export function ruleIdentity({ role, direction, protocol, ports, peer }: PlannedRule): string {
  return [role, direction, protocol, describePorts(ports), peerIdentity(peer)].join();
}

/** The first rule, which now replaces the second as well, with the reasons of both. */
export function joined<Rule extends PlannedRule>(first: Rule, second: PlannedRule): Rule {
  const both = <T>(a: readonly T[], b: readonly T[]): T[] => [...new Set([...a, ...b])];
  return {
    ...first,
    flows: both(first.flows, second.flows),
    requirements: both(first.requirements, second.requirements),
    views: both(first.views, second.views),
    purposes: both(first.purposes, second.purposes),
    documents: both(first.documents, second.documents),
    notes: both(first.notes, second.notes),
  };
}

/** Two keys may hold the same id; two ids that are not known yet are treated as different. */
function peerIdentity(peer: RulePeer): string {
  if (peer.kind === "prefix") return peer.prefix.text;
  return peer.kind === "reference" && peer.reference.id !== undefined ? peer.reference.id : peerSlug(peer);
}

export const peerSlug = (peer: RulePeer): string => slugsOf(peer)[0];

/** The names under which a peer is found: its own, the previous one, and that of its block. */
function slugsOf(peer: RulePeer): readonly [string, ...string[]] {
  const named = ({ slug, formerSlug }: PeerName) =>
    [slug, ...(formerSlug === undefined ? [] : [formerSlug])] as const;
  switch (peer.kind) {
    case "prefix": {
      const ofBlock = slugOfText(peer.prefix.text);
      return peer.name ? [...named(peer.name), ofBlock] : [ofBlock];
    }
    case "group":
      return [peer.role];
    case "reference":
      return named(peer.reference);
    case "eventual":
      return named(peer);
  }
}

/** What AWS accepts as a description: at most 255 of these characters. */
const DESCRIPTION_LIMIT = 255;
const NOT_IN_DESCRIPTIONS = /[^a-zA-Z0-9. _\-:/()#,@[\]+=&;{}!$*]+/g;

/** All purposes of a rule as AWS accepts them, each shortened if necessary. */
export function ruleDescription({ purposes }: PlannedRule): string {
  const clean = purposes.map((purpose) =>
    withoutEnd(
      purpose.replaceAll(/['’]/g, "").replaceAll(NOT_IN_DESCRIPTIONS, " ").replaceAll(/ +/g, " "),
      ". ",
    ).trim(),
  );
  const whole = clean.join("; ");
  if (whole.length <= DESCRIPTION_LIMIT) return whole;
  const share = Math.floor((DESCRIPTION_LIMIT - 2 * (clean.length - 1)) / clean.length);
  return clean
    .map((purpose) => (purpose.length <= share ? purpose : `${purpose.slice(0, Math.max(share - 3, 0))}...`))
    .join("; ")
    .slice(0, DESCRIPTION_LIMIT);
}

/** A rule whose peer is a known CIDR block that may be merged into another one: no topology key keeps it separate. */
export type BlockRule<Rule extends PlannedRule = PlannedRule> = Rule & { peer: BlockPeer };

export const isBlockRule = <Rule extends PlannedRule>(rule: Rule): rule is BlockRule<Rule> =>
  rule.peer.kind === "prefix" && !(rule.peer.prefix instanceof AddressBlock);

/** A rule for one block, and the rules whose blocks it contains. */
export interface Joined<Rule> {
  rule: Rule;
  parts: readonly [Rule, ...Rule[]];
}

/** Merges rules that differ only in their blocks into the fewest rules with exactly the same addresses. */
export function joinBlocks<Rule extends BlockRule>(same: readonly Rule[]): Joined<Rule>[] {
  return merge(same.map(({ peer }) => peer.prefix)).map((prefix) => {
    const parts = same.filter(({ peer }) => contains(prefix, peer.prefix)) as [Rule, ...Rule[]];
    const [first, ...others] = parts;
    const whole = parts.find((part) => part.peer.prefix.text === prefix.text);
    const peer: BlockPeer = whole?.peer ?? { kind: "prefix", prefix };
    return { rule: { ...others.reduce<Rule>(joined, first), peer }, parts };
  });
}

/** How many rules each flow needs; flows that share rules are counted together: `4 for kube-apiserver, 2 for https + dns-udp`. */
export function countByFlow<Rule extends PlannedRule>(
  rules: readonly Rule[],
  weightOf: (rule: Rule) => number = () => 1,
): string {
  const total = (same: readonly Rule[]) => same.reduce((sum, rule) => sum + weightOf(rule), 0);
  return [...grouped(rules, namesOf).values()]
    .map((same) => ({ count: total(same), names: namesOf(same[0]) }))
    .sort((a, b) => b.count - a.count)
    .map(({ count, names }) => `${count} for ${names}`)
    .join(", ");
}

/** The flows without role and direction; only the first ones if there are many. */
function namesOf({ flows }: PlannedRule): string {
  const names = [...new Set(flows.map((flow) => flow.split("/").at(-1)!))];
  return firstOf(names, 3, " + ");
}
