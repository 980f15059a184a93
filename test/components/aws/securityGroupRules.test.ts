import * as fc from "fast-check";
import { ruleRow } from "../../../src/components/aws/ruleRow";
import { ruleDescription } from "../../../src/components/aws/plannedRule";
import {
  securityGroupRules,
  type SecurityGroupOptions,
} from "../../../src/components/aws/securityGroupRules";
import {
  Direction,
  LoadBalancerTargets,
  Platform,
  Protocol,
  PublishingType,
} from "../../../src/requirements/vocabulary";
import { UNKNOWN } from "../../../src/resources/resource";
import type { HostedClusterTopology } from "../../../src/topology/hostedClusterTopology";
import { Role, View } from "../../../src/topology/requiredFlow";
import { goldenCases } from "./goldenCases";

const WORKERS = "10.0.0.0/16";
const CLIENTS = "203.0.113.0/24";

function topologyOf(name: string, more: Partial<HostedClusterTopology> = {}): HostedClusterTopology {
  const found = goldenCases.find((each) => each.name === name);
  if (!found) throw new Error(`no case ${name}`);
  return { ...found.topology, ...more };
}

/** Rules in short: `TCP 6443 10.0.0.0/16`, of one group and direction. */
function table(
  role: Role,
  direction: Direction,
  topology: HostedClusterTopology,
  options?: SecurityGroupOptions,
) {
  return securityGroupRules(topology, options)
    .rules.map(ruleRow)
    .filter((row) => row.role === role && row.direction === direction)
    .map(({ protocol, ports, peer }) => `${protocol} ${ports} ${peer}`)
    .sort();
}
const ingress = (topology: HostedClusterTopology, options?: SecurityGroupOptions): string[] =>
  table(Role.ControlPlane, Direction.Ingress, topology, options);
const egress = (topology: HostedClusterTopology, options?: SecurityGroupOptions): string[] =>
  table(Role.ControlPlane, Direction.Egress, topology, options);
const workerEgress = (topology: HostedClusterTopology, options?: SecurityGroupOptions): string[] =>
  table(Role.Workers, Direction.Egress, topology, options);
const faultsOf = (topology: HostedClusterTopology, options?: SecurityGroupOptions): string[] =>
  securityGroupRules(topology, options).faults.map(({ path, problem }) => `${path} ${problem}`);

