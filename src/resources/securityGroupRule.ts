import type { Prefix } from "../address";
import { Direction } from "../requirements/vocabulary";
import { type RuleLocation, type PrefixListContents, type RuleSource, sourcesOf } from "./ruleSources";
import { isMap } from "./read";
import { UNKNOWN, type PropertyValue, type Resource } from "./resource";
import type { ResourceIndex } from "./resourceIndex";
import { readTraffic, type RuleProtocol, type TrafficSpec } from "./trafficSpec";

/** One rule of a group, inline or a resource of its own. */
export interface SecurityGroupRule extends TrafficSpec {
  /** The resource that contains the rule: the group, or a rule resource. */
  resource: Resource;
  /** The path in that resource: `ingress[0]`; empty for a rule resource. */
  path: string;
  direction: Direction;
  sources: readonly RuleSource[];
}

/** What rules of a stack need to be read. */
export interface StackLists {
  index: ResourceIndex;
  lists: PrefixListContents;
  /** Why EC2 may not accept a group in rules of another group; undefined if it does. */
  doubtOf: (named: Resource, self: Resource, direction: Direction) => string | undefined;
}

/** The place of rules: a list in a group, or a resource that is one rule. */
export interface RuleList {
  resource: Resource;
  direction: Direction;
  /** The rules of a list; absent if the resource is the rule. */
  entries?: readonly PropertyValue[];
  protocolKey: "protocol" | "ipProtocol";
  /** The group that `self` means, or its id if it is not in this stack. */
  self: Resource | string;
  stack: StackLists;
}

/** A rule as a plan writes it, read lazily: plans have hundreds of thousands, and few are ever checked. */
export class StatedRule implements SecurityGroupRule {
  #sources: readonly RuleSource[] | undefined;
  #traffic: TrafficSpec | undefined;

  constructor(
    private readonly list: RuleList,
    private readonly position: number,
  ) {}

  get resource(): Resource {
    return this.list.resource;
  }

  get direction(): Direction {
    return this.list.direction;
  }

  get path(): string {
    return this.list.entries ? `${this.direction}[${this.position}]` : "";
  }

  get protocol(): RuleProtocol {
    return this.traffic.protocol;
  }

  get ports(): TrafficSpec["ports"] {
    return this.traffic.ports;
  }

  get message(): TrafficSpec["message"] {
    return this.traffic.message;
  }

  /** Protocol and ports, not cached: for callers that read every rule once. */
  readTraffic(): TrafficSpec {
    return readTraffic(this.value, this.list.protocolKey);
  }

  get sources(): readonly RuleSource[] {
    return (this.#sources ??= this.readSources());
  }

  /** Whether the rule certainly names neither groups nor prefix lists. */
  namesBlocksOnly(): boolean {
    const { value } = this;
    return isMap(value) && !namesMore(value);
  }

  /** All sources without their paths if the rule names only known CIDR blocks; otherwise undefined. */
  blocks(): readonly Prefix[] | undefined {
    const { value } = this;
    const { stack } = this.list;
    if (!isMap(value) || !this.namesBlocksOnly()) return undefined;
    const { cidrBlocks, ipv6CidrBlocks, cidrIpv4, cidrIpv6 } = value;
    let blocks: Prefix[] | undefined = NONE;
    if (cidrBlocks !== undefined) blocks = withList(blocks, cidrBlocks, stack.index);
    if (ipv6CidrBlocks !== undefined) blocks = withList(blocks, ipv6CidrBlocks, stack.index);
    if (cidrIpv4 !== undefined) blocks = withBlock(blocks, cidrIpv4, stack.index);
    return cidrIpv6 === undefined ? blocks : withBlock(blocks, cidrIpv6, stack.index);
  }

  private get value(): PropertyValue {
    const { entries, resource } = this.list;
    return entries ? entries[this.position]! : resource.properties;
  }

  private get traffic(): TrafficSpec {
    return (this.#traffic ??= this.readTraffic());
  }

  private readSources(): RuleSource[] {
    const { path, value } = this;
    const { resource, direction, entries, self, stack } = this.list;
    const place: RuleLocation = {
      holder: resource,
      ...(entries && { dependencies: direction }),
      path,
      value,
    };
    return sourcesOf(place, self, stack.index, stack.lists).map((source) => {
      const isOther = source.kind === "group" && typeof self === "object" && source.group !== self;
      const reason = isOther ? stack.doubtOf(source.group, self, direction) : undefined;
      return reason === undefined ? source : { ...source, reason };
    });
  }
}

/** Whether a rule names groups or lists, or whether that is unknown. */
function namesMore(rule: { readonly [key: string]: PropertyValue }): boolean {
  const { securityGroups, prefixListIds, self } = rule;
  const { sourceSecurityGroupId, referencedSecurityGroupId, prefixListId } = rule;
  return (
    !isNothing(securityGroups) ||
    !isNothing(prefixListIds) ||
    !isNothing(sourceSecurityGroupId) ||
    !isNothing(referencedSecurityGroupId) ||
    !isNothing(prefixListId) ||
    !(self === false || isNothing(self))
  );
}

const isNothing = (value: PropertyValue | undefined): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** Stands for an empty list: nearly all rules have one block, and a list that grows reserves memory for many. */
const NONE: Prefix[] = [];

/** Adds the blocks of a list to `blocks`; undefined if any block in either is unknown. */
function withList(
  blocks: Prefix[] | undefined,
  list: PropertyValue,
  index: ResourceIndex,
): Prefix[] | undefined {
  if (!Array.isArray(list)) return list === null ? blocks : undefined;
  let all = blocks;
  for (const text of list as readonly PropertyValue[]) all = withBlock(all, text, index);
  return all;
}

function withBlock(
  blocks: Prefix[] | undefined,
  text: PropertyValue,
  index: ResourceIndex,
): Prefix[] | undefined {
  if (text === UNKNOWN) return undefined;
  const block = typeof text === "string" ? index.prefix(text) : undefined;
  if (!block || !blocks) return blocks;
  if (blocks === NONE) return [block];
  blocks.push(block);
  return blocks;
}
