import { settledJourneys } from "../../../src/flows/journeys";
import { surroundingsOf } from "../../../src/flows/surroundings";
import type { MissingInput } from "../../../src/flows/model";
import { hostExcess } from "../../../src/reachability/path/excess";
import { judgeJourney, type JudgedJourney } from "../../../src/reachability/path/judge";
import { planGuards } from "../../../src/reachability/path/planGuards";
import { Proof } from "../../../src/reachability/proof/prove";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import type { NormalizedTopology } from "../../../src/topology/normalizedTopology";
import { pinned, said } from "./clusters";
import { documentedPlan } from "./plan";

const judged = (topology: NormalizedTopology, plan: readonly Resource[]): Map<string, JudgedJourney> => {
  const index = new ResourceIndex(plan);
  const guards = planGuards(index, topology);
  return new Map(
    settledJourneys(topology, surroundingsOf(index, topology)).map((journey) => [
      journey.key,
      judgeJourney(journey, guards),
    ]),
  );
};

const aws = { platform: "AWS", release: "4.20" };
const none = { platform: "None", services: pinned, release: "4.20" };
const proxied = { httpsProxy: "http://10.9.0.1:3128", noProxy: "shop.example.com" };
const access = ["Public", "PublicAndPrivate", "Private"];
const url = ["http://10.9.0.1:3128", "http://10.9.0.2:3129"];
const apiServer = (type: string, more = {}) => ({ ...pinned, apiServer: { type, ...more } });

/** A property, its topology, and its possible values, including `undefined` if it may be omitted. */
const cases: [what: string, base: object, at: (value: unknown) => object, values: readonly unknown[]][] = [
  ["endpointAccess", aws, (endpointAccess) => ({ endpointAccess }), access],
  ["endpointAccess", { ...aws, platform: "Azure" }, (endpointAccess) => ({ endpointAccess }), access],
  ["apiServerPort", none, (apiServerPort) => ({ apiServerPort }), [6443, 443, 7443]],
  ["advertiseAddress", none, (advertiseAddress) => ({ advertiseAddress }), ["172.20.0.1", "10.8.0.1"]],
  [
    "serviceNetwork",
    { ...none, clusterNetwork: [{ cidr: "fd01::/48" }], machineNetwork: [{ cidr: "fd08::/64" }] },
    (serviceNetwork) => ({ serviceNetwork }),
    [[{ cidr: "fd02::/112" }]],
  ],
  ["services", none, (services) => ({ services }), [pinned]],
  [
    "services.apiServer",
    { ...none, platform: "Agent" },
    (value) => ({ services: { ...pinned, apiServer: value } }),
    [{ type: "NodePort", nodePort: 31_443 }, { type: "LoadBalancer" }],
  ],
  [
    "services.apiServer.type",
    { ...none, platform: "Agent" },
    (type) => ({ services: apiServer(type as string) }),
    ["NodePort", "LoadBalancer"],
  ],
  [
    "services.apiServer.hostname",
    aws,
    (hostname) => ({ services: { apiServer: { type: "LoadBalancer", hostname } } }),
    [undefined, "api.example.com"],
  ],
  [
    "services.apiServer.hostname",
    aws,
    (hostname) => ({ services: { apiServer: { hostname } } }),
    [undefined, "api.example.com"],
  ],
  [
    "services.apiServer.nodePort",
    none,
    (nodePort) => ({ services: apiServer("NodePort", { nodePort }) }),
    [31_443, 31_999],
  ],
  ["loadBalancerTargets", aws, (loadBalancerTargets) => ({ loadBalancerTargets }), ["instance", "ip"]],
  ["bootstrap", none, (bootstrap) => ({ bootstrap }), [true, false]],
  [
    "networkType",
    // The last release that has OpenShift SDN.
    { ...none, release: "4.16" },
    (networkType) => ({ networkType }),
    ["OVNKubernetes", "OpenShiftSDN", "Other"],
  ],
  ["release", { ...none, platform: "OpenStack" }, (release) => ({ release }), ["4.14", "4.20"]],
  ["proxy", none, (proxy) => ({ proxy }), [undefined, proxied]],
  ["proxy.httpProxy", none, (httpProxy) => ({ proxy: { httpProxy } }), [undefined, ...url]],
  ["proxy.httpsProxy", none, (httpsProxy) => ({ proxy: { httpsProxy } }), [undefined, ...url]],
  [
    "proxy.noProxy",
    none,
    (noProxy) => ({ proxy: { ...proxied, noProxy } }),
    ["kubernetes.default.svc", "shop.example.com"],
  ],
  ...(
    [
      ["machineNetwork", [[{ cidr: "10.0.0.0/16" }], [{ cidr: "10.7.0.0/16" }]]],
      ["managementClusterCidrs", [["10.1.0.0/16"], ["10.7.0.0/16"], undefined]],
      ["loadBalancerSubnetCidrs", [["10.1.0.0/24"], ["10.7.0.0/16"], undefined]],
      ["workerNatCidrs", [["198.51.100.7/32"], ["10.7.0.0/16"], undefined]],
      ["workerCidrs", [["10.0.0.0/16"], ["10.7.0.0/16"], ["fd07::/64"]]],
      ["externalClientCidrs", [["203.0.113.0/24"], ["10.7.0.0/16"], undefined]],
      ["controlPlaneEndpointCidrs", [["192.0.2.0/24"], ["10.7.0.0/16"], undefined]],
      ["dnsServerCidrs", [["10.1.0.2/32"], ["10.7.0.0/16"], undefined]],
      ["registryCidrs", [["198.51.100.128/25"], ["10.7.0.0/16"], undefined]],
    ] as const
  ).flatMap(([list, values]) =>
    [aws, none].map((base): (typeof cases)[number] => [list, base, (value) => ({ [list]: value }), values]),
  ),
];

