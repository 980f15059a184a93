import { run } from "../components/program";
import { expectGolden } from "../objects/golden";
import { component, componentNames } from "../components/minimalArgs";
import { builtSchema as schema, packageJson } from "./schema";
import { schemaText } from "./schemaText";

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

/** Every property that users of other languages see, with its path. */
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
  it("the schema has every component", () => {
    expect(components.map(([token]) => token.split(":").at(-1)).sort()).toEqual(componentNames());
    expect(components.length).toBeGreaterThanOrEqual(4);
  });

  it("no input or output has the type Any, except additionalSpec, whose fields belong to HyperShift", () => {
    expect(properties.filter(([, property]) => isAny(property)).map(([place]) => place)).toEqual([
      "hypershift-network:index:HostedClusterNetwork input additionalSpec",
      "hypershift-network:index:HostedClusterSettings additionalSpec",
    ]);
  });

  it("every component, property and type has a description", () => {
    const bare = properties.filter(([, { description }]) => !description).map(([place]) => place);
    const classes = components.filter(([, { description }]) => !description).map(([token]) => token);
    const unsaid = types.filter(([, { description }]) => !description).map(([token]) => token);
    expect([...classes, ...bare, ...unsaid]).toEqual([]);
  });

  it("numbers are integers, as in programs and in the API", () => {
    expect(properties.filter(([, property]) => JSON.stringify(property).includes('"number"'))).toEqual([]);
  });

  it("the schema has the metadata that registries show", () => {
    expect(schema).toMatchObject({ displayName: "HyperShift network", license: "Apache-2.0" });
    expect((schema as { keywords?: string[] }).keywords).toContain("hypershift");
  });

  it("no description has a link that other languages cannot follow", () => {
    const broken = properties.filter(([, { description }]) =>
      /\[object Object\]|\{@link/.test(description ?? ""),
    );
    expect(broken.map(([place]) => place)).toEqual([]);
  });

  it("inputs, outputs and types match the golden file", () => {
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
