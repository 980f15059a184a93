import { Service } from "../../src/requirements/vocabulary";
import { UNKNOWN } from "../../src/resources/resource";
import {
  isNamespaceUnknown,
  isOfControlPlane,
  type NormalizedTopology,
} from "../../src/topology/normalizedTopology";
import { normalizeTopology } from "../../src/topology/normalizeTopology";
import { openNow, servingPods } from "../../src/topology/publishing";
import { publicNetworks } from "../../src/topology/reservedRanges";
import { statedRanges } from "../../src/topology/statedRanges";
import { placeOfService, topologyOfHostedCluster } from "../../src/topology/topologyOfHostedCluster";
import { least, published, spoken } from "./topologies";

function readable(raw: object): NormalizedTopology {
  const { readable: topology } = normalizeTopology({ ...least, ...raw });
  expect(topology).toBeDefined();
  return topology!;
}

test("ranges around a cluster are stated blocks outside the management cluster, and addresses that are dialled", () => {
  const topology = readable({
    platform: "None",
    services: {
      apiServer: { type: "NodePort", address: "192.0.2.10" },
      ignition: { address: "node.example.com" },
    },
    managementClusterCidrs: ["10.1.0.0/16", "10.1.2.0/24"],
    dnsServerCidrs: ["10.1.0.2/32", "10.9.0.2/32"],
    externalClientCidrs: ["0.0.0.0/0"],
    proxy: { httpProxy: "http://10.0.3.4:3128", httpsProxy: "http://proxy.example.com:3128" },
  });
  expect(
    statedRanges(topology).map(
      ({ kind, path, implicit, prefix }) => `${kind} ${path} ${prefix.text}${implicit ? "?" : ""}`,
    ),
  ).toEqual([
    "surrounding managementClusterCidrs[0] 10.1.0.0/16",
    "surrounding managementClusterCidrs[1] 10.1.2.0/24",
    "surrounding dnsServerCidrs[1] 10.9.0.2/32",
    "dialled services.apiServer.address 192.0.2.10/32",
    "dialled proxy.httpProxy 10.0.3.4/32",
  ]);
});

test.each<[string, object, string[]]>([
  ["no cluster network in a non-public range", { clusterNetwork: [{ cidr: "198.18.0.0/15" }] }, []],
  ["a cluster network", { clusterNetwork: [{ cidr: "11.0.0.0/14" }] }, ["clusterNetwork[0].cidr"]],
  ["a service network", { serviceNetwork: [{ cidr: "12.0.0.0/16" }] }, ["serviceNetwork[0].cidr"]],
  ["no machine network", { machineNetwork: [{ cidr: "13.0.0.0/16" }] }, []],
])("finds internal networks with public addresses: %s", (_, raw, expected) =>
  expect(publicNetworks(readable(raw)).map(({ path }) => path)).toEqual(expected),
);

test.each<[string, string[], boolean, (boolean | undefined)[]]>([
  ["name and namespace are known", [], false, [true, false, false]],
  ["its name is unknown", ["name"], true, [undefined, undefined, false]],
  ["its namespace is unknown", ["namespace"], true, [undefined, undefined, undefined]],
])("tells whether a namespace is the control plane's if %s", (_, unknown, isUnknown, expected) => {
  const topology = { ...readable({ name: "tenant-a", namespace: "clusters" }), unknown };
  expect(isNamespaceUnknown(topology)).toBe(isUnknown);
  expect(
    ["clusters-tenant-a", "clusters-tenant-b", "elsewhere"].map((one) => isOfControlPlane(topology, one)),
  ).toEqual(expected);
});

test("only pods of the API server listen on the port that the topology states", () => {
  const portsOf = (raw: object, service: Service) =>
    servingPods(readable(raw), service).map(({ port }) => port);
  expect(portsOf({}, Service.APIServer)).toEqual(portsOf({ apiServerPort: 6443 }, Service.APIServer));
  expect(portsOf({ apiServerPort: 7443 }, Service.APIServer)).toContain(7443);
  expect(portsOf({ apiServerPort: 7443 }, Service.Ignition)).toEqual(portsOf({}, Service.Ignition));
});

test("closes only ignition after the bootstrap", () => {
  const all = Object.values(Service);
  const now = (bootstrap: boolean) =>
    openNow(readable({ platform: "None", services: published.NodePort, bootstrap }), all);
  expect(now(true)).toEqual(all);
  expect(now(false)).toEqual(all.filter((service) => service !== Service.Ignition));
});

test("accepts defaultWorkerRules only on platforms where HyperShift creates the workers' security group", () => {
  expect(spoken({ platform: "None", defaultWorkerRules: true })).toEqual([
    "topology.defaultWorkerRules  HyperShift creates no security group for workers on None, only on AWS: remove it, and write your own rules for traffic between these workers",
  ]);
  expect(spoken({ platform: "AWS", defaultWorkerRules: true })).toEqual([]);
  expect(spoken({ platform: "None", defaultWorkerRules: false })).toEqual([]);
});

describe("the path of a service property in a HostedCluster:", () => {
  const strategy = {
    service: "Ignition",
    servicePublishingStrategy: { type: "NodePort", nodePort: { address: "a.b" } },
  };
  const object = { spec: { services: [{ service: "APIServer" }, strategy, { ...strategy }] } };
  test.each([
    ["services.ignition.type", "spec.services[1].servicePublishingStrategy.type"],
    ["services.ignition.address", "spec.services[1].servicePublishingStrategy.nodePort.address"],
    ["services.ignition.nodePort", "spec.services[1]"],
    ["services.apiServer.type", "spec.services[0]"],
    ["services.konnectivity.type", "spec.services"],
    ["services", "spec.services"],
  ])("%s is at %s", (property, place) =>
    expect(placeOfService(object, "spec.services", property)).toBe(place),
  );
});

test.each([
  ["quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64", "4.20"],
  ["quay.io/openshift-release-dev/ocp-release@sha256:0123", UNKNOWN],
  [UNKNOWN, UNKNOWN],
  [undefined, undefined],
  [7, UNKNOWN],
])("reads the release of the image %s", (image, expected) => {
  const manifest = {
    kind: "HostedCluster",
    metadata: { name: "a" },
    spec: { release: { ...(image !== undefined && { image }) } },
  };
  expect(topologyOfHostedCluster(manifest)?.release).toBe(expected);
});
