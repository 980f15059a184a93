import { type PropertyValue, UNKNOWN } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import { rules } from "../../../src/rules";
import { judge, resource, unknowns, violations } from "../../rules/builders";

const rule = rules.find(({ id }) => id === "port-range-reversed")!;
const found = (type: string, properties: Record<string, PropertyValue>) =>
  violations(rule, [resource(type, "a", properties)]).map(
    ({ path, message, fix }) => `${path}: ${message}; ${fix}`,
  );
const reversed = { fromPort: 6443, toPort: 443 };
const said = (path: string) =>
  `${path}: 6443 is above toPort 443: EC2 refuses the rule; write fromPort 443 and toPort 6443`;

describe("port-range-reversed", () => {
  test.each<[string, Record<string, PropertyValue>, string]>([
    [TYPE.securityGroup, { ingress: [{ protocol: "tcp", ...reversed }] }, "ingress[0].fromPort"],
    [TYPE.defaultSecurityGroup, { egress: [{}, { protocol: "UDP", ...reversed }] }, "egress[1].fromPort"],
    [TYPE.securityGroupRule, { type: "ingress", protocol: "6", ...reversed }, "fromPort"],
    [TYPE.ingressRule, { ipProtocol: "tcp", ...reversed }, "fromPort"],
    [TYPE.egressRule, { ipProtocol: "udp", ...reversed }, "fromPort"],
    [TYPE.networkAcl, { ingress: [{ protocol: "tcp", ruleNo: 100, ...reversed }] }, "ingress[0].fromPort"],
    [TYPE.networkAclRule, { protocol: "17", ...reversed }, "fromPort"],
  ])("reports reversed ports of %s", (type, properties, path) => {
    expect(found(type, properties)).toEqual([said(path)]);
  });

  test("reports ports of inline rules for every protocol, which rule resources ignore", () => {
    const every = { fromPort: 0, toPort: 65_535 };
    const refused = (path: string) =>
      `${path}.toPort: 65535 in a rule for every protocol: the provider refuses the rule in the middle of the update; write 0 for both ports; for some ports only, write a protocol that has ports`;
    for (const protocol of ["-1", "all", -1])
      expect(found(TYPE.securityGroup, { egress: [{ protocol, ...every }] })).toEqual([refused("egress[0]")]);
    expect(found(TYPE.defaultNetworkAcl, { ingress: [{ protocol: "-1", ...every }] })).toEqual([
      refused("ingress[0]"),
    ]);
    const none = { protocol: "-1", fromPort: 0, toPort: 0 };
    expect(found(TYPE.securityGroup, { egress: [none, { protocol: "-1" }] })).toEqual([]);
    expect(found(TYPE.securityGroupRule, { type: "egress", protocol: "-1", ...every })).toEqual([]);
    expect(found(TYPE.egressRule, { ipProtocol: "-1", ...every })).toEqual([]);
    const later = resource(TYPE.securityGroup, "a", { egress: [{ ...none, toPort: UNKNOWN }] });
    expect(unknowns(rule, [later])).toMatchObject([{ path: "egress[0].toPort" }]);
  });

  const range = "first port of the range; 0 and 65535 for every port";
  test.each<[string, Record<string, PropertyValue>, string]>([
    [
      TYPE.securityGroup,
      { ingress: [{ protocol: "tcp", fromPort: -1, toPort: -1 }] },
      `ingress[0].fromPort: -1 is not a port: EC2 accepts 0 to 65535 and refuses the rule; write the ${range}`,
    ],
    [
      TYPE.securityGroupRule,
      { type: "ingress", protocol: "udp", fromPort: 0, toPort: 70_000 },
      "toPort: 70000 is not a port: EC2 accepts 0 to 65535 and refuses the rule; write the last port of the range; 0 and 65535 for every port",
    ],
    [
      TYPE.egressRule,
      { ipProtocol: "tcp", fromPort: 443 },
      "toPort: missing: EC2 refuses a rule for TCP or UDP without fromPort and toPort; write the last port of the range; 0 and 65535 for every port",
    ],
    [
      TYPE.ingressRule,
      { ipProtocol: "tcp", toPort: 443 },
      `fromPort: missing: EC2 refuses a rule for TCP or UDP without fromPort and toPort; write the ${range}`,
    ],
    [
      TYPE.ingressRule,
      { ipProtocol: "tcp" },
      `fromPort: missing: EC2 refuses a rule for TCP or UDP without fromPort and toPort; write the ${range}`,
    ],
    [
      TYPE.securityGroup,
      { egress: [{ protocol: "tcp", fromPort: 0, toPort: 0 }, { protocol: "tcp" }] },
      `egress[1].fromPort: missing: EC2 refuses a rule for TCP or UDP without fromPort and toPort; write the ${range}`,
    ],
    [
      TYPE.networkAcl,
      { ingress: [{ protocol: "tcp", ruleNo: 100, fromPort: -1, toPort: -1 }] },
      `ingress[0].fromPort: -1 is not a port: EC2 accepts 0 to 65535 and refuses the rule; write the ${range}`,
    ],
    [
      TYPE.networkAclRule,
      { protocol: "tcp", fromPort: 443 },
      "fromPort: 443 is above toPort 0: EC2 refuses the rule; write fromPort 0 and toPort 443",
    ],
    [
      TYPE.securityGroup,
      { ingress: [{ protocol: "tcp", fromPort: UNKNOWN, toPort: -1 }] },
      "ingress[0].toPort: -1 is not a port: EC2 accepts 0 to 65535 and refuses the rule; write the last port of the range; 0 and 65535 for every port",
    ],
  ])("reports ports of %s that EC2 refuses: %j", (type, properties, expected) => {
    expect(found(type, properties)).toEqual([expected]);
  });

  test.each(["fromPort", "toPort", "protocol"])("reports an unknown %s as unknown", (path) => {
    const properties = { type: "ingress", protocol: "tcp", ...reversed, [path]: UNKNOWN };
    expect(unknowns(rule, [resource(TYPE.securityGroupRule, "a", properties)])).toMatchObject([{ path }]);
  });

  test.each<[string, Record<string, PropertyValue>, string]>([
    [
      TYPE.securityGroup,
      { ingress: [{}, { protocol: "tcp", fromPort: 6443, toPort: UNKNOWN }] },
      "ingress[1].toPort",
    ],
    [TYPE.securityGroup, { egress: [{ protocol: UNKNOWN, ...reversed }] }, "egress[0].protocol"],
    [TYPE.networkAcl, { egress: [{ protocol: UNKNOWN, ruleNo: 100, ...reversed }] }, "egress[0].protocol"],
    [TYPE.ingressRule, { ipProtocol: UNKNOWN, ...reversed }, "ipProtocol"],
    [TYPE.egressRule, { ipProtocol: UNKNOWN, ...reversed }, "ipProtocol"],
    [TYPE.networkAclRule, { protocol: UNKNOWN, ...reversed }, "protocol"],
    [TYPE.networkAclRule, { protocol: "tcp", fromPort: UNKNOWN, toPort: UNKNOWN }, "fromPort"],
    [TYPE.networkAclRule, { protocol: UNKNOWN, fromPort: -1, toPort: -1 }, "protocol"],
    [TYPE.ingressRule, { ipProtocol: UNKNOWN, fromPort: 443 }, "ipProtocol"],
    [
      TYPE.securityGroup,
      { ingress: [{ protocol: UNKNOWN, fromPort: 0, toPort: -1 }] },
      "ingress[0].protocol",
    ],
  ])("reports %s %j as unknown once, at the property of the rule", (type, properties, path) => {
    const found = judge(rule, [resource(type, "a", properties)]);
    expect(found.map((one) => `${one.status} ${one.path}`)).toEqual([`unknown ${path}`]);
  });

  test.each<[string, Record<string, PropertyValue>]>([
    ["an unknown protocol with ports in order", { protocol: UNKNOWN, fromPort: 443, toPort: 6443 }],
    ["an unknown ICMP type", { protocol: "icmp", fromPort: UNKNOWN, toPort: 0 }],
  ])("does not report %s", (_, properties) => {
    expect(judge(rule, [resource(TYPE.securityGroupRule, "a", { type: "ingress", ...properties })])).toEqual(
      [],
    );
  });

  test.each([
    [TYPE.securityGroup, true],
    [TYPE.networkAcl, true],
    [TYPE.securityGroupRule, true],
    [TYPE.networkAclRule, true],
    [TYPE.vpc, false],
  ])("whether %s can have the fault by itself: %s", (type, expected) => {
    expect(rule.single!(type)).toBe(expected);
  });

  test.each<[string, Record<string, PropertyValue>]>([
    ["one port", { protocol: "tcp", fromPort: 443, toPort: 443 }],
    ["a range", { protocol: "tcp", fromPort: 443, toPort: 6443 }],
    ["an ICMP type with every code", { protocol: "icmp", fromPort: 8, toPort: -1 }],
    ["an ICMP type and code", { protocol: "icmp", fromPort: 3, toPort: 1 }],
    ["every protocol", { protocol: "-1", fromPort: 65_535, toPort: 0 }],
    ["every port", { protocol: "tcp", fromPort: 0, toPort: 65_535 }],
    ["port 0", { protocol: "tcp", fromPort: 0, toPort: 0 }],
    ["an unknown port", { protocol: "tcp", fromPort: UNKNOWN, toPort: 0 }],
    ["no ports of every protocol", { protocol: "-1" }],
    ["no ICMP type", { protocol: "icmp" }],
  ])("accepts %s", (_, properties) => {
    expect(found(TYPE.securityGroupRule, { type: "ingress", ...properties })).toEqual([]);
  });

  test.each<[string, Record<string, PropertyValue>]>([
    ["no ports, for which the provider sends 0", {}],
    ["no first port", { toPort: 443 }],
  ])("accepts %s in a rule of a network ACL", (_, ports) => {
    expect(found(TYPE.networkAclRule, { protocol: "tcp", ...ports })).toEqual([]);
    expect(found(TYPE.networkAcl, { egress: [{ protocol: "tcp", ruleNo: 1, ...ports }] })).toEqual([]);
  });
});
