import fc from "fast-check";

import { judgeCalls, mayMatch, seenAtHosts } from "../../../src/reachability/flows";
import { Action, type Clause, type Filter } from "../../../src/reachability/filters";
import { packetsOfTraffic } from "../../../src/reachability/filters/traffic";
import { describePackets, intersection, isEmpty, packets, service } from "../../../src/reachability/packets";
import { packetsOf } from "../../../src/reachability/path";
import { Direction, Protocol, Zone } from "../../../src/requirements/vocabulary";
import { UNKNOWN } from "../../../src/resources/resource";
import type { TrafficSpec } from "../../../src/resources/trafficSpec";
import { requiredFlows } from "../../../src/topology/requiredFlows";
import type { FlowPeer, RequiredFlow } from "../../../src/topology/requiredFlow";
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
  const { blocked, unsaid } = judgeCalls(seenAtHosts(wanted, peer, everywhere), peer, [filter]);
  return { blocked: describePackets(blocked), unsaid };
};

describe("a flow with one of its peers", () => {
  const workers: FlowPeer = { zone: Zone.Workers, input: "workerCidrs", prefixes: [prefix("10.0.0.0/16")] };
  const nobody: FlowPeer = { zone: Zone.Workers, input: "workerCidrs" };

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

  test("of a peer that nobody says only the ports are closed that are closed to everybody", () => {
    expect(judge(nobody, allowing(clause("10.0.0.0/17", 10, 14)))).toEqual({
      blocked: ["TCP 15-19 from 0.0.0.0/0 to 0.0.0.0/0"],
      unsaid: true,
    });
    expect(judge(nobody, allowing(clause("0.0.0.0/0", 0, 99)))).toEqual({ blocked: [], unsaid: false });
    expect(judge({ ...workers, assumed: true }, allowing(clause("10.0.0.0/17", 10, 19)))).toEqual({
      blocked: [],
      unsaid: true,
    });
  });
});
