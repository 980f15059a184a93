import { grouped, onceIn } from "../collections";
import { describeReference, type DocumentReference } from "../requirements/documents";
import type { Requirement } from "../requirements/requirement";
import { secretsAt } from "../resources/secrets";
import { plural, withoutEnd } from "../text";
import {
  CODE,
  describeResource,
  type Finding,
  identityOf,
  type Judgement,
  type Level,
  Status,
} from "./finding";
import type { JudgedResources } from "./judgedResources";

export * from "./finding";

/** A correction of one value that changes its notation but not its meaning. */
export interface SafeCorrection {
  /** Path of the value, with `[]` for every entry of a list. */
  path: string;
  /** The corrected value; undefined if the value is right or the correction is uncertain. */
  correct: (value: string) => string | undefined;
}

/** One check. */
export interface Rule {
  /** Stable, in kebab case. */
  id: string;
  /** What is wrong if the rule finds something: shown as the heading above its findings. */
  title: string;
  level: Level;
  /** What is checked, and why it matters. */
  description: string;
  /** What else is checked, what is not, and what follows: a sentence or two each. Default: nothing. */
  details?: readonly string[];
  documents: readonly DocumentReference[];
  /** Selects the requirement rows that plans are checked against. Default: the rows under the headings of `documents`. */
  rows?: (row: Requirement) => boolean;
  /** The default fix, for findings without one of their own: one sentence. */
  remediation: string;
  /**
   * Whether a resource of this type can show a violation by itself: such a resource is refused before it is created.
   * Default: only the whole stack shows a violation.
   */
  single?: (type: string) => boolean;
  /**
   * Values of a resource of this type whose intended meaning is certain and whose correction does not change their effect.
   * Absent or empty: nothing is corrected automatically. Corrections are opt-in.
   */
  corrections?: (type: string) => readonly SafeCorrection[];
  /** Judges all resources. Never throws, whatever the properties are. */
  judge(judged: JudgedResources): Judgement[];
}

/** The description of a rule with its details, as one text. */
export const wholeDescription = ({
  description,
  details = [],
}: Pick<Rule, "description" | "details">): string => [description, ...details].join(" ");

/** A rule's remediation in the form of a finding's `fix`: lower case at the start, no full stop at the end. */
export const fixOf = ({ remediation }: Pick<Rule, "remediation">): string =>
  withoutEnd(remediation.charAt(0).toLowerCase() + remediation.slice(1), ".");

/** The findings of a rule, each once. */
export function findings(rule: Rule, judged: JudgedResources): Finding[] {
  const ofRule = fixOf(rule);
  const found = rule.judge(judged).map((judgement): Finding => {
    const { status, fix, documents, code, because: _, ...rest } = decidedBySecret(judgement) ?? judgement;
    return {
      rule: rule.id,
      code: code ?? (status === Status.Unknown ? CODE.unknown : rule.id),
      level: rule.level,
      status,
      fix: fix ?? ofRule,
      documents: documents ?? rule.documents.map(describeReference),
      ...rest,
    };
  });
  // Two objects in one file may have the same fault: the line distinguishes them.
  const keyOf = (finding: Finding) => `${finding.resource.line ?? ""} ${identityOf(finding)}`;
  return [...grouped(found, keyOf).values()].map((same) => same.reduce(ofBoth));
}

/** One finding about the flows of several clusters names none of them, so that it is not left out for any. */
function ofBoth({ cluster: ours, flow: flows = [] }: Finding, { cluster, ...other }: Finding): Finding {
  const flow = new Set([...flows, ...(other.flow ?? [])]);
  return {
    ...other,
    ...(cluster !== undefined && cluster === ours && { cluster }),
    ...(flow.size > 0 && { flow: [...flow] }),
  };
}

const SECRET_FIX =
  "remove the value from pulumi.secret or requireSecret, or accept the finding by an exemption with a reason";

/** The judgement for a value that is unknown because of a secret; undefined for any other. */
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

