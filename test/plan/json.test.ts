import fc from "fast-check";

import { keptOfEntry } from "../../src/plan/jsonDocument";
import { endOfJson } from "../../src/plan/jsonEnd";
import { readListed } from "../../src/plan/jsonList";
import { jsonFault } from "../../src/plan/parseJson";
import { isPreview, readPreview } from "../../src/plan/preview";
import { readStackExport } from "../../src/plan/stackExport";
import { stackResource, type EngineState } from "../../src/plan/stackResource";
import { TYPE } from "../../src/resources/resourceTypes";
import { HOSTED_CLUSTER } from "../rules/builders";
import { NOT_KNOWN, preview, stackExport, state, step } from "./plans";

const texts = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom('"', "\\", "},{", '}]"', "\u2028", NOT_KNOWN),
);
const value = fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" });
const types = fc.constantFrom(TYPE.securityGroup, TYPE.vpc, HOSTED_CLUSTER, "random:index:Thing");
const keys = fc.constantFrom("id", "parent", "outputs", "delete", "steps", "resources", "urn", "a");
const rules = fc.record({
  ingress: fc.array(fc.record({ cidrBlocks: fc.array(texts, { maxLength: 1 }), self: value }), {
    minLength: 6,
    maxLength: 10,
  }),
  egress: fc.oneof(value, fc.array(value, { minLength: 6, maxLength: 10 })),
});
const states = fc
  .record({
    type: types,
    name: texts,
    inputs: fc.oneof(fc.dictionary(texts, value), rules),
    more: fc.dictionary(keys, value),
  })
  .map(({ type, name, inputs, more }) => state(type, name, inputs, more));
const steps = fc
  .tuple(fc.constantFrom("create", "same", "delete", "replace"), states, fc.option(states))
  .map(([op, newState, oldState]) => step(op, newState, oldState ?? undefined));

/** Ways in which writers write JSON: the engine, jq, others; what is doubled, and what has its keys in another order. */
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
    fc.constantFrom(0, 1, 4, "\t", "spaced", "lines", "doubled", "reversed", "escaped"),
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
    case "reversed":
      return JSON.stringify(Object.fromEntries(Object.entries(document).reverse()), undefined, 2);
    case "escaped":
      return flat.replaceAll("op", "\\u006fp").replaceAll("urn", "ur\\u006e");
    default:
      return JSON.stringify(document, undefined, form);
  }
}

/** What is read of a document. */
function outcome(document: object): unknown {
  const secrets = { count: 0 };
  const resourcesOf = (found: readonly EngineState[]) => found.map((one) => stackResource(one, "a", secrets));
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

const listed = (text: Buffer, size: number) =>
  readListed(text, (entry, key, again) => keptOfEntry(entry, key, "a", again), size)?.document as
    object | undefined;

describe("plans that are read a part at a time", () => {
  it("say the same as when they are parsed whole, however they are written", () => {
    let inParts = 0;
    fc.assert(
      fc.property(written, fc.integer({ min: 1, max: 900 }), (text, size) => {
        const document = listed(Buffer.from(text), size);
        if (!document) return;
        inParts++;
        expect(outcome(document)).toEqual(outcome(JSON.parse(text) as object));
      }),
      { numRuns: 500 },
    );
    expect(inParts).toBeGreaterThan(150);
  });

  it("are no plans in parts that they are not as a whole: cut off, or with other bytes anywhere", () => {
    const damage = fc.oneof(
      fc.record({ at: fc.nat(), kind: fc.constant("cut") }),
      fc.record({
        at: fc.nat(),
        kind: fc.constantFrom('"', "{", "}", "]", "[", ",", ":", "\\", "\n", "x", ""),
      }),
    );
    let refused = 0;
    fc.assert(
      fc.property(written, damage, fc.integer({ min: 1, max: 900 }), (text, { at, kind }, size) => {
        const place = at % text.length;
        const broken =
          kind === "cut" ? text.slice(0, place) : text.slice(0, place) + kind + text.slice(place + 1);
        const document = listed(Buffer.from(broken), size);
        // Half of a character is another character in a file.
        const whole = parsed(Buffer.from(broken).toString());
        if (whole === undefined) refused++;
        if (document) expect(outcome(document)).toEqual(outcome(whole as object));
      }),
      { numRuns: 1_000 },
    );
    expect(refused).toBeGreaterThan(300);
  });

  it("are read in parts as the engine writes them", () => {
    const list = Array.from({ length: 40 }, (_, n) =>
      state(TYPE.vpc, `vpc-${n}`, { cidrBlock: "10.0.0.0/16" }),
    );
    const engine = [
      preview(list.map((one) => step("create", one))),
      stackExport(list),
      JSON.stringify(JSON.parse(stackExport(list)), undefined, 4),
    ];
    for (const text of engine) expect(listed(Buffer.from(text), 512)).toBeDefined();
  });

  it("keep of each step what is read of it, and nothing else", () => {
    const old = state(TYPE.vpc, "a", { cidrBlock: "10.0.0.0/16" });
    const text = preview([step("update", { ...old, ...{ stackTrace: [{}] } }, old)]);
    expect(JSON.parse(JSON.stringify(listed(Buffer.from(text), 512)))).toMatchObject({
      steps: [{ op: "update", urn: old.urn, newState: { urn: old.urn, type: old.type, inputs: old.inputs } }],
    });
    expect(JSON.stringify(listed(Buffer.from(text), 512))).not.toMatch(/stackTrace|oldState/);
  });
});

/** How much of a text can be the beginning of JSON, by asking `JSON.parse` of every beginning. */
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

describe("where JSON ends", () => {
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

  it("has its line and column, as editors count them", () => {
    expect(jsonFault(Buffer.from('{"é":\n"😀" x}'), "a.json")).toMatchObject({ line: 2, column: 6 });
    expect(jsonFault(Buffer.from('{"a":\n"é😀é'), "a.json")).toMatchObject({ line: 2, column: 6 });
  });
});
