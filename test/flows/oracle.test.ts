import { flowPackets } from "../../src/reachability/flows";
import { contains, unionAll } from "../../src/reachability/packets";
import { journeys, packetsOf, type Hop } from "../../src/reachability/path";
import { Direction, Duty } from "../../src/requirements";
import { normalizeTopology, requiredFlows, type FlowPeer, type NormalizedTopology } from "../../src/topology";
import { placeOf } from "../reachability/path/clusters";
import { oracle, type OracleCase } from "./oracle";

function read(raw: object): NormalizedTopology {
  const { topology, faults } = normalizeTopology(raw);
  if (!topology) throw new Error(JSON.stringify(faults));
  return topology;
}

const hopsOf = ({ topology, flow }: OracleCase): readonly Hop[] => {
  const found = journeys(read(topology)).find(({ key }) => key === flow);
  if (!found) throw new Error(`no flow ${flow}`);
  return found.hops;
};

const addresses = (peers: readonly FlowPeer[]): string =>
  peers.map(({ prefixes }) => prefixes?.map(({ text }) => text).join(" ") ?? "?").join(" ") || "?";

function textOf(hop: Hop): string {
  const { ports, protocol } = hop;
  const range = ports && (ports.from === ports.to ? `${ports.from}` : `${ports.from}-${ports.to}`);
  const duty = hop.kind === "hosts" ? ` (${hop.duty ?? Duty.Plan})` : "";
  return `${placeOf(hop)}: ${addresses(hop.sources)} -> ${addresses(hop.destinations)} ${protocol} ${range}${duty}`;
}

describe("packets written by hand", () => {
  test.each(oracle.map((one) => [`${one.flow}: ${one.about}`, one] as const))("%s", (_, one) => {
    expect(hopsOf(one).map(textOf)).toEqual(one.hops);
  });

  test.each(oracle.map((one) => [`${one.flow}: ${one.about}`, one] as const))(
    "%s: what is the plan's part is required of its groups",
    (_, one) => {
      const topology = read(one.topology);
      const flows = requiredFlows(topology).filter(({ optIn }) => !optIn);
      for (const hop of hopsOf(one)) {
        if (hop.kind !== "hosts" || (hop.duty ?? Duty.Plan) !== Duty.Plan) continue;
        const here = flows.filter(({ role, direction }) => role === hop.role && direction === hop.direction);
        const required = unionAll(here.map((flow) => flowPackets(flow, topology)));
        const ends = hop.direction === Direction.Ingress ? { destinations: [] } : { sources: [] };
        expect([textOf(hop), contains(required, packetsOf({ ...hop, ...ends }))]).toEqual([
          textOf(hop),
          true,
        ]);
      }
    },
  );
});
