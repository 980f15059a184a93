import fc from "fast-check";
import { LabelSelectorOperator } from "../../src/resources/kubernetesObject";
import {
  SelectorRelation,
  isSatisfiable,
  relate,
  describeSelector,
  labelSelectorObject,
  labelSelectorFaults,
  plainSelector,
  type PlainLabelSelector,
} from "../../src/objects/labelSelector";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";

const { In, NotIn, Exists, DoesNotExist } = LabelSelectorOperator;
const { Disjoint, Within, Around, Overlapping } = SelectorRelation;
const labels = (matchLabels: Record<string, string>): PlainLabelSelector => ({ matchLabels });
const demand = (key: string, operator: LabelSelectorOperator, ...values: string[]): PlainLabelSelector => ({
  matchExpressions: [{ key, operator, values }],
});
const faults = (value: PropertyValue) =>
  labelSelectorFaults({ path: "s", value }).map(({ path, problem }) => `${path} ${problem}`);

/** Whether Kubernetes selects an object with these labels. */
function selects(
  { matchLabels = {}, matchExpressions = [] }: PlainLabelSelector,
  has: Record<string, string>,
) {
  return (
    Object.entries(matchLabels).every(([key, value]) => has[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = has[key];
      if (operator === Exists) return value !== undefined;
      if (operator === DoesNotExist) return value === undefined;
      return (value !== undefined && values.includes(value)) === (operator === In);
    })
  );
}

describe("M16 the relation of two selectors for", () => {
  it.each<[string, PlainLabelSelector, PlainLabelSelector, SelectorRelation]>([
    ["two values of one label", labels({ env: "prod" }), labels({ env: "qa" }), Disjoint],
    ["a value and its exclusion", labels({ env: "prod" }), demand("env", NotIn, "prod"), Disjoint],
    ["a value and its absence", labels({ env: "prod" }), demand("env", DoesNotExist), Disjoint],
    ["the same value", labels({ env: "prod" }), demand("env", In, "prod"), Within],
    ["a narrower selector", labels({ env: "prod", app: "web" }), labels({ env: "prod" }), Within],
    ["everything", {}, labels({ env: "prod" }), Around],
    ["values and the existence of a label", demand("env", In, "a", "b"), demand("env", Exists), Within],
    ["an absence and an exclusion", demand("env", DoesNotExist), demand("env", NotIn, "a"), Within],
    ["two labels", labels({ env: "prod" }), labels({ team: "a" }), Overlapping],
    ["two exclusions", demand("env", NotIn, "a"), demand("env", NotIn, "b"), Overlapping],
    ["two lists with one value in common", demand("e", In, "a", "b"), demand("e", In, "b", "c"), Overlapping],
  ])("%s is as expected", (_, a, b, relation) => expect(relate(a, b)).toBe(relation));

  const value = fc.constantFrom("a", "b", "c");
  const key = fc.constantFrom("x", "y");
  const requirement = fc.oneof(
    fc.record({ key, operator: fc.constantFrom(In, NotIn), values: fc.uniqueArray(value, { minLength: 1 }) }),
    fc.record({ key, operator: fc.constantFrom(Exists, DoesNotExist) }),
  );
  const selector = fc.record({
    matchLabels: fc.dictionary(key, value, { maxKeys: 2 }),
    matchExpressions: fc.array(requirement, { maxLength: 3 }),
  });
  // `z` represents every value that no selector names.
  const values = [undefined, "a", "b", "c", "z"];
  const universe = values.flatMap((x) =>
    values.map((y) => ({ ...(x !== undefined && { x }), ...(y !== undefined && { y }) })),
  );

  it("any requirements is the one that trying every set of labels gives", () => {
    fc.assert(
      fc.property(selector, selector, (a, b) => {
        const inA = universe.filter((has) => selects(a, has));
        const inB = universe.filter((has) => selects(b, has));
        const both = inA.filter((has) => inB.includes(has));
        expect(isSatisfiable(a)).toBe(inA.length > 0);
        const relation = relate(a, b);
        if (both.length === 0) expect(relation).toBe(Disjoint);
        else if (both.length === inA.length) expect(relation).toBe(Within);
        else if (both.length === inB.length) expect(relation).toBe(Around);
        else expect(relation).toBe(Overlapping);
      }),
    );
  });
});

