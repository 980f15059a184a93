import { cidrOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import type { Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import { judge, linesOf, resource, violations } from "../../rules/builders";
import { peering, vpcOf } from "../vpcs";

const attached = (...names: string[]) =>
  names.map((name) =>
    resource(TYPE.transitGatewayAttachment, name, { transitGatewayId: "tgw-1", vpcId: `vpc-${name}` }),
  );
/** `VPC b 10.2.0.0/16, VPC a 10.2.0.0/16` for each pair. */
const pairs = (...resources: Resource[]) =>
  violations(cidrOverlap, resources).map(({ message }) =>
    message.replace(" of connected networks shares addresses with", ","),
  );

test("an overlap of two peered VPCs is reported once, at the later VPC", () => {
  const [found, ...others] = judge(cidrOverlap, [
    ...vpcOf("a", "10.1.0.0/16"),
    ...vpcOf("b", "10.1.4.0/24"),
    peering("b", "a"),
  ]);
  expect(linesOf([found!])).toBe(
    "violated cidrBlock | VPC b 10.1.4.0/24 of connected networks shares addresses with VPC a 10.1.0.0/16 | move VPC b or VPC a to addresses that nothing else uses | 10.1.4.0 is in both",
  );
  expect(others).toEqual([]);
});

test("overlapping pairs are reported in the order of the VPCs and their blocks", () => {
  const a = vpcOf("a", "10.1.0.0/24", "10.2.0.0/16");
  const b = vpcOf("b", "10.2.0.0/24", "10.1.0.0/24", "10.2.1.0/24");
  const c = vpcOf("c", "10.1.0.0/16");
  expect(pairs(...a, ...b, ...c, ...attached("a", "b", "c"))).toEqual([
    "VPC b 10.1.0.0/24, VPC a 10.1.0.0/24",
    "VPC b 10.2.0.0/24, VPC a 10.2.0.0/16",
    "VPC b 10.2.1.0/24, VPC a 10.2.0.0/16",
    "VPC c 10.1.0.0/16, VPC a 10.1.0.0/24",
    "VPC c 10.1.0.0/16, VPC b 10.1.0.0/24",
  ]);
});

test.each<[string, Resource[]]>([
  ["in two ways are one finding", [peering("a", "b"), ...attached("a", "b")]],
  [
    "with a block that is stated twice are one finding",
    [...vpcOf("a", "10.1.0.0/16", "10.1.0.0/16"), peering("a", "b")],
  ],
  ["together with a VPC outside the input are still judged", attached("a", "b", "far")],
])("VPCs that are connected %s", (_, more) => {
  const both = [...vpcOf("a", "10.1.0.0/16"), ...vpcOf("b", "10.1.0.0/16")];
  expect(pairs(...both, ...more)).toEqual(["VPC b 10.1.0.0/16, VPC a 10.1.0.0/16"]);
});

test.each<[string, Resource[]]>([
  ["nothing connects them", []],
  [
    "a peering was refused",
    [{ ...peering("a", "b"), properties: { ...peering("a", "b").properties, acceptStatus: "rejected" } }],
  ],
  ["only one of them is connected", [peering("a", "far"), ...attached("a")]],
])("VPCs may have the same addresses if %s", (_, more) => {
  expect(pairs(...vpcOf("a", "10.1.0.0/16"), ...vpcOf("b", "10.1.0.0/16"), ...more)).toEqual([]);
});
