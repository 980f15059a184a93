import { workerFlows } from "../../../src/live/flows/workerFlows";
import { requiredFlowRows } from "../../../src/components/requiredFlowRows";
import { journeys } from "../../../src/flows/journeys";
import { ALL_PLATFORMS } from "../../../src/requirements/requirement";
import { Direction, Zone, Role } from "../../../src/requirements/vocabulary";
import { requiredFlows } from "../../../src/flows/required/requiredFlows";
import { faultsOf, machines, normal, openly, published } from "../../topology/topologies";

const SERVICES = ["flow/kube-apiserver", "flow/konnectivity", "flow/ignition", "flow/oauth"];
/** The probes for each flow that workers need, by its key. A flow with a new key needs a probe too, or a reason here why not. */
const TRIED_BY: Readonly<Record<string, readonly string[]>> = {
  https: ["flow/registry"],
  "kube-apiserver": ["flow/kube-apiserver"],
  konnectivity: ["flow/konnectivity"],
  "ignition-proxy": ["flow/ignition"],
  "dns-tcp": ["flow/dns-tcp"],
  "dns-udp": ["flow/dns-udp"],
  "node-ports": SERVICES,
  // The group that HyperShift creates on AWS allows all egress: no single endpoint represents it.
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

test("the cases cover every platform", () => {
  expect(new Set(cases.map(({ platform }) => platform))).toEqual(new Set(ALL_PLATFORMS));
});

describe.each(cases)("$platform with $strategy and bootstrap $bootstrap", ({ raw, bootstrap }) => {
  const topology = normal(raw);
  const needed = requiredFlows(topology).filter(
    ({ role, direction }) => role === Role.Workers && direction === Direction.Egress,
  );
  const hostedCluster = { spec: { release: { image: "quay.io/release:4.20.4" } } };
  const tried = workerFlows({ topology, hostedCluster, konnectivityAgent: undefined });

  test("tries every flow that workers need exactly once", () => {
    const ids = tried.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const missed = needed.filter(({ key }) => {
      const by = TRIED_BY[key] ?? [`flow/${key.replace(/-node-port$/, "")}`];
      return by.length > 0 && !by.some((id) => ids.includes(id));
    });
    expect(missed.map(({ key }) => key)).toEqual([]);
    expect(SERVICES.filter((id) => !ids.includes(id))).toEqual(bootstrap ? [] : ["flow/ignition"]);
  });

  test("tries only flows that a requirement of the topology needs", () => {
    const demanded = new Set(needed.map(({ requirement }) => requirement));
    expect(tried.filter(({ requirement }) => !requirement || !demanded.has(requirement))).toEqual([]);
  });
});

describe.each(cases)(
  "the endpoints of $platform with $strategy and bootstrap $bootstrap",
  ({ raw, bootstrap }) => {
    const services = Object.fromEntries(
      Object.entries<{ type: string }>(raw.services).map(([service, { type }], position) => [
        service,
        type === "NodePort"
          ? { type, address: "10.1.0.9", nodePort: 31_000 + position }
          : { type, hostname: `${service.toLowerCase()}.example.com` },
      ]),
    );
    const proxy = { httpProxy: "http://proxy.example.com:3128", httpsProxy: "http://proxy.example.com:3129" };
    const topology = normal({ ...raw, services, proxy });
    const hostedCluster = { spec: { release: { image: "quay.io/release:4.20.4" } } };
    const tried = workerFlows({ topology, hostedCluster, konnectivityAgent: undefined });
    const rows = requiredFlowRows(topology).filter(
      ({ role, direction }) => role === Role.Workers && direction === Direction.Egress,
    );

    test("are in the table of required flows with the port that is tried", () => {
      const missed = tried.filter(
        ({ request, protocol, requirement, id }) =>
          !rows.some(
            (row) =>
              `${row.protocol}` === protocol &&
              (requirement === undefined ? id.startsWith("flow/proxy/") : row.requirement === requirement) &&
              isIn(row.ports, request!.port),
          ),
      );
      expect(missed).toEqual([]);
    });

    test("are the first hops of the workers' paths to each service", () => {
      const dialled = journeys(topology).flatMap(({ key, service, from, hops }) => {
        const [hop] = hops;
        return service !== undefined && from === Zone.Workers && hop?.kind === "hosts"
          ? [[key.replace("workers-", "flow/"), hop.ports?.from]]
          : [];
      });
      const asked = tried.flatMap(({ id, request }) => (SERVICES.includes(id) ? [[id, request?.port]] : []));
      expect(asked.sort()).toEqual(dialled.sort());
      expect(asked).toHaveLength(bootstrap ? 4 : 3);
    });
  },
);

function isIn(ports: string, port: number): boolean {
  const [from, to = from] = ports.split("-").map(Number);
  return from! <= port && port <= to!;
}
