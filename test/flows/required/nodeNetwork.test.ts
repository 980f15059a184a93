import { Direction, NetworkType, Role } from "../../../src/requirements/vocabulary";
import { View } from "../../../src/flows/model";
import { nodeFlows } from "../../../src/flows/required/nodes";
import { lineOf, machines, normal, published } from "../../topology/topologies";

type NodeRole = Parameters<typeof nodeFlows>[1];
const flowsOf = (raw: object, role: NodeRole) => nodeFlows(normal(raw), role);
const marked = (raw: object, role: NodeRole) =>
  flowsOf(raw, role)
    .filter(({ direction }) => direction === Direction.Ingress)
    .map((flow) =>
      [lineOf(flow), ...(flow.optIn ? ["opt-in"] : []), ...(flow.samePortBothWays ? ["both"] : [])].join(" "),
    );

describe("flows between nodes", () => {
  test("for workers: Geneve, kubelet, host services, node ports and ICMP; the rest is opt-in", () => {
    expect(marked(machines, Role.Workers)).toEqual([
      "nodes-geneve 6081/UDP worker 10.0.0.0/16 both",
      "nodes-vxlan 4789/UDP worker 10.0.0.0/16 opt-in both",
      "nodes-ipsec-ike 500/UDP worker 10.0.0.0/16 opt-in both",
      "nodes-ipsec-nat 4500/UDP worker 10.0.0.0/16 opt-in both",
      "nodes-ipsec-esp every/ESP worker 10.0.0.0/16 opt-in both",
      "nodes-kubelet 10250/TCP worker 10.0.0.0/16",
      "nodes-host-services-tcp 9000-9999/TCP worker 10.0.0.0/16",
      "nodes-host-services-udp 9000-9999/UDP worker 10.0.0.0/16",
      "nodes-node-ports-tcp 30000-32767/TCP worker 10.0.0.0/16",
      "nodes-node-ports-udp 30000-32767/UDP worker 10.0.0.0/16",
      "nodes-icmp every/ICMP worker 10.0.0.0/16 both",
      "nodes-ssh 22/TCP worker 10.0.0.0/16 opt-in",
    ]);
  });

  test("for the management cluster: also its API and etcd, and services over UDP only as opt-in", () => {
    const raw = { platform: "None", managementClusterCidrs: ["10.1.0.0/16"] };
    expect(marked(raw, Role.ControlPlane)).toEqual([
      "nodes-geneve 6081/UDP control-plane 10.1.0.0/16 both",
      "nodes-vxlan 4789/UDP control-plane 10.1.0.0/16 opt-in both",
      "nodes-ipsec-ike 500/UDP control-plane 10.1.0.0/16 opt-in both",
      "nodes-ipsec-nat 4500/UDP control-plane 10.1.0.0/16 opt-in both",
      "nodes-ipsec-esp every/ESP control-plane 10.1.0.0/16 opt-in both",
      "nodes-kubelet 10250/TCP control-plane 10.1.0.0/16",
      "nodes-management-api-server 6443/TCP control-plane 10.1.0.0/16",
      "nodes-etcd-client 2379/TCP control-plane 10.1.0.0/16",
      "nodes-etcd-peer 2380/TCP control-plane 10.1.0.0/16",
      "nodes-etcd-metrics 2381/TCP control-plane 10.1.0.0/16",
      "nodes-etcd-health 9980/TCP control-plane 10.1.0.0/16",
      "nodes-host-services-tcp 9000-9999/TCP control-plane 10.1.0.0/16",
      "nodes-host-services-udp 9000-9999/UDP control-plane 10.1.0.0/16 opt-in",
      "nodes-node-ports-tcp 30000-32767/TCP control-plane 10.1.0.0/16",
      "nodes-node-ports-udp 30000-32767/UDP control-plane 10.1.0.0/16 opt-in",
      "nodes-icmp every/ICMP control-plane 10.1.0.0/16 both",
      "nodes-ssh 22/TCP control-plane 10.1.0.0/16 opt-in",
    ]);
  });

  test("on KubeVirt, tunnels of virtual machines use their own ports, those of their hosts the usual ones", () => {
    const raw = { platform: "KubeVirt", ...machines, managementClusterCidrs: ["10.1.0.0/16"] };
    const tunnels = (role: NodeRole) =>
      marked(raw, role)
        .filter((line) => /geneve|vxlan/.test(line))
        .map((line) => line.split(" ").slice(0, 2).join(" "));
    expect(tunnels(Role.Workers)).toEqual(["nodes-geneve 9880/UDP", "nodes-vxlan 9879/UDP"]);
    expect(tunnels(Role.ControlPlane)).toEqual(["nodes-geneve 6081/UDP", "nodes-vxlan 4789/UDP"]);
  });

  test("are the same in both directions, of the hop view, and never public", () => {
    const flows = flowsOf(machines, Role.Workers);
    const [into, out] = [Direction.Ingress, Direction.Egress].map((direction) =>
      flows.filter((flow) => flow.direction === direction).map(lineOf),
    );
    expect(into).toEqual(out);
    for (const { view, publicAllowed } of flows) expect([view, publicAllowed]).toEqual([View.Hop, false]);
  });

  test.each<[NetworkType, string[]]>([
    [NetworkType.OVNKubernetes, ["geneve"]],
    [NetworkType.Other, []],
    [NetworkType.OpenShiftSDN, ["vxlan"]],
    [NetworkType.Calico, ["vxlan"]],
  ])("use for %s the tunnels %j, and for the management cluster Geneve", (networkType, used) => {
    const tunnels = (role: NodeRole) =>
      flowsOf({ ...machines, networkType }, role)
        .filter(({ key, optIn }) => ["nodes-geneve", "nodes-vxlan"].includes(key) && !optIn)
        .map(({ key }) => key);
    expect(tunnels(Role.Workers)).toEqual([...used, ...used].map((tunnel) => `nodes-${tunnel}`));
    expect(tunnels(Role.ControlPlane)).toEqual(["nodes-geneve", "nodes-geneve"]);
  });
});

