import type { PortRange } from "../../src/requirements/requirement";
import { Direction, Protocol, Zone } from "../../src/requirements/vocabulary";
import { TYPE } from "../../src/resources/resourceTypes";
import type { SeenPackets, FlowPeer } from "../../src/flows/model";
import { readPrefix } from "../../src/address";
import { numbers } from "../prefixes";
import { ACLS, entriesOf, type AclEntry, type AclName } from "./acls";
import { networkOf, type Network } from "./network";

/** Groups in the order in which the packets of a cluster pass them. */
export const GROUPS = ["workers", "endpoint", "balancer", "hosts", "hosts-common"] as const;
export type GroupName = (typeof GROUPS)[number];

/** The size of a plan. */
export interface PlanSize {
  /** Each cluster has five groups. */
  groups: number;
  rulesPerGroup: number;
}

/** One hop of a flow: the groups of an interface, which are additive, and the network ACL of its subnet. */
export interface PlannedHop extends SeenPackets {
  groups: readonly string[];
  /** Name of the ACL; answers pass it in the other direction. */
  acl: string;
  direction: Direction;
}

/** A flow with all its hops. */
export interface PlannedFlow {
  hops: readonly PlannedHop[];
}

export interface PlanDocument {
  changeSummary: { create: number };
  steps: readonly PlannedStep[];
}

/** A plan as `pulumi preview --json` prints it, and the flows to prove. */
export interface GeneratedPlan {
  document: PlanDocument;
  flows: readonly PlannedFlow[];
  /** For each set of groups and direction, everything that must be allowed there. */
  wanted: readonly PlannedHop[];
}

/** The text of the document, as the engine writes it. */
export const textOfPlan = (document: PlanDocument): string => JSON.stringify(document, undefined, 1);

/** A resource in a preview. */
export interface PlannedStep {
  op: string;
  urn: string;
  newState: {
    urn: string;
    type: string;
    custom: boolean;
    inputs: Record<string, unknown>;
    outputs: Record<string, unknown>;
    parent: string;
    provider: string;
    propertyDependencies: Record<string, readonly string[]>;
  };
}

/** What a preview prints for an unknown value. */
export const UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Flows for each rule of a group: 50,000 for 2,500 groups with 40 rules. */
const FLOWS_PER_RULE = 2.5;
const SUBNETS = 4;
const SUBNETS_OF_LARGE = 40;
const LARGE = 1_000;
/** The number of rules of a group that are separate resources. */
const SPLIT_RULES = 3;

/** A rule before it is written to the plan. */
interface Rule {
  direction: Direction;
  protocol: typeof Protocol.Tcp | typeof Protocol.Udp;
  ports: PortRange;
  /** Of either family; "unknown" for a value that is not known yet. */
  cidrs: readonly string[];
}

/** A random plan that is the same in every run: most flows are allowed, some are blocked, and some rules open more than required. */
export function generatePlan(size: PlanSize, seed: number): GeneratedPlan {
  const steps: PlannedStep[] = [];
  const questions = generateQuestions(size, seed, (step) => steps.push(step));
  return { document: { changeSummary: { create: steps.length }, steps }, ...questions };
}

/** The flows of such a plan; `take` receives its resources one by one. */
export function generateQuestions(
  size: PlanSize,
  seed: number,
  take: (step: PlannedStep) => void = () => undefined,
): Pick<GeneratedPlan, "flows" | "wanted"> {
  const next = numbers(seed);
  const flows: PlannedFlow[] = [];
  const wanted: PlannedHop[] = [];
  for (let cluster = 0; cluster < size.groups / GROUPS.length; cluster++) {
    const made = clusterOf(cluster, size.rulesPerGroup, next);
    made.steps.forEach(take);
    for (const flow of made.flows) flows.push(flow);
    for (const hop of made.wanted) wanted.push(hop);
  }
  return { flows, wanted };
}

function clusterOf(
  cluster: number,
  rulesPerGroup: number,
  next: () => number,
): {
  steps: PlannedStep[];
  flows: PlannedFlow[];
  wanted: PlannedHop[];
} {
  const subnets = rulesPerGroup < LARGE ? SUBNETS : SUBNETS_OF_LARGE;
  const network = {
    ...networkOf(cluster, subnets),
    groups: {
      workers: [nameOf(cluster, "workers")],
      endpoint: [nameOf(cluster, "endpoint")],
      balancer: [nameOf(cluster, "balancer")],
      hosts: [nameOf(cluster, "hosts"), nameOf(cluster, "hosts-common")],
    },
    acls: {
      workers: nameOf(cluster, "workers"),
      balancer: nameOf(cluster, "balancer"),
      hosts: nameOf(cluster, "hosts"),
    },
  };
  const count = Math.floor((FLOWS_PER_RULE * rulesPerGroup) / subnets);
  const needed: Record<GroupName, Rule[]> = {
    workers: [],
    endpoint: [],
    balancer: [],
    hosts: [],
    "hosts-common": [],
  };
  const places = new Map<string, PlannedHop>();
  const flows: PlannedFlow[] = [];
  for (let service = 0; service < count; service++) {
    const protocol = service % 10 === 9 ? Protocol.Udp : Protocol.Tcp;
    const first = 1_024 + service * 16 + (next() % 8);
    const ports = { from: first, to: first + (service % 5 === 1 ? 3 : 0) };
    for (const { group, direction, cidrs } of rulesFor(service, network))
      needed[group].push({ direction, protocol, ports, cidrs });
    for (const subnet of network.subnets) {
      const hops = hopsOf(service, subnet, network, { protocol, ports });
      flows.push({ hops });
      for (const hop of hops) {
        const place = placeOf(hop);
        const [peer] = hop.direction === Direction.Ingress ? place.sources : place.destinations;
        places.set(`${service} ${hop.groups[0]} ${peer!.input}`, place);
      }
    }
  }
  const groups = GROUPS.flatMap((group) =>
    stepsOf(cluster, group, padded(needed[group], rulesPerGroup, next), next),
  );
  const steps = [...groups, ...ACLS.map((name) => aclStep(cluster, name, network, next))];
  return { steps, flows, wanted: [...places.values()] };
}

