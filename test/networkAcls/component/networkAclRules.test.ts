import {
  type AdditionalAclRule,
  networkAclRules,
  type NetworkAclOptions,
} from "../../../src/networkAcls/component/networkAclRules";
import { numbered, numberKey } from "../../../src/networkAcls/component/aclRule";
import {
  Direction,
  EndpointAccess,
  LoadBalancerTargets,
  NetworkType,
  Platform,
  Protocol,
  PublishingType,
  Role,
} from "../../../src/requirements/vocabulary";
import { UNKNOWN } from "../../../src/resources/resource";
import type { HostedClusterTopology } from "../../../src/topology/hostedClusterTopology";
import { expectGolden } from "../../objects/golden";
import { aclRuleRow } from "../../../src/networkAcls/component/aclResources";

/** A public cluster on AWS whose topology states everything. */
const stated: HostedClusterTopology = {
  name: "tenant-a",
  platform: Platform.AWS,
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  managementClusterCidrs: ["10.8.0.0/16"],
  loadBalancerTargets: LoadBalancerTargets.Instance,
  loadBalancerSubnetCidrs: ["10.8.0.0/24"],
  workerNatCidrs: ["192.0.2.7/32"],
  controlPlaneEndpointCidrs: ["192.0.2.128/28"],
  externalClientCidrs: ["203.0.113.0/24"],
  dnsServerCidrs: ["10.8.0.2/32"],
  registryCidrs: ["198.51.100.0/24"],
};
const HOSTS = "10.8.0.0/16";
const WORKERS = "10.0.0.0/16";
const nodes = { dedicatedSubnets: { nodes: { subnetId: "subnet-2", role: Role.Workers } } };

const plan = (more: Partial<HostedClusterTopology> = {}, options: NetworkAclOptions = {}) =>
  networkAclRules({ ...stated, ...more }, options);
const rows = (more?: Partial<HostedClusterTopology>, options?: NetworkAclOptions) => {
  const { rules, faults } = plan(more, options);
  expect(faults).toEqual([]);
  return rules.map(aclRuleRow);
};
/** The rules of an ACL with a word in the key of a flow, each as `ingress TCP 6443 10.0.0.0/16`. */
const rulesFor = (
  word: string,
  role: Role,
  more?: Partial<HostedClusterTopology>,
  options?: NetworkAclOptions,
) =>
  rows(more, options)
    .filter((row) => row.role === role && row.flows.some((flow) => flow.split("/")[2]?.includes(word)))
    .map(({ direction, protocol, ports, peer }) => `${direction} ${protocol} ${ports} ${peer}`);
const hosts = (word: string, more?: Partial<HostedClusterTopology>, options?: NetworkAclOptions) =>
  rulesFor(word, Role.ControlPlane, more, options);
const workers = (word: string, more?: Partial<HostedClusterTopology>, options: NetworkAclOptions = {}) =>
  rulesFor(word, Role.Workers, more, { ...nodes, ...options });
const faults = (more: Partial<HostedClusterTopology>, options: NetworkAclOptions = {}) =>
  plan(more, options).faults.map(({ path, problem }) => `${path}: ${problem}`);

test.each([[[]], [["nodes"]]])(
  "the ACL of workers is the same whoever owns their security group: %j",
  (associatedSubnets) => {
    const options = { ...nodes, associatedSubnets, ruleQuota: 40 };
    const expected = plan({}, options);
    expect(expected.faults).toEqual([]);
    const { rules, faults, warnings } = plan({ defaultWorkerRules: true }, options);
    expect({ rules, faults, warnings }).toEqual({
      rules: expected.rules,
      faults: [],
      warnings: expected.warnings,
    });
  },
);

