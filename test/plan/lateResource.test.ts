import { LateResource, type StatePart, StateParts } from "../../src/plan/lateResource";
import { ENTRY } from "../../src/plan/scan/entryPlaces";
import { JsonBytes } from "../../src/plan/scan/jsonBytes";
import { TYPE } from "../../src/resources/resourceTypes";
import { withProperties } from "../../src/resources/resource";

const URN = "urn:pulumi:dev::network::aws:ec2/vpc:Vpc::a";
const INPUTS = '{"cidrBlock":"10.0.0.0/16"}';
const SOURCES = '{"cidrBlock":["urn:pulumi:dev::network::pool"]}';

/** The parts of a state as a file contains them, with their positions. */
function kept(texts: Partial<Record<StatePart, string>>) {
  const entry = new Int32Array(ENTRY.width);
  // Zero means no position.
  let written = " ";
  for (const part of Object.keys(texts) as StatePart[]) {
    entry[ENTRY[part]] = written.length;
    written += texts[part];
    entry[ENTRY[part] + 1] = written.length;
  }
  const parts = new StateParts(new JsonBytes(Buffer.from(written)));
  return { parts, at: parts.keep(entry), parsed: jest.spyOn(parts, "parsed") };
}

function late() {
  const { parts, at, parsed } = kept({ inputs: INPUTS, propertyDependencies: SOURCES });
  const state = { urn: URN, type: TYPE.vpc, id: "vpc-1" };
  return { parsed, resource: new LateResource(parts, at, state, "plan.json") };
}

describe("a resource whose parts are parsed on demand", () => {
  test("is parsed once, when it is first read", () => {
    const { parsed, resource } = late();
    expect(resource.origin).toEqual({ urn: URN, file: "plan.json" });
    expect([resource.name, resource.type]).toEqual(["a", TYPE.vpc]);
    expect(parsed).not.toHaveBeenCalled();
    expect(resource.properties).toEqual({ cidrBlock: "10.0.0.0/16", id: "vpc-1" });
    expect(resource.properties).toBe(resource.properties);
    const before = parsed.mock.calls.length;
    expect(resource.propertyDependencies).toEqual(JSON.parse(SOURCES));
    expect(resource.propertyDependencies).toBe(resource.propertyDependencies);
    expect(parsed).toHaveBeenCalledTimes(before + 1);
  });

  test("keeps its dependencies if its properties are replaced", () => {
    const { origin, propertyDependencies, properties } = withProperties(late().resource, { id: "vpc-2" });
    expect([origin.urn, properties]).toEqual([URN, { id: "vpc-2" }]);
    expect(propertyDependencies).toEqual(JSON.parse(SOURCES));
  });

  test("of a cluster has the stated inputs and the provider, which are parsed only when they are read", () => {
    const stated = '{"spec":{"mtu":1400}}';
    const there = '{"spec":{"mtu":1400,"logLevel":"Normal"}}';
    const { parts, at, parsed } = kept({ provider: '"urn:provider::1"', inputs: stated, outputs: there });
    const state = { urn: URN, type: "kubernetes:operator.openshift.io/v1:Network" };
    const resource = new LateResource(parts, at, state, "plan.json");
    expect(resource.properties).toEqual(JSON.parse(there));
    expect(parsed).toHaveBeenCalledTimes(2);
    expect(resource.inputs).toEqual(JSON.parse(stated));
    expect(resource.provider).toBe("urn:provider");
    const before = parsed.mock.calls.length;
    expect(resource.provider).toBe("urn:provider");
    expect(parsed).toHaveBeenCalledTimes(before);
    expect(withProperties(resource, {})).toMatchObject({
      inputs: JSON.parse(stated) as object,
      provider: "urn:provider",
    });
    const elsewhere = new LateResource(parts, at, { urn: URN, type: TYPE.vpc }, "plan.json");
    expect([elsewhere.inputs, elsewhere.provider]).toEqual([undefined, undefined]);
  });

  test("without outputs has no separate inputs, and parses nothing to find that out", () => {
    const { parts, at, parsed } = kept({ inputs: '{"ingress":[]}', outputs: "{}" });
    const resource = new LateResource(parts, at, { urn: URN, type: TYPE.securityGroup }, "plan.json");
    expect(resource.inputs).toBeUndefined();
    const made = { properties: {}, inputs: undefined };
    expect(
      new LateResource(parts, at, { urn: URN, type: TYPE.securityGroup }, "plan.json", made).inputs,
    ).toBe(undefined);
    expect(parsed).not.toHaveBeenCalled();
  });

  test.each([
    ['"urn:provider::1"', "urn:provider"],
    ["7", undefined],
    ["null", undefined],
  ])("has a provider only if that is a string: %s", (provider, expected) => {
    const { parts, at } = kept({ provider });
    const state = { urn: URN, type: "kubernetes:operator.openshift.io/v1:Network" };
    expect(new LateResource(parts, at, state, "plan.json").provider).toBe(expected);
  });

  test("prints nothing of the file", () => {
    expect(JSON.stringify(late().resource)).not.toContain("cidrBlock");
  });
});

describe("the parts of many states", () => {
  test("are each found, however many there are", () => {
    const json = new JsonBytes(Buffer.from(' {"a":1}[2]'));
    const parts = new StateParts(json);
    const entry = new Int32Array(ENTRY.width);
    entry.set([1, 8], ENTRY.inputs);
    const first = parts.keep(entry);
    const others = Array.from({ length: 5_000 }, () => {
      entry.set([8, 11], ENTRY.inputs);
      return parts.keep(entry);
    });
    expect(parts.parsed(first, "inputs")).toEqual({ a: 1 });
    expect(parts.parsed(first, "outputs")).toBeUndefined();
    for (const other of others) expect(parts.parsed(other, "inputs")).toEqual([2]);
  });
});
