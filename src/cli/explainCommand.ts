import {
  describePacketExplanation,
  describeRuleExplanation,
  describeWrittenExplanation,
  explainPacket,
  explainRule,
  explainWritten,
  readPacketQuery,
} from "../reachability/answers";
import { paragraphs } from "../paragraphs";
import { describeResource, rules, type JudgedResources, type Rule } from "../rules";
import { exampleOf, type RuleExample } from "../rules/examples";
import { jsonDocument } from "../visible";
import type { Loaded } from "./commands";
import { configurationOf, orUnusable, planOf, Unusable, wholeClusters, type WholeCluster } from "./plans";
import { CLEAN, textOfLines, type Terminal } from "./terminal";

/** An answer as lines for people, and the same for programs. */
interface Answer {
  lines: string[];
  data: object;
}

/** `hypershift-network explain PORT|RULE|RESOURCE [PATH...]` */
export const explainCommand: Loaded = ([word = "", ...paths], options, terminal) =>
  orUnusable(terminal, async () => {
    const rule = rules.find(({ id }) => id === word);
    const answers = rule ? [ruleAnswer(rule)] : await explainInPlan(word, paths, options, terminal);
    terminal.out(
      options.format === "json"
        ? jsonDocument({ version: 1, explanations: answers.map(({ data }) => data) })
        : textOfLines(paragraphs(answers.map(({ lines }) => lines))),
    );
    return CLEAN;
  });

async function explainInPlan(
  word: string,
  paths: readonly string[],
  options: Parameters<Loaded>[1],
  terminal: Terminal,
): Promise<Answer[]> {
  const { cluster } = options;
  const configuration = configurationOf(options, paths, terminal);
  const plan = await planOf(paths, configuration, terminal);
  const clusters = plan.clusters.length > 0 || cluster !== undefined ? wholeClusters(plan, cluster) : [];
  const query = readPacketQuery(word);
  if (query)
    return clusters.length === 0
      ? [answer(explainPacket(query), describePacketExplanation)]
      : clusters.map(({ topology }) => answer(explainPacket(query, topology), describePacketExplanation));
  const resources = plan.resources.filter(({ name, origin }) => name === word || origin.urn === word);
  if (resources.length === 0)
    throw new Unusable([
      `hypershift-network explain: ${word} is no packet (6443, udp/53, "10.0.0.5 -> 10.1.0.9, TCP 443"), no rule of the gate and no resource of the plan`,
    ]);
  const known = clusters.length > 0 ? clusters : wholeClusters(plan);
  return resources.flatMap((resource) => known.map((one) => written(plan, one, resource)));
}

function written(
  { index, configuredGroups: configured }: JudgedResources,
  { key, topology }: WholeCluster,
  resource: JudgedResources["resources"][number],
): Answer {
  const explanation = explainWritten({ index, topology, configured }, resource);
  return {
    lines: paragraphs([[`${describeResource(resource)}, ${key}`], describeWrittenExplanation(explanation)]),
    data: { resource: resource.origin, cluster: key, ...explanation },
  };
}

/** A rule with the example of a violation and of its mend. */
function ruleAnswer(rule: Rule): Answer {
  const explanation = explainRule(rule);
  const example = exampleOf(rule.id);
  return {
    lines: paragraphs([
      [...describeRuleExplanation(explanation), `severity    ${rule.level}`],
      ...exampleParts(example),
    ]),
    data: { ...explanation, ...(typeof example === "object" && { example }) },
  };
}

function exampleParts(example: RuleExample | string | undefined): string[][] {
  if (typeof example !== "object") return example === undefined ? [] : [[`No example: ${example}`]];
  const { violated, mended, configuration } = example;
  return [
    ["An example, beside a HostedCluster tenant-a on AWS; what is no object is a part of its spec."],
    ...(configuration ? [block("With hypershift-network.yaml", configuration)] : []),
    block("Found", violated),
    block("Mended", mended),
  ];
}

const block = (title: string, yaml: string): string[] => [
  `${title}:`,
  ...yaml
    .trim()
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`)),
];

const answer = <T extends object>(data: T, describe: (data: T) => string[]): Answer => ({
  lines: describe(data),
  data,
});
