import type { Prefix } from "../address";
import { Direction } from "../requirements/vocabulary";
import type { PrefixListContents } from "./prefixLists";
import { isObject } from "./read";
import { UNKNOWN, type PropertyValue, type Resource } from "./resource";
import type { ResourceIndex } from "./resourceIndex";
import { sourcesOf, type Place, type RuleSource } from "./ruleSources";
import type { RuleProtocol, TrafficSpec } from "./trafficSpec";

/** One rule of a group, however it was written. */
export interface SecurityGroupRule extends TrafficSpec {
  /** The resource in which it stands: the group, or a rule resource. */
  resource: Resource;
  /** Where it stands there: `ingress[0]`; empty for a rule resource. */
  path: string;
  direction: Direction;
  sources: readonly RuleSource[];
}

/** What the rules of a stack are read with. */
export interface StackLists {
  index: ResourceIndex;
  lists: PrefixListContents;
}

/** A rule as a plan writes it. Plans have hundreds of thousands, and few are ever looked at: what it says of its other ends is read when asked. */
export class WrittenRule implements SecurityGroupRule {
  #sources: readonly RuleSource[] | undefined;

  constructor(
    readonly resource: Resource,
    readonly direction: Direction,
    /** Its place in the list of the group; absent where the resource is the rule. */
    private readonly position: number | undefined,
    private readonly value: PropertyValue,
    /** The group that `self` means. */
    private readonly self: Resource | undefined,
    private readonly traffic: TrafficSpec,
    private readonly stack: StackLists,
  ) {}

  get path(): string {
    return this.position === undefined ? "" : `${this.direction}[${this.position}]`;
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

  get sources(): readonly RuleSource[] {
    return (this.#sources ??= this.readSources());
  }

  /** All of its sources where they are known blocks of addresses, without reading where each stands; undefined where others are. */
  blocks(): readonly Prefix[] | undefined {
    const { value, stack } = this;
    if (!isObject(value) || namesMore(value)) return undefined;
    const { cidrBlocks, ipv6CidrBlocks, cidrIpv4, cidrIpv6 } = value;
    const blocks: Prefix[] = [];
    const isPlain =
      addList(cidrBlocks, stack.index, blocks) &&
      addList(ipv6CidrBlocks, stack.index, blocks) &&
      addBlock(cidrIpv4, stack.index, blocks) &&
      addBlock(cidrIpv6, stack.index, blocks);
    return isPlain ? blocks : undefined;
  }

  private readSources(): RuleSource[] {
    const { resource, direction, position, path, value, self, stack } = this;
    const place: Place = {
      holder: resource,
      ...(position !== undefined && { dependencies: direction }),
      path,
      value,
    };
    return sourcesOf(place, self, stack.index, stack.lists);
  }
}

/** Whether a rule names groups or lists, or nobody knows whether it does. */
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
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

function addList(list: PropertyValue | undefined, index: ResourceIndex, blocks: Prefix[]): boolean {
  if (!Array.isArray(list)) return list !== UNKNOWN;
  for (const text of list as readonly PropertyValue[]) if (!addBlock(text, index, blocks)) return false;
  return true;
}

function addBlock(text: PropertyValue | undefined, index: ResourceIndex, blocks: Prefix[]): boolean {
  if (text === UNKNOWN) return false;
  const block = typeof text === "string" ? index.prefix(text) : undefined;
  if (block) blocks.push(block);
  return true;
}
