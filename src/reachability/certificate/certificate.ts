import { onceForEach } from "../../collections";
import { Direction, oppositeDirection } from "../../requirements/vocabulary";
import { API_NAMESPACE } from "../../resources/kubernetesObject";
import { type Origin, type PropertyValue, type Resource, UNKNOWN } from "../../resources/resource";
import type { ConfiguredGroups } from "../../resources/groupRoles";
import { notElsewhere } from "../../resources/managementCluster";
import { keyOfObject } from "../../resources/oneObject";
import type { ResourceIndex } from "../../resources/resourceIndex";
import {
  isAdministratorsPolicy,
  isAnyNetworkPolicy,
  isEgressFirewall,
  isHostedCluster,
  isKubernetes,
  isPatch,
  TYPE,
} from "../../resources/resourceTypes";
import { ALLOWED_LIST, surroundingsOf } from "../../flows/surroundings";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { administratorsOf, policiesOf } from "../path/planGuards";
import type { SecurityGroup, SecurityGroupRule } from "../../resources/securityGroups";
import type { Decision } from "../filters/decide";
import { firewallRulesFilter, rulesOfFirewall } from "../filters/egressFirewall";
import { Action, type Clause } from "../filters/filter";
import type { Unapplied } from "../../objects/egressFirewallRules";
import { outOfForce } from "../../objects/networkPolicy/shapes";
import { blocksOf } from "../packets/print";
import { difference, intersection, type PacketSet, unionAll } from "../packets/packetSet";
import { firewallRulesAt, type WrittenGuard } from "../path/guards";
import type { JudgedGuard, JudgedJourney } from "../path/judge";
import { Proof } from "../proof/prove";
import {
  entriesOf,
  holdsUnknown,
  isFilled,
  isGiven,
  isList,
  isMap,
  type PropertyMap,
  readFlag,
  readText,
  readValue,
  valueAt,
} from "../../resources/read";
import { type PlannedResource, UNKNOWN_ID } from "./check";
import { VERSION } from "./shape";

/** Packets: all combinations of these services, sources and destinations. */
export interface CertifiedBlock {
  /** Pairs of first and last number: the protocol number times 65,536 plus the port, or plus the type and code of ICMP. */
  services: readonly (readonly [number, number])[];
  /** CIDR blocks. */
  sources: readonly string[];
  destinations: readonly string[];
}

/** A rule, and the packets that it allows as the deciding rule. */
export interface CertifiedRule {
  /** Where the rule, or a list of which no rule stops the packets, is written. Absent: no filter stops them. */
  rule?: Origin & {
    path: string;
    /** Kind, namespace and name of the object: `kubernetes:k8s.ovn.org/:EgressFirewall web/default`. Absent if these are not known. */
    object?: string;
  };
  /** Names of what the rule is in: URN and id of a security group or network ACL, or a namespace. Absent if no namespace is known. */
  holder?: readonly string[];
  /** Names of each security group and prefix list that the rule names. Absent if no addresses are assumed. */
  peers?: readonly (readonly string[])[];
  /** Addresses that are assumed for the security groups and prefix lists that the rule names. */
  assumed?: readonly string[];
  packets: readonly CertifiedBlock[];
}

/** A place that allows a flow, and why. */
export interface CertifiedPlace {
  /** What filters there: `security groups of workers`. */
  guard: string;
  /** Whether this is about the packets themselves or the answers to them. */
  packets: JudgedGuard["asked"];
  /** The direction of the rules that decide there. */
  direction: Direction;
  required: readonly CertifiedBlock[];
  rules: readonly CertifiedRule[];
}

/** A proved flow with all places on its path. */
export interface CertifiedFlow {
  journey: string;
  title: string;
  places: readonly CertifiedPlace[];
  /** What no plan shows and the proof does not cover. */
  outside: readonly string[];
}

/** Why every proved flow of a cluster is open, in a form that a program can check without the engine that proved it. */
export interface Certificate {
  version: typeof VERSION;
  /** Namespace and name of the hosted cluster. */
  cluster: string;
  flows: readonly CertifiedFlow[];
}

/** Returns the certificate of all proved journeys. Omits journeys without packets at some place: they state nothing about a plan. */
export function certificateOf(cluster: string, judged: readonly JudgedJourney[]): Certificate {
  const proved = judged.filter(({ proof }) => proof === Proof.Proved);
  const flows = proved.map(({ journey, guards }) => ({
    journey: journey.key,
    title: journey.title,
    places: guards.map(placeOf),
    outside: journey.outside,
  }));
  const saysSomething = ({ places }: CertifiedFlow) =>
    places.length > 0 && places.every(({ required }) => required.length > 0);
  return { version: VERSION, cluster, flows: flows.filter(saysSomething) };
}

