import fc from "fast-check";
import { Action, type Clause, type Filter } from "../../../src/reachability/filters";
import {
  NO_PACKETS,
  contains,
  describePackets,
  difference,
  equal,
  isEmpty,
  packets,
  service,
  union,
  unionAll,
  type PacketSet,
} from "../../../src/reachability/packets";
import { Proof, changeBetween, excessOf, prove } from "../../../src/reachability/proof";
import type { Resource } from "../../../src/resources/resource";
import { prefix } from "../smallUniverse";

const TCP = 6;
const from = (source: string, port: number, to = port): PacketSet =>
  packets({
    services: [service(TCP, { from: port, to })],
    sources: [prefix(source)],
    destinations: [prefix("10.1.0.0/16")],
  });
const resource = (name: string): Resource => ({ origin: {}, type: "test:index:Rule", name, properties: {} });
const clause = (name: string, sure: PacketSet, more: Partial<Clause> = {}): Clause => ({
  resource: resource(name),
  path: "",
  actions: [Action.Allow],
  sure,
  possible: sure,
  unknown: [],
  ...more,
});
const allowing = (...clauses: Clause[]): Filter => ({ clauses, otherwise: Action.Deny });
const workers = "10.0.0.0/16";

describe("proofs", () => {
  test("two rules that cover a range together prove it, and both are named", () => {
    const filter = allowing(
      clause("lower", from("10.0.0.0/17", 443)),
      clause("upper", from("10.0.128.0/17", 443)),
    );
    const verdict = prove(from(workers, 443), [filter]);
    expect(verdict.proof).toBe(Proof.Proved);
    expect(verdict).toMatchObject({
      cover: [{ clause: { resource: { name: "lower" } } }, { clause: { resource: { name: "upper" } } }],
    });
  });

  test("a rule for half of the range is refuted by a packet from the other half", () => {
    const verdict = prove(from(workers, 443), [allowing(clause("lower", from("10.0.0.0/17", 443)))]);
    expect(verdict).toMatchObject({
      proof: Proof.Refuted,
      packet: { source: "10.0.128.0", destination: "10.1.0.0", protocol: TCP, port: 443 },
      decision: { action: Action.Deny },
    });
  });

  test("the rule that denies is the one that decides", () => {
    const deny = clause("deny", from("10.0.7.0/24", 443), { actions: [Action.Deny] });
    const verdict = prove(from(workers, 443), [
      allowing(deny, clause("allow", from("0.0.0.0/0", 0, 65_535))),
    ]);
    expect(verdict).toMatchObject({
      proof: Proof.Refuted,
      packet: { source: "10.0.7.0" },
      decision: { clause: { resource: { name: "deny" } } },
    });
  });

  test("what hangs on an unknown value is unknown, and the value is named once", () => {
    const unknown = [{ resource: resource("later"), path: "cidrIpv4" }];
    const later = clause("later", NO_PACKETS, {
      possible: from("0.0.0.0/0", 443),
      unknown: [...unknown, ...unknown],
    });
    expect(prove(from(workers, 443), [allowing(later)])).toMatchObject({
      proof: Proof.Unknown,
      values: unknown,
    });
    expect(prove(from(workers, 6443), [allowing(later)]).proof).toBe(Proof.Refuted);
    const known = clause("known", from(workers, 443));
    expect(prove(from(workers, 443), [allowing(later, known)]).proof).toBe(Proof.Proved);
  });
});

describe("excess", () => {
  test("what is open beyond what has to be, at each rule that opens it", () => {
    const wide = clause("wide", from("10.0.0.0/15", 443));
    const wider = clause("wider", from("10.0.0.0/14", 443));
    const right = clause("right", from(workers, 443));
    const found = excessOf(from(workers, 443), [allowing(wide, wider, right)]);
    expect(found.map(({ clause: one, packets: set }) => [one?.resource.name, describePackets(set)])).toEqual([
      ["wide", ["TCP 443 from 10.1.0.0/16 to 10.1.0.0/16"]],
      ["wider", ["TCP 443 from 10.1.0.0/16, 10.2.0.0/15 to 10.1.0.0/16"]],
    ]);
  });

  test("what an earlier rule denies is not open", () => {
    const deny = clause("deny", from("10.1.0.0/16", 443), { actions: [Action.Deny] });
    const wide = clause("wide", from("10.0.0.0/15", 443));
    expect(excessOf(from(workers, 443), [allowing(deny, wide)])).toEqual([]);
  });

  test("where nothing is denied, what no rule matches is open too", () => {
    const [found] = excessOf(from(workers, 443), [{ clauses: [], otherwise: Action.Allow }]);
    expect(found?.clause).toBeUndefined();
  });
});

