import { run } from "../components/program";
import { expectGolden } from "../objects/golden";
import { component, componentNames } from "../components/minimalArgs";
import { analyze, packageJson } from "./schema";
import { schemaText } from "./schemaText";

const { analysis, schema } = analyze();
const components = Object.entries(schema.resources);
const types = Object.entries(schema.types);

interface Described {
  description?: string;
  $ref?: string;
  items?: Described;
  additionalProperties?: Described;
}

const anyRef = "pulumi.json#/Any";
const isAny = ({ $ref, items, additionalProperties }: Described): boolean =>
  $ref === anyRef ||
  (items ? isAny(items) : false) ||
  (additionalProperties ? isAny(additionalProperties) : false);

/** Every property that users of other languages see, with its place. */
const properties: [string, Described][] = [
  ...components.flatMap(([token, { inputProperties, properties: outputs }]) => [
    ...Object.entries(inputProperties ?? {}).map(
      ([name, property]) => [`${token} input ${name}`, property] as const,
    ),
    ...Object.entries(outputs ?? {}).map(
      ([name, property]) => [`${token} output ${name}`, property] as const,
    ),
  ]),
  ...types.flatMap(([token, type]) =>
    Object.entries(type.properties ?? {}).map(([name, property]) => [`${token} ${name}`, property] as const),
  ),
].map(([place, property]) => [place, property as Described]);

describe("every Pulumi language can use the components", () => {
  it("the analyzer takes each of them", () => {
    expect(Object.keys(analysis.components).sort()).toEqual(componentNames());
    expect(components.length).toBeGreaterThanOrEqual(4);
  });

  it("nothing in their inputs and outputs is of the type Any", () => {
    expect(properties.filter(([, property]) => isAny(property)).map(([place]) => place)).toEqual([]);
  });

  it("everything is described", () => {
    const bare = properties.filter(([, { description }]) => !description).map(([place]) => place);
    const classes = components.filter(([, { description }]) => !description).map(([token]) => token);
    expect([...classes, ...bare]).toEqual([]);
  });

  it("no description has a link that other languages cannot follow", () => {
    const broken = properties.filter(([, { description }]) =>
      /\[object Object\]|\{@link/.test(description ?? ""),
    );
    expect(broken.map(([place]) => place)).toEqual([]);
  });

  it("inputs, outputs and types are those of the golden file, and nothing else leaks", () => {
    expectGolden("schema.txt", schemaText(schema));
  });
});

describe("type tokens", () => {
  it.each(componentNames())("%s is registered under the token that its schema has", async (name) => {
    const token = `${packageJson.name}:index:${name}`;
    const { resources } = await run(() => component(name));
    expect(resources.map(({ type }) => type)).toContain(token);
    expect(schema.resources[token]).toBeDefined();
  });
});