function placeOf(judged: JudgedGuard): CertifiedPlace {
  const { guard, asked, required, verdict } = judged;
  const cover = verdict.proof === Proof.Proved ? verdict.cover : [];
  return {
    guard: guard.name,
    packets: asked,
    direction: directionOf(judged),
    required: certified(required),
    rules: cover.flatMap((decision) => rulesOfDecision(decision, guard.standing)),
  };
}

function directionOf({ guard: { standing }, hop, asked }: JudgedGuard): Direction {
  if (standing?.kind === "networkPolicies") return standing.direction;
  if (standing?.kind === "egressFirewall") return Direction.Egress;
  // Balancers judge what clients send to them.
  if (hop.kind !== "hosts") return Direction.Ingress;
  return asked === "calls" ? hop.direction : oppositeDirection(hop.direction);
}

/**
 * Packets that no rule of an egress firewall matches have the list of its rules as their rule. Not those to the cluster network, which
 * no rule stops: they pass whatever the list contains.
 */
function rulesOfDecision(
  { clause, packets }: Decision,
  standing: WrittenGuard | undefined,
): readonly CertifiedRule[] {
  if (clause) return [{ ...ruleOf(clause, standing), packets: certified(packets) }];
  if (standing?.kind !== "egressFirewall") return [{ packets: certified(packets) }];
  const denied = deniedAnywhere(standing.firewall);
  const list = { resource: standing.firewall, path: "spec.egress" };
  return [
    { ...ruleOf(list, standing), packets: certified(difference(packets, denied)) },
    { packets: certified(intersection(packets, denied)) },
  ].filter((rule) => rule.packets.length > 0);
}

/** What an egress firewall may deny if no address is exempt. */
const deniedAnywhere = onceForEach((firewall: Resource): PacketSet => {
  const { clauses } = firewallRulesFilter(rulesOfFirewall(firewall), []);
  return unionAll(
    clauses.flatMap(({ actions, possible }) => (actions.includes(Action.Deny) ? [possible] : [])),
  );
});

type Place = Pick<Clause, "resource" | "path" | "assumed">;

function ruleOf(clause: Place, standing: WrittenGuard | undefined): Omit<CertifiedRule, "packets"> {
  const { resource, path, assumed } = clause;
  const holder = holderOf(clause, standing);
  const object = objectOf(resource);
  return {
    rule: { ...resource.origin, ...(object !== undefined && { object }), path },
    ...(holder.length > 0 && { holder }),
    ...(assumed && { peers: peersOf(clause, standing), assumed: assumed.map(({ text }) => text) }),
  };
}

/** The identity of an object or of the object that it patches. Files may be moved, and lines in them. */
const objectOf = ({ origin, type, name, properties }: Resource): string | undefined =>
  isKubernetes(type)
    ? keyOfObject({ origin, type: type.replace(/Patch$/, ""), name, properties })
    : undefined;

type Names = readonly string[];

/** The names by which the checker may find a resource: a later plan may know its id, or have it under another URN. */
function namesOf({ origin, type, properties, propertyDependencies }: Resource): Names {
  const name = nameOf(origin);
  // An id that is not known yet may come from the VPC that the default group or ACL belongs to.
  const property = VPC_OF[type];
  const ofVpc = property ? [properties[property], ...(propertyDependencies?.[property] ?? [])] : [];
  return [...new Set([name, properties.id, ...ofVpc].filter(isFilled))];
}

const VPC_OF: Readonly<Record<string, string>> = {
  [TYPE.defaultSecurityGroup]: "vpcId",
  [TYPE.defaultNetworkAcl]: "defaultNetworkAclId",
};

/** Names of a resource or of the id of one that is not in the plan, with the id that a rule states. */
const namesWith = (
  known: readonly (Resource | string | undefined)[],
  written: PropertyValue | undefined,
): Names => [
  ...new Set(
    [...known.flatMap((one) => (typeof one === "object" ? namesOf(one) : one)), written].filter(isFilled),
  ),
];

function holderOf({ resource, path }: Place, standing: WrittenGuard | undefined): Names {
  const { networkAclId, securityGroupId } = resource.properties;
  switch (standing?.kind) {
    case "networkAcl": {
      const { resource: acl, id, defaultOf } = standing.acl;
      return namesWith([acl, id, defaultOf], path === "" ? networkAclId : undefined);
    }
    case "securityGroups": {
      if (path !== "") return namesOf(resource);
      const group = standing.groups.find((one) => rulesOf(one).has(resource));
      return namesWith([group?.resource, group?.id], securityGroupId);
    }
    case "egressFirewall":
      return [[namespaceOf(resource), readText(resource.properties, "metadata.name")]]
        .filter((parts) => parts.every(isFilled))
        .map((parts) => parts.join("/"));
    default:
      return [namespaceOf(resource)].filter(isFilled);
  }
}