/** The hop with only the addresses of the remote end, whatever the other end is. */
function placeOf({ protocol, ports, groups, acl, direction, sources, destinations }: PlannedHop): PlannedHop {
  const isInbound = direction === Direction.Ingress;
  return {
    protocol,
    ports: ports!,
    groups,
    acl,
    direction,
    sources: isInbound ? sources : [],
    destinations: isInbound ? [] : destinations,
  };
}

/** Two of five services go through the endpoint and the load balancer, the others directly to the hosts. */
const isBalanced = (service: number): boolean => service % 5 < 2;

function rulesFor(
  service: number,
  network: Network,
): { group: GroupName; direction: Direction; cidrs: string[] }[] {
  const ingress = (group: GroupName, ...cidrs: string[]) => ({ group, direction: Direction.Ingress, cidrs });
  const hosts = service % 5 === 4 ? "hosts-common" : "hosts";
  return [
    { group: "workers", direction: Direction.Egress, cidrs: network.controlPlane },
    ...network.subnets.map((subnet) => ingress(isBalanced(service) ? "endpoint" : hosts, subnet)),
    ...(isBalanced(service)
      ? [
          ingress("balancer", ...network.endpoint),
          // Each rule has half of the balancers' addresses: neither allows a flow by itself.
          ...network.balancerHalves.map((half) => ingress("hosts-common", ...half)),
        ]
      : []),
  ];
}

function hopsOf(
  service: number,
  subnet: string,
  network: Network & {
    groups: Record<"workers" | "endpoint" | "balancer" | "hosts", readonly string[]>;
    acls: Record<AclName, string>;
  },
  { protocol, ports }: { protocol: Protocol; ports: PortRange },
): PlannedHop[] {
  const isIPv6 = subnet.includes(":");
  const only = (cidrs: readonly string[]) => cidrs.filter((cidr) => cidr.includes(":") === isIPv6);
  const { acls } = network;
  const hop = (
    groups: readonly string[],
    acl: string,
    direction: Direction,
    from: readonly string[],
    to: readonly string[],
  ): PlannedHop => ({
    // Listed one by one: V8 gives spread objects no common shape, and reading them takes ten times as long.
    protocol,
    ports,
    groups,
    acl,
    direction,
    sources: peersOf(from),
    destinations: peersOf(to),
  });
  const [controlPlane, endpoint, balancer] = [network.controlPlane, network.endpoint, network.balancer].map(
    only,
  ) as [string[], string[], string[]];
  const departure = hop(network.groups.workers, acls.workers, Direction.Egress, [subnet], controlPlane);
  const { hosts } = network.groups;
  if (!isBalanced(service))
    return [departure, hop(hosts, acls.hosts, Direction.Ingress, [subnet], controlPlane)];
  return [
    departure,
    hop(network.groups.endpoint, acls.workers, Direction.Ingress, [subnet], endpoint),
    hop(network.groups.balancer, acls.balancer, Direction.Ingress, endpoint, balancer),
    hop(hosts, acls.hosts, Direction.Ingress, balancer, controlPlane),
  ];
}

/** As in a topology, all flows of the same end share its addresses. */
const shared = new Map<string, readonly FlowPeer[]>();

function peersOf(cidrs: readonly string[]): readonly FlowPeer[] {
  const key = cidrs.join();
  const known = shared.get(key);
  if (known) return known;
  const made = [{ zone: Zone.Workers, input: key, prefixes: cidrs.map((cidr) => readPrefix(cidr)!) }];
  shared.set(key, made);
  return made;
}

const nameOf = (cluster: number, group: GroupName | AclName): string => `tenant-${cluster}-${group}`;

/** Exactly `count` rules, in any order; surplus ones open something that no flow requires. */
function padded(needed: readonly Rule[], count: number, next: () => number): Rule[] {
  const rules = needed.slice(0, count).map((rule) => spoilt(rule, next));
  while (rules.length < count) {
    const from = next() % 1_000;
    const host = `192.0.2.${next() % 256}/32`;
    const direction = next() % 4 === 0 ? Direction.Egress : Direction.Ingress;
    rules.push({ direction, protocol: Protocol.Tcp, ports: { from, to: from }, cidrs: [host] });
  }
  return rules
    .map((rule) => ({ rule, place: next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ rule }) => rule);
}

