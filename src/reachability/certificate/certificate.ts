import { type Origin, type PropertyValue, type Resource, UNKNOWN } from "../../resources/resource";
import { blocksOf } from "../packets/print";
import type { PacketSet } from "../packets/packetSet";
import type { JudgedGuard, JudgedJourney } from "../path/judge";
import { Proof } from "../proof/prove";
import { entriesOf, holdsUnknown, isList, isMap, type PropertyMap } from "../../resources/read";
import type { PlannedResource } from "./check";

/** Packets as all combinations of these. */
export interface CertifiedBlock {
  /** Pairs of first and last: the number of the protocol times 65,536 and the port, or type and code of ICMP. */
  services: readonly (readonly [number, number])[];
  /** CIDR blocks. */
  sources: readonly string[];
  destinations: readonly string[];
}

/** A rule, and the packets for which it is the one that lets them pass. */
export interface CertifiedRule {
  /** Where it is written. Absent: no rule stops these packets, and what none stops passes. */
  rule?: Origin & { path: string };
  /** Addresses that are taken for those behind the security groups and prefix lists that the rule names. */
  assumed?: readonly string[];
  packets: readonly CertifiedBlock[];
}

/** A place that lets a flow pass, and why. */
export interface CertifiedPlace {
  /** What stands there: `security groups of workers`. */
  guard: string;
  /** Whether the packets themselves or the answers to them are meant. */
  packets: JudgedGuard["asked"];
  required: readonly CertifiedBlock[];
  rules: readonly CertifiedRule[];
}

/** A proved flow with all places on its way. */
export interface CertifiedFlow {
  journey: string;
  title: string;
  places: readonly CertifiedPlace[];
  /** What no plan shows, and what the proof says nothing of. */
  outside: readonly string[];
}

/** Why every proved flow of a cluster is open, in a form that a program can check without the engine that proved it. */
export interface Certificate {
  version: 1;
  /** Namespace and name of the hosted cluster. */
  cluster: string;
  flows: readonly CertifiedFlow[];
}

/** The certificate of all journeys that are proved. One of which no packet is asked at some place says nothing of a plan. */
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
  return { version: 1, cluster, flows: flows.filter(saysSomething) };
}

function placeOf({ guard, asked, required, verdict }: JudgedGuard): CertifiedPlace {
  const cover = verdict.proof === Proof.Proved ? verdict.cover : [];
  return {
    guard: guard.name,
    packets: asked,
    required: certified(required),
    rules: cover.map(({ clause, packets }) => ({
      ...(clause && { rule: { ...clause.resource.origin, path: clause.path } }),
      ...(clause?.assumed && { assumed: clause.assumed.map(({ text }) => text) }),
      packets: certified(packets),
    })),
  };
}

const certified = (set: PacketSet): CertifiedBlock[] =>
  blocksOf(set).map(({ services, sources, destinations }) => ({
    services: services.map(({ from, to }) => [from, to] as const),
    sources: sources.map(({ text }) => text),
    destinations: destinations.map(({ text }) => text),
  }));

/** A plan as the checker takes it. */
export interface PlannedResources {
  plan: PlannedResource[];
  /** Rules of network ACLs that may deny anything, one line each: the plan does not know yet what they deny. */
  doubtful: string[];
}

/**
 * The resources of a plan with their known values. A rule of which the plan does not know protocol, ports, order or who is meant
 * is not a rule: to the checker, what is left out of one stands for everything.
 */
export function plannedResources(resources: readonly Resource[]): PlannedResources {
  const plan = resources.flatMap((resource) => {
    const { origin, type, properties } = resource;
    if (isUndecided(properties)) return [];
    return [{ ...origin, type, properties: { ...(knownOf(properties) as Plain), ...aclOf(resource) } }];
  });
  const doubtful = resources
    .filter(mayDeny)
    .map(({ origin: { urn, file, line } }) => urn ?? `${file}:${line}`);
  return {
    plan,
    doubtful: doubtful.map((name) => `${name} may deny some of it: the plan does not know its rules yet`),
  };
}

/** Rules and their network ACL find each other by its URN as long as its id is unknown. */
function aclOf({ origin: { urn }, type, properties, propertyDependencies }: Resource): Plain {
  const [made, ...others] = propertyDependencies?.networkAclId ?? [];
  if (properties.networkAclId === UNKNOWN && others.length === 0) return { networkAclId: made };
  return type.endsWith("NetworkAcl") && typeof properties.id !== "string" ? { id: urn } : {};
}

type Plain = PlannedResource["properties"];

/** What decides which packets a rule is about, besides addresses: those that are not known let nothing pass. */
const DECIDING: ReadonlySet<string> = new Set([
  "protocol",
  "ipProtocol",
  "fromPort",
  "toPort",
  "icmpType",
  "icmpCode",
  "type",
  "egress",
  "from",
  "to",
  "ports",
  "protocols",
  "ruleNo",
  "ruleNumber",
  "action",
  "ruleAction",
]);

/** Whether a rule, or a resource that is one, lacks something that decides. Lists of rules have rules of their own. */
const isUndecided = (value: PropertyValue): boolean =>
  isMap(value) &&
  Object.entries(value).some(
    ([key, part]) =>
      DECIDING.has(key) && (key === "egress" ? part === UNKNOWN : isUnsaid(part, isDenial(value))),
  );

/** Each peer and port that is known lets packets pass whatever stands beside it; of what a denial is about, nothing may be missing. */
const isUnsaid = (part: PropertyValue, ofDenial: boolean): boolean =>
  isList(part) && part.length > 0 && !ofDenial ? part.every(holdsUnknown) : holdsUnknown(part);

const isDenial = ({ action, type }: PropertyMap): boolean => (action ?? type) === "Deny";

/** What names groups and prefix lists as peers: that it does is known before their ids are. Whom they hold, certificates say. */
const NAMING = /^((source|referenced)SecurityGroupId|securityGroups|prefixListIds?)$/;

const ENDS = /^(from|to|ports|protocols)$/;

/** Entries of lists keep their places: rules are named by them. Peers and ports of rules are not. */
function knownOf(value: PropertyValue): unknown {
  if (value === UNKNOWN || isUndecided(value)) return null;
  if (isList(value)) return value.map(knownOf);
  if (!isMap(value)) return value;
  const known = Object.entries(value).filter(([key, part]) => part !== UNKNOWN || NAMING.test(key));
  return Object.fromEntries(
    known.map(([key, part]) => [
      key,
      ENDS.test(key) && isList(part) ? part.filter((one) => !holdsUnknown(one)) : knownOf(part),
    ]),
  );
}

const ACL = /NetworkAcl(Rule)?$/;

/** Whether an ACL has unknown rules that are not known to allow. */
function mayDeny({ type, properties }: Resource): boolean {
  if (!ACL.test(type)) return false;
  if (type.endsWith("Rule")) return isDoubtful(properties);
  return ["ingress", "egress"].some(
    (key) => properties[key] === UNKNOWN || entriesOf(properties[key]).some(isDoubtful),
  );
}

const isDoubtful = (rule: PropertyValue): boolean =>
  rule === UNKNOWN ||
  (isMap(rule) &&
    (rule.action ?? rule.ruleAction) !== "allow" &&
    (isUndecided(rule) || [rule.cidrBlock, rule.ipv6CidrBlock].includes(UNKNOWN)));
