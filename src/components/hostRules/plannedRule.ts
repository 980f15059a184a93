import { firstOf, withoutEnd } from "../../text";
import { contains, type Family, merge, type Prefix } from "../../address";
import { nameForRole } from "../../resources/groupRoles";
import { AddressBlock, blockPath } from "../../topology/addressBlocks";
import { Direction, Protocol, Role } from "../../requirements/vocabulary";
import type { PortRange, View } from "../../flows/model";
import { nameOfPeer, type PeerName, type Reference, slugOfText } from "./peerSets";
import { grouped } from "../../collections";

/** Protocols as EC2 names or numbers them, in rules of groups and of ACLs. */
export const EC2_PROTOCOL: Readonly<Record<Protocol, string>> = {
  [Protocol.Tcp]: "tcp",
  [Protocol.Udp]: "udp",
  [Protocol.Icmp]: "icmp",
  [Protocol.Sctp]: "132",
  [Protocol.Esp]: "50",
  [Protocol.Any]: "-1",
};

/** A CIDR block, which the plan knows. */
export interface BlockPeer {
  kind: "prefix";
  prefix: Prefix;
  /** Absent: the rule is named by the block. */
  name?: PeerName;
}

/** A CIDR block that another resource still has to produce. */
export interface EventualPeer extends PeerName {
  kind: "eventual";
  /** Where it is written: `topology.addresses.vpc.cidr`. */
  path: string;
  /** The family that is stated for it. */
  family: Family;
  /** The block that stands for it in the topology. Absent where it is not from there. */
  standIn?: Prefix;
}

/** The other end of a rule: a CIDR block, one of the component's own groups, a reference, or a block not known yet. */
export type RulePeer =
  BlockPeer | { kind: "group"; role: Role } | { kind: "reference"; reference: Reference } | EventualPeer;

/** A block of a topology as a peer. What has a key there is named by it. */
export function peerOfBlock(prefix: Prefix): BlockPeer | EventualPeer {
  if (!(prefix instanceof AddressBlock)) return { kind: "prefix", prefix };
  const { key, formerKey, isStandIn } = prefix;
  const name = nameOfPeer("cidr", key, formerKey);
  return isStandIn
    ? { kind: "eventual", path: blockPath(key), ...name, family: prefix.family, standIn: prefix }
    : { kind: "prefix", prefix, name };
}

/** The family of a block as far as it is decided. */
export function familyOf(peer: RulePeer): Family | undefined {
  if (peer.kind === "prefix") return peer.prefix.family;
  return peer.kind === "eventual" ? peer.family : undefined;
}

/** A rule with the name of its resource, and options by which the engine finds it under one that it may have had before. */
export interface NamedRule<Rule> {
  rule: Rule;
  name: string;
  /** Without names that other rules have now. */
  former: { aliases?: { name: string }[] };
}

/** The names of a component's rules: by what each lets pass, and before that by other keys of it. */
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
  /** Keys of the flows that need it, as `disabledRules` names them. */
  flows: readonly string[];
  /** Ids of the requirement rows. */
  requirements: readonly string[];
  views: readonly View[];
  purposes: readonly string[];
  documents: readonly string[];
  notes: readonly string[];
  /** The peers of the rules that it took the place of. Absent: it took none's. */
  mergedFrom?: readonly RulePeer[];
  /** The same peer under other names. Absent where it has one. */
  sameAs?: readonly RulePeer[];
}

/**
 * The name of a rule in its group and direction: `tcp-6443-cidr-vpc`, `tcp-6443-10.0.0.0-16`. It is made of what AWS takes for
 * the identity of a rule (protocol, ports, peer), so that a rule which two flows share keeps its name when one of them goes:
 * under another name it would be created anew before the old one is deleted, and AWS refuses the duplicate. A peer with a key
 * is named by it, so that another address of it keeps the rule.
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

/** Who carries the group of a role, in tables. */
const MEMBERS: Readonly<Record<Role, string>> = {
  [Role.ControlPlane]: "control-plane hosts",
  [Role.Workers]: "workers",
  [Role.PrivateEndpoint]: "VPC endpoint",
};

/** The other end in words: `10.0.0.0/16`, `security group of the workers`. */
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

/** The other end in rows: by the block that stands for one which is not known yet, to be exchanged for it (`withAddresses`). */
export const rowPeer = (peer: RulePeer): string =>
  peer.kind === "eventual" && peer.standIn ? peer.standIn.text : describePeer(peer);

