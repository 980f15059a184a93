import type {
  Policies,
  PolicyResource,
  ReportViolation,
  StackValidationArgs,
  StackValidationPolicy,
} from "@pulumi/policy";

import { faultLines, type Fault } from "../src/fault";
import { describeReference, linkTo } from "../src/requirements/documents";
import { rules } from "../src/rules";
import { findings, Level, Status, wholeDescription, type Finding, type Rule } from "../src/gate/rule";
import { visibleLines } from "../src/text";
import { Due, whileDue, type Policy } from "./due";
import { remediationOf } from "./remediation";
import { OF_EVERY_RESOURCE, type Session } from "./session";
import { VALUES_HIDDEN } from "./withoutValues";
import { noSuchRule } from "../src/gate/configuration";
import { isRecord } from "../src/collections";

/** The policies of the pack: `topology` first, because the others depend on its configuration. */
export function policies(session: Session): Policies {
  const due = new Due(rules);
  const others: Policies = [
    flows(session),
    ...rules.map((rule) => policyOf(rule, session, due)),
    exemptions(session),
    coveragePolicy(session),
    unknownValues(session),
  ];
  return [topology(session, due, others), ...others];
}

/** The name for all policies in the policy configuration. */
const ALL = "all";

/** The policy that reads the description of the hosted clusters and reports its faults. */
function topology(session: Session, due: Due, others: Policies): Policy {
  const name = OF_EVERY_RESOURCE;
  const known = [name, ...others.map((other) => other.name), ALL];
  return {
    name,
    displayName: "Configuration of the hosted clusters is invalid",
    description:
      "Names the file that describes the hosted clusters, hypershift-network.yaml, as configFile, or contains its content as configuration, and refuses mistakes in it.",
    enforcementLevel: "mandatory",
    configSchema: {
      properties: {
        configFile: { type: "string", description: "Path of hypershift-network.yaml." },
        configuration: {
          type: "object",
          description: "The content of hypershift-network.yaml, for policy groups without such a file.",
        },
        levels: {
          type: "object",
          description: "The levels of that file, as hypershift-network policy-config writes them.",
        },
      },
    },
    validateResource: (args) => {
      due.meet(args.type);
      configure(session, args.getConfig());
      session.remember(name, args);
    },
    validateStack: (args, reportViolation) => {
      configure(session, args.getConfig());
      refuseSettings(name, args, ["configFile", "configuration", "levels"], reportViolation);
      refuse(twoConfigurations(args.getConfig()), args, reportViolation);
      const strange = session.configuredNames.filter((one) => !known.includes(one));
      refuse(
        strange.map((one) => noSuchRule(one, known, one)),
        args,
        reportViolation,
      );
      if (session.faults.length > 0)
        say(reportViolation, faultLines("hypershift-network.yaml", session.faults), wholeOf(args.resources));
      session.show(args.resources);
      const contradictions = session.contradictions();
      if (contradictions.length > 0)
        say(reportViolation, faultLines("hypershift-network.yaml", contradictions), wholeOf(args.resources));
    },
  };
}

/** Settings of the policy `topology` in the policy configuration. */
interface TopologySettings {
  configFile?: unknown;
  configuration?: unknown;
  levels?: unknown;
}

function twoConfigurations({ configFile, configuration }: TopologySettings): Fault[] {
  if (configFile === undefined || configuration === undefined) return [];
  const problem = "is set together with configFile, which takes precedence";
  return [{ path: "configuration", problem, remedy: "write one of them" }];
}

function configure(session: Session, { configFile, configuration, levels }: TopologySettings): void {
  const applied = typeof levels === "object" && levels !== null ? levels : {};
  if (typeof configFile === "string" && configFile !== "") session.configure(configFile, { ...applied });
  else if (isRecord(configuration)) session.configure(configuration, { ...applied });
}

const SEVERITIES = { [Level.Error]: "high", [Level.Warning]: "medium", [Level.Note]: "low" } as const;

