import { readPrefix } from "../../src/address";
import { Direction, Protocol } from "../../src/requirements/vocabulary";
import type { WrittenAclRule } from "../../src/resources/networkAclRule";
import { networkAcls } from "../../src/resources/networkAcls";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { TYPE } from "../../src/resources/resourceTypes";
import { letsPass, readTraffic } from "../../src/resources/trafficSpec";
import { resource, type Properties } from "../rules/builders";

const peer = readPrefix("10.0.0.0/8");
const all = { ruleNo: 100, action: "allow", protocol: "-1", cidrBlock: "10.0.0.0/8" };
const acl = (entry: PropertyValue) => resource(TYPE.networkAcl, "hosts", { id: "acl-1", ingress: [entry] });
const own = (more: Properties) =>
  resource(TYPE.networkAclRule, "rule", {
    networkAclId: "acl-1",
    egress: true,
    ruleNumber: 100,
    ruleAction: "allow",
    protocol: "-1",
    cidrBlock: "10.0.0.0/8",
    ...more,
  });
const ruleOf = (one: ReturnType<typeof resource>) => {
  const [rule, ...more] = networkAcls(new ResourceIndex([one])).acls.flatMap(({ rules }) => rules);
  expect(more).toEqual([]);
  const { number, action, protocol, ports, path, direction } = rule!;
  return { number, action, protocol, ports, peer: rule!.peer, path, direction };
};
const here = { path: "ingress[0]", direction: Direction.Ingress, ports: undefined };

describe("a rule of a network ACL", () => {
  test.each<[string, PropertyValue, object]>([
    ["states all its fields", all, { number: 100, action: "allow", protocol: Protocol.Any, peer }],
    ["accepts an action in any case", { ...all, action: "ALLOW" }, { number: 100, action: "allow" }],
    ["denies", { ...all, action: "deny" }, { action: "deny" }],
    ["accepts a number as a string", { ...all, ruleNo: "100" }, { number: 100 }],
    ["may be unknown", UNKNOWN, { number: UNKNOWN, action: UNKNOWN, protocol: UNKNOWN, peer: UNKNOWN }],
    ["may have an unknown number", { ...all, ruleNo: UNKNOWN }, { number: UNKNOWN, action: "allow", peer }],
    ["has an unknown number if it states none", { ...all, ruleNo: null }, { number: UNKNOWN }],
    ["has an unknown action if that does not exist", { ...all, action: "pass" }, { action: UNKNOWN }],
    ["may have an unknown action", { ...all, action: UNKNOWN }, { action: UNKNOWN }],
    ["may have an unknown block", { ...all, cidrBlock: UNKNOWN }, { peer: UNKNOWN }],
    [
      "may have an IPv6 block",
      { ...all, cidrBlock: "", ipv6CidrBlock: "fd00::/8" },
      { peer: readPrefix("fd00::/8") },
    ],
    [
      "uses a known IPv6 block, even if the IPv4 block is unknown",
      { ...all, cidrBlock: UNKNOWN, ipv6CidrBlock: "fd00::/8" },
      { peer: readPrefix("fd00::/8") },
    ],
    ["has no peer without a block", { ...all, cidrBlock: null }, { peer: undefined }],
    ["has no peer if the block is not a CIDR block", { ...all, cidrBlock: "all" }, { peer: undefined }],
  ])("%s", (_, entry, expected) => {
    expect(ruleOf(acl(entry))).toMatchObject({ ...here, ...expected });
  });

  test("may be a separate resource with other property names", () => {
    const rule = { number: 100, action: "allow", protocol: Protocol.Any, ports: undefined, peer, path: "" };
    expect(ruleOf(own({}))).toEqual({ ...rule, direction: Direction.Egress });
    expect(ruleOf(own({ egress: false }))).toEqual({ ...rule, direction: Direction.Ingress });
    expect(ruleOf(own({ ruleAction: UNKNOWN, ruleNumber: 7 }))).toMatchObject({ number: 7, action: UNKNOWN });
  });
});

