import { chooseCrds, readCrds } from "../../../local/servers/crds";
import {
  CONFIGURATION_FIELDS,
  OPERATOR_FIELDS,
  platformSections,
  SPEC_FIELDS,
} from "../../../src/requirements/hostedCluster/forms";
import { immutableFields } from "../../../src/requirements/hostedCluster";

interface Schema {
  properties?: Record<string, Schema>;
  required?: string[];
  "x-kubernetes-validations"?: { rule: string }[];
}

const HOSTED_CLUSTERS = "hostedclusters.hypershift.openshift.io";

/** The spec of the HostedCluster, as the definitions say that `HYPERSHIFT_NETWORK_CRDS` names. */
const schema = (
  readCrds(chooseCrds().folder).find(({ metadata }) => metadata.name === HOSTED_CLUSTERS)!.spec.versions[0]!
    .schema.openAPIV3Schema as { properties: { spec: Schema } }
).properties.spec;

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

test("M2 every field that the definition holds for immutable is one here", () => {
  const known = immutableFields.map(({ path }) => path);
  const isCovered = (path: string) => known.some((field) => path === field || path.startsWith(`${field}.`));
  expect(immutablePaths(schema).filter((path) => !isCovered(path))).toEqual([]);
});

test("M2 every field here is one of the definition", () => {
  const exists = (path: string) =>
    path.split(".").reduce<Schema | undefined>((at, key) => at?.properties?.[key], schema) !== undefined;
  expect(immutableFields.map(({ path }) => path).filter((path) => !exists(path))).toEqual([]);
});

test("the fields of a spec are those of the definition", () => {
  const keys = (path: string) =>
    Object.keys(path === "" ? schema.properties! : schema.properties![path]!.properties!).sort();
  expect([...SPEC_FIELDS]).toEqual(keys(""));
  expect([...CONFIGURATION_FIELDS]).toEqual(keys("configuration"));
  expect([...OPERATOR_FIELDS]).toEqual(keys("operatorConfiguration"));
});

test("M2 what is demanded of a platform's settings is what the definition demands", () => {
  const sections = schema.properties!.platform!.properties!;
  for (const { key, required, access } of Object.values(platformSections)) {
    expect([key, [...required].sort()]).toEqual([key, [...(sections[key]!.required ?? [])].sort()]);
    if (access !== undefined) expect(sections[key]!.properties).toHaveProperty(access);
  }
});
