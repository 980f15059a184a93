import { workerFlows } from "../../../src/live/flows/workerFlows";
import { ALL_PLATFORMS, Direction } from "../../../src/requirements";
import { requiredFlows, Role } from "../../../src/topology";
import { faultsOf, machines, normal, openly, published } from "../../topology/topologies";

const SERVICES = ["flow/kube-apiserver", "flow/konnectivity", "flow/ignition", "flow/oauth"];
/** What tries a flow that workers need, by its key. A flow of a new key has to be tried, too, or to say here why not. */
const TRIED_BY: Readonly<Record<string, readonly string[]>> = {
  https: ["flow/registry"],
  "kube-apiserver": ["flow/kube-apiserver"],
  konnectivity: ["flow/konnectivity"],
  "ignition-proxy": ["flow/ignition"],
  "dns-tcp": ["flow/dns-tcp"],
  "dns-udp": ["flow/dns-udp"],
  "node-ports": SERVICES,
  // The group that HyperShift makes on AWS lets everything out: no one endpoint stands for that.
  "worker-any": [],
};

const cases = ALL_PLATFORMS.flatMap((platform) =>
  Object.entries(published).flatMap(([strategy, services]) =>
    [true, false].map((bootstrap) => {
      const raw = { ...machines, ...openly(platform), platform, services, bootstrap };
      return { platform, strategy, bootstrap, raw };
    }),
  ),
).filter(({ raw }) => faultsOf(raw).length === 0);

test("every platform has its topologies", () => {
  expect(new Set(cases.map(({ platform }) => platform))).toEqual(new Set(ALL_PLATFORMS));
});

describe.each(cases)("$platform with $strategy and bootstrap $bootstrap", ({ raw, bootstrap }) => {
  const topology = normal(raw);
  const needed = requiredFlows(topology).filter(
    ({ role, direction }) => role === Role.Workers && direction === Direction.Egress,
  );
  const hostedCluster = { spec: { release: { image: "quay.io/release:4.20.4" } } };
  const tried = workerFlows({ topology, hostedCluster, konnectivityAgent: undefined });

  test("every flow that workers need is tried, each once", () => {
    const ids = tried.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const missed = needed.filter(({ key }) => {
      const by = TRIED_BY[key] ?? [`flow/${key.replace(/-node-port$/, "")}`];
      return by.length > 0 && !by.some((id) => ids.includes(id));
    });
    expect(missed.map(({ key }) => key)).toEqual([]);
    expect(SERVICES.filter((id) => !ids.includes(id))).toEqual(bootstrap ? [] : ["flow/ignition"]);
  });

  test("nothing is tried that no requirement of the topology demands", () => {
    const demanded = new Set(needed.map(({ requirement }) => requirement));
    expect(tried.filter(({ requirement }) => !requirement || !demanded.has(requirement))).toEqual([]);
  });
});
