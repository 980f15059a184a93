import { type PropertyValue, UNKNOWN } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import { cidrInvalid } from "../../src/addressRanges/rules/cidrInvalid";
import { egressFirewallRuleInvalid } from "../../src/egressFirewall/rules/nameAndRules";
import { ovnSubnetInvalid } from "../../src/ovnSubnets/rules";
import { portLocalhostOnly } from "../../src/securityGroups/rules/groupRules";
import { portPublic } from "../../src/securityGroups/rules/portPublic";
import {
  group,
  hostedCluster,
  networking,
  ovn,
  resource,
  services,
  tcp,
  unknowns,
  violations,
  type Properties,
} from "../rules/builders";

describe("cidr-invalid", () => {
  it.each([
    ["host bits", "10.0.0.1/16", "write 10.0.0.0/16"],
    ["no mask", "172.16.1.1", "write 172.16.1.1/32"],
    ["IPv6 in an IPv4 property", "2001:db8::/32", "only IPv4"],
  ])("finds a security-group rule with %s", (_, cidr, remedy) => {
    const found = violations(cidrInvalid, [group("hosts", [tcp(443, "10.0.0.0/8", cidr)])]);
    expect(found).toMatchObject([
      { path: "ingress[0].cidrBlocks[1]", fix: expect.stringContaining(remedy) as string },
    ]);
  });

  it.each<[string, PropertyValue, PropertyValue, number]>([
    ["outside the block", "10.0.0.0/8", "11.0.0.0/16", 1],
    ["as large as the block", "10.0.0.0/8", "10.0.0.0/8", 1],
    ["larger than the block", "10.0.0.0/16", "10.0.0.0/8", 1],
    ["of another family", "0.0.0.0/0", "fd00::/8", 1],
    ["inside the block", "10.0.0.0/8", "10.1.0.0/16", 0],
    ["that is unknown", "10.0.0.0/8", UNKNOWN, 0],
    ["of an unknown block", UNKNOWN, "10.1.0.0/16", 0],
  ])("judges an exception of a network policy %s", (_, cidr, exception, count) => {
    const peer: PropertyValue = { ipBlock: { cidr, except: [exception] } };
    const policy = resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", "policy", {
      spec: { podSelector: {}, egress: [{ to: [peer] }] },
    });
    expect(violations(cidrInvalid, [policy]).map(({ path }) => path)).toEqual(
      Array.from({ length: count }, () => "spec.egress[0].to[0].ipBlock.except[0]"),
    );
  });

  it("judges Kubernetes objects, and does not print values that are not blocks", () => {
    const firewall = resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", "default", {
      spec: { egress: [{ type: "Deny", to: { cidrSelector: "hunter2 is my password" } }] },
    });
    const [found] = violations(cidrInvalid, [firewall]);
    expect(found).toMatchObject({ path: "spec.egress[0].to.cidrSelector" });
    expect(JSON.stringify(found)).not.toContain("hunter2");
    const cluster = hostedCluster({ networking: networking("10.0.0.0/33") });
    expect(violations(cidrInvalid, [cluster])).toMatchObject([
      { path: "spec.networking.machineNetwork[0].cidr" },
    ]);
  });

  it("host bits are a warning in HostedCluster and Network objects, whose readers clear them, and an error in filters", () => {
    const firewall = resource("kubernetes:k8s.ovn.org/v1:EgressFirewall", "default", {
      spec: { egress: [{ type: "Deny", to: { cidrSelector: "203.0.113.7/24" } }] },
    });
    const policy = resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", "policy", {
      spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: "203.0.113.7/24" } }] }] },
    });
    const network = resource("kubernetes:operator.openshift.io/v1:Network", "cluster", {
      spec: { clusterNetwork: [{ cidr: "10.132.0.1/14" }], serviceNetwork: ["172.31.0.1/16"] },
    });
    const found = violations(cidrInvalid, [
      hostedCluster({ networking: networking("10.0.0.1/16") }),
      network,
      firewall,
      policy,
      group("hosts", [tcp(443, "10.0.0.1/16")]),
    ]);
    expect(violations(egressFirewallRuleInvalid, [firewall])).toEqual([]);
    expect(found.map(({ path, level, fix }) => `${level} ${path}: ${fix}`).sort()).toEqual([
      "error ingress[0].cidrBlocks[0]: write 10.0.0.0/16",
      "error spec.egress[0].to.cidrSelector: write 203.0.113.0/24",
      "error spec.ingress[0].from[0].ipBlock.cidr: write 203.0.113.0/24",
      "warning spec.clusterNetwork[0].cidr: write 10.132.0.0/14",
      "warning spec.networking.machineNetwork[0].cidr: write 10.0.0.0/16",
      "warning spec.serviceNetwork[0]: write 172.31.0.0/16",
    ]);
  });

  it("accepts correct and absent blocks, and counts unknown ones", () => {
    expect(violations(cidrInvalid, [hostedCluster(), group("hosts", [tcp(443, "10.0.0.0/8")])])).toEqual([]);
    const rule = resource(TYPE.ingressRule, "rule", { cidrIpv4: UNKNOWN, cidrIpv6: "" });
    expect(violations(cidrInvalid, [rule])).toEqual([]);
    expect(unknowns(cidrInvalid, [rule])).toMatchObject([{ path: "cidrIpv4" }]);
  });

  it("does not throw on values of unexpected shapes", () => {
    const shapes: PropertyValue[] = [
      UNKNOWN,
      null,
      3,
      "text",
      [null, 3, UNKNOWN, { cidrBlocks: 3 }],
      { cidrBlocks: [] },
    ];
    for (const ingress of shapes)
      expect(() => violations(cidrInvalid, [group("hosts", [], { ingress })])).not.toThrow();
  });
});

