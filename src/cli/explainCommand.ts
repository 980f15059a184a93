import {
  describePacketExplanation,
  describeRuleExplanation,
  describeWrittenExplanation,
  type PacketExplanation,
} from "../reachability/answers/explain/explanation";
import {
  explainWritten,
  namesOf,
  resourcesNamed,
  explainRule,
  explainService,
  isServiceName,
  serviceNames,
} from "../reachability/answers/explain/explainWritten";
import { explainKey, readPacketQuery, explainPacket } from "../reachability/answers/explain/explainPacket";
import { BITS, parsePrefix, type Prefix, readBlock, readHost, readPrefix } from "../address";
import { inventoryAt, type JudgedRange, Reach } from "../addressRanges/inventory";
import { userRangesAt } from "../addressRanges/userNetworks";
import { alignedRows } from "../report/text";
import { sourceOf } from "../resources/resource";
import { paragraphs, jsonDocument } from "../text";
import { surroundingsOf } from "../flows/surroundings";
import { describeReference } from "../requirements/documents";
import { topicOf, topics, type Topic } from "../requirements/topics";
import { describeResource, type Rule } from "../gate/rule";
import { exampleOf, type RuleExample, ruleGroups, rules } from "../rules";
import type { JudgedResources } from "../gate/judgedResources";
import { planQuestion } from "../rules/conclusion";
import { closest } from "../topology/normalize/values";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import type { Loaded } from "./commands";
import {
  configurationOf,
  isWhole,
  orUnusable,
  planOf,
  Unusable,
  type WholeCluster,
  wholeClusters,
  withoutPlatform,
} from "./plans";
import { CLEAN, FINDINGS, textOfLines, type Terminal, tellNotes } from "./terminal";

/** An answer as lines for people, and as data for programs. */
interface Answer {
  lines: string[];
  data: object;
  /** False if nothing was found. */
  isFound: boolean;
}

/** `hypershift-network explain WORD [PATH...]` */
export const explainCommand: Loaded = ([word = "", ...paths], options, terminal) =>
  orUnusable(terminal, async () => {
    const rule = paths.length === 0 ? ruleNamed(word) : undefined;
    const answers = rule ? [ruleAnswer(rule)] : await explainInPlan(word, paths, options, terminal);
    terminal.out(
      options.format === "json"
        ? jsonDocument({ version: 1, explanations: answers.map(({ data }) => data) })
        : textOfLines(paragraphs(answers.map(({ lines }) => lines))),
    );
    return answers.some(({ isFound }) => isFound) ? CLEAN : FINDINGS;
  });

const ruleNamed = (word: string): Rule | undefined => rules.find(({ id }) => id === word);

/** The word that requests the list of all rules. */
const EVERY_RULE = "rules";

async function explainInPlan(
  word: string,
  paths: readonly string[],
  options: Parameters<Loaded>[1],
  terminal: Terminal,
): Promise<Answer[]> {
  const { cluster } = options;
  const configuration = configurationOf(options, paths, terminal);
  const plan = await planOf(paths, configuration, terminal);
  const wanted = () => (cluster === undefined ? knownClusters(plan, terminal) : wholeClusters(plan, cluster));
  // Only now: a file that cannot be read is a mistake, whatever the word is.
  const rule = ruleNamed(word);
  if (rule) return [ruleAnswer(rule)];
  const query = readPacketQuery(word);
  if (query)
    return inEach(wanted(), (topology) =>
      explainPacket(query, topology, topology && surroundingsOf(plan.index, topology, plan.configuredGroups)),
    );
  const block = readHost(word) ?? readPrefix(word);
  if (block) return wholeClusters(plan, cluster).map((one) => addressAnswer(plan, one, block));
  const resources = resourcesNamed(plan.index, word);
  if (resources.length > 0) {
    const known = wholeClusters(plan, cluster);
    return resources.flatMap((resource) => known.map((one) => written(plan, one, resource)));
  }
  const topic = topicOf(word);
  if (topic) return [topicAnswer(topic)];
  if (word === EVERY_RULE) return [rulesAnswer()];
  if (isServiceName(word)) return inEach(wanted(), (topology) => explainService(word, topology));
  const keyed = inEach(wanted(), (topology) =>
    explainKey(word, topology, topology && surroundingsOf(plan.index, topology, plan.configuredGroups)),
  ).filter(({ isFound }) => isFound);
  if (keyed.length > 0) return keyed;
  if (readBlock(word)) {
    const { problem, remedy } = parsePrefix(word);
    throw new Unusable([`hypershift-network explain: ${problem}: ${remedy}`]);
  }
  throw new Unusable([
    `hypershift-network explain: ${word} is not a packet (6443, udp/53, "10.0.0.5 -> 10.1.0.9, TCP 443"), an address, a rule of the gate (\`explain ${EVERY_RULE}\` lists them), a topic (${topics.map(({ id }) => id).join(", ")}), a service, a row or flow of the documents, or a resource of the plan${near(word, plan)}`,
  ]);
}

/** The hosted clusters that are known well enough. A note names the others: an explanation in general needs none of them. */
function knownClusters({ clusters, configuration }: JudgedResources, terminal: Terminal): WholeCluster[] {
  const vague = clusters.filter((cluster) => !isWhole(cluster));
  tellNotes(
    terminal,
    vague.map((cluster) => `not explained for ${withoutPlatform(cluster, configuration)}`),
  );
  return clusters.filter(isWhole);
}

