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
import { findings, Level, Status, type Finding, type Rule } from "../src/gate/rule";
import { visibleLines } from "../src/text";
import { Due, whileDue, type Policy } from "./due";
import { remediationOf } from "./remediation";
import { OF_EVERY_RESOURCE, type Session } from "./session";
import { VALUES_HIDDEN } from "./withoutValues";
import { noSuchRule } from "../src/gate/configuration";
import { isRecord } from "../src/collections";

/** The policies of the pack: the topology first, because it says what the others judge by. */
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

/** What the policy configuration calls every policy. */
const ALL = "all";

/** Where the hosted clusters are described, and whether that description is right. */
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
    },
  };
}

/** What the policy configuration may say of the policy `topology`. */
interface TopologySettings {
  configFile?: unknown;
  configuration?: unknown;
  levels?: unknown;
}

function twoConfigurations({ configFile, configuration }: TopologySettings): Fault[] {
  if (configFile === undefined || configuration === undefined) return [];
  const problem = "is set together with configFile, which holds";
  return [{ path: "configuration", problem, remedy: "write one of them" }];
}

function configure(session: Session, { configFile, configuration, levels }: TopologySettings): void {
  const applied = typeof levels === "object" && levels !== null ? levels : {};
  if (typeof configFile === "string" && configFile !== "") session.configure(configFile, { ...applied });
  else if (isRecord(configuration)) session.configure(configuration, { ...applied });
}

const SEVERITIES = { [Level.Error]: "high", [Level.Warning]: "medium", [Level.Note]: "low" } as const;

/** What a rule is on, in one word: the first one of its id. */
const groupOf = (id: string): string => id.slice(0, id.indexOf("-"));

function policyOf(rule: Rule, session: Session, due: Due): Policies[number] {
  const { id, title, level, description, documents, remediation, single } = rule;
  const grave = level === Level.Error;
  const url = documents.flatMap((document) => linkTo(document) ?? [])[0];
  const remediateResource = remediationOf(rule);
  const policy: Policy = {
    name: id,
    displayName: title,
    description: title,
    enforcementLevel: session.levels[id] ?? session.levels.all ?? (grave ? "mandatory" : "advisory"),
    severity: SEVERITIES[level],
    remediationSteps: `${remediation} ${description} (${documents.map(describeReference).join("; ")})`,
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
      // The engine enforces a policy as a whole: what is less grave than the rule is said beside it.
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

/** Whether a rule has something to report. One that fails has: the library says which policy failed where its function does. */
function hasNews(session: Session, rule: Rule): boolean {
  try {
    return session.found(rule)?.length !== 0;
  } catch {
    return true;
  }
}

/** Hands lines to the engine, which prints what it is given: names and keys of the stack are in them. */
function say(reportViolation: ReportViolation, lines: readonly string[], urn?: string): void {
  reportViolation(visibleLines(lines), urn);
}

/** Reports findings where they are; those of only a configuration file at the whole stack. */
function report(
  session: Session,
  found: readonly Finding[],
  reportViolation: ReportViolation,
  whole?: string,
): void {
  for (const finding of found) say(reportViolation, session.describe(finding), finding.resource.urn ?? whole);
}

/** What a report is about that is about no single resource. `pulumi policy analyze` ends in a panic where nothing is named. */
function wholeOf(resources: readonly PolicyResource[]): string | undefined {
  return (resources.find(({ type }) => type === "pulumi:pulumi:Stack") ?? resources[0])?.urn;
}

/** The engine takes every key in silence; a misspelt one would leave its author with a wrong idea of the gate. */
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

/** How many values the summary names. */
const NAMED = 10;

/** One line about what could not be judged, so that nothing passes in silence. */
function unknownValues(session: Session): StackValidationPolicy {
  return {
    name: "unknown-values",
    displayName: "Everything that is judged is known",
    description:
      "Counts the values that were not known, and that no rule could judge; says what a later release will take, which violates nothing yet.",
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

/** What the stack comes to for each hosted cluster with flows that are dropped, ahead of the findings about them. */
function flows(session: Session): Policies[number] {
  const policy: Policy = {
    name: "flows",
    displayName: "Every documented flow of the hosted clusters passes",
    description:
      "Counts the documented flows of each hosted cluster that are proved, assumed, unknown, refuted and exempted, where some are refuted.",
    enforcementLevel: "advisory",
    validateResource: () => undefined,
    validateStack: (args, reportViolation) => {
      refuseSettings("flows", args, [], reportViolation);
      for (const line of session.conclusions()) say(reportViolation, [line], wholeOf(args.resources));
    },
  };
  return whileDue(policy, { resource: () => false, stack: () => session.conclusions().length > 0 });
}

/** A line each about filters that stand outside all rules: a stack without findings is no praise of those. */
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

/** One line about findings that are accepted, and one about exemptions that nothing needs any more. */
function exemptions(session: Session): StackValidationPolicy {
  return {
    name: "exemptions",
    displayName: "Every exemption is needed",
    description:
      "Counts the findings that the configuration exempts, and names exemptions that take nothing out.",
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
