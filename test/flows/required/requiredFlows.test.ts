import { ALL_PLATFORMS } from "../../../src/requirements/requirement";
import { Direction, Phase, Platform, Zone, Role } from "../../../src/requirements/vocabulary";
import { View, flowKey, type RequiredFlow } from "../../../src/flows/model";
import { requiredFlows } from "../../../src/flows/required/requiredFlows";
import { proxyFlows, unknownProxyFlows } from "../../../src/flows/required/fromRow";
import { withDefaultWorkerGroup } from "../../../src/flows/required/workers";
import { UNKNOWN } from "../../../src/resources/resource";
import { lineOf, machines, normal, openly, published } from "../../topology/topologies";

const flowsOf = (raw: object) => requiredFlows(normal(raw));
const select = (flows: readonly RequiredFlow[], role: Role, direction: Direction, view?: View) =>
  flows
    .filter((flow) => flow.role === role && flow.direction === direction && !flow.optIn)
    .filter((flow) => view === undefined || flow.view === view)
    .map(lineOf);
const hostIngress = (raw: object, view = View.Documented) =>
  select(flowsOf(raw), Role.ControlPlane, Direction.Ingress, view);
const keysOf = (raw: object) =>
  flowsOf(raw)
    .filter(({ optIn }) => !optIn)
    .map(({ key }) => key);
const optIns = (raw: object) =>
  flowsOf(raw)
    .filter(({ optIn }) => optIn)
    .map(({ key }) => key);

const everythingStated = {
  ...machines,
  externalClientCidrs: ["203.0.113.0/24"],
  managementClusterCidrs: ["10.1.0.0/16"],
  dnsServerCidrs: ["10.1.0.2/32"],
  registryCidrs: ["198.51.100.0/24"],
  controlPlaneEndpointCidrs: ["192.0.2.0/24"],
};

describe("M2 the example firewall configuration of the documents", () => {
  test("Route on AWS: 6443 from nodes and clients, 443 from nodes", () => {
    const raw = { ...everythingStated, services: published.Route };
    expect(hostIngress(raw)).toEqual([
      "kube-apiserver 6443/TCP worker 10.0.0.0/16, external-client 203.0.113.0/24",
      "router 443/TCP worker 10.0.0.0/16",
    ]);
    expect(hostIngress(raw, View.Hop)).toEqual(["router-clients 443/TCP external-client 203.0.113.0/24"]);
    expect(select(flowsOf(raw), Role.ControlPlane, Direction.Egress)).toEqual([
      "https 443/TCP container-registry 198.51.100.0/24, route 192.0.2.0/24",
      "management-api 6443/TCP management-api 10.1.0.0/16",
      "dns-tcp 53/TCP dns-server 10.1.0.2/32",
      "dns-udp 53/UDP dns-server 10.1.0.2/32",
    ]);
  });

  test.each(["OpenStack", "None"])(
    "NodePort on %s adds 8091, 8443 and 9090, and needs no router",
    (platform) => {
      expect(hostIngress({ ...everythingStated, platform, services: published.NodePort })).toEqual([
        "kube-apiserver 6443/TCP worker 10.0.0.0/16, external-client 203.0.113.0/24",
        "konnectivity 8091/TCP worker 10.0.0.0/16",
        "ignition-proxy 8443/TCP worker 10.0.0.0/16",
        "ignition-server 9090/TCP worker 10.0.0.0/16",
      ]);
    },
  );

  test.each(["OpenStack", "None"])(
    "LoadBalancer on %s has the router's port, and adds only 8091",
    (platform) => {
      expect(hostIngress({ ...everythingStated, platform, services: published.LoadBalancer })).toEqual([
        "kube-apiserver 6443/TCP worker 10.0.0.0/16, external-client 203.0.113.0/24",
        "konnectivity 8091/TCP worker 10.0.0.0/16",
        "router 443/TCP worker 10.0.0.0/16",
      ]);
    },
  );
});