/** Explains something in each cluster; without clusters, in general. */
function inEach(
  clusters: readonly WholeCluster[],
  explain: (topology?: NormalizedTopology) => PacketExplanation,
): Answer[] {
  const topologies = clusters.length === 0 ? [undefined] : clusters.map(({ topology }) => topology);
  return topologies.map(explain).map((data) => ({
    lines: describePacketExplanation(data),
    data,
    isFound: data.rows.length + data.flows.length > 0,
  }));
}

const REACHES: Readonly<Record<Reach, string>> = {
  [Reach.Home]: "holds the workers",
  [Reach.Connected]: "connected with the workers",
  [Reach.Unconnected]: "nothing in the input connects it with the workers",
};

/** Ranges of the inputs that contain an address or block: what they belong to, and where that is stated. */
function addressAnswer(plan: JudgedResources, cluster: WholeCluster, block: Prefix): Answer {
  const found: ReturnType<typeof inventoryAt> = [
    ...inventoryAt(plan, cluster, block),
    ...userRangesAt(plan, cluster, block),
  ];
  const ranges = found.map(({ range, reach }) => ({
    name: range.name,
    cidr: range.prefix.text,
    resource: range.origin,
    path: range.at,
    stated: !range.implicit,
    ...(reach !== undefined && { reach: REACHES[reach] }),
  }));
  const moved = ({ path, at }: JudgedRange) =>
    path === undefined ? "by default" : `by default, ${at} moves it`;
  const rows = ranges.map(({ name, cidr, resource, path, stated, reach }, position) => [
    `  ${cidr}`,
    name,
    reach ?? (stated ? `stated at ${path}` : moved(found[position]!.range)),
    sourceOf(resource) ?? "",
  ]);
  const text = block.length === BITS[block.family] ? block.first() : block.text;
  return {
    lines: [
      `${text}, ${cluster.key}`,
      ...(rows.length > 0 ? alignedRows(rows) : ["  lies in no range that the input states or implies"]),
    ],
    data: { address: text, cluster: cluster.key, ranges },
    isFound: ranges.length > 0,
  };
}

/** Names that may be meant, the closest first. */
function near(word: string, { resources }: JudgedResources): string {
  const names = [
    ...rules.map(({ id }) => id),
    ...topics.map(({ id }) => id),
    ...serviceNames,
    ...resources.flatMap(namesOf).filter((name) => !name.startsWith("urn:")),
  ];
  const meant = closest(word, names);
  const longer = names.filter((name) => word.length > 2 && name.includes(word.toLowerCase()));
  const found = [...new Set([...(meant === undefined ? [] : [meant]), ...longer])].slice(0, MOST_NEAR);
  return found.length === 0 ? "" : `; did you mean ${found.join(", ")}?`;
}

const MOST_NEAR = 5;

function written(
  plan: JudgedResources,
  { key, topology }: WholeCluster,
  resource: JudgedResources["resources"][number],
): Answer {
  const explanation = explainWritten(planQuestion(plan, topology), resource);
  return {
    lines: paragraphs([[`${describeResource(resource)}, ${key}`], describeWrittenExplanation(explanation)]),
    data: { resource: resource.origin, cluster: key, ...explanation },
    isFound: explanation.places.length > 0,
  };
}

/** What documents state about a topic, and the rules of the gate that check plans for it. */
function topicAnswer({ id, title, facts, rulesBegin }: Topic): Answer {
  const judging = rules.filter((rule) => rulesBegin.some((begin) => rule.id.startsWith(begin)));
  return {
    lines: paragraphs([
      [`${id}: ${title}`],
      ...facts.map(({ statement, documents }) => [
        statement,
        `  documented  ${documents.map(describeReference).join("; ")}`,
      ]),
      ["Rules of the gate", ...judging.map((rule) => `  ${rule.id}: ${rule.title}`)],
    ]),
    data: {
      version: 1,
      topic: id,
      title,
      facts: facts.map((fact) => ({ ...fact, documents: fact.documents.map(describeReference) })),
      rules: judging.map((rule) => rule.id),
    },
    isFound: true,
  };
}

/** Every rule with its level and title, by subject. */
function rulesAnswer(): Answer {
  const rows = alignedRows(rules.map(({ id, level, title }) => [`  ${id}`, level, title]));
  const sections = ruleGroups.map((group) => [group.title, ...rows.splice(0, group.rules.length)]);
  return {
    lines: paragraphs(sections),
    data: { version: 1, rules: rules.map(({ id, level, title }) => ({ rule: id, level, title })) },
    isFound: true,
  };
}

/** A rule with the example of a violation and its fix. */
function ruleAnswer(rule: Rule): Answer {
  const explanation = explainRule(rule);
  const example = exampleOf(rule.id);
  return {
    lines: paragraphs([
      [...describeRuleExplanation(explanation), `severity    ${rule.level}`],
      ...exampleParts(example),
    ]),
    data: { ...explanation, ...(typeof example === "object" && { example }) },
    isFound: true,
  };
}

function exampleParts(example: RuleExample | string | undefined): string[][] {
  if (typeof example !== "object") return example === undefined ? [] : [[`No example: ${example}`]];
  const { violated, mended, configuration } = example;
  return [
    ["An example for a HostedCluster tenant-a on AWS; documents that are not objects are parts of its spec."],
    ...(configuration ? [block("With hypershift-network.yaml", configuration)] : []),
    block("Found", violated),
    block("Fixed", mended),
  ];
}

const block = (title: string, yaml: string): string[] => [
  `${title}:`,
  ...yaml
    .trim()
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`)),
];
