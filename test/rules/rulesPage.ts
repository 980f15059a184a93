import { describeReference } from "../../src/requirements/documents";
import { type RuleExample, ruleExamples, ruleGroups, rules } from "../../src/rules";
import type { Rule } from "../../src/gate/rule";

const BEGINNING = `# Rules

<!-- Written by UPDATE_GOLDEN=1 npm test -- test/rules/examples: change the rules, not this page. -->

Levels are the defaults: an error stops a deployment, a warning does not.
The examples belong to a stack with a HostedCluster \`tenant-a\` of release 4.20 in namespace \`clusters\` on AWS, private, with
the machine network 10.0.0.0/16, the cluster network 10.132.0.0/14 and the service network 172.31.0.0/16. An example that is
neither an object nor a resource of a stack is part of its \`spec\`.
`;

/** The page about all rules: tables by subject, then the text of each rule. */
export const rulesPage = (): string =>
  [
    BEGINNING,
    ...ruleGroups.map(({ title, rules: ofGroup }) =>
      [`**${title}**\n`, "| rule | level | finding |", "| --- | --- | --- |", ...ofGroup.map(row), ""].join(
        "\n",
      ),
    ),
    ...rules.map(section),
  ]
    .join("\n")
    .concat("\n");

const row = ({ id, level, title }: Rule): string => `| [${id}](#${id}) | ${level} | ${title} |`;

function section(rule: Rule): string {
  const { id, title, level, description, details = [], remediation, documents } = rule;
  const sources = documents.map((document) => `- ${describeReference(document)}`).join("\n");
  const example = ruleExamples[id];
  return [
    `\n## ${id}`,
    `${title}. Level: ${level}.`,
    escaped(description),
    ...(details.length > 0 ? [details.map((detail) => `- ${escaped(detail)}`).join("\n")] : []),
    `**Fix**: ${escaped(remediation)}`,
    `Documents:\n\n${sources}`,
    ...(example ? exampleText(example) : []),
  ].join("\n\n");
}

/** Escapes the angle brackets of placeholders, which are not tags. */
const escaped = (text: string): string => text.replaceAll("<", "&lt;").replaceAll("*", "\\*");

const exampleText = ({ violated, mended, configuration }: RuleExample): string[] => [
  ...(configuration ? [`With hypershift-network.yaml:\n\n${yaml(configuration)}`] : []),
  `Found:\n\n${yaml(violated)}`,
  `Fixed:\n\n${yaml(mended)}`,
];

const yaml = (text: string): string => `\`\`\`yaml\n${text.trim()}\n\`\`\``;