describe("the proxies of a cluster", () => {
  const proxy = { httpProxy: "http://10.4.0.9:3128", httpsProxy: "http://[fd00::9]:3129" };

  it("get egress rules for workers, with their answers", () => {
    expect(workers("proxy", { proxy })).toEqual([
      "egress TCP 3128 10.4.0.9/32",
      "egress TCP 3129 fd00::9/128",
      "ingress TCP 32768-65535 10.4.0.9/32",
      "ingress TCP 32768-65535 fd00::9/128",
    ]);
    expect(hosts("proxy", { proxy })).toEqual([]);
    expect(workers("proxy")).toEqual([]);
    expect(workers("proxy", { proxy }, { disabledRules: ["workers/egress/http-proxy"] })).toEqual([
      "egress TCP 3129 fd00::9/128",
      "ingress TCP 32768-65535 fd00::9/128",
    ]);
  });

  it("get no rule and a warning if they have a host name", () => {
    const { rules, warnings } = plan({ proxy: { httpsProxy: "http://proxy.example.com" } }, nodes);
    expect(rules.map(aclRuleRow).filter(({ ports }) => ports === "80")).toEqual([]);
    expect(warnings).toContain(
      "topology.proxy.httpsProxy names a host: no rule for it: workers/egress/https-proxy; write the address in the URL, or a rule for it in additionalRules",
    );
  });

  const named = { httpsProxy: "http://proxy.example.com:3128" };
  const rule = {
    role: Role.Workers,
    direction: Direction.Egress,
    protocol: Protocol.Tcp,
    cidr: "198.51.100.0/24",
    description: "The proxy",
  };
  const ofProxy = (texts: readonly string[]) => texts.filter((text) => text.includes("topology.proxy"));

  it.each([
    ["the proxy's port", { ...rule, fromPort: 3128 }, 0],
    ["a range around the port", { ...rule, fromPort: 3000, toPort: 4000 }, 0],
    ["everything", { ...rule, protocol: Protocol.Any }, 0],
    ["another port", { ...rule, fromPort: 443 }, 1],
    ["ingress", { ...rule, direction: Direction.Ingress, fromPort: 3128 }, 1],
  ])("cause no warning only if an additional rule allows them: %s", (_, proxy, count) => {
    const { warnings } = plan({ proxy: named }, { ...nodes, additionalRules: { proxy } });
    expect(ofProxy(warnings)).toHaveLength(count);
  });

  it("are a fault if they have a host name and no rule, and the workers' subnets are associated", () => {
    const filtered = { ...nodes, associatedSubnets: Object.keys(nodes.dedicatedSubnets) };
    expect(ofProxy(faults({ proxy: named }, filtered))).toEqual([
      "topology.proxy.httpsProxy: names a host: the ACL would cut off the hosts of associatedSubnets from it",
    ]);
    const proxy = { ...rule, fromPort: 3128 };
    expect(ofProxy(faults({ proxy: named }, { ...filtered, additionalRules: { proxy } }))).toEqual([]);
  });
});

describe("M12 the rules of whole ACLs match the golden files", () => {
  const { Private } = EndpointAccess;
  const nodePort = { type: PublishingType.NodePort };
  const byNodePort = {
    apiServer: { ...nodePort, nodePort: 30643 },
    oauthServer: { ...nodePort, nodePort: 30644 },
    konnectivity: { ...nodePort, nodePort: 31091 },
    ignition: { ...nodePort, nodePort: 31443 },
  };
  const dualStack = {
    machineNetwork: [{ cidr: "10.0.0.0/16" }, { cidr: "fd00:10::/48" }],
    clusterNetwork: [{ cidr: "10.132.0.0/14" }, { cidr: "fd01::/48" }],
    serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "fd02::/112" }],
    managementClusterCidrs: [HOSTS, "fd00:20::/48"],
    externalClientCidrs: ["203.0.113.0/24", "2001:db8:1::/48"],
  };
  it.each<[string, Partial<HostedClusterTopology>]>([
    ["aws-public", {}],
    ["aws-private", { endpointAccess: Private, externalClientCidrs: ["10.200.0.0/16"] }],
    ["aws-anywhere", { registryCidrs: undefined, controlPlaneEndpointCidrs: undefined }],
    ["aws-dual-stack", dualStack],
    ["agent-node-port", { platform: Platform.Agent, services: byNodePort }],
  ])("%s", (name, more) => {
    const ruleQuota = name === "agent-node-port" ? 25 : undefined;
    const lines = rows(more, { ...nodes, ruleQuota }).map(
      ({ role, direction, ruleNumber, protocol, ports, peer, flows }) =>
        `${role} ${direction} ${ruleNumber} ${protocol} ${ports} ${peer}  ${flows.join(" ")}`,
    );
    expectGolden(`networkAcls/${name}.txt`, `${lines.join("\n")}\n`);
  });
});

