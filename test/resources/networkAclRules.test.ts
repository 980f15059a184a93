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
    ["says all of it", all, { number: 100, action: "allow", protocol: Protocol.Any, peer }],
    ["in any letters", { ...all, action: "ALLOW" }, { number: 100, action: "allow" }],
    ["denies", { ...all, action: "deny" }, { action: "deny" }],
    ["by a number that is a text", { ...all, ruleNo: "100" }, { number: 100 }],
    ["is not known", UNKNOWN, { number: UNKNOWN, action: UNKNOWN, protocol: UNKNOWN, peer: UNKNOWN }],
    ["has a number that is not", { ...all, ruleNo: UNKNOWN }, { number: UNKNOWN, action: "allow", peer }],
    ["has no number", { ...all, ruleNo: null }, { number: UNKNOWN }],
    ["has an action that is none", { ...all, action: "pass" }, { action: UNKNOWN }],
    ["has an action that is not known", { ...all, action: UNKNOWN }, { action: UNKNOWN }],
    ["has a block that is not", { ...all, cidrBlock: UNKNOWN }, { peer: UNKNOWN }],
    [
      "has one of IPv6",
      { ...all, cidrBlock: "", ipv6CidrBlock: "fd00::/8" },
      { peer: readPrefix("fd00::/8") },
    ],
    [
      "has one of IPv6, whatever the other is",
      { ...all, cidrBlock: UNKNOWN, ipv6CidrBlock: "fd00::/8" },
      { peer: readPrefix("fd00::/8") },
    ],
    ["has none", { ...all, cidrBlock: null }, { peer: undefined }],
    ["has one that is none", { ...all, cidrBlock: "all" }, { peer: undefined }],
  ])("%s", (_, entry, expected) => {
    expect(ruleOf(acl(entry))).toMatchObject({ ...here, ...expected });
  });

  test("may be a resource of its own, with other names", () => {
    const rule = { number: 100, action: "allow", protocol: Protocol.Any, ports: undefined, peer, path: "" };
    expect(ruleOf(own({}))).toEqual({ ...rule, direction: Direction.Egress });
    expect(ruleOf(own({ egress: false }))).toEqual({ ...rule, direction: Direction.Ingress });
    expect(ruleOf(own({ ruleAction: UNKNOWN, ruleNumber: 7 }))).toMatchObject({ number: 7, action: UNKNOWN });
  });
});

describe("a rule of a network ACL is plain", () => {
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
  ])("where all of it is known %s", (_, entry, expected) => {
    expect(plainOf(acl(entry))).toEqual(expected);
  });

  test.each<[string, PropertyValue]>([
    ["that is not known", UNKNOWN],
    ["with an action that is not known", { ...tcp, action: UNKNOWN }],
    ["with an action in capitals", { ...tcp, action: "ALLOW" }],
    ["with a port that is not known", { ...tcp, toPort: UNKNOWN }],
    ["with a port that there is not", { ...tcp, toPort: 65_536 }],
    ["with another protocol", { ...tcp, protocol: "icmp" }],
    ["with no protocol", { ...tcp, protocol: null }],
    ["with a block that is not known", { ...tcp, cidrBlock: UNKNOWN }],
    ["with host bits", { ...tcp, cidrBlock: "10.0.0.1/8" }],
    ["with no block", { ...tcp, cidrBlock: null }],
  ])("but takes a closer look %s", (_, entry) => {
    expect(plainOf(acl(entry))).toBeUndefined();
  });

  test("where it is a resource of its own, unless its ACL is not known", () => {
    expect(plainOf(own({}))).toEqual({ traffic: { protocol: Protocol.Any }, peer, action: "allow" });
    expect(plainOf(own({ networkAclId: UNKNOWN }))).toBeUndefined();
  });
});

