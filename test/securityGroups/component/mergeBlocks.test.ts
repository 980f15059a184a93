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

describe("rules for blocks are merged only if they allow exactly the same packets", () => {
  it("merges halves of a block, and blocks inside others, of the same protocol and ports", () => {
    const halves = [ruleFor(cidr("10.0.0.0/17")), ruleFor(cidr("10.0.128.0/17"))];
    expect(shown(mergeBlocks(halves, all))).toEqual(["tcp-6443-10.0.0.0-16"]);
    const inside = [ruleFor(cidr("10.0.3.0/24")), ruleFor(cidr("10.0.0.0/16"))];
    expect(shown(mergeBlocks(inside, all))).toEqual(["tcp-6443-10.0.0.0-16"]);
    const apart = [ruleFor(cidr("10.1.0.0/16")), ruleFor(cidr("10.2.0.0/16"))];
    expect(mergeBlocks(apart, all)).toEqual(apart);
  });

  it("does not merge rules of different ports, protocols, directions or groups", () => {
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

  it("does not merge rules that mayMerge excludes", () => {
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

  it("leaves prefix lists, groups and unknown blocks unchanged", () => {
    const rules = [
      ruleFor(list("offices", 5)),
      ruleFor({ kind: "group", role: Role.Workers }),
      ruleFor({ kind: "eventual", path: "additionalRules.x.cidr", slug: "rule-x", family: 4 }),
    ];
    expect(mergeBlocks(rules, all)).toEqual(rules);
  });

  it("keeps the flows and purposes of the parts, and names the parts in a note", () => {
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

  it("records the keys of the parts, except the key of the merged rule itself", () => {
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
/** Rules without duplicates, as a component plans them. */
const anyRules = fc.uniqueArray(anyRule, { maxLength: 24, selector: ruleIdentity });
/** Allows merging for the blocks of some directions and families, as quotas do. */
const someMayMerge = fc
  .subarray(
    [Direction.Ingress, Direction.Egress].flatMap((direction) => [`${direction} 4`, `${direction} 6`]),
  )
  .map(
    (lists) =>
      ({ direction, peer }: PlannedRule) =>
        peer.kind === "prefix" && lists.includes(`${direction} ${peer.prefix.family}`),
  );

/** The blocks of the rules, by direction, protocol and port. */
function passing(rules: readonly PlannedRule[]): Record<string, Prefix[]> {
  const blocks: Record<string, Prefix[]> = {};
  for (const { protocol, direction, ports, peer } of rules) {
    if (peer.kind === "prefix") (blocks[`${direction} ${protocol} ${ports?.from}`] ??= []).push(peer.prefix);
  }
  return blocks;
}

describe("laws of merging", () => {
  it("the allowed addresses stay the same for each protocol, port and direction", () => {
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

  it("the allowed addresses stay the same, checked for each of 256 addresses without set arithmetic", () => {
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

  it("the number of rules for blocks is minimal", () => {
    fc.assert(
      fc.property(anyRules, (rules) => {
        const fewest = Object.values(passing(rules)).flatMap((blocks) => merge(blocks)).length;
        const others = rules.filter(({ peer }) => peer.kind !== "prefix").length;
        expect(mergeBlocks(rules, all)).toHaveLength(fewest + others);
      }),
    );
  });

  it("no two rules are identical to AWS, and no flow is lost", () => {
    fc.assert(
      fc.property(anyRules, someMayMerge, (rules, mayMerge) => {
        const merged = mergeBlocks(rules, mayMerge);
        expect(new Set(merged.map(ruleIdentity)).size).toBe(merged.length);
        const kept = new Set(merged.flatMap(({ flows }) => flows));
        expect(rules.flatMap(({ flows }) => flows).filter((flow) => !kept.has(flow))).toEqual([]);
      }),
    );
  });

  it("each part is merged into only one rule, so that no two rules replace the same one", () => {
    fc.assert(
      fc.property(anyRules, (rules) => {
        const taken = mergeBlocks(rules, all).flatMap((rule) =>
          otherKeys(rule).map((key) => `${rule.direction} ${key}`),
        );
        expect(new Set(taken).size).toBe(taken.length);
      }),
    );
  });

  it("merging is idempotent and independent of the order", () => {
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
