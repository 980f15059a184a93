import {
  type Origin,
  type Resource,
  sourceOf,
  type UnknownPlace,
  type UnknownValue,
  kindInType,
} from "../resources/resource";
import type { Fault } from "../fault";
import { holdsUnknown, read } from "../resources/read";
import { reasonOf } from "../resources/oneObject";
import { secretsAt } from "../resources/secrets";
import { firstHost, overlap, type Prefix, readPrefix } from "../address";
import { DOCUMENTATION } from "../requirements/implicitRanges";
import type { PortRange } from "../requirements/requirement";
import { Role, Zone } from "../requirements/vocabulary";
import { firstOf } from "../text";

/** Severity of a violation: `error` stops a deployment by default, the other levels are remarks. */
export enum Level {
  Error = "error",
  Warning = "warning",
  Note = "note",
}

/** Whether a rule is violated, or cannot be judged because values are unknown. */
export enum Status {
  Violated = "violated",
  Unknown = "unknown",
  /** Unknown permanently, because the value is a secret: no later run can judge it, so it counts as a violation. */
  Secret = "unknown (secret)",
}

/** What one rule reports about one place. */
export interface Finding {
  /** Id of the rule. */
  rule: string;
  /** The kind of finding, as a stable word: the id of the rule if the rule has only one kind. */
  code: string;
  level: Level;
  status: Status;
  /** Where the resource was read; empty if only a configuration file is at fault. */
  resource: Origin;
  /** The place in the resource or file: `ingress[1].cidrBlocks[0]`. */
  path: string;
  /** What is wrong, in one sentence with its values. */
  message: string;
  /** What to do about it. */
  fix: string;
  /** Id of the requirement row behind the finding. */
  requirement?: string;
  /** Document and heading of each source. */
  documents: readonly string[];
  /** A concrete address or packet that demonstrates the finding: `10.0.128.1 -> TCP 6443`. */
  witness?: string;
  /** The key of the hosted cluster whose flows are affected. */
  cluster?: string;
  /** Keys of the documented flows that the finding refutes, as `prove` names them: `workers-konnectivity`. */
  flow?: readonly string[];
  /** The hop of those flows: `control-plane/ingress/konnectivity`. */
  hop?: string;
}

/** Codes of findings that leave the rule undecided, because the value that decides is unknown or a secret. */
export const CODE = { unknown: "unknown-value", secret: "secret-value" } as const;

/** A rule's result for one place. Optional fields override or extend what the rule itself states. */
export interface Judgement extends Pick<Finding, "resource" | "path" | "message"> {
  status: Status;
  /** Set if this judgement is less severe than the rule. */
  level?: Level;
  fix?: string;
  requirement?: string;
  documents?: readonly string[];
  witness?: string;
  code?: string;
  cluster?: string;
  flow?: readonly string[];
  hop?: string;
  /** Places that may be why the result is unknown. */
  because?: readonly UnknownPlace[];
}

/** A judgement that the rule is violated. */
export const violated = (judgement: Omit<Judgement, "status">): Judgement => ({
  ...judgement,
  status: Status.Violated,
});

/** The violation for a fault of a resource. `more` adds to it, or replaces its words. */
export const violatedBy = (
  { origin: resource }: Resource,
  { path, problem, remedy }: Pick<Fault, "path" | "problem" | "remedy">,
  more?: Partial<Judgement> | false,
): Judgement => violated({ resource, path, message: problem, fix: remedy, ...more });

/** A judgement that the rule cannot decide, because a value is unknown. */
export const unknown = ({ resource, path, reason, because }: UnknownValue): Judgement => ({
  status: Status.Unknown,
  resource: resource.origin,
  path,
  message: unknownText(resource, path, reasonOf({ resource, ...(reason !== undefined && { reason }) })),
  because: [{ resource, path }, ...(because ?? (reason === undefined ? around(resource, path) : []))],
});

/** An unknown judgement only if the place holds a secret: a value that a later run will know is not reported yet. */
export const secretOnly = (place: UnknownPlace): Judgement[] =>
  secretsAt(place.resource, place.path).length > 0 ? [unknown(place)] : [];