describe("M1 flows by platform", () => {
  test("on Azure, a load balancer has 7443 instead of 6443, a Route does not", () => {
    const api = (services: object) => hostIngress({ ...machines, platform: "Azure", services })[0];
    expect(api({})).toMatch(/^kube-apiserver 7443/);
    expect(api(published.Route)).toMatch(/^kube-apiserver 6443/);
  });

  test("IBM Cloud has 2040 with every strategy, and no ignition proxy", () => {
    for (const services of [published.Route, published.NodePort, published.LoadBalancer]) {
      const raw = { ...machines, platform: "IBMCloud", services };
      expect(hostIngress(raw)[0]).toMatch(/^kube-apiserver 2040/);
      expect(keysOf(raw)).not.toContain("ignition-proxy");
    }
    expect(keysOf({ platform: "IBMCloud", services: published.NodePort })).toContain("ignition-server");
  });

  test("probes of pods are opt-in on the platforms for which the documents list them", () => {
    const probes = ALL_PLATFORMS.map((platform) => [
      platform,
      optIns({ platform }).filter((key) => key.endsWith("-health") && key !== "egressip-health"),
    ]);
    expect(Object.fromEntries(probes)).toEqual({
      AWS: ["capi-health"],
      Azure: [],
      GCP: [],
      IBMCloud: [],
      PowerVS: ["capi-health"],
      KubeVirt: ["capi-health"],
      OpenStack: ["capi-health", "orc-health"],
      Agent: ["capi-health"],
      None: [],
    });
  });

  test("Agent's probe is at 8081, and its metrics on localhost are not a flow", () => {
    const flows = flowsOf({ platform: "Agent", managementClusterCidrs: ["10.1.0.0/16"] });
    expect(flows.filter(({ key }) => key === "capi-health").map(lineOf)).toEqual([
      "capi-health 8081/TCP management-kubelet 10.1.0.0/16",
    ]);
    expect(flows.filter(({ ports }) => ports && ports.from <= 8080 && ports.to >= 8080)).toEqual([]);
  });

  test("Agent and None have the ignition proxy at 8443", () => {
    for (const platform of ["Agent", "None"])
      expect(hostIngress({ ...machines, platform, services: published.NodePort })).toContain(
        "ignition-proxy 8443/TCP worker 10.0.0.0/16",
      );
  });

  test("the probe of OpenStack's resource controller exists from 4.19 on", () => {
    expect(optIns({ platform: "OpenStack", release: "4.18" })).not.toContain("orc-health");
    expect(optIns({ platform: "OpenStack", release: "4.19" })).toContain("orc-health");
  });
});

describe("M2 9090 is opened for NodePort, and opt-in for Route", () => {
  test.each([
    ["NodePort", published.NodePort, false],
    ["Route", published.Route, true],
  ])("%s", (_, services, optIn) => {
    const flow = flowsOf({ platform: "None", services }).find(({ key }) => key === "ignition-server")!;
    expect(flow.optIn).toBe(optIn);
    expect(flow.notes.join()).toMatch(/contradict/);
  });
});

describe("M3 private clusters", () => {
  const endpoint = (raw: object) =>
    flowsOf({ ...everythingStated, ...raw })
      .filter(({ role }) => role === Role.PrivateEndpoint)
      .map(lineOf);

  test("the endpoint has 443, and 6443 if the API server has its own load balancer", () => {
    expect(endpoint({ endpointAccess: "PublicAndPrivate" })).toEqual([
      "endpoint-router 443/TCP machine-network 10.0.0.0/16",
      "endpoint-kube-apiserver 6443/TCP machine-network 10.0.0.0/16",
    ]);
    expect(endpoint({ endpointAccess: "PublicAndPrivate", services: published.Route })).toEqual([
      "endpoint-router 443/TCP machine-network 10.0.0.0/16",
    ]);
  });

  test("external clients come through the endpoint if there is no public access", () => {
    expect(endpoint({ endpointAccess: "Private", services: published.Route })).toEqual([
      "endpoint-router 443/TCP machine-network 10.0.0.0/16",
      "endpoint-router-clients 443/TCP external-client 203.0.113.0/24",
    ]);
  });

  test("external clients that are not stated have no flow to the endpoint", () => {
    expect(
      endpoint({ endpointAccess: "Private", services: published.Route, externalClientCidrs: [] }),
    ).toEqual(["endpoint-router 443/TCP machine-network 10.0.0.0/16"]);
  });

  test("public clusters have no endpoint", () => {
    expect(endpoint({ endpointAccess: "Public" })).toEqual([]);
  });

  test.each([
    ["AWS", "Private", true],
    ["Azure", "PublicAndPrivate", true],
    ["GCP", "Private", true],
    ["AWS", "Public", false],
    ["KubeVirt", undefined, false],
  ])(
    "the private router's pod ports are opt-in on %s with %s access: %s",
    (platform, endpointAccess, there) => {
      const keys = optIns({ platform, endpointAccess, services: published.Route });
      expect(keys.includes("private-router-http") && keys.includes("private-router-https")).toBe(there);
    },
  );
});

