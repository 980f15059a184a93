import * as fc from "fast-check";

import { silent } from "../../../local/report";
import { findKubectlYaml, readByKubectl } from "../../../local/toolchain/kubectlYaml";
import { yamlCases } from "../../plan/kubectlYamlCases";
import {
  outcomeOf,
  readHere,
  writeGoldenAnswers,
  goldenAnswers,
  type Answer,
} from "../../plan/kubectlYamlReader";
import { goodTexts, hostileTexts } from "../../plan/kubectlYamlTexts";

let program: string;
beforeAll(async () => {
  program = (await findKubectlYaml(silent)).tool;
});

/** What kubectl reads; it skips empty documents. */
async function kubectl(texts: readonly string[]): Promise<Answer[]> {
  const answers = await readByKubectl(program, texts);
  return answers.map(({ documents, refused }) => ({
    documents: documents.filter((document) => document !== null),
    refused: refused !== undefined,
  }));
}

it("the answers in the repository are those of sigs.k8s.io/yaml", async () => {
  const answers = await kubectl(yamlCases.map(({ text }) => text));
  const named = Object.fromEntries(yamlCases.map(({ name }, at) => [name, answers[at]!]));
  if (process.env.UPDATE_GOLDEN) writeGoldenAnswers(named);
  expect(named).toEqual(goldenAnswers());
});

it.each([
  ["texts that people write", goodTexts, ["same"]],
  ["texts of any pieces of YAML", hostileTexts, ["same", "stricter", "looser"]],
] as const)("%s mean the same, or are refused", async (_, made, allowed) => {
  const texts = fc.sample(made, { numRuns: 5_000, seed: 16 });
  const answers = await kubectl(texts);
  const wrong = texts.flatMap((text, at) => {
    // A document that is not an object is no manifest, and kubectl does not read what follows it.
    if (answers[at]!.documents.some((document) => typeof document !== "object")) return [];
    const outcome = outcomeOf(readHere(text), answers[at]!);
    return (allowed as readonly string[]).includes(outcome) ? [] : [{ text, outcome, kubectl: answers[at] }];
  });
  expect(wrong.slice(0, 5)).toEqual([]);
});