describe("the plain form of a network ACL rule", () => {
  const tcp = { ...all, protocol: "tcp", fromPort: 22, toPort: 23 };
  const plainOf = (one: ReturnType<typeof resource>) => {
    const { acls, stray } = networkAcls(new ResourceIndex([one]));
    return ([...acls.flatMap(({ rules }) => rules), ...stray][0] as WrittenAclRule).plain();
  };
  const traffic = { protocol: Protocol.Tcp, ports: { from: 22, to: 23 } };

  test.each<[string, PropertyValue, object]>([
    ["with ports", tcp, { traffic, peer, action: "allow" }],
    [
      "for everything",
      { ...all, action: "deny" },
      { traffic: { protocol: Protocol.Any }, peer, action: "deny" },
    ],
    [
      "in IPv6",
      { ...tcp, cidrBlock: "", ipv6CidrBlock: "fd00::/8" },
      { traffic, peer: readPrefix("fd00::/8"), action: "allow" },
    ],
  ])("has traffic, peer and action if everything is known: %s", (_, entry, expected) => {
    expect(plainOf(acl(entry))).toEqual(expected);
  });

  test.each<[string, PropertyValue]>([
    ["that is unknown", UNKNOWN],
    ["with an unknown action", { ...tcp, action: UNKNOWN }],
    ["with an action in capitals", { ...tcp, action: "ALLOW" }],
    ["with an unknown port", { ...tcp, toPort: UNKNOWN }],
    ["with a port that does not exist", { ...tcp, toPort: 65_536 }],
    ["with another protocol", { ...tcp, protocol: "icmp" }],
    ["without a protocol", { ...tcp, protocol: null }],
    ["with an unknown block", { ...tcp, cidrBlock: UNKNOWN }],
    ["with host bits", { ...tcp, cidrBlock: "10.0.0.1/8" }],
    ["without a block", { ...tcp, cidrBlock: null }],
  ])("is undefined for a rule %s", (_, entry) => {
    expect(plainOf(acl(entry))).toBeUndefined();
  });

  test("exists for a rule resource, unless its ACL is unknown", () => {
    expect(plainOf(own({}))).toEqual({ traffic: { protocol: Protocol.Any }, peer, action: "allow" });
    expect(plainOf(own({ networkAclId: UNKNOWN }))).toBeUndefined();
  });
});