describe("M4 egress flows of workers", () => {
  const egress = (raw: object) => select(flowsOf(raw), Role.Workers, Direction.Egress);

  test("on AWS with private access go to the endpoint in their own network", () => {
    expect(
      egress({ ...machines, endpointAccess: "PublicAndPrivate", registryCidrs: ["198.51.100.0/24"] }),
    ).toEqual([
      "https 443/TCP container-registry 198.51.100.0/24, route 10.0.0.0/16",
      "kube-apiserver 6443/TCP control-plane 10.0.0.0/16",
      "dns-tcp 53/TCP dns-server 10.0.0.0/16 assumed",
      "dns-udp 53/UDP dns-server 10.0.0.0/16 assumed",
    ]);
  });

  test("on Agent go to node ports, pinned and unpinned", () => {
    const services = { ...published.NodePort, konnectivity: { type: "NodePort", nodePort: 31091 } };
    expect(egress({ ...everythingStated, platform: "Agent", services })).toEqual([
      "https 443/TCP container-registry 198.51.100.0/24, route 192.0.2.0/24",
      "kube-apiserver 6443/TCP control-plane 10.1.0.0/16",
      "konnectivity 8091/TCP control-plane 10.1.0.0/16",
      "ignition-proxy 8443/TCP control-plane 10.1.0.0/16",
      "dns-tcp 53/TCP dns-server 10.1.0.2/32",
      "dns-udp 53/UDP dns-server 10.1.0.2/32",
      "konnectivity-node-port 31091/TCP control-plane 10.1.0.0/16",
      "node-ports 30000-32767/TCP control-plane 10.1.0.0/16",
    ]);
  });

  test.each([
    ["Azure", {}, "7443"],
    ["IBMCloud", {}, "2040"],
    ["GCP", {}, "6443"],
  ])("on %s the API server's port is %s", (platform, services, port) => {
    expect(egress({ ...machines, platform, services })[1]).toMatch(new RegExp(`^kube-apiserver ${port}/TCP`));
  });

  test("8443 is documented only for Agent and bare metal", () => {
    const withoutNodePorts: readonly Platform[] = [Platform.AWS, Platform.Azure];
    const withProxy = ALL_PLATFORMS.filter((platform) => !withoutNodePorts.includes(platform)).filter(
      (platform) =>
        egress({ ...openly(platform), platform, services: published.NodePort }).some((line) =>
          line.startsWith("ignition-proxy"),
        ),
    );
    expect(withProxy).toEqual(["Agent", "None"]);
  });
});

describe("M5 bootstrap", () => {
  const closed = { ...machines, platform: "None", bootstrap: false };

  test("after the bootstrap no flow of ignition is left, nor its node port", () => {
    const services = { ...published.NodePort, ignition: { type: "NodePort", nodePort: 31443 } };
    const keys = keysOf({ ...closed, services });
    expect(keys.filter((key) => key.includes("ignition"))).toEqual([]);
    expect(keysOf({ ...closed, bootstrap: true, services })).toEqual(
      expect.arrayContaining(["ignition-proxy", "ignition-server", "ignition-node-port"]),
    );
  });

  test("a node-port range that only ignition needs is closed, too", () => {
    const pinned = (nodePort: number) => ({ type: "NodePort", nodePort });
    const services = { apiServer: pinned(31001), oauthServer: pinned(31002), konnectivity: pinned(31003) };
    expect(keysOf({ ...closed, services })).not.toContain("node-ports");
    expect(keysOf({ ...closed, bootstrap: true, services })).toContain("node-ports");
    const flows = flowsOf({ ...closed, bootstrap: true, services });
    expect(flows.find(({ key }) => key === "node-ports")?.phase).toBe(Phase.Bootstrap);
  });
});