/** Of two hundred rules two allow too little, one has a block that is not known yet, and four are too wide. */
function spoilt(rule: Rule, next: () => number): Rule {
  const { from, to } = rule.ports;
  switch (next() % 200) {
    case 0:
      return { ...rule, ports: { from: from + 1, to: to + 1 } };
    case 1:
      return { ...rule, cidrs: ["192.0.2.0/24"] };
    case 2:
      return { ...rule, cidrs: ["unknown"] };
    case 3:
    case 4:
      return { ...rule, ports: { from, to: to + 5 } };
    case 5:
    case 6:
      return { ...rule, cidrs: ["0.0.0.0/0", "::/0"] };
    default:
      return rule;
  }
}

function stepsOf(
  cluster: number,
  group: GroupName,
  rules: readonly Rule[],
  next: () => number,
): PlannedStep[] {
  const name = nameOf(cluster, group);
  const urn = urnOf(TYPE.securityGroup, name);
  const inline = (direction: Direction) =>
    rules
      .slice(SPLIT_RULES)
      .filter((rule) => rule.direction === direction)
      .map(inlineRule);
  const properties = {
    description: `Generated for the figure of a large plan: ${group}`,
    egress: inline(Direction.Egress),
    ingress: inline(Direction.Ingress),
    name,
    revokeRulesOnDelete: false,
    tags: { "hypershift-network/cluster": `tenant-${cluster}`, "hypershift-network/role": group },
    vpcId: `vpc-${(next() >>> 0).toString(16).padStart(17, "0")}`,
  };
  return [
    stepOf(TYPE.securityGroup, name, properties, { egress: [], ingress: [] }),
    ...rules.slice(0, SPLIT_RULES).map((rule, position) => {
      const type = rule.direction === Direction.Ingress ? TYPE.ingressRule : TYPE.egressRule;
      return stepOf(type, `${name}-${position}`, splitRule(rule), { securityGroupId: [urn] });
    }),
  ];
}

function aclStep(cluster: number, name: AclName, network: Network, next: () => number): PlannedStep {
  const [egress, ingress] = [0, 1].map(() => entriesOf(name, network, UNKNOWN_TEXT, next)) as [
    AclEntry[],
    AclEntry[],
  ];
  const properties = {
    egress,
    ingress,
    subnetIds: [],
    vpcId: `vpc-${cluster.toString(16).padStart(17, "0")}`,
  };
  return stepOf(TYPE.networkAcl, nameOf(cluster, name), properties, {});
}

const stepOf = (
  type: string,
  name: string,
  properties: Record<string, unknown>,
  propertyDependencies: Record<string, readonly string[]>,
): PlannedStep => ({
  op: "create",
  urn: urnOf(type, name),
  newState: {
    urn: urnOf(type, name),
    custom: true,
    type,
    inputs: properties,
    outputs: { ...properties, arn: UNKNOWN_TEXT, id: UNKNOWN_TEXT, ownerId: UNKNOWN_TEXT },
    parent: "urn:pulumi:bench::networks::pulumi:pulumi:Stack::networks-bench",
    provider:
      "urn:pulumi:bench::networks::pulumi:providers:aws::default::04da6b54-80e4-46f7-96ec-b56ff0331ba9",
    propertyDependencies,
  },
});

const urnOf = (type: string, name: string): string => `urn:pulumi:bench::networks::${type}::${name}`;

const ofFamily = (cidrs: readonly string[], isIPv6: boolean): string[] =>
  cidrs.filter((cidr) => cidr !== "unknown" && cidr.includes(":") === isIPv6);

const inlineRule = ({ protocol, ports, cidrs }: Rule) => ({
  cidrBlocks: cidrs[0] === "unknown" ? UNKNOWN_TEXT : ofFamily(cidrs, false),
  description: "Documented flow of a hosted cluster: what its nodes have to reach in every phase",
  fromPort: ports.from,
  ipv6CidrBlocks: ofFamily(cidrs, true),
  prefixListIds: [],
  protocol: protocol.toLowerCase(),
  securityGroups: [],
  self: false,
  toPort: ports.to,
});

const splitRule = ({ protocol, ports, cidrs }: Rule): Record<string, unknown> => {
  const [ipv4] = ofFamily(cidrs, false);
  const [ipv6] = ofFamily(cidrs, true);
  return {
    ...(cidrs[0] === "unknown"
      ? { cidrIpv4: UNKNOWN_TEXT }
      : ipv4 === undefined
        ? { cidrIpv6: ipv6 }
        : { cidrIpv4: ipv4 }),
    description: "Documented flow of a hosted cluster: what its nodes have to reach in every phase",
    fromPort: ports.from,
    ipProtocol: protocol.toLowerCase(),
    securityGroupId: UNKNOWN_TEXT,
    tags: {},
    toPort: ports.to,
  };
};
