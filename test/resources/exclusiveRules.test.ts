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

/** What becomes of each rule: it stays, perhaps, or goes. */
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

describe("of the rules of a group, of which one resource lists all, there stay", () => {
  const [a, b] = [rule("a"), rule("b")];

  test.each<[string, Resource[], string[]]>([
    ["those that it lists", [known("a"), known("b"), all(["a"])], ["a stays", "b goes by all"]],
    [
      "by their other id, too",
      [rule("a", { securityGroupRuleId: "sgr-a" }), known("b"), all(["sgr-a"])],
      ["a stays", "b goes by all"],
    ],
    ["none, where it lists none", [known("a"), all([])], ["a goes by all"]],
    ["all of a direction that it does not list", [known("a"), all(null)], ["a stays"]],
    [
      "those of the other direction",
      [known("a"), known("out", TYPE.egressRule), all([])],
      ["out stays", "a goes by all"],
    ],
    [
      "or go those of that",
      [known("a"), known("out", TYPE.egressRule), all(null, [], { egressRuleIds: [] })],
      ["a stays", "out goes by all"],
    ],
    ["none that is yet to be made, where it lists none", [a, all([])], ["a goes by all"]],
    [
      "none whose id is not known, where it lists others",
      [a, known("b"), all(["b"])],
      ["b stays", "a goes by all"],
    ],
    [
      "perhaps those whose id is not known, where it lists what is none here",
      [a, all(["sgr-x"])],
      ["a perhaps"],
    ],
    ["perhaps those from which a list of known ids is made", [a, all([], [a])], ["a perhaps"]],
    ["those from which its list is made", [a, b, all([UNKNOWN], [a])], ["a stays", "b goes by all"]],
    ["all from which it is made", [a, b, all([UNKNOWN, UNKNOWN], [a, b])], ["a stays", "b stays"]],
    ["perhaps one of two, where it lists one", [a, b, all([UNKNOWN], [a, b])], ["a perhaps", "b perhaps"]],
    [
      "beside those that it lists by their ids",
      [known("a"), b, all(["a", UNKNOWN], [known("a"), b])],
      ["a stays", "b stays"],
    ],
    [
      "perhaps, where nobody knows how many it lists",
      [a, b, all(UNKNOWN, [a])],
      ["a perhaps", "b goes by all"],
    ],
    [
      "perhaps all, where nothing says from what it is made",
      [a, b, all([UNKNOWN])],
      ["a perhaps", "b perhaps"],
    ],
    [
      "perhaps all, where it is made from something else too",
      [a, b, all([UNKNOWN], [a, resource(TYPE.vpc, "v", {})])],
      ["a perhaps", "b perhaps"],
    ],
    [
      "inline rules, of which it cannot list any",
      [inline({ ingress: [tcp(22, "10.0.0.0/8")] }), known("a"), all(["a"])],
      ["a stays", "hostsingress[0] goes by all"],
    ],
    [
      "perhaps inline rules, where it lists what is none here",
      [inline({ ingress: [tcp(22, "10.0.0.0/8")] }), known("a"), all(["a", "sgr-x"])],
      ["hostsingress[0] perhaps", "a stays"],
    ],
    [
      "perhaps inline rules, where it lists more than it is made from",
      [inline({ ingress: [tcp(22, "10.0.0.0/8")] }), a, all([UNKNOWN, UNKNOWN], [a])],
      ["hostsingress[0] perhaps", "a perhaps"],
    ],
    [
      "not inline rules, where it lists what it is made from",
      [inline({ ingress: [tcp(22, "10.0.0.0/8")] }), a, all([UNKNOWN], [a])],
      ["a stays", "hostsingress[0] goes by all"],
    ],
    [
      "all, where another program does that",
      [known("a"), { ...all([]), isRead: true as const }],
      ["a stays"],
    ],
    ["all of another group", [known("a"), { ...all([], [], { securityGroupId: "sg-2" }) }], ["a stays"]],
    [
      "those that two list",
      [known("a"), known("b"), known("c"), all(["a", "b"]), { ...all(["a"]), name: "second" }],
      ["a stays", "c goes by all", "b goes by second"],
    ],
  ])("%s", (_, resources, expected) => {
    expect(fates(...resources)).toEqual(expected);
  });

  test("and it is said why one perhaps stays", () => {
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

  test("what is not known of which group that is, is said", () => {
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
