import { onceIn } from "../collections";
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

/** A correction of one value that changes how it is written, and not what it means. */
export interface SafeCorrection {
  /** Its place, with `[]` for every entry of a list. */
  path: string;
  /** The value as it has to be written; undefined where it is right, or where that is uncertain. */
  correct: (value: string) => string | undefined;
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
  /** The requirement rows that plans are held against. Absent: those that stand under the headings of `documents`. */
  rows?: (row: Requirement) => boolean;
  /** The way out where a finding knows no better one: one sentence. */
  remediation: string;
  /**
   * Types of resources that can show a violation by themselves: those are refused before they are created. Absent: only
   * the whole shows one.
   */
  single?: (type: string) => boolean;
  /**
   * Values of a resource of that type that can be corrected without a doubt about what was meant, and without changing what
   * they do. Absent or empty: nothing is corrected automatically. The user has to ask for it.
   */
  corrections?: (type: string) => readonly SafeCorrection[];
  /** Judges everything that there is. Never throws, whatever the properties are. */
  judge(judged: JudgedResources): Judgement[];
}

/** A rule's way out as findings write theirs: a sentence goes on behind a word, and ends with the line. */
export const fixOf = ({ remediation }: Pick<Rule, "remediation">): string =>
  withoutEnd(remediation.charAt(0).toLowerCase() + remediation.slice(1), ".");

/** What a rule finds. */
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
  // Two objects of one file may have the same fault: their lines tell them apart.
  const keyOf = (finding: Finding) => `${finding.resource.line ?? ""} ${identityOf(finding)}`;
  return [...new Map(found.map((finding) => [keyOf(finding), finding])).values()];
}

const SECRET_FIX =
  "remove the value from pulumi.secret or requireSecret, or accept the finding by an exemption with a reason";

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

/**
 * What a rule finds, and what it takes, as YAML: objects of Kubernetes, and resources of a stack with type, name and properties.
 * A document that is neither is a part of the spec of the hosted cluster of the examples.
 */
export interface RuleExample {
  violated: string;
  mended: string;
  /** The hypershift-network.yaml beside both, where the rule needs one. */
  configuration?: string;
}

/** A rule in the list of all, with its example or why it has none. */
export type ListedRule = { rule: Rule } & (
  (RuleExample & { withoutExample?: undefined }) | { withoutExample: string }
);

/** The places of which judgements speak, by the resource that has them. */
export function placesByResource(found: readonly Judgement[]): ReadonlyMap<Judgement["resource"], Places> {
  const places = new Map<Judgement["resource"], Places>();
  for (const { resource, path } of found) onceIn(places, resource, () => new Places()).add(path);
  return places;
}

/** Places of an object. One may have thousands, and others are held against all of them at once. */
export class Places {
  readonly #all = new Set<string>();
  /** What holds them. */
  readonly #around = new Set<string>();

  add(path: string): void {
    const place = plain(path);
    this.#all.add(place);
    for (const outer of outersOf(place)) this.#around.add(outer);
  }

  /** Whether one of them is this place. */
  has(path: string): boolean {
    return this.#all.has(plain(path));
  }

  /** Whether one of them is this place, or lies in it. */
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
