import fc from "fast-check";
import { Prefix } from "../../../src/address";
import { type AclRule, aclRuleKey, mergeRules } from "../../../src/networkAcls/component/aclRule";
import { describePeer, describePorts } from "../../../src/components/hostRules/plannedRule";
import { Direction, Protocol, Role } from "../../../src/requirements/vocabulary";
import { networkAcl, type Packet } from "./stateless";
import { aclEntry } from "../../../src/networkAcls/component/aclResources";

const rule = (block: Prefix, ports?: { from: number; to: number }, more: Partial<AclRule> = {}): AclRule => ({
  role: Role.ControlPlane,
  direction: Direction.Ingress,
  protocol: Protocol.Tcp,
  ...(ports && { ports }),
  peer: { kind: "prefix", prefix: block },
  flows: [`flow of ${block.text}`],
  requirements: [],
  views: [],
  purposes: [],
  documents: [],
  notes: [],
  ...more,
});
const block = (text: string): Prefix => {
  const [address = "", length] = text.split("/");
  const value = address.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  return new Prefix(4, value, Number(length));
};
const port = (from: number, to = from) => ({ from, to });
const shown = (rules: readonly AclRule[]) =>
  mergeRules(rules).map(({ protocol, ports, tooBig, peer }) =>
    [protocol, tooBig ? "too big" : describePorts(ports), describePeer(peer)].join(" "),
  );

describe("M12 rules of a network ACL are merged only if they allow exactly the same packets", () => {
  it("merges adjacent blocks of the same ports", () => {
    expect(shown([rule(block("10.0.0.0/16"), port(443)), rule(block("10.1.0.0/16"), port(443))])).toEqual([
      "TCP 443 10.0.0.0/15",
    ]);
    const apart = [rule(block("10.1.0.0/16"), port(443)), rule(block("10.2.0.0/16"), port(443))];
    expect(shown(apart)).toEqual(["TCP 443 10.1.0.0/16", "TCP 443 10.2.0.0/16"]);
  });

  it("merges port ranges of one block that are adjacent or overlap", () => {
    const all = block("10.0.0.0/8");
    expect(shown([rule(all, port(30000, 32767)), rule(all, port(32768, 65535))])).toEqual([
      "TCP 30000-65535 10.0.0.0/8",
    ]);
    expect(shown([rule(all, port(443)), rule(all, port(445))])).toEqual([
      "TCP 443 10.0.0.0/8",
      "TCP 445 10.0.0.0/8",
    ]);
  });

  it("merges a rule inside another by block, ports or protocol, and keeps its flows", () => {
    const [only, ...others] = mergeRules([
      rule(block("10.1.0.0/16"), port(443)),
      rule(block("10.0.0.0/8"), port(400, 500)),
      rule(block("10.0.0.0/8"), undefined, { protocol: Protocol.Any }),
    ]);
    expect(others).toEqual([]);
    expect(only!.flows).toEqual(["flow of 10.0.0.0/8", "flow of 10.1.0.0/16"]);
  });

  it("does not merge rules of different directions, roles or protocols", () => {
    const same = [block("10.0.0.0/8"), port(53)] as const;
    const rules = [
      rule(...same),
      rule(...same, { protocol: Protocol.Udp }),
      rule(...same, { direction: Direction.Egress }),
      rule(...same, { role: Role.Workers }),
    ];
    expect(mergeRules(rules)).toHaveLength(4);
  });

  it("merges the packet-too-big rule only with a rule for all ICMP that covers it", () => {
    const icmp = { protocol: Protocol.Icmp };
    const everywhere = rule(block("0.0.0.0/0"), undefined, { ...icmp, tooBig: true });
    expect(shown([everywhere, rule(block("10.0.0.0/8"), undefined, icmp)])).toEqual([
      "ICMP all 10.0.0.0/8",
      "ICMP too big 0.0.0.0/0",
    ]);
    expect(shown([everywhere, rule(block("0.0.0.0/0"), undefined, icmp)])).toEqual(["ICMP all 0.0.0.0/0"]);
  });
});

/** Eight addresses, eight ports and three protocols: small enough to try every packet. */
const ADDRESSES = Array.from({ length: 8 }, (_, last) => `10.0.0.${last}`);
const PORTS = [0, 1, 2, 3, 4, 5, 6, 65535];
const PACKETS: Packet[] = [false, true].flatMap((egress) =>
  ADDRESSES.flatMap((remote) => [
    ...PORTS.flatMap((each) => [6, 17].map((protocol) => ({ egress, remote, protocol, port: each }))),
    ...[
      [3, 4],
      [3, 3],
      [8, 0],
    ].map((message) => ({ egress, remote, protocol: 1, message })),
    { egress, remote, protocol: 50 },
  ]),
) as Packet[];

const anyRule: fc.Arbitrary<AclRule> = fc
  .record({
    length: fc.integer({ min: 29, max: 32 }),
    address: fc.integer({ min: 0, max: 7 }),
    from: fc.integer({ min: 0, max: 6 }),
    more: fc.integer({ min: 0, max: 3 }),
    protocol: fc.constantFrom(Protocol.Tcp, Protocol.Udp, Protocol.Icmp, Protocol.Esp, Protocol.Any),
    direction: fc.constantFrom(Direction.Ingress, Direction.Egress),
    tooBig: fc.boolean(),
    every: fc.boolean(),
  })
  .map(({ length, address, from, more, protocol, direction, tooBig, every }) => {
    const withPorts = protocol === Protocol.Tcp || protocol === Protocol.Udp;
    const ports = withPorts && !every ? port(from, Math.min(from + more, 6)) : undefined;
    return rule(new Prefix(4, 0x0a000000n + BigInt(address), length), ports, {
      protocol,
      direction,
      ...(protocol === Protocol.Icmp && tooBig && { tooBig }),
    });
  });

const passing = (rules: readonly AclRule[]): boolean[] => {
  const entries = rules.map((each, index) => aclEntry({ ...each, number: index + 1 }));
  return PACKETS.map(networkAcl(entries));
};

describe("M12 merging, checked with every packet of a small address space", () => {
  const someRules = fc.array(anyRule, { maxLength: 12 });

  it("allows exactly the same packets, with no more rules, and with unique names", () => {
    fc.assert(
      fc.property(someRules, (rules) => {
        const merged = mergeRules(rules);
        expect(passing(merged)).toEqual(passing(rules));
        expect(merged.length).toBeLessThanOrEqual(rules.length);
        const names = merged.map((each) => `${each.direction} ${aclRuleKey(each)}`);
        expect(new Set(names).size).toBe(merged.length);
      }),
      { numRuns: 300 },
    );
  });

  it("is idempotent and independent of the order", () => {
    fc.assert(
      fc.property(
        someRules.chain((rules) =>
          fc.tuple(fc.constant(rules), fc.shuffledSubarray(rules, { minLength: rules.length })),
        ),
        ([rules, shuffled]) => {
          expect(shown(shuffled)).toEqual(shown(rules));
          expect(shown(mergeRules(rules))).toEqual(shown(rules));
        },
      ),
      { numRuns: 200 },
    );
  });

  it("loses no flow", () => {
    fc.assert(
      fc.property(someRules, (rules) => {
        const kept = new Set(mergeRules(rules).flatMap(({ flows }) => flows));
        expect(rules.flatMap(({ flows }) => flows).filter((flow) => !kept.has(flow))).toEqual([]);
      }),
    );
  });
});
