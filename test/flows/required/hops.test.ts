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

describe("node ports", () => {
  test("pinned ones are opened one by one, users reach the API server and OAuth", () => {
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

  test("users of whom nothing is stated are no peers of them, and those that a plan does not know yet are", () => {
    const services = { apiServer: pinned(31001) };
    expect(hops({ platform: "None", services })[0]).toBe(
      "kube-apiserver-node-port 31001/TCP worker 10.0.0.0/16",
    );
    const [api] = requiredFlows(
      normal({ ...machines, platform: "None", services, externalClientCidrs: UNKNOWN }),
    ).filter(({ key }) => key === "kube-apiserver-node-port");
    expect(api?.peers[1]).toEqual({ zone: "external-client", input: "externalClientCidrs", unknown: true });
  });

  test("unpinned ones open the range, only to workers", () => {
    expect(hops({ platform: "None", externalClientCidrs: ["203.0.113.0/24"] })).toEqual([
      "node-ports 30000-32767/TCP worker 10.0.0.0/16",
    ]);
  });

  test("workers behind NAT come from its addresses", () => {
    expect(hops({ platform: "None", workerNatCidrs: ["198.51.100.7/32"] })).toEqual([
      "node-ports 30000-32767/TCP worker 10.0.0.0/16, worker 198.51.100.7/32",
    ]);
  });
});

describe("load balancers and routers", () => {
  const aws = { endpointAccess: "PublicAndPrivate", loadBalancerSubnetCidrs: ["10.1.0.0/24"] };

  test("without a word on their targets nothing is opened at the hop", () => {
    expect(hops(aws)).toEqual(["router-clients 443/TCP external-client ? externalClientCidrs"]);
  });

  test("users have no way through a router that serves none of theirs", () => {
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

  test("instance targets are node ports, reached from workers, NAT and the load balancers", () => {
    const [, ...flows] = hops({
      ...aws,
      loadBalancerTargets: "instance",
      workerNatCidrs: ["198.51.100.7/32"],
    });
    expect(flows).toEqual([
      "load-balancer-node-ports 30000-32767/TCP worker 10.0.0.0/16, worker 198.51.100.7/32, load-balancer 10.1.0.0/24",
    ]);
  });

  test("IP targets are pod ports, reached from load balancers' addresses: they keep clients' only on request", () => {
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

  test("the control plane's own router has its pods at 8443 even where only it serves the routes of users", () => {
    const flows = hops({
      endpointAccess: "Private",
      loadBalancerTargets: "ip",
      loadBalancerSubnetCidrs: ["10.1.0.0/24"],
    });
    expect(flows).toContain("router-pod 8443/TCP load-balancer 10.1.0.0/24");
    expect(flows.filter((flow) => flow.startsWith("management-router"))).toEqual([]);
  });

  test("IP targets keep 6443 on Azure, and 2040 on IBM Cloud, where pods listen there", () => {
    expect(hops({ platform: "Azure", loadBalancerTargets: "ip" })[1]).toMatch(/^kube-apiserver-pod 6443/);
    expect(hops({ platform: "IBMCloud", loadBalancerTargets: "ip" })[1]).toMatch(/^kube-apiserver-pod 2040/);
  });

  test("IP targets are at the port that the HostedCluster says, which for the pods is never 443", () => {
    const at = (raw: object) => hops({ platform: "OpenStack", loadBalancerTargets: "ip", ...raw })[1];
    expect(at({ apiServerPort: 7443 })).toMatch(/^kube-apiserver-pod 7443/);
    expect(at({ apiServerPort: 443 })).toMatch(/^kube-apiserver-pod 6443/);
    expect(at({ platform: "IBMCloud", apiServerPort: 7443 })).toMatch(/^kube-apiserver-pod 2040/);
  });

  test("OpenStack with load balancers: konnectivity's pods too, and no users there", () => {
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