describe("ovn-subnet-invalid", () => {
  const path =
    "spec.operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig.ipv4.internalJoinSubnet";

  it.each([
    ["100.99.0.0/31", "too small"],
    ["0.99.0.0/16", "octet 0"],
    ["fd98::/64", "IPv6"],
    ["100.99.0.1/16", "host bits"],
  ])("M6 rejects %s: %s", (subnet, words) => {
    const found = violations(ovnSubnetInvalid, [hostedCluster(ovn(subnet))]);
    expect(found).toMatchObject([{ path, message: expect.stringContaining(words) as string }]);
  });

  it("host bits are a warning, because the API server, HyperShift and the network operator accept them", () => {
    const network = resource("kubernetes:operator.openshift.io/v1:Network", "cluster", {
      spec: { defaultNetwork: { ovnKubernetesConfig: { ipv4: { internalJoinSubnet: "100.99.0.1/16" } } } },
    });
    const found = violations(ovnSubnetInvalid, [hostedCluster(ovn("100.99.0.1/16")), network]);
    expect(found.map(({ level, fix }) => `${level} ${fix}`)).toEqual([
      "warning write 100.99.0.0/16",
      "warning write 100.99.0.0/16",
    ]);
  });

  it("M6 accepts a correct subnet", () => {
    expect(violations(ovnSubnetInvalid, [hostedCluster(ovn("100.99.0.0/16", "100.69.0.0/16"))])).toEqual([]);
  });

  it("M6 rejects two equal subnets, KubeVirt's join subnet and other network types", () => {
    expect(violations(ovnSubnetInvalid, [hostedCluster(ovn("100.99.0.0/16", "100.99.0.0/16"))])).toHaveLength(
      1,
    );
    const kubeVirt = hostedCluster({ ...ovn("100.99.0.0/16"), platform: { type: "KubeVirt" } });
    expect(violations(ovnSubnetInvalid, [kubeVirt])).toHaveLength(1);
    const calico = {
      networking: networking("10.0.0.0/16", { networkType: "Calico" }),
      ...ovn("100.99.0.0/16"),
    };
    expect(violations(ovnSubnetInvalid, [hostedCluster(calico)])).toHaveLength(1);
  });

  it("judges patches and Network objects, and counts unknown subnets", () => {
    const patch = resource(`${hostedCluster().type}Patch`, "move", {
      metadata: { name: "tenant-a", namespace: "clusters" },
      spec: ovn("0.99.0.0/16"),
    });
    expect(violations(ovnSubnetInvalid, [patch])).toMatchObject([{ path, resource: patch.origin }]);
    const network = resource("kubernetes:operator.openshift.io/v1:Network", "cluster", {
      spec: { defaultNetwork: { ovnKubernetesConfig: { ipv4: { internalJoinSubnet: "0.1.0.0/16" } } } },
    });
    expect(violations(ovnSubnetInvalid, [network])).toHaveLength(1);
    expect(unknowns(ovnSubnetInvalid, [hostedCluster(ovn(UNKNOWN))])).toMatchObject([{ path }]);
  });
});