describe("D0 the example firewall configuration, rule for rule", () => {
  const route = topologyOf("aws-route");

  it("Route on AWS: 6443 from nodes and users, 443 from nodes", () => {
    const options = { disabledRules: ["control-plane/ingress/router-clients"] };
    expect(ingress(route, options)).toEqual([
      `TCP 443 ${WORKERS}`,
      `TCP 6443 ${WORKERS}`,
      `TCP 6443 ${CLIENTS}`,
    ]);
  });

  it("Route on AWS: beside the documents, 443 from the users whose browsers log in", () => {
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
    "NodePort, %s: 8091, 8443 and 9090 from nodes alone",
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
    "%s is refused by HyperShift: faults and never a rule",
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
  ])("%s: %s and no other", (name, port) => {
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

  it("IBM Cloud has no ignition proxy", () => {
    expect(ingress(topologyOf("ibmcloud-nodeport")).filter((rule) => rule.startsWith("TCP 8443 "))).toEqual(
      [],
    );
  });
});

describe("M2 the port at the hop", () => {
  it("a pinned node port is opened beside the documented port, from the same sources", () => {
    const rules = ingress(topologyOf("agent-nodeport-pinned"));
    expect(rules).toContain(`TCP 8091 ${WORKERS}`);
    expect(rules.filter((rule) => rule.startsWith("TCP 31091 "))).toEqual([`TCP 31091 ${WORKERS}`]);
    expect(rules.some((rule) => rule.includes("30000-32767"))).toBe(false);
  });

  it("without a pinned port the node-port range is opened from workers alone", () => {
    const range = ingress(topologyOf("agent-nodeport")).filter((rule) => rule.includes("30000-32767"));
    expect(range).toEqual([`TCP 30000-32767 ${WORKERS}`]);
  });

  it("behind load balancers with instance targets hosts see node ports from workers, NAT and load balancers", () => {
    const range = ingress(topologyOf("aws-route-instance-targets")).filter((rule) =>
      rule.includes("30000-32767"),
    );
    expect(range).toEqual([
      `TCP 30000-32767 ${WORKERS}`,
      "TCP 30000-32767 10.1.1.0/24",
      "TCP 30000-32767 192.0.2.7/32",
    ]);
  });

  it("what the topology does not say about load balancers is a warning", () => {
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
  it("Route: 443 and 6443 and DNS, and nothing for konnectivity", () => {
    const ports = workerEgress(topologyOf("aws-route")).map((rule) => rule.split(" ").slice(0, 2).join(" "));
    expect([...new Set(ports)]).toEqual(["TCP 443", "TCP 53", "TCP 6443", "UDP 53"]);
  });

  it.each(["agent-nodeport", "none-nodeport"])("%s: 8091 and 8443 too", (name) => {
    const rules = workerEgress(topologyOf(name));
    expect(rules).toEqual(expect.arrayContaining(["TCP 8091 10.1.0.0/16", "TCP 8443 10.1.0.0/16"]));
  });

  it("LoadBalancer: 8091", () => {
    expect(workerEgress(topologyOf("none-loadbalancer")).some((rule) => rule.startsWith("TCP 8091 "))).toBe(
      true,
    );
  });
});

describe("M5 sources", () => {
  const cases = goldenCases.filter(({ topology }) => securityGroupRules(topology).faults.length === 0);

  it.each(cases.map(({ name, topology }) => [name, topology] as const))(
    "%s: 8091, 8443 and 9090 from workers",
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

  it("nothing is opened to everybody but what may be public", () => {
    expect(faultsOf(topologyOf("agent-nodeport", { workerCidrs: ["0.0.0.0/0"] }))).toEqual([
      "topology.workerCidrs 0.0.0.0/0 would open konnectivity (TCP 8091), ignition-proxy (TCP 8443), " +
        "ignition-server (TCP 9090), node-ports (TCP 30000-32767) to everybody",
    ]);
    const everybody = topologyOf("aws-route", { externalClientCidrs: ["0.0.0.0/0", "::/0"] });
    expect(ingress(everybody)).toEqual(expect.arrayContaining(["TCP 6443 0.0.0.0/0", "TCP 6443 ::/0"]));
  });

  it("no users are known: no rule for them, and a warning", () => {
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

describe("every documented flow has its rule, and misses it when it is gone", () => {
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
    "%s without %s lacks it, and nothing else",
    (name, flow) => {
      const left = flowsWithRules(topologyOf(name), { disabledRules: [flow] });
      expect(documented[name]!.filter((each) => !left.includes(each))).toEqual([flow]);
    },
  );
});

describe("rules are chosen by key", () => {
  const topology = topologyOf("aws-route");

  it("an unknown key is refused, with the keys that there are", () => {
    const { faults, rules } = securityGroupRules(topology, {
      disabledRules: ["kube-apiserver"],
      enabledRules: ["x"],
    });
    expect(rules).toEqual([]);
    expect(faults.map(({ path, problem }) => `${path} ${problem}`)).toEqual([
      "enabledRules[0] x names no rule of this topology",
      "disabledRules[0] kube-apiserver names no rule of this topology",
    ]);
    expect(faults[1]?.remedy).toContain("control-plane/ingress/kube-apiserver");
  });

  it("a key that changes nothing is refused", () => {
    const options = {
      enabledRules: ["control-plane/ingress/router"],
      disabledRules: ["control-plane/ingress/capi-health"],
    };
    expect(faultsOf(topology, options)).toEqual([
      "enabledRules[0] control-plane/ingress/router names rules that are made anyway",
      "disabledRules[0] control-plane/ingress/capi-health names rules that are only made when enabled",
    ]);
  });

  it("a key of the bootstrap phase stays valid when that phase is over", () => {
    const options = { disabledRules: ["control-plane/ingress/ignition-server"] };
    expect(faultsOf(topologyOf("agent-nodeport-pinned"), options)).toEqual([]);
    expect(faultsOf(topologyOf("agent-nodeport-pinned-after-bootstrap"), options)).toEqual([]);
  });

  it("no list at all is refused", () => {
    const options = { disabledRules: "router" } as unknown as SecurityGroupOptions;
    expect(faultsOf(topology, options)).toEqual(["disabledRules is not a list"]);
  });
});

describe("rules that AWS takes for the same one become one", () => {
  it("nodes and users behind one block: one rule with both purposes and keys", () => {
    const topology = topologyOf("aws-route", { externalClientCidrs: [WORKERS] });
    const rules = securityGroupRules(topology).rules.map(ruleRow);
    const router = rules.filter(({ ports, direction }) => ports === "443" && direction === Direction.Ingress);
    expect(router).toHaveLength(1);
    expect(router[0]).toMatchObject({
      key: "tcp-443-10.0.0.0-16",
      flows: ["control-plane/ingress/router", "control-plane/ingress/router-clients"],
      purpose: expect.stringContaining("; ") as unknown,
    });
  });

  it("a rule keeps its name when one of the flows that share it goes", () => {
    const topology = topologyOf("aws-route", { externalClientCidrs: [WORKERS] });
    const keys = (options?: SecurityGroupOptions): string[] =>
      securityGroupRules(topology, options).rules.map((rule) => ruleRow(rule).key);
    expect(keys({ disabledRules: ["control-plane/ingress/router"] })).toEqual(keys());
  });

  it.each(goldenCases.map(({ name, topology }) => [name, topology] as const))(
    "%s: names are unique",
    (_, topology) => {
      const names = securityGroupRules(topology)
        .rules.map(ruleRow)
        .map(({ role, direction, key }) => `${role} ${direction} ${key}`);
      expect(new Set(names).size).toBe(names.length);
    },
  );

  it("a block that is written twice makes one rule", () => {
    const twice = topologyOf("aws-route", { externalClientCidrs: [CLIENTS, CLIENTS] });
    expect(ingress(twice)).toEqual(ingress(topologyOf("aws-route")));
  });
});

describe("descriptions are what AWS accepts", () => {
  const rule = securityGroupRules(topologyOf("aws-route")).rules[0]!;

  it("other characters than AWS's are left out", () => {
    expect(ruleDescription({ ...rule, purposes: ["Workers' agents → server “x”, 100 %."] })).toBe(
      "Workers agents server x , 100",
    );
  });

  it("two long purposes are both kept, within 255 characters", () => {
    const text = ruleDescription({ ...rule, purposes: ["a".repeat(300), "b".repeat(300)] });
    expect(text.length).toBeLessThanOrEqual(255);
    expect(text).toMatch(/^a+\.\.\.; b+\.\.\.$/);
  });

  it.each(goldenCases.map(({ name, topology }) => [name, topology] as const))("%s", (_, topology) => {
    for (const each of securityGroupRules(topology).rules) {
      expect(ruleDescription(each)).toMatch(/^[a-zA-Z0-9. _\-:/()#,@[\]+=&;{}!$*]{1,255}$/);
    }
  });
});

describe("the quota is counted before anything is made", () => {
  const blocks = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `192.0.${index}.0/24`);

  it("60 rules of one direction pass, 61 are refused with both numbers", () => {
    const base = ingress(topologyOf("aws-route", { externalClientCidrs: undefined })).length;
    const fits = topologyOf("aws-route", { externalClientCidrs: blocks((60 - base) / 2) });
    const tooMany = topologyOf("aws-route", { externalClientCidrs: blocks((60 - base) / 2 + 1) });
    expect(faultsOf(fits)).toEqual([]);
    expect(faultsOf(tooMany)).toEqual([
      "ruleQuota control-plane ingress needs 62 IPv4 rules, the quota is 60",
    ]);
    expect(faultsOf(tooMany, { ruleQuota: 100 })).toEqual([]);
  });

  it("IPv4 and IPv6 are counted apart", () => {
    const v6 = Array.from({ length: 29 }, (_, index) => `2001:db8:${index + 1}::/48`);
    expect(faultsOf(topologyOf("aws-route", { externalClientCidrs: [...blocks(29), ...v6] }))).toEqual([]);
  });

  it("a prefix list counts as often as it may have entries", () => {
    const peers = { externalClients: { prefixLists: { office: { id: "pl-1", maxEntries: 60 } } } };
    expect(faultsOf(topologyOf("aws-route"), { peers })).toContain(
      "ruleQuota control-plane ingress needs 124 IPv4 rules, the quota is 60",
    );
  });

  it.each([[0], [1.5], [-1], ["60"], [Number.NaN]])("%p is no quota", (ruleQuota) => {
    expect(faultsOf(topologyOf("aws-route"), { ruleQuota: ruleQuota as number })).toHaveLength(1);
  });
});

describe("peers that are no CIDR blocks", () => {
  const peers = {
    workers: { securityGroupIds: { pool: "sg-1", later: UNKNOWN } },
    externalClients: { prefixLists: { office: { id: "pl-1" } } },
  } as const;

  it("stand beside the blocks of their kind", () => {
    expect(ingress(topologyOf("aws-route"), { peers }).filter((rule) => rule.startsWith("TCP 443 "))).toEqual(
      [
        `TCP 443 ${WORKERS}`,
        `TCP 443 ${CLIENTS}`,
        "TCP 443 prefix list externalClients.office",
        "TCP 443 security group workers.later",
        "TCP 443 security group workers.pool",
      ],
    );
  });

  it("take the place of blocks that would be assumed, and nothing is missing then", () => {
    const topology = topologyOf("aws-route", { registryCidrs: undefined, externalClientCidrs: undefined });
    const prefixLists = { mirror: { id: "pl-2" } };
    const options = {
      peers: { ...peers, registries: { prefixLists }, controlPlaneEndpoints: { prefixLists } },
    };
    expect(egress(topology, options).filter((rule) => rule.startsWith("TCP 443 "))).toEqual([
      "TCP 443 prefix list registries.mirror",
    ]);
    const { warnings } = securityGroupRules(topology, options);
    expect(
      warnings.filter((warning) => /registryCidrs|externalClientCidrs|EndpointCidrs/.test(warning)),
    ).toEqual([]);
  });

  it("reach the hop too: load balancers by their group, NAT by a prefix list", () => {
    const topology = topologyOf("aws-route", { loadBalancerTargets: LoadBalancerTargets.Instance });
    const options = {
      peers: {
        loadBalancers: { securityGroupIds: { public: "sg-2" } },
        workerNat: { prefixLists: { gateways: { id: "pl-3" } } },
      },
    };
    expect(ingress(topology, options)).toEqual(
      expect.arrayContaining([
        "TCP 30000-32767 security group loadBalancers.public",
        "TCP 30000-32767 prefix list workerNat.gateways",
      ]),
    );
  });

  it("that no flow knows are a warning", () => {
    const options = { peers: { loadBalancers: { securityGroupIds: { public: "sg-2" } } } };
    expect(securityGroupRules(topologyOf("aws-route"), options).warnings.join("\n")).toContain(
      "peers.loadBalancers.securityGroupIds.public is in no rule",
    );
  });

  it("under two keys with one id make one rule", () => {
    const options = { peers: { workers: { securityGroupIds: { a: "sg-1", b: "sg-1" } } } };
    const groups = ingress(topologyOf("aws-route"), options).filter((rule) =>
      rule.includes("security group"),
    );
    expect(groups).toEqual(["TCP 443 security group workers.a", "TCP 6443 security group workers.a"]);
  });

  it("of a wrong shape are refused all at once", () => {
    const wrong = {
      worker: {},
      workers: { securityGroupIds: ["sg-1"], groups: {} },
      dnsServers: { prefixLists: { "a b": { id: "pl-1" }, c: "pl-2", d: { id: "sg-3", maxEntries: 0 } } },
      registries: "pl-1",
    } as unknown as SecurityGroupOptions["peers"];
    expect(
      securityGroupRules(topologyOf("aws-route"), { peers: wrong }).faults.map(({ path }) => path),
    ).toEqual([
      "peers.worker",
      "peers.workers.securityGroupIds",
      "peers.workers.groups",
      "peers.dnsServers.prefixLists.a b",
      "peers.dnsServers.prefixLists.c",
      "peers.dnsServers.prefixLists.d.maxEntries",
      "peers.registries",
      "peers.dnsServers.prefixLists.d.id",
    ]);
  });
});

describe("the component's own groups stand in where the topology knows no addresses", () => {
  const unknownWorkers = { machineNetwork: undefined, managementClusterCidrs: undefined };

  it("workers on EC2 in the same VPC are admitted by their group, with a warning", () => {
    const topology = topologyOf("agent-nodeport", unknownWorkers);
    expect(ingress(topology)).toContain("TCP 8091 security group of the workers");
    expect(workerEgress(topology)).toContain("TCP 8091 security group of the control-plane hosts");
    expect(securityGroupRules(topology).warnings[0]).toContain(
      "topology.workerCidrs missing: opened for the security",
    );
  });

  it.each([
    ["workers in another VPC", topologyOf("agent-nodeport", unknownWorkers), { workersElsewhere: true }],
    ["workers on OpenStack", topologyOf("openstack-nodeport", unknownWorkers), {}],
  ])("%s are not: no rule, and a warning", (_, topology, options) => {
    expect(ingress(topology, options).filter((rule) => rule.startsWith("TCP 8091 "))).toEqual([]);
    expect(securityGroupRules(topology, options).warnings.join("\n")).toContain(
      "topology.workerCidrs missing: no rule for it",
    );
  });

  it("rules among workers refer to their own group, and are made on demand", () => {
    const enabledRules = ["workers/ingress/worker-udp-6081"];
    const rules = table(Role.Workers, Direction.Ingress, topologyOf("aws-route"), { enabledRules });
    expect(rules).toEqual(["UDP 6081 security group of the workers"]);
  });
});

describe("rules of the user", () => {
  const ssh = {
    role: Role.ControlPlane,
    direction: Direction.Ingress,
    protocol: Protocol.Tcp,
    fromPort: 22,
    cidr: "192.0.2.0/24",
    description: "Administrators log in",
  };

  it("are made beside the documented ones", () => {
    const additionalRules = {
      ssh,
      node: {
        ...ssh,
        role: Role.Workers,
        protocol: Protocol.Any,
        fromPort: undefined,
        cidr: undefined,
        securityGroupId: "sg-1",
      },
    };
    expect(ingress(topologyOf("aws-route"), { additionalRules })).toContain("TCP 22 192.0.2.0/24");
    expect(table(Role.Workers, Direction.Ingress, topologyOf("aws-route"), { additionalRules })).toEqual([
      "any all security group of additionalRules.node",
    ]);
  });

  it("become one with a documented rule that is the same", () => {
    const additionalRules = { api: { ...ssh, fromPort: 6443, toPort: 6443, cidr: WORKERS } };
    const rules = securityGroupRules(topologyOf("aws-route"), { additionalRules }).rules.map(ruleRow);
    expect(ingress(topologyOf("aws-route"), { additionalRules })).toEqual(ingress(topologyOf("aws-route")));
    expect(rules[0]?.flows).toEqual(["control-plane/ingress/kube-apiserver", "additionalRules.api"]);
  });

  it("may wait for their CIDR block", () => {
    const additionalRules: SecurityGroupOptions["additionalRules"] = { ssh: { ...ssh, cidr: UNKNOWN } };
    expect(ingress(topologyOf("aws-route"), { additionalRules })).toContain(
      "TCP 22 CIDR block of additionalRules.ssh.cidr",
    );
  });

  it.each([
    ["role", { role: Role.PrivateEndpoint }, "additionalRules.x.role private-endpoint is none of the values"],
    ["direction", { direction: "in" }, "additionalRules.x.direction in is none of the values"],
    ["protocol", { protocol: "tcp" }, "additionalRules.x.protocol tcp is none of the values"],
    ["port", { fromPort: 70000 }, "additionalRules.x.fromPort 70000 is no such number"],
    ["order", { fromPort: 23, toPort: 22 }, "additionalRules.x.toPort 22 is less than fromPort 23"],
    ["first port", { fromPort: undefined, toPort: 22 }, "additionalRules.x.fromPort missing beside toPort"],
    ["SCTP", { protocol: Protocol.Sctp }, "additionalRules.x.fromPort SCTP has no ports in a security group"],
    ["peer", { cidr: undefined }, "additionalRules.x has no peer"],
    ["peers", { securityGroupId: "sg-1" }, "additionalRules.x has 2 peers: cidr, securityGroupId"],
    ["block", { cidr: "192.0.2.1/24" }, "additionalRules.x.cidr 192.0.2.1/24 has host bits"],
    [
      "group",
      { cidr: undefined, securityGroupId: "default" },
      "additionalRules.x.securityGroupId default is no id of a security group",
    ],
    ["description", { description: " " }, "additionalRules.x.description missing"],
  ])("with a wrong %s are refused", (_, wrong, fault) => {
    const additionalRules = { x: { ...ssh, ...wrong } } as unknown as SecurityGroupOptions["additionalRules"];
    expect(faultsOf(topologyOf("aws-route"), { additionalRules })).toContain(fault);
    expect(securityGroupRules(topologyOf("aws-route"), { additionalRules }).rules).toEqual([]);
  });
});

it("null stands for what other languages leave out", () => {
  const options = {
    peers: { workers: null, registries: { securityGroupIds: null, prefixLists: null } },
    additionalRules: null,
    enabledRules: null,
    disabledRules: null,
    ruleQuota: null,
  } as unknown as SecurityGroupOptions;
  expect(securityGroupRules(topologyOf("aws-route"), options)).toEqual(
    securityGroupRules(topologyOf("aws-route")),
  );
});

it("every block of every peer is in exactly one rule for its port, however often it is written", () => {
  const block = fc.constantFrom(WORKERS, CLIENTS, "192.0.2.0/24", "2001:db8::/32", "10.1.0.0/16");
  fc.assert(
    fc.property(fc.array(block, { minLength: 1 }), (externalClientCidrs) => {
      const rules = ingress(topologyOf("aws-route", { externalClientCidrs }));
      const expected = new Set(
        [WORKERS, ...externalClientCidrs].flatMap((cidr) => [`TCP 443 ${cidr}`, `TCP 6443 ${cidr}`]),
      );
      expect(rules).toEqual([...expected].sort());
    }),
    { numRuns: 50 },
  );
});

it("faults of the topology, the peers, the rules and the quota come all at once", () => {
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
