import fc from "fast-check";

import { Direction } from "../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { TYPE } from "../../src/resources/resourceTypes";
import { ruleWeight, securityGroups } from "../../src/resources/securityGroups";
import { countedRules, mostCounted } from "../../src/gate/coverage";
import { resource, type Properties } from "../rules/builders";
import { FAMILIES } from "../../src/address";

const blocks = fc.constantFrom<PropertyValue>("10.0.0.0/8", "2001:db8::/32", "nonsense", UNKNOWN, null);
const list = fc.oneof(fc.array(blocks, { maxLength: 3 }), fc.constantFrom(UNKNOWN, null));
const rule = fc.record(
  {
    protocol: fc.constantFrom("tcp", "-1"),
    cidrBlocks: list,
    ipv6CidrBlocks: list,
    securityGroups: list,
    self: fc.constantFrom<PropertyValue>(true, "true", false, UNKNOWN),
  },
  { requiredKeys: [] },
);
const rules = fc.oneof(
  fc.array(fc.oneof(rule, fc.constantFrom(UNKNOWN, null)), { maxLength: 4 }),
  fc.constant(UNKNOWN),
);
const split = fc.record(
  { cidrIpv4: blocks, cidrIpv6: blocks, referencedSecurityGroupId: blocks },
  { requiredKeys: [] },
);

describe("the maximum number of rules that a group counts as", () => {
  it("is never less than its count in any direction and address family", () => {
    fc.assert(
      fc.property(rules, rules, fc.array(split, { maxLength: 4 }), (ingress, egress, own) => {
        const group = resource(TYPE.securityGroup, "hosts", { ingress, egress });
        const split = own.map((properties, n) =>
          resource(
            TYPE.ingressRule,
            `in-${n}`,
            { ...properties, securityGroupId: UNKNOWN },
            { securityGroupId: [group] },
          ),
        );
        const index = new ResourceIndex([group, ...split]);
        for (const one of securityGroups(index).groups)
          for (const direction of Object.values(Direction))
            for (const family of FAMILIES) {
              const counted = countedRules(index, one).filter((each) => each.direction === direction);
              const weight = counted.reduce(
                (sum, { peer }) => sum + (peer ? ruleWeight(peer, family) : 0),
                0,
              );
              expect(mostCounted(one)).toBeGreaterThanOrEqual(weight);
            }
      }),
    );
  });

  it("is one for a rule whose other properties are empty strings", () => {
    const empty = { cidrIpv6: "", prefixListId: "", referencedSecurityGroupId: "" };
    const split = resource(TYPE.ingressRule, "in", {
      securityGroupId: "sg-1",
      cidrIpv4: "10.0.0.0/8",
      ...empty,
    });
    const index = new ResourceIndex([split]);
    const counted = securityGroups(index).groups.flatMap((group) => countedRules(index, group));
    expect(counted.map(({ path, peer }) => [path, peer])).toEqual([
      ["cidrIpv4", { kind: "prefix", family: 4 }],
    ]);
  });

  it.each(["prefixListIds", "prefixListId"])("is infinite if a rule names %s", (property) => {
    const group = resource(TYPE.securityGroup, "hosts", { ingress: [{ [property]: ["pl-1"] }] });
    const [only] = securityGroups(new ResourceIndex([group])).groups;
    expect(mostCounted(only!)).toBe(Infinity);
  });

  it("uses the maximum entries of the prefix list resource that an inline rule refers to", () => {
    const list = resource(TYPE.prefixList, "corp", { id: UNKNOWN, maxEntries: 70 });
    const inline = resource(
      TYPE.securityGroup,
      "hosts",
      { ingress: [{ protocol: "tcp", prefixListIds: [UNKNOWN] }] },
      { ingress: [list] },
    );
    const index = new ResourceIndex([list, inline]);
    const [only] = securityGroups(index).groups;
    expect(countedRules(index, only!)).toMatchObject([
      { peer: { kind: "prefixList", maxEntries: 70 }, list },
    ]);
  });

  it("counts each distinct peer once, and each unknown peer separately", () => {
    const same = { protocol: "tcp", cidrBlocks: ["10.0.0.0/8"], securityGroups: ["sg-2"], self: true };
    const group = resource(TYPE.securityGroup, "hosts", {
      ingress: [
        same,
        { ...same, ipv6CidrBlocks: ["fd00::/8"], self: false },
        { protocol: "udp", self: true },
      ],
      egress: [{ protocol: "tcp", cidrBlocks: [UNKNOWN, UNKNOWN], ipv6CidrBlocks: [UNKNOWN] }],
    });
    const [only] = securityGroups(new ResourceIndex([group])).groups;
    const counted = countedRules(new ResourceIndex([group]), only!);
    const kinds = (direction: Direction) =>
      counted
        .filter((one) => one.direction === direction)
        .map(({ peer }) => (peer?.kind === "prefix" ? `IPv${peer.family}` : peer?.kind))
        .sort();
    // The IPv4 block, the other group, the group itself over TCP and over UDP, and the IPv6 block.
    expect(kinds(Direction.Ingress)).toEqual(["IPv4", "IPv6", "group", "group", "group"]);
    expect(kinds(Direction.Egress)).toEqual(["IPv4", "IPv4", "IPv6"]);
  });

  it.each<[string, PropertyValue, number]>([
    ["once if its id is known", "sg-1", 2],
    ["twice if its id is not known", UNKNOWN, 3],
  ])("counts a group that a rule names as self and by its id %s", (_, id, count) => {
    const peers: Properties[] = [{ self: true }, { securityGroups: ["sg-1"] }, { securityGroups: ["sg-2"] }];
    const ingress = peers.map((peer): Properties => ({ protocol: "tcp", fromPort: 22, toPort: 22, ...peer }));
    const index = new ResourceIndex([resource(TYPE.securityGroup, "hosts", { id, ingress })]);
    const [only] = securityGroups(index).groups;
    expect(countedRules(index, only!)).toHaveLength(count);
  });

  it("is the larger of the counts of both directions", () => {
    const rule = { protocol: "tcp", cidrBlocks: ["10.0.0.0/8", "10.0.0.0/16"], self: true };
    const group = resource(TYPE.securityGroup, "hosts", { ingress: [rule, rule], egress: [rule] });
    const [only] = securityGroups(new ResourceIndex([group])).groups;
    expect(mostCounted(only!)).toBe(6);
  });
});
