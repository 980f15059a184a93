import { parsePrefix } from "../address/parse";
import type { Prefix } from "../address";
import { LIMIT } from "../requirements/limits";
import { Protocol, type Direction } from "../requirements/vocabulary";
import { isFilled, isGiven, isMap, readNumber, readText } from "./read";
import { UNKNOWN, type PropertyValue, type Resource } from "./resource";
import type { ResourceIndex } from "./resourceIndex";
import {
  WITH_MESSAGES,
  plainTraffic,
  readMessage,
  readProtocol,
  readTraffic,
  type RuleProtocol,
  type TrafficSpec,
} from "./trafficSpec";

/** Properties that hold the block, one for each address family. */
const PEERS = ["cidrBlock", "ipv6CidrBlock"] as const;
type PeerProperty = (typeof PEERS)[number];

/** One rule of a network ACL, inline or a resource of its own. */
export interface NetworkAclRule extends TrafficSpec {
  /** The resource that contains the rule: the ACL, or a rule resource. */
  resource: Resource;
  /** The path in that resource: `ingress[0]`; empty for a rule resource. */
  path: string;
  direction: Direction;
  /** The rule with the lowest number that matches decides. */
  number: number | typeof UNKNOWN;
  action: "allow" | "deny" | typeof UNKNOWN;
  /** Source of ingress, destination of egress. Absent if the block cannot be parsed; the rule then matches nothing. */
  peer?: Prefix | typeof UNKNOWN | undefined;
  /** The property that holds an unknown peer. Absent if it is unknown which one does. */
  peerProperty?: PeerProperty | undefined;
  /** UNKNOWN if the ACL of the rule is unknown. */
  acl?: typeof UNKNOWN | undefined;
  /** UNKNOWN if its direction is unknown: the rule then counts for both, and applies to one of them. */
  egress?: typeof UNKNOWN | undefined;
}

/** Properties whose names differ between inline rules and rule resources. */
export interface AclRuleKeys {
  number: string;
  action: string;
}

export const INLINE: AclRuleKeys = { number: "ruleNo", action: "action" };
export const OWN_RESOURCE: AclRuleKeys = { number: "ruleNumber", action: "ruleAction" };

/** The place of a rule. */
type Place = Pick<NetworkAclRule, "resource" | "path" | "direction" | "acl" | "egress">;

/** A rule of which everything is known. */
export interface PlainAclRule {
  traffic: TrafficSpec;
  peer: Prefix;
  action: "allow" | "deny";
}

/** Whether EC2 refuses the number of a rule that a plan writes: it is not known then what the network ACL has instead of the rule. */
export const isNumberRefused = ({ number, resource }: NetworkAclRule): boolean =>
  number !== UNKNOWN &&
  !resource.isRead &&
  resource.origin.live === undefined &&
  !(LIMIT.networkAclRuleNumber.min <= number && number <= LIMIT.networkAclRuleNumber.max);

const EVERYTHING: TrafficSpec = { protocol: Protocol.Any };

/** A rule as a plan writes it, read lazily because few of a plan's many rules are ever checked. */
export class WrittenAclRule implements NetworkAclRule {
  #entry: Entry | undefined;

  constructor(
    private readonly place: Place,
    private readonly value: PropertyValue,
    private readonly keys: AclRuleKeys,
    private readonly index: ResourceIndex,
  ) {}

  get resource(): Resource {
    return this.place.resource;
  }

  get path(): string {
    return this.place.path;
  }

  get direction(): Direction {
    return this.place.direction;
  }

  get acl(): NetworkAclRule["acl"] {
    return this.place.acl;
  }

  get egress(): NetworkAclRule["egress"] {
    return this.place.egress;
  }

  get number(): NetworkAclRule["number"] {
    const number = isMap(this.value) ? this.value[this.keys.number] : undefined;
    return typeof number === "number" ? number : this.entry.number;
  }

  get action(): NetworkAclRule["action"] {
    return this.entry.action;
  }

  get protocol(): RuleProtocol {
    return this.entry.protocol;
  }

  get ports(): TrafficSpec["ports"] {
    return this.entry.ports;
  }

  get message(): TrafficSpec["message"] {
    return this.entry.message;
  }

  get peer(): NetworkAclRule["peer"] {
    return this.entry.peer;
  }

  get peerProperty(): NetworkAclRule["peerProperty"] {
    return this.entry.peerProperty;
  }

  /** The rule if it has the form of nearly all rules, otherwise undefined. Not cached, for callers that read every rule once. */
  plain(): PlainAclRule | undefined {
    const { value, keys, index } = this;
    if (!isMap(value) || this.acl || this.egress) return undefined;
    const action = value[keys.action];
    const traffic = plainTraffic(value, "protocol") ?? (value.protocol === "-1" ? EVERYTHING : undefined);
    const { cidrBlock, ipv6CidrBlock } = value;
    const block = isFilled(cidrBlock) ? cidrBlock : ipv6CidrBlock;
    const peer = typeof block === "string" ? index.prefix(block) : undefined;
    return traffic && peer && (action === "allow" || action === "deny")
      ? { traffic, peer, action }
      : undefined;
  }

  private get entry(): Entry {
    return (this.#entry ??= entryOf(this.value, this.keys, this.index));
  }
}

type Peer = Pick<NetworkAclRule, "peer" | "peerProperty">;
type Entry = Pick<NetworkAclRule, "number" | "action"> & Peer & TrafficSpec;

function entryOf(value: PropertyValue, keys: AclRuleKeys, index: ResourceIndex): Entry {
  if (value === UNKNOWN) return { number: UNKNOWN, action: UNKNOWN, protocol: UNKNOWN, peer: UNKNOWN };
  const action = readText(value, keys.action);
  const word = typeof action === "string" ? action.toLowerCase() : UNKNOWN;
  const protocol = readProtocol(value, "protocol");
  return {
    number: readNumber(value, keys.number) ?? UNKNOWN,
    action: word === "allow" || word === "deny" ? word : UNKNOWN,
    // Providers send 0 for omitted properties: port 0, and type 0 with code 0.
    ...(WITH_MESSAGES.has(protocol)
      ? { protocol, ...readMessage(readNumber(value, "icmpType") ?? 0, readNumber(value, "icmpCode") ?? 0) }
      : readTraffic(withPorts(value), "protocol")),
    ...peerOf(value, index),
  };
}

const withPorts = (value: PropertyValue): PropertyValue =>
  isMap(value) && !(isGiven(value.fromPort) && isGiven(value.toPort))
    ? { ...value, fromPort: readNumber(value, "fromPort") ?? 0, toPort: readNumber(value, "toPort") ?? 0 }
    : value;

/** Reads the block as EC2 does, which clears host bits. */
function peerOf(value: PropertyValue, index: ResourceIndex): Peer {
  const blocks = PEERS.map((property) => readText(value, property));
  const text = blocks.find((block) => isFilled(block));
  const peer =
    typeof text === "string"
      ? (index.prefix(text) ?? parsePrefix(text, { hostBits: "clear" }).prefix)
      : undefined;
  if (peer) return { peer };
  const unknown = PEERS.filter((_, position) => blocks[position] === UNKNOWN);
  if (text !== undefined || unknown.length === 0) return {};
  return { peer: UNKNOWN, peerProperty: unknown.length === 1 ? unknown[0] : undefined };
}