describe("flows from load balancers to node ports", () => {
  const checks = "load-balancer-health 30000-32767/TCP load-balancer ? loadBalancerSubnetCidrs";
  const users = "load-balancer-clients 30000-32767/TCP external-client ? externalClientCidrs";
  const konnectivityAlone = {
    ...published.NodePort,
    konnectivity: { type: "Route", hostname: "konnectivity.example.com" },
  };
  test.each<[string, object, string[]]>([
    ["targets are not stated", {}, [checks]],
    ["targets are instances", { loadBalancerTargets: "instance" }, [checks, users]],
    ["targets are pods", { loadBalancerTargets: "ip" }, []],
    ["access is private", { loadBalancerTargets: "instance", endpointAccess: "Private" }, [checks]],
    [
      "users call none of the services",
      { platform: "None", loadBalancerTargets: "instance", services: konnectivityAlone },
      [checks],
    ],
    [
      "there is no load balancer",
      { platform: "Agent", loadBalancerTargets: "instance", services: published.NodePort },
      [],
    ],
  ])("if %s", (_, raw, expected) => {
    const flows = flowsOf(raw, Role.ControlPlane).filter(({ key }) => key.startsWith("load-balancer"));
    expect(flows.map(lineOf)).toEqual(expected);
    expect(flows.map(({ view, publicAllowed }) => [view, publicAllowed])).toEqual(
      [
        [View.Hop, false],
        [View.Hop, true],
      ].slice(0, expected.length),
    );
  });

  test("have a purpose each", () => {
    const flows = flowsOf({ loadBalancerTargets: "instance" }, Role.ControlPlane).slice(-2);
    expect(flows.map(({ purpose }) => purpose)).toEqual([
      "Load balancers check the health of the services behind node ports",
      "Load balancers that keep users' addresses lead them to the node ports of APIServer, OAuthServer",
    ]);
  });

  test("do not exist for workers", () => {
    const raw = { ...machines, loadBalancerTargets: "instance" };
    expect(flowsOf(raw, Role.Workers).some(({ key }) => key.startsWith("load-balancer"))).toBe(false);
  });
});
