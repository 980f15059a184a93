import { requiredFlowRows, type RequiredFlowRow } from "../../src/components/requiredFlowRows";
import { journeys } from "../../src/flows/journeys";
import { ALL_PLATFORMS } from "../../src/requirements/requirement";
import { Platform, Role } from "../../src/requirements/vocabulary";
import { faultsOf, machines, normal, openly, published } from "../topology/topologies";

const rowsOf = (raw: object) =>
  requiredFlowRows(normal({ machineNetwork: [{ cidr: "10.0.0.0/16" }], ...raw }));
const row = (rows: readonly RequiredFlowRow[], key: string) => rows.find((one) => one.key === key);

describe("the table of flows that firewalls must allow", () => {
  it.each([
    [Platform.Azure, "7443"],
    [Platform.IBMCloud, "2040"],
    [Platform.OpenStack, "6443"],
  ])("M1 has the port of the API server on %s", (platform, port) => {
    const rows = rowsOf({ platform });
    expect(row(rows, "control-plane/ingress/kube-apiserver")).toMatchObject({
      role: "control-plane",
      direction: "ingress",
      protocol: "TCP",
      ports: port,
      hostPort: true,
      bootstrapOnly: false,
    });
    expect(row(rows, "workers/egress/kube-apiserver")).toMatchObject({ ports: port });
  });

  it("M5 distinguishes ports of pods from ports that host firewalls see", () => {
    const rows = rowsOf({ platform: Platform.OpenStack });
    expect(row(rows, "control-plane/ingress/orc-health")).toMatchObject({ ports: "8081", hostPort: false });
    expect(rows.filter(({ hostPort }) => hostPort).map(({ ports }) => ports)).not.toContain("8081");
  });

  it("marks which flows host firewalls see, such as those between nodes, and which are needed only where used", () => {
    const rows = rowsOf({ platform: Platform.AWS, loadBalancerTargets: "ip" });
    for (const key of ["udp-6081", "ssh", "tcp-10250", "esp"])
      expect([key, row(rows, `workers/ingress/worker-${key}`)?.hostPort]).toEqual([key, true]);
    expect(row(rows, "control-plane/ingress/kube-apiserver-pod-clients")).toMatchObject({
      hostPort: true,
      whereUsed: true,
    });
    expect(row(rows, "control-plane/ingress/kube-apiserver-pod")?.whereUsed).toBe(false);
    expect(row(rows, "workers/ingress/egressip-health")?.whereUsed).toBe(true);
    expect(row(rows, "control-plane/ingress/ignition-server")?.hostPort).toBe(false);
  });

  it("has node ports as hosts see them, and marks flows that are needed only until nodes have joined", () => {
    const services = { ...published.NodePort, ignition: { type: "NodePort", nodePort: 31443 } };
    const rows = rowsOf({ platform: Platform.Agent, services });
    expect(row(rows, "control-plane/ingress/ignition-node-port")).toMatchObject({
      ports: "31443",
      peers: ["10.0.0.0/16"],
      bootstrapOnly: true,
    });
    expect(row(rows, "control-plane/ingress/node-ports")).toMatchObject({ ports: "30000-32767" });
    expect(
      rowsOf({ platform: Platform.Agent, services, bootstrap: false }).map(({ key }) => key),
    ).not.toContain("control-plane/ingress/ignition-node-port");
  });

  it("names inputs that the topology does not declare, and the peers assumed for them", () => {
    const key = "workers/egress/https";
    expect(row(rowsOf({}), key)).toMatchObject({ peers: ["0.0.0.0/0"], undeclared: ["registryCidrs"] });
    const said = { registryCidrs: ["198.51.100.0/24"], controlPlaneEndpointCidrs: ["192.0.2.0/24"] };
    expect(row(rowsOf(said), key)).toMatchObject({
      peers: ["198.51.100.0/24", "192.0.2.0/24"],
      undeclared: [],
    });
    expect(row(rowsOf({}), "control-plane/egress/management-api")).toMatchObject({
      peers: [],
      undeclared: ["managementClusterCidrs"],
    });
    expect(row(rowsOf({}), "workers/ingress/worker-udp-6081")).toMatchObject({ undeclared: [] });
  });

  it("gives every flow a purpose, documents and a requirement", () => {
    for (const { key, purpose, documents, requirement } of rowsOf({ platform: Platform.Agent }))
      expect([key, purpose.length > 10, documents.length > 0, requirement.length > 0]).toEqual([
        key,
        true,
        true,
        true,
      ]);
  });
});

