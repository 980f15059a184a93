import { isProxy } from "node:util/types";

import fc from "fast-check";

import { Direction } from "../../src/requirements/vocabulary";
import { endOfJson, parseJson } from "../../src/plan/parseJson";
import { readListed } from "../../src/plan/jsonDocument";
import { isPreview, readPreview } from "../../src/plan/preview";
import { type EngineState, MadeState, stackResource } from "../../src/plan/stackResource";
import { TYPE } from "../../src/resources/resourceTypes";
import { inlineFacts } from "../../src/gate/securityGroupRules";
import { HOSTED_CLUSTER } from "../rules/builders";
import { NOT_KNOWN, preview, stackExport, state, step } from "./plans";
import { readStackExport } from "../../src/plan/stackExport";

const texts = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom('"', "\\", "},{", '}]"', "\u2028", NOT_KNOWN),
);
const value = fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" });
const types = fc.constantFrom(TYPE.securityGroup, TYPE.vpc, HOSTED_CLUSTER, "random:index:Thing");
const keys = fc.constantFrom("id", "parent", "outputs", "delete", "steps", "resources", "urn", "a");
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = { [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", ciphertext: "x" };

/** What rules contain as providers write them, and now and then something unusual. */
const blocks = fc.constantFrom(
  ...["10.0.0.0/8", "10.0.0.1/8", "0.0.0.0/0", "010.0.0.0/8", "256.0.0.0/8", "10.0.0.0/33", "10.0.0.0/08"],
  ...["2001:db8::/32", "2001:db8::1/32", "::/0", "", "10.0.0.0/", "10.0.0.0"],
);
const odd = fc.oneof(
  { weight: 400, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(NOT_KNOWN, "[secret]", SECRET, null, 7, "a", [], {}) },
);
const either = <T>(usual: fc.Arbitrary<T>) => fc.tuple(usual, odd).map(([one, other]) => other ?? one);
const list = <T>(entries: fc.Arbitrary<T>) => either(fc.array(either(entries), { maxLength: 2 }));
const rule = fc.record(
  {
    __defaults: list(fc.constant("self")),
    cidrBlocks: list(blocks),
    description: either(
      fc.oneof(
        fc.string({ unit: "grapheme" }),
        fc.constantFrom("x".repeat(36), "eight---", 'a "b"', "\u2028"),
      ),
    ),
    fromPort: either(fc.nat(70_000)),
    ipv6CidrBlocks: list(blocks),
    prefixListIds: list(fc.constant("pl-1")),
    protocol: either(fc.constantFrom("tcp", "-1")),
    securityGroups: list(fc.constant("sg-1")),
    self: either(fc.boolean()),
    toPort: either(fc.nat(70_000)),
    more: value,
  },
  { requiredKeys: ["cidrBlocks", "fromPort", "toPort"] },
);
const usualRule = fc
  .tuple(rule, fc.integer({ min: 0, max: 99 }))
  .map(([{ more, ...usual }, luck]) => (luck === 0 && more !== undefined ? { ...usual, more } : usual));
const ruleLists = fc.oneof(
  { weight: 6, arbitrary: fc.array(usualRule, { minLength: 6, maxLength: 10 }) },
  { weight: 1, arbitrary: value },
);
const rules = fc.record({ ingress: ruleLists, egress: ruleLists }, { requiredKeys: [] });
const groups = fc
  .record({
    name: texts,
    inputs: rules,
    outputs: fc.oneof(fc.constant({}), fc.constant({ id: "sg-2" }), rules, fc.constant(SECRET)),
  })
  .map(({ name, inputs, outputs }) => state(TYPE.securityGroup, name, inputs, { outputs }));
const others = fc
  .record({
    type: types,
    name: texts,
    inputs: fc.oneof(fc.dictionary(texts, value), rules),
    more: fc.dictionary(keys, value),
  })
  .map(({ type, name, inputs, more }) => state(type, name, inputs, more));
const states = fc.oneof(others, groups);
const steps = fc
  .tuple(fc.constantFrom("create", "same", "delete", "replace"), states, fc.option(states))
  .map(([op, newState, oldState]) => step(op, newState, oldState ?? undefined));

/** Forms in which the engine, jq and others write JSON, with doubled parts or keys in another order. */
const written = fc
  .tuple(
    fc.oneof(
      fc.array(steps, { maxLength: 6 }).map((list) => preview(list, { more: 1 })),
      fc
        .array(steps, { maxLength: 6 })
        .map((list) => preview(list, { steps: list, config: { steps: [{ op: 1 }] } })),
      fc.array(states, { maxLength: 6 }).map((list) => stackExport(list)),
      fc
        .array(states, { maxLength: 6 })
        .map((list) => JSON.stringify({ version: 3, checkpoint: { latest: { resources: list } } })),
      fc.array(value, { maxLength: 4 }).map((list) => JSON.stringify({ steps: list, changeSummary: {} })),
    ),
    fc.constantFrom(
      0,
      1,
      4,
      "\t",
      "spaced",
      "lines",
      "doubled",
      "twice",
      "sorted",
      "escaped",
      "escaped values",
    ),
  )
  .map(([text, form]) => rewritten(text, form));

function rewritten(text: string, form: string | number): string {
  const document = JSON.parse(text) as Record<string, unknown>;
  const flat = JSON.stringify(document);
  switch (form) {
    case "spaced":
      return JSON.stringify(document, undefined, 1).replaceAll(/\n */g, " ");
    case "lines":
      return flat.replaceAll(/\[\{|\},\{/g, (all) => all.replace("{", "\n{"));
    case "doubled":
      return `{"steps": [{"op": "same"}], ${flat.slice(1, -1)}, "deployment": 1, "steps": []}`;
    case "twice":
      return flat.replace(/"(ingress|cidrBlocks|self|inputs|type)":/, (key) => `${key}[],${key}`);
    case "sorted":
      return JSON.stringify(sorted(document), undefined, 2);
    case "escaped":
      return flat.replaceAll("op", "\\u006fp").replaceAll("urn", "ur\\u006e");
    case "escaped values":
      return flat
        .replaceAll("[secret]", "[secret\\u005d")
        .replaceAll("04da6b54", "\\u00304da6b54")
        .replaceAll("0/", "0\\/")
        .replace("egress", "egres\\u0073");
    default:
      return JSON.stringify(document, undefined, form);
  }
}

/** As `jq -S` writes it: types come after inputs. */
function sorted(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(sorted);
  if (typeof json !== "object" || json === null) return json;
  const entries = Object.entries(json).map(([key, one]) => [key, sorted(one)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const DIRECTIONS = Object.values(Direction);

/** What is read of a document, and the facts of rules before these are read. */
function outcome(document: object): unknown {
  const secrets = { count: 0 };
  const resourcesOf = (found: readonly EngineState[]) =>
    found.map((one) => {
      const resource = stackResource(one, "a", secrets);
      const { properties, propertyDependencies } = resource;
      const facts = DIRECTIONS.map((direction) => inlineFacts(resource, direction));
      // Long lists are left out of the stated inputs: only their keys are compared.
      const inputs = resource.inputs && Object.keys(resource.inputs).sort();
      return { facts, resource: { ...resource, properties, propertyDependencies, inputs } };
    });
  if (!isPreview(document)) {
    const { states: found = [], fault } = readStackExport(document, "a");
    return { resources: resourcesOf(found), secrets, fault };
  }
  const { preview: read, fault } = readPreview(document, "a");
  return {
    resources: resourcesOf(read?.states ?? []),
    secrets,
    shown: read?.shown,
    leftOut: read?.leftOut,
    fault,
  };
}

const inPart = (text: Buffer) => readListed(text, "a")?.document as object | undefined;

/** How many groups read their rules from the file on demand. */
function lightGroups(document: object): number {
  const { steps, deployment } = document as {
    steps?: ({ newState?: EngineState } | null)[];
    deployment?: { resources?: EngineState[] };
  };
  const found = steps?.map((one) => one?.newState) ?? deployment?.resources ?? [];
  return found.filter((one) => {
    const properties = one instanceof MadeState ? one.resource.properties : undefined;
    return DIRECTIONS.some((direction) => isProxy(properties?.[direction]));
  }).length;
}

describe("plans that are parsed in part", () => {
  it("have the same outcome as plans that are parsed whole, in any notation", () => {
    let tried = 0;
    let readInPart = 0;
    let light = 0;
    fc.assert(
      fc.property(written, (text) => {
        tried++;
        const document = inPart(Buffer.from(text));
        if (!document) return;
        readInPart++;
        light += lightGroups(document);
        expect(outcome(document)).toEqual(outcome(JSON.parse(text) as object));
      }),
      { numRuns: 500 },
    );
    expect(readInPart / tried).toBeGreaterThan(0.5);
    expect(light / tried).toBeGreaterThan(0.05);
  });

  it("have the same outcome as the whole if they are cut off or damaged anywhere", () => {
    const damage = fc.oneof(
      fc.record({ at: fc.nat(), kind: fc.constant("cut") }),
      fc.record({
        at: fc.nat(),
        kind: fc.constantFrom('"', "{", "}", "]", "[", ",", ":", "\\", "\n", "x", ""),
      }),
    );
    let refused = 0;
    fc.assert(
      fc.property(written, damage, (text, { at, kind }) => {
        const place = at % text.length;
        const broken =
          kind === "cut" ? text.slice(0, place) : text.slice(0, place) + kind + text.slice(place + 1);
        const document = inPart(Buffer.from(broken));
        // A part of a character becomes another character in a file.
        const whole = parsed(Buffer.from(broken).toString());
        if (whole === undefined) refused++;
        if (document) expect(outcome(document)).toEqual(outcome(whole as object));
      }),
      { numRuns: 500 },
    );
    expect(refused).toBeGreaterThan(150);
  });

  it.each(["same", "update"])("keep the id of the old state if a part of the new one is null (%s)", (op) => {
    const old = { ...state(TYPE.securityGroup, "a", {}), id: "sg-1" };
    for (const part of ["inputs", "outputs"]) {
      const { id: _, ...made } = { ...old, [part]: null };
      const text = preview([step(op, made, old)]);
      const document = inPart(Buffer.from(text))!;
      expect(outcome(document)).toMatchObject({ resources: [{ resource: { properties: { id: "sg-1" } } }] });
      expect(outcome(document)).toEqual(outcome(JSON.parse(text) as object));
    }
  });

  it("are read in part in the forms that the engine and jq write", () => {
    const list = Array.from({ length: 40 }, (_, n) =>
      state(TYPE.vpc, `vpc-${n}`, { cidrBlock: "10.0.0.0/16" }),
    );
    const texts = [
      preview(list.map((one) => step("create", one))),
      stackExport(list),
      JSON.stringify(JSON.parse(stackExport(list)), undefined, 4),
      rewritten(stackExport(list), "sorted"),
    ];
    for (const text of texts) {
      const document = inPart(Buffer.from(text))!;
      expect(outcome(document)).toEqual(outcome(JSON.parse(text) as object));
      expect(outcome(document)).toMatchObject({ resources: { length: 40 } });
    }
  });

  it("keep only what is read of each step", () => {
    const old = state(TYPE.ingressRule, "a", { cidrIpv4: "10.0.0.0/16" });
    const text = preview([step("create", { ...old, ...{ stackTrace: [{}] } }, old)]);
    const { steps: found } = inPart(Buffer.from(text)) as { steps: { newState: EngineState }[] };
    const { urn, type } = old;
    const resource = { name: "a", type, origin: { urn, file: "a" } };
    expect(JSON.parse(JSON.stringify(found))).toEqual([
      { op: "create", urn, newState: { urn, type, resource, secrets: 0 } },
    ]);
    const { properties } = stackResource(found[0]!.newState, "a", { count: 0 });
    expect(properties).toEqual(old.inputs);
  });
});

/** The length of the longest prefix of a text that can start JSON, according to `JSON.parse`. */
function longestBeginning(text: string): number {
  let good = 0;
  while (good < text.length && isBeginning(text.slice(0, good + 1))) good++;
  return good;
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const position = Number(/at position (\d+)/.exec(message)?.[1] ?? NaN);
    return position >= text.length || /end of JSON|Unterminated string/.test(message);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

describe("the end of JSON", () => {
  const json = fc
    .tuple(value, fc.constantFrom(0, 1, "\t"))
    .map(([one, form]) => JSON.stringify(one, undefined, form));
  const numbers = fc.stringMatching(/^[-+0-9.eE]{0,8}$/);
  const broken = fc
    .tuple(
      json,
      fc.nat(),
      fc.constantFrom("", '"', "\\", "\\u00", "}", "]", ",", ":", "0", "-", "t", "\u0001", " ", "é"),
    )
    .map(
      ([text, at, instead]) =>
        text.slice(0, at % (text.length + 1)) + instead + text.slice((at % (text.length + 1)) + 1),
    );

  it.each([
    ["JSON", json],
    [
      "JSON that is cut off",
      json.chain((text) => fc.nat(text.length).map((length) => text.slice(0, length))),
    ],
    ["JSON with one character changed", broken],
    ["numbers", numbers],
    ["two values", fc.tuple(json, json).map(([one, other]) => `${one}\n${other}`)],
  ])("is where JSON.parse stops: %s", (_, text) => {
    fc.assert(
      fc.property(text, (typed) => {
        const { at, isWhole } = endOfJson(Buffer.from(typed));
        const good = longestBeginning(typed);
        expect(at).toBe(Buffer.byteLength(typed.slice(0, good)));
        expect(isWhole).toBe(parsed(typed.slice(0, good)) !== undefined);
      }),
      { numRuns: 500 },
    );
  });

  it("has its line and column as editors count them", () => {
    const faultOf = (text: string) => parseJson(Buffer.from(text), "a.json").fault;
    expect(faultOf('{"é":\n"😀" x}')).toMatchObject({ line: 2, column: 6 });
    expect(faultOf('{"a":\n"é😀é')).toMatchObject({ line: 2, column: 6 });
  });
});
