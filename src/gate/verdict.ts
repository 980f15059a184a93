import { resolve } from "node:path";
import type { JudgedResources } from "./judgedResources";
import {
  type Finding,
  findings,
  isWithoutReason,
  Level,
  type Places,
  placesByResource,
  type Rule,
  Status,
} from "./rule";
import {
  kindInType,
  nameInUrn,
  type PropertyValue,
  type Resource,
  typeInUrn,
  UNKNOWN,
} from "../resources/resource";
import { append, onceIn } from "../collections";
import { holdsUnknown, isMap, readText, stepsAlong } from "../resources/read";
import type { Configuration, Enforcement, Exemption } from "./configuration";

/** All findings of the rules about some resources, with the configuration applied. */
export interface Verdict {
  /** With the levels of the configuration, in the order of the rules. */
  findings: Finding[];
  /** Findings that exemptions removed. */
  exempted: ExemptedFinding[];
  /** Exemptions that removed nothing. */
  stale: Exemption[];
  /** The rules that ran: all that are not disabled. */
  rules: Rule[];
}

/** How strictly a rule is enforced; undefined if the configuration does not state it. */
export const enforcementOf = (rule: string, levels: Configuration["levels"]): Enforcement | undefined =>
  levels[rule] ?? levels.all;

/** Runs every rule that the configuration does not disable. */
export function verdictOf(judged: JudgedResources, rules: readonly Rule[]): Verdict {
  const { levels, exemptions: configured = [] } = judged.configuration;
  const asked = rules.filter(({ id }) => enforcementOf(id, levels) !== "disabled");
  const exemptions = new Exemptions(configured);
  const resources = new Map<unknown, Resource>(judged.resources.map((one) => [one.origin, one]));
  const verdict: Verdict = { findings: [], exempted: [], stale: [], rules: asked };
  for (const rule of asked)
    for (const found of findings(rule, judged)) {
      const enforcement = enforcementOf(rule.id, levels);
      // A finding that is less severe than its rule stays a remark, however strictly the rule is enforced.
      const level = found.level === rule.level ? levelOf(found.level, enforcement) : found.level;
      const finding = { ...found, level };
      const exemption = exemptions.of(finding, resources.get(finding.resource));
      if (exemption) verdict.exempted.push({ finding, exemption });
      else verdict.findings.push(finding);
    }
  verdict.findings = withoutMisread(verdict.findings, resources);
  const ids = new Set(asked.map(({ id }) => id));
  verdict.stale = exemptions.stale((rule) => ids.has(rule));
  return verdict;
}

function withoutMisread(found: Finding[], resources: ReadonlyMap<unknown, Resource>): Finding[] {
  const isOpen = ({ status }: Finding) => status === Status.Unknown;
  if (!found.some(isOpen)) return found;
  const wrong = placesByResource(found.filter(({ status }) => status === Status.Violated));
  return found.filter(
    (finding) =>
      !isOpen(finding) || !isMisread(finding, resources.get(finding.resource), wrong.get(finding.resource)),
  );
}

/**
 * Whether a value counts as unknown only because it cannot be read. Rules treat such a value as unknown; if one of them reports the
 * fault at that place, the report is enough.
 * @param wrong the places of the resource that violate a rule
 */
export const isMisread = (
  unknown: Pick<Finding, "message" | "path">,
  resource: Resource | undefined,
  wrong: Places | undefined,
): boolean =>
  wrong !== undefined &&
  resource !== undefined &&
  (wrong.has(unknown.path) || wrong.holds(unknown.path)) &&
  isWithoutReason(unknown, resource) &&
  !holdsUnknownAt(resource.properties, unknown.path);

/** Whether a value at a place, or on the path to it, is unknown. */
function holdsUnknownAt(properties: PropertyValue, path: string): boolean {
  let value: PropertyValue | undefined = properties;
  for (const step of stepsAlong(path)) {
    if (value === UNKNOWN) return true;
    if (typeof value !== "object" || value === null) return false;
    value = Object.hasOwn(value, step) ? (value as Readonly<Record<string, PropertyValue>>)[step] : undefined;
  }
  return holdsUnknown(value);
}

/** Findings of a mandatory rule are errors, those of an advisory rule are never errors. */
function levelOf(level: Level, enforcement: Enforcement | undefined): Level {
  if (enforcement === "mandatory") return Level.Error;
  return enforcement === "advisory" && level === Level.Error ? Level.Warning : level;
}

export type { Exemption };

/** A finding with the exemption that removes it. */
export interface ExemptedFinding {
  finding: Finding;
  exemption: Exemption;
}

/** The exemptions of one run. Remembers which of them were used. */
export class Exemptions {
  readonly #used = new Set<Exemption>();
  readonly #places: ReadonlyMap<Exemption, number>;
  /** Exemptions without a star, by rule and full name. */
  readonly #named = new Map<string, Exemption[]>();
  readonly #patterns = new Map<string, Patterns>();

