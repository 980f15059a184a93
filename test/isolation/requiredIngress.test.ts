import { readPrefix } from "../../src/address";
import { isolationPolicies } from "../../src/isolation/judge";
import { networkPolicySpec, policyResource, type IsolationPolicy } from "../../src/isolation/networkPolicy";
import type { PolicyEnd } from "../../src/reachability/filters/policySelection";
import { Proof } from "../../src/reachability/proof/prove";
import { ALL_PLATFORMS, type Requirement } from "../../src/requirements/requirement";
import {
  Direction,
  Perspective,
  Platform,
  Protocol,
  PublishingType,
  Zone,
} from "../../src/requirements/vocabulary";
import { PORT } from "../../src/requirements/ports";
import { requirements } from "../../src/requirements/requirements";
import { hasOwnRouter, servedByManagementRouter } from "../../src/topology/publishing";
import { holds } from "../../src/flows/required/fromRow";
import { faultsOf, machines, normal, published } from "../topology/topologies";
import type { NormalizedTopology } from "../../src/topology/normalizedTopology";
import {
  judgeTraffic,
  type Labels,
  podEnd,
  podsIn,
  type PodTraffic,
} from "../../src/reachability/isolation/podTraffic";

const OWN = "clusters-tenant-a";
const everywhere: PolicyEnd = { kind: "addresses" };
const managed = (label: string, value: string): PolicyEnd => podsIn({ [label]: value }, "clusters-tenant-a");
const inside = (labels: Labels): PolicyEnd => podEnd(OWN, labels);

/** A packet that the policies drop; undefined if all pass. */
function droppedBy(policies: readonly IsolationPolicy[], pod: Labels, traffic: Omit<PodTraffic, "pods">) {
  const resources = policies.map((policy) => policyResource(policy, OWN));
  const { verdict } = judgeTraffic(resources, OWN, { ...traffic, pods: { matchLabels: pod } })!;
  if (verdict.proof === Proof.Unknown) throw new Error("nothing is unknown here");
  return verdict.proof === Proof.Refuted ? verdict.packet : undefined;
}

/** The clusters that HyperShift accepts: every platform, publishing strategy and endpoint access. */
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

/** Rows that state a port in front of the pods, if another row states the port of the pods. */
const seenOutside = ({ platform }: NormalizedTopology) =>
  platform === Platform.IBMCloud ? ["cp-in-kas", "iso-kas"] : ["cp-in-kas", "cp-in-kas-azure"];

function sources(row: Requirement, topology: NormalizedTopology): PolicyEnd[] {
  const type = row.service && topology.services[row.service].type;
  const routers = [
    ...(servedByManagementRouter(topology) ? [managed("network.openshift.io/policy-group", "ingress")] : []),
    ...(hasOwnRouter(topology) ? [inside({ app: "private-router" })] : []),
  ];
  return row.sources.flatMap((zone): PolicyEnd[] => {
    switch (zone) {
      case Zone.SameNamespace:
        return [inside({}), inside({ app: "anything" })];
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
        return []; // No policy blocks kubelets, or what a pod sends to itself.
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
      // The router's port is the port of its own pods; the pods of the services are behind them.
      const ports = row.id === "cp-in-route-443" || !row.ports ? {} : { ports: row.ports };
      const services = [{ protocol: row.protocol, ...ports }];
      return pods.flatMap((pod) =>
        sources(row, topology).flatMap((end) => {
          const found = droppedBy(policies, pod, { direction: Direction.Ingress, end, services });
          return found ? [`${row.id} ${JSON.stringify({ pod, end, ...found })}`] : [];
        }),
      );
    });
    expect(dropped).toEqual([]);
    expect(rows.length).toBeGreaterThan(8);
  });

  it("workers reach the API server and konnectivity by NodePort from any source address", () => {
    const policies = isolationPolicies(normal({ platform: "Agent", ...machines }));
    const open = (pod: Labels, port: number) =>
      droppedBy(policies, pod, {
        direction: Direction.Ingress,
        end: everywhere,
        services: [{ protocol: Protocol.Tcp, ports: { from: port, to: port } }],
      });
    expect(open({ app: "kube-apiserver" }, 6443)).toBeUndefined();
    expect(open({ app: "kube-apiserver" }, 8091)).toBeUndefined();
    expect(open({ app: "konnectivity-server" }, 8091)).toBeUndefined();
    expect(open({ app: "etcd" }, 2379)).toMatchObject({ port: 2379, source: "203.0.113.1" });
    expect(open({ app: "konnectivity-server" }, 6443)).toMatchObject({ port: 6443, source: "203.0.113.1" });
  });
});

describe("M14 the policies allow no direct connection from the control plane to kubelets", () => {
  it.each(clusters.map(({ title, raw }) => [title, raw] as const))("%s", (_, raw) => {
    const stated = { managementClusterCidrs: ["10.1.0.0/16"], registryCidrs: ["198.51.100.0/24"] };
    const endpoints = { controlPlaneEndpointCidrs: ["192.0.2.0/24"] };
    const topology = normal({ ...raw, ...stated, ...endpoints });
    const policies = isolationPolicies(topology, { denyEgress: true });
    const specs = policies.map(networkPolicySpec);
    expect(JSON.stringify(specs)).not.toContain(String(PORT.kubelet));
    const toWorkers = droppedBy(
      policies,
      { app: "kube-apiserver" },
      {
        direction: Direction.Egress,
        end: everywhere,
        prefixes: [readPrefix("10.0.0.7/32")!],
        services: [{ protocol: Protocol.Tcp, ports: { from: PORT.kubelet, to: PORT.kubelet } }],
      },
    );
    expect(toWorkers).toMatchObject({ destination: "10.0.0.7", port: PORT.kubelet });
  });
});
