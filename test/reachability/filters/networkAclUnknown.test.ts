import { FAMILIES, type Family } from "../../../src/address";
import { allowedBy } from "../../../src/reachability/filters/decide";
import { networkAclFilter } from "../../../src/reachability/filters/networkAcl";
import { Direction } from "../../../src/requirements/vocabulary";
import { networkAcls } from "../../../src/resources/networkAcls";
import { UNKNOWN, type PropertyValue } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { TYPE } from "../../../src/resources/resourceTypes";
import type { SmallPacket } from "../smallUniverse";
import { every, expectPassing, named, none, resource } from "./passing";

describe("the unknown values of a network ACL", () => {
  const allow = {
    ruleNo: 100,
    protocol: "tcp",
    action: "allow",
    cidrBlock: "10.0.0.0/30",
    fromPort: 1,
    toPort: 2,
  };
  const deny = { ...allow, ruleNo: 50, action: "deny" };
  const filterOf = (...rules: Record<string, PropertyValue>[]) => {
    const acl = resource(TYPE.networkAcl, { id: "acl-1", egress: rules, ingress: [deny] });
    return networkAclFilter(networkAcls(new ResourceIndex([acl])).acls[0]?.rules ?? [], Direction.Egress);
  };
  const inRule = ({ destination, protocol, port }: SmallPacket) =>
    destination < 4 && protocol === 6 && port >= 1 && port <= 2;

  test("are none if everything is known", () => {
    expect(named(filterOf(allow))).toEqual([]);
    expectPassing(filterOf(allow), inRule, inRule);
    expectPassing(filterOf(allow, deny), none, none);
    expectPassing(filterOf(allow, { ...deny, ruleNo: 150 }), inRule, inRule);
  });

  test.each<[string, Record<string, PropertyValue>, string, (packet: SmallPacket) => boolean]>([
    [
      "a block",
      { cidrBlock: UNKNOWN },
      "egress[0].cidrBlock",
      ({ protocol, port }) => protocol === 6 && port >= 1 && port <= 2,
    ],
    [
      "a port",
      { fromPort: UNKNOWN },
      "egress[0].fromPort",
      ({ destination, protocol }) => destination < 4 && protocol === 6,
    ],
    ["a protocol", { protocol: UNKNOWN }, "egress[0].protocol", ({ destination }) => destination < 4],
    ["an action", { action: UNKNOWN }, "egress[0].action", inRule],
  ])("include %s", (_, properties, path, possible) => {
    const filter = filterOf({ ...allow, ...properties });
    expect(named(filter)).toEqual([path]);
    expectPassing(filter, none, possible);
  });

  test.each<[string, Record<string, PropertyValue>, string, Family[]]>([
    ["for IPv4", { cidrBlock: UNKNOWN }, "cidrBlock", [4]],
    ["for IPv6", { cidrBlock: "", ipv6CidrBlock: UNKNOWN }, "ipv6CidrBlock", [6]],
    ["of either family", { cidrBlock: UNKNOWN, ipv6CidrBlock: UNKNOWN }, "cidrBlock", [4, 6]],
  ])(
    "include the property of a block %s, which may match only its own families",
    (_, block, property, families) => {
      const filter = filterOf({ ...allow, ...block });
      expect(named(filter)).toEqual([`egress[0].${property}`]);
      expect(FAMILIES.filter((family) => allowedBy([filter]).possible[family].length > 0)).toEqual(families);
    },
  );

  test("are none for a rule without a block, which matches nothing", () => {
    const { cidrBlock: _, ...blockless } = allow;
    expect(named(filterOf(blockless))).toEqual([]);
    expectPassing(filterOf(blockless), none, none);
    expectPassing(filterOf({ ...blockless, action: "deny", ruleNo: 1 }, allow), inRule, inRule);
  });

  test.each([0, -1, 32_767, 40_000])("include the number %d, which EC2 refuses", (ruleNo) => {
    const why = "egress[0].ruleNo: EC2 accepts 1 to 32766, and refuses the rule";
    const refused = filterOf({ ...allow, ruleNo });
    expect(named(refused)).toEqual([why]);
    expectPassing(refused, none, inRule);
    // A rule that EC2 refuses certainly denies nothing either.
    const denying = filterOf({ ...deny, ruleNo }, allow);
    expect(named(denying)).toEqual([why]);
    expectPassing(denying, none, inRule);
    expectPassing(filterOf({ ...deny, ruleNo: 1 }, allow), none, none);
    expectPassing(filterOf({ ...allow, ruleNo }, allow), inRule, inRule);
  });

  test.each([1, 32_766])("are none for the number %d", (ruleNo) => {
    expectPassing(filterOf({ ...allow, ruleNo }), inRule, inRule);
  });

  test("do not include numbers of rules that run or are only read: EC2 has accepted those", () => {
    const acl = resource(TYPE.networkAcl, { id: "acl-1", egress: [{ ...allow, ruleNo: 32_767 }] });
    for (const stored of [
      { ...acl, isRead: true as const },
      { ...acl, origin: { live: "acl-1" } },
    ]) {
      const [found] = networkAcls(new ResourceIndex([stored])).acls;
      expectPassing(networkAclFilter(found!.rules, Direction.Egress), inRule, inRule);
    }
  });

  test("include the number of every rule that shares it with another rule", () => {
    const why = "another rule of this network ACL has the same number, and EC2 accepts only one of them";
    const filter = filterOf(
      allow,
      { ...deny, ruleNo: 100 },
      { ...allow, ruleNo: 100, cidrBlock: "10.0.0.200/32" },
    );
    expect(named(filter)).toEqual([0, 1, 2].map((place) => `egress[${place}].ruleNo: ${why}`));
    expectPassing(
      filter,
      none,
      (packet) => inRule(packet) || inRule({ ...packet, destination: packet.destination === 200 ? 0 : 9 }),
    );
    const others = filterOf({ ...allow, ruleNo: 99 }, { ...deny, ruleNo: 100 }, { ...allow, ruleNo: 101 });
    expect(named(others)).toEqual([]);
  });

  test("include an unknown rule number, which may come before all others", () => {
    const filter = filterOf(allow, { ...deny, ruleNo: UNKNOWN });
    expect(named(filter)).toEqual(["egress[1].ruleNo"]);
    expectPassing(filter, none, inRule);
  });

  test.each([
    ["allow", inRule],
    ["deny", none],
  ])("exclude the number of the only rule of a direction: %s", (action, passes) => {
    const filter = filterOf({ ...allow, action, ruleNo: UNKNOWN });
    expect(named(filter)).toEqual([]);
    expectPassing(filter, passes, passes);
  });

  test("include the number of a rule next to others, one of which may have the same", () => {
    const filter = filterOf({ ...allow, ruleNo: UNKNOWN }, { ...allow, fromPort: 7, toPort: 7 });
    expect(named(filter)).toEqual(["egress[0].ruleNo"]);
  });

  describe("include the direction of a rule resource", () => {
    const acl = resource(TYPE.networkAcl, { id: "acl-1" });
    const own = (name: string, properties: Record<string, PropertyValue>) => ({
      ...resource(TYPE.networkAclRule, {
        ...{ networkAclId: "acl-1", protocol: "tcp", cidrBlock: "10.0.0.0/30", fromPort: 1, toPort: 2 },
        ...properties,
      }),
      name,
    });
    const everything = own("all", {
      ...{ egress: true, ruleNumber: 200, ruleAction: "allow" },
      ...{ protocol: "-1", cidrBlock: "0.0.0.0/0" },
    });
    const filterWith = (...rules: ReturnType<typeof own>[]) =>
      networkAclFilter(
        networkAcls(new ResourceIndex([acl, ...rules])).acls.flatMap((found) => found.rules),
        Direction.Egress,
      );
    const either = (ruleAction: string) => own("either", { egress: UNKNOWN, ruleNumber: 100, ruleAction });

    test("that allows: nothing is lost to rules behind it", () => {
      expect(named(filterWith(either("allow")))).toEqual(["egress"]);
      expectPassing(filterWith(either("allow")), none, inRule);
      expectPassing(filterWith(either("allow"), everything), every, every);
    });

    test("that denies: it may drop what rules behind it allow", () => {
      expectPassing(filterWith(either("deny")), none, none);
      expectPassing(filterWith(either("deny"), everything), (packet) => !inRule(packet), every);
    });
  });

  test("include rules that are not shown, which may come before all others", () => {
    const acl = resource(TYPE.networkAcl, { id: "acl-1", egress: [allow] });
    const partial = { resource: acl, path: "egress", reason: "some rules are not here" };
    const filter = networkAclFilter(
      networkAcls(new ResourceIndex([acl])).acls[0]?.rules ?? [],
      Direction.Egress,
      partial,
    );
    expect(named(filter)).toEqual(["egress: some rules are not here"]);
    expectPassing(filter, none, every);
  });

  test("have paths without a prefix for a rule resource", () => {
    const one = resource(TYPE.networkAclRule, {
      networkAclId: "acl-1",
      egress: true,
      ruleNumber: 100,
      protocol: "tcp",
      ruleAction: "allow",
      cidrBlock: UNKNOWN,
      fromPort: 1,
      toPort: 2,
    });
    const acl = resource(TYPE.networkAcl, { id: "acl-1" });
    const rules = networkAcls(new ResourceIndex([acl, one])).acls.flatMap((found) => found.rules);
    expect(named(networkAclFilter(rules, Direction.Egress))).toEqual(["cidrBlock"]);
  });
});