test("the flow to a proxy of unknown URL has neither addresses nor ports", () => {
  const topology = normal({ ...machines, proxy: { httpProxy: UNKNOWN, httpsProxy: "http://10.9.0.1:3128" } });
  expect(proxyFlows(topology).map(lineOf)).toEqual(["https-proxy 3128/TCP http-proxy 10.9.0.1/32"]);
  const [unknown, ...others] = unknownProxyFlows(topology);
  expect(others).toEqual([]);
  expect(unknown).toEqual({
    ...proxyFlows(normal({ ...machines, proxy: { httpProxy: "http://proxy.example.com:3128" } }))[0],
    ports: undefined,
  });
  expect(unknown).not.toHaveProperty("ports");
  expect(unknown).toMatchObject({
    key: "http-proxy",
    peers: [{ zone: Zone.HttpProxy, input: "proxy.httpProxy" }],
    purpose: "Workers reach the proxy that httpProxy names",
  });
});

test("unknown values select no flow, and mark their peers as unknown", () => {
  const flows = flowsOf({ machineNetwork: UNKNOWN, services: { konnectivity: UNKNOWN }, platform: "None" });
  expect(flows.map(({ key }) => key)).not.toContain("konnectivity");
  const api = flows.find(({ key, role }) => key === "kube-apiserver" && role === Role.ControlPlane)!;
  expect(api.peers[0]).toEqual({ zone: "worker", input: "workerCidrs", unknown: true });
});

describe("a cluster of both address families", () => {
  const dual = {
    ...machines,
    clusterNetwork: [{ cidr: "10.128.0.0/14" }, { cidr: "fd01::/48" }],
    serviceNetwork: [{ cidr: "172.30.0.0/16" }, { cidr: "fd02::/112" }],
  };

  test("has 0.0.0.0/0 and ::/0 for any address", () => {
    const lines = requiredFlows(normal(dual)).map(lineOf);
    expect(lines.filter((line) => line.includes("::/0"))).toEqual([
      "https 443/TCP external-https 0.0.0.0/0 ::/0 assumed",
      "https 443/TCP external-https 0.0.0.0/0 ::/0 assumed",
      "kube-apiserver 6443/TCP control-plane 0.0.0.0/0 ::/0 assumed",
      "worker-any every/any any 0.0.0.0/0 ::/0",
    ]);
    expect(requiredFlows(normal(machines)).map(lineOf).join()).not.toContain("::/0");
  });
});

describe("the security group that HyperShift creates for workers", () => {
  test("is opt-in, and has all of its rules if requested", () => {
    const flows = requiredFlows(normal(machines));
    const ofGroup = flows.filter(({ requirement }) => requirement.startsWith("up-aws-worker"));
    expect(ofGroup.length).toBeGreaterThan(10);
    expect(ofGroup.every(({ optIn }) => optIn)).toBe(true);
    const asked = withDefaultWorkerGroup(flows);
    expect(
      asked.filter(({ requirement }) => requirement.startsWith("up-aws-worker")).every(({ optIn }) => !optIn),
    ).toBe(true);
    const others = (list: typeof flows) =>
      list.filter(({ requirement }) => !requirement.startsWith("up-aws-worker"));
    expect(others(asked)).toEqual(others(flows));
    expect(asked.map(flowKey)).toEqual(flows.map(flowKey));
  });

  test("has flows with its rules' keys, and its members as a peer without addresses", () => {
    const key = (wanted: string) => requiredFlows(normal(machines)).find((flow) => flowKey(flow) === wanted);
    expect(key("workers/egress/worker-any")?.peers).toMatchObject([{ zone: "any", input: "" }]);
    expect(key("workers/ingress/worker-udp-6081")?.peers).toEqual([
      { zone: Zone.SameSecurityGroup, input: "" },
    ]);
    expect(key("workers/ingress/worker-icmp")?.peers.map(({ input }) => input)).toEqual(["machineNetwork"]);
    expect(requiredFlows(normal({ ...machines, platform: "KubeVirt" })).map(flowKey)).not.toContain(
      "workers/egress/worker-any",
    );
  });
});
