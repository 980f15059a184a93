import {
  ruleRow,
  type SecurityGroupOptions,
  securityGroupRules,
} from "../../../src/securityGroups/component/securityGroupRules";
import {
  Direction,
  EndpointAccess,
  LoadBalancerTargets,
  Platform,
  PublishingType,
  Role,
} from "../../../src/requirements/vocabulary";
import type { HostedClusterTopology } from "../../../src/topology/hostedClusterTopology";
import { View } from "../../../src/flows/model";
import { goldenCases } from "./goldenCases";
import { CLIENTS, WORKERS, egress, faultsOf, ingress, topologyOf, workerEgress } from "./ruleTables";

describe("D0 the rules match the example firewall configuration", () => {
  const route = topologyOf("aws-route");

  it("Route on AWS: 6443 from nodes and users, 443 from nodes", () => {
    const options = { disabledRules: ["control-plane/ingress/router-clients"] };
    expect(ingress(route, options)).toEqual([
      `TCP 443 ${WORKERS}`,
      `TCP 6443 ${WORKERS}`,
      `TCP 6443 ${CLIENTS}`,
    ]);
  });

  it("Route on AWS: in addition to the documents, 443 from users whose browsers log in", () => {
    expect(ingress(route).filter((rule) => rule.startsWith("TCP 443 "))).toEqual([
      `TCP 443 ${WORKERS}`,
      `TCP 443 ${CLIENTS}`,
    ]);
  });

  it("Route on AWS: 443 to registries and routes, 6443 to the management API, 53 to DNS", () => {
    expect(egress(route)).toEqual([
      "TCP 443 10.1.0.0/16",
      "TCP 443 198.51.100.0/24",
      "TCP 53 10.1.0.2/32",
      "TCP 6443 10.1.0.0/16",
      "UDP 53 10.1.0.2/32",
    ]);
  });

  it.each(["openstack-nodeport", "none-nodeport"])(
    "NodePort, %s: 8091, 8443 and 9090 only from nodes",
    (name) => {
      const rules = ingress(topologyOf(name));
      for (const port of ["8091", "8443", "9090"]) {
        expect(rules.filter((rule) => rule.startsWith(`TCP ${port} `))).toEqual([`TCP ${port} ${WORKERS}`]);
      }
    },
  );

  it.each(["openstack-loadbalancer", "none-loadbalancer"])(
    "LoadBalancer, %s: 8091 and no ignition ports",
    (name) => {
      const rules = ingress(topologyOf(name));
      expect(rules).toContain(`TCP 8091 ${WORKERS}`);
      expect(rules.filter((rule) => /^TCP (8443|9090) /.test(rule))).toEqual([]);
    },
  );

  it.each(["aws-nodeport", "aws-loadbalancer", "azure-nodeport", "azure-loadbalancer"])(
    "%s, which HyperShift refuses, has faults and no rules",
    (name) => {
      const { rules, faults } = securityGroupRules(topologyOf(name));
      expect(rules).toEqual([]);
      expect(faults.map(({ path }) => path)).toContain("topology.services.konnectivity.type");
    },
  );
});

describe("M1 the port of the API server depends on the platform", () => {
  it.each([
    ["azure-route", "7443"],
    ["ibmcloud-route", "2040"],
    ["gcp-route-private", "6443"],
    ["powervs-route", "6443"],
  ])("%s: the port is %s and no other", (name, port) => {
    const ports = ingress(topologyOf(name)).filter((rule) => /^TCP (6443|7443|2040) /.test(rule));
    expect(new Set(ports.map((rule) => rule.split(" ")[1]))).toEqual(new Set([port]));
    expect(workerEgress(topologyOf(name)).some((rule) => rule.startsWith(`TCP ${port} `))).toBe(true);
  });

  it.each([
    ["aws-route", "control-plane/ingress/capi-health", "9440"],
    ["kubevirt-route", "control-plane/ingress/capi-health", "9440"],
    ["powervs-route", "control-plane/ingress/capi-health", "9440"],
    ["openstack-route", "control-plane/ingress/orc-health", "8081"],
    ["agent-nodeport", "control-plane/ingress/capi-health", "8081"],
  ])("%s: the pods' health port is closed by default and opened by %s", (name, key, port) => {
    const opened = (options: SecurityGroupOptions): string[] =>
      ingress(topologyOf(name), options).filter((rule) => rule.startsWith(`TCP ${port} `));
    expect(opened({})).toEqual([]);
    expect(opened({ enabledRules: [key] })).toEqual([`TCP ${port} 10.1.0.0/16`]);
  });

  it("IBM Cloud has no rule for the ignition proxy", () => {
    expect(ingress(topologyOf("ibmcloud-nodeport")).filter((rule) => rule.startsWith("TCP 8443 "))).toEqual(
      [],
    );
  });
});

