import { hideSecrets, SECRET, secretAsGiven, secretsAt } from "../../src/resources/secrets";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";

describe("secretAsGiven hides an output whose input is a secret:", () => {
  test.each<[string, PropertyValue, PropertyValue | undefined, PropertyValue]>([
    ["a value", "a", SECRET, SECRET],
    [
      "each property of an object by itself",
      { a: "a", b: "b" },
      { a: SECRET, b: "b" },
      { a: SECRET, b: "b" },
    ],
    ["an object whose whole input is a secret", { a: "a" }, SECRET, SECRET],
    ["a list, because its order may differ", ["b", "a"], ["a", SECRET], SECRET],
    ["not a list whose output marks its secret itself", ["a", SECRET], [SECRET, "a"], ["a", SECRET]],
    ["not an unknown value", UNKNOWN, SECRET, UNKNOWN],
    ["not a value that was given in the clear", ["a"], ["a"], ["a"]],
    ["not a value without an input", { a: null }, undefined, { a: null }],
  ])("%s", (_, output, input, expected) => {
    expect(secretAsGiven(output, input)).toEqual(expected);
  });
});

test("rules see an unknown value in place of a secret, and its path is listed", () => {
  const places = new Set<string>();
  const open = { tags: { team: "a" } };
  const properties: Resource["properties"] = {
    a: SECRET,
    open,
    list: [{ "b.c": SECRET }, "d"],
    nothing: null,
  };
  const shown = hideSecrets(properties, places);
  expect(shown).toEqual({ a: UNKNOWN, open, list: [{ "b.c": UNKNOWN }, "d"], nothing: null });
  expect([...places]).toEqual(["a", 'list[0]["b.c"]']);
  expect(shown.open).toBe(open);
});

describe("secrets at a path", () => {
  const at = (path: string, resource: Partial<Resource> = {}): string[] =>
    secretsAt(
      {
        origin: {},
        type: "kubernetes:core/v1:ConfigMap",
        name: "a",
        properties: {},
        secrets: ['data["a.b"]', "spec.noProxy", "spec.configuration.proxy", "spec.release", "list[0].c"],
        ...resource,
      },
      path,
    );

  test.each<[string, readonly string[]]>([
    ["data", ['data["a.b"]']],
    ["data.a.b", ['data["a.b"]']],
    ['data["a.b"].c', ['data["a.b"]']],
    ["data.a.c", []],
    ["list", ["list[0].c"]],
    ["list[1]", []],
    ["", ['data["a.b"]', "spec.noProxy", "spec.configuration.proxy", "spec.release", "list[0].c"]],
    ["other", []],
  ])("%j include those inside it and around it", (path, secrets) => {
    expect(at(path)).toEqual(secrets);
  });

  test("leave out what a component of this package has checked in the clear", () => {
    const parent = (type: string) => ({ parent: `urn:pulumi:dev::test::${type}::a` });
    const ours = "hypershift-network:index:ProxyConfig";
    expect(at("spec", parent(ours))).toEqual(["spec.release"]);
    expect(at("spec", parent(`my:index:Stack$${ours}`))).toEqual(["spec.release"]);
    expect(at("data", parent(ours))).toEqual(['data["a.b"]']);
    for (const other of ["my:index:Stack", `${ours}$my:index:Stack`])
      expect(at("spec", parent(other))).toEqual(["spec.noProxy", "spec.configuration.proxy", "spec.release"]);
    expect(at("spec", { secrets: [] })).toEqual([]);
  });
});
