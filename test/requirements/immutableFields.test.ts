import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import {
  immutableFields,
  SPEC_FIELDS,
  CONFIGURATION_FIELDS,
  OPERATOR_FIELDS,
  platformSections,
} from "../../src/requirements";

interface Schema {
  properties?: Record<string, Schema>;
  required?: string[];
  "x-kubernetes-validations"?: { rule: string }[];
}

const shared = process.env.HYPERSHIFT_NETWORK_SHARED ?? join(__dirname, "../../../shared");
const file = join(shared, "crds/hostedclusters-Hypershift-TechPreviewNoUpgrade.crd.yaml");

/** The spec of the published definition, where it is at hand. */
function specSchema(): Schema | undefined {
  if (!existsSync(file)) return undefined;
  const crd = parse(readFileSync(file, "utf8")) as {
    spec: { versions: { schema: { openAPIV3Schema: { properties: { spec: Schema } } } }[] };
  };
  return crd.spec.versions[0]!.schema.openAPIV3Schema.properties.spec;
}

/** The paths at which the definition says that a value stays as it is. */
function immutablePaths(schema: Schema, path: readonly string[] = []): string[] {
  const rules = schema["x-kubernetes-validations"] ?? [];
  const own = rules.some(({ rule }) => /^(oldSelf == "" \|\| )?self == oldSelf$/.test(rule))
    ? [path.join(".")]
    : [];
  return [
    ...own,
    ...Object.entries(schema.properties ?? {}).flatMap(([key, inner]) =>
      immutablePaths(inner, [...path, key]),
    ),
  ];
}

const schema = specSchema();
const whenPublished = schema ? test : test.skip;

whenPublished("M2 every field that the definition holds for immutable is one here", () => {
  const known = immutableFields.map(({ path }) => path);
  const isCovered = (path: string) => known.some((field) => path === field || path.startsWith(`${field}.`));
  expect(immutablePaths(schema!).filter((path) => !isCovered(path))).toEqual([]);
});

whenPublished("M2 every field here is one of the definition", () => {
  const exists = (path: string) =>
    path.split(".").reduce<Schema | undefined>((at, key) => at?.properties?.[key], schema) !== undefined;
  expect(immutableFields.map(({ path }) => path).filter((path) => !exists(path))).toEqual([]);
});

whenPublished("the fields of a spec are those of the definition", () => {
  const keys = (path: string) =>
    Object.keys(path === "" ? schema!.properties! : schema!.properties![path]!.properties!).sort();
  expect([...SPEC_FIELDS]).toEqual(keys(""));
  expect([...CONFIGURATION_FIELDS]).toEqual(keys("configuration"));
  expect([...OPERATOR_FIELDS]).toEqual(keys("operatorConfiguration"));
});

whenPublished("M2 what is demanded of a platform's settings is what the definition demands", () => {
  const sections = schema!.properties!.platform!.properties!;
  for (const { key, required, access } of Object.values(platformSections)) {
    expect([key, [...required].sort()]).toEqual([key, [...(sections[key]!.required ?? [])].sort()]);
    if (access !== undefined) expect(sections[key]!.properties).toHaveProperty(access);
  }
});
