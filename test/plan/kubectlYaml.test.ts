import { yamlCases } from "./kubectlYamlCases";
import { goldenAnswers, outcomeOf, readHere } from "./kubectlYamlReader";

const answers = goldenAnswers();

it("every case has an answer of kubectl, and every answer has a case", () => {
  expect(Object.keys(answers)).toEqual(yamlCases.map(({ name }) => name));
});

it.each(yamlCases)("YAML is read as kubectl reads it: $name", ({ name, text, differs = "same" }) => {
  expect(outcomeOf(readHere(text), answers[name]!)).toBe(differs);
});