const everywhere = ALL_PLATFORMS.flatMap((platform) =>
  Object.entries(published).flatMap(([strategy, services]) =>
    ["instance", "ip"].map((targets) => ({
      platform,
      strategy,
      targets,
      raw: {
        ...machines,
        ...openly(platform),
        platform,
        services,
        loadBalancerTargets: targets,
        managementClusterCidrs: ["10.1.0.0/16"],
        loadBalancerSubnetCidrs: ["10.1.0.0/24"],
      },
    })),
  ),
).filter(({ raw }) => faultsOf(raw).length === 0);

describe.each(everywhere)("the table of $platform with $strategy and $targets targets", ({ raw }) => {
  const rows = rowsOf(raw);
  const topology = normal(raw);

  it.each([
    ["workers", "10.0.0.0/16"],
    ["control-plane", "10.1.0.0/16"],
  ])("has the traffic between nodes in both directions: %s", (role, block) => {
    const isGuest = role === "workers" && raw.platform === Platform.KubeVirt;
    const wanted = [isGuest ? "9880/UDP" : "6081/UDP", "10250/TCP", "9000-9999/TCP", "all/ESP", "all/ICMP"];
    for (const direction of ["ingress", "egress"])
      for (const service of wanted) {
        const found = rows.filter(
          ({ key, ports, protocol }) =>
            key.startsWith(`${role}/${direction}/nodes-`) && `${ports}/${protocol}` === service,
        );
        expect([service, found.map(({ peers, hostPort }) => [...peers, hostPort])]).toEqual([
          service,
          [[block, true]],
        ]);
      }
    const optional = rows.filter(({ whereUsed }) => whereUsed).map(({ key }) => key.split("/")[2]);
    expect(optional).toEqual(expect.arrayContaining(["nodes-ipsec-esp", "nodes-vxlan", "nodes-ssh"]));
    expect(optional).not.toContain("nodes-geneve");
  });

  it("has the DNS servers of nodes and the DNS pods of the management cluster", () => {
    for (const transport of ["tcp", "udp"]) {
      for (const role of ["workers", "control-plane"])
        expect(row(rows, `${role}/egress/dns-${transport}`)).toMatchObject({ ports: "53", hostPort: true });
      expect(row(rows, `control-plane/egress/cluster-dns-${transport}`)).toMatchObject({
        ports: "5353",
        hostPort: false,
        requirement: `up-openshift-dns-${transport}`,
      });
    }
  });

  it("marks no port that a host filter sees as a port of pods only", () => {
    const seen = journeys(topology).flatMap(({ key, hops }) =>
      hops.flatMap((hop) =>
        hop.kind === "hosts" && hop.ports && hop.ports.from === hop.ports.to
          ? [{ key, place: `${hop.role}/${hop.direction}/${hop.ports.from}/${hop.protocol}` }]
          : [],
      ),
    );
    const hidden = new Set(
      rows
        .filter(({ hostPort }) => !hostPort)
        .map(({ role, direction, ports, protocol }) => `${role}/${direction}/${ports}/${protocol}`),
    );
    expect(seen.filter(({ place }) => hidden.has(place))).toEqual([]);
    expect(rows.filter(({ hostPort, role }) => !hostPort && role !== Role.ControlPlane)).toEqual([]);
  });

  it("has each key once", () => {
    const keys = rows.map(({ key }) => key);
    expect(keys.filter((key, position) => keys.indexOf(key) !== position)).toEqual([]);
  });
});

describe("the proxy of a cluster", () => {
  it("has the peer and port of its URL, without credentials", () => {
    const proxy = {
      httpProxy: "http://admin:sesame@proxy.example.com:3128",
      httpsProxy: "http://192.0.2.9",
    };
    const rows = rowsOf({ proxy });
    expect(row(rows, "workers/egress/http-proxy")).toMatchObject({
      peers: ["proxy.example.com"],
      ports: "3128",
      requirement: "proxy-nodes",
    });
    expect(row(rows, "workers/egress/https-proxy")).toMatchObject({ peers: ["192.0.2.9/32"], ports: "80" });
    expect(JSON.stringify(rows)).not.toContain("sesame");
    expect(rowsOf({}).map(({ key }) => key)).not.toContain("workers/egress/http-proxy");
  });
});
