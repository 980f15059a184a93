import { readPrefix } from "../address";
import { Direction } from "../requirements/vocabulary";
import { read, readFlag, readNumber, type Found } from "../resources/read";
import { idOf, UNKNOWN, type PropertyValue, type Resource } from "../resources/resource";
import type { ResourceIndex } from "../resources/resourceIndex";
import { PREFIX_LISTS } from "../resources/resourceTypes";
import { writtenAt, type CountedPeer } from "../resources/ruleOwner";
import type { SecurityGroup, SecurityGroupRule } from "../resources/securityGroups";
import { endsOf, inlineFacts } from "./inlineFacts";

/** One rule as AWS keeps it: one other end. */
export interface CountedRule {
  direction: Direction;
  /** Absent where it is unknown as how many it counts. */
  peer: CountedPeer | undefined;
  resource: Resource;
  path: string;
  /** The prefix list that it names, where the stack holds it. */
  list?: Resource | undefined;
}

/**
 * As how many rules a group counts at most in one direction, in any family: each other end once, whether another rule says
 * the same or not. Without end where it names prefix lists. Nearly all groups are far from their quota, and this is counted fast.
 */
export function mostCounted({ resource: group, ruleResources }: SecurityGroup): number {
  const inline = (direction: Direction) => (group ? inlineFacts(group, direction).ends : 0);
  const most: Record<Direction, number> = {
    [Direction.Ingress]: inline(Direction.Ingress),
    [Direction.Egress]: inline(Direction.Egress),
  };
  for (const { resource, direction } of ruleResources) most[direction] += endsOf(resource.properties);
  return Math.max(most[Direction.Ingress], most[Direction.Egress]);
}

const BLOCKS = ["cidrBlocks[]", "ipv6CidrBlocks[]", "cidrIpv4", "cidrIpv6"];
const GROUPS = ["securityGroups[]", "sourceSecurityGroupId", "referencedSecurityGroupId"];
const LISTS = ["prefixListIds[]", "prefixListId"];

/** The rules of a group as AWS keeps them. What is written inline and as a resource too is one. */
export function countedRules(index: ResourceIndex, { rules }: SecurityGroup): CountedRule[] {
  const counted = new Map<string, CountedRule>();
  for (const rule of rules) {
    const written = writtenAt(rule.resource, rule.path);
    if (typeof written !== "object" || written === null) continue;
    for (const { place, peer, list } of peersOf(index, rule.resource, written)) {
      const path = [rule.path, place.path].filter((part) => part !== "").join(".");
      const key =
        place.value === UNKNOWN ? `${idOf(rule.resource.origin)} ${path}` : identityOf(rule, place.value);
      counted.set(key, { direction: rule.direction, peer, resource: rule.resource, path, list });
    }
  }
  return [...counted.values()];
}

function peersOf(index: ResourceIndex, rule: Resource, written: PropertyValue) {
  const at = (properties: readonly string[]): Found[] => properties.flatMap((path) => read(written, path));
  const self: Found[] = readFlag(written, "self") === true ? [{ path: "self", value: "self" }] : [];
  return [
    ...at(BLOCKS).map((place) => ({ place, peer: blockPeer(place), list: undefined })),
    ...[...at(GROUPS), ...self].map((place) => ({
      place,
      peer: { kind: "group" } as const,
      list: undefined,
    })),
    ...at(LISTS).map((place) => {
      const list = listAt(index, rule, place);
      return { place, peer: listPeer(list), list };
    }),
  ];
}

/** A block that is not known yet still has the family of its property. */
function blockPeer({ path, value }: Found): CountedPeer {
  const prefix = typeof value === "string" ? readPrefix(value) : undefined;
  const family = prefix?.family ?? (/ipv6/i.test(path) ? 6 : 4);
  return { kind: "prefix", family };
}

function listAt(index: ResourceIndex, rule: Resource, { path, value }: Found): Resource | undefined {
  const named = typeof value === "string" ? index.named(value, PREFIX_LISTS) : undefined;
  const made = path === "prefixListId" ? index.referred(rule, path, PREFIX_LISTS) : undefined;
  return named ?? (typeof made === "object" ? made : undefined);
}

function listPeer(list: Resource | undefined): CountedPeer | undefined {
  const maxEntries = readNumber(list?.properties, "maxEntries");
  return typeof maxEntries === "number" ? { kind: "prefixList", maxEntries } : undefined;
}

const identityOf = (
  { direction, protocol, ports, message }: SecurityGroupRule,
  peer: PropertyValue,
): string =>
  JSON.stringify([
    direction,
    ...[protocol, ports, message].map((part) => (part === UNKNOWN ? "?" : part)),
    peer,
  ]);
