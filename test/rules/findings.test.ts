import { parse } from "yaml";

import { Platform } from "../../src/requirements/vocabulary";
import type { Resource } from "../../src/resources/resource";
import { ruleExamples, rules } from "../../src/rules";
import type { Finding } from "../../src/gate/finding";
import { readConfiguration } from "../../src/gate/readConfiguration";
import type { Rule } from "../../src/gate/rule";
import { expectGolden } from "../objects/golden";
import { judge, textOf } from "./builders";
import { exampleResources } from "./exampleResources";
import { clusterWith, judgedCluster } from "./refusals/objects";
import { refusals } from "./refusals/table";

/** Removes the documents: they are those of the rule and are kept only at its example. */
const withoutDocuments = (text: string): string => text.replace(/^ {6}documented .*\n/gm, "");

const section = (title: string, found: readonly Finding[]): string =>
  [title, ...found.map((finding) => `  ${textOf(finding)}`)].join("\n");

/** The findings of a rule for its example, and for each object in the table of refusals. */
function sectionsOf(rule: Rule): string[] {
  const example = ruleExamples[rule.id];
  const { configuration } = readConfiguration(parse(example?.configuration ?? ""), "hypershift-network.yaml");
  const said = (title: string, resources: readonly Resource[]) =>
    section(title, judge(rule, resources, configuration));
  return [
    ...(example ? [said("the example", exampleResources(example.violated))] : []),
    ...refusals
      .filter((refusal) => refusal.rule === rule.id)
      .map(({ fact, on = Platform.AWS, spec }) =>
        withoutDocuments(said(`${fact}, ${on}`, [judgedCluster(clusterWith(on, spec))])),
      ),
  ];
}

// Compares whole sentences with their fixes, so that a change of wording is read before it is made.
test.each(rules.filter((rule) => sectionsOf(rule).length > 0).map((rule) => [rule.id, rule] as const))(
  "the findings of %s match the golden file",
  (id, rule) => {
    expectGolden(`findings/${id}.txt`, `${sectionsOf(rule).join("\n\n")}\n`);
  },
);
