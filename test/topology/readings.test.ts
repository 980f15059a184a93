import { readings } from "../../src/topology/readings";
import type { NormalizedTopology } from "../../src/topology/normalizedTopology";
import { normal } from "./topologies";

const base = { platform: "None", release: "4.20", machineNetwork: [{ cidr: "10.0.0.0/16" }] };
const among = (raw: object, ...unknown: string[]): NormalizedTopology => ({
  ...normal({ ...base, ...raw }),
  unknown,
});
/** The value of a property, as text, in each reading that supposes exactly one value. */
const supposed = (topology: NormalizedTopology, read: (one: NormalizedTopology) => unknown): string[] =>
  readings(topology)
    .filter((reading) => reading.supposed.length === 1)
    .map(({ topology: one }) => String(read(one)));
const texts = (list: readonly { text?: string; prefix?: { text: string } }[] | undefined) =>
  list?.map(({ text, prefix }) => text ?? prefix?.text).join();

const proxy = { httpProxy: "http://10.9.0.1:3128", noProxy: "shop.example.com" };

/** Each property that flows depend on, and its supposed values. */
const cases: [property: string, raw: object, (one: NormalizedTopology) => unknown, string[]][] = [
  [
    "endpointAccess",
    { platform: "AWS" },
    ({ endpointAccess }) => endpointAccess,
    ["Public", "PublicAndPrivate", "Private"],
  ],
  ["endpointAccess", { platform: "None" }, ({ endpointAccess }) => endpointAccess, []],
  [
    "endpointAccess",
    { platform: "GCP" },
    ({ endpointAccess }) => endpointAccess,
    ["Private", "PublicAndPrivate"],
  ],
  ["services.oauthServer.type", {}, ({ services }) => services.OAuthServer.type, ["Route", "NodePort"]],
  [
    "services.apiServer.type",
    { platform: "AWS" },
    ({ services }) => services.APIServer.type,
    ["Route", "LoadBalancer"],
  ],
  ["services.apiServer.hostname", {}, ({ services }) => services.APIServer.hostname, ["supposed.invalid"]],
  ["loadBalancerTargets", {}, ({ loadBalancerTargets }) => loadBalancerTargets, ["instance", "ip"]],
  ["bootstrap", {}, ({ bootstrap }) => bootstrap, ["true", "false"]],
  ["networkType", {}, ({ networkType }) => networkType, ["OVNKubernetes", "OpenShiftSDN", "Calico", "Other"]],
  ["apiServerPort", {}, ({ apiServerPort }) => apiServerPort, ["6444"]],
  ["clusterNetwork", {}, ({ clusterNetwork }) => texts(clusterNetwork), ["2001:db8::/32"]],
  ["machineNetwork", {}, ({ machineNetwork }) => texts(machineNetwork), ["2001:db8::/32"]],
  ["workerCidrs", {}, ({ workerCidrs }) => texts(workerCidrs), ["2001:db8::/32"]],
  ["dnsServerCidrs", {}, ({ dnsServerCidrs }) => texts(dnsServerCidrs), ["2001:db8::/32"]],
  ["proxy.httpProxy", {}, ({ proxy: one }) => one?.httpProxy, ["http://supposed.invalid"]],
  [
    "proxy.httpsProxy",
    { proxy },
    ({ proxy: one }) => `${one?.httpProxy} ${one?.httpsProxy}`,
    ["http://10.9.0.1:3128 http://supposed.invalid"],
  ],
  [
    "proxy.noProxy",
    { proxy },
    ({ proxy: one }) => `${one?.httpProxy} ${one?.noProxy}`,
    ["http://10.9.0.1:3128 kubernetes"],
  ],
];

describe("the readings of a topology", () => {
  test("are only itself if every property that flows depend on is known", () => {
    const known = among({});
    expect(readings(known)).toEqual([{ supposed: [], topology: known }]);
    const named = among({}, "name", "infrastructureCidrs");
    expect(readings(named)[0]).toEqual({ supposed: [], topology: named });
  });

  test.each(cases)("suppose every value of unknown %s with %j", (property, raw, read, expected) => {
    const topology = among(raw, property);
    expect(supposed(topology, read)).toEqual(expected);
    expect(readings(topology).map((reading) => reading.supposed)).toEqual([
      [],
      ...expected.map(() => [property]),
    ]);
  });

  test("suppose each release at which a flow begins or ends, and an early one", () => {
    const releases = readings(among({}, "release")).map(({ topology: { release } }) => release);
    expect(releases).toContainEqual({ major: 0, minor: 0 });
    expect(releases.length).toBeGreaterThan(2);
  });

  test("suppose pairs of values of different properties, but not of the same property", () => {
    const topology = among({}, "bootstrap", "loadBalancerTargets");
    const all = readings(topology);
    expect(all.map((reading) => reading.supposed.join())).toEqual([
      "",
      ...["loadBalancerTargets", "loadBalancerTargets", "bootstrap", "bootstrap"],
      ...Array.from({ length: 4 }, () => "loadBalancerTargets,bootstrap"),
    ]);
    const pairs = all.slice(5).map(({ topology: one }) => `${one.loadBalancerTargets} ${one.bootstrap}`);
    expect(pairs).toEqual(["instance true", "instance false", "ip true", "ip false"]);
  });

  test("do not suppose values that the platform or the API refuses", () => {
    const aws = readings(among({ platform: "AWS" }, "services.oauthServer.type", "endpointAccess"));
    for (const { topology } of aws.slice(1)) expect(topology.services.OAuthServer.type).not.toBe("S3");
    expect(new Set(aws.map(({ topology }) => topology.endpointAccess)).size).toBe(3);
  });
});