describe("M12 the ACL of control-plane hosts", () => {
  it.each([
    ["geneve", ["egress UDP 6081", "ingress UDP 6081"]],
    ["kubelet", ["egress TCP 1024-65535", "ingress TCP 10250", "ingress TCP 30000-65535"]],
    ["etcd-peer", ["egress TCP 1024-65535", "ingress TCP 2379-2381", "ingress TCP 30000-65535"]],
    ["etcd-health", ["egress TCP 1024-65535", "ingress TCP 30000-65535", "ingress TCP 9000-9999"]],
    ["nodes-management-api-server", ["egress TCP 1024-65535", "ingress TCP 30000-65535", "ingress TCP 6443"]],
    ["nodes-icmp", ["egress ICMP all", "ingress ICMP all"]],
  ])(
    "allows %s among the nodes of the management cluster in both directions, with answers",
    (key, expected) => {
      const only = { externalClientCidrs: undefined, loadBalancerSubnetCidrs: ["10.9.0.0/24"] };
      expect(hosts(key, only)).toEqual(expected.map((rule) => `${rule} ${HOSTS}`));
    },
  );

  it("allows node ports and host services among its nodes", () => {
    expect(hosts("nodes-node-ports-tcp")).toContain(`ingress TCP 30000-65535 ${HOSTS}`);
    expect(hosts("host-services-tcp")).toContain(`ingress TCP 9000-9999 ${HOSTS}`);
  });

  it("allows load balancers to reach node ports: traffic, health checks, and users with their own addresses", () => {
    const elsewhere = { loadBalancerSubnetCidrs: ["10.9.0.0/24"] };
    expect(hosts("load-balancer-health", elsewhere)).toEqual([
      "egress TCP 1024-65535 10.9.0.0/24",
      "ingress TCP 30000-32767 10.9.0.0/24",
    ]);
    expect(hosts("load-balancer-clients")).toEqual([
      "egress TCP 1024-65535 203.0.113.0/24",
      "ingress TCP 30000-32767 203.0.113.0/24",
    ]);
    expect(hosts("load-balancer-clients", { endpointAccess: EndpointAccess.Private })).toEqual([]);
    const ip = { loadBalancerTargets: LoadBalancerTargets.Ip };
    expect(hosts("load-balancer-", ip, { ruleQuota: 40 })).toEqual([]);
  });

  it("allows answers on ephemeral ports: to callers from 1024 up, to the hosts from 32768 up", () => {
    expect(hosts("dns-udp")).toEqual(["egress UDP 53 10.8.0.2/32", "ingress UDP 32768-65535 10.8.0.2/32"]);
    expect(hosts("router-clients")).toEqual([
      "egress TCP 1024-65535 203.0.113.0/24",
      "ingress TCP 443 203.0.113.0/24",
    ]);
    const ports = {
      hostEphemeralPorts: { fromPort: 32768, toPort: 60999 },
      clientEphemeralPorts: { fromPort: 49152, toPort: 65535 },
    };
    expect(hosts("dns-udp", {}, ports)).toContain("ingress UDP 32768-60999 10.8.0.2/32");
    expect(hosts("router-clients", {}, ports)).toContain("egress TCP 49152-65535 203.0.113.0/24");
  });

  it("allows packet-too-big messages from everywhere, in both directions and for its families", () => {
    expect(hosts("path-mtu")).toEqual([
      "egress ICMP packet too big 0.0.0.0/0",
      "ingress ICMP packet too big 0.0.0.0/0",
    ]);
    const both = { managementClusterCidrs: [HOSTS, "fd00:20::/48"] };
    expect(hosts("path-mtu", both)).toContain("ingress ICMP packet too big ::/0");
  });

  it("allows IPsec, SSH, and UDP among nodes only on request", () => {
    for (const key of ["ipsec-esp", "ipsec-ike", "ipsec-nat", "ssh", "node-ports-udp", "vxlan"])
      expect(hosts(key)).toEqual([]);
    const enabledRules = ["ingress", "egress"].map((way) => `control-plane/${way}/nodes-ipsec-esp`);
    expect(hosts("ipsec-esp", {}, { enabledRules })).toEqual([
      `egress ESP all ${HOSTS}`,
      `ingress ESP all ${HOSTS}`,
    ]);
  });

  it("leaves out disabled flows with their answers", () => {
    const disabledRules = ["control-plane/ingress/router-clients", "control-plane/ingress/kube-apiserver"];
    expect(hosts("router-clients", {}, { disabledRules })).toEqual([]);
  });

  it("explains its rules with requirements and documents", () => {
    const row = rows().find(({ key }) => key.startsWith("control-plane/ingress/tcp-10250"));
    expect(row).toMatchObject({
      key: "control-plane/ingress/tcp-10250-10.8.0.0-16",
      requirements: ["up-aws-worker-tcp-10250"],
      purpose: expect.stringContaining("Kubelet") as string,
      documents: [expect.stringContaining("sg.go")],
    });
    const answers = rows().find(({ key }) => key.includes("ingress/udp-32768"));
    expect(answers?.purpose).toContain("Answers: ");
    expect(answers?.documents).toContain("AWS network ACLs, Ephemeral ports");
  });
});

