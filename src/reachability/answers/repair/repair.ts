import { type Direction, Role, Zone } from "../../../requirements/vocabulary";
import { append } from "../../../collections";
import { describeWritten, placeKey, type Written, writtenAt, type WrittenRule } from "../places";
import { isMap, read, readValue } from "../../../resources/read";
import type { Resource } from "../../../resources/resource";
import type { ResourceIndex } from "../../../resources/resourceIndex";
import { OUR_COMPONENTS } from "../../../resources/resourceTypes";
import { nodeFlows } from "../../../flows/required/nodes";
import type { NormalizedTopology } from "../../../topology/normalizedTopology";
import { flowKey, type HostHop, namedEnds } from "../../../flows/model";
import { hostFlows } from "../../../flows/hops";
import type { JudgedGuard } from "../../path/judge";

/** Protocol and ports of a rule, in the notation of AWS. */
export interface AwsTraffic {
  /** `tcp`, `icmp`, `50`, `-1`. */
  protocol: string;
  fromPort: number;
  toPort: number;
}

/** A rule of a security group. */
export interface SecurityGroupRepair extends AwsTraffic {
  kind: "security-group-rule";
  /** Any group of the interface: all serve equally. Absent: the plan has only rules of the group. */
  group?: Written;
  /** Form of its rules: inline, SecurityGroupRule, or SecurityGroupIngressRule and SecurityGroupEgressRule. Absent: it has none. */
  form?: "inline" | "classic" | "split";
  direction: Direction;
  cidrBlocks: readonly string[];
  ipv6CidrBlocks: readonly string[];
}

/** A rule of a network ACL. */
export interface NetworkAclRepair extends AwsTraffic {
  kind: "network-acl-rule";
  acl?: Written;
  direction: Direction;
  /** Whether the flow's own packets or their answers must pass. */
  asked: "calls" | "answers";
  /** A number that no rule of this direction uses. */
  ruleNumber: number;
  /** Only for ICMP: -1 means all. */
  icmpType?: number;
  icmpCode?: number;
  cidrBlock?: string;
  ipv6CidrBlock?: string;
  /** The rule that denies today, which must come after this one. Absent: no rule matches. */
  before?: WrittenRule;
}

export type LabelSelector = { matchLabels: Readonly<Record<string, string>> };

/** What a rule of a network policy allows in. */
export interface PolicyRuleRepair {
  /** Absent: all ports. */
  ports?: readonly { protocol: string; port: number; endPort?: number }[];
  /** Absent: all senders. */
  from?: readonly (
    | { ipBlock: { cidr: string } }
    | {
        podSelector?: LabelSelector;
        namespaceSelector?: LabelSelector;
      }
  )[];
}

/** A network policy with one rule. Policies add up, and a separate policy opens only the pods of the flow. */
export interface NetworkPolicyRepair {
  kind: "network-policy";
  namespace: string;
  podSelector: LabelSelector;
  ingress: PolicyRuleRepair;
}

/** A rule of an egress firewall. */
export interface EgressFirewallRepair {
  kind: "egress-firewall-rule";
  firewall: Written;
  /** Its position in `spec.egress`, counted from 0, once the preceding repairs are applied. */
  index: number;
  rule: {
    type: "Allow";
    to: { cidrSelector: string };
    /** Absent: every port of every protocol. */
    ports?: readonly { protocol: string; port: number }[];
  };
  before?: WrittenRule;
}

/** One rule that must be written. */
export type Repair = SecurityGroupRepair | NetworkAclRepair | NetworkPolicyRepair | EgressFirewallRepair;

/** Repairs planned so far, by the resource that they are written into: if order decides, a new repair depends on the others there. */
export class PlannedRepairs {
  readonly #byHolder = new Map<string, Repair[]>();

