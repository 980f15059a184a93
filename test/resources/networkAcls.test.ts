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
    ["ports say nothing of it; providers send type 0", { fromPort: 8, toPort: 8 }, "ICMP type 0 code 0"],
    ["nothing: providers send type 0 and code 0", {}, "ICMP type 0 code 0"],
    ["type -1: every message", { icmpType: -1, icmpCode: -1, fromPort: 0, toPort: 0 }, "ICMP"],
    ["a type and every code", { icmpType: 3, icmpCode: -1, fromPort: 0, toPort: 0 }, "ICMP type 3"],
    ["a type without a code: providers send code 0", { icmpType: 3 }, "ICMP type 3 code 0"],
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

test("ICMP of IPv6 is another protocol: a rule for it means no packet of IPv4, and the other way round", () => {
  for (const protocol of ["icmpv6", "58"]) {
    expect(services(split({ protocol, icmpType: -1 }))).toEqual(["ICMPv6"]);
    expect(services(split({ protocol, icmpType: 2, icmpCode: -1 }))).toEqual(["ICMPv6 type 2"]);
  }
});

test("a rule without ports is one for port 0, which providers send", () => {
  expect(services(split({ protocol: "tcp" }))).toEqual(["TCP 0"]);
  expect(services(split({ protocol: "udp", toPort: 53 }))).toEqual(["UDP 0-53"]);
});

test("host bits mean nothing: EC2 takes them away", () => {
  const [read] = rulesOf(split({ protocol: "-1", cidrBlock: "10.0.128.5/17", ruleAction: "deny" }));
  expect(read?.peer).toMatchObject({ text: "10.0.128.0/17" });
  expect(rulesOf(split({ protocol: "-1", cidrBlock: "10.0.0.0/33" }))[0]?.peer).toBeUndefined();
});

test("of two rules with one number it is unknown which there will be", () => {
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

test("ports of a rule for TCP are ports, those of 0 too", () => {
  expect(services(inline({ protocol: "tcp", fromPort: 0, toPort: 0 }))).toEqual(["TCP 0"]);
});

test("protocols that the provider takes by name are those of their numbers, and others stay unknown", () => {
  const said = (protocol: string) => services(inline({ protocol, fromPort: 0, toPort: 0 }));
  expect(said("gre")).toEqual(said("47"));
  expect(said("AH")).toEqual(["protocol 51"]);
  expect(said("nonsense")).toEqual([]);
});