/**
 * An input that violates a rule and its corrected form, as YAML: Kubernetes objects, and resources of a stack with type, name and
 * properties. A document that is neither is a part of the spec of the examples' hosted cluster.
 */
export interface RuleExample {
  violated: string;
  mended: string;
  /** The hypershift-network.yaml for both, if the rule needs one. */
  configuration?: string;
}

/** An example in the list of rules: its correction is a whole input, or each wrong text of the violation with the right one. */
export interface ListedExample extends Omit<RuleExample, "mended"> {
  mended: string | Readonly<Record<string, string>>;
}

export const wholeExample = ({ violated, mended, ...rest }: ListedExample): RuleExample => ({
  violated,
  mended:
    typeof mended === "string"
      ? mended
      : Object.entries(mended).reduce((text, [wrong, right]) => text.replace(wrong, right), violated),
  ...rest,
});

/** An entry of the list of all rules: a rule with its example, or the reason why it has none. */
export type ListedRule = { rule: Rule } & (
  (ListedExample & { withoutExample?: undefined }) | { withoutExample: string }
);

/** How the examples' hosted cluster publishes its services on a platform; `strategies` replaces those of single services. */
export function servicesOn(platform: string, strategies: Readonly<Record<string, string>> = {}): string {
  const usual = {
    APIServer: "{ type: LoadBalancer }",
    OAuthServer: ROUTE,
    Konnectivity: ROUTE,
    Ignition: ROUTE,
  };
  const entries = Object.entries({ ...usual, ...strategies }).map(
    ([service, strategy]) => `  - { service: ${service}, servicePublishingStrategy: ${strategy} }\n`,
  );
  return `\nplatform: { type: ${platform} }\nservices:\n${entries.join("")}`;
}

const ROUTE = "{ type: Route }";

/** The security group of the control-plane hosts in examples, without rules. */
export const CONTROL_PLANE_GROUP = `
type: aws:ec2:SecurityGroup
name: hosts
properties:
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: control-plane }`;

/** The outbound rules that the control-plane hosts of the examples need. */
export const CONTROL_PLANE_EGRESS = `  egress:
    - { protocol: tcp, fromPort: 443, toPort: 443, cidrBlocks: [0.0.0.0/0] }
    - { protocol: tcp, fromPort: 6443, toPort: 6443, cidrBlocks: [0.0.0.0/0] }
    - { protocol: tcp, fromPort: 53, toPort: 53, cidrBlocks: [0.0.0.0/0] }
    - { protocol: udp, fromPort: 53, toPort: 53, cidrBlocks: [0.0.0.0/0] }
`;

/** The places of judgements, by resource. */
export function placesByResource(found: readonly Judgement[]): ReadonlyMap<Judgement["resource"], Places> {
  const places = new Map<Judgement["resource"], Places>();
  for (const { resource, path } of found) onceIn(places, resource, () => new Places()).add(path);
  return places;
}

/** Places in an object. There may be thousands, so another place is compared with all of them in one lookup. */
export class Places {
  readonly #all = new Set<string>();
  /** The places that enclose them. */
  readonly #around = new Set<string>();

  add(path: string): void {
    const place = plain(path);
    this.#all.add(place);
    for (const outer of outersOf(place)) this.#around.add(outer);
  }

  /** Whether this place is one of them. */
  has(path: string): boolean {
    return this.#all.has(plain(path));
  }

  /** Whether one of them is this place or lies in it. */
  haveIn(path: string): boolean {
    const place = plain(path);
    return this.#all.has(place) || this.#around.has(place);
  }

  /** Whether this place lies in one of them. */
  holds(path: string): boolean {
    return outersOf(plain(path)).some((outer) => this.#all.has(outer));
  }
}

/** `tags.a/b` for `tags["a/b"]`, which is the same place. */
const plain = (path: string): string => path.replaceAll(/\["([^"]*)"\]/g, ".$1");

/** `a` and `a.b` for `a.b[3]`. */
const outersOf = (place: string): string[] =>
  [...place.matchAll(/[.[]/g)].flatMap(({ index }) => (index === 0 ? [] : [place.slice(0, index)]));
