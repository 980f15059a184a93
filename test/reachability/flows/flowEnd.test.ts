import fc from "fast-check";
import {
  addressesByRole,
  groupFilter,
  judgeEnd,
  mayMatch,
  seenWith,
} from "../../../src/reachability/flows/groupFilter";
import { Action, type Clause, type Filter } from "../../../src/reachability/filters/filter";
import { packetsOfTraffic } from "../../../src/reachability/filters/traffic";
import { blocksOf } from "../../../src/reachability/packets/print";
import { intersection, isEmpty, packets } from "../../../src/reachability/packets/packetSet";
import { service } from "../../../src/reachability/packets/service";
import { packetsOf } from "../../../src/reachability/path/duty";
import { hostsOf } from "../../../src/flows/hops";
import { Direction, Protocol, Zone, Role } from "../../../src/requirements/vocabulary";
import { UNKNOWN } from "../../../src/resources/resource";
import type { SecurityGroupRule } from "../../../src/resources/securityGroups";
import type { TrafficSpec } from "../../../src/resources/trafficSpec";
import { requiredFlows } from "../../../src/flows/required/requiredFlows";
import type { FlowPeer, RequiredFlow } from "../../../src/flows/model";
import { said } from "../path/clusters";
import { prefix } from "../smallUniverse";
import { describePackets } from "../shown";

const ports = fc
  .tuple(fc.nat(20), fc.nat(20))
  .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
const traffic: fc.Arbitrary<TrafficSpec> = fc.record(
  {
    protocol: fc.constantFrom<TrafficSpec["protocol"]>(...Object.values(Protocol), "47", "strange", UNKNOWN),
    ports: fc.oneof(ports, fc.constant(UNKNOWN)),
  },
  { requiredKeys: ["protocol"] },
);
const asked = fc.record(
  { protocol: fc.constantFrom(...Object.values(Protocol)), ports },
  { requiredKeys: ["protocol"] },
);