/**
 * Under which names a rule may have been made: those of rules that it took the place of, of keys that it had before, and of its
 * block, by which version 0.1.0 names what has a key too.
 */
export function otherKeys(rule: PlannedRule): string[] {
  const peers = [rule.peer, ...(rule.sameAs ?? []), ...(rule.mergedFrom ?? [])];
  const keys = peers.flatMap(slugsOf).map((slug) => keyWith(rule, slug));
  return [...new Set(keys)].filter((key) => key !== ruleKey(rule));
}

/** Rules that AWS would take for the same one, made into one that keeps the purposes of all. */
export function mergeDuplicates<Rule extends PlannedRule>(rules: readonly Rule[]): Rule[] {
  const merged = new Map<string, Rule>();
  for (const rule of rules) {
    const identity = ruleIdentity(rule);
    const first = merged.get(identity);
    merged.set(identity, first ? sameRule(first, rule) : rule);
  }
  return [...merged.values()];
}

/** One rule for two. What is named by its block stays so: a key may go, and the rule must not move then. */
function sameRule<Rule extends PlannedRule>(first: Rule, second: Rule): Rule {
  const isByKey = ({ peer }: PlannedRule) => peer.kind === "prefix" && peer.name !== undefined;
  const one = joined(first, second);
  const { peer } = isByKey(first) && !isByKey(second) ? second : first;
  const sameAs = [...(first.sameAs ?? []), first.peer, second.peer].filter((other) => other !== peer);
  return { ...one, peer, ...(sameAs.some((other) => peerSlug(other) !== peerSlug(peer)) && { sameAs }) };
}

/** What AWS takes for the identity of a rule. */
export function ruleIdentity({ role, direction, protocol, ports, peer }: PlannedRule): string {
  return [role, direction, protocol, describePorts(ports), peerIdentity(peer)].join();
}

/** The first rule, which now stands for the second as well: with the reasons of both. */
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

/** Two keys may hold the same id; two ids that are not known yet are taken for different ones. */
function peerIdentity(peer: RulePeer): string {
  if (peer.kind === "prefix") return peer.prefix.text;
  return peer.kind === "reference" && peer.reference.id !== undefined ? peer.reference.id : peerSlug(peer);
}

export const peerSlug = (peer: RulePeer): string => slugsOf(peer)[0];

/** Under which names a peer is found: its own, the former one, and that of its block. */
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

/** What AWS takes as a description: at most 255 of these characters. */
const DESCRIPTION_LIMIT = 255;
const NOT_IN_DESCRIPTIONS = /[^a-zA-Z0-9. _\-:/()#,@[\]+=&;{}!$*]+/g;

/** The purposes of a rule as AWS accepts them: all of them, each shortened as far as it must be. */
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

/** A rule whose peer is a CIDR block that is known, and that may become part of another one: no key of the topology keeps it. */
export type BlockRule<Rule extends PlannedRule = PlannedRule> = Rule & { peer: BlockPeer };

export const isBlockRule = <Rule extends PlannedRule>(rule: Rule): rule is BlockRule<Rule> =>
  rule.peer.kind === "prefix" && !(rule.peer.prefix instanceof AddressBlock);

/** A rule for one block, and the rules whose blocks are in it. */
export interface Joined<Rule> {
  rule: Rule;
  parts: readonly [Rule, ...Rule[]];
}

/** Rules that differ only in their blocks, as the fewest rules with exactly the same addresses. */
export function joinBlocks<Rule extends BlockRule>(same: readonly Rule[]): Joined<Rule>[] {
  return merge(same.map(({ peer }) => peer.prefix)).map((prefix) => {
    const parts = same.filter(({ peer }) => contains(prefix, peer.prefix)) as [Rule, ...Rule[]];
    const [first, ...others] = parts;
    const whole = parts.find((part) => part.peer.prefix.text === prefix.text);
    const peer: BlockPeer = whole?.peer ?? { kind: "prefix", prefix };
    return { rule: { ...others.reduce<Rule>(joined, first), peer }, parts };
  });
}

/** How many rules each flow needs, those together that share them: `4 for kube-apiserver, 2 for https + dns-udp`. */
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

/** The flows without role and direction; of many the first ones. */
function namesOf({ flows }: PlannedRule): string {
  const names = [...new Set(flows.map((flow) => flow.split("/").at(-1)!))];
  return firstOf(names, 3, " + ");
}
