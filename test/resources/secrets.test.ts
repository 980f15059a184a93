import { hideSecrets, SECRET, secretAsGiven, secretsAt } from "../../src/resources/secrets";
import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";

describe("what was put in as a secret is one when it comes back", () => {
  test.each<[string, PropertyValue, PropertyValue | undefined, PropertyValue]>([
    ["a value", "a", SECRET, SECRET],
    [
      "in an object, each property by itself",
      { a: "a", b: "b" },
      { a: SECRET, b: "b" },
      { a: SECRET, b: "b" },
    ],
    ["an object in place of a value", { a: "a" }, SECRET, SECRET],
    ["a list, which may come back in another order", ["b", "a"], ["a", SECRET], SECRET],
    ["but not a list that shows its secret itself", ["a", SECRET], [SECRET, "a"], ["a", SECRET]],
    ["but not what is not known", UNKNOWN, SECRET, UNKNOWN],
    ["but not what was put in the clear", ["a"], ["a"], ["a"]],
    ["but not what was not put in", { a: null }, undefined, { a: null }],
  ])("%s", (_, output, input, expected) => {
    expect(secretAsGiven(output, input)).toEqual(expected);
  });
});

test("rules see what is not known in place of a secret, and its place is listed", () => {
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

describe("secrets at a place", () => {
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
  ])("%j are in it or around it", (path, secrets) => {
    expect(at(path)).toEqual(secrets);
  });

  test("are none where a component of this package has judged them in the clear", () => {
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
