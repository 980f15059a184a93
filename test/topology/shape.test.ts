import fc from "fast-check";
import { readPrefix } from "../../src/address";
import { planGuards } from "../../src/reachability/path/planGuards";
import { judgedJourneys } from "../../src/reachability/path/judge";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { shapeOf } from "../../src/topology/normalizedTopology";
import { normalizeTopology } from "../../src/topology/normalizeTopology";
import { hostedCluster } from "../rules/builders";
import { normal, topologies } from "./topologies";

/** The verdicts on the flows of a cluster if only its own HostedCluster filters them. */
function outcomes(raw: object, allowed: readonly string[] = []): string[] {
  const topology = normal(raw);
  const networking = { apiServer: { allowedCIDRBlocks: [...allowed] } };
  const index = new ResourceIndex([hostedCluster(allowed.length > 0 ? { networking } : {}, topology.name)]);
  const flows = judgedJourneys(index, topology, planGuards(index, topology), []);
  return flows.map(({ proof, journey: { key, optional } }) => `${key} ${proof} ${String(optional)}`);
}

const shape = (raw: object, allowed: readonly string[] = []) =>
  shapeOf(
    normal(raw),
    allowed.map((cidr) => readPrefix(cidr)!),
  );

/** Nested, adjacent and separate blocks in 10.0.0.0/8. */
const BLOCKS = ["10.0.0.0/16", "10.0.0.0/17", "10.0.128.0/17", "10.2.0.0/16", "10.2.128.0/24", "10.4.0.0/16"];
const OUTSIDE = ["203.0.113.0/24", "0.0.0.0/0"];
const list = (...blocks: readonly string[]) => fc.subarray([...blocks], { minLength: 1, maxLength: 2 });

/** The address lists of a cluster that decide on hosts, and the blocks that its API server allows. */
interface Lists {
  machineNetwork: string;
  allowed: string[];
  others: Record<string, string[]>;
}

const lists: fc.Arbitrary<Lists> = fc.record({
  machineNetwork: fc.constantFrom(...BLOCKS),
  allowed: fc.oneof(fc.constant<string[]>([]), list(...BLOCKS, ...OUTSIDE)),
  others: fc.record(
    {
      workerCidrs: list(...BLOCKS),
      workerNatCidrs: list(...BLOCKS),
      externalClientCidrs: list(...BLOCKS, ...OUTSIDE),
      managementClusterCidrs: list(...BLOCKS),
      controlPlaneEndpointCidrs: list(...BLOCKS),
      loadBalancerSubnetCidrs: list(...BLOCKS),
    },
    { requiredKeys: [] },
  ),
});

/** The same lists with all blocks moved, which keeps them nested or separate as before. */
function moved({ machineNetwork, allowed, others }: Lists, by: number): Lists {
  const move = (cidr: string) =>
    cidr.replace(/^10\.(\d+)/, (_, second: string) => `10.${Number(second) * 3 + by}`);
  return {
    machineNetwork: move(machineNetwork),
    allowed: allowed.map(move),
    others: Object.fromEntries(Object.entries(others).map(([name, some]) => [name, some.map(move)])),
  };
}

/** The topology `raw` with these addresses and no others. */
const given = (raw: Record<string, unknown>, { machineNetwork, others }: Lists) => ({
  ...Object.fromEntries(Object.entries(raw).filter(([key]) => !key.endsWith("Cidrs"))),
  ...others,
  machineNetwork: [{ cidr: machineNetwork }],
});

const isAccepted = (raw: object) => normalizeTopology(raw).topology !== undefined;

/** Few lists of one block: with more, random lists would hardly ever have the same shape. */
const few: fc.Arbitrary<Lists> = fc
  .record({
    machineNetwork: fc.constantFrom(...BLOCKS),
    allowed: fc.array(fc.constantFrom("10.0.0.0/16", "10.2.0.0/16", "0.0.0.0/0"), { maxLength: 1 }),
    others: fc.array(
      fc.tuple(
        fc.constantFrom("workerCidrs", "workerNatCidrs", "externalClientCidrs", "managementClusterCidrs"),
        fc.constantFrom("10.0.0.0/16", "10.2.0.0/16", "10.4.0.0/16"),
      ),
      { maxLength: 2 },
    ),
  })
  .map(({ others, ...rest }) => ({
    ...rest,
    others: Object.fromEntries(others.map(([name, block]) => [name, [block]])),
  }));

describe("the shape of a topology", () => {
  test("determines the verdicts on flows", () => {
    let shared = 0;
    fc.assert(
      fc.property(topologies, fc.array(few, { minLength: 25, maxLength: 40 }), (raw, drawn) => {
        const known = new Map<string, string[]>();
        for (const one of drawn) {
          const topology = given(raw, one);
          if (!isAccepted(topology)) continue;
          const found = outcomes(topology, one.allowed);
          const same = `${one.allowed.length > 0} ${shape(topology, one.allowed)}`;
          if (known.has(same)) shared++;
          expect(known.get(same) ?? found).toEqual(found);
          known.set(same, found);
        }
      }),
      { numRuns: 12 },
    );
    expect(shared).toBeGreaterThan(10);
  });

  test("stays the same if the name changes and all blocks move together", () => {
    fc.assert(
      fc.property(topologies, lists, fc.integer({ min: 10, max: 60 }), (raw, drawn, by) => {
        const there = moved(drawn, by);
        const [here, other] = [given(raw, drawn), { ...given(raw, there), name: "tenant-b" }];
        fc.pre(isAccepted(here) && isAccepted(other));
        expect(shape(other, there.allowed)).toBe(shape(here, drawn.allowed));
        expect(outcomes(other, there.allowed)).toEqual(outcomes(here, drawn.allowed));
      }),
      { numRuns: 100 },
    );
  });

  const cluster = { machineNetwork: [{ cidr: "10.0.0.0/16" }], workerCidrs: ["10.0.0.0/17"] };

  test.each([
    ["a block is no longer in another", { workerCidrs: ["10.2.0.0/17"] }],
    ["a block is longer", { workerCidrs: ["10.0.0.0/18"] }],
    ["another list is stated", { workerNatCidrs: ["198.51.100.7/32"] }],
    ["load balancers target pods", { loadBalancerTargets: "ip" }],
    ["releases differ", { release: "4.20" }],
  ])("differs if %s", (_, change) => {
    expect(shape({ ...cluster, ...change })).not.toBe(shape(cluster));
  });

  test.each([
    [
      "the topology has proxy settings, which are texts with addresses",
      { proxy: { httpProxy: "http://10.0.0.9:3128" } },
    ],
    ["other pods are in the control plane's namespace", { name: "dns", namespace: "openshift" }],
  ])("is undefined if %s", (_, change) => {
    expect(shape({ ...cluster, ...change })).toBeUndefined();
  });
});

test("the address of a node port is part of the shape by its place, not by its letters", () => {
  const at = (address: string, managementClusterCidrs = ["10.1.0.0/16"]) =>
    shape({
      platform: "None",
      managementClusterCidrs,
      services: { apiServer: { type: "NodePort", nodePort: 31_443, address } },
    });
  expect(at("10.2.0.10", ["10.2.0.0/16"])).toBe(at("10.1.0.10"));
  expect(at("10.1.0.10", ["10.2.0.0/16"])).not.toBe(at("10.1.0.10"));
  expect(at("nodes.example.com")).not.toBe(at("10.1.0.10"));
});