/** The subject of a rule: the first word of its id. */
const groupOf = (id: string): string => id.slice(0, id.indexOf("-"));

function policyOf(rule: Rule, session: Session, due: Due): Policies[number] {
  const { id, title, level, documents, remediation, single } = rule;
  const grave = level === Level.Error;
  const url = documents.flatMap((document) => linkTo(document) ?? [])[0];
  const remediateResource = remediationOf(rule);
  const policy: Policy = {
    name: id,
    displayName: title,
    description: title,
    enforcementLevel: session.levels[id] ?? session.levels.all ?? (grave ? "mandatory" : "advisory"),
    severity: SEVERITIES[level],
    remediationSteps: `${remediation} ${wholeDescription(rule)} (${documents.map(describeReference).join("; ")})`,
    tags: ["hypershift-network", groupOf(id)],
    ...(url && { url }),
    ...(remediateResource && { remediateResource }),
    validateResource: (args, reportViolation) => {
      if (due.settings(id) && strangeSettings(args.getConfig(), []).length === 0) due.acceptSettings(id);
      if (!single?.(args.type)) return;
      const found = findings(rule, session.single(session.remember(id, args)));
      const own = found.filter(
        ({ resource, status }) => resource.urn === args.urn && status !== Status.Unknown,
      );
      report(session, session.news(id, own), reportViolation);
    },
    validateStack: (args, reportViolation) => {
      refuseSettings(id, args, [], reportViolation);
      const news = session.found(rule) ?? session.foundIn(rule, session.stack(id, args.resources));
      // The engine enforces a policy as a whole, so findings that are less severe than the rule are reported separately.
      session.remark(news.filter(({ level: own }) => own !== level));
      report(
        session,
        news.filter(({ level: own }) => own === level),
        reportViolation,
        wholeOf(args.resources),
      );
    },
  };
  return whileDue(policy, {
    resource: () => (due.begun ? due.settings(id) || due.single(id) : single !== undefined),
    stack: () => due.settings(id) || hasNews(session, rule),
  });
}

/** Whether a rule has something to report. A rule that throws has, so that the library reports which policy failed. */
function hasNews(session: Session, rule: Rule): boolean {
  try {
    return session.found(rule)?.length !== 0;
  } catch {
    return true;
  }
}

/** Passes lines to the engine, made safe to print: they contain names and keys of the stack, and the engine prints them as they are. */
function say(reportViolation: ReportViolation, lines: readonly string[], urn?: string): void {
  reportViolation(visibleLines(lines), urn);
}

/** Reports findings at their resources; findings about a configuration file are reported at the whole stack. */
function report(
  session: Session,
  found: readonly Finding[],
  reportViolation: ReportViolation,
  whole?: string,
): void {
  for (const finding of found) say(reportViolation, session.describe(finding), finding.resource.urn ?? whole);
}

/** The URN for reports about no single resource. `pulumi policy analyze` panics if a report names no resource. */
function wholeOf(resources: readonly PolicyResource[]): string | undefined {
  return (resources.find(({ type }) => type === "pulumi:pulumi:Stack") ?? resources[0])?.urn;
}

/** Reports unknown settings. The engine silently accepts every key, so a misspelt one would have no effect unnoticed. */
function refuseSettings(
  policy: string,
  args: StackValidationArgs,
  known: readonly string[],
  reportViolation: ReportViolation,
): void {
  const faults = strangeSettings(args.getConfig(), known).map((key) => ({
    path: `${policy}.${key}`,
    problem: "no such setting",
    remedy: `write enforcementLevel${known.map((name) => ` or ${name}`).join("")}`,
  }));
  refuse(faults, args, reportViolation);
}

function refuse(faults: readonly Fault[], args: StackValidationArgs, reportViolation: ReportViolation): void {
  if (faults.length > 0)
    say(reportViolation, faultLines("policy configuration", faults), wholeOf(args.resources));
}

