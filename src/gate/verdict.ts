import type { Configuration, Enforcement } from "./configuration";
import { Exemptions, type ExemptedFinding, type Exemption } from "./exemptions";
import type { JudgedResources } from "./judgedResources";
import { findings, Level, type Finding, type Rule } from "./rule";
import type { Resource } from "../resources/resource";

/** Everything that the rules say about some resources, as the configuration wants it. */
export interface Verdict {
  /** At the levels of the configuration, in the order of the rules. */
  findings: Finding[];
  /** What exemptions took out. */
  exempted: ExemptedFinding[];
  /** Exemptions that took nothing out. */
  stale: Exemption[];
  /** The rules that were asked: those that are not disabled. */
  rules: Rule[];
}

/** How strictly a rule is enforced; undefined where the configuration says nothing. */
export const enforcementOf = (rule: string, levels: Configuration["levels"]): Enforcement | undefined =>
  levels[rule] ?? levels.all;

/** Asks every rule that the configuration does not disable. */
export function verdictOf(judged: JudgedResources, rules: readonly Rule[]): Verdict {
  const { levels, exemptions: configured = [] } = judged.configuration;
  const asked = rules.filter(({ id }) => enforcementOf(id, levels) !== "disabled");
  const exemptions = new Exemptions(configured);
  const resources = new Map<unknown, Resource>(judged.resources.map((one) => [one.origin, one]));
  const verdict: Verdict = { findings: [], exempted: [], stale: [], rules: asked };
  for (const rule of asked)
    for (const found of findings(rule, judged)) {
      const enforcement = enforcementOf(rule.id, levels);
      // What a rule calls less grave than itself is a remark, however strictly the rule is enforced.
      const level = found.level === rule.level ? levelOf(found.level, enforcement) : found.level;
      const finding = { ...found, level };
      const exemption = exemptions.of(finding, resources.get(finding.resource));
      if (exemption) verdict.exempted.push({ finding, exemption });
      else verdict.findings.push(finding);
    }
  const ids = new Set(asked.map(({ id }) => id));
  verdict.stale = exemptions.stale((rule) => ids.has(rule));
  return verdict;
}

/** A mandatory rule is an error, an advisory one none. */
function levelOf(level: Level, enforcement: Enforcement | undefined): Level {
  if (enforcement === "mandatory") return Level.Error;
  return enforcement === "advisory" && level === Level.Error ? Level.Warning : level;
}