describe("M12 the ACL of workers", () => {
  it("exists only if a subnet of workers is declared", () => {
    expect(new Set(rows().map(({ role }) => role))).toEqual(new Set([Role.ControlPlane]));
    expect(new Set(rows({}, nodes).map(({ role }) => role))).toEqual(
      new Set([Role.ControlPlane, Role.Workers]),
    );
  });

  it("allows what the nodes need among themselves, and not what only management nodes need", () => {
    expect(workers("nodes-kubelet")).toContain(`ingress TCP 10250 ${WORKERS}`);
    expect(workers("geneve")).toContain(`ingress UDP 6081 ${WORKERS}`);
    expect(workers("etcd")).toEqual([]);
  });

  it("allows VXLAN instead of Geneve if the network of the hosted cluster needs it", () => {
    const old = { networkType: NetworkType.OpenShiftSDN, release: "4.16" };
    expect(workers("vxlan", old)).toContain(`ingress UDP 4789 ${WORKERS}`);
    expect(workers("geneve", old)).toEqual([]);
    expect(workers("vxlan")).toEqual([]);
  });

  it("allows workers to call the control plane and registries", () => {
    expect(workers("kube-apiserver")).toEqual([
      "egress TCP 6443 192.0.2.128/28",
      "ingress TCP 32768-65535 192.0.2.128/28",
    ]);
    expect(workers("https")).toContain("egress TCP 443 198.51.100.0/24");
  });

  it("allows callers of the VPC endpoint of a private cluster, which is in the workers' subnets", () => {
    const endpointAccess = EndpointAccess.Private;
    const externalClientCidrs = ["10.200.0.0/16"];
    expect(workers("endpoint-", { endpointAccess, externalClientCidrs })).toEqual(
      expect.arrayContaining(["ingress TCP 443 10.200.0.0/16", `ingress TCP 6443 ${WORKERS}`]),
    );
  });

  it("causes a warning that it does not cover users of applications", () => {
    expect(plan({}, nodes).warnings.join()).toContain("what users of applications send");
    expect(plan().warnings.join()).not.toContain("applications");
  });

  it.each([Platform.Azure, Platform.KubeVirt, Platform.OpenStack, Platform.IBMCloud])(
    "is refused on %s, whose workers are not in AWS subnets",
    (platform) => {
      expect(faults({ platform }, nodes)).toEqual([
        `dedicatedSubnets.nodes.role: workers of a hosted cluster on ${platform} are in no AWS subnet`,
      ]);
    },
  );
});

