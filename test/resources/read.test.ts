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

  it("finds every value with its path, and UNKNOWN if a step of the path is unknown", () => {
    expect(read(properties, "ingress[].cidrBlocks[]")).toEqual([
      { path: "ingress[0].cidrBlocks[0]", value: "10.0.0.0/8" },
      { path: "ingress[0].cidrBlocks[1]", value: UNKNOWN },
      { path: "ingress[1]", value: UNKNOWN },
      { path: "ingress[2].cidrBlocks", value: UNKNOWN },
    ]);
  });

  it.each(["ingress[].cidrBlocks[]", "a.b", "a[].b", "a[][]", "[]", ""])(
    "checks the same values at %s with everyValue as with read",
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

  it("returns the value, UNKNOWN or undefined from typed getters", () => {
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
  ])("treats a value of another type as unknown: %j at %s", (value, path) => {
    const holder: Record<string, PropertyValue> = { [path.split(".")[0]!]: value };
    expect(readText(holder, path)).toBe(UNKNOWN);
    expect(readFlag(holder, path)).toBe(UNKNOWN);
    expect(readNumber({ name: "four" }, "name")).toBe(UNKNOWN);
    expect(readValue({ ports: "443" }, "ports.first")).toBe(UNKNOWN);
  });

  it("treats a scalar in place of a list or an object as unknown", () => {
    expect(read({ ports: "443" }, "ports[].from")).toEqual([{ path: "ports", value: UNKNOWN }]);
    expect(read({ ports: ["443", null] }, "ports[].from")).toEqual([{ path: "ports[0]", value: UNKNOWN }]);
    expect(read({ ports: null }, "ports[].from")).toEqual([]);
  });

  it("never throws for any properties and path, and readValue returns the first value of read", () => {
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

  it("splits a path into the steps that it was built from", () => {
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

  it("finds the paths of all unknown values", () => {
    const value: PropertyValue = { a: UNKNOWN, b: [{ c: UNKNOWN }, UNKNOWN, "d"], e: null };
    expect([...unknownPlaces(value)]).toEqual(["a", "b[0].c", "b[1]"]);
    expect([...unknownPlaces(value, "spec")]).toEqual(["spec.a", "spec.b[0].c", "spec.b[1]"]);
    expect([...unknownPlaces(UNKNOWN, "spec")]).toEqual(["spec"]);
    const values: PropertyValue[] = [value, UNKNOWN, [[UNKNOWN]], { a: [null, 1, "b"] }, null];
    expect([...values, undefined].map(holdsUnknown)).toEqual([true, true, true, false, false, false]);
  });

  it("tells whether a path is inside another one", () => {
    expect(["a.b", "a[0]", "a", "ab", "ab.c", "b.a"].map((path) => isInside(path, "a"))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it("returns only own properties of objects, and only entries of lists", () => {
    const values: (PropertyValue | undefined)[] = [{ a: 1 }, {}, ["a"], "a", null, UNKNOWN, undefined];
    expect(values.map((value) => propertyOf(value, "a"))).toEqual([
      1,
      ...values.slice(1).map(() => undefined),
    ]);
    expect(propertyOf({}, "constructor")).toBeUndefined();
    expect(values.map((value) => entriesOf(value))).toEqual([[], [], ["a"], [], [], [], []]);
  });

  it("reads whole numbers and booleans, also from strings", () => {
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