const strangeSettings = (settings: Readonly<Record<string, unknown>>, known: readonly string[]): string[] =>
  Object.keys(settings).filter((key) => !known.includes(key));

/** The maximum number of values in the summary. */
const NAMED = 10;

/** The policy that summarizes in one line what could not be judged, so that nothing passes silently. */
function unknownValues(session: Session): StackValidationPolicy {
  return {
    name: "unknown-values",
    displayName: "Everything that is judged is known",
    description:
      "Counts the values that were unknown, so that no rule could judge them, and lists findings that violate nothing yet, such as conflicts with a later release.",
    enforcementLevel: "advisory",
    validateStack: (args, reportViolation) => {
      refuseSettings("unknown-values", args, [], reportViolation);
      const whole = wholeOf(args.resources);
      if (session.hidesValues) say(reportViolation, [VALUES_HIDDEN], whole);
      const values = session.takeUnknown();
      if (values.length > 0) say(reportViolation, [describeUnknown(values)], whole);
      for (const remark of session.takeRemarks()) {
        const [first = "", ...lines] = session.describe(remark);
        const said = [`${remark.rule}, no violation yet: ${first}`, ...lines];
        say(reportViolation, said, remark.resource.urn ?? whole);
      }
    },
  };
}

/** The policy that states the conclusion for each hosted cluster with refuted flows, ahead of the findings about them. */
function flows(session: Session): Policies[number] {
  const policy: Policy = {
    name: "flows",
    displayName: "Every documented flow of the hosted clusters passes",
    description:
      "Counts the documented flows of each hosted cluster that are proved, assumed, unknown, refuted and exempted, if some are refuted.",
    enforcementLevel: "advisory",
    validateResource: () => undefined,
    validateStack: (args, reportViolation) => {
      refuseSettings("flows", args, [], reportViolation);
      for (const line of session.conclusions()) say(reportViolation, [line], wholeOf(args.resources));
    },
  };
  return whileDue(policy, { resource: () => false, stack: () => session.conclusions().length > 0 });
}

/** The policy that lists filters that no rule judges: a stack without findings does not vouch for them. */
function coveragePolicy(session: Session): StackValidationPolicy {
  return {
    name: "not-judged",
    displayName: "Filter is not judged by any rule",
    description:
      "Lists security groups and other filters that no rule judges in a stack with a hosted cluster.",
    enforcementLevel: "advisory",
    validateStack: (args, reportViolation) => {
      refuseSettings("not-judged", args, [], reportViolation);
      for (const note of session.coverageGaps(args.resources))
        say(reportViolation, [note], wholeOf(args.resources));
    },
  };
}

/** The policy that lists accepted findings, and exemptions that are no longer needed. */
function exemptions(session: Session): StackValidationPolicy {
  return {
    name: "exemptions",
    displayName: "Every exemption is needed",
    description:
      "Counts the findings that the configuration exempts, and lists exemptions that match no finding.",
    enforcementLevel: "advisory",
    validateStack: (args, reportViolation) => {
      refuseSettings("exemptions", args, [], reportViolation);
      const whole = wholeOf(args.resources);
      const { exempted, stale } = session.takeExemptions();
      const accepted =
        exempted.length === 1 ? "1 finding is accepted" : `${exempted.length} findings are accepted`;
      if (exempted.length > 0)
        say(reportViolation, [`${accepted}:`, ...exempted.map((text) => `  ${text}`)], whole);
      if (stale.length > 0) say(reportViolation, ["stale:", ...stale.map((text) => `  ${text}`)], whole);
    },
  };
}

/** `3 values were unknown and not judged: ...` */
export function describeUnknown(values: readonly string[]): string {
  const count = values.length === 1 ? "1 value was" : `${values.length} values were`;
  const rest = values.length > NAMED ? ` and ${values.length - NAMED} more` : "";
  return `${count} unknown and not judged: ${values.slice(0, NAMED).join("; ")}${rest}`;
}