const namespaceOf = ({ properties }: Resource) => readText(properties, "metadata.namespace") ?? API_NAMESPACE;

/** The rules of a group, by their path in it or by their own resource. */
const rulesOf = onceForEach(
  ({ rules }: SecurityGroup): ReadonlyMap<Resource | string, SecurityGroupRule> =>
    new Map(rules.map((rule) => [rule.path === "" ? rule.resource : rule.path, rule])),
);

/** The groups and prefix lists whose addresses a rule has. */
function peersOf({ resource, path }: Place, standing: WrittenGuard | undefined): Names[] {
  const groups = standing?.kind === "securityGroups" ? standing.groups : [];
  const group = groups.find((one) => (path === "" ? rulesOf(one).has(resource) : one.resource === resource));
  const { sources = [] } = (group && rulesOf(group).get(path === "" ? resource : path)) ?? {};
  return sources.flatMap((source) => {
    const written = source.kind === "prefix" ? undefined : valueAt(resource.properties, source.path);
    switch (source.kind) {
      case "group":
        return source.reason === undefined ? [namesWith([source.group], written)] : [];
      case "foreignGroup":
        return [namesWith([source.id], written)];
      case "list":
        return [namesWith([source.list], written)];
      default:
        return [];
    }
  });
}

const certified = (set: PacketSet): CertifiedBlock[] =>
  blocksOf(set).map(({ services, sources, destinations }) => ({
    services: services.map(({ from, to }) => [from, to] as const),
    sources: sources.map(({ text }) => text),
    destinations: destinations.map(({ text }) => text),
  }));

/** A plan in the form that the checker accepts. */
export interface PlannedResources {
  plan: PlannedResource[];
  /** One line for each network ACL or ACL rule that may deny anything, because the plan does not know yet what it denies. */
  doubtful: string[];
}

/** The hosted cluster of a certificate in a plan. */
export interface ClusterInPlan {
  index: ResourceIndex;
  topology: NormalizedTopology;
  configuredGroups?: readonly ConfiguredGroups[];
}

/**
 * Returns the resources of a plan with their known values. Leaves out rules with an unknown protocol, port, order or peer, because
 * the checker takes a missing property to mean everything.
 *
 * @param cluster tells its objects from those of other clusters with the same names. Default: all objects may be in its clusters
 */
export function plannedResources(resources: readonly Resource[], cluster?: ClusterInPlan): PlannedResources {
  const here = cluster && objectsOf(cluster);
  const unapplied = cluster && unappliedIn(cluster);
  const plan = resources.flatMap((resource) => {
    const { origin, type, properties, propertyDependencies: dependencies, isRead } = resource;
    // Programs that only read a list of all rules remove none.
    if (isUndecidedRule(resource) || (isRead && type === TYPE.rulesExclusive)) return [];
    const known = knownOf(properties) as PlannedResource["properties"];
    const isElsewhere = here && isInOneCluster(type) && !here.has(nameOf(origin));
    const fault = isEgressFirewall(type)
      ? (unapplied?.get(nameOf(origin)) ?? rulesOfFirewall(resource).unapplied)
      : outOfForce(resource);
    return [
      {
        ...origin,
        type,
        properties: asPlanned(known, resource),
        ...(isElsewhere && { isElsewhere }),
        ...(dependencies && { dependencies }),
        ...(fault && { refused: `${fault.path}: ${fault.reason}` }),
      },
    ];
  });
  const doubtful = resources.filter(mayDeny).map(({ origin }) => nameOf(origin));
  return {
    plan,
    doubtful: doubtful.map((name) => `${name} may deny some packets: the plan does not know its rules yet`),
  };
}

const nameOf = ({ urn, file, line }: Origin): string => urn ?? `${file}:${line}`;

const isInOneCluster = (type: string): boolean =>
  isAnyNetworkPolicy(type) || isEgressFirewall(type) || isHostedCluster(type);

/** The names of the policies, egress firewalls and HostedClusters that apply to a cluster, as far as the plan tells. */
function objectsOf({ index, topology, configuredGroups }: ClusterInPlan): ReadonlySet<string> {
  const objects = [
    ...policiesOf(index, topology),
    ...administratorsOf(index, topology, isAdministratorsPolicy),
    ...surroundingsOf(index, topology, configuredGroups).namespaces.map(({ firewall }) => firewall),
    ...notElsewhere(topology.placement, index.ofKind(isHostedCluster)),
  ];
  return new Set(objects.flatMap(writtenAs));
}

/** Why the egress firewalls around a cluster are refused or not applied, which its release may decide. */
function unappliedIn({ index, topology, configuredGroups }: ClusterInPlan): ReadonlyMap<string, Unapplied> {
  const { namespaces } = surroundingsOf(index, topology, configuredGroups);
  return new Map(
    namespaces.flatMap((one) => {
      const { unapplied } = firewallRulesAt(one, topology);
      return unapplied ? writtenAs(one.firewall).map((name) => [name, unapplied] as const) : [];
    }),
  );
}

