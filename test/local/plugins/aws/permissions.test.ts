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
  test("are split into one rule for each peer", () => {
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

  test("of EC2 are read with their own group as self, and with the account of a foreign group", () => {
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

  test("are read as the program wrote them, whatever other rules the group has", () => {
    const written = [rule({ cidrBlocks: ["10.1.0.0/16"] }), rule({ cidrBlocks: ["10.2.0.0/16"] })];
    const foreign = rule({ cidrBlocks: ["10.3.0.0/16"], description: "by hand" });
    const state = assemble([...written, foreign].flatMap(atomsOf), written);
    expect(state.map(({ cidrBlocks, description }) => [cidrBlocks, description])).toEqual([
      [["10.1.0.0/16"], ""],
      [["10.2.0.0/16"], ""],
      [["10.3.0.0/16"], "by hand"],
    ]);
  });

  test("are read without a peer that was removed by hand", () => {
    const written = [rule({ cidrBlocks: ["10.1.0.0/16", "10.2.0.0/16"] })];
    const left = written.flatMap(atomsOf).slice(1);
    expect(assemble(left, written).map(({ cidrBlocks }) => cidrBlocks)).toEqual([["10.2.0.0/16"]]);
  });

  test("are the same after being split and assembled", () => {
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

describe("a port range that EC2 refuses and its local substitute accepts", () => {
  test.each([
    [443, 80],
    [0, 65536],
    [-1, -1],
    [undefined, 80],
  ])("is refused for TCP with the error name of EC2: %s to %s", (from, to) => {
    expect(() => refusePortRange("tcp", from, to)).toThrow(
      expect.objectContaining({ name: "InvalidParameterValue" }) as Error,
    );
  });

  test("is accepted for protocols without ports, and for a valid range", () => {
    expect(() => refusePortRange("-1", 0, 0)).not.toThrow();
    expect(() => refusePortRange("icmp", -1, -1)).not.toThrow();
    expect(() => refusePortRange("tcp", 443, 443)).not.toThrow();
  });
});
