import { networkAclFilter } from "../../src/reachability/filters";
import { describeServices, blocksOf } from "../../src/reachability/packets";
import { Direction } from "../../src/requirements/vocabulary";
import { networkAcls } from "../../src/resources/networkAcls";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { UNKNOWN } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { resource, type Properties } from "../rules/builders";

const cidrBlock = "10.0.0.0/8";
const inline = (more: Properties) =>
  resource(TYPE.networkAcl, "hosts", {
    id: "acl-1",
    ingress: [{ ruleNo: 100, action: "allow", cidrBlock, ...more }],
  });
const split = (more: Properties) =>
  resource(TYPE.networkAclRule, "rule", {
    networkAclId: "acl-1",
    egress: false,
    ruleNumber: 100,
    ruleAction: "allow",
    cidrBlock,
    ...more,
  });
const rulesOf = (one: ReturnType<typeof resource>) =>
  networkAcls(new ResourceIndex([one])).acls.flatMap(({ rules }) => rules);
/** What a rule is about, as people read it. */
const services = (one: ReturnType<typeof resource>): string[] =>
  networkAclFilter(rulesOf(one), Direction.Ingress).clauses.flatMap(({ sure }) =>
    blocksOf(sure).flatMap((block) => block.services.flatMap(describeServices)),
  );

describe.each([
  ["inline", inline],
  ["of a rule resource", split],
])("a rule for ICMP %s", (_, rule) => {
  test.each<[string, Properties, string]>([
    ["ports of 0 are those that providers send: every message", { fromPort: 0, toPort: 0 }, "ICMP"],
    ["no ports: every message", {}, "ICMP"],
    ["type -1: every message", { icmpType: -1, icmpCode: -1, fromPort: 0, toPort: 0 }, "ICMP"],
    ["a type and every code", { icmpType: 3, icmpCode: -1, fromPort: 0, toPort: 0 }, "ICMP type 3"],
    ["a type without a code", { icmpType: 3, fromPort: 0, toPort: 0 }, "ICMP type 3"],
    [
      "a type and a code, whatever the ports are",
      { icmpType: 3, icmpCode: 4, fromPort: 8, toPort: 0 },
      "ICMP type 3 code 4",
    ],
    ["type 0 code 0, where it says so", { icmpType: 0, icmpCode: 0 }, "ICMP type 0 code 0"],
  ])("%s", (__, more, expected) => {
    for (const protocol of ["icmp", "1"]) expect(services(rule({ protocol, ...more }))).toEqual([expected]);
  });

  it("whose type is not known is named", () => {
    const [read] = rulesOf(rule({ protocol: "icmp", icmpType: UNKNOWN, fromPort: 0, toPort: 0 }));
    expect(read?.message).toBe(UNKNOWN);
  });
});

test("ports of a rule for TCP are ports, those of 0 too", () => {
  expect(services(inline({ protocol: "tcp", fromPort: 0, toPort: 0 }))).toEqual(["TCP 0"]);
});
