import { readFileSync } from "node:fs";
import { join } from "node:path";

import { parseAllDocuments } from "yaml";

import { kubernetesKinds } from "../../src/resources/resourceTypes";
import { kubernetesJudges } from "../../src/gate/coverage";

const types = kubernetesKinds.map(
  ({ group, kind }) => `kubernetes:${group === "" ? "core" : group}/v1:${kind}`,
);

test.each(kubernetesJudges.map((judges) => [judges.name, judges] as const))(
  "kinds that rules judge are read from a running cluster: %s",
  (_, judges) => expect(types.filter(judges)).not.toEqual([]),
);

test("every kind that creates pods is read from a running cluster", () => {
  const source = readFileSync(join(__dirname, "../../src/resources/kubernetesObject.ts"), "utf8");
  const alternatives = [...source.matchAll(/isKind\("\w+", "\(?([\w|]+)\)?", V1\)/g)].flatMap(([, kinds]) =>
    kinds!.split("|"),
  );
  expect(alternatives).toHaveLength(8);
  expect(kubernetesKinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(alternatives));
});

test("the role in rbac/check-live.yaml allows listing exactly these kinds", () => {
  const file = readFileSync(join(__dirname, "../../rbac/check-live.yaml"), "utf8");
  const [role] = parseAllDocuments(file).map(
    (document) =>
      document.toJS() as { rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[] },
  );
  expect(new Set(role!.rules.flatMap(({ verbs }) => verbs))).toEqual(new Set(["list"]));
  const granted = role!.rules.flatMap(({ apiGroups, resources }) =>
    apiGroups.flatMap((group) => resources.map((resource) => `${group}/${resource}`)),
  );
  expect(granted.sort()).toEqual(kubernetesKinds.map(({ group, resource }) => `${group}/${resource}`).sort());
});