describe("M16 a selector", () => {
  it.each<[string, PropertyValue]>([
    ["with labels", { matchLabels: { env: "prod" } }],
    ["with an operator", { matchExpressions: [{ key: "env", operator: "NotIn", values: ["development"] }] }],
    ["without requirements", {}],
    ["that is unknown", UNKNOWN],
    ["with unknown parts", { matchLabels: { env: UNKNOWN }, matchExpressions: [UNKNOWN] }],
    ["with unknown values", { matchExpressions: [{ key: UNKNOWN, operator: UNKNOWN, values: UNKNOWN }] }],
  ])("%s is accepted", (_, value) => expect(faults(value)).toEqual([]));

  it.each<[string, PropertyValue, string]>([
    ["a value that is not an object", "env=prod", 's "env=prod" is not an object'],
    ["a property that does not exist", { matchLabel: {} }, "s.matchLabel no such property"],
    [
      "an invalid label value",
      { matchLabels: { env: "a b" } },
      's.matchLabels.env "a b" is not a label value',
    ],
    [
      "an operator that does not exist",
      { matchExpressions: [{ key: "env", operator: "in", values: ["a"] }] },
      's.matchExpressions[0].operator "in" is not In, NotIn, Exists or DoesNotExist',
    ],
    [
      "In without values",
      { matchExpressions: [{ key: "env", operator: "In" }] },
      "s.matchExpressions[0].values missing",
    ],
    [
      "Exists with values",
      { matchExpressions: [{ key: "env", operator: "Exists", values: ["a"] }] },
      "s.matchExpressions[0].values are set together with Exists, which uses no values",
    ],
    [
      "an invalid key",
      { matchExpressions: [{ key: "a b", operator: "Exists" }] },
      's.matchExpressions[0].key "a b" is not a label key',
    ],
    ["no key", { matchExpressions: [{ operator: "Exists" }] }, "s.matchExpressions[0].key missing"],
    [
      "requirements that nothing meets",
      {
        matchLabels: { env: "prod" },
        matchExpressions: [{ key: "env", operator: "NotIn", values: ["prod"] }],
      },
      "s env=prod, env notin (prod) contradicts itself and matches nothing",
    ],
  ])("with %s is rejected", (_, value, fault) => expect(faults(value)).toEqual([fault]));

  it("is written as Kubernetes writes it, without empty parts", () => {
    expect(labelSelectorObject({ matchLabels: {}, matchExpressions: [] })).toEqual({});
    expect(
      labelSelectorObject({
        matchLabels: { env: "prod" },
        matchExpressions: [
          { key: "app", operator: Exists, values: [] },
          { key: "team", operator: In, values: ["a"] },
        ],
      }),
    ).toEqual({
      matchLabels: { env: "prod" },
      matchExpressions: [
        { key: "app", operator: "Exists" },
        { key: "team", operator: "In", values: ["a"] },
      ],
    });
  });

  it("is shown in the notation of kubectl", () => {
    expect(describeSelector({})).toBe("everything");
    expect(describeSelector({ ...labels({ a: "b" }), ...demand("c", DoesNotExist) })).toBe("a=b, !c");
    expect(describeSelector(demand("c", Exists))).toBe("c");
  });

  it("is checked without an exception for any value", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void faults(value as PropertyValue)));
  });
});

test.each<[string, PropertyValue, boolean]>([
  ["labels", { matchLabels: { team: "a" }, matchExpressions: null }, true],
  ["no requirements, which select everything", {}, true],
  ["an unknown value", { matchLabels: { team: UNKNOWN } }, false],
  ["a string", "team=a", false],
  ["expressions that are not a list", { matchExpressions: "x" }, false],
  ["an operator that does not exist", { matchExpressions: [{ key: "team", operator: "Is" }] }, false],
  [
    "a value that is not a string",
    { matchExpressions: [{ key: "team", operator: "In", values: [5] }] },
    false,
  ],
])("a selector is comparable only if all of it is known and valid: %s", (_, value, isPlain) => {
  expect(plainSelector(value) !== undefined).toBe(isPlain);
});
