import { planInLog, readJsonDocument, readLargeJson, readListed } from "../../src/plan/jsonDocument";
import { TYPE } from "../../src/resources/resourceTypes";
import { preview, stackExport, state, step } from "./plans";

const vpc = (name: string, more: object = {}) => state(TYPE.vpc, name, { cidrBlock: "10.0.0.0/16" }, more);
const inPart = (text: string) => readListed(Buffer.from(text), "plan.json")?.document;

interface Listed {
  steps?: unknown[];
  deployment?: { resources: unknown[] };
  checkpoint?: { latest: { resources: unknown[] } };
}
/** The number of entries in the list of a document. */
const numberIn = (document: unknown): number => {
  const { steps, deployment, checkpoint } = document as Listed;
  return (steps ?? (deployment ?? checkpoint!.latest).resources).length;
};

describe("a plan is read in part", () => {
  const deployment = { resources: [vpc("a")] };

  test.each<[what: string, text: string]>([
    ["of a preview", preview([step("create", vpc("a"))])],
    [
      "of a preview whose steps have null as old state",
      preview([{ ...step("same", vpc("a")), oldState: null } as never]),
    ],
    [
      "of a preview whose steps have null as new state",
      preview([{ ...step("delete", vpc("a")), newState: null } as never]),
    ],
    ["of a preview without steps", preview([])],
    ["of an export", stackExport([vpc("a")])],
    ["of a checkpoint", JSON.stringify({ version: 3, checkpoint: { latest: deployment } })],
    [
      "of a preview with its list after a MiB of other content",
      `${JSON.stringify({ a: "x".repeat(1_000_000) }).slice(0, -1)}, ${preview([]).slice(1)}`,
    ],
  ])("if it has the list %s", (_, text) => {
    expect(numberIn(inPart(text))).toBe(numberIn(JSON.parse(text)));
  });

  test.each<[what: string, text: string]>([
    ["whose list is in another place", '{"config": {"steps": [{}]}}'],
    ["whose resources are at the top level", '{"resources": [{}]}'],
    ["whose resources have null in place of a deployment", '{"deployment": null, "resources": [{}]}'],
    ["whose deployment is a list", '{"deployment": [], "resources": [{}]}'],
    ["whose checkpoint is empty", '{"checkpoint": {"latest": null}, "resources": [{}]}'],
    ["whose list is stated twice", '{"steps": [{"op": "same"}], "steps": []}'],
    [
      "that contains the placeholder text instead of a second list",
      '{"steps": [{}], "steps": "entries of the list"}',
    ],
    ["that contains the placeholder text before the list", '{"a": "entries of the list", "steps": [{}]}'],
    ["whose list is an object", '{"steps": {"a": []}}'],
    ["with an invalid list and a matching end", '{"steps":[!          }'],
    ["with a fault before the list", '{"a": x, "steps": []}'],
    ["with a fault after the list", '{"steps": [], "a": x}'],
    ["with another value after it", '{"steps": []} {}'],
    ["that is cut off", '{"steps": [{}'],
    ["whose entries have a key twice", '{"steps": [{"op": "same", "op": "create"}]}'],
    ["whose entries have an escaped name", '{"steps": [{"\\u006fp": "same"}]}'],
    ["whose entries are not objects", '{"steps": [7]}'],
    ["whose list starts too late", `{"a": "${"x".repeat(1024 * 1024)}", "steps": []}`],
  ])("unless it is one %s", (_, text) => {
    expect(inPart(text)).toBeUndefined();
  });

  test.each(['{"steps"\n:\t[ ]}', '{"steps":[]}', '{ "steps" : [\r\n] }'])("in any spacing: %j", (text) => {
    expect(inPart(text)).toEqual({ steps: [] });
  });
});