const writtenAs = ({ origin, versions = [origin] }: Resource): string[] => versions.map(nameOf);

function asPlanned(known: PlannedResource["properties"], { type, properties }: Resource) {
  if (isHostedCluster(type)) return withList(known, properties);
  return isPatch(type) ? withUnknown(known, properties) : known;
}

/** A HostedCluster with no other settings than the addresses that its load balancers allow: null if these are unknown, unlike none. */
function withList(known: PlannedResource["properties"], properties: Resource["properties"]) {
  const list = readValue(properties, `spec.${ALLOWED_LIST}`);
  const spec = list !== undefined && { networking: { apiServer: { allowedCIDRBlocks: knownOf(list) } } };
  return { ...known, spec: spec || {} };
}

/** Properties that a patch sets to unknown values are kept as null: it would leave those as they are that it does not state. */
function withUnknown(known: PlannedResource["properties"], { spec }: Resource["properties"]) {
  if (spec === undefined) return known;
  const unknown = isMap(spec) ? Object.fromEntries(Object.keys(spec).map((key) => [key, null])) : {};
  return { ...known, spec: isMap(spec) && known.spec ? { ...unknown, ...known.spec } : null };
}

/** What decides which packets a rule matches, except for addresses: an unknown address allows nothing. */
const DECIDING: ReadonlySet<string> = new Set([
  "protocol",
  "ipProtocol",
  "fromPort",
  "toPort",
  "icmpType",
  "icmpCode",
  "type",
  "policyTypes",
  "from",
  "to",
  "ports",
  "protocols",
  "ruleNo",
  "ruleNumber",
  "action",
  "ruleAction",
]);

/** Whether a rule, or a resource that is one, lacks a deciding value. Lists of rules are checked rule by rule. */
const isUndecided = (value: PropertyValue): boolean =>
  isMap(value) &&
  Object.entries(value).some(([key, part]) => DECIDING.has(key) && isUnsaid(part, isDenial(value)));

/** In a rule of a network ACL, `egress` is its direction; elsewhere it is a list of rules. */
const isUndecidedRule = ({ type, properties }: Resource): boolean =>
  isUndecided(properties) || (type === TYPE.networkAclRule && readFlag(properties, "egress") === UNKNOWN);

/** A known peer or port allows packets whatever is next to it; a denial must be known completely. */
const isUnsaid = (part: PropertyValue, ofDenial: boolean): boolean =>
  isList(part) && part.length > 0 && !ofDenial ? part.every(holdsUnknown) : holdsUnknown(part);

const isDenial = ({ action, type }: PropertyMap): boolean => (action ?? type) === "Deny";

/** Properties that name something, kept even if the value is unknown: the checker tells that from a value that is not given. */
const NAMING =
  /^((source|referenced)SecurityGroupId|securityGroups|prefixListIds?|(in|e)gressRuleIds|namespace)$/;

const ENDS = /^(from|to|ports|protocols)$/;

/** Lists of rules keep the positions of their entries, because paths name rules by position; peers and ports of rules do not. */
function knownOf(value: PropertyValue, unknown: unknown = null): unknown {
  if (value === UNKNOWN) return unknown;
  if (isUndecided(value)) return null;
  if (isList(value)) return value.map((one) => knownOf(one, unknown));
  if (!isMap(value)) return value;
  const known = Object.entries(value).filter(([key, part]) => part !== UNKNOWN || NAMING.test(key));
  return Object.fromEntries(
    known.map(([key, part]) => [
      key,
      ENDS.test(key) && isList(part)
        ? part.filter((one) => !holdsUnknown(one))
        : knownOf(part, NAMING.test(key) ? UNKNOWN_ID : null),
    ]),
  );
}

const ACL = /NetworkAcl(Rule)?$/;

/** Whether an ACL has unknown rules that may deny. */
function mayDeny(resource: Resource): boolean {
  const { type, properties } = resource;
  if (!ACL.test(type)) return false;
  if (type.endsWith("Rule"))
    return isDoubtful(properties) || (isUndecidedRule(resource) && !isCertainlyAllow(properties));
  return ["ingress", "egress"].some(
    (key) => properties[key] === UNKNOWN || entriesOf(properties[key]).some(isDoubtful),
  );
}

const isCertainlyAllow = ({ action, ruleAction }: PropertyMap): boolean => (action ?? ruleAction) === "allow";

const isDoubtful = (rule: PropertyValue): boolean =>
  (isGiven(rule) && !isMap(rule)) ||
  (isMap(rule) &&
    !isCertainlyAllow(rule) &&
    (isUndecided(rule) || [rule.cidrBlock, rule.ipv6CidrBlock].includes(UNKNOWN)));