describe("a change", () => {
  test("opens what may pass now and surely did not before, and closes the other way round", () => {
    const before = [allowing(clause("a", from(workers, 443)))];
    const after = [allowing(clause("a", from("10.0.0.0/17", 443)), clause("b", from(workers, 22)))];
    const { opened, closed } = changeBetween(before, after);
    expect(describePackets(opened)).toEqual(["TCP 22 from 10.0.0.0/16 to 10.1.0.0/16"]);
    expect(describePackets(closed)).toEqual(["TCP 443 from 10.0.128.0/17 to 10.1.0.0/16"]);
  });

  test("the same rules in another form change nothing", () => {
    const halves = [allowing(clause("a", from("10.0.0.0/17", 443)), clause("b", from("10.0.128.0/17", 443)))];
    const { opened, closed } = changeBetween([allowing(clause("a", from(workers, 443)))], halves);
    expect(equal(union(opened, closed), NO_PACKETS)).toBe(true);
  });
});

describe("many rules, of which those that matter are looked up", () => {
  const port = fc.integer({ min: 440, max: 446 });
  const cidr = fc.constantFrom("10.0.0.0/16", "10.0.0.0/17", "10.0.128.0/17", "10.0.7.0/24", "0.0.0.0/0");
  const rule = fc
    .record({ cidr, ports: fc.tuple(port, fc.nat(2)), isKnown: fc.integer({ min: 0, max: 5 }) })
    .map(({ cidr: block, ports: [low, more], isKnown }) => {
      const set = packets({
        services: [service(TCP, { from: low, to: low + more })],
        sources: [prefix(block)],
      });
      const name = `${block} ${low}`;
      return isKnown > 0
        ? clause(name, set)
        : clause(name, NO_PACKETS, {
            possible: set,
            unknown: [{ resource: resource(name), path: "cidrIpv4" }],
          });
    });
  const rules = fc.array(rule, { minLength: 5, maxLength: 12 });
  const required = fc.record({ cidr, port }).map(({ cidr: block, port: one }) => from(block, one, one + 1));

  test("the verdict is what the sets of all rules say", () => {
    fc.assert(
      fc.property(rules, required, (clauses, packetsToPass) => {
        const verdict = prove(packetsToPass, [allowing(...clauses)]);
        const sure = unionAll(clauses.map((one) => one.sure));
        const possible = unionAll(clauses.map((one) => one.possible));
        const expected = contains(sure, packetsToPass)
          ? Proof.Proved
          : contains(possible, packetsToPass)
            ? Proof.Unknown
            : Proof.Refuted;
        expect(verdict.proof).toBe(expected);
        if (verdict.proof === Proof.Proved)
          expect(equal(unionAll(verdict.cover.map((one) => one.packets)), packetsToPass)).toBe(true);
        if (verdict.proof === Proof.Refuted)
          expect(equal(verdict.dropped, difference(packetsToPass, possible))).toBe(true);
        if (verdict.proof === Proof.Unknown)
          expect(equal(verdict.undecided, difference(packetsToPass, sure))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("the excess of each rule is what it has beyond all that is wanted", () => {
    fc.assert(
      fc.property(rules, fc.array(required, { maxLength: 6 }), (clauses, wanted) => {
        const all = unionAll(wanted);
        const expected = clauses.flatMap((one) => {
          const more = difference(one.sure, all);
          return isEmpty(more) ? [] : [[one.resource.name, describePackets(more)]];
        });
        const found = excessOf(wanted, [allowing(...clauses)]);
        expect(
          found.map(({ clause: one, packets: set }) => [one?.resource.name, describePackets(set)]),
        ).toEqual(expected);
        expect(excessOf(all, [allowing(...clauses)])).toHaveLength(found.length);
      }),
      { numRuns: 300 },
    );
  });
});
