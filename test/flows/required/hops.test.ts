import { Direction, Role } from "../../../src/requirements/vocabulary";
import { View } from "../../../src/flows/model";
import { requiredFlows } from "../../../src/flows/required/requiredFlows";
import { UNKNOWN } from "../../../src/resources/resource";
import { lineOf, machines, normal, published } from "../../topology/topologies";

const hops = (raw: object) =>
  requiredFlows(normal({ ...machines, ...raw }))
    .filter(
      ({ role, direction, view }) =>
        role === Role.ControlPlane && direction === Direction.Ingress && view === View.Hop,
    )
    .map((flow) => `${lineOf(flow)}${flow.optIn ? " (opt-in)" : ""}`);
const pinned = (nodePort: number) => ({ type: "NodePort", nodePort });

describe("flows to node ports", () => {
  test("use each pinned port, and include users for the API server and OAuth", () => {
    const services = {
      apiServer: pinned(31001),
      oauthServer: pinned(31002),
      konnectivity: pinned(31003),
      ignition: pinned(31004),
    };
    expect(hops({ platform: "None", services, externalClientCidrs: ["203.0.113.0/24"] })).toEqual([
      "kube-apiserver-node-port 31001/TCP worker 10.0.0.0/16, external-client 203.0.113.0/24",
      "oauth-node-port 31002/TCP worker 10.0.0.0/16, external-client 203.0.113.0/24",
      "konnectivity-node-port 31003/TCP worker 10.0.0.0/16",
      "ignition-node-port 31004/TCP worker 10.0.0.0/16",
    ]);
  });

  test("have no users as peers if none are stated, and an unknown peer if they are unknown", () => {
    const services = { apiServer: pinned(31001) };
    expect(hops({ platform: "None", services })[0]).toBe(
      "kube-apiserver-node-port 31001/TCP worker 10.0.0.0/16",
    );
    const [api] = requiredFlows(
      normal({ ...machines, platform: "None", services, externalClientCidrs: UNKNOWN }),
    ).filter(({ key }) => key === "kube-apiserver-node-port");
    expect(api?.peers[1]).toEqual({ zone: "external-client", input: "externalClientCidrs", unknown: true });
  });

  test("use the whole range if unpinned, and only for workers", () => {
    expect(hops({ platform: "None", externalClientCidrs: ["203.0.113.0/24"] })).toEqual([
      "node-ports 30000-32767/TCP worker 10.0.0.0/16",
    ]);
  });

  test("include the NAT addresses of workers", () => {
    expect(hops({ platform: "None", workerNatCidrs: ["198.51.100.7/32"] })).toEqual([
      "node-ports 30000-32767/TCP worker 10.0.0.0/16, worker 198.51.100.7/32",
    ]);
  });
});

describe("flows of load balancers and routers", () => {
  const aws = { endpointAccess: "PublicAndPrivate", loadBalancerSubnetCidrs: ["10.1.0.0/24"] };

  test("use no host ports if the targets are not stated", () => {
    expect(hops(aws)).toEqual(["router-clients 443/TCP external-client ? externalClientCidrs"]);
  });

  test("do not include users at a router that serves none of their services", () => {
    const services = {
      ...published.NodePort,
      konnectivity: { type: "Route", hostname: "konnectivity.example.com" },
    };
    const lines = hops({ platform: "None", services, loadBalancerTargets: "ip" });
    expect(lines.map((line) => line.split(" ")[0])).toEqual([
      "node-ports",
      "router-pod",
      "router-pod-clients",
    ]);
  });

  test("go to node ports with instance targets, from workers, NAT and the load balancers", () => {
    const [, ...flows] = hops({
      ...aws,
      loadBalancerTargets: "instance",
      workerNatCidrs: ["198.51.100.7/32"],
    });
    expect(flows).toEqual([
      "load-balancer-node-ports 30000-32767/TCP worker 10.0.0.0/16, worker 198.51.100.7/32, load-balancer 10.1.0.0/24",
    ]);
  });

  test("go to pod ports with IP targets, from load balancers, and from clients only as opt-in", () => {
    expect(hops({ ...aws, loadBalancerTargets: "ip", externalClientCidrs: ["203.0.113.0/24"] })).toEqual([
      "router-clients 443/TCP external-client 203.0.113.0/24",
      "kube-apiserver-pod 6443/TCP load-balancer 10.1.0.0/24",
      "kube-apiserver-pod-clients 6443/TCP worker 10.0.0.0/16, external-client 203.0.113.0/24 (opt-in)",
      "router-pod 8443/TCP load-balancer 10.1.0.0/24",
      "router-pod-clients 8443/TCP worker 10.0.0.0/16 (opt-in)",
      "management-router-pod 443/TCP load-balancer 10.1.0.0/24",
      "management-router-pod-clients 443/TCP worker 10.0.0.0/16, external-client 203.0.113.0/24 (opt-in)",
    ]);
  });

  test("go to the control plane's own router at 8443, also if only it serves the users' routes", () => {
    const flows = hops({
      endpointAccess: "Private",
      loadBalancerTargets: "ip",
      loadBalancerSubnetCidrs: ["10.1.0.0/24"],
    });
    expect(flows).toContain("router-pod 8443/TCP load-balancer 10.1.0.0/24");
    expect(flows.filter((flow) => flow.startsWith("management-router"))).toEqual([]);
  });

  test("go to pods at 6443 on Azure and at 2040 on IBM Cloud with IP targets", () => {
    expect(hops({ platform: "Azure", loadBalancerTargets: "ip" })[1]).toMatch(/^kube-apiserver-pod 6443/);
    expect(hops({ platform: "IBMCloud", loadBalancerTargets: "ip" })[1]).toMatch(/^kube-apiserver-pod 2040/);
  });

  test("go to pods at the HostedCluster's API server port with IP targets, but never at 443", () => {
    const at = (raw: object) => hops({ platform: "OpenStack", loadBalancerTargets: "ip", ...raw })[1];
    expect(at({ apiServerPort: 7443 })).toMatch(/^kube-apiserver-pod 7443/);
    expect(at({ apiServerPort: 443 })).toMatch(/^kube-apiserver-pod 6443/);
    expect(at({ platform: "IBMCloud", apiServerPort: 7443 })).toMatch(/^kube-apiserver-pod 2040/);
  });

  test("go to konnectivity's pods with load balancers on OpenStack, without users", () => {
    const raw = { platform: "OpenStack", loadBalancerTargets: "ip", services: published.LoadBalancer };
    expect(hops({ ...raw, externalClientCidrs: ["0.0.0.0/0"] })).toEqual([
      "router-clients 443/TCP external-client 0.0.0.0/0",
      "kube-apiserver-pod 6443/TCP load-balancer ? loadBalancerSubnetCidrs",
      "kube-apiserver-pod-clients 6443/TCP worker 10.0.0.0/16, external-client 0.0.0.0/0 (opt-in)",
      "konnectivity-pod 8091/TCP load-balancer ? loadBalancerSubnetCidrs",
      "konnectivity-pod-clients 8091/TCP worker 10.0.0.0/16 (opt-in)",
      "router-pod 443/TCP load-balancer ? loadBalancerSubnetCidrs",
      "router-pod-clients 443/TCP worker 10.0.0.0/16, external-client 0.0.0.0/0 (opt-in)",
    ]);
  });
});
