import fc from "fast-check";
import { Prefix, containsAddress, merge, subtract } from "../../../src/address";
import { parseAddress } from "../../../src/address/parse";
import { mergeBlocks } from "../../../src/securityGroups/component/ruleQuota";
import {
  otherKeys,
  ruleIdentity,
  ruleKey,
  type PlannedRule,
} from "../../../src/components/hostRules/plannedRule";
import { ruleRow } from "../../../src/securityGroups/component/securityGroupRules";
import { Direction, Protocol, Role } from "../../../src/requirements/vocabulary";
import { crowdedPrefix } from "../../address/arbitraries";
import { cidr, list, prefix, ruleFor } from "./someRules";

const all = () => true;
const shown = (rules: readonly PlannedRule[]): string[] => rules.map(ruleKey);

describe("rules for blocks are merged where exactly the same packets pass", () => {
  it("halves of a block, and blocks inside others, of the same protocol and ports", () => {
    const halves = [ruleFor(cidr("10.0.0.0/17")), ruleFor(cidr("10.0.128.0/17"))];
    expect(shown(mergeBlocks(halves, all))).toEqual(["tcp-6443-10.0.0.0-16"]);
    const inside = [ruleFor(cidr("10.0.3.0/24")), ruleFor(cidr("10.0.0.0/16"))];
    expect(shown(mergeBlocks(inside, all))).toEqual(["tcp-6443-10.0.0.0-16"]);
    const apart = [ruleFor(cidr("10.1.0.0/16")), ruleFor(cidr("10.2.0.0/16"))];
    expect(mergeBlocks(apart, all)).toEqual(apart);
  });

  it("not of other ports, protocols, directions and groups", () => {
    const half = cidr("10.0.0.0/17");
    const others = [
      ruleFor(half, { ports: { from: 443, to: 443 } }),
      ruleFor(half, { protocol: Protocol.Udp }),
      ruleFor(half, { direction: Direction.Egress }),
      ruleFor(half, { role: Role.Workers }),
      ruleFor(cidr("10.0.128.0/17")),
    ];
    expect(mergeBlocks(others, all)).toEqual(others);
  });

  it("never those that may not", () => {
    const halves = (direction: Direction) =>
      ["10.0.0.0/17", "10.0.128.0/17"].map((text) => ruleFor(cidr(text), { direction }));
    const rules = [...halves(Direction.Ingress), ...halves(Direction.Egress)];
    expect(mergeBlocks(rules, () => false)).toEqual(rules);
    expect(shown(mergeBlocks(rules, ({ direction }) => direction === Direction.Egress))).toEqual([
      "tcp-6443-10.0.0.0-17",
      "tcp-6443-10.0.128.0-17",
      "tcp-6443-10.0.0.0-16",
    ]);
  });

  it("prefix lists, groups and blocks that are not known yet stay what they are", () => {
    const rules = [
      ruleFor(list("offices", 5)),
      ruleFor({ kind: "group", role: Role.Workers }),
      ruleFor({ kind: "eventual", path: "additionalRules.x.cidr", slug: "rule-x", family: 4 }),
    ];
    expect(mergeBlocks(rules, all)).toEqual(rules);
  });

  it("a merged rule keeps the reasons of its parts, and says what they were", () => {
    const parts = ["10.0.0.0/17", "10.0.128.0/17"].map((text) => ruleFor(cidr(text), { purposes: [text] }));
    const [merged] = mergeBlocks(parts, all);
    expect(ruleRow(merged!)).toMatchObject({
      key: "tcp-6443-10.0.0.0-16",
      peer: "10.0.0.0/16",
      flows: ["flow of 10.0.0.0/17", "flow of 10.0.128.0/17"],
      purpose: "10.0.0.0/17; 10.0.128.0/17",
      notes: ["Merged from 10.0.0.0/17, 10.0.128.0/17"],
    });
  });

  it("a merged rule knows the names of its parts, and of none that it has itself", () => {
    const keys = (...texts: string[]) =>
      mergeBlocks(
        texts.map((text) => ruleFor(cidr(text))),
        all,
      ).map(otherKeys);
    expect(keys("10.0.0.0/17", "10.0.128.0/17")).toEqual([
      ["tcp-6443-10.0.0.0-17", "tcp-6443-10.0.128.0-17"],
    ]);
    expect(keys("10.0.0.0/16", "10.0.3.0/24")).toEqual([["tcp-6443-10.0.3.0-24"]]);
    expect(keys("10.0.0.0/16")).toEqual([[]]);
  });
});

