import { explainPacket, readPacketQuery } from "../../../src/reachability/answers/explain/explainPacket";
import { explainRule, explainWritten } from "../../../src/reachability/answers/explain/explainWritten";
import { packets } from "../../../src/reachability/packets/packetSet";
import { service } from "../../../src/reachability/packets/service";
import { requirementOf } from "../../../src/requirements/requirements";
import { Direction, Role } from "../../../src/requirements/vocabulary";
import { rules } from "../../../src/rules";
import type { PropertyValue, Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import type { NormalizedTopology } from "../../../src/topology/normalizedTopology";
import { pinned, said } from "../path/clusters";
import { documentedPlan, rule } from "../path/plan";

const topology = said({ platform: "None", services: pinned });
const explained = (text: string, cluster?: NormalizedTopology) =>
  explainPacket(readPacketQuery(text)!, cluster);
const rowsOf = (text: string, cluster?: NormalizedTopology) =>
  explained(text, cluster).rows.map(({ id }) => id);
const flowsOf = (text: string, cluster = topology) =>
  explained(text, cluster).flows.map(({ key, place, sure }) => `${key} at ${place}${sure ? "" : "?"}`);

describe("the rows that require packets", () => {
  test("match the protocol, or cover every protocol", () => {
    expect(rowsOf("ESP")).toEqual(
      expect.arrayContaining(["up-aws-worker-esp", "up-aws-worker-any", "iso-same-ns"]),
    );
    expect(rowsOf("ESP").filter((id) => /icmp|udp|tcp/.test(id))).toEqual([]);
    expect(rowsOf("any")).toEqual(
      expect.arrayContaining(["up-aws-worker-esp", "up-aws-worker-icmp", "cp-in-kas", "cp-out-dns-udp"]),
    );
    expect(rowsOf("TCP")).toEqual(expect.arrayContaining(["cp-in-kas", "up-nodeport-range"]));
    expect(rowsOf("TCP")).not.toContain("cp-out-dns-udp");
  });

  test("match the port, including the first and last of a range, or cover every port", () => {
    const range = requirementOf("up-nodeport-range").ports!;
    for (const port of [range.from, range.to])
      expect(rowsOf(`TCP ${port}`)).toEqual(expect.arrayContaining(["up-nodeport-range", "iso-same-ns"]));
    for (const port of [range.from - 1, range.to + 1])
      expect(rowsOf(`TCP ${port}`)).not.toContain("up-nodeport-range");
  });

  test("match the ends, of which the place of the row itself can be one", () => {
    expect(rowsOf("worker -> control-plane, TCP 8091", topology)).toEqual([
      "cp-in-konn-nodeport",
      "cp-in-konn-lb",
      "wk-out-konn",
    ]);
    expect(rowsOf("pod -> worker")).toEqual(["up-node-local-kas"]);
    expect(rowsOf("worker -> worker, UDP 6081")).toEqual(["up-aws-worker-any"]);
    expect(rowsOf("external-client -> control-plane, TCP 31091", topology)).toEqual(["up-nodeport-range"]);
    expect(rowsOf("container-registry -> worker, TCP 443")).toEqual([]);
  });

  test("match the platform of the topology, including ports that are replaced on it", () => {
    expect(rowsOf("TCP 7443", said({ platform: "Azure" }))).toEqual(
      expect.arrayContaining(["cp-in-kas", "cp-in-kas-azure", "wk-out-kas"]),
    );
    for (const platform of ["AWS", "IBMCloud"])
      expect(rowsOf("TCP 7443", said({ platform }))).not.toContain("cp-in-kas");
    expect(rowsOf("TCP 2040", said({ platform: "IBMCloud" }))).toContain("wk-out-kas");
    expect(rowsOf("TCP 2040")).toContain("wk-out-kas");
    expect(rowsOf("TCP 2041")).not.toContain("wk-out-kas");
    expect(rowsOf("TCP 8091", topology)).not.toContain("up-aws-worker-any");
  });

  test("belong to flows of the cluster if the query has addresses, whatever platform they were written for", () => {
    expect(rowsOf("10.0.3.4 -> 10.0.3.5, icmp", topology)).toEqual(["up-aws-worker-icmp"]);
    expect(rowsOf("192.0.2.1 -> , TCP 31091", topology)).toEqual([]);
    expect(rowsOf("-> 192.0.2.1, TCP 31091", topology)).toEqual([]);
    expect(explained("10.0.3.4 -> , TCP 31091").notes).toHaveLength(1);
    expect(explained("-> 10.0.3.4, TCP 31091").notes).toHaveLength(1);
    expect(explained("10.0.3.4 -> , TCP 31091", topology).notes).toEqual([]);
    expect(explained("worker -> , TCP 31091").notes).toEqual([]);
  });

  test("for single ports come before those for ranges, however high the ports", () => {
    const { rows } = explained("TCP 10250");
    expect(rows[0]?.id).toBe("up-aws-worker-tcp-10250");
    const found = rowsOf("TCP 9980");
    expect(found.indexOf("up-etcd-9980")).toBeLessThan(found.indexOf("up-aws-worker-tcp-9000"));
  });
});

describe("the flows that packets belong to", () => {
  const NODE_PORT = [
    "control-plane/ingress/konnectivity-node-port at ingress of control-plane",
    "workers/egress/konnectivity-node-port at egress of workers",
  ];
  /** The flows of `prove` with the same packets: the tunnel carries the requests from control planes to nodes. */
  const PROVED = ["workers-konnectivity", "control-plane-kubelet", "control-plane-webhooks"].flatMap(
    (key) => [`${key} at egress of workers`, `${key} at ingress of control-plane`],
  );

  test("are found by zones, addresses and blocks, at hosts", () => {
    expect(flowsOf("worker -> control-plane, TCP 31091")).toEqual([...NODE_PORT, ...PROVED]);
    expect(flowsOf("10.0.0.0/8 -> , TCP 31091")).toEqual(expect.arrayContaining(NODE_PORT));
    expect(flowsOf("external-client -> control-plane, TCP 31091")).toEqual([]);
    expect(flowsOf("worker -> worker, TCP 31091")).toEqual(
      expect.not.arrayContaining([expect.stringContaining("konnectivity")]) as string[],
    );
  });

  test("are found at pods, with unknown clients behind node ports", () => {
    const PODS = [
      "workers-konnectivity at pods konnectivity-server",
      "workers-konnectivity at pods kube-apiserver",
    ];
    const atPods = (text: string) => flowsOf(text).filter((line) => line.startsWith("workers-konnectivity"));
    expect(atPods("TCP 8091")).toEqual(PODS);
    expect(atPods("worker -> , TCP 8091")).toEqual(PODS);
    expect(atPods("10.0.3.4 -> , TCP 8091")).toEqual(PODS.map((line) => `${line}?`));
    expect(atPods("TCP 8092")).toEqual([]);
    const [first] = explained("TCP 8091", topology).flows.filter(({ key }) => key === "workers-konnectivity");
    expect(first?.requirements).toEqual(["cp-in-konn-nodeport", "cp-in-konn-lb"]);
    expect(first?.purpose).toBe("Workers reach Konnectivity by NodePort");
  });

  test("include uncertain flows at a port on which the documents disagree", () => {
    const { flows } = explained("worker -> control-plane, TCP 6443", said({ platform: "Azure" }));
    const said6443 = (key: string, place: string, requirement: string, purpose: string) => ({
      key,
      purpose: `${purpose}; the documents disagree on this port`,
      place,
      requirements: [requirement],
      sure: false,
    });
    expect(flows.filter(({ key }) => key.includes("disputed"))).toEqual([
      said6443(
        "control-plane/ingress/disputed-cp-in-kas",
        "ingress of control-plane",
        "cp-in-kas",
        "Nodes and users call the API server of the hosted cluster",
      ),
      said6443(
        "workers/egress/disputed-wk-out-kas",
        "egress of workers",
        "wk-out-kas",
        "Kubelets and cluster operators on the nodes call the API server",
      ),
    ]);
  });

  test("include traffic through the NAT in front of workers at the control plane, but not among workers", () => {
    const behind = said({ platform: "None", services: pinned, loadBalancerTargets: "ip" });
    expect(flowsOf("198.51.100.7 -> , TCP 31091", behind)).toEqual(
      expect.arrayContaining(["control-plane/ingress/konnectivity-node-port at ingress of control-plane"]),
    );
    for (const port of ["TCP 10250", "UDP 6081", "TCP 9100"])
      expect(flowsOf(`198.51.100.7 -> , ${port}`)).toEqual([]);
  });

  test("are uncertain if the topology does not state all addresses", () => {
    const unsaid = said({ platform: "None", services: pinned, managementClusterCidrs: undefined });
    expect(flowsOf("10.0.3.4 -> 10.1.0.9, TCP 31091", unsaid)).toEqual(
      expect.arrayContaining(NODE_PORT.map((line) => `${line}?`)),
    );
    expect(flowsOf("10.0.3.4 -> , TCP 31091", unsaid)).toEqual(expect.arrayContaining(NODE_PORT));
    expect(flowsOf("192.0.2.1 -> 10.1.0.9, TCP 31091", unsaid)).not.toEqual(
      expect.arrayContaining(NODE_PORT.map((line) => `${line}?`)),
    );
  });
});

describe("the rows that a rule of the gate checks plans against", () => {
  const rowsBehind = (id: string) =>
    explainRule(rules.find((rule) => rule.id === id)!).rows.map((row) => row.id);

  test("are those whose packets hosts see, for the rules about missing and excess ports", () => {
    const rows = rowsBehind("port-missing");
    expect(rows).toEqual(expect.arrayContaining(["cp-in-kas", "wk-out-443", "up-nodeport-range"]));
    // Only pods see these ports.
    expect(rows).not.toContain("cp-in-private-router-https");
    expect(requirementOf("cp-in-private-router-https").portSeenAt).toBe("pod");
    expect(rowsBehind("port-excess")).toEqual(rows);
  });

  test("are those that no external client may call, for the rule about public ports", () => {
    const rows = rowsBehind("port-public");
    expect(rows).toEqual(expect.arrayContaining(["up-etcd-2379", "up-nodeport-range", "cp-in-konn-lb"]));
    for (const open of ["cp-in-kas", "cp-in-route-443", "wk-out-443", "up-node-local-kas"])
      expect(rows).not.toContain(open);
  });

  test("are exactly those of the node ports, for the rule about their range", () => {
    expect(rowsBehind("node-port-range")).toEqual([
      "up-nodeport-range",
      "up-aws-worker-tcp-30000",
      "up-aws-worker-udp-30000",
    ]);
  });

  test("are those of ingress to control-plane pods, for the rules about isolation", () => {
    const rows = rowsBehind("isolation-flow-blocked");
    expect(rows).toEqual(expect.arrayContaining(["cp-in-kas", "cp-in-private-router-https", "iso-same-ns"]));
    for (const other of ["cp-out-443", "up-nodeport-range", "up-aws-worker-ssh", "up-node-local-kas"])
      expect(rows).not.toContain(other);
    expect(rowsBehind("isolation-flow-excess")).toEqual(rows);
    expect(rowsBehind("isolation-default-deny")).toEqual(rows);
  });
});

describe("the explanation of a rule in a plan", () => {
  const ssh = (
    name: string,
    more: Record<string, PropertyValue> = {},
    direction: Direction = Direction.Ingress,
  ) =>
    rule(Role.Workers, direction, name, {
      ipProtocol: "tcp",
      fromPort: 2022,
      toPort: 2022,
      cidrIpv4: "192.0.2.0/24",
      ...more,
    });
  const ask = (asked: Resource, others: readonly Resource[] = [], cluster = topology) =>
    explainWritten(
      { index: new ResourceIndex([...documentedPlan(cluster), asked, ...others]), topology: cluster },
      asked,
    );

  test("lists the rule's own excess, not that of other rules at the same place", () => {
    const { places } = ask(ssh("one"), [ssh("two", { fromPort: 2000, toPort: 2001 })]);
    expect(places).toMatchObject([{ excess: ["TCP 2022 from 192.0.2.0/24"] }]);
  });

  test("lists as excess only what the rule opens beyond what the user declares", () => {
    const one = ssh("one", { toPort: 2023 });
    const declared = () => packets({ services: [service(6, { from: 2022, to: 2022 })] });
    const index = new ResourceIndex([...documentedPlan(topology), one]);
    expect(explainWritten({ index, topology, declared }, one).places).toMatchObject([
      { excess: ["TCP 2023 from 192.0.2.0/24"] },
    ]);
  });

  test("lists flows whose other ends are among its addresses: sources of ingress, destinations of egress", () => {
    const keys = (resource: Resource) =>
      ask(resource).places.flatMap(({ place, flows }) => flows.map(({ key }) => `${key} at ${place}`));
    const konnectivity = { fromPort: 31_091, toPort: 31_091 };
    expect(keys(ssh("to", { ...konnectivity, cidrIpv4: "10.1.0.0/16" }, Direction.Egress))).toEqual([
      "workers/egress/konnectivity-node-port at egress of workers",
    ]);
    expect(keys(ssh("elsewhere", konnectivity, Direction.Egress))).toEqual([]);
    const kubelet = { fromPort: 10_250, toPort: 10_250 };
    expect(keys(ssh("from", { ...kubelet, cidrIpv4: "10.0.0.0/16" }))).toEqual([
      "workers/ingress/nodes-kubelet at ingress of workers",
    ]);
    expect(keys(ssh("nobody", kubelet))).toEqual([]);
  });

  test("marks flows as uncertain if the topology does not state all addresses", () => {
    const unsaid = said({ platform: "None", services: pinned, managementClusterCidrs: undefined });
    const one = ssh("to", { fromPort: 31_091, toPort: 31_091 }, Direction.Egress);
    expect(ask(one, [], unsaid).places[0]?.flows).toMatchObject([
      { key: "workers/egress/konnectivity-node-port", sure: false },
    ]);
    const known = ssh("to", { fromPort: 31_091, toPort: 31_091, cidrIpv4: "10.1.0.0/16" }, Direction.Egress);
    expect(ask(known).places[0]?.flows).toMatchObject([{ sure: true }]);
  });
});
