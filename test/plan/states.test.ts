import { truncateSync } from "node:fs";
import { dependencies, stackResource } from "../../src/plan/stackResource";
import { nameInUrn, stackInUrn, typeInUrn, UNKNOWN } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { Folder, preview, state, step, urn } from "./plans";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const SERVICE = "kubernetes:core/v1:Service";
const read = (type: string, more: object, inputs: object = {}) =>
  stackResource(state(type, "a", inputs, more), "plan.json", { count: 0 });

describe("the record of a resource", () => {
  test("contains what the engine states, and nothing else", () => {
    expect(read(TYPE.vpc, {}, { cidrBlock: "10.0.0.0/16" })).toEqual({
      origin: { urn: urn(TYPE.vpc, "a"), file: "plan.json" },
      type: TYPE.vpc,
      name: "a",
      properties: { cidrBlock: "10.0.0.0/16" },
    });
    const parent = urn("my:index:Stack", "stack");
    const propertyDependencies = { vpcId: [parent, 7], tags: [], other: null };
    expect(read(TYPE.vpc, { id: "vpc-1", parent, external: true, propertyDependencies })).toEqual({
      origin: { urn: urn(TYPE.vpc, "a"), file: "plan.json" },
      type: TYPE.vpc,
      name: "a",
      properties: { id: "vpc-1", tags: UNKNOWN },
      parent,
      isRead: true,
      propertyDependencies: { vpcId: [parent] },
    });
  });

  test.each<[string, object, object]>([
    ["an ID among its outputs", { id: "vpc-1", outputs: { id: "vpc-2" } }, { properties: { id: "vpc-2" } }],
    ["an empty ID", { id: "" }, { properties: {} }],
    ["a parent that is not a string", { parent: 7, external: "yes" }, { properties: {} }],
    ["null as dependencies", { propertyDependencies: null }, { properties: {} }],
  ])("is read with %s", (_, more, expected) => {
    expect(read(TYPE.vpc, more)).toEqual({
      origin: expect.anything() as unknown,
      type: TYPE.vpc,
      name: "a",
      ...expected,
    });
  });

  test("has a provider and inputs only for an object of a cluster", () => {
    const outputs = { spec: { type: "ClusterIP" } };
    const provider = urn("pulumi:providers:kubernetes", "management");
    expect(read(SERVICE, { provider: `${provider}::4711`, outputs }, { spec: {} })).toMatchObject({
      provider,
      properties: outputs,
      inputs: { spec: {} },
    });
    expect(read(SERVICE, { provider: 7 })).not.toHaveProperty("provider");
    expect(read(TYPE.vpc, { provider: `${provider}::4711` })).not.toHaveProperty("provider");
  });

  test.each([
    ["a provider without an ID", "management::04da6b54-80e4-46f7-96ec-b56ff0331ba9", "management"],
    ["a name with colons", "a::b::4711", "a::b"],
    ["the default provider of one SDK version", "default_4_23_0::4711", "default"],
    ["the default provider of another SDK version", "default_4_10_0_https_//example.com::4712", "default"],
    ["the default provider without a version", "default::4713", "default"],
    ["a name that only begins like a default provider", "defaults::4714", "defaults"],
    ["a name that resembles a default provider", "default_east::4715", "default_east"],
  ])("names a provider by its URN, and all default providers alike: %s", (_, reference, name) => {
    const { provider } = read(SERVICE, { provider: urn("pulumi:providers:kubernetes", reference) });
    expect(provider).toBe(urn("pulumi:providers:kubernetes", name));
  });
});

test.each([
  [urn(TYPE.vpc, "a"), TYPE.vpc, "a"],
  [urn(`my:index:Stack$${TYPE.vpc}`, "a::b$c"), TYPE.vpc, "a::b$c"],
  ["urn:pulumi:dev::network::x::", "x", "urn:pulumi:dev::network::x::"],
  ["a::b", "", "a::b"],
])("the URN %s has the type %s and the name %s", (whole, type, name) => {
  expect([typeInUrn(whole), nameInUrn(whole)]).toEqual([type, name]);
});

test("a URN starts with its stack and project", () => {
  expect([stackInUrn(urn(TYPE.vpc, "a::b")), stackInUrn("a"), stackInUrn("")]).toEqual([
    urn(TYPE.vpc, "").split(`::${TYPE.vpc}`)[0],
    "a",
    "",
  ]);
});

test("dependencies are non-empty lists of URNs", () => {
  expect([dependencies(undefined), dependencies(null), dependencies("a")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(dependencies({ a: ["x"], b: [], c: null, d: "y" })).toEqual({ a: ["x"] });
});

describe("a preview", () => {
  const plan = (diagnostics: unknown) => preview([step("create", state(TYPE.vpc, "a", {}))], { diagnostics });

  test.each<[unknown, string | undefined]>([
    [[{ severity: "warning" }, "error", null], undefined],
    ["error", undefined],
    [[{ severity: "error" }], "1 error"],
    [[{ severity: "error" }, { severity: "error" }], "2 errors"],
  ])("with the diagnostics %j is reported to have failed with %p", async (diagnostics, count) => {
    folder.write("plan.json", plan(diagnostics));
    expect(await folder.faults(["plan.json"])).toEqual(
      count === undefined
        ? []
        : [
            `plan.json  is a preview that failed with ${count}: not all resources are in it: run pulumi preview and fix what it reports first`,
          ],
    );
  });

  test("may come from standard input, as strings or bytes", async () => {
    const text = plan([]);
    const stdin = (async function* () {
      yield await Promise.resolve(text.slice(0, 10));
      yield Buffer.from(text.slice(10));
    })();
    const { resources, faults } = await folder.read(["-"], { stdin });
    expect([resources.map(({ name }) => name), faults]).toEqual([["a"], []]);
  });

  test("of more than 2 GiB is rejected", async () => {
    truncateSync(folder.write("plan.json", ""), 2 ** 31);
    expect(await folder.faults(["plan.json"])).toEqual(["plan.json  is larger than 2 GiB: split it"]);
  });
});