  constructor(readonly all: readonly Exemption[]) {
    this.#places = new Map(all.map((exemption, place) => [exemption, place]));
    for (const exemption of all)
      if (exemption.resource.includes("*"))
        onceIn(this.#patterns, exemption.rule, () => new Patterns()).add(exemption);
      else append(this.#named, nameAt(exemption.rule, exemption.resource), [exemption]);
  }

  /**
   * The exemption that removes a finding; the first if several match.
   *
   * @param resource the resource of the finding, if known
   */
  of({ rule, resource: { urn, file, live } }: Finding, resource?: Resource): Exemption | undefined {
    const all = [urn, file, live, ...(urn === undefined ? [] : namesInUrn(urn)), ...namesOf(resource)];
    const names = [...new Set(all.filter((name) => name !== undefined))];
    const fitting = [...this.#matching(rule, names), ...this.#matching(rule, pathsOf(file)).filter(isPath)];
    for (const exemption of fitting) this.#used.add(exemption);
    return fitting.sort((a, b) => this.#places.get(a)! - this.#places.get(b)!)[0];
  }

  #matching(rule: string, names: readonly string[]): Exemption[] {
    return [
      ...names.flatMap((name) => this.#named.get(nameAt(rule, name)) ?? []),
      ...new Set(names.flatMap((name) => this.#patterns.get(rule)?.of(name) ?? [])),
    ];
  }

  /**
   * Exemptions that removed nothing: the finding or resource is fixed, renamed or gone.
   *
   * @param ran whether a rule ran at all; a disabled rule shows nothing about its exemptions
   */
  stale(ran: (rule: string) => boolean): Exemption[] {
    return this.all.filter((exemption) => ran(exemption.rule) && !this.#used.has(exemption));
  }
}

/** Exemptions of one rule with stars, indexed by the text before the first star and the text after the last star. */
class Patterns {
  /** By the lengths of the two texts, then by the texts. */
  readonly #byEnds = new Map<string, { first: number; last: number; found: Map<string, Pattern[]> }>();

  add(exemption: Exemption): void {
    const { resource } = exemption;
    const [first, last] = [resource.indexOf("*"), resource.length - resource.lastIndexOf("*") - 1];
    const here = onceIn(this.#byEnds, `${first} ${last}`, () => ({
      first,
      last,
      found: new Map<string, Pattern[]>(),
    }));
    append(here.found, endsOf(resource, first, last), [{ exemption, isMeant: globOf(resource) }]);
  }

  /** The exemptions whose pattern matches a name. */
  of(name: string): Exemption[] {
    return [...this.#byEnds.values()].flatMap(({ first, last, found }) =>
      (found.get(endsOf(name, first, last)) ?? []).flatMap(({ exemption, isMeant }) =>
        isMeant(name) ? exemption : [],
      ),
    );
  }
}

const endsOf = (text: string, first: number, last: number): string =>
  `${text.slice(0, first)}\n${last === 0 ? "" : text.slice(-last)}`;

interface Pattern {
  exemption: Exemption;
  isMeant: (name: string) => boolean;
}

const nameAt = (rule: string, name: string): string => `${rule}\n${name}`;

/** Other ways to write a file: `./a.yaml` and the whole path. */
const pathsOf = (file: string | undefined): string[] =>
  file === undefined ? [] : [`./${file}`, resolve(file)];

// With more stars, it may mean names of objects, and `*prod*` must not match the folder in which a command runs.
/** Whether an exemption writes a path in one of these ways, or only its end, after a star and a slash. */
const isPath = ({ resource }: Exemption): boolean => /^(\.?\/|\*\/[^*]+$)/.test(resource);

/** `hosts` and `SecurityGroup/hosts` */
function namesInUrn(urn: string): string[] {
  const [name, type] = [nameInUrn(urn), typeInUrn(urn)];
  return [name, `${kindInType(type)}/${name}`];
}

/** `web`, `Service/web` and `Service/team/web` */
function namesOf(resource: Resource | undefined): string[] {
  if (!resource) return [];
  const { type, name, properties } = resource;
  const kind = kindInType(type);
  const metadata = isMap(properties.metadata) ? properties.metadata : {};
  const object = readText(metadata, "name");
  const namespace = readText(metadata, "namespace");
  const names = [name, ...(typeof object === "string" ? [object] : [])];
  return names.flatMap((one) => [
    one,
    `${kind}/${one}`,
    ...(typeof namespace === "string" ? [`${kind}/${namespace}/${one}`] : []),
  ]);
}

/** The message for a stale exemption. */
export function describeStale({ path, rule, resource }: Exemption): string {
  return `${path}: ${rule} finds nothing at ${resource}: remove the exemption`;
}

/**
 * Whether a whole name matches a pattern in which a star stands for any text. URNs hold slashes, brackets and dollars, so no other
 * character is special. Each part between stars is searched once, after the previous part: a regular expression would try all combinations.
 */
export function globOf(glob: string): (name: string) => boolean {
  const [first = "", ...rest] = glob.split(/\*+/);
  const last = rest.pop();
  if (last === undefined) return (name) => name === glob;
  return (name) => {
    if (!name.startsWith(first) || !name.endsWith(last)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= name.length - last.length;
  };
}