describe("M12 additional rules of the user", () => {
  const rule = {
    role: Role.ControlPlane,
    direction: Direction.Egress,
    protocol: Protocol.Udp,
    fromPort: 123,
    cidr: "192.0.2.0/24",
    description: "Time servers",
  };

  it("include their answers, unless answers is false", () => {
    expect(hosts("ntp", {}, { additionalRules: { ntp: rule } })).toEqual([]);
    const own = (answers?: boolean) =>
      rows({}, { additionalRules: { ntp: { ...rule, answers } } })
        .filter(({ flows }) => flows.includes("additionalRules.ntp"))
        .map(({ direction, protocol, ports, peer }) => `${direction} ${protocol} ${ports} ${peer}`);
    expect(own()).toEqual(["egress UDP 123 192.0.2.0/24", "ingress UDP 32768-65535 192.0.2.0/24"]);
    expect(own(false)).toEqual(["egress UDP 123 192.0.2.0/24"]);
  });

  it("with unknown blocks get their own rules, and count for the stated family", () => {
    const additionalRules = { later: { ...rule, cidr: UNKNOWN } } as const;
    const keys = plan({}, { additionalRules }).rules.map(numberKey);
    expect(keys).toContain("control-plane/egress/udp-123-rule-later");
    expect(keys).toContain("control-plane/ingress/udp-32768-65535-rule-later");
    const ipv6 = { later: { ...rule, cidr: UNKNOWN, family: "IPv6" } } as const;
    const ofIpv6 = (given: Record<string, AdditionalAclRule>) =>
      faults({}, { additionalRules: given, ruleQuota: 1 }).some((fault) => fault.includes("IPv6"));
    expect([ofIpv6(additionalRules), ofIpv6(ipv6)]).toEqual([false, true]);
  });

  it("are refused with all faults at once if they are invalid", () => {
    const wrong = {
      workers: { ...rule, role: Role.Workers },
      endpoint: { ...rule, role: Role.PrivateEndpoint },
      group: { ...rule, cidr: undefined, securityGroupId: "sg-1" },
      port: { ...rule, fromPort: 70000 },
      esp: { ...rule, protocol: Protocol.Esp },
      hostBits: { ...rule, cidr: "192.0.2.1/24" },
      answers: { ...rule, answers: "no" },
      text: { ...rule, description: "" },
      nothing: null,
    } as unknown as NetworkAclOptions["additionalRules"];
    expect(faults({}, { additionalRules: wrong })).toEqual([
      'additionalRules.endpoint.role: "private-endpoint" is not control-plane or workers',
      "additionalRules.group.securityGroupId: no such property",
      "additionalRules.group.cidr: missing",
      "additionalRules.port.fromPort: 70000 is not from 0 to 65535",
      "additionalRules.esp.fromPort: ESP has no ports in a network ACL",
      'additionalRules.answers.answers: "no" is neither true nor false',
      'additionalRules.text.description: "" is not a sentence',
      "additionalRules.nothing: missing",
      "additionalRules.workers.role: workers have no ACL, because none of their subnets is declared",
      "additionalRules.hostBits.cidr: 192.0.2.1/24 has host bits",
    ]);
  });
});