/** Whether a finding about an unknown value states only its place, without a reason. */
export const isWithoutReason = ({ message, path }: Pick<Finding, "message" | "path">, resource: Resource) =>
  message === unknownText(resource, path);

const unknownText = (resource: Resource, path: string, reason?: string): string =>
  `${describeResource(resource)}: ${[path, reason].filter(Boolean).join(", ")}`;

/** The places that enclose a known place: the unknown value that decides may be next to it. */
function around(resource: Resource, path: string): UnknownPlace[] {
  if (!resource.secrets || read(resource.properties, path).some(({ value }) => holdsUnknown(value)))
    return [];
  const steps = path.split(".");
  return steps.map((_, at) => ({ resource, path: steps.slice(0, steps.length - 1 - at).join(".") }));
}

/** A key that is equal for identical findings. */
export const identityOf = ({ rule, status, resource, path, message }: Finding): string =>
  JSON.stringify([rule, status, sourceOf(resource) ?? "", path, message]);

/** How many documents are listed for people. */
const NAMED = 3;

/** The documents of a finding as text for people: the first ones, and the command that lists the rest. */
export function sourcesOf({ rule, documents }: Pick<Finding, "rule" | "documents">): string {
  const more = documents.length - NAMED;
  const named = documents.slice(0, NAMED).join("; ");
  return more > 0 ? `${named}; ${more} more: see hypershift-network explain ${rule}` : named;
}

/** A finding as lines for people: the fault, an example packet, the documents, and the fix. */
export function describeFinding(finding: Finding): string[] {
  const { path, message, witness, fix, status } = finding;
  if (status === Status.Unknown) return [message];
  return [
    `${path === "" ? "" : `${path}: `}${message}`,
    ...(witness === undefined ? [] : [`  for example  ${witness}`]),
    `  documented   ${sourcesOf(finding)}`,
    `  fix          ${fix}`,
  ];
}

/** `SecurityGroup control-plane` */
export function describeResource({ type, name }: Resource): string {
  return `${kindInType(type)} ${name}`;
}

/** `6443`, `30000-32767`, `every port`. */
export function portText(ports: PortRange | undefined): string {
  if (!ports) return "every port";
  return ports.from === ports.to ? `${ports.from}` : `${ports.from}-${ports.to}`;
}

/** CIDR blocks for a sentence, limited to the first few. */
export const prefixText = (prefixes: readonly Prefix[], most = 3): string =>
  firstOf(
    prefixes.map(({ text }) => text),
    most,
  );

/** An address that a host can have: from the documentation range if the block is wider than that range and contains it. */
export function exampleHost(block: Prefix): string {
  const documentation = readPrefix(DOCUMENTATION[block.family])!;
  const isWide = block.length < documentation.length && overlap(block, documentation);
  return firstHost(isWide ? documentation : block).text;
}

/** The hosts of a role, as the subject of a sentence. */
export const HOSTS: Readonly<Record<Role, string>> = {
  [Role.ControlPlane]: "control-plane hosts",
  [Role.Workers]: "workers",
  [Role.PrivateEndpoint]: "the private endpoint",
};

/** The other end of a flow in a sentence. */
export function zoneText(zone: Zone): string {
  return zoneNames[zone] ?? zone.replaceAll("-", " ");
}

const zoneNames: Readonly<Partial<Record<Zone, string>>> = {
  [Zone.Workers]: "workers",
  [Zone.ExternalClients]: "external clients",
  [Zone.ManagementApi]: "the management cluster's API",
  [Zone.LoadBalancers]: "load balancers",
  [Zone.DnsServers]: "DNS servers",
  [Zone.ContainerRegistry]: "container registries",
  [Zone.ExternalHttps]: "HTTPS services outside",
  [Zone.ControlPlane]: "the control plane",
  [Zone.Routes]: "routes",
  [Zone.MachineNetwork]: "the machine network",
  [Zone.SameSecurityGroup]: "hosts of the same group",
};
