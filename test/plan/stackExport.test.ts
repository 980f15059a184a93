import { isStackExport, readStackExport } from "../../src/plan/stackExport";
import { isPreview, readPreview } from "../../src/plan/preview";
import { unchanged } from "../../src/plan/readInputs";
import { TYPE } from "../../src/resources/resourceTypes";
import { Folder, preview, stackExport, state, step, urn } from "./plans";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const vpc = (name: string, more: object = {}) => state(TYPE.vpc, name, { cidrBlock: "10.0.0.0/16" }, more);

test.each<[object, boolean]>([
  [{ version: 3, deployment: {} }, true],
  [{ version: 3, checkpoint: null }, true],
  [{ deployment: {} }, false],
  [{ checkpoint: {} }, false],
  [{ version: 3 }, false],
  [{ version: 3, deployment: null }, false],
  [{ version: 3, deployment: [] }, false],
  [{ version: 3, deployment: "a" }, false],
])("%j is a stack export: %p", (document, expected) => {
  expect(isStackExport(document)).toBe(expected);
});

test.each<[object, boolean]>([
  [{ changeSummary: {}, steps: [] }, true],
  [{ changeSummary: {}, diagnostics: [] }, true],
  [{ changeSummary: {}, duration: 1 }, true],
  [{ changeSummary: {} }, false],
  [{ duration: 1, diagnostics: [] }, false],
  [{ steps: [{ urn: "a" }] }, true],
  [{ steps: [{ op: "same" }, { urn: "a" }] }, true],
  [{ steps: [{ urn: 7 }, null, "a"] }, false],
  [{ steps: [] }, false],
  [{ steps: { urn: "a" } }, false],
  [{ diagnostics: [] }, false],
])("%j is a preview: %p", (document, expected) => {
  expect(isPreview(document)).toBe(expected);
});

test("a preview without steps has no states and leaves nothing out", () => {
  expect(readPreview({ changeSummary: {}, diagnostics: [] }, "a").preview).toMatchObject({
    states: [],
    leftOut: 0,
    skipped: 0,
  });
});

describe("a damaged plan", () => {
  const anew = "write it again";
  const missing = "is a damaged preview: steps or changeSummary are missing";

  test.each<[object, string]>([
    [{ steps: {}, changeSummary: {} }, missing],
    [{ steps: [null], changeSummary: {} }, missing],
    [{ steps: [{ urn: "a" }], changeSummary: {} }, missing],
    [{ steps: [{ op: "same" }], changeSummary: {} }, missing],
    [{ steps: [{ op: "same", urn: "a" }] }, missing],
    [{ steps: [{ op: "same", urn: "a" }], changeSummary: [] }, missing],
    [{ steps: [{ op: "same", urn: "a" }], changeSummary: { same: 1.5 } }, missing],
    [
      { steps: [{ op: "same", urn: "a" }], changeSummary: { same: 1 } },
      "is a damaged preview: a has no new state that can be read",
    ],
  ])("reports that a preview is damaged: %j", (document, problem) => {
    expect(readPreview(document, "a.json")).toEqual({ fault: { file: "a.json", problem, remedy: anew } });
  });

  const unknown = ["is a stack export of an unknown version", "export it with a current Pulumi"];
  const damaged = [
    "is a damaged stack export: not every resource has URN, type and properties",
    "export it again",
  ];

  test.each<[object, string[]]>([
    [{ version: 2, deployment: { resources: [] } }, unknown],
    [{ version: "3", deployment: { resources: [] } }, unknown],
    [{ version: 5, deployment: { resources: [] } }, unknown],
    [{ version: 3, checkpoint: null }, damaged],
    [{ version: 3, checkpoint: {} }, damaged],
    [{ version: 3, deployment: { resources: {} } }, damaged],
    [{ version: 3, deployment: { resources: [null] } }, damaged],
    [{ version: 3, deployment: { resources: [{ urn: "a" }] } }, damaged],
    [{ version: 3, deployment: { resources: [{ type: "a" }] } }, damaged],
    [{ version: 3, deployment: { resources: [{ urn: "a", type: "b", inputs: [] }] } }, damaged],
    [{ version: 3, deployment: { resources: [{ urn: "a", type: "b", outputs: "c" }] } }, damaged],
  ])("is rejected as an export: %j", (document, [problem, remedy]) => {
    expect(readStackExport(document, "a.json")).toEqual({ fault: { file: "a.json", problem, remedy } });
  });

  test.each<[object, number]>([
    [{ version: 3, deployment: {} }, 0],
    [{ version: 4, deployment: { resources: [vpc("a")], pending_operations: [] } }, 1],
    [{ version: 3, checkpoint: { latest: { resources: [vpc("a")] } } }, 1],
    [{ version: 3, checkpoint: { latest: {} } }, 0],
    [{ version: 3, deployment: { resources: [{ urn: "a", type: "b", inputs: null }] } }, 1],
  ])("is not what a valid export is: %j", (document, count) => {
    const { states, retained, notes, fault } = readStackExport(document, "a.json");
    expect([states?.length, retained, notes, fault]).toEqual([count, [], [], undefined]);
  });

  test("leaves out default providers of the engine, and no others", () => {
    const provider = (type: string, name: string) => state(type, name, {});
    const resources = [
      provider("pulumi:providers:aws", "default"),
      provider("pulumi:providers:aws", "default_7_0_0"),
      provider("pulumi:providers:aws", "defaults"),
      provider("pulumi:providers:aws", "my-default"),
      provider("my:providers:aws", "default"),
    ];
    const { states } = readStackExport({ version: 3, deployment: { resources } }, "a");
    expect(states?.map(({ urn: one }) => one)).toEqual(resources.slice(2).map(({ urn: one }) => one));
  });
});

