import {
  additionalRuleKey,
  callerFlowKey,
  declaredRules,
  inlineFacts,
  isBlockOfFamilies,
} from "../../src/gate/securityGroupRules";
import { Direction } from "../../src/requirements/vocabulary";
import { type PropertyValue, type Resource, UNKNOWN } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { TYPE } from "../../src/resources/resourceTypes";
import { COMPONENT, group, resource, type Properties } from "../rules/builders";

const factsOf = (ingress: PropertyValue, direction = Direction.Ingress) =>
  inlineFacts(group("hosts", [], { ingress }), direction);
const facts = (ends: number, areBlocksRight = true, arePortsRight = true) => ({
  ends,
  areBlocksRight,
  arePortsRight,
});

describe("what is known of a list of inline rules", () => {
  it.each<[PropertyValue, ReturnType<typeof facts>]>([
    [[], facts(0)],
    [null, facts(0)],
    [UNKNOWN, facts(0, false, false)],
    [[UNKNOWN], facts(0, false, false)],
    [[null, "rule", 5], facts(0)],
    [[{ cidrBlocks: ["10.0.0.0/8", "10.0.0.0/16"], ipv6CidrBlocks: ["fd00::/8"] }], facts(3)],
    [[{ securityGroups: ["sg-1", "sg-2"], self: true }], facts(3)],
    [[{ self: false }, { self: null }], facts(1)],
    [[{ cidrBlocks: UNKNOWN }], facts(1, false)],
    [[{ prefixListIds: ["pl-1"] }], facts(Infinity)],
    [[{ prefixListIds: [] }, { prefixListIds: null }], facts(0)],
    [[{ cidrBlocks: ["fd00::/8"] }], facts(1, false)],
    [[{ ipv6CidrBlocks: ["10.0.0.0/8"] }], facts(1, false)],
    [[{ cidrBlocks: ["10.0.0.0/8", null, ""] }], facts(3)],
    [[{ cidrBlocks: ["10.0.0.0"] }, { cidrBlocks: ["10.0.0.0/8"] }], facts(2, false)],
    [[{ cidrBlocks: "10.0.0.0/8" }], facts(1, false)],
    [[{ protocol: "tcp", fromPort: 1, toPort: 2 }], facts(0)],
    [[{ protocol: "tcp", fromPort: 2, toPort: 2 }], facts(0)],
    [[{ protocol: "udp", fromPort: 0, toPort: 65_535 }], facts(0)],
    [[{ protocol: "tcp", fromPort: 3, toPort: 2 }], facts(0, true, false)],
    [
      [
        { protocol: "tcp", fromPort: 3, toPort: 2 },
        { protocol: "tcp", fromPort: 1, toPort: 2 },
      ],
      facts(0, true, false),
    ],
    [[{ protocol: "tcp", fromPort: 3 }], facts(0, true, false)],
    [[{ protocol: "tcp", fromPort: null, toPort: 2 }], facts(0, true, false)],
    [[{ protocol: "6", fromPort: -1, toPort: -1 }], facts(0, true, false)],
    [[{ protocol: "TCP", fromPort: 0, toPort: 65_536 }], facts(0, true, false)],
    [[{ protocol: "icmp", fromPort: 8, toPort: -1 }], facts(0)],
    [[{ protocol: "-1", fromPort: 0, toPort: 0 }], facts(0)],
    [[{ protocol: "-1", fromPort: 0, toPort: 65_535 }], facts(0, true, false)],
    [[{ fromPort: 8, toPort: 0 }], facts(0, true, false)],
    [[{ protocol: UNKNOWN, fromPort: 8, toPort: 0 }], facts(0, true, false)],
    [[{ protocol: UNKNOWN, fromPort: 0, toPort: 8 }], facts(0)],
    [
      [
        { protocol: "tcp", fromPort: 0, toPort: 0 },
        { protocol: "tcp", fromPort: 1, toPort: 0 },
      ],
      facts(0, true, false),
    ],
    [[{ protocol: "tcp", fromPort: "1", toPort: 2 }], facts(0, true, false)],
    [[{ protocol: "tcp", fromPort: 1, toPort: UNKNOWN }], facts(0, true, false)],
  ])("is correct for %j", (list, expected) => expect(factsOf(list)).toEqual(expected));

  it("is separate for each direction, and cached", () => {
    const both = group("hosts", [{ self: true }], { egress: [{ protocol: "tcp", fromPort: 3, toPort: 2 }] });
    expect(inlineFacts(both, Direction.Ingress)).toEqual(facts(1));
    expect(inlineFacts(both, Direction.Egress)).toEqual(facts(0, true, false));
    expect(inlineFacts(both, Direction.Ingress)).toBe(inlineFacts(both, Direction.Ingress));
  });

  it.each<[PropertyValue, (4 | 6)[] | undefined, boolean]>([
    ["10.0.0.0/8", undefined, true],
    ["10.0.0.0/8", [4], true],
    ["10.0.0.0/8", [6], false],
    ["fd00::/8", [4, 6], true],
    ["", [4], true],
    ["nonsense", undefined, false],
    [UNKNOWN, undefined, false],
    [null, undefined, false],
  ])("%p is a block of %p: %p", (value, families, isOne) => {
    expect(isBlockOfFamilies(value, { ...(families && { families }) })).toBe(isOne);
  });
});

describe("rules that a user asked for", () => {
  const row = (key: string, ...flows: PropertyValue[]): Properties => ({
    role: "workers",
    direction: "ingress",
    key,
    flows,
  });
  const component = resource(COMPONENT, "tenant", {
    rules: [
      row("ssh", "additionalRules.ssh"),
      row("both", "workers-kubelet", "additionalRules.ntp"),
      row("office", "endpoint-router-caller-office"),
      row("kubelet", "workers-kubelet"),
      row("later", UNKNOWN),
      row("inside", "my-additionalRules.x"),
      null,
      UNKNOWN,
    ],
  });
  const other = resource("other:index:Groups", "tenant", component.properties);
  const isDeclared = (one: Resource) => declaredRules(new ResourceIndex([component, other]))(one);
  const rule = (key: string, maker?: Resource): Resource => ({
    ...resource(TYPE.ingressRule, `tenant-workers-ingress-${key}`, {}),
    ...(maker && { parent: maker.origin.urn! }),
  });

  it.each([
    ["ssh", true],
    ["both", true],
    ["office", true],
    ["kubelet", false],
    ["later", false],
    ["inside", false],
    ["unlisted", false],
  ])("include the rule %s: %p", (key, isAskedFor) =>
    expect(isDeclared(rule(key, component))).toBe(isAskedFor),
  );

  it("are only those of our components", () => {
    expect(isDeclared(rule("ssh"))).toBe(false);
    expect(isDeclared(rule("ssh", other))).toBe(false);
    expect(isDeclared({ ...rule("ssh", component), name: "ssh" })).toBe(false);
  });

  it("have keys that identify them", () => {
    const keys = [additionalRuleKey("ssh"), callerFlowKey("endpoint-router", "office")];
    expect(keys).toEqual(["additionalRules.ssh", "endpoint-router-caller-office"]);
  });
});