const anyRule: fc.Arbitrary<PlannedRule> = fc
  .record({
    peer: fc.oneof(
      { weight: 6, arbitrary: crowdedPrefix.map(prefix) },
      { weight: 1, arbitrary: fc.constantFrom("a", "b").map((key) => list(key, 3)) },
    ),
    port: fc.constantFrom(443, 6443),
    protocol: fc.constantFrom(Protocol.Tcp, Protocol.Udp),
    direction: fc.constantFrom(Direction.Ingress, Direction.Egress),
  })
  .map(({ peer, port, protocol, direction }) =>
    ruleFor(peer, { ports: { from: port, to: port }, protocol, direction }),
  );
/** As a component plans them: each once. */
const anyRules = fc.uniqueArray(anyRule, { maxLength: 24, selector: ruleIdentity });
/** As quotas have it: the blocks of some directions and families. */
const someMayMerge = fc
  .subarray(
    [Direction.Ingress, Direction.Egress].flatMap((direction) => [`${direction} 4`, `${direction} 6`]),
  )
  .map(
    (lists) =>
      ({ direction, peer }: PlannedRule) =>
        peer.kind === "prefix" && lists.includes(`${direction} ${peer.prefix.family}`),
  );

/** The blocks of each kind of traffic, as the fewest blocks. */
function passing(rules: readonly PlannedRule[]): Record<string, Prefix[]> {
  const blocks: Record<string, Prefix[]> = {};
  for (const { protocol, direction, ports, peer } of rules) {
    if (peer.kind === "prefix") (blocks[`${direction} ${protocol} ${ports?.from}`] ??= []).push(peer.prefix);
  }
  return blocks;
}

describe("laws of merging", () => {
  it("no address more and none fewer, for each protocol, port and direction", () => {
    fc.assert(
      fc.property(anyRules, someMayMerge, (rules, mayMerge) => {
        const [before, after] = [passing(rules), passing(mergeBlocks(rules, mayMerge))];
        expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
        for (const [traffic, blocks] of Object.entries(before)) {
          expect(subtract(blocks, after[traffic]!)).toEqual([]);
          expect(subtract(after[traffic]!, blocks)).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("the same, tried with every address of a small world without our arithmetic of sets", () => {
    const addresses = Array.from({ length: 256 }, (_, last) => parseAddress(`10.0.0.${last}`).address!);
    const block = fc
      .tuple(fc.nat({ max: 255 }), fc.integer({ min: 24, max: 32 }))
      .map(([last, length]) => new Prefix(4, 0x0a000000n + BigInt(last), length));
    fc.assert(
      fc.property(fc.uniqueArray(block, { maxLength: 20, selector: ({ text }) => text }), (blocks) => {
        const admits = (rules: readonly PlannedRule[]) =>
          addresses.map((address) =>
            rules.some(({ peer }) => peer.kind === "prefix" && containsAddress(peer.prefix, address)),
          );
        const rules = blocks.map((each) => ruleFor(prefix(each)));
        expect(admits(mergeBlocks(rules, all))).toEqual(admits(rules));
      }),
    );
  });

  it("as few rules as there can be for blocks", () => {
    fc.assert(
      fc.property(anyRules, (rules) => {
        const fewest = Object.values(passing(rules)).flatMap((blocks) => merge(blocks)).length;
        const others = rules.filter(({ peer }) => peer.kind !== "prefix").length;
        expect(mergeBlocks(rules, all)).toHaveLength(fewest + others);
      }),
    );
  });

  it("no two rules that AWS takes for the same one, and no reason lost", () => {
    fc.assert(
      fc.property(anyRules, someMayMerge, (rules, mayMerge) => {
        const merged = mergeBlocks(rules, mayMerge);
        expect(new Set(merged.map(ruleIdentity)).size).toBe(merged.length);
        const kept = new Set(merged.flatMap(({ flows }) => flows));
        expect(rules.flatMap(({ flows }) => flows).filter((flow) => !kept.has(flow))).toEqual([]);
      }),
    );
  });

  it("each part goes into only one rule, so that no two rules take the place of the same one", () => {
    fc.assert(
      fc.property(anyRules, (rules) => {
        const taken = mergeBlocks(rules, all).flatMap((rule) =>
          otherKeys(rule).map((key) => `${rule.direction} ${key}`),
        );
        expect(new Set(taken).size).toBe(taken.length);
      }),
    );
  });

  it("merging again changes nothing, and the order does not matter", () => {
    fc.assert(
      fc.property(
        anyRules.chain((rules) =>
          fc.tuple(fc.constant(rules), fc.shuffledSubarray(rules, { minLength: rules.length })),
        ),
        ([rules, shuffled]) => {
          const identities = (some: readonly PlannedRule[]) =>
            mergeBlocks(some, all).map(ruleIdentity).sort();
          expect(identities(shuffled)).toEqual(identities(rules));
          expect(identities(mergeBlocks(rules, all))).toEqual(identities(rules));
        },
      ),
    );
  });
});
