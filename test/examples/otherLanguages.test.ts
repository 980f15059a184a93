import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { parse } from "yaml";

import { repositoryRoot } from "../../local/repository";

interface Property {
  type?: string;
  $ref?: string;
  items?: Property;
  additionalProperties?: Property;
}
interface Type {
  properties?: Record<string, Property>;
  required?: string[];
  enum?: { value: string }[];
}
interface Schema {
  resources: Record<string, Type & { inputProperties: Record<string, Property>; requiredInputs?: string[] }>;
  types: Record<string, Type>;
}

const PACKAGE = "hypershift-network:index:";
const schema = JSON.parse(readFileSync(join(repositoryRoot, "dist/schema.json"), "utf8")) as Schema;
const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** Whether a value comes from other resources or functions. */
const isLater = (value: unknown): boolean =>
  (typeof value === "string" && value.startsWith("${")) ||
  (isMap(value) && Object.keys(value).some((key) => key.startsWith("fn::")));

/** The faults of a value according to the schema. */
function faults(
  path: string,
  value: unknown,
  { type, $ref, items, additionalProperties }: Property,
): string[] {
  if (isLater(value)) return [];
  if ($ref?.startsWith("#/types/"))
    return typeFaults(path, value, schema.types[$ref.slice("#/types/".length)]!);
  if (items) {
    if (!Array.isArray(value)) return [`${path} is not a list`];
    return value.flatMap((entry, at) => faults(`${path}[${at}]`, entry, items));
  }
  if (additionalProperties) {
    if (!isMap(value)) return [`${path} is not a map`];
    return Object.entries(value).flatMap(([key, entry]) =>
      faults(`${path}.${key}`, entry, additionalProperties),
    );
  }
  return type === typeof value || (type === "integer" && Number.isInteger(value))
    ? []
    : [`${path} is no ${type}`];
}

function typeFaults(
  path: string,
  value: unknown,
  { properties = {}, required = [], enum: words }: Type,
): string[] {
  if (words) return words.some((word) => word.value === value) ? [] : [`${path}: ${String(value)}`];
  if (!isMap(value)) return [`${path} is not an object`];
  return [
    ...required.filter((name) => !(name in value)).map((name) => `${path}.${name} missing`),
    ...Object.entries(value).flatMap(([name, entry]) =>
      properties[name] ? faults(`${path}.${name}`, entry, properties[name]) : [`${path}.${name} unknown`],
    ),
  ];
}

interface Made {
  component: string;
  inputs: unknown;
}

/** The components of a YAML program, with its variables replaced by their values. */
function inYaml(folder: string): Made[] {
  const text = readFileSync(join(repositoryRoot, "examples", folder, "yaml", "Pulumi.yaml"), "utf8");
  const program = parse(text) as {
    variables?: Record<string, unknown>;
    resources: Record<string, { type: string; properties: Record<string, unknown> }>;
  };
  const written = (value: unknown) =>
    program.variables?.[/^\$\{(\w+)\}$/.exec(String(value))?.[1] ?? ""] ?? value;
  return Object.values(program.resources)
    .filter(({ type }) => type.startsWith("hypershift-network:"))
    .map(({ type, properties }) => ({
      component: type.split(":").at(-1)!,
      inputs: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, written(value)])),
    }));
}

/** Prints the component calls of a Python program: names as in the schema, and `${...}` for what is not a literal. */
const READER = `
import ast, json, sys
tree = ast.parse(open(sys.argv[1]).read())
known = {}
enums = json.loads(sys.argv[2])
def member(node):
    words = enums.get(getattr(node.value, "attr", ""), [])
    return next((word for word in words if word.lower() == node.attr.replace("_", "").lower()), f"no {node.attr}")
def camel(name):
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)
def value(node):
    if isinstance(node, ast.Constant): return node.value
    if isinstance(node, (ast.List, ast.Tuple)): return [value(one) for one in node.elts]
    if isinstance(node, ast.Dict): return {camel(key.value): value(one) for key, one in zip(node.keys, node.values)}
    if isinstance(node, ast.Attribute) and getattr(getattr(node.value, "value", None), "id", "") == "hypershift_network": return member(node)
    if isinstance(node, ast.Name) and node.id in known: return known[node.id]
    return "\${later}"
calls = []
for node in ast.walk(tree):
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict): known[node.targets[0].id] = value(node.value)
    if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict): known[node.target.id] = value(node.value)
for node in ast.walk(tree):
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "hypershift_network":
        calls.append({"component": node.func.attr, "inputs": {camel(one.arg): value(one.value) for one in node.keywords if one.arg != "opts"}})
print(json.dumps(calls))
`;
/** The values of the schema's enums, by name. */
const enums = Object.fromEntries(
  Object.entries(schema.types).flatMap(([token, { enum: words }]) =>
    words ? [[token.slice(PACKAGE.length), words.map(({ value }) => value)]] : [],
  ),
);
const inPython = (folder: string): Made[] =>
  JSON.parse(
    execFileSync(
      "python3",
      [
        "-c",
        READER,
        join(repositoryRoot, "examples", folder, "python", "__main__.py"),
        JSON.stringify(enums),
      ],
      { encoding: "utf8" },
    ),
  ) as Made[];

describe.each([
  ["quickstart", ["HostedControlPlaneSecurityGroups", "OvnSubnetConfig", "ProxyConfig"]],
  ["landing-zone", ["HostedClusterLandingZone"]],
])("examples/%s", (folder, components) => {
  test.each([
    ["YAML", inYaml],
    ["Python", inPython],
  ])("passes inputs to components in %s that match the schema", (_, read) => {
    const made = read(folder);
    expect(made.map(({ component }) => component)).toEqual(components);
    for (const { component, inputs } of made) {
      const { inputProperties, requiredInputs } = schema.resources[`${PACKAGE}${component}`]!;
      expect(
        typeFaults(component, inputs, {
          properties: inputProperties,
          ...(requiredInputs && { required: requiredInputs }),
        }),
      ).toEqual([]);
    }
  });
});

test("a program that does not match the schema is detected", () => {
  const topology = schema.types[`${PACKAGE}HostedClusterTopology`]!;
  expect(typeFaults("topology", { name: "a", platform: "Azur", machineNetworks: [] }, topology)).toEqual([
    "topology.platform: Azur",
    "topology.machineNetworks unknown",
  ]);
});
