import { Outside } from "../../../src/requirements/outsideModel";
import { settledJourneys } from "../../../src/flows/journeys";
import { surroundingsOf } from "../../../src/flows/surroundings";
import { judgeJourney } from "../../../src/reachability/path/judge";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { pinned, said } from "./clusters";

const hostedCluster = (
  allowedCIDRBlocks: PropertyValue | undefined,
  metadata: Record<string, PropertyValue> = { name: "tenant-a", namespace: "clusters" },
): Resource => ({
  origin: { urn: `urn:${JSON.stringify(metadata)}` },
  type: "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster",
  name: "tenant-a",
  properties: {
    metadata,
    spec: { networking: { apiServer: { ...(allowedCIDRBlocks !== undefined && { allowedCIDRBlocks }) } } },
  },
});

const aws = { platform: "AWS", endpointAccess: "Public" };
const INPUT = "networking.apiServer.allowedCIDRBlocks";

/** What flows that depend on the list report as missing from it, by flow key. */
const listed = (topology: ReturnType<typeof said>, ...plan: Resource[]) =>
  Object.fromEntries(
    settledJourneys(topology, surroundingsOf(new ResourceIndex(plan), topology))
      .filter(({ key }) => /^(workers|users)-(kube|oauth|konn|ign)/.test(key))
      .flatMap(({ key, missing, outside }) => {
        const why = missing.filter(({ input }) => input === INPUT).map((one) => one.why);
        return outside.includes(Outside.AllowedBlocks) ? [[key, why]] : [];
      }),
  );
const add = (blocks: string) => [
  `public load balancers allow only the addresses in this list: add ${blocks} to it`,
];

test("clients outside the list do not pass the API server's load balancer, and the block to add is named", () => {
  expect(listed(said(aws), hostedCluster(["192.0.2.0/24"]))).toEqual({
    "workers-kube-apiserver": add("198.51.100.7/32"),
    "users-kube-apiserver": add("203.0.113.0/24"),
  });
  expect(listed(said(aws), hostedCluster(["203.0.113.0/25", "198.51.100.9/24"]))).toEqual({
    "workers-kube-apiserver": [],
    "users-kube-apiserver": add("203.0.113.128/25"),
  });
});

test("the list applies to the control plane's own router, but not to that of the management cluster", () => {
  const routed = { apiServer: { type: "Route", hostname: "api.example.com" } };
  expect(Object.keys(listed(said({ ...aws, services: routed }), hostedCluster(["192.0.2.0/24"])))).toEqual([
    "workers-kube-apiserver",
    "users-kube-apiserver",
    "workers-oauth",
    "users-oauth",
    "workers-konnectivity",
    "workers-ignition",
  ]);
});

test.each([
  ["no list", said(aws), hostedCluster(undefined)],
  ["an empty list, which allows every client,", said(aws), hostedCluster([])],
  ["the list of another cluster", said(aws), hostedCluster(["192.0.2.0/24"], { name: "tenant-b" })],
  [
    "the list of a cluster of the same name in another namespace",
    said(aws),
    hostedCluster(["192.0.2.0/24"], { name: "tenant-a", namespace: "other" }),
  ],
  ["private access", said({ ...aws, endpointAccess: "Private" }), hostedCluster(["192.0.2.0/24"])],
  ["a node port", said({ platform: "None", services: pinned }), hostedCluster(["192.0.2.0/24"])],
])("%s excludes no client", (_, topology, object) => {
  expect(listed(topology, object)).toEqual({});
});

test.each([
  ["list", [hostedCluster(UNKNOWN)]],
  ["block", [hostedCluster(["0.0.0.0/0", UNKNOWN])]],
  ["value that is not a CIDR block", [hostedCluster(["everybody"])]],
  [
    "choice between two lists",
    [hostedCluster(["0.0.0.0/0"]), hostedCluster(["0.0.0.0/0"], { name: UNKNOWN })],
  ],
])("an unknown %s leaves open which clients pass", (_, plan) => {
  expect(listed(said(aws), ...plan)["users-kube-apiserver"]).toEqual([
    "which clients public load balancers allow: not all of its blocks are known",
  ]);
});

test("the list names clients' addresses in general if the workers' NAT addresses are not stated", () => {
  const topology = said({ ...aws, workerNatCidrs: [] });
  expect(listed(topology, hostedCluster(["0.0.0.0/0"]))["workers-kube-apiserver"]).toEqual(
    add("the clients' addresses"),
  );
});

describe("load balancers on platforms that enforce the list", () => {
  const judged = (raw: object, key: string, blocks: readonly string[]) => {
    const topology = said(raw);
    const plan = new ResourceIndex([hostedCluster(blocks)]);
    const journey = settledJourneys(topology, surroundingsOf(plan, topology)).find((one) => one.key === key)!;
    const hops = journey.hops.filter(({ kind }) => kind === "balancer");
    return judgeJourney({ ...journey, hops }, { hosts: () => [], pods: () => [], namespaces: () => [] });
  };

  test.each([
    ["Azure", { platform: "Azure", endpointAccess: "Public" }],
    ["AWS with IP targets", { ...aws, loadBalancerTargets: "ip" }],
  ])("drop the workers' NAT address that the list does not contain: %s", (_, raw) => {
    expect(judged(raw, "workers-kube-apiserver", ["203.0.113.0/24"])).toMatchObject({
      proof: "refuted",
      guards: [{ verdict: { packet: { source: "198.51.100.7" } } }],
    });
    expect(judged(raw, "workers-kube-apiserver", ["198.51.100.7/32"]).guards).toMatchObject([
      { verdict: { proof: "proved" } },
    ]);
  });

  test("do not treat unstated worker addresses as private ones", () => {
    const raw = { platform: "Azure", endpointAccess: "Public", workerNatCidrs: [] };
    expect(judged(raw, "workers-kube-apiserver", ["203.0.113.0/24"])).toMatchObject({
      proof: "unknown",
      missing: [{ input: "workerNatCidrs" }],
    });
  });
});
