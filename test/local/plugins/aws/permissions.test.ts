import fc from "fast-check";

import {
  assemble,
  atomKey,
  atomsOf,
  atomsOfPermissions,
  type InlineRule,
  refusePortRange,
} from "../../../../local/plugins/aws/kinds/permissions";

const rule = (more: Partial<InlineRule>): InlineRule => ({
  protocol: "tcp",
  fromPort: 443,
  toPort: 443,
  ...more,
});

describe("inline rules of a security group", () => {
  test("are taken apart into one rule a peer", () => {
    const atoms = atomsOf(
      rule({
        cidrBlocks: ["10.0.0.0/8", "192.168.0.0/16"],
        prefixListIds: ["pl-1"],
        self: true,
        description: "why",
      }),
    );
    expect(atoms.map(({ kind, peer, description }) => [kind, peer, description])).toEqual([
      ["cidrBlocks", "10.0.0.0/8", "why"],
      ["cidrBlocks", "192.168.0.0/16", "why"],
      ["prefixListIds", "pl-1", "why"],
      ["self", "", "why"],
    ]);
  });

  test("of EC2 are read with their own group as self, and a group of another account with its account", () => {
    const pairs = [
      { GroupId: "sg-1", UserId: "1" },
      { GroupId: "sg-2", UserId: "1" },
      { GroupId: "sg-3", UserId: "2" },
    ];
    const atoms = atomsOfPermissions(
      [{ IpProtocol: "tcp", FromPort: 1, ToPort: 2, UserIdGroupPairs: pairs }],
      "sg-1",
      "1",
    );
    expect(atoms.map(({ kind, peer }) => [kind, peer])).toEqual([
      ["self", ""],
      ["securityGroups", "sg-2"],
      ["securityGroups", "2/sg-3"],
    ]);
  });

  test("come back as the program wrote them, whatever else the group holds", () => {
    const written = [rule({ cidrBlocks: ["10.1.0.0/16"] }), rule({ cidrBlocks: ["10.2.0.0/16"] })];
    const foreign = rule({ cidrBlocks: ["10.3.0.0/16"], description: "by hand" });
    const state = assemble([...written, foreign].flatMap(atomsOf), written);
    expect(state.map(({ cidrBlocks, description }) => [cidrBlocks, description])).toEqual([
      [["10.1.0.0/16"], ""],
      [["10.2.0.0/16"], ""],
      [["10.3.0.0/16"], "by hand"],
    ]);
  });

  test("that lost a peer by hand come back without it", () => {
    const written = [rule({ cidrBlocks: ["10.1.0.0/16", "10.2.0.0/16"] })];
    const left = written.flatMap(atomsOf).slice(1);
    expect(assemble(left, written).map(({ cidrBlocks }) => cidrBlocks)).toEqual([["10.2.0.0/16"]]);
  });

  test("lose nothing and gain nothing by being taken apart and put together", () => {
    const blocks = fc.uniqueArray(
      fc.integer({ min: 0, max: 5 }).map((octet) => `10.${octet}.0.0/16`),
      { minLength: 1 },
    );
    const anyRule = fc.record({
      protocol: fc.constantFrom("tcp", "udp", "-1"),
      fromPort: fc.integer({ min: 1, max: 2 }),
      toPort: fc.integer({ min: 3, max: 4 }),
      cidrBlocks: blocks,
      self: fc.boolean(),
      description: fc.constantFrom("", "a"),
    });
    const keys = (rules: InlineRule[]) => [...new Set(rules.flatMap(atomsOf).map(atomKey))].sort();
    fc.assert(
      fc.property(
        fc.array(anyRule, { maxLength: 4 }),
        fc.array(anyRule, { maxLength: 2 }),
        (rules, written) => {
          const atoms = [...new Map(rules.flatMap(atomsOf).map((atom) => [atomKey(atom), atom])).values()];
          expect(keys(assemble(atoms, written))).toEqual(keys(rules));
        },
      ),
    );
  });
});

describe("a range of ports that EC2 refuses and its local substitute accepts", () => {
  test.each([
    [443, 80],
    [0, 65536],
    [-1, -1],
    [undefined, 80],
  ])("%s to %s is refused for TCP in the words of EC2", (from, to) => {
    expect(() => refusePortRange("tcp", from, to)).toThrow(
      expect.objectContaining({ name: "InvalidParameterValue" }) as Error,
    );
  });

  test("is no matter of protocols without ports", () => {
    expect(() => refusePortRange("-1", 0, 0)).not.toThrow();
    expect(() => refusePortRange("icmp", -1, -1)).not.toThrow();
    expect(() => refusePortRange("tcp", 443, 443)).not.toThrow();
  });
});
