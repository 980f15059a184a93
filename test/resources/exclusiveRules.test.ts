import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { TYPE } from "../../src/resources/resourceTypes";
import { securityGroups } from "../../src/resources/securityGroups";
import { resource, tcp, type Properties } from "../rules/builders";

const inline = (more: Properties = {}) => resource(TYPE.securityGroup, "hosts", { id: "sg-1", ...more });
const rule = (name: string, more: Properties = {}, type: string = TYPE.ingressRule) =>
  resource(type, name, {
    securityGroupId: "sg-1",
    ipProtocol: "tcp",
    fromPort: 22,
    toPort: 22,
    cidrIpv4: "10.0.0.0/8",
    ...more,
  });
const known = (name: string, type?: string) => rule(name, { id: name }, type);
const all = (ingressRuleIds: PropertyValue, from: Resource[] = [], more: Properties = {}) =>
  resource(
    TYPE.rulesExclusive,
    "all",
    { securityGroupId: "sg-1", ingressRuleIds, ...more },
    { ingressRuleIds: from },
  );

/** The fate of each rule: it stays, may stay, or is removed. */
function fates(...resources: Resource[]) {
  const { groups } = securityGroups(new ResourceIndex(resources));
  return groups.flatMap(({ rules, takenOut = [] }) => [
    ...rules.map(({ resource: { name }, path, sources }) => {
      const isSure = sources.every((source) => source.kind !== "unknown");
      return `${name}${path} ${isSure ? "stays" : "perhaps"}`;
    }),
    ...takenOut.map(({ rule: { resource: own, path }, by }) => `${own.name}${path} goes by ${by.name}`),
  ]);
}

describe("a resource that lists all rules of a security group keeps", () => {
  const [a, b] = [rule("a"), rule("b")];

  test.each<[string, Resource[], string[]]>([
    ["the rules that it lists", [known("a"), known("b"), all(["a"])], ["a stays", "b goes by all"]],
    [
      "the rules that it lists by securityGroupRuleId",
      [rule("a", { securityGroupRuleId: "sgr-a" }), known("b"), all(["sgr-a"])],
      ["a stays", "b goes by all"],
    ],
    ["no rule if its list is empty", [known("a"), all([])], ["a goes by all"]],
    ["all rules of a direction that it does not list", [known("a"), all(null)], ["a stays"]],
    [
      "egress rules if it lists only ingress rules",
      [known("a"), known("out", TYPE.egressRule), all([])],
      ["out stays", "a goes by all"],
    ],
    [
      "ingress rules if it lists only egress rules",
      [known("a"), known("out", TYPE.egressRule), all(null, [], { egressRuleIds: [] })],
      ["a stays", "out goes by all"],
    ],
    ["no rule that is yet to be created, if its list is empty", [a, all([])], ["a goes by all"]],
    [
      "no rule with an unknown ID, if all its entries are other rules",
      [a, known("b"), all(["b"])],
      ["b stays", "a goes by all"],
    ],
    [
      "possibly rules with an unknown ID, if it lists an ID that is no known rule",
      [a, all(["sgr-x"])],
      ["a perhaps"],
    ],
    ["possibly the rules that a list of known IDs comes from", [a, all([], [a])], ["a perhaps"]],
    [
      "the rules that its unknown entries come from",
      [a, b, all([UNKNOWN], [a])],
      ["a stays", "b goes by all"],
    ],
    [
      "every rule that its unknown entries come from, if their numbers match",
      [a, b, all([UNKNOWN, UNKNOWN], [a, b])],
      ["a stays", "b stays"],
    ],
    [
      "possibly each of two rules that its single unknown entry comes from",
      [a, b, all([UNKNOWN], [a, b])],
      ["a perhaps", "b perhaps"],
    ],
    [
      "rules that an unknown entry comes from, in addition to those that it lists by ID",
      [known("a"), b, all(["a", UNKNOWN], [known("a"), b])],
      ["a stays", "b stays"],
    ],
    [
      "possibly the rules that its list comes from, if the length is unknown",
      [a, b, all(UNKNOWN, [a])],
      ["a perhaps", "b goes by all"],
    ],
    [
      "possibly all rules, if the origin of an unknown entry is unknown",
      [a, b, all([UNKNOWN])],
      ["a perhaps", "b perhaps"],
    ],
    [
      "possibly all rules, if its list also comes from something else",
      [a, b, all([UNKNOWN], [a, resource(TYPE.vpc, "v", {})])],
      ["a perhaps", "b perhaps"],
    ],
    [
      "no inline rules, because it cannot list them",
      [inline({ ingress: [tcp(22, "10.0.0.0/8")] }), known("a"), all(["a"])],
      ["a stays", "hostsingress[0] goes by all"],
    ],
    [
      "possibly inline rules, if it lists an ID that is no known rule",
      [inline({ ingress: [tcp(22, "10.0.0.0/8")] }), known("a"), all(["a", "sgr-x"])],
      ["hostsingress[0] perhaps", "a stays"],
    ],
    [
      "possibly inline rules, if it has more entries than rules that they come from",
      [inline({ ingress: [tcp(22, "10.0.0.0/8")] }), a, all([UNKNOWN, UNKNOWN], [a])],
      ["hostsingress[0] perhaps", "a perhaps"],
    ],
    [
      "no inline rules, if every unknown entry comes from another rule",
      [inline({ ingress: [tcp(22, "10.0.0.0/8")] }), a, all([UNKNOWN], [a])],
      ["a stays", "hostsingress[0] goes by all"],
    ],
    [
      "all rules, if it is only read from another program",
      [known("a"), { ...all([]), isRead: true as const }],
      ["a stays"],
    ],
    [
      "all rules of another group",
      [known("a"), { ...all([], [], { securityGroupId: "sg-2" }) }],
      ["a stays"],
    ],
    [
      "only the rules that both of two such resources list",
      [known("a"), known("b"), known("c"), all(["a", "b"]), { ...all(["a"]), name: "second" }],
      ["a stays", "c goes by all", "b goes by second"],
    ],
  ])("%s", (_, resources, expected) => {
    expect(fates(...resources)).toEqual(expected);
  });

  test("possibly a rule, and states the reason", () => {
    const by = all(["sgr-x"]);
    const icmp = rule("a", { ipProtocol: "icmp", fromPort: 3, toPort: 4 });
    const [group] = securityGroups(new ResourceIndex([icmp, rule("b"), by])).groups;
    const sources = [
      {
        kind: "unknown",
        path: "",
        reason: "whether it is among ingressRuleIds of all, which removes all other rules from the group",
        because: [{ resource: by, path: "ingressRuleIds" }],
      },
    ];
    expect(group!.rules).toEqual([
      {
        resource: icmp,
        path: "",
        direction: "ingress",
        protocol: "1",
        message: { type: 3, code: 4 },
        sources,
      },
      {
        resource: rule("b"),
        path: "",
        direction: "ingress",
        protocol: "TCP",
        ports: { from: 22, to: 22 },
        sources,
      },
    ]);
    expect(group!.takenOut).toEqual([]);
  });

  test("all rules if its group is unknown, and is reported", () => {
    const stray = all([], [], { securityGroupId: UNKNOWN });
    const { groups, unknown } = securityGroups(new ResourceIndex([known("a"), stray]));
    expect(groups[0]!.rules).toHaveLength(1);
    expect(unknown).toEqual([{ resource: stray, path: "securityGroupId" }]);
    expect(securityGroups(new ResourceIndex([all([], [], { securityGroupId: null })]))).toEqual({
      groups: [],
      unknown: [],
    });
  });
});
