import { requiredFlowRows, type RequiredFlowRow } from "../../src/components/requiredFlowRows";
import { Platform } from "../../src/requirements";
import { normal, published } from "../topology/topologies";

const rowsOf = (raw: object) =>
  requiredFlowRows(normal({ machineNetwork: [{ cidr: "10.0.0.0/16" }], ...raw }));
const row = (rows: readonly RequiredFlowRow[], key: string) => rows.find((one) => one.key === key);

describe("the table of what firewalls have to let pass", () => {
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

  it("M5 keeps ports of pods apart from those that firewalls of hosts see", () => {
    const rows = rowsOf({ platform: Platform.OpenStack });
    expect(row(rows, "control-plane/ingress/orc-health")).toMatchObject({ ports: "8081", hostPort: false });
    expect(rows.filter(({ hostPort }) => hostPort).map(({ ports }) => ports)).not.toContain("8081");
  });

  it("says of what nodes send each other that their firewalls see it", () => {
    const rows = rowsOf({ platform: Platform.AWS, loadBalancerTargets: "ip" });
    for (const key of ["udp-6081", "ssh", "tcp-10250", "esp"])
      expect([key, row(rows, `workers/ingress/worker-${key}`)?.hostPort]).toEqual([key, true]);
    expect(row(rows, "control-plane/ingress/kube-apiserver-pod-clients")?.hostPort).toBe(true);
    expect(row(rows, "control-plane/ingress/ignition-server")?.hostPort).toBe(false);
  });

  it("has node ports as the hosts see them, and says which flows end when nodes have joined", () => {
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

  it("names what the topology does not say, and what is assumed for it", () => {
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

  it("gives every flow a reason with its document", () => {
    for (const { key, purpose, documents, requirement } of rowsOf({ platform: Platform.Agent }))
      expect([key, purpose.length > 10, documents.length > 0, requirement.length > 0]).toEqual([
        key,
        true,
        true,
        true,
      ]);
  });
});