  add(repairs: readonly Repair[]): void {
    for (const repair of repairs) {
      if (repair.kind === "network-acl-rule") append(this.#byHolder, placeKey(repair.acl), [repair]);
      if (repair.kind === "egress-firewall-rule") append(this.#byHolder, placeKey(repair.firewall), [repair]);
    }
  }

  /** The repairs of one network ACL or egress firewall. */
  at(holder: Resource | undefined): readonly Repair[] {
    return this.#byHolder.get(placeKey(holder && writtenAt(holder))) ?? [];
  }
}

/** What allows a flow that is dropped today, and nothing else. */
export interface RepairAdvice {
  /** The fewest rules that the place permits; all of them are needed. Empty: see `obstacle`. */
  rules: readonly Repair[];
  /** Why no rule can be named: what the user must state or move first. */
  obstacle?: string;
}

/** Advice without a rule. */
export const obstructed = (obstacle: string): RepairAdvice => ({ rules: [], obstacle });

/** Components whose groups and ACLs a plan's author changes by arguments, not by rules. */
const WITH_KEYS: ReadonlySet<string> = new Set(
  ["HostedControlPlaneSecurityGroups", "HostedControlPlaneNetworkAcls"].map(
    (name) => `${OUR_COMPONENTS}${name}`,
  ),
);

/**
 * The argument that allows packets at some hosts, if a component created the filter before them. Undefined if no component did, or
 * if it has no such argument.
 */
export function leverOf(
  { hop, guard: { standing } }: Pick<JudgedGuard, "hop" | "guard">,
  topology: NormalizedTopology,
  index: ResourceIndex,
): string | undefined {
  if (hop.kind !== "hosts") return undefined;
  const holders =
    standing?.kind === "securityGroups"
      ? standing.groups.map(({ resource }) => resource)
      : standing?.kind === "networkAcl"
        ? [standing.acl.resource]
        : [];
  const makers = holders.flatMap((holder) => index.at(holder?.parent) ?? []);
  const maker = makers.find(({ type }) => WITH_KEYS.has(type));
  return maker && argumentOf(maker, statingOf(maker, index), hop, topology);
}

/** The component whose topology the user writes: the outermost around the one that creates the filter. */
function statingOf(component: Resource, index: ResourceIndex): Resource {
  const parent = index.at(component.parent);
  return parent?.type.startsWith(OUR_COMPONENTS) && isMap(parent.properties.topology)
    ? statingOf(parent, index)
    : component;
}

const AMONG_WORKERS: ReadonlySet<Zone> = new Set([Zone.Workers, Zone.SameSecurityGroup, Zone.MachineNetwork]);

const isAmongWorkers = (hop: HostHop, topology: NormalizedTopology): boolean =>
  hop.role === Role.Workers &&
  !topology.defaultWorkerRules &&
  hop.sources.concat(hop.destinations).every(({ zone }) => AMONG_WORKERS.has(zone)) &&
  nodeFlows(topology, Role.Workers).some((flow) => flowKey(flow) === hop.flow?.key);

function argumentOf(
  maker: Resource,
  stating: Resource,
  hop: HostHop,
  topology: NormalizedTopology,
): string | undefined {
  const [who, whose] = [maker, stating].map(describeWritten);
  const key = hop.flow?.key ?? "";
  if (read(maker.properties, "disabledRules[]").some(({ value }) => value === key))
    return `remove ${key} from disabledRules of ${who}`;
  if (isAmongWorkers(hop, topology)) return `set defaultWorkerRules: true on ${whose}`;
  if (hostFlows(topology).get(key)?.optIn) return `set enabledRules: ["${key}"] on ${who}`;
  const unsaid = unsaidBy(stating, hop);
  return unsaid && `set ${unsaid} in the topology of ${whose}`;
}

/** A property that would state the addresses of an end: stated elsewhere, but missing in the component's topology. */
function unsaidBy({ properties }: Resource, hop: HostHop): string | undefined {
  const topology = readValue(properties, "topology");
  if (!isMap(topology)) return undefined;
  const inputs = namedEnds(hop.direction, hop).map(({ input }) => input);
  return inputs.find((input) => input !== "" && readValue(topology, input) === undefined);
}
