import { readPrefix } from "../../../src/address";
import { securityGroupRepair } from "../../../src/reachability/answers/repair/repairOf";
import { PROTOCOL_NUMBER } from "../../../src/reachability/packets/service";
import { Direction } from "../../../src/requirements/vocabulary";
import type { Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import type { SecurityGroup } from "../../../src/resources/securityGroups";

describe("the repair rule of a security group", () => {
  const resource = (name: string, type: string = TYPE.securityGroup): Resource => ({
    origin: { urn: `urn:${name}` },
    type,
    name,
    properties: {},
  });
  const written = (type: string) => ({ resource: resource("ssh", type) }) as never;
  const repaired = (...groups: SecurityGroup[]) =>
    securityGroupRepair(groups, Direction.Ingress, [
      { protocol: PROTOCOL_NUMBER.tcp, ports: { from: 1, to: 2 }, peers: [readPrefix("10.0.0.0/8")!] },
    ]).rules.map((one) => (one.kind === "security-group-rule" ? [one.group?.name, one.form] : []));
  const bare: SecurityGroup = { resource: resource("workers"), rules: [], ruleResources: [] };

  test.each<[string, string | undefined, Partial<SecurityGroup>]>([
    ["has none if the group has no rule", undefined, {}],
    ["is inline if other rules are", "inline", { rules: [written(TYPE.securityGroup)] }],
    [
      "is a SecurityGroupRule if other rules are",
      "classic",
      { ruleResources: [written(TYPE.securityGroupRule)] },
    ],
    [
      "is a SecurityGroupIngressRule if another rule is a SecurityGroupIngressRule",
      "split",
      { ruleResources: [written(TYPE.ingressRule)] },
    ],
    [
      "is a SecurityGroupIngressRule if another rule is a SecurityGroupEgressRule",
      "split",
      { ruleResources: [written(TYPE.egressRule)] },
    ],
  ])("has the form %s: %s", (_, form, more) => {
    const own = more.ruleResources ?? [];
    expect(repaired({ ...bare, rules: own, ...more })).toEqual([["workers", form]]);
  });

  test("goes into the first group that the plan contains, in the form of that group", () => {
    const elsewhere: SecurityGroup = { id: "sg-1", rules: [], ruleResources: [written(TYPE.ingressRule)] };
    const classic = { ...bare, ruleResources: [written(TYPE.securityGroupRule)] };
    const second = { ...bare, resource: resource("second") };
    expect(repaired(elsewhere, classic, second)).toEqual([["workers", "classic"]]);
    expect(repaired(elsewhere)).toEqual([[undefined, "split"]]);
    expect(repaired()).toEqual([[undefined, undefined]]);
  });
});