describe("M2 the port at the hop", () => {
  it("a pinned node port is opened in addition to the documented port, from the same sources", () => {
    const rules = ingress(topologyOf("agent-nodeport-pinned"));
    expect(rules).toContain(`TCP 8091 ${WORKERS}`);
    expect(rules.filter((rule) => rule.startsWith("TCP 31091 "))).toEqual([`TCP 31091 ${WORKERS}`]);
    expect(rules.some((rule) => rule.includes("30000-32767"))).toBe(false);
  });

  it("without a pinned port the node-port range is opened only from workers", () => {
    const range = ingress(topologyOf("agent-nodeport")).filter((rule) => rule.includes("30000-32767"));
    expect(range).toEqual([`TCP 30000-32767 ${WORKERS}`]);
  });

  it("with instance targets node ports are opened to workers, NAT and load balancers", () => {
    const range = ingress(topologyOf("aws-route-instance-targets")).filter((rule) =>
      rule.includes("30000-32767"),
    );
    expect(range).toEqual([
      `TCP 30000-32767 ${WORKERS}`,
      "TCP 30000-32767 10.1.1.0/24",
      "TCP 30000-32767 192.0.2.7/32",
    ]);
  });

  it("a topology without loadBalancerTargets causes a warning", () => {
    const { warnings } = securityGroupRules(topologyOf("aws-route"));
    expect(warnings.join("\n")).toContain("topology.loadBalancerTargets missing");
  });
});

describe("M3 private clusters", () => {
  it.each(["aws", "azure", "gcp"])(
    "%s: the private router's pod ports 8080 and 8443 open on demand",
    (platform) => {
      const topology = topologyOf(`${platform}-route-private`, { loadBalancerSubnetCidrs: ["10.1.1.0/24"] });
      const enabledRules = [
        "control-plane/ingress/private-router-http",
        "control-plane/ingress/private-router-https",
      ];
      const rules = ingress(topology, { enabledRules });
      expect(rules).toEqual(expect.arrayContaining(["TCP 8080 10.1.1.0/24", "TCP 8443 10.1.1.0/24"]));
      expect(ingress(topology).filter((rule) => rule.startsWith("TCP 8080 "))).toEqual([]);
    },
  );
});

describe("M4 egress of the workers", () => {
  it("Route: 443, 6443 and DNS, and nothing for konnectivity", () => {
    const ports = workerEgress(topologyOf("aws-route")).map((rule) => rule.split(" ").slice(0, 2).join(" "));
    expect([...new Set(ports)]).toEqual(["TCP 443", "TCP 53", "TCP 6443", "UDP 53"]);
  });

  it.each(["agent-nodeport", "none-nodeport"])("%s: also 8091 and 8443", (name) => {
    const rules = workerEgress(topologyOf(name));
    expect(rules).toEqual(expect.arrayContaining(["TCP 8091 10.1.0.0/16", "TCP 8443 10.1.0.0/16"]));
  });

  it("LoadBalancer: also 8091", () => {
    expect(workerEgress(topologyOf("none-loadbalancer")).some((rule) => rule.startsWith("TCP 8091 "))).toBe(
      true,
    );
  });
});

