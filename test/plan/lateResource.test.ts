import { LateResource } from "../../src/plan/lateResource";
import { JsonBytes } from "../../src/plan/scan/jsonBytes";
import { TYPE } from "../../src/resources/resourceTypes";
import { withProperties } from "../../src/resources/resource";

const URN = "urn:pulumi:dev::network::aws:ec2/vpc:Vpc::a";
const INPUTS = '{"cidrBlock":"10.0.0.0/16"}';
const SOURCES = '{"cidrBlock":["urn:pulumi:dev::network::pool"]}';

function late() {
  const json = new JsonBytes(Buffer.from(INPUTS + SOURCES));
  const parsed = jest.spyOn(json, "parsed");
  const parts = {
    provider: undefined,
    inputs: { from: 0, to: INPUTS.length },
    outputs: undefined,
    propertyDependencies: { from: INPUTS.length, to: INPUTS.length + SOURCES.length },
  };
  const state = { urn: URN, type: TYPE.vpc, id: "vpc-1" };
  return { parsed, resource: new LateResource(json, state, parts, "plan.json") };
}

describe("a resource of which parts are parsed late", () => {
  test("is parsed where somebody looks at it, once", () => {
    const { parsed, resource } = late();
    expect(resource.origin).toEqual({ urn: URN, file: "plan.json" });
    expect([resource.name, resource.type]).toEqual(["a", TYPE.vpc]);
    expect(parsed).not.toHaveBeenCalled();
    expect(resource.properties).toEqual({ cidrBlock: "10.0.0.0/16", id: "vpc-1" });
    expect(resource.properties).toBe(resource.properties);
    expect(parsed).toHaveBeenCalledTimes(1);
    expect(resource.propertyDependencies).toEqual(JSON.parse(SOURCES));
    expect(resource.propertyDependencies).toBe(resource.propertyDependencies);
    expect(parsed).toHaveBeenCalledTimes(2);
  });

  test("keeps what it was made from where its properties are replaced", () => {
    const { origin, propertyDependencies, properties } = withProperties(late().resource, { id: "vpc-2" });
    expect([origin.urn, properties]).toEqual([URN, { id: "vpc-2" }]);
    expect(propertyDependencies).toEqual(JSON.parse(SOURCES));
  });

  test("of a cluster has what the program stated and its provider, which are parsed for those who ask", () => {
    const texts = ['"urn:provider::1"', '{"spec":{"mtu":1400}}', '{"spec":{"mtu":1400,"logLevel":"Normal"}}'];
    const json = new JsonBytes(Buffer.from(texts.join("")));
    const parsed = jest.spyOn(json, "parsed");
    let at = 0;
    const [provider, inputs, outputs] = texts.map((text) => ({ from: at, to: (at += text.length) }));
    const state = { urn: URN, type: "kubernetes:operator.openshift.io/v1:Network" };
    const parts = { provider, inputs, outputs, propertyDependencies: undefined };
    const resource = new LateResource(json, state, parts, "plan.json");
    expect(resource.properties).toEqual(JSON.parse(texts[2]!));
    expect(parsed).toHaveBeenCalledTimes(2);
    expect(resource.inputs).toEqual(JSON.parse(texts[1]!));
    expect(resource.provider).toBe("urn:provider::1");
    const elsewhere = new LateResource(json, { urn: URN, type: TYPE.vpc }, parts, "plan.json");
    expect([elsewhere.inputs, elsewhere.provider]).toEqual([undefined, undefined]);
  });

  test("shows none of the file where it is printed", () => {
    expect(JSON.stringify(late().resource)).not.toContain("cidrBlock");
  });
});
