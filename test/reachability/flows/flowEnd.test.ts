import fc from "fast-check";
import {
  addressesByRole,
  groupFilter,
  judgeCalls,
  mayMatch,
  seenWith,
} from "../../../src/reachability/flows/groupFilter";
import { Action, type Clause, type Filter } from "../../../src/reachability/filters/filter";
import { packetsOfTraffic } from "../../../src/reachability/filters/traffic";
import { blocksOf, describePackets } from "../../../src/reachability/packets/print";
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

test("a rule that is left out for a flow matches none of its packets", () => {
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
  const { blocked, unsaid } = judgeCalls(seenWith(wanted, peer, everywhere), peer, [filter]);
  return { blocked: describePackets(blocked), unsaid };
};

describe("a flow with one of its peers", () => {
  const workers: FlowPeer = { zone: Zone.Workers, input: "workerCidrs", prefixes: [prefix("10.0.0.0/16")] };
  const unstated: FlowPeer = { zone: Zone.Workers, input: "workerCidrs" };

  test("a peer that the topology says has to be let in with all of its addresses at every port", () => {
    expect(judge(workers, allowing(clause("10.0.0.0/16", 0, 65_535)))).toEqual({
      blocked: [],
      unsaid: false,
    });
    expect(judge(workers, allowing(clause("10.0.0.0/17", 10, 19), clause("10.0.128.0/17", 10, 14)))).toEqual({
      blocked: ["TCP 15-19 from 10.0.128.0/17 to 0.0.0.0/0"],
      unsaid: false,
    });
  });

  test("of a peer that is not stated only the ports are closed that are closed to everybody", () => {
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

describe("which rules may speak of a flow", () => {
  const web = { protocol: Protocol.Tcp, ports: { from: 10, to: 19 } };
  test.each<[string, TrafficSpec, Parameters<typeof mayMatch>[1], boolean]>([
    ["the same port", { protocol: Protocol.Tcp, ports: { from: 10, to: 10 } }, web, true],
    ["its last port", { protocol: Protocol.Tcp, ports: { from: 19, to: 30 } }, web, true],
    ["its first port", { protocol: Protocol.Tcp, ports: { from: 0, to: 10 } }, web, true],
    ["the ports below", { protocol: Protocol.Tcp, ports: { from: 0, to: 9 } }, web, false],
    ["the ports above", { protocol: Protocol.Tcp, ports: { from: 20, to: 30 } }, web, false],
    ["another protocol", { protocol: Protocol.Udp, ports: { from: 10, to: 19 } }, web, false],
    ["another protocol without ports", { protocol: Protocol.Icmp }, web, false],
    ["a number of another protocol", { protocol: "47" }, web, false],
    ["a number of one digit", { protocol: "2" }, web, false],
    ["an unknown word", { protocol: "a47" }, web, true],
    ["another such word", { protocol: "47a" }, web, true],
    [
      "every protocol, whatever its ports",
      { protocol: Protocol.Any, ports: { from: 20, to: 30 } },
      web,
      true,
    ],
    ["every port", { protocol: Protocol.Tcp }, web, true],
    ["ports that are not known", { protocol: Protocol.Tcp, ports: UNKNOWN }, web, true],
    ["a protocol that is not known", { protocol: UNKNOWN, ports: { from: 20, to: 30 } }, web, true],
    [
      "some ports, for a flow of all",
      { protocol: Protocol.Tcp, ports: { from: 1, to: 1 } },
      { protocol: Protocol.Tcp },
      true,
    ],
    [
      "anything, for a flow of every protocol",
      { protocol: Protocol.Udp, ports: { from: 1, to: 1 } },
      { protocol: Protocol.Any },
      true,
    ],
    [
      "ports of a protocol without them",
      { protocol: Protocol.Esp, ports: { from: 1, to: 1 } },
      { ...web, protocol: Protocol.Esp },
      true,
    ],
  ])("%s", (_, rule, wanted, expected) => {
    expect(mayMatch(rule, wanted)).toBe(expected);
  });
});

describe("how a flow is seen at hosts", () => {
  const peer: FlowPeer = { zone: Zone.Workers, input: "workerCidrs" };
  test("its peer is the source of what comes in and the destination of what goes out, and anywhere where it is not stated", () => {
    const said: FlowPeer = { ...peer, prefixes: [prefix("10.0.0.0/16")] };
    const at = (direction: Direction, one: FlowPeer) => {
      const { sources, destinations } = seenWith({ ...flow, direction }, one, everywhere);
      return [sources, destinations];
    };
    expect(at(Direction.Ingress, said)).toEqual([[said], []]);
    expect(at(Direction.Egress, said)).toEqual([[], [said]]);
    expect(at(Direction.Egress, peer)).toEqual([[], [{ ...peer, prefixes: everywhere }]]);
  });

  test("the rule that blocks is named, and values that decide are where something hangs on them", () => {
    const said: FlowPeer = { ...peer, prefixes: [prefix("10.0.0.0/16")] };
    const seen = seenWith(
      { ...flow, direction: Direction.Ingress, protocol: Protocol.Tcp, ports: { from: 10, to: 10 } },
      said,
      everywhere,
    );
    const deny: Clause = { ...clause("10.0.0.0/17", 10, 10), actions: [Action.Deny] };
    expect(judgeCalls(seen, said, [allowing(deny)]).decision?.clause).toBe(deny);
    const open = clause("10.0.0.0/16", 10, 10);
    expect(judgeCalls(seen, said, [allowing(open)])).toEqual({
      blocked: expect.anything() as unknown,
      values: [],
      unsaid: false,
    });
    const hidden: Clause = {
      ...open,
      sure: packets({ services: [] }),
      unknown: [{ resource: open.resource, path: "x" }],
    };
    expect(judgeCalls(seen, said, [allowing(hidden)]).values.map(({ path }) => path)).toEqual(["x"]);
  });
});

describe("what the groups of some hosts make of a flow", () => {
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

  test("a group whose hosts are the peer lets all of it pass, whatever its addresses", () => {
    expect(sourcesOf(Role.Workers)).toEqual([["192.0.2.0/24"]]);
    expect(sourcesOf(Role.Workers, { zone: Zone.Workers, input: "workerCidrs" })).toEqual([["0.0.0.0/0"]]);
  });

  test("a group lets none of its hosts pass that NAT hides", () => {
    const nat = { zone: Zone.Workers, input: "workerNatCidrs", prefixes: [prefix("198.51.100.7/32")] };
    const own = (hostsOf(topology, Role.Workers).prefixes ?? []).map(({ text }) => text);
    expect(sourcesOf(Role.Workers, nat)).toEqual([own]);
  });

  test("a group of other hosts lets none of the peer pass, those where the peer may be anybody, and an unknown one is not known", () => {
    expect(sourcesOf(Role.ControlPlane)).toEqual([[]]);
    const anybody = { zone: Zone.Any, input: "" } as const;
    const others = (hostsOf(topology, Role.ControlPlane).prefixes ?? []).map(({ text }) => text);
    expect(sourcesOf(Role.ControlPlane, anybody)).toEqual([others]);
    const [clauseOfUnknown] = groupFilter([ruleOf({})], wanted, workers, topology, () => undefined).clauses;
    expect(clauseOfUnknown?.unknown).toHaveLength(1);
  });

  test("rules for other traffic and of the other direction are left out", () => {
    const rules = [ruleOf({ direction: Direction.Egress }), ruleOf({ protocol: Protocol.Udp }), ruleOf({})];
    expect(sourcesOf(Role.Workers, workers, rules)).toHaveLength(1);
  });

  test("addresses by role are those of its hosts, and those of no role are unknown", () => {
    const of = (role: Role | undefined) =>
      addressesByRole(topology, () => role)({ kind: "foreignGroup", id: "sg-1", path: "" }, ruleOf({}));
    expect(of(Role.Workers)).toEqual(hostsOf(topology, Role.Workers).prefixes);
    expect(of(Role.Workers)).toBeDefined();
    expect(of(undefined)).toBeUndefined();
  });
});