describe("what a rule is for", () => {
  const ports = (from: number, to: number) => ({ from, to });
  const ICMP = "1";

  test.each<[string, Properties, object]>([
    [
      "TCP and its ports",
      { protocol: "tcp", fromPort: 22, toPort: 23 },
      { protocol: Protocol.Tcp, ports: ports(22, 23) },
    ],
    [
      "UDP and its ports",
      { protocol: "udp", fromPort: 0, toPort: 65535 },
      { protocol: Protocol.Udp, ports: ports(0, 65535) },
    ],
    [
      "capitals",
      { protocol: "TCP", fromPort: 22, toPort: 22 },
      { protocol: Protocol.Tcp, ports: ports(22, 22) },
    ],
    [
      "its number",
      { protocol: "17", fromPort: 53, toPort: 53 },
      { protocol: Protocol.Udp, ports: ports(53, 53) },
    ],
    [
      "its number as one",
      { protocol: 6, fromPort: 53, toPort: 53 },
      { protocol: Protocol.Tcp, ports: ports(53, 53) },
    ],
    [
      "ports that are texts",
      { protocol: "tcp", fromPort: "22", toPort: "23" },
      { protocol: Protocol.Tcp, ports: ports(22, 23) },
    ],
    ["one port", { protocol: "tcp", fromPort: 22 }, { protocol: Protocol.Tcp, ports: ports(22, 22) }],
    [
      "its last port alone",
      { protocol: "tcp", toPort: 22 },
      { protocol: Protocol.Tcp, ports: ports(22, 22) },
    ],
    ["every port: -1", { protocol: "tcp", fromPort: -1, toPort: -1 }, { protocol: Protocol.Tcp }],
    ["every port: none is said", { protocol: "tcp" }, { protocol: Protocol.Tcp }],
    [
      "a port that is not known",
      { protocol: "tcp", fromPort: 22, toPort: UNKNOWN },
      { protocol: Protocol.Tcp, ports: UNKNOWN },
    ],
    [
      "a port that is none",
      { protocol: "tcp", fromPort: 22.5, toPort: 23 },
      { protocol: Protocol.Tcp, ports: UNKNOWN },
    ],
    ["everything", { protocol: "-1", fromPort: 22, toPort: 22 }, { protocol: Protocol.Any }],
    ["everything, where nothing is said", {}, { protocol: Protocol.Any }],
    ["a protocol that is not known", { protocol: UNKNOWN }, { protocol: UNKNOWN }],
    ["a protocol that is no text", { protocol: [] }, { protocol: UNKNOWN }],
    ["every message of ICMP", { protocol: "icmp", fromPort: -1, toPort: -1 }, { protocol: ICMP }],
    [
      "a message of ICMP",
      { protocol: "icmp", fromPort: 3, toPort: 4 },
      { protocol: ICMP, message: { type: 3, code: 4 } },
    ],
    [
      "messages of a type",
      { protocol: "icmp", fromPort: 3 },
      { protocol: ICMP, message: { type: 3, code: -1 } },
    ],
    [
      "a message that is not known",
      { protocol: "icmp", fromPort: 3, toPort: UNKNOWN },
      { protocol: ICMP, message: UNKNOWN },
    ],
    [
      "another protocol by its name",
      { protocol: "NonSense", fromPort: 1, toPort: 2 },
      { protocol: "nonsense" },
    ],
  ])("%s", (_, rule, expected) => {
    expect(readTraffic(rule, "protocol")).toEqual(expected);
  });

  test("a resource that is one rule for TCP has no port where it names none", () => {
    const { ports: none } = readTraffic({ ipProtocol: "tcp" }, "ipProtocol");
    expect(none).toMatchObject({ from: expect.any(Number) as number });
    const { from, to } = none as { from: number; to: number };
    expect(from).toBeGreaterThan(to);
    expect(readTraffic({ ipProtocol: "tcp", fromPort: 22 }, "ipProtocol").ports).toEqual(ports(22, 22));
  });
});

test.each<[string | typeof UNKNOWN, Protocol[]]>([
  [Protocol.Any, Object.values(Protocol)],
  [Protocol.Tcp, [Protocol.Tcp]],
  ["1", [Protocol.Icmp]],
  ["58", [Protocol.Icmp]],
  ["47", []],
  [UNKNOWN, []],
])("a rule for %p surely lets these pass: %j", (protocol, expected) => {
  expect(Object.values(Protocol).filter((wanted) => letsPass(protocol, wanted))).toEqual(expected);
});