describe("M12 an associated subnet", () => {
  const hostsSubnet = { subnetId: "subnet-1" };

  it("is refused if it is not declared dedicated, because an ACL filters all its hosts", () => {
    const dedicatedSubnets = { hosts: hostsSubnet };
    expect(faults({}, { dedicatedSubnets, associatedSubnets: ["hosts"] })).toEqual([]);
    expect(faults({}, { dedicatedSubnets, associatedSubnets: ["hosts", "shared", "subnet-1"] })).toEqual([
      "associatedSubnets[1]: shared is not declared dedicated, and a network ACL filters everything in a subnet, including hosts of other clusters",
      "associatedSubnets[2]: subnet-1 is not declared dedicated, and a network ACL filters everything in a subnet, including hosts of other clusters",
    ]);
    expect(faults({}, { associatedSubnets: ["hosts"] })).toHaveLength(1);
  });

  it("is refused with all faults at once", () => {
    const dedicatedSubnets = {
      "a key": hostsSubnet,
      again: hostsSubnet,
      nothing: null,
      missing: {},
      endpoint: { subnetId: "subnet-3", role: Role.PrivateEndpoint },
    } as unknown as NetworkAclOptions["dedicatedSubnets"];
    expect(faults({}, { dedicatedSubnets, associatedSubnets: ["again", "again"] })).toEqual([
      'dedicatedSubnets.a key: the key "a key" cannot be part of a resource name',
      "dedicatedSubnets.nothing: missing",
      "dedicatedSubnets.missing.subnetId: missing",
      'dedicatedSubnets.endpoint.role: "private-endpoint" is not control-plane or workers',
      "dedicatedSubnets.again.subnetId: subnet-1 is already declared as a key",
      "associatedSubnets[1]: again is already in the list",
    ]);
    const shapes = { dedicatedSubnets: [], associatedSubnets: "hosts" } as unknown as NetworkAclOptions;
    expect(faults({}, shapes)).toEqual(["dedicatedSubnets: a list is not an object"]);
    expect(faults({}, { ...shapes, dedicatedSubnets: {} })).toEqual(["associatedSubnets: is not a list"]);
  });

  it.each([
    ["managementClusterCidrs", { managementClusterCidrs: undefined }],
    ["workerCidrs", { machineNetwork: undefined }],
    ["loadBalancerSubnetCidrs", { loadBalancerSubnetCidrs: undefined }],
    ["loadBalancerTargets", { loadBalancerTargets: undefined }],
    ["workerNatCidrs", { workerNatCidrs: undefined }],
  ])("is refused without %s, which causes only a warning without association", (input, more) => {
    const options = { dedicatedSubnets: { hosts: hostsSubnet }, associatedSubnets: ["hosts"] };
    expect(faults(more, options)).toContain(
      `topology.${input}: missing: the ACL would cut off the hosts of associatedSubnets from it`,
    );
    expect(faults(more)).toEqual([]);
    expect(plan(more).warnings.some((warning) => warning.startsWith(`topology.${input} missing`))).toBe(true);
  });

  it("is accepted without external clients, with a warning", () => {
    const options = { dedicatedSubnets: { hosts: hostsSubnet }, associatedSubnets: ["hosts"] };
    expect(faults({ externalClientCidrs: undefined }, options)).toEqual([]);
    expect(plan({ externalClientCidrs: undefined }, options).warnings.join()).toContain(
      "topology.externalClientCidrs missing: no rule for it",
    );
  });
});

describe("M12 applications on workers", () => {
  const asked = (additionalRules: NetworkAclOptions["additionalRules"]) =>
    plan({}, { ...nodes, additionalRules }).warnings.filter((text) => text.includes("users of applications"));
  const rule = {
    role: Role.Workers,
    direction: Direction.Ingress,
    protocol: Protocol.Tcp,
    fromPort: 443,
    cidr: "203.0.113.0/24",
    description: "Users of applications",
  };

  it("cause a warning until an additional ingress rule allows some users", () => {
    expect(asked({})).toHaveLength(1);
    expect(asked({ out: { ...rule, direction: Direction.Egress } })).toHaveLength(1);
    expect(asked({ hosts: { ...rule, role: Role.ControlPlane } })).toHaveLength(1);
    expect(asked({ users: rule })).toEqual([]);
  });
});

describe("M12 the rule quota", () => {
  const many = Array.from({ length: 4 }, (_, index) => `203.0.${2 * index}.0/24`);

  it("counts each direction and family with the last rule, and lists the number for each flow", () => {
    const [found, ...others] = faults({ externalClientCidrs: many });
    expect(others).toEqual([]);
    expect(found).toContain(
      "ruleQuota: control-plane ingress needs 28 IPv4 rules including the last one, which denies",
    );
    expect(found).toContain(
      "the quota is 20 (5 for kube-apiserver, 4 for load-balancer-clients, 4 for router-",
    );
    expect(faults({ externalClientCidrs: many }, { ruleQuota: 40 })).toEqual([]);
  });

  it("is met by merging adjacent blocks", () => {
    const neighbours = Array.from({ length: 8 }, (_, index) => `203.0.${index}.0/24`);
    expect(hosts("router-clients", { externalClientCidrs: neighbours })).toContain(
      "ingress TCP 443 203.0.0.0/21",
    );
  });

  it("is at most 40", () => {
    expect(faults({}, { ruleQuota: 41 })).toEqual(["ruleQuota: 41 is not from 1 to 40"]);
    expect(faults({}, { ruleQuota: 0 })).toEqual(["ruleQuota: 0 is not from 1 to 40"]);
  });
});

