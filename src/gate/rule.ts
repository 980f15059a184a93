import type { DocumentReference } from "../requirements/documents";
import { describeReference } from "../requirements/documents";
import { plural } from "../text";
import {
  sourceOf,
  type Origin,
  type Resource,
  type UnknownPlace,
  type UnknownValue,
} from "../resources/resource";
import { holdsUnknown } from "../resources/places";
import { read } from "../resources/read";
import { secretsAt } from "../resources/secrets";
import type { JudgedResources } from "./judgedResources";

/** How grave a violation is: `error` stops a deployment by default, the others are remarks. */
export enum Level {
  Error = "error",
  Warning = "warning",
  Note = "note",
}

/** Whether something is wrong, or nobody can say because values are not known. */
export enum Status {
  Violated = "violated",
  Unknown = "unknown",
  /** Not known for good, because the value is a secret: no later run can tell, so it counts like a violation. */
  Secret = "unknown (secret)",
}

/** What one rule says about one place. */
export interface Finding {
  /** Id of the rule. */
  rule: string;
  /** What kind of finding it is, in one stable word: the rule's own id where it has one kind alone. */
  code: string;
  level: Level;
  status: Status;
  /** Where the resource was read; empty where a configuration file alone is at fault. */
  resource: Origin;
  /** The place in the resource or file: `ingress[1].cidrBlocks[0]`. */
  path: string;
  /** What is wrong, in one sentence with its values. */
  message: string;
  /** What to do about it. */
  fix: string;
  /** Id of the requirement row that demands it. */
  requirement?: string;
  /** Document and heading of each source. */
  documents: readonly string[];
  /** A concrete address or packet that shows it: `10.0.128.1 -> TCP 6443`. */
  witness?: string;
  /** Namespace and name of the hosted cluster whose flows these are. */
  cluster?: string;
  /** Keys of the documented flows that are refuted by it, as `prove` names them: `workers-konnectivity`. */
  flow?: readonly string[];
  /** The place on their way: `control-plane/ingress/konnectivity`. */
  hop?: string;
}

/** Codes of findings that say nothing of the rule: a value decides that is not known, or is a secret. */
export const CODE = { unknown: "unknown-value", secret: "secret-value" } as const;

/** What a rule's judgement adds to what the rule itself says. */
export interface Judgement extends Pick<Finding, "resource" | "path" | "message"> {
  status: Status;
  /** Where this one is less grave than the rule. */
  level?: Level;
  fix?: string;
  requirement?: string;
  documents?: readonly string[];
  witness?: string;
  code?: string;
  cluster?: string;
  flow?: readonly string[];
  hop?: string;
  /** Where the reason may stand for which nobody knows. */
  because?: readonly UnknownPlace[];
}

/** A mend of one value that changes how it is written, and not what it means. */
export interface SafeMend {
  /** Its place, with `[]` for every entry of a list. */
  path: string;
  /** The value as it has to be written; undefined where it is right, or where nobody can be sure. */
  mend: (value: string) => string | undefined;
}

/** One thing that is checked. */
export interface Rule {
  /** Stable, in kebab case. */
  id: string;
  /** What is wrong where it finds something: it is read above findings. */
  title: string;
  level: Level;
  /** What is looked at, what is not, and why it matters. */
  description: string;
  documents: readonly DocumentReference[];
  /** The way out where a finding knows no better one. */
  remediation: string;
  /**
   * Types of resources that can show a violation by themselves: those are refused before they are created. Absent: only
   * the whole shows one.
   */
  single?: (type: string) => boolean;
  /**
   * Values of a resource of that type that can be mended without a doubt about what was meant, and without changing what
   * they do. Absent or empty: nothing is mended by itself. Only who asks for it gets it.
   */
  mends?: (type: string) => readonly SafeMend[];
  /** Judges everything that there is. Never throws, whatever the properties are. */
  judge(judged: JudgedResources): Judgement[];
}

/** Something is wrong. */
export const violated = (judgement: Omit<Judgement, "status">): Judgement => ({
  ...judgement,
  status: Status.Violated,
});

/** Nobody can say, because a value is not known. */
export const unknown = ({ resource, path, reason, because }: UnknownValue): Judgement => ({
  status: Status.Unknown,
  resource: resource.origin,
  path,
  message: `${describeResource(resource)}: ${[path, reason].filter(Boolean).join(", ")}`,
  because: [{ resource, path }, ...(because ?? (reason === undefined ? around(resource, path) : []))],
});

/** Nobody can say where something stands or what it belongs to, for good: what a later run will know decides nothing yet. */
export const secretOnly = (place: UnknownPlace): Judgement[] =>
  secretsAt(place.resource, place.path).length > 0 ? [unknown(place)] : [];

/** What is around a place that is itself known, and stands for what decides beside it. */
function around(resource: Resource, path: string): UnknownPlace[] {
  if (!resource.secrets || read(resource.properties, path).some(({ value }) => holdsUnknown(value)))
    return [];
  const steps = path.split(".");
  return steps.map((_, at) => ({ resource, path: steps.slice(0, steps.length - 1 - at).join(".") }));
}

/** What a rule finds. */
export function findings(rule: Rule, judged: JudgedResources): Finding[] {
  const found = rule.judge(judged).map((judgement): Finding => {
    const { status, fix, documents, code, because: _, ...rest } = decidedBySecret(judgement) ?? judgement;
    return {
      rule: rule.id,
      code: code ?? (status === Status.Unknown ? CODE.unknown : rule.id),
      level: rule.level,
      status,
      fix: fix ?? rule.remediation,
      documents: documents ?? rule.documents.map(describeReference),
      ...rest,
    };
  });
  // Two objects of one file may have the same fault: their lines tell them apart.
  const keyOf = (finding: Finding) => `${finding.resource.line ?? ""} ${identityOf(finding)}`;
  return [...new Map(found.map((finding) => [keyOf(finding), finding])).values()];
}

const SECRET_FIX =
  "take the value out of pulumi.secret or requireSecret, or accept the finding by an exemption with a reason";

/** What is not known because of a secret, said as a finding; undefined for all else. */
function decidedBySecret({ because = [] }: Judgement): Judgement | undefined {
  for (const { resource, path } of because) {
    const [place, ...others] = secretsAt(resource, path);
    if (place === undefined) continue;
    const more = others.length > 0 ? `, and in ${plural(others.length, "more place")}` : "";
    return {
      status: Status.Secret,
      code: CODE.secret,
      resource: resource.origin,
      path: place.length > path.length ? place : path,
      message: `${Status.Secret} in ${describeResource(resource)}${more}`,
      fix: SECRET_FIX,
    };
  }
  return undefined;
}

/** What makes two findings the same. */
export const identityOf = ({ rule, status, resource, path, message }: Finding): string =>
  JSON.stringify([rule, status, sourceOf(resource) ?? "", path, message]);

/** How many documents a finding names for people. */
const NAMED = 3;

/** Where a finding is documented, for people: the first documents, and the command that names the rest. */
export function sourcesOf({ rule, documents }: Pick<Finding, "rule" | "documents">): string {
  const more = documents.length - NAMED;
  const named = documents.slice(0, NAMED).join("; ");
  return more > 0 ? `${named}; ${more} more by hypershift-network explain ${rule}` : named;
}

/** A finding as lines for people: what is wrong, the packet that shows it, where it is written, and the way out. */
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
  return `${type.slice(type.lastIndexOf(":") + 1)} ${name}`;
}