describe("M5 sources", () => {
  const cases = goldenCases.filter(({ topology }) => securityGroupRules(topology).faults.length === 0);

  it.each(cases.map(({ name, topology }) => [name, topology] as const))(
    "%s: 8091, 8443 and 9090 are not opened to external clients",
    (_, topology) => {
      const rules = securityGroupRules(topology).rules.filter(
        ({ direction }) => direction === Direction.Ingress,
      );
      const sensitive = rules.filter(
        ({ ports, views }) => /8091|8443|9090/.test(String(ports?.from)) && views.includes(View.Documented),
      );
      expect(sensitive.map((rule) => ruleRow(rule).peer).filter((peer) => peer === CLIENTS)).toEqual([]);
    },
  );

  it.each(cases.map(({ name, topology }) => [name, topology] as const))(
    "%s: 8080 is never opened",
    (_, topology) => {
      expect(ingress(topology).filter((rule) => rule.startsWith("TCP 8080 "))).toEqual([]);
    },
  );

  it("only ports that may be public are opened to everybody", () => {
    expect(faultsOf(topologyOf("agent-nodeport", { workerCidrs: ["0.0.0.0/0"] }))).toEqual([
      "topology.workerCidrs 0.0.0.0/0 would open konnectivity (TCP 8091), ignition-proxy (TCP 8443), " +
        "ignition-server (TCP 9090), node-ports (TCP 30000-32767) to everybody",
    ]);
    const everybody = topologyOf("aws-route", { externalClientCidrs: ["0.0.0.0/0", "::/0"] });
    expect(ingress(everybody)).toEqual(expect.arrayContaining(["TCP 6443 0.0.0.0/0", "TCP 6443 ::/0"]));
  });

  it("without externalClientCidrs there is no rule for users, and a warning", () => {
    const topology = topologyOf("aws-route", { externalClientCidrs: undefined });
    expect(ingress(topology)).toEqual([`TCP 443 ${WORKERS}`, `TCP 6443 ${WORKERS}`]);
    expect(securityGroupRules(topology).warnings.join("\n")).toContain(
      "topology.externalClientCidrs missing",
    );
  });

  it("the ignition ports close after bootstrap", () => {
    const open = ingress(topologyOf("agent-nodeport-pinned"));
    const closed = ingress(topologyOf("agent-nodeport-pinned-after-bootstrap"));
    expect(open.filter((rule) => !closed.includes(rule))).toEqual([
      `TCP 31443 ${WORKERS}`,
      `TCP 8443 ${WORKERS}`,
      `TCP 9090 ${WORKERS}`,
    ]);
  });
});

describe("every documented flow has its own rule", () => {
  const everywhere = [
    "control-plane/egress/dns-tcp",
    "control-plane/egress/dns-udp",
    "control-plane/egress/https",
    "control-plane/egress/management-api",
    "control-plane/ingress/kube-apiserver",
    "workers/egress/dns-tcp",
    "workers/egress/dns-udp",
    "workers/egress/https",
    "workers/egress/kube-apiserver",
  ];
  const router = ["control-plane/ingress/router"];
  const konnectivity = ["control-plane/ingress/konnectivity", "workers/egress/konnectivity"];
  const ignition = ["control-plane/ingress/ignition-proxy", "control-plane/ingress/ignition-server"];
  const documented: Readonly<Record<string, readonly string[]>> = {
    "aws-route": [...everywhere, ...router],
    "azure-route": [...everywhere, ...router],
    "gcp-route-private": [...everywhere, ...router],
    "openstack-nodeport": [...everywhere, ...konnectivity, ...ignition],
    "none-nodeport": [...everywhere, ...konnectivity, ...ignition, "workers/egress/ignition-proxy"],
    "agent-nodeport": [...everywhere, ...konnectivity, ...ignition, "workers/egress/ignition-proxy"],
    "none-loadbalancer": [...everywhere, ...konnectivity, ...router],
    "openstack-loadbalancer": [...everywhere, ...konnectivity, ...router],
  };
  const flowsWithRules = (topology: HostedClusterTopology, options?: SecurityGroupOptions): string[] => {
    const rules = securityGroupRules(topology, options).rules.filter(({ views }) =>
      views.includes(View.Documented),
    );
    return [...new Set(rules.flatMap(({ flows }) => flows))].sort();
  };

  it.each(Object.entries(documented))("%s has exactly the documented flows", (name, flows) => {
    expect(flowsWithRules(topologyOf(name))).toEqual([...flows].sort());
  });

  it.each(Object.entries(documented).flatMap(([name, flows]) => flows.map((flow) => [name, flow] as const)))(
    "%s with %s disabled lacks only that flow",
    (name, flow) => {
      const left = flowsWithRules(topologyOf(name), { disabledRules: [flow] });
      expect(documented[name]!.filter((each) => !left.includes(each))).toEqual([flow]);
    },
  );
});