describe("M12 rule numbers", () => {
  const key = "control-plane/ingress/udp-6081-10.8.0.0-16";
  const numberOf = (name: string, options?: NetworkAclOptions) =>
    plan({}, options).rules.find((rule) => numberKey(rule) === name)?.number;

  it("depend only on the rule", () => {
    const smaller = plan({ externalClientCidrs: undefined, registryCidrs: undefined });
    expect(smaller.rules.find((rule) => numberKey(rule) === key)?.number).toBe(numberOf(key));
  });

  it("can be chosen, and a key that names no rule causes a warning", () => {
    expect(numberOf(key, { ruleNumbers: { [key]: 100 } })).toBe(100);
    const other = "control-plane/ingress/udp-1-10.8.0.0-16";
    expect(plan({}, { ruleNumbers: { [other]: 100 } }).warnings).toContain(
      `ruleNumbers names ${other}, which is not a rule: remove it`,
    );
  });

  it("are refused if two rules of a list would have the same, and the fix names a free one", () => {
    const taken = numberOf("control-plane/ingress/tcp-10250-10.8.0.0-16")!;
    const [fault, ...others] = plan({}, { ruleNumbers: { [key]: taken } }).faults;
    expect(others).toEqual([]);
    expect(fault).toEqual({
      path: "ruleNumbers",
      problem: `control-plane/ingress/tcp-10250-10.8.0.0-16 and ${key} would both get the number ${taken}`,
      remedy: `give the rule that is not deployed yet another number: { "${key}": ${taken + 1} }`,
    });
    const elsewhere = "control-plane/egress/udp-6081-10.8.0.0-16";
    expect(faults({}, { ruleNumbers: { [elsewhere]: taken } })).toEqual([]);
  });

  it.each([
    [0, "0 is not from 1 to 32766"],
    [32767, "32767 is not from 1 to 32766"],
    [1.5, "1.5 is not a whole number"],
    ["100", '"100" is not a whole number'],
  ])("are refused if they are invalid: %p", (number, problem) => {
    const ruleNumbers = { [key]: number } as Record<string, number>;
    expect(faults({}, { ruleNumbers })).toEqual([`ruleNumbers["${key}"]: ${problem}`]);
    expect(faults({}, { ruleNumbers: [] as unknown as Record<string, number> })).toEqual([
      "ruleNumbers: is not an object",
    ]);
  });

  it("of a thousand rules are spread over the range", () => {
    const [{ ...rule }] = plan().rules as [ReturnType<typeof plan>["rules"][number]];
    const rules = Array.from({ length: 1000 }, (_, index) => ({
      ...rule,
      ports: { from: index, to: index },
    }));
    const numbers = numbered(rules).map(({ number }) => number);
    expect(new Set(numbers).size).toBeGreaterThan(950);
    expect(Math.min(...numbers)).toBeLessThan(2000);
    expect(Math.max(...numbers)).toBeGreaterThan(31000);
  });
});

it("M12 external clients may be everybody, workers may not", () => {
  expect(faults({ externalClientCidrs: ["0.0.0.0/0"] })).toEqual([]);
  expect(faults({ workerCidrs: ["0.0.0.0/0"] })).not.toEqual([]);
});

it.each([
  [
    "hostEphemeralPorts",
    { fromPort: 70000, toPort: 1 },
    [
      "hostEphemeralPorts.fromPort: 70000 is not from 0 to 65535",
      "hostEphemeralPorts.toPort: 1 is less than fromPort 70000",
    ],
  ],
  [
    "clientEphemeralPorts",
    { fromPort: 2000, toPort: 1024 },
    ["clientEphemeralPorts.toPort: 1024 is less than fromPort 2000"],
  ],
  ["clientEphemeralPorts", 1024, ["clientEphemeralPorts: 1024 is not an object"]],
])("M12 an invalid range of %s is refused: %p", (input, range, expected) => {
  expect(faults({}, { [input]: range })).toEqual(expected);
});