test("a rule that is skipped for a flow matches none of its packets", () => {
  fc.assert(
    fc.property(traffic, asked, (rule, flow) => {
      const both = intersection(
        packetsOfTraffic(rule, {}),
        packetsOf({ ...flow, sources: [], destinations: [] }),
      );
      if (!mayMatch(rule, flow)) expect(isEmpty(both)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

const [flow] = requiredFlows(said({ platform: "None" })) as [RequiredFlow];
const everywhere = [prefix("0.0.0.0/0")];
const clause = (source: string, from: number, to: number): Clause => {
  const set = packets({ services: [service(6, { from, to })], sources: [prefix(source)] });
  return {
    resource: { origin: {}, type: "", name: "", properties: {} },
    path: "",
    actions: [Action.Allow],
    sure: set,
    possible: set,
    unknown: [],
  };
};
const allowing = (...clauses: Clause[]): Filter => ({ clauses, otherwise: Action.Deny });
const judge = (peer: FlowPeer, filter: Filter) => {
  const wanted = {
    ...flow,
    direction: Direction.Ingress,
    protocol: Protocol.Tcp,
    ports: { from: 10, to: 19 },
  };
  const { blocked, unsaid } = judgeEnd(packetsOf(seenWith(wanted, peer, everywhere)), peer, [filter]);
  return { blocked: describePackets(blocked), unsaid };
};

describe("the calls of a flow to or from one peer", () => {
  const workers: FlowPeer = { zone: Zone.Workers, input: "workerCidrs", prefixes: [prefix("10.0.0.0/16")] };
  const unstated: FlowPeer = { zone: Zone.Workers, input: "workerCidrs" };

  test("must be allowed for all addresses of a stated peer at every port", () => {
    expect(judge(workers, allowing(clause("10.0.0.0/16", 0, 65_535)))).toEqual({
      blocked: [],
      unsaid: false,
    });
    expect(judge(workers, allowing(clause("10.0.0.0/17", 10, 19), clause("10.0.128.0/17", 10, 14)))).toEqual({
      blocked: ["TCP 15-19 from 10.0.128.0/17 to 0.0.0.0/0"],
      unsaid: false,
    });
  });

  test("are blocked for an unstated peer only at ports that are closed to all addresses", () => {
    expect(judge(unstated, allowing(clause("10.0.0.0/17", 10, 14)))).toEqual({
      blocked: ["TCP 15-19 from 0.0.0.0/0 to 0.0.0.0/0"],
      unsaid: true,
    });
    expect(judge(unstated, allowing(clause("0.0.0.0/0", 0, 99)))).toEqual({ blocked: [], unsaid: false });
    expect(judge({ ...workers, assumed: true }, allowing(clause("10.0.0.0/17", 10, 19)))).toEqual({
      blocked: [],
      unsaid: true,
    });
  });
});

describe("rules that may match a flow", () => {
  const web = { protocol: Protocol.Tcp, ports: { from: 10, to: 19 } };
  test.each<[string, TrafficSpec, Parameters<typeof mayMatch>[1], boolean]>([
    ["include a rule for the same port", { protocol: Protocol.Tcp, ports: { from: 10, to: 10 } }, web, true],
    [
      "include a rule that starts at its last port",
      { protocol: Protocol.Tcp, ports: { from: 19, to: 30 } },
      web,
      true,
    ],
    [
      "include a rule that ends at its first port",
      { protocol: Protocol.Tcp, ports: { from: 0, to: 10 } },
      web,
      true,
    ],
    ["exclude a rule for the ports below", { protocol: Protocol.Tcp, ports: { from: 0, to: 9 } }, web, false],
    [
      "exclude a rule for the ports above",
      { protocol: Protocol.Tcp, ports: { from: 20, to: 30 } },
      web,
      false,
    ],
    [
      "exclude a rule for another protocol",
      { protocol: Protocol.Udp, ports: { from: 10, to: 19 } },
      web,
      false,
    ],
    ["exclude a rule for another protocol without ports", { protocol: Protocol.Icmp }, web, false],
    ["exclude a rule for the number of another protocol", { protocol: "47" }, web, false],
    ["exclude a rule for a protocol number of one digit", { protocol: "2" }, web, false],
    ["include a rule for an unknown protocol name", { protocol: "a47" }, web, true],
    ["include a rule for a number that no protocol has", { protocol: "256" }, web, true],
    ["leave out a rule for the last protocol number", { protocol: "255" }, web, false],
    ["include a rule for an unknown protocol name that starts with digits", { protocol: "47a" }, web, true],
    [
      "include a rule for every protocol, whatever its ports",
      { protocol: Protocol.Any, ports: { from: 20, to: 30 } },
      web,
      true,
    ],
    ["include a rule for every port", { protocol: Protocol.Tcp }, web, true],
    ["include a rule for unknown ports", { protocol: Protocol.Tcp, ports: UNKNOWN }, web, true],
    ["include a rule for an unknown protocol", { protocol: UNKNOWN, ports: { from: 20, to: 30 } }, web, true],
    [
      "include a rule for some ports, for a flow with all ports",
      { protocol: Protocol.Tcp, ports: { from: 1, to: 1 } },
      { protocol: Protocol.Tcp },
      true,
    ],
    [
      "include any rule, for a flow of every protocol",
      { protocol: Protocol.Udp, ports: { from: 1, to: 1 } },
      { protocol: Protocol.Any },
      true,
    ],
    [
      "include a rule with ports for a protocol that has none",
      { protocol: Protocol.Esp, ports: { from: 1, to: 1 } },
      { ...web, protocol: Protocol.Esp },
      true,
    ],
  ])("%s", (_, rule, wanted, expected) => {
    expect(mayMatch(rule, wanted)).toBe(expected);
  });
});

describe("a flow at its hosts", () => {
  const peer: FlowPeer = { zone: Zone.Workers, input: "workerCidrs" };
  test("has its peer as source of ingress or destination of egress, with any address if it is not stated", () => {
    const said: FlowPeer = { ...peer, prefixes: [prefix("10.0.0.0/16")] };
    const at = (direction: Direction, one: FlowPeer) => {
      const { sources, destinations } = seenWith({ ...flow, direction }, one, everywhere);
      return [sources, destinations];
    };
    expect(at(Direction.Ingress, said)).toEqual([[said], []]);
    expect(at(Direction.Egress, said)).toEqual([[], [said]]);
    expect(at(Direction.Egress, peer)).toEqual([[], [{ ...peer, prefixes: everywhere }]]);
  });

  test("names the rule that blocks it and the unknown values that decide", () => {
    const said: FlowPeer = { ...peer, prefixes: [prefix("10.0.0.0/16")] };
    const seen = seenWith(
      { ...flow, direction: Direction.Ingress, protocol: Protocol.Tcp, ports: { from: 10, to: 10 } },
      said,
      everywhere,
    );
    const deny: Clause = { ...clause("10.0.0.0/17", 10, 10), actions: [Action.Deny] };
    expect(judgeEnd(packetsOf(seen), said, [allowing(deny)]).decision?.clause).toBe(deny);
    const open = clause("10.0.0.0/16", 10, 10);
    expect(judgeEnd(packetsOf(seen), said, [allowing(open)])).toEqual({
      blocked: expect.anything() as unknown,
      values: [],
      unsaid: false,
    });
    const hidden: Clause = {
      ...open,
      sure: packets({ services: [] }),
      unknown: [{ resource: open.resource, path: "x" }],
    };
    expect(judgeEnd(packetsOf(seen), said, [allowing(hidden)]).values.map(({ path }) => path)).toEqual(["x"]);
  });
});

describe("the filter of security groups for a flow", () => {
  const topology = said({ platform: "None" });
  const ruleOf = (more: Partial<SecurityGroupRule>): SecurityGroupRule => ({
    resource: { origin: {}, type: "", name: "rule", properties: {} },
    path: "",
    direction: Direction.Ingress,
    protocol: Protocol.Tcp,
    ports: { from: 10, to: 19 },
    sources: [{ kind: "foreignGroup", id: "sg-1", path: "securityGroups[0]" }],
    ...more,
  });
  const wanted: RequiredFlow = {
    ...flow,
    direction: Direction.Ingress,
    protocol: Protocol.Tcp,
    ports: { from: 10, to: 10 },
  };
  const workers: FlowPeer = { zone: Zone.Workers, input: "workerCidrs", prefixes: [prefix("192.0.2.0/24")] };
  const sourcesOf = (role: Role | undefined, peer: FlowPeer = workers, rules = [ruleOf({})]) =>
    groupFilter(rules, wanted, peer, topology, () => role).clauses.map(({ sure }) =>
      blocksOf(sure).flatMap(({ sources }) => sources.map(({ text }) => text)),
    );

  test("allows the whole peer if the named group is the peer's, whatever its addresses", () => {
    expect(sourcesOf(Role.Workers)).toEqual([["192.0.2.0/24"]]);
    expect(sourcesOf(Role.Workers, { zone: Zone.Workers, input: "workerCidrs" })).toEqual([["0.0.0.0/0"]]);
  });

  test("allows only the hosts' own addresses if NAT hides the peer", () => {
    const nat = { zone: Zone.Workers, input: "workerNatCidrs", prefixes: [prefix("198.51.100.7/32")] };
    const own = (hostsOf(topology, Role.Workers).prefixes ?? []).map(({ text }) => text);
    expect(sourcesOf(Role.Workers, nat)).toEqual([own]);
  });

  test("allows none of the peer for another role's group, its hosts if the peer is any zone, and names an unknown group", () => {
    expect(sourcesOf(Role.ControlPlane)).toEqual([[]]);
    const anybody = { zone: Zone.Any, input: "" } as const;
    const others = (hostsOf(topology, Role.ControlPlane).prefixes ?? []).map(({ text }) => text);
    expect(sourcesOf(Role.ControlPlane, anybody)).toEqual([others]);
    const [clauseOfUnknown] = groupFilter([ruleOf({})], wanted, workers, topology, () => undefined).clauses;
    expect(clauseOfUnknown?.unknown).toHaveLength(1);
  });

  test("leaves out rules for other traffic and for the other direction", () => {
    const rules = [ruleOf({ direction: Direction.Egress }), ruleOf({ protocol: Protocol.Udp }), ruleOf({})];
    expect(sourcesOf(Role.Workers, workers, rules)).toHaveLength(1);
  });

  test("uses the addresses of the hosts of a role, and none for a group without a known role", () => {
    const of = (role: Role | undefined) =>
      addressesByRole(topology, () => role)({ kind: "foreignGroup", id: "sg-1", path: "" });
    expect(of(Role.Workers)).toEqual(hostsOf(topology, Role.Workers).prefixes);
    expect(of(Role.Workers)).toBeDefined();
    expect(of(undefined)).toBeUndefined();
  });
});
