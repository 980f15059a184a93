import { flowPackets } from "../../src/reachability/flows/groupFilter";
import { contains, unionAll } from "../../src/reachability/packets/packetSet";
import { journeys } from "../../src/flows/journeys";
import type { Hop, FlowPeer } from "../../src/flows/model";
import { packetsOf } from "../../src/reachability/path/duty";
import { Direction, Platform, Service, EndpointAccess } from "../../src/requirements/vocabulary";
import { Duty } from "../../src/requirements/othersFilters";
import { endpointAccessModes } from "../../src/requirements/platforms";
import { supportedPublishing } from "../../src/requirements/publishing";
import { requiredFlows } from "../../src/flows/required/requiredFlows";
import { placeOf } from "../reachability/path/clusters";
import { around, oracle, type OracleCase } from "./oracle";
import { clusters, publishedOracle, strategies, type Cluster, type PublishedCase } from "./publishedOracle";
import { normalizeTopology } from "../../src/topology/normalizeTopology";
import type { NormalizedTopology } from "../../src/topology/normalizedTopology";

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

/** Expects the packets that the plan must allow to be among the required flows of its groups. */
function expectRequired(one: OracleCase): void {
  const topology = read(one.topology);
  const flows = requiredFlows(topology).filter(({ optIn }) => !optIn);
  for (const hop of hopsOf(one)) {
    if (hop.kind !== "hosts" || (hop.duty ?? Duty.Plan) !== Duty.Plan) continue;
    const here = flows.filter(({ role, direction }) => role === hop.role && direction === hop.direction);
    const required = unionAll(here.map((flow) => flowPackets(flow, topology)));
    const ends = hop.direction === Direction.Ingress ? { destinations: [] } : { sources: [] };
    expect([textOf(hop), contains(required, packetsOf({ ...hop, ...ends }))]).toEqual([textOf(hop), true]);
  }
}

describe("journeys have the hand-written packets", () => {
  test.each(oracle.map((one) => [`${one.flow}: ${one.about}`, one] as const))("%s", (_, one) => {
    expect(hopsOf(one).map(textOf)).toEqual(one.hops);
    expectRequired(one);
  });
});

/** The part of flow keys for each service. */
const KEY = {
  apiServer: "kube-apiserver",
  oauthServer: "oauth",
  konnectivity: "konnectivity",
  ignition: "ignition",
};
const SERVICE = {
  apiServer: Service.APIServer,
  oauthServer: Service.OAuthServer,
  konnectivity: Service.Konnectivity,
  ignition: Service.Ignition,
};
const API_SERVER = { named: { type: "Route", hostname: "api.example.com" }, own: { type: "LoadBalancer" } };

function topologyOf(
  cluster: Cluster,
  { service, by, besideNamedApi }: PublishedCase,
  targets: string,
): object {
  const [platform, endpointAccess] = cluster.split(" ");
  const published = { type: by, ...(by === "NodePort" && { nodePort: 31000 }) };
  return {
    ...around,
    platform,
    ...(endpointAccess && { endpointAccess }),
    loadBalancerTargets: targets,
    services: {
      apiServer: besideNamedApi ? API_SERVER.named : API_SERVER.own,
      ...Object.fromEntries(
        ["oauthServer", "konnectivity", "ignition"].map((one) => [one, { type: "Route" }]),
      ),
      ...(!(service === "apiServer" && besideNamedApi) && { [service]: published }),
    },
  };
}

const same = (hop: string) => hop;

/** With both kinds of access, what shows the load balancer behind the endpoint leads to the machine network, where the endpoint is. */
const privately =
  ({ hosts }: PublishedCase["workers"]) =>
  (hop: string) =>
    hosts.instance.includes("10.1.0.0/24 ->") ? hop.replace("-> 192.0.2.0/24", "-> 10.0.0.0/16") : hop;

/** The cases of both clients in one cluster with one kind of targets. */
const casesOf = (one: PublishedCase, cluster: Cluster, targets: "instance" | "ip"): OracleCase[] =>
  (["workers", "users"] as const).flatMap((client) => {
    const way = one[client];
    if (!way) return [];
    return [
      {
        about: "",
        source: one.source,
        topology: topologyOf(cluster, one, targets),
        flow: `${client}-${KEY[one.service]}`,
        hops: [
          ...way.before.map(cluster.endsWith("PublicAndPrivate") ? privately(way) : same),
          way.hosts[targets],
          ...one.pods,
        ],
      },
    ];
  });

describe.each(clusters)("hand-written packets to published services on %s", (cluster) => {
  const here = publishedOracle.filter(({ on }) => on.includes(cluster));
  const nameOf = ({ service, by, besideNamedApi }: PublishedCase) =>
    `${service} by ${by}${besideNamedApi ? " with a named API server" : ""}`;

  test.each(here.map((one) => [nameOf(one), one] as const))("%s", (_, one) => {
    for (const targets of ["instance", "ip"] as const)
      for (const each of casesOf(one, cluster, targets)) {
        expect([targets, each.flow, ...hopsOf(each).map(textOf)]).toEqual([targets, each.flow, ...each.hops]);
        expectRequired(each);
      }
  });

  test("cover every strategy of `strategies` exactly once", () => {
    const written = Object.entries(strategies).flatMap(([service, types]) => [
      ...(["LoadBalancer", "NodePort"] as const)
        .filter((by) => types[by].includes(cluster))
        .map((by) => `${service} by ${by}`),
      ...(service === "apiServer" ? [] : [`${service} by Route`]),
      `${service} by Route with a named API server`,
    ]);
    expect(here.map(nameOf).sort()).toEqual(written.sort());
  });

  test("use exactly the strategies that the platform supports", () => {
    const [platform, access = EndpointAccess.Public] = cluster.split(" ") as [Platform, EndpointAccess];
    for (const [property, types] of Object.entries(strategies)) {
      const service = SERVICE[property as keyof typeof SERVICE];
      const written = (["LoadBalancer", "NodePort"] as const).filter((by) => types[by].includes(cluster));
      expect([...supportedPublishing(platform, access, service)].sort()).toEqual(
        [...written, "Route"].sort(),
      );
    }
  });
});

test("the hand-written clusters cover every platform and access", () => {
  const all = Object.values(Platform).flatMap((platform) => {
    const modes = endpointAccessModes(platform);
    return modes.length > 0 ? modes.map((access) => `${platform} ${access}`) : [platform];
  });
  expect([...clusters].sort()).toEqual(all.sort());
});