describe("port-public", () => {
  const cluster = hostedCluster();
  const found = (...ingress: ReturnType<typeof tcp>[]) =>
    violations(portPublic, [cluster, group("hosts", ingress)]);

  it.each([8091, 8443, 9090])("M5 finds port %i open to the world", (port) => {
    expect(found(tcp(port, "10.0.0.0/16", "0.0.0.0/0"))).toMatchObject([
      {
        path: "ingress[0].cidrBlocks[1]",
        witness: `203.0.113.1 -> control-plane hosts, TCP ${port}`,
        fix: expect.stringContaining("10.0.0.0/16") as string,
      },
    ]);
  });

  it("M5 the API server and the router may be public, and workers may reach everything", () => {
    expect(found(tcp(6443, "0.0.0.0/0"), tcp(443, "0.0.0.0/0"), tcp(8091, "10.0.0.0/8"))).toEqual([]);
    const v6 = { protocol: "tcp", fromPort: 8091, toPort: 8091, ipv6CidrBlocks: ["fd00::/8"] };
    expect(found(v6)).toEqual([]);
  });

  it("blocks that together cover all addresses are public, and so is all of IPv6", () => {
    expect(found(tcp(8091, "0.0.0.0/1"), tcp(8091, "128.0.0.0/1"))).toHaveLength(2);
    expect(found({ protocol: "-1", fromPort: 0, toPort: 0, ipv6CidrBlocks: ["::/0"] })).toHaveLength(1);
    const eighths = Array.from({ length: 8 }, (_, part) => `${part * 32}.0.0.0/3`);
    expect(found(tcp(8091, ...eighths))).toHaveLength(1);
  });

  it("one finding names every port that a wide rule opens", () => {
    const [wide, ...others] = found({
      protocol: "tcp",
      fromPort: 8000,
      toPort: 9500,
      cidrBlocks: ["0.0.0.0/0"],
    });
    expect(others).toEqual([]);
    for (const port of ["TCP 8091", "TCP 8443", "TCP 9090"]) expect(wide?.message).toContain(port);
  });

  it("a pinned node port for users may be public, the rest of the range may not", () => {
    const nodePorts = hostedCluster({
      platform: { type: "None" },
      services: ["APIServer", "OAuthServer", "Konnectivity", "Ignition"].map((service, position) => ({
        service,
        servicePublishingStrategy: {
          type: "NodePort",
          nodePort: { address: "a.example.com", port: 30001 + position },
        },
      })),
    });
    const judged = (port: number) =>
      violations(portPublic, [nodePorts, group("hosts", [tcp(port, "0.0.0.0/0")])]);
    expect(judged(30001)).toEqual([]);
    expect(judged(30003)).toHaveLength(1);
  });

  it("unknown sources and ports are counted", () => {
    const resources = [cluster, group("hosts", [{ ...tcp(8091), cidrBlocks: UNKNOWN }])];
    expect(unknowns(portPublic, resources)).toMatchObject([{ path: "ingress[0].cidrBlocks" }]);
    const ports = [cluster, group("hosts", [{ ...tcp(8091, "0.0.0.0/0"), fromPort: UNKNOWN }])];
    expect(unknowns(portPublic, ports)).toMatchObject([{ path: "ingress[0].fromPort" }]);
    expect(unknowns(portPublic, [cluster, group("hosts", [{ ...tcp(6443), cidrBlocks: UNKNOWN }])])).toEqual(
      [],
    );
  });

  it("groups without a role are not judged", () => {
    expect(violations(portPublic, [cluster, group("web", [tcp(8443, "0.0.0.0/0")], { tags: {} })])).toEqual(
      [],
    );
  });
});

describe("port-localhost-only", () => {
  const agent = hostedCluster({ platform: { type: "Agent" }, services: services({}) });

  it("M5 finds port 8080 opened on Agent", () => {
    expect(violations(portLocalhostOnly, [agent, group("hosts", [tcp(8080, "10.0.0.0/16")])])).toMatchObject([
      {
        path: "ingress[0].cidrBlocks[0]",
        requirement: "cp-in-agent-capi-metrics",
        witness: expect.stringContaining("10.0.0.1") as string,
      },
    ]);
    const wide = { protocol: "tcp", fromPort: 8000, toPort: 8100, cidrBlocks: ["10.0.0.0/16"] };
    expect(violations(portLocalhostOnly, [agent, group("hosts", [wide])])).toHaveLength(1);
  });

  it("other platforms, other ports and rules between hosts of the group are not judged", () => {
    expect(
      violations(portLocalhostOnly, [hostedCluster(), group("hosts", [tcp(8080, "10.0.0.0/16")])]),
    ).toEqual([]);
    expect(violations(portLocalhostOnly, [agent, group("hosts", [tcp(8081, "10.0.0.0/16")])])).toEqual([]);
    const self = { protocol: "-1", fromPort: 0, toPort: 0, self: true };
    expect(violations(portLocalhostOnly, [agent, group("hosts", [self])])).toEqual([]);
  });

  it("an unknown port is counted", () => {
    const rule: Properties = { ...tcp(1, "10.0.0.0/16"), fromPort: UNKNOWN };
    expect(unknowns(portLocalhostOnly, [agent, group("hosts", [rule])])).toMatchObject([
      { path: "ingress[0].fromPort" },
    ]);
  });
});
