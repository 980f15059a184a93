import { Direction, Role, Zone } from "../../../requirements/vocabulary";
import { append } from "../../../collections";
import { describeWritten, placeKey, type Written, writtenAt, type WrittenRule } from "../places";
import { isMap, read, readValue } from "../../../resources/read";
import type { Resource } from "../../../resources/resource";
import type { ResourceIndex } from "../../../resources/resourceIndex";
import { OUR_COMPONENTS } from "../../../resources/resourceTypes";
import { nodeFlows } from "../../../flows/required/nodes";
import type { NormalizedTopology } from "../../../topology/normalizedTopology";
import { flowKey, type FlowPeer, type HostHop } from "../../../flows/model";
import { hostFlows } from "../../../flows/hops";
import type { JudgedGuard } from "../../path/judge";

/** A rule of a security group, in the words of AWS. */
export interface SecurityGroupRepair {
  kind: "security-group-rule";
  /** A group of the interface, as good as any other of its groups. Absent: the plan has only rules of it. */
  group?: Written;
  /** How rules of that group are written: inside it, as SecurityGroupRule, or as SecurityGroupIngressRule and SecurityGroupEgressRule. Absent: it has none. */
  form?: "inline" | "classic" | "split";
  direction: Direction;
  /** `tcp`, `icmp`, `50`, `-1`. */
  protocol: string;
  fromPort: number;
  toPort: number;
  cidrBlocks: readonly string[];
  ipv6CidrBlocks: readonly string[];
}

/** A rule of a network ACL, in the words of AWS. */
export interface NetworkAclRepair {
  kind: "network-acl-rule";
  acl?: Written;
  direction: Direction;
  /** Whether it is the answers to the flow that have to pass. */
  asked: "calls" | "answers";
  /** A number that no rule of this direction has. */
  ruleNumber: number;
  protocol: string;
  fromPort: number;
  toPort: number;
  /** Only for ICMP: -1 is every one. */
  icmpType?: number;
  icmpCode?: number;
  cidrBlock?: string;
  ipv6CidrBlock?: string;
  /** The rule that denies today, before which this one stands. Absent: none matches. */
  before?: WrittenRule;
}

/** What a rule of a network policy lets in. */
export interface PolicyRuleRepair {
  /** Absent: every port. */
  ports?: readonly { protocol: string; port: number; endPort?: number }[];
  /** Absent: everybody. */
  from?: readonly (
    | { ipBlock: { cidr: string } }
    | {
        podSelector?: { matchLabels: Readonly<Record<string, string>> };
        namespaceSelector?: { matchLabels: Readonly<Record<string, string>> };
      }
  )[];
}

/** A network policy with one rule: policies add up, and one of its own opens only the pods of the flow. */
export interface NetworkPolicyRepair {
  kind: "network-policy";
  namespace: string;
  podSelector: { matchLabels: Readonly<Record<string, string>> };
  ingress: PolicyRuleRepair;
}

/** A rule of an egress firewall. */
export interface EgressFirewallRepair {
  kind: "egress-firewall-rule";
  firewall: Written;
  /** Its place in `spec.egress`, counted from 0, when the repairs before it stand. */
  index: number;
  rule: {
    type: "Allow";
    to: { cidrSelector: string };
    /** Absent: every port of every protocol. */
    ports?: readonly { protocol: string; port: number }[];
  };
  before?: WrittenRule;
}

/** One rule that has to be written. */
export type Repair = SecurityGroupRepair | NetworkAclRepair | NetworkPolicyRepair | EgressFirewallRepair;

/** Repairs that are planned already, by what they are written into: where order decides, another one looks at those beside it. */
export class PlannedRepairs {
  readonly #byHolder = new Map<string, Repair[]>();

  add(repairs: readonly Repair[]): void {
    for (const repair of repairs) {
      if (repair.kind === "network-acl-rule") append(this.#byHolder, placeKey(repair.acl), [repair]);
      if (repair.kind === "egress-firewall-rule") append(this.#byHolder, placeKey(repair.firewall), [repair]);
    }
  }

  /** Those of one network ACL or egress firewall. */
  at(holder: Resource | undefined): readonly Repair[] {
    return this.#byHolder.get(placeKey(holder && writtenAt(holder))) ?? [];
  }
}

/** What lets a flow pass that is dropped today, and nothing else. */
export interface RepairAdvice {
  /** As few rules as the place takes for it; all of them are needed. Empty: see `obstacle`. */
  rules: readonly Repair[];
  /** Why no rule can be named: what the user has to state or move first. */
  obstacle?: string;
}

/** Components whose groups and ACLs a plan's author changes by arguments, not by rules. */
const WITH_KEYS: ReadonlySet<string> = new Set(
  ["HostedControlPlaneSecurityGroups", "HostedControlPlaneNetworkAcls"].map(
    (name) => `${OUR_COMPONENTS}${name}`,
  ),
);

/**
 * The argument that lets packets pass at some hosts, where a component made the filter before them. Undefined where none
 * did, or where no argument of it does.
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
  return maker && argumentOf({ maker, stating: statingOf(maker, index) }, hop, topology);
}

/** Who makes the filter, and the component whose topology the user writes: the outermost of those around it. */
interface Components {
  maker: Resource;
  stating: Resource;
}

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
  { maker, stating }: Components,
  hop: HostHop,
  topology: NormalizedTopology,
): string | undefined {
  const [who, whose] = [maker, stating].map((one) => describeWritten(writtenAt(one)));
  const key = hop.flow?.key ?? "";
  if (read(maker.properties, "disabledRules[]").some(({ value }) => value === key))
    return `remove ${key} from disabledRules of ${who}`;
  if (isAmongWorkers(hop, topology)) return `set defaultWorkerRules: true of ${whose}`;
  if (hostFlows(topology).get(key)?.optIn) return `set enabledRules: ["${key}"] of ${who}`;
  const unsaid = unsaidBy(stating, hop);
  return unsaid && `write ${unsaid} in the topology of ${whose}`;
}

/** A property that says the addresses of an end, where another source has it and the topology of the component does not. */
function unsaidBy({ properties }: Resource, hop: HostHop): string | undefined {
  const topology = readValue(properties, "topology");
  if (!isMap(topology)) return undefined;
  const inputs = peersOf(hop).map(({ input }) => input);
  return inputs.find((input) => input !== "" && readValue(topology, input) === undefined);
}

/** The ends that rules at these hosts name. */
const peersOf = ({ direction, sources, destinations }: HostHop): readonly FlowPeer[] =>
  direction === Direction.Ingress ? sources : destinations;