describe("the traffic of a rule is read as", () => {
  const ports = (from: number, to: number) => ({ from, to });
  const CLOSED = { protocol: Protocol.Tcp, ports: ports(1, 0) };
  const ICMP = "1";

  test.each<[string, Properties, object]>([
    [
      "TCP with its ports",
      { protocol: "tcp", fromPort: 22, toPort: 23 },
      { protocol: Protocol.Tcp, ports: ports(22, 23) },
    ],
    [
      "UDP with its ports",
      { protocol: "udp", fromPort: 0, toPort: 65535 },
      { protocol: Protocol.Udp, ports: ports(0, 65535) },
    ],
    [
      "TCP if the protocol is in capital letters",
      { protocol: "TCP", fromPort: 22, toPort: 22 },
      { protocol: Protocol.Tcp, ports: ports(22, 22) },
    ],
    [
      "UDP if the protocol is its number as a string",
      { protocol: "17", fromPort: 53, toPort: 53 },
      { protocol: Protocol.Udp, ports: ports(53, 53) },
    ],
    [
      "TCP if the protocol is its number",
      { protocol: 6, fromPort: 53, toPort: 53 },
      { protocol: Protocol.Tcp, ports: ports(53, 53) },
    ],
    [
      "ports that are given as strings",
      { protocol: "tcp", fromPort: "22", toPort: "23" },
      { protocol: Protocol.Tcp, ports: ports(22, 23) },
    ],
    ["no port if only the first is given", { protocol: "tcp", fromPort: 22 }, CLOSED],
    ["no port if only the last is given", { protocol: "tcp", toPort: 22 }, CLOSED],
    ["no port if none is given", { protocol: "tcp" }, CLOSED],
    ["no port for -1", { protocol: "tcp", fromPort: -1, toPort: -1 }, CLOSED],
    ["no port if the last is -1", { protocol: "6", fromPort: 0, toPort: -1 }, CLOSED],
    ["no port beyond 65535", { protocol: "tcp", fromPort: 443, toPort: 70_000 }, CLOSED],
    ["no port if the unknown one cannot help", { protocol: "tcp", fromPort: -1, toPort: UNKNOWN }, CLOSED],
    [
      "an unknown protocol with ports that TCP does not have",
      { protocol: UNKNOWN, fromPort: -1, toPort: -1 },
      { protocol: UNKNOWN },
    ],
    [
      "unknown ports if one is unknown",
      { protocol: "tcp", fromPort: 22, toPort: UNKNOWN },
      { protocol: Protocol.Tcp, ports: UNKNOWN },
    ],
    [
      "unknown ports if one is not a port number",
      { protocol: "tcp", fromPort: 22.5, toPort: 23 },
      { protocol: Protocol.Tcp, ports: UNKNOWN },
    ],
    [
      "everything, whatever the ports are",
      { protocol: "-1", fromPort: 22, toPort: 22 },
      { protocol: Protocol.Any },
    ],
    ["everything without a protocol", {}, { protocol: Protocol.Any }],
    ["an unknown protocol", { protocol: UNKNOWN }, { protocol: UNKNOWN }],
    ["an unknown protocol if it is not a string", { protocol: [] }, { protocol: UNKNOWN }],
    ["every ICMP message", { protocol: "icmp", fromPort: -1, toPort: -1 }, { protocol: ICMP }],
    [
      "one ICMP message",
      { protocol: "icmp", fromPort: 3, toPort: 4 },
      { protocol: ICMP, message: { type: 3, code: 4 } },
    ],
    [
      "every ICMP message of one type",
      { protocol: "icmp", fromPort: 3 },
      { protocol: ICMP, message: { type: 3, code: -1 } },
    ],
    [
      "an unknown ICMP message",
      { protocol: "icmp", fromPort: 3, toPort: UNKNOWN },
      { protocol: ICMP, message: UNKNOWN },
    ],
    [
      "every ICMP message if its unknown code means nothing",
      { protocol: "icmp", fromPort: -1, toPort: UNKNOWN },
      { protocol: ICMP },
    ],
    [
      "an unknown ICMP message if its type is unknown",
      { protocol: "icmp", fromPort: UNKNOWN, toPort: -1 },
      { protocol: ICMP, message: UNKNOWN },
    ],
    [
      "another protocol by its lowercase name",
      { protocol: "NonSense", fromPort: 1, toPort: 2 },
      { protocol: "nonsense" },
    ],
  ])("%s", (_, rule, expected) => {
    expect(readTraffic(rule, "protocol")).toEqual(expected);
  });

  test.each<Record<string, number>>([{}, { fromPort: 22 }, { toPort: 22 }, { fromPort: -1, toPort: -1 }])(
    "no port of a split TCP rule with %j",
    (stated) => expect(readTraffic({ ipProtocol: "tcp", ...stated }, "ipProtocol")).toEqual(CLOSED),
  );
});

test.each<[string | typeof UNKNOWN, Protocol[]]>([
  [Protocol.Any, Object.values(Protocol)],
  [Protocol.Tcp, [Protocol.Tcp]],
  ["1", [Protocol.Icmp]],
  ["58", [Protocol.Icmp]],
  ["47", []],
  [UNKNOWN, []],
])("a rule for %p certainly allows these protocols: %j", (protocol, expected) => {
  expect(Object.values(Protocol).filter((wanted) => letsPass(protocol, wanted))).toEqual(expected);
});
