import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { markdownTable } from "../../bench/table";
import { repositoryRoot } from "../../local/repository";
import schema from "../../src/cli/configuration.schema.json";
import { topologyFields } from "../../src/requirements/hostedCluster";

interface Definition {
  readonly type?: string;
  readonly $ref?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly items?: Definition;
  readonly additionalProperties?: Definition | boolean;
  readonly properties?: Readonly<Record<string, Definition>>;
  readonly required?: readonly string[];
}

const definitions = schema.definitions as Readonly<Record<string, Definition>>;
const PAGE = join(repositoryRoot, "docs/topology.md");
const CLUSTER = "ConfiguredHostedCluster";
const WORDS = { string: "text", number: "number", boolean: "true or false", array: "list" } as const;

const named = ({ $ref }: Definition): string | undefined => $ref?.slice("#/definitions/".length);

/** The values of a property: its enum words, or its type. */
function valueOf(property: Definition): string {
  const name = named(property);
  const meant = name === undefined ? property : definitions[name]!;
  if (meant.enum) return meant.enum.map((word) => `\`${word}\``).join(", ");
  if (name !== undefined) return `[${headOf(name)}](#${headOf(name).toLowerCase().replaceAll(" ", "-")})`;
  if (meant.items) return `list of ${valueOf(meant.items)}`;
  if (typeof meant.additionalProperties === "object") return `${valueOf(meant.additionalProperties)}, by key`;
  return WORDS[meant.type as keyof typeof WORDS];
}

/** The name of a definition as a heading: `PublishedService` is "Published service". */
const headOf = (name: string): string =>
  name.replace(/^Configured/, "").replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const cell = (text: string): string => text.replaceAll("|", "\\|");

/** The paths in a HostedCluster that state a property of the topology. */
const placesOf = (property: string): string =>
  topologyFields
    .filter((field) => field.property === property)
    .map(({ path }) => `\`${path}\``)
    .join(", ");

function tableOf(name: string): string {
  const { properties = {}, required = [] } = definitions[name]!;
  const isCluster = name === CLUSTER;
  const rows = Object.entries(properties).map(([property, definition]) => [
    `\`${property}\``,
    `${valueOf(definition)}${required.includes(property) ? ", required" : ""}`,
    ...(isCluster ? [placesOf(property)] : []),
    cell(definition.description ?? ""),
  ]);
  const head = ["property", "value", ...(isCluster ? ["read from"] : []), "meaning"];
  return markdownTable(head, rows).join("\n");
}

/** The definitions that the properties of a cluster refer to, in order of first use. */
function sections(from: string, met: Set<string> = new Set()): Set<string> {
  const inner = ({ properties = {}, items, additionalProperties }: Definition): Definition[] => [
    ...Object.values(properties),
    ...(items ? [items] : []),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ];
  const walk = (definition: Definition): void => {
    const name = named(definition);
    if (name === undefined) inner(definition).forEach(walk);
    else if (!met.has(name) && definitions[name]!.properties) {
      met.add(name);
      walk(definitions[name]!);
    }
  };
  walk(definitions[from]!);
  return met;
}

const INTRODUCTION = `# The topology

The properties of \`topology\` in components, and of entries under \`hostedClusters\` in \`hypershift-network.yaml\`. If a HostedCluster is
among the inputs, its own fields decide, and the same properties here have no effect. Lists of CIDR blocks also accept keys of
\`addresses\`. Components require \`name\` and \`platform\`; \`managementCluster\` and \`securityGroups\` exist only in the configuration.
This page is written from the types.`;

test("docs/topology.md lists every property with its values, its meaning, and its path in a HostedCluster", () => {
  const page = [
    INTRODUCTION,
    "## The hosted cluster",
    tableOf(CLUSTER),
    ...[...sections(CLUSTER)].flatMap((name) => [
      `## ${headOf(name)}`,
      definitions[name]!.description ?? "",
      tableOf(name),
    ]),
    "",
  ]
    .join("\n\n")
    .trimEnd();
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(PAGE, `${page}\n`);
  expect(readFileSync(PAGE, "utf8")).toBe(`${page}\n`);
});
