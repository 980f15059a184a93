import { chooseCrds, readCrds } from "../../../local/servers/crds";
import {
  CONFIGURATION_FIELDS,
  OPERATOR_FIELDS,
  platformSections,
  SPEC_FIELDS,
} from "../../../src/requirements/hostedCluster/forms";
import { judgeObject } from "../../../src/hostedCluster/object";
import { NO_SUCH_FIELD } from "../../../src/hostedCluster/object/serviceFaults";
import { immutableFields, judgedFields } from "../../../src/requirements/hostedCluster";
import type { PropertyValue } from "../../../src/resources/resource";
import { resource } from "../../rules/builders";

interface Schema {
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  "x-kubernetes-validations"?: { rule: string }[];
}

const HOSTED_CLUSTERS = "hostedclusters.hypershift.openshift.io";

/** The spec schemas of a kind, one per version, in the definitions that `HYPERSHIFT_NETWORK_CRDS` names. */
const specsOf = (name: string): Schema[] =>
  readCrds(chooseCrds().folder)
    .filter(({ metadata }) => metadata.name === name)
    .flatMap(({ spec }) => spec.versions)
    .map((version) => (version.schema.openAPIV3Schema as { properties: { spec: Schema } }).properties.spec);

/** The spec of the HostedCluster. */
const [schema] = specsOf(HOSTED_CLUSTERS) as [Schema];

/** The paths of values that the definition makes immutable. */
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

test("M2 immutableFields covers every field that the definition makes immutable", () => {
  const known = immutableFields.map(({ path }) => path);
  const isCovered = (path: string) => known.some((field) => path === field || path.startsWith(`${field}.`));
  expect(immutablePaths(schema).filter((path) => !isCovered(path))).toEqual([]);
});

test("M2 immutableFields names only fields of the definition", () => {
  const exists = (path: string) =>
    path.split(".").reduce<Schema | undefined>((at, key) => at?.properties?.[key], schema) !== undefined;
  expect(immutableFields.map(({ path }) => path).filter((path) => !exists(path))).toEqual([]);
});

test("the known fields of a HostedCluster spec are those of the definition", () => {
  const keys = (path: string) =>
    Object.keys(path === "" ? schema.properties! : schema.properties![path]!.properties!).sort();
  expect([...SPEC_FIELDS]).toEqual(keys(""));
  expect([...CONFIGURATION_FIELDS]).toEqual(keys("configuration"));
  expect([...OPERATOR_FIELDS]).toEqual(keys("operatorConfiguration"));
});

test("M2 the required settings of each platform are those of the definition", () => {
  const sections = schema.properties!.platform!.properties!;
  for (const { key, required, access } of Object.values(platformSections)) {
    expect([key, [...required].sort()]).toEqual([key, [...(sections[key]!.required ?? [])].sort()]);
    if (access !== undefined) expect(sections[key]!.properties).toHaveProperty(access);
  }
});

/** A value with every field that a schema has. */
const everyField = ({ items, properties }: Schema): PropertyValue => {
  if (items) return [everyField(items)];
  if (!properties) return "text";
  return Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, everyField(inner)]));
};

test.each([
  [HOSTED_CLUSTERS, "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster"],
  ["nodepools.hypershift.openshift.io", "kubernetes:hypershift.openshift.io/v1beta1:NodePool"],
  ["networks.operator.openshift.io", "kubernetes:operator.openshift.io/v1:Network"],
  ["networks.config.openshift.io", "kubernetes:config.openshift.io/v1:Network"],
  ["proxies.config.openshift.io", "kubernetes:config.openshift.io/v1:Proxy"],
])("no field of %s is reported as misspelled", (name, type) => {
  const specs = specsOf(name);
  expect(specs).not.toEqual([]);
  for (const spec of specs) {
    const object = resource(type, "sample", { metadata: { name: "sample" }, spec: everyField(spec) });
    const rules = [...new Set(judgedFields.map(({ rule }) => rule))];
    const faults = rules.flatMap((rule) => judgeObject(object, rule).faults);
    expect(faults.filter(({ problem }) => problem.startsWith(NO_SUCH_FIELD))).toEqual([]);
  }
});