describe("the export behind --state", () => {
  const faultsOf = async (content: string | undefined) => {
    const file = `${folder.path}/state.json`;
    if (content !== undefined) folder.write("state.json", content);
    folder.write("plan.json", preview([step("create", vpc("new"))]));
    return folder.faults(["plan.json"], { state: file });
  };
  const none = "state.json  is not a stack export: write it with pulumi stack export --file state.json";

  test.each<[string | undefined, string]>([
    [undefined, "state.json  no such file or folder: "],
    ["{", "state.json:1:2  JSON ends in the middle of a value: write the file again"],
    ["7", none],
    ["null", none],
    ["[]", none],
    [preview([step("create", vpc("a"))]), none],
    [
      stackExport([], { version: 1 }),
      "state.json  is a stack export of an unknown version: export it with a current Pulumi",
    ],
  ])("is rejected if it is not a valid stack export: %s", async (content, fault) => {
    expect(await faultsOf(content)).toEqual([expect.stringContaining(fault)]);
  });

  test("has a note if an update was interrupted, and its resources are judged", async () => {
    const deployment = { resources: [vpc("kept")], pending_operations: [{}, {}] };
    const file = folder.write("state.json", JSON.stringify({ version: 3, deployment }));
    folder.write(
      "plan.json",
      preview([step("create", vpc("new"))], { changeSummary: { create: 1, same: 1 } }),
    );
    const { resources, notes, faults } = await folder.read(["plan.json"], { state: file });
    expect([resources.map(({ name, origin }) => [name, origin.file]), faults]).toEqual([
      [
        ["new", `${folder.path}/plan.json`],
        ["kept", file],
      ],
      [],
    ]);
    expect(notes).toEqual([
      `${file}: an update was interrupted: the outcome of 2 operations is not in the export; run pulumi refresh and export the stack again`,
    ]);
  });

  test("adds all resources if the preview has no steps, and must match their number", async () => {
    const file = folder.write("state.json", stackExport([vpc("a"), vpc("b")]));
    folder.write("plan.json", JSON.stringify({ config: {}, duration: 1, changeSummary: { same: 2 } }));
    const { resources, faults, notes } = await folder.read(["plan.json"], { state: file });
    expect([resources.map(({ name }) => name), faults, notes]).toEqual([["a", "b"], [], []]);
    expect(await folder.faults(["plan.json"])).toEqual([
      expect.stringMatching(/^plan\.json {2}2 resources are left out because they are unchanged: /),
    ]);
    folder.write("plan.json", preview([], { changeSummary: { same: 3 } }));
    expect(await folder.faults(["plan.json"], { state: file })).toEqual([
      expect.stringMatching(/^state\.json {2}does not fit plan\.json: /),
    ]);
    folder.write("state.json", stackExport([]));
    expect(await folder.faults(["plan.json"], { state: file })).toEqual([
      expect.stringMatching(/^state\.json {2}does not fit plan\.json: /),
    ]);
  });

  test("must be of the stack and the project of the preview", () => {
    const [shown, other] = [vpc("shown"), vpc("other")];
    const read = { states: [], former: [], deleted: [], shown: new Set([shown.urn]), leftOut: 1, skipped: 0 };
    const file = "state.json";
    expect(unchanged(read, "plan.json", { file, states: [shown, other] })).toEqual({ states: [other] });
    for (const stack of ["urn:pulumi:prod::network", "urn:pulumi:dev::apps"]) {
      const foreign = { ...other, urn: other.urn.replace("urn:pulumi:dev::network", stack) };
      expect(unchanged(read, "plan.json", { file, states: [shown, foreign] })).toEqual({
        fault: {
          file,
          problem: "is an export of another stack than plan.json: it has other",
          remedy: "export the stack of the preview",
        },
      });
    }
    expect(unchanged({ ...read, leftOut: 0 }, "plan.json", { file, states: [other] })).toEqual({
      states: [],
    });
  });
});

describe("whether a preview creates a resource", () => {
  const provider = urn("pulumi:providers:aws", "default");

  test.each<[what: string, op: string, old: object, skipped: number]>([
    ["is unchanged without an ID and outputs", "same", { provider }, 1],
    ["has an ID", "same", { provider, id: "vpc-1" }, 0],
    ["has outputs", "same", { provider, outputs: {} }, 0],
    ["has no provider", "same", {}, 0],
    ["is a component", "same", { provider, custom: false }, 0],
    ["is changed", "update", { provider }, 0],
  ])("is decided for one that %s", (_, op, old, skipped) => {
    const read = readPreview(JSON.parse(preview([step(op, vpc("a"), vpc("a", old))])) as object, "a").preview;
    expect([read?.skipped, read?.states.length]).toEqual([skipped, 1 - skipped]);
  });
});

test("groups whose rules were given as a secret show none of them, even if a provider returns them in the clear", async () => {
  const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "x" };
  const rules = Array.from({ length: 10 }, (_, n) => ({
    protocol: "tcp",
    fromPort: n,
    toPort: n,
    cidrBlocks: ["192.0.2.0/24"],
  }));
  const group = state(
    TYPE.securityGroup,
    "hosts",
    { ingress: rules, egress: secret },
    { outputs: { ingress: rules, egress: rules } },
  );
  folder.write("plan.json", preview([step("create", group)]));
  const [found] = (await folder.read(["plan.json"])).resources;
  expect(found?.secrets).toEqual(["egress"]);
  expect(JSON.stringify(found?.properties.egress) ?? "").not.toContain("192.0.2.0");
  expect(found?.properties.ingress).toEqual(rules);
});
