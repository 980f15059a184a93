import { type Origin, type PropertyValue, type Resource, UNKNOWN } from "../../resources/resource";
import { blocksOf } from "../packets/print";
import type { PacketSet } from "../packets/packetSet";
import type { JudgedGuard, JudgedJourney } from "../path/judge";
import { Proof } from "../proof/prove";
import { entriesOf, holdsUnknown, isList, isMap, type PropertyMap } from "../../resources/read";
import type { PlannedResource } from "./check";

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
  /** Where the rule is written. Absent: the packets pass because no rule stops them. */
  rule?: Origin & { path: string };
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
  version: 1;
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

/** A plan in the form that the checker accepts. */
export interface PlannedResources {
  plan: PlannedResource[];
  /** One line for each network ACL or ACL rule that may deny anything, because the plan does not know yet what it denies. */
  doubtful: string[];
}

/**
 * Returns the resources of a plan with their known values. Leaves out rules with an unknown protocol, port, order or peer, because
 * the checker takes a missing property to mean everything.
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
    doubtful: doubtful.map((name) => `${name} may deny some packets: the plan does not know its rules yet`),
  };
}

/** While the id of a network ACL is unknown, the ACL and its rules are matched by its URN. */
function aclOf({ origin: { urn }, type, properties, propertyDependencies }: Resource): Plain {
  const [made, ...others] = propertyDependencies?.networkAclId ?? [];
  if (properties.networkAclId === UNKNOWN && others.length === 0) return { networkAclId: made };
  return type.endsWith("NetworkAcl") && typeof properties.id !== "string" ? { id: urn } : {};
}

type Plain = PlannedResource["properties"];

/** What decides which packets a rule matches, except for addresses: an unknown address allows nothing. */
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

/** Whether a rule, or a resource that is one, lacks a deciding value. Lists of rules are checked rule by rule. */
const isUndecided = (value: PropertyValue): boolean =>
  isMap(value) &&
  Object.entries(value).some(
    ([key, part]) =>
      DECIDING.has(key) && (key === "egress" ? part === UNKNOWN : isUnsaid(part, isDenial(value))),
  );

/** A known peer or port allows packets whatever is next to it; a denial must be known completely. */
const isUnsaid = (part: PropertyValue, ofDenial: boolean): boolean =>
  isList(part) && part.length > 0 && !ofDenial ? part.every(holdsUnknown) : holdsUnknown(part);

const isDenial = ({ action, type }: PropertyMap): boolean => (action ?? type) === "Deny";

/** Properties that name groups and prefix lists as peers, kept even if the ids are unknown: the certificate states their addresses. */
const NAMING = /^((source|referenced)SecurityGroupId|securityGroups|prefixListIds?)$/;

const ENDS = /^(from|to|ports|protocols)$/;

/** Lists of rules keep the positions of their entries, because paths name rules by position; peers and ports of rules do not. */
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

/** Whether an ACL has unknown rules that may deny. */
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