describe("a plan in a log", () => {
  const plan = preview([step("create", vpc("a"))]);
  const flat = JSON.stringify(JSON.parse(plan));

  test.each<[what: string, before: string, text: string, after: string]>([
    ["after lines", "a line\nanother\n", plan, ""],
    ["before lines", "", plan, "\na line\n"],
    ["before text in the same line", "", flat, "a line"],
    ["whose entries start on new lines", "", flat.replaceAll(/\{"op"/g, '\n{"op"'), "\na line\n"],
    ["between lines, with an export", "a [line]\n", stackExport([vpc("a")]), "\nb\n"],
  ])("is found %s", (_, before, text, after) => {
    expect(
      planInLog(Buffer.from(before + text + after))
        ?.toString()
        .trimEnd(),
    ).toBe(text);
    const bytes = Buffer.from(before + text + after);
    const { value, isInLog } = readJsonDocument(bytes, "a.log");
    expect([value !== undefined, isInLog]).toEqual([true, true]);
  });

  test.each<[what: string, text: string]>([
    ["nothing", ""],
    ["lines without a plan", "a line\nanother\n"],
    ["JSON that is not a plan", `a line\n{"a": 1}\n`],
    ["a plan that starts within a line", `a line ${flat}\n`],
    ["a plan without its end", `a line\n${plan.slice(0, -2)}`],
    ["a plan with a fault at its end, followed by a line", `a line\n${plan.slice(0, -2)}!\n}\nline`],
    ["two plans", `${plan}\n${plan}\n`],
    ["an object that is followed by a plan", `{"a": 1}\n${plan}`],
    ["a plan after Kubernetes objects", `apiVersion: v1\n${plan}`],
    ["a plan before Kubernetes objects", `${plan}\napiVersion: v1\n`],
    ["a plan before more JSON objects", `${flat}{}`],
  ])("is not found in %s", (_, text) => {
    expect(planInLog(Buffer.from(text))).toBeUndefined();
  });
});

describe("JSON that is too large for one string", () => {
  const large = (text: string) => readLargeJson(Buffer.from(text), "a.json");

  test.each<[what: string, text: string]>([
    ["entries of any kind", '{"steps": [1, "a, ]}", [2, [3]], {"b": [4]}, null]}'],
    ["no entries", '{"steps": [ \n ]}'],
    ["quotes and backslashes in strings", '{"a": "\\\\", "b\\"": "\\\\\\"[", "steps": ["\\\\", "\\"]", ""]}'],
    ["space before colons", '{"a" : 1, "steps"\n:\t[1, 2]}'],
    [
      "other lists with the same name around it",
      '{"config": {"steps": [1], "resources": [[2]]}, "steps": [{"steps": [3]}]}',
    ],
    [
      "strings that have the name of the list",
      '{"a": "steps", "b": ["resources", [1]], "deployment": {"resources": [2]}}',
    ],
    [
      "duplicate keys, of which the last counts",
      '{"steps": 1, "steps": [2], "deployment": {"resources": [3]}, "deployment": {"resources": [4]}}',
    ],
    ["no list but the one of a deployment", '{"steps": {"a": [1]}, "deployment": {"resources": [2]}}'],
    ["a checkpoint", '{"version": 3, "checkpoint": {"latest": {"resources": [1]}}, "deployment": null}'],
  ])("has the value that JSON.parse returns, with %s", (_, text) => {
    expect(large(text)).toEqual({ value: JSON.parse(text) as unknown });
  });

  test.each<[text: string, problem: string, column: number]>([
    ['{"steps": [1]} 2', "more text follows the JSON value", 16],
    ['{"steps": [1', "JSON ends in the middle of a value", 13],
    ['{"steps": [1}', "is not JSON from here on", 13],
  ])("has the same faults as smaller JSON: %s", (text, problem, column) => {
    expect(large(text)).toMatchObject({ fault: { file: "a.json", line: 1, column, problem } });
  });

  test.each([
    '{"a": "steps"}',
    '["steps", [1]]',
    '{"steps": 7, "a": [1]}',
    "[]",
    "7",
    '{"a": [{"steps": [1]}]}',
    '{"st\\u0065ps": [1]}',
    '{"steps": [1], "steps": 7}',
    '{"steps": [1], "st\\u0065ps": 7}',
    '{"deployment": [{"resources": []}], "resources": []}',
    '{"deployment": {"resources": [1]}, "deployment": null}',
    '{"steps": [], "a": "entries of the list"}',
  ])("is rejected without a list of a plan: %s", (text) => {
    expect(large(text).fault?.problem).toBe(
      "is larger than 512 MiB and is neither a complete preview nor a complete stack export",
    );
  });
});
