import fc from "fast-check";
import { Action, type Clause, type Filter } from "../../../src/reachability/filters/filter";
import { allowingFilter } from "../../../src/reachability/filters/prepared";
import {
  NO_PACKETS,
  PacketsOfBox,
  contains,
  difference,
  equal,
  isEmpty,
  packets,
  union,
  unionAll,
  type PacketSet,
} from "../../../src/reachability/packets/packetSet";
import { PacketIndex } from "../../../src/reachability/packets/packetIndex";
import { service } from "../../../src/reachability/packets/service";
import { Proof, excessOf, prove } from "../../../src/reachability/proof/prove";
import type { Resource } from "../../../src/resources/resource";
import { changeBetween, prefix } from "../smallUniverse";
import { describePackets } from "../shown";

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
  test("name both rules that cover a range together", () => {
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

  test("are the same for packets that are computed when first read", () => {
    const lower = from("10.0.0.0/17", 443);
    const far = [1, 2, 3, 4, 5].map((port) => clause(`port-${port}`, from(workers, port)));
    const doubtful = clause("doubtful", NO_PACKETS, {
      possible: from(workers, 443),
      unknown: [{ resource: resource("doubtful"), path: "ports" }],
    });
    const ends = [[prefix(workers)], [prefix("10.1.0.0/16")]] as const;
    const asked = [
      from(workers, 443),
      new PacketsOfBox(service(TCP, { from: 443, to: 443 }), ...ends),
    ] as const;
    const told = (filter: Filter) => {
      const [one, other] = asked.map((required) => {
        const verdict = prove(required, [filter]);
        switch (verdict.proof) {
          case Proof.Proved:
            return [verdict.proof, ...verdict.cover.map(({ clause: by }) => by?.resource.name)];
          case Proof.Refuted: {
            const { dropped, packet, decision } = verdict;
            return [verdict.proof, describePackets(dropped).join(), packet.source, decision?.action];
          }
          case Proof.Unknown:
            return [
              verdict.proof,
              describePackets(verdict.undecided).join(),
              ...verdict.values.map(({ path }) => path),
            ];
        }
      });
      expect(one).toEqual(other);
      return one;
    };
    expect(told(allowing(clause("all", from(workers, 443))))).toEqual(["proved", "all"]);
    expect(told(allowing(clause("lower", lower)))).toEqual([
      "refuted",
      "TCP 443 from 10.0.128.0/17 to 10.1.0.0/16",
      "10.0.128.1",
      "deny",
    ]);
    const nothing = ["refuted", "TCP 443 from 10.0.0.0/16 to 10.1.0.0/16", "10.0.0.1", "deny"];
    expect(told(allowing())).toEqual(nothing);
    expect(told(allowing(...far))).toEqual(nothing);
    expect(told(allowing(...far, clause("lower", lower), doubtful))).toEqual([
      "unknown",
      "TCP 443 from 10.0.128.0/17 to 10.1.0.0/16",
      "ports",
    ]);
  });

  test("name each unknown value once per resource, even if running resources share a name", () => {
    const doubtful = (live: string): Clause =>
      clause("web", NO_PACKETS, {
        possible: from(workers, 443),
        unknown: [{ resource: { ...resource("web"), origin: { live } }, path: "ports" }],
      });
    const places = ["NetworkPolicy clusters-a/web", "NetworkPolicy clusters-b/web"];
    const verdict = prove(from(workers, 443), [allowing(...[...places, ...places].map(doubtful))]);
    if (verdict.proof !== Proof.Unknown) throw new Error(verdict.proof);
    expect(verdict.values.map((value) => value.resource.origin.live)).toEqual(places);
  });

  test("show a packet from the half of a range that no rule covers", () => {
    const verdict = prove(from(workers, 443), [allowing(clause("lower", from("10.0.0.0/17", 443)))]);
    expect(verdict).toMatchObject({
      proof: Proof.Refuted,
      packet: { source: "10.0.128.1", destination: "10.1.0.1", protocol: TCP, port: 443 },
      decision: { action: Action.Deny },
    });
  });

  test("name the rule that denies as the deciding rule", () => {
    const deny = clause("deny", from("10.0.7.0/24", 443), { actions: [Action.Deny] });
    const verdict = prove(from(workers, 443), [
      allowing(deny, clause("allow", from("0.0.0.0/0", 0, 65_535))),
    ]);
    expect(verdict).toMatchObject({
      proof: Proof.Refuted,
      packet: { source: "10.0.7.1" },
      decision: { clause: { resource: { name: "deny" } } },
    });
  });

  test("show a packet that the named rule drops, or any packet if no single rule drops it", () => {
    const box = (source: string) =>
      new PacketsOfBox(service(TCP, { from: 443, to: 443 }), [prefix(source)], [prefix("10.1.0.0/16")]);
    const deny = (set: PacketSet, more: Partial<Clause> = {}) =>
      clause("deny", set, { actions: [Action.Deny], ...more });
    const high = "10.0.200.0/24";
    for (const made of [box, (source: string) => from(source, 443)]) {
      const [allowed, denied] = [clause("allow", made("10.0.0.0/17")), deny(made(high))];
      const shown = (...clauses: Clause[]) => {
        const verdict = prove(made(workers), [allowing(...clauses)]);
        if (verdict.proof !== Proof.Refuted) throw new Error(verdict.proof);
        return [verdict.packet.source, verdict.decision?.clause?.resource.name];
      };
      expect(shown(denied, allowed)).toEqual(["10.0.200.1", "deny"]);
      expect(shown(allowed, deny(NO_PACKETS, { possible: made(workers) }))).toEqual([
        "10.0.128.1",
        undefined,
      ]);
    }
  });

  test("are unknown if an unknown value decides, which is named once", () => {
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

describe("the index of a filter", () => {
  const unread: Clause = {
    ...clause("unread", NO_PACKETS),
    get sure(): PacketSet {
      throw new Error("the packets of this rule need not be read");
    },
  };
  const indexed = (...sets: PacketSet[]): Filter =>
    allowingFilter([unread], () => {
      const index = new PacketIndex();
      sets.forEach((set) => index.add(set, 0));
      return index;
    });

  const everywhere = packets({
    services: [service(TCP, { from: 443, to: 443 })],
    sources: [prefix(workers)],
  });

  test("proves packets without reading the rules, whatever filters come after", () => {
    const denies = { clauses: [], otherwise: Action.Deny };
    expect(prove(from(workers, 443), [indexed(everywhere)]).proof).toBe(Proof.Proved);
    expect(prove(from(workers, 443), [indexed(everywhere), denies]).proof).toBe(Proof.Proved);
  });

  test("proves packets without reading the rules after a filter that passes everything", () => {
    const passes = { clauses: [], otherwise: Action.Pass };
    expect(prove(from(workers, 443), [passes, indexed(everywhere)]).proof).toBe(Proof.Proved);
  });

  test("yields excess without reading the rules if none of its packets is needed", () => {
    const elsewhere = packets({ sources: [prefix("192.0.2.0/24")] });
    const [found, ...others] = excessOf(elsewhere, [indexed(everywhere)]);
    expect([found?.clause, others]).toEqual([unread, []]);
  });

  test("does not prove packets outside it", () => {
    expect(() => prove(from("10.0.0.0/15", 443), [indexed(everywhere)])).toThrow("need not be read");
  });
});

describe("excess packets", () => {
  test("are not reduced by filters after one that only allows", () => {
    const wide = clause("wide", from("10.0.0.0/15", 443));
    const again = clause("again", from("10.0.0.0/15", 443));
    const denies = { clauses: [], otherwise: Action.Deny };
    const found = excessOf(from(workers, 443), [allowing(wide, again), denies]);
    expect(found.map(({ clause: one }) => one?.resource.name)).toEqual(["wide", "again"]);
  });

  test("are listed for each rule with what it opens beyond the needed packets", () => {
    const wide = clause("wide", from("10.0.0.0/15", 443));
    const wider = clause("wider", from("10.0.0.0/14", 443));
    const right = clause("right", from(workers, 443));
    const found = excessOf(from(workers, 443), [allowing(wide, wider, right)]);
    expect(found.map(({ clause: one, packets: set }) => [one?.resource.name, describePackets(set)])).toEqual([
      ["wide", ["TCP 443 from 10.1.0.0/16 to 10.1.0.0/16"]],
      ["wider", ["TCP 443 from 10.1.0.0/16, 10.2.0.0/15 to 10.1.0.0/16"]],
    ]);
  });

  test("exclude what an earlier rule denies", () => {
    const deny = clause("deny", from("10.1.0.0/16", 443), { actions: [Action.Deny] });
    const wide = clause("wide", from("10.0.0.0/15", 443));
    expect(excessOf(from(workers, 443), [allowing(deny, wide)])).toEqual([]);
  });

  test("include unmatched packets if the default allows", () => {
    const [found] = excessOf(from(workers, 443), [{ clauses: [], otherwise: Action.Allow }]);
    expect(found?.clause).toBeUndefined();
  });
});

describe("a change between filters", () => {
  test("opens what may pass now and surely did not before, and closes the reverse", () => {
    const before = [allowing(clause("a", from(workers, 443)))];
    const after = [allowing(clause("a", from("10.0.0.0/17", 443)), clause("b", from(workers, 22)))];
    const { opened, closed } = changeBetween(before, after);
    expect(describePackets(opened)).toEqual(["TCP 22 from 10.0.0.0/16 to 10.1.0.0/16"]);
    expect(describePackets(closed)).toEqual(["TCP 443 from 10.0.128.0/17 to 10.1.0.0/16"]);
  });

  test("is empty for the same rules in another form", () => {
    const halves = [allowing(clause("a", from("10.0.0.0/17", 443)), clause("b", from("10.0.128.0/17", 443)))];
    const { opened, closed } = changeBetween([allowing(clause("a", from(workers, 443)))], halves);
    expect(equal(union(opened, closed), NO_PACKETS)).toBe(true);
  });
});

describe("many rules, of which only relevant ones are looked up", () => {
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

  test("give the verdict of the union of all rules", () => {
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

  test("have as excess what each rule allows beyond all needed packets", () => {
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

describe("filters in sequence", () => {
  const everything = from("0.0.0.0/0", 0, 65_535);
  const pass = (...clauses: Clause[]): Filter => ({ clauses, otherwise: Action.Pass });

  test("need the second filter to allow what the first passes", () => {
    const [wide, narrow] = [
      allowing(clause("wide", everything)),
      allowing(clause("narrow", from(workers, 80))),
    ];
    expect(prove(from(workers, 443), [wide]).proof).toBe(Proof.Proved);
    expect(prove(from(workers, 443), [pass(), narrow]).proof).toBe(Proof.Refuted);
    expect(prove(from(workers, 443), [pass(), wide]).proof).toBe(Proof.Proved);
    // The first filter decides: no later filter allows what it denies.
    expect(prove(from(workers, 443), [allowing(), wide]).proof).toBe(Proof.Refuted);
  });

  test("drop what the first filter denies even if the second allows it", () => {
    const first: Filter = {
      clauses: [clause("deny", from(workers, 443), { actions: [Action.Deny] })],
      otherwise: Action.Pass,
    };
    expect(prove(from(workers, 443), [first, allowing(clause("wide", everything))])).toMatchObject({
      proof: Proof.Refuted,
      decision: { clause: { resource: { name: "deny" } } },
    });
  });

  test("have excess at the deciding rule, in whichever filter it is", () => {
    const denied = clause("deny", from("10.0.0.0/17", 22), { actions: [Action.Deny] });
    const open = clause("open", from(workers, 22));
    const found = excessOf(NO_PACKETS, [pass(denied), { clauses: [open], otherwise: Action.Deny }]);
    expect(found.map(({ clause: one, packets: set }) => [one?.resource.name, describePackets(set)])).toEqual([
      ["open", ["TCP 22 from 10.0.128.0/17 to 10.1.0.0/16"]],
    ]);
    expect(excessOf(from("10.0.128.0/17", 22), [pass(denied), allowing(open)])).toEqual([]);
  });

  test("have excess without a rule if no rule matches", () => {
    const one: Filter = {
      clauses: [clause("deny", from(workers, 22), { actions: [Action.Deny] })],
      otherwise: Action.Allow,
    };
    const found = excessOf(NO_PACKETS, [one]);
    expect(found).toHaveLength(1);
    expect(found[0]).not.toHaveProperty("clause");
    expect(isEmpty(found[0]!.packets)).toBe(false);
    expect(contains(found[0]!.packets, from(workers, 22))).toBe(false);
    expect(excessOf([], [])).toEqual([]);
  });
});

describe("unknown values that decide", () => {
  const hidden = (name: string, origin: Resource["origin"], path: string, reason?: string) => {
    const one = { ...resource(name), origin };
    return clause(name, NO_PACKETS, {
      possible: from("0.0.0.0/0", 443),
      unknown: [{ resource: one, path, ...(reason !== undefined && { reason }) }],
    });
  };
  const values = (...clauses: Clause[]) => {
    const verdict = prove(from(workers, 443), [allowing(...clauses)]);
    return verdict.proof === Proof.Unknown
      ? verdict.values.map(({ resource: one, path }) => `${one.name} ${path}`)
      : [];
  };

  test("are named once for each resource, path and reason", () => {
    const urn = { urn: "urn:a" };
    expect(values(hidden("a", urn, "x"), hidden("a again", urn, "x"))).toEqual(["a x"]);
    expect(values(hidden("a", urn, "x"), hidden("a", urn, "y"))).toEqual(["a x", "a y"]);
    expect(values(hidden("a", urn, "x"), hidden("a", urn, "x", "because"))).toEqual(["a x", "a x"]);
    expect(values(hidden("a", urn, "x"), hidden("b", { urn: "urn:b" }, "x"))).toEqual(["a x", "b x"]);
    expect(values(hidden("a", {}, "x"), hidden("b", {}, "x"), hidden("a", {}, "x"))).toEqual(["a x", "b x"]);
    const [first, second] = [
      { file: "a.yaml", line: 1 },
      { file: "a.yaml", line: 9 },
    ];
    expect(values(hidden("a", first, "x"), hidden("a", second, "x"), hidden("a", first, "x"))).toEqual([
      "a x",
      "a x",
    ]);
    expect(values(hidden("a", first, "x"), hidden("a", { ...first, file: "b.yaml" }, "x"))).toEqual([
      "a x",
      "a x",
    ]);
    // The URN identifies a resource, not its name, which several stacks can share.
    expect(values(hidden("a", urn, "x"), hidden("a", { urn: "urn:b" }, "x"))).toEqual(["a x", "a x"]);
    expect(values(hidden("a", {}, "x"), hidden("a", {}, "y"), hidden("a", {}, "y"))).toEqual(["a x", "a y"]);
    expect(values(hidden("a", {}, "x", "b"), hidden("a", {}, "x", "c"))).toEqual(["a x", "a x"]);
  });

  test("leave no single rule to name if every outcome drops the packets", () => {
    const [allow, deny] = [Action.Allow, Action.Deny].map((action) =>
      clause(action, NO_PACKETS, { actions: [action], possible: from(workers, 443) }),
    );
    const verdict = prove(from(workers, 443), [{ clauses: [deny!], otherwise: Action.Deny }]);
    expect(verdict).toMatchObject({ proof: Proof.Refuted, packet: { source: "10.0.0.1", port: 443 } });
    expect(verdict).toHaveProperty("decision", undefined);
    expect(prove(from(workers, 443), [{ clauses: [allow!], otherwise: Action.Deny }]).proof).toBe(
      Proof.Unknown,
    );
  });
});
