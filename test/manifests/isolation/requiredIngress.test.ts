import { readPrefix } from "../../../src/address";
import {
  droppedBy,
  isolationPolicies,
  networkPolicySpec,
  type FlowEnd,
  type Labels,
} from "../../../src/manifests/isolation";
import {
  ALL_PLATFORMS,
  Direction,
  PORT,
  Perspective,
  Platform,
  PublishingType,
  Zone,
  requirements,
  type Requirement,
} from "../../../src/requirements";
import { hasOwnRouter, servedByManagementRouter, type NormalizedTopology } from "../../../src/topology";
import { holds } from "../../../src/topology/flows/flow";
import { faultsOf, machines, normal, published } from "../../topology/topologies";

const own = { "kubernetes.io/metadata.name": "clusters-tenant-a" };
const everywhere: FlowEnd = { prefixes: ["0.0.0.0/0", "::/0"].map((cidr) => readPrefix(cidr)!) };
const managed = (label: string, value: string): FlowEnd => ({ labels: {}, namespace: { [label]: value } });

/** The clusters that HyperShift takes: every platform, strategy and access. */
const clusters = ALL_PLATFORMS.flatMap((platform) =>
  Object.entries(published).flatMap(([strategy, services]) =>
    [undefined, "Public", "PublicAndPrivate", "Private"].map((endpointAccess) => ({
      title: [platform, strategy, endpointAccess ?? "default access"].join(" "),
      raw: { ...machines, platform, services, ...(endpointAccess && { endpointAccess }) },
    })),
  ),
).filter(({ raw }) => faultsOf(raw).length === 0);

/** The pods behind the component that a requirement names. */
const podsOf: Readonly<Record<string, readonly Labels[]>> = {
  "*": [{}, { app: "etcd" }, { app: "kube-apiserver" }],
  "hypershift-operator, control-plane-operator": [],
  "kube-apiserver": [{ app: "kube-apiserver" }],
  "konnectivity-server": [{ app: "kube-apiserver" }, { app: "konnectivity-server" }],
  "konnectivity-server-local": [{ app: "kube-apiserver" }, { app: "konnectivity-server" }],
  "ignition-server": [{ app: "ignition-server" }],
  "ignition-server-proxy": [{ app: "ignition-server-proxy" }],
  "oauth-openshift": [{ app: "oauth-openshift" }],
  "openshift-router": [
    { app: "oauth-openshift" },
    { app: "ignition-server-proxy" },
    { app: "kube-apiserver" },
  ],
  "private-router": [{ app: "private-router" }],
  etcd: [{ app: "etcd" }],
};

/** Rows that speak of a port in front of the pods, where another row says the pods' own. */
const seenOutside = ({ platform }: NormalizedTopology) =>
  platform === Platform.IBMCloud ? ["cp-in-kas", "iso-kas"] : ["cp-in-kas", "cp-in-kas-azure"];

function sources(row: Requirement, topology: NormalizedTopology): FlowEnd[] {
  const type = row.service && topology.services[row.service].type;
  const routers = [
    ...(servedByManagementRouter(topology) ? [managed("network.openshift.io/policy-group", "ingress")] : []),
    ...(hasOwnRouter(topology) ? [{ labels: { app: "private-router" } }] : []),
  ];
  return row.sources.flatMap((zone): FlowEnd[] => {
    switch (zone) {
      case Zone.SameNamespace:
        return [{ labels: {} }, { labels: { app: "anything" } }];
      case Zone.MonitoringNamespaces:
        return [managed("network.openshift.io/policy-group", "monitoring")];
      case Zone.ManagementOperators:
        return [managed("kubernetes.io/metadata.name", "hypershift")];
      case Zone.Workers:
      case Zone.ExternalClients:
        return type === PublishingType.Route || row.id === "cp-in-route-443" ? routers : [everywhere];
      case Zone.Any:
      case Zone.PrivateNetwork:
        return [everywhere];
      default:
        return []; // Kubelets and what a pod sends to itself, no policy stops.
    }
  });
}

describe("M14 every required flow into the namespace passes the policies", () => {
  it.each(clusters.map(({ title, raw }) => [title, raw] as const))("%s", (_, raw) => {
    const topology = normal(raw);
    const policies = isolationPolicies(topology);
    const rows = requirements.filter(
      (row) =>
        row.perspective === Perspective.ControlPlane &&
        row.direction === Direction.Ingress &&
        holds(row, topology) &&
        !seenOutside(topology).includes(row.id),
    );
    const dropped = rows.flatMap((row) => {
      const pods = row.id === "mg-to-hcp" ? podsOf["*"]! : (podsOf[row.component] ?? []);
      // The router's port is that of its own pods, behind which those of the services lie.
      const ports = row.id === "cp-in-route-443" || !row.ports ? {} : { ports: row.ports };
      return pods.flatMap((pod) =>
        sources(row, topology).flatMap((end) => {
          const packets = { direction: Direction.Ingress, pod, end, protocol: row.protocol, ...ports };
          const found = droppedBy(policies, own, packets);
          return found ? [`${row.id} ${JSON.stringify({ pod, end, ...found })}`] : [];
        }),
      );
    });
    expect(dropped).toEqual([]);
    expect(rows.length).toBeGreaterThan(8);
  });

  it("workers reach the API server and konnectivity by NodePort, from wherever they seem to come", () => {
    const policies = isolationPolicies(normal({ platform: "Agent", ...machines }));
    const open = (pod: Labels, port: number) =>
      droppedBy(policies, own, {
        direction: Direction.Ingress,
        pod,
        end: everywhere,
        protocol: "TCP" as never,
        ports: { from: port, to: port },
      });
    expect(open({ app: "kube-apiserver" }, 6443)).toBeUndefined();
    expect(open({ app: "kube-apiserver" }, 8091)).toBeUndefined();
    expect(open({ app: "konnectivity-server" }, 8091)).toBeUndefined();
    expect(open({ app: "etcd" }, 2379)).toEqual({ port: 2379, address: "0.0.0.0" });
    expect(open({ app: "konnectivity-server" }, 6443)).toEqual({ port: 6443, address: "0.0.0.0" });
  });
});

describe("M14 nothing goes from the control plane straight to workers", () => {
  it.each(clusters.map(({ title, raw }) => [title, raw] as const))("%s", (_, raw) => {
    const stated = { managementClusterCidrs: ["10.1.0.0/16"], registryCidrs: ["198.51.100.0/24"] };
    const endpoints = { controlPlaneEndpointCidrs: ["192.0.2.0/24"] };
    const topology = normal({ ...raw, ...stated, ...endpoints });
    const policies = isolationPolicies(topology, { denyEgress: true });
    const specs = policies.map(networkPolicySpec);
    expect(JSON.stringify(specs)).not.toContain(String(PORT.kubelet));
    const toWorkers = droppedBy(policies, own, {
      direction: Direction.Egress,
      pod: { app: "kube-apiserver" },
      end: { prefixes: [readPrefix("10.0.0.7/32")!] },
      protocol: "TCP" as never,
      ports: { from: PORT.kubelet, to: PORT.kubelet },
    });
    expect(toWorkers).toEqual({ address: "10.0.0.7", port: PORT.kubelet });
  });
});
