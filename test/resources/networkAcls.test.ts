import { networkAclFilter } from "../../src/reachability/filters/networkAcl";
import { describeServices } from "../../src/reachability/packets/service";
import { blocksOf } from "../../src/reachability/packets/print";
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
/** The services of the rules as readable text. */
const services = (one: ReturnType<typeof resource>): string[] =>
  networkAclFilter(rulesOf(one), Direction.Ingress).clauses.flatMap(({ sure }) =>
    blocksOf(sure).flatMap((block) => block.services.flatMap(describeServices)),
  );

describe.each([
  ["inline", inline],
  ["of a rule resource", split],
])("a rule for ICMP %s", (_, rule) => {
  test.each<[string, Properties, string]>([
    [
      "with ports only is for type 0 code 0, which providers send",
      { fromPort: 8, toPort: 8 },
      "ICMP type 0 code 0",
    ],
    ["without type and code is for type 0 code 0, which providers send", {}, "ICMP type 0 code 0"],
    ["with type -1 is for every message", { icmpType: -1, icmpCode: -1, fromPort: 0, toPort: 0 }, "ICMP"],
    [
      "with a type and code -1 is for every code of that type",
      { icmpType: 3, icmpCode: -1, fromPort: 0, toPort: 0 },
      "ICMP type 3",
    ],
    ["with a type only is for code 0, which providers send", { icmpType: 3 }, "ICMP type 3 code 0"],
    [
      "with a type and a code ignores the ports",
      { icmpType: 3, icmpCode: 4, fromPort: 8, toPort: 0 },
      "ICMP type 3 code 4",
    ],
    ["with type 0 and code 0 is for that message", { icmpType: 0, icmpCode: 0 }, "ICMP type 0 code 0"],
  ])("%s", (__, more, expected) => {
    for (const protocol of ["icmp", "1"]) expect(services(rule({ protocol, ...more }))).toEqual([expected]);
  });

  it("has an unknown message if its type is unknown", () => {
    const [read] = rulesOf(rule({ protocol: "icmp", icmpType: UNKNOWN, fromPort: 0, toPort: 0 }));
    expect(read?.message).toBe(UNKNOWN);
  });
});

test("a rule for ICMPv6 covers ICMPv6 messages only", () => {
  for (const protocol of ["icmpv6", "58"]) {
    const of = (message: Properties) =>
      services(split({ protocol, cidrBlock: null, ipv6CidrBlock: "fd00::/8", ...message }));
    expect(of({ icmpType: -1 })).toEqual(["ICMPv6"]);
    expect(of({ icmpType: 2, icmpCode: -1 })).toEqual(["ICMPv6 type 2"]);
    expect(services(split({ protocol, icmpType: -1 }))).toEqual([]);
    expect(services(split({ protocol, icmpType: 2, icmpCode: -1 }))).toEqual([]);
  }
});

test("ports that a rule does not state are 0, which providers send", () => {
  expect(services(split({ protocol: "tcp" }))).toEqual(["TCP 0"]);
  expect(services(split({ protocol: "udp", toPort: 53 }))).toEqual(["UDP 0-53"]);
});

test("host bits of a block are ignored, because EC2 removes them", () => {
  const [read] = rulesOf(split({ protocol: "-1", cidrBlock: "10.0.128.5/17", ruleAction: "deny" }));
  expect(read?.peer).toMatchObject({ text: "10.0.128.0/17" });
  expect(rulesOf(split({ protocol: "-1", cidrBlock: "10.0.0.0/33" }))[0]?.peer).toBeUndefined();
});

test("if two rules have the same number, it is unknown which of them applies", () => {
  const entry = (action: string) => ({ ruleNo: 100, action, protocol: "-1", cidrBlock: "0.0.0.0/0" });
  const acl = resource(TYPE.networkAcl, "hosts", {
    id: "acl-1",
    ingress: [entry("allow"), entry("deny"), { ...entry("deny"), ruleNo: 101 }],
    egress: [entry("allow")],
  });
  const clauses = (direction: Direction) => networkAclFilter(rulesOf(acl), direction).clauses;
  expect(clauses(Direction.Ingress).map(({ unknown }) => unknown.length)).toEqual([1, 1, 0]);
  expect(clauses(Direction.Egress).map(({ unknown }) => unknown.length)).toEqual([0]);
});

test("port 0 of a TCP rule means port 0", () => {
  expect(services(inline({ protocol: "tcp", fromPort: 0, toPort: 0 }))).toEqual(["TCP 0"]);
});

test("protocol names that the provider accepts equal their numbers, and other names stay unknown", () => {
  const said = (protocol: string) => services(inline({ protocol, fromPort: 0, toPort: 0 }));
  expect(said("gre")).toEqual(said("47"));
  expect(said("AH")).toEqual(["protocol 51"]);
  expect(said("nonsense")).toEqual([]);
});
