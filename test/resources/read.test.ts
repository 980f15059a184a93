import fc from "fast-check";

import {
  entriesOf,
  everyValue,
  holdsUnknown,
  isInside,
  propertyOf,
  read,
  readFlag,
  readNumber,
  readText,
  readValue,
  stepsAlong,
  stepTo,
  unknownPlaces,
} from "../../src/resources/read";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";

describe("reading properties", () => {
  const properties: Record<string, PropertyValue> = {
    ingress: [
      { cidrBlocks: ["10.0.0.0/8", UNKNOWN] },
      UNKNOWN,
      { cidrBlocks: UNKNOWN },
      { cidrBlocks: null },
    ],
    port: "443",
    self: "true",
  };

  it("finds every value with its place, and UNKNOWN where the way is not known", () => {
    expect(read(properties, "ingress[].cidrBlocks[]")).toEqual([
      { path: "ingress[0].cidrBlocks[0]", value: "10.0.0.0/8" },
      { path: "ingress[0].cidrBlocks[1]", value: UNKNOWN },
      { path: "ingress[1]", value: UNKNOWN },
      { path: "ingress[2].cidrBlocks", value: UNKNOWN },
    ]);
  });

  it.each(["ingress[].cidrBlocks[]", "a.b", "a[].b", "a[][]", "[]", ""])(
    "asks of every value at %s what it asks of the values with their places",
    (path) => {
      const leaf = fc.constantFrom<PropertyValue>("x", "y", 1, null, UNKNOWN);
      const { value } = fc.letrec<{ value: PropertyValue }>((tie) => ({
        value: fc.oneof(
          { maxDepth: 4 },
          leaf,
          fc.array(tie("value"), { maxLength: 3 }),
          fc.dictionary(fc.constantFrom("a", "b", "ingress", "cidrBlocks"), tie("value")),
        ),
      }));
      const passes = (one: PropertyValue) => one === "x" || typeof one === "object";
      fc.assert(
        fc.property(value, (from) => {
          expect(everyValue(from, path, passes)).toBe(read(from, path).every((found) => passes(found.value)));
        }),
        { numRuns: 1_000 },
      );
    },
  );

  it("typed getters answer the value, UNKNOWN or undefined", () => {
    expect(readNumber(properties, "port")).toBe(443);
    expect(readFlag(properties, "self")).toBe(true);
    expect(readText({ name: UNKNOWN }, "name")).toBe(UNKNOWN);
    expect(readText(properties, "constructor.name")).toBeUndefined();
    expect(readText({ name: null }, "name.first")).toBeUndefined();
  });

  it.each<[value: PropertyValue, path: string]>([
    [properties.ingress!, "ingress"],
    [5, "name"],
    [{}, "name"],
    ["text", "name.first"],
    [[], "name.first"],
  ])("a value of another type is not known: %j at %s", (value, path) => {
    const holder: Record<string, PropertyValue> = { [path.split(".")[0]!]: value };
    expect(readText(holder, path)).toBe(UNKNOWN);
    expect(readFlag(holder, path)).toBe(UNKNOWN);
    expect(readNumber({ name: "four" }, "name")).toBe(UNKNOWN);
    expect(readValue({ ports: "443" }, "ports.first")).toBe(UNKNOWN);
  });

  it("a value that stands in the place of a list or an object is not known", () => {
    expect(read({ ports: "443" }, "ports[].from")).toEqual([{ path: "ports", value: UNKNOWN }]);
    expect(read({ ports: ["443", null] }, "ports[].from")).toEqual([{ path: "ports[0]", value: UNKNOWN }]);
    expect(read({ ports: null }, "ports[].from")).toEqual([]);
  });

  it("never throws, whatever the properties and the path are, and one value is the first of all", () => {
    const { value } = fc.letrec<{ value: PropertyValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom<PropertyValue>(null, UNKNOWN, true, 3, "text"),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("a", "b", "length"), tie("value")),
      ),
    }));
    const path = fc.array(fc.constantFrom("a", "b", "b[]", "length", "a[][]", ""), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(value, path, (properties, steps) => {
        const found = read(properties, steps.join("."));
        expect(Array.isArray(found)).toBe(true);
        expect(readValue(properties, steps.join("."))).toEqual(found[0]?.value);
      }),
    );
  });

  it("finds the steps of a path as it was written", () => {
    expect(stepsAlong('spec.egress[3].to["a.b/c"][0]["d e"]')).toEqual([
      "spec",
      "egress",
      "3",
      "to",
      "a.b/c",
      "0",
      "d e",
    ]);
    const key = fc.string({ minLength: 1 }).filter((text) => !text.includes('"'));
    fc.assert(
      fc.property(fc.array(key, { minLength: 1 }), (keys) => {
        expect(stepsAlong(`spec${keys.map(stepTo).join("")}`)).toEqual(["spec", ...keys]);
      }),
    );
  });

  it("finds the places of all that is not known yet", () => {
    const value: PropertyValue = { a: UNKNOWN, b: [{ c: UNKNOWN }, UNKNOWN, "d"], e: null };
    expect([...unknownPlaces(value)]).toEqual(["a", "b[0].c", "b[1]"]);
    expect([...unknownPlaces(value, "spec")]).toEqual(["spec.a", "spec.b[0].c", "spec.b[1]"]);
    expect([...unknownPlaces(UNKNOWN, "spec")]).toEqual(["spec"]);
    const values: PropertyValue[] = [value, UNKNOWN, [[UNKNOWN]], { a: [null, 1, "b"] }, null];
    expect([...values, undefined].map(holdsUnknown)).toEqual([true, true, true, false, false, false]);
  });

  it("knows what is in what stands at another place", () => {
    expect(["a.b", "a[0]", "a", "ab", "ab.c", "b.a"].map((path) => isInside(path, "a"))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it("takes a property of a value that has it itself, and the entries of a list", () => {
    const values: (PropertyValue | undefined)[] = [{ a: 1 }, {}, ["a"], "a", null, UNKNOWN, undefined];
    expect(values.map((value) => propertyOf(value, "a"))).toEqual([
      1,
      ...values.slice(1).map(() => undefined),
    ]);
    expect(propertyOf({}, "constructor")).toBeUndefined();
    expect(values.map((value) => entriesOf(value))).toEqual([[], [], ["a"], [], [], [], []]);
  });

  it("takes whole numbers, and texts of them", () => {
    const numbers: PropertyValue[] = [7, "7", "-1", "7.5", 7.5, "a7", "7a", "", true];
    expect(numbers.map((a) => readNumber({ a }, "a"))).toEqual([
      7,
      7,
      -1,
      ...numbers.slice(3).map(() => UNKNOWN),
    ]);
    const flags: PropertyValue[] = [true, false, "true", "false", "yes", 1];
    expect(flags.map((a) => readFlag({ a }, "a"))).toEqual([true, false, true, false, UNKNOWN, UNKNOWN]);
  });
});