/** Filters that allow only the default port and address of the API server, and no client at the control plane's own router. */
const policies: readonly Resource[] = [
  object("networking.k8s.io/v1:NetworkPolicy", "kas", "clusters-tenant-a", {
    podSelector: { matchLabels: { app: "kube-apiserver" } },
    ingress: [{ ports: [{ port: 6443 }, { port: 8090 }, { port: 8091 }] }],
  }),
  object("networking.k8s.io/v1:NetworkPolicy", "router", "clusters-tenant-a", {
    podSelector: { matchLabels: { app: "private-router" } },
    ingress: [],
  }),
  object("k8s.ovn.org/v1:EgressFirewall", "default", "shop", {
    egress: [
      { type: "Allow", to: { cidrSelector: "172.20.0.1/32" }, ports: [{ protocol: "TCP", port: 6443 }] },
      { type: "Deny", to: { cidrSelector: "0.0.0.0/0" } },
      { type: "Deny", to: { cidrSelector: "::/0" } },
    ],
  }),
];

function object(
  type: string,
  name: string,
  namespace: string,
  spec: Record<string, PropertyValue>,
): Resource {
  return {
    origin: { urn: `urn:pulumi:test::network::${type}::${name}` },
    type: `kubernetes:${type}`,
    name,
    properties: { metadata: { name, namespace }, spec },
  };
}

describe("an unknown value", () => {
  test.each(cases)("%s is not treated as its default (%#)", (property, base, at, values) => {
    const partly = said({ ...base, ...at(UNKNOWN) });
    const names = ({ input }: MissingInput) =>
      input.split(".")[0] === property.split(".")[0] ||
      (property === "machineNetwork" && input === "workerCidrs");
    for (const written of values) {
      // The groups allow what is documented for one of the values, and nothing else.
      const plan = [...documentedPlan(said({ ...base, ...at(written) })), ...policies];
      const known = values.map((value) => judged(said({ ...base, ...at(value) }), plan));
      const unsure = judged(partly, plan);
      const keys = [...new Set(known.flatMap((one) => [...one.keys()]))];
      const wrong = keys.filter((key) => {
        const proofs = new Set(known.flatMap((one) => one.get(key)?.proof ?? []));
        const { proof, missing = [] } = unsure.get(key) ?? {};
        // A flow that others allow with every value is assumed, even if rules of the plan prove it with some values.
        if (proof === Proof.Assumed)
          return [...proofs].some((one) => one !== Proof.Proved && one !== Proof.Assumed);
        if (proof !== Proof.Unknown) return proofs.size > 1 || !proofs.has(proof!);
        return proofs.size > 1 && !missing.some(names);
      });
      expect(wrong).toEqual([]);
    }
  });
});

test("an unknown address of the API server may be allowed, and an unknown port is dropped if all ports are", () => {
  const partly = said({ ...none, apiServerPort: UNKNOWN, advertiseAddress: UNKNOWN });
  const shop = judged(partly, policies).get("namespace-shop-kube-apiserver");
  expect(shop?.proof).toBe(Proof.Unknown);
  expect(shop?.missing.map(({ input }) => input)).toEqual(
    expect.arrayContaining(["advertiseAddress", "apiServerPort"]),
  );
  const deny = object("k8s.ovn.org/v1:EgressFirewall", "default", "shop", {
    egress: ["0.0.0.0/0", "::/0"].map((cidrSelector) => ({ type: "Deny", to: { cidrSelector } })),
  });
  // Every address is denied except the cluster network, which is exempt.
  const hidden = said({ ...none, apiServerPort: UNKNOWN });
  expect(judged(partly, [deny]).get("namespace-shop-kube-apiserver")?.proof).toBe(Proof.Unknown);
  expect(judged(hidden, [deny]).get("namespace-shop-kube-apiserver")?.proof).toBe(Proof.Refuted);
});

test("two unknown values decide together if neither does by itself", () => {
  const both = { apiServer: { type: "LoadBalancer", hostname: UNKNOWN }, oauthServer: { type: "Route" } };
  const partly = said({ ...aws, endpointAccess: UNKNOWN, services: both, loadBalancerTargets: UNKNOWN });
  const oauth = judged(partly, []).get("users-oauth");
  expect(oauth?.proof).toBe(Proof.Unknown);
  expect(oauth?.missing.map(({ input }) => input)).toEqual(
    expect.arrayContaining(["endpointAccess", "loadBalancerTargets"]),
  );
});

test("an unknown namespace leaves only the policies of pods unknown", () => {
  const partly = said({ ...none, namespace: UNKNOWN });
  const known = judged(said(none), documentedPlan(said(none)));
  const unsure = judged(partly, documentedPlan(said(none)));
  for (const [key, { journey, proof }] of known) {
    const hasPods = journey.hops.some(({ kind }) => kind === "pods" || kind === "senders");
    expect([key, unsure.get(key)?.proof]).toEqual([key, hasPods ? Proof.Unknown : proof]);
  }
  expect(unsure.get("workers-konnectivity")?.missing.map(({ input }) => input)).toEqual(["namespace"]);
});

test("packets that any possible value needs are no excess", () => {
  const topologies = access.map((endpointAccess) => said({ ...aws, endpointAccess }));
  const partly = said({ ...aws, endpointAccess: UNKNOWN });
  const excess = (topology: NormalizedTopology, plan: readonly Resource[]) =>
    hostExcess(topology, planGuards(new ResourceIndex(plan), topology));
  for (const topology of topologies) expect(excess(partly, documentedPlan(topology))).toEqual([]);
});