it("faults of the topology, the peers, the rules and the quota are reported all at once", () => {
  const topology = topologyOf("aws-route", {
    platform: Platform.AWS,
    loadBalancerTargets: "sometimes" as LoadBalancerTargets,
    services: { konnectivity: { type: PublishingType.NodePort } },
    registryCidrs: ["198.51.100.1"],
  });
  const options = {
    peers: { nobody: {} },
    additionalRules: { "a b": null },
    ruleQuota: 0,
  } as unknown as SecurityGroupOptions;
  expect(securityGroupRules(topology, options).faults.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      "topology.loadBalancerTargets",
      "topology.services.konnectivity.type",
      "topology.registryCidrs[0]",
      "peers.nobody",
      "additionalRules.a b",
      "ruleQuota",
    ]),
  );
});

describe("the address of a node port", () => {
  const namesWith = (address?: string, more: Partial<HostedClusterTopology> = {}) => {
    const service = (nodePort: number) => ({
      type: PublishingType.NodePort,
      nodePort,
      ...(address !== undefined && { address }),
    });
    const { rules, faults } = securityGroupRules({
      ...topologyOf("none-nodeport"),
      services: {
        apiServer: service(30_001),
        oauthServer: service(30_002),
        konnectivity: service(30_003),
        ignition: service(30_004),
      },
      ...more,
    });
    expect(faults).toEqual([]);
    return rules.map((rule) => `${rule.role}/${rule.direction}/${ruleRow(rule).key}`);
  };

  it("gets no rule of its own inside managementClusterCidrs, or as a host name", () => {
    expect(namesWith("10.1.0.10")).toEqual(namesWith());
    expect(namesWith("nodes.example.com")).toEqual(namesWith());
  });

  it("gets one rule for each port outside of managementClusterCidrs, in addition to all others", () => {
    const before = new Set(namesWith());
    const after = namesWith("10.9.0.5");
    const added = after.filter((name) => !before.has(name));
    expect([...before].filter((name) => !after.includes(name))).toEqual([]);
    expect(added.sort()).toEqual(
      [30_001, 30_002, 30_003, 30_004, 6443, 8091, 8443].map(
        (port) => `workers/egress/tcp-${port}-10.9.0.5-32`,
      ),
    );
  });

  it("leaves the rules for the component's own group if managementClusterCidrs is missing", () => {
    const none = { managementClusterCidrs: [] };
    const after = namesWith("10.9.0.5", none);
    expect(after).toEqual(expect.arrayContaining(namesWith(undefined, none)));
    expect(after).toContain("workers/egress/tcp-30003-control-plane");
    expect(after).toContain("workers/egress/tcp-30003-10.9.0.5-32");
  });
});

describe("with public and private access", () => {
  const networks = { managementClusterCidrs: ["10.1.0.0/16"], registryCidrs: ["198.51.100.0/24"] };
  const rulesTo = (more: Partial<HostedClusterTopology>) => {
    const { rules, faults } = securityGroupRules({
      name: "tenant-a",
      platform: Platform.AWS,
      endpointAccess: EndpointAccess.PublicAndPrivate,
      machineNetwork: [{ cidr: "10.0.0.0/16" }],
      dnsServerCidrs: ["10.1.0.2/32"],
      ...networks,
      ...more,
    });
    expect(faults).toEqual([]);
    return rules
      .filter(({ role, direction }) => role === Role.Workers && direction === Direction.Egress)
      .map((rule) => ruleRow(rule).key);
  };

  it("workers reach the endpoint in the machine network, and the stated public addresses stay open", () => {
    expect(rulesTo({ controlPlaneEndpointCidrs: ["192.0.2.128/28"] })).toEqual(
      expect.arrayContaining([
        "tcp-443-10.0.0.0-16",
        "tcp-443-192.0.2.128-28",
        "tcp-6443-10.0.0.0-16",
        "tcp-6443-192.0.2.128-28",
      ]),
    );
  });

  it("without stated public addresses, only the machine network is open", () => {
    expect(
      rulesTo({})
        .filter((name) => /^tcp-(443|6443)-/.test(name))
        .sort(),
    ).toEqual(["tcp-443-10.0.0.0-16", "tcp-443-198.51.100.0-24", "tcp-6443-10.0.0.0-16"]);
  });
});
