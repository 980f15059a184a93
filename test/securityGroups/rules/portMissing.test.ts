import { UNKNOWN, type Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import { portMissing } from "../../../src/securityGroups/rules/portMissing";
import { Direction } from "../../../src/requirements/vocabulary";
import {
  COMPONENT,
  group,
  hostedCluster,
  resource,
  services,
  splitRule,
  stating,
  tags,
  tcp,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";

/** The documented ingress of control-plane hosts on AWS with Route: 6443 and 443 from workers. */
const complete = [tcp(6443, "10.0.0.0/16"), tcp(443, "10.0.0.0/16")];
const cluster = hostedCluster();

const ingressOf = (resources: Resource[]) =>
  violations(portMissing, resources).filter(({ path }) => path === String(Direction.Ingress));

/** The witnesses of missing inbound packets. */
const missing = (ingress: Properties[], more: Properties = {}) =>
  ingressOf([cluster, group("hosts", ingress, more)]).map(({ witness }) => witness);

describe("port-missing, coverage", () => {
  it("M1 accepts a group with every documented port open to the workers", () => {
    expect(missing(complete)).toEqual([]);
  });

  it("M1 names the missing port, an address, the requirement and the document", () => {
    const [finding, ...others] = ingressOf([cluster, group("hosts", [tcp(443, "10.0.0.0/16")])]);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      rule: "port-missing",
      requirement: "cp-in-kas",
      witness: "10.0.0.1 -> control-plane hosts, TCP 6443",
      message: expect.stringContaining("workers 10.0.0.0/16") as string,
      fix: expect.stringContaining("allow TCP 6443 from 10.0.0.0/16") as string,
    });
    expect(finding?.documents.join()).toContain("OKD networking, Table 1. Common ingress ports");
  });

  it("M5 reports an address of the other half if a rule covers half of the workers", () => {
    expect(missing([tcp(6443, "10.0.0.0/17"), tcp(443, "10.0.0.0/16")])).toEqual([
      "10.0.128.1 -> control-plane hosts, TCP 6443",
    ]);
  });

  it("requires traffic among workers from their stated addresses, not from any", () => {
    const own = stating({ defaultWorkerRules: true });
    const all = { protocol: "-1", fromPort: 0, toPort: 0 };
    const kubelets = (...others: Properties[]) => {
      const open = [
        { ...tcp(0, "10.0.0.0/8"), toPort: 10_249 },
        { ...tcp(10_251, "10.0.0.0/8"), toPort: 65_535 },
      ];
      const workers = group("workers", [...open, ...others], {
        tags: tags("workers"),
        egress: [{ ...all, cidrBlocks: ["0.0.0.0/0"] }],
      });
      return [
        ...violations(portMissing, [cluster, workers], own),
        ...unknowns(portMissing, [cluster, workers], own),
      ]
        .filter(({ message }) => message.includes("10250") || message.includes("topology"))
        .map(({ hop, witness }) => [hop, witness]);
    };
    const lost = (from: string) => [["workers/ingress/worker-tcp-10250", `${from} -> workers, TCP 10250`]];
    expect(kubelets()).toEqual(lost("10.0.0.1"));
    expect(kubelets(tcp(10_250, "192.168.0.0/16"))).toEqual(lost("10.0.0.1"));
    expect(kubelets(tcp(10_250, "10.0.0.0/17"))).toEqual(lost("10.0.128.1"));
    expect(kubelets(tcp(10_250, "10.0.0.0/16"))).toEqual([]);
    expect(kubelets({ ...tcp(10_250, "10.9.0.0/16"), cidrBlocks: [], self: true })).toEqual([]);
  });

  it("accepts two rules that cover the workers together", () => {
    expect(missing([tcp(6443, "10.0.0.0/17"), tcp(6443, "10.0.128.0/17"), tcp(443, "10.0.0.0/8")])).toEqual(
      [],
    );
  });

  it("M5 names every part of a port range that is left out, with its addresses", () => {
    const pinned = hostedCluster({
      platform: { type: "None" },
      services: services({
        APIServer: "NodePort",
        OAuthServer: "NodePort",
        Konnectivity: "NodePort",
        Ignition: "NodePort",
      }),
    });
    const range = (fromPort: number, toPort: number, ...cidrBlocks: string[]) => ({
      ...tcp(0, ...cidrBlocks),
      fromPort,
      toPort,
    });
    const found = (...rules: Properties[]) =>
      ingressOf([pinned, group("hosts", [range(0, 29999, "10.0.0.0/16"), ...rules])]).map(
        ({ message, witness }) => [/at (.*?)\. /.exec(message)?.[1], witness],
      );
    expect(found(range(30000, 30999, "10.0.0.0/16"), range(31001, 32767, "10.0.0.0/16"))).toEqual([
      ["TCP 31000", "10.0.0.1 -> control-plane hosts, TCP 31000"],
    ]);
    expect(found(range(30000, 32767, "10.0.0.0/17"), range(30010, 30099, "10.0.128.0/17"))).toEqual([
      ["TCP 30000-30009, TCP 30100-32767", "10.0.128.1 -> control-plane hosts, TCP 30000"],
    ]);
    expect(found(range(30000, 32767, "10.0.0.0/17"), range(30000, 32767, "10.0.128.0/17"))).toEqual([]);
  });

  it("judges two groups of one role separately if they are in two VPCs", () => {
    const [first, second] = ["vpc-1", "vpc-2"].map((vpcId, at) =>
      group(`hosts-${at}`, [complete[at]!], { id: `sg-${at}`, vpcId }),
    );
    const found = ingressOf([cluster, first!, second!]);
    expect(found.map(({ resource: { urn }, witness }) => [urn, witness])).toEqual([
      [first!.origin.urn, "10.0.0.1 -> control-plane hosts, TCP 443"],
      [second!.origin.urn, "10.0.0.1 -> control-plane hosts, TCP 6443"],
    ]);
  });

  it("combines the rules of two groups of one role", () => {
    const resources = [
      cluster,
      group("a", [tcp(6443, "10.0.0.0/16")]),
      group("b", [tcp(443, "10.0.0.0/16")]),
    ];
    expect(ingressOf(resources)).toEqual([]);
  });

  it.each([
    ["-1", 0, 0],
    ["all", -1, -1],
    ["TCP", 0, 65535],
    ["6", 443, 6443],
  ])("reads protocol %s with ports %i-%i as all ports of the range", (protocol, fromPort, toPort) => {
    expect(missing([{ protocol, fromPort, toPort, cidrBlocks: ["10.0.0.0/16"] }])).toEqual([]);
  });

  it("reads TCP 0-0 as port 0 only, and does not accept UDP for TCP", () => {
    expect(missing([{ protocol: "tcp", fromPort: 0, toPort: 0, cidrBlocks: ["10.0.0.0/16"] }])).toHaveLength(
      2,
    );
    expect(
      missing([{ protocol: "17", fromPort: 0, toPort: 65535, cidrBlocks: ["10.0.0.0/16"] }]),
    ).toHaveLength(2);
  });

  it("does not count egress rules for ingress", () => {
    expect(missing([], { egress: complete })).toHaveLength(2);
  });

  it("requires access for external clients only if their addresses are stated", () => {
    const open = hostedCluster({
      platform: { type: "AWS", aws: { region: "us-east-1", endpointAccess: "PublicAndPrivate" } },
    });
    const found = (externalClientCidrs: string[]) =>
      violations(portMissing, [open, group("hosts", [tcp(443, "10.0.0.0/16"), tcp(6443, "10.0.0.0/16")])], {
        clusters: [
          {
            path: "hostedClusters[0]",
            topology: { name: "tenant-a", namespace: "clusters", externalClientCidrs },
            securityGroups: {},
          },
        ],
        levels: {},
      })
        .filter(({ path }) => path === String(Direction.Ingress))
        .map(({ message }) => /lets (.*?) reach/.exec(message)?.[1]);
    expect(found([])).toEqual([]);
    expect(new Set(found(["203.0.113.0/24"]))).toEqual(new Set(["external clients 203.0.113.0/24"]));
  });

  it("names the component that disabled a flow, found by its group or its rules, and no other parent", () => {
    const bare = group("hosts", [tcp(443, "10.0.0.0/16")]);
    const rule = splitRule("dns", bare, { fromPort: 9, toPort: 9, cidrIpv4: "10.0.0.0/16" });
    const said = (type: string, ofGroup: boolean) => {
      const parent = resource(type, "net", { disabledRules: ["control-plane/ingress/kube-apiserver"] });
      const own = { parent: parent.origin.urn! };
      const resources = [
        cluster,
        parent,
        { ...bare, ...(ofGroup && own) },
        { ...rule, ...(!ofGroup && own) },
      ];
      return ingressOf(resources).map(({ fix }) =>
        fix.startsWith("remove control-plane/ingress/kube-apiserver from"),
      );
    };
    expect([said(COMPONENT, true), said(COMPONENT, false), said("other:index:Network", true)]).toEqual([
      [true],
      [true],
      [false],
    ]);
  });

  it("M4 reports missing egress of control-plane hosts", () => {
    const found = violations(portMissing, [cluster, group("hosts", complete)]);
    const found443 = found.filter(({ requirement }) => requirement === "cp-out-443");
    expect(found443).toHaveLength(1);
    const open = { protocol: "-1", fromPort: 0, toPort: 0, cidrBlocks: ["0.0.0.0/0"] };
    expect(violations(portMissing, [cluster, group("hosts", complete, { egress: [open] })])).toEqual([]);
  });
});

describe("port-missing, forms of rules", () => {
  const hosts = group("hosts", [], { ingress: UNKNOWN });

  it("joins rule resources to their group by dependency if no id is known", () => {
    const empty = resource(TYPE.securityGroup, "hosts", { id: UNKNOWN, tags: tags() });
    const rules = [
      splitRule("api", empty, { fromPort: 6443, toPort: 6443, cidrIpv4: "10.0.0.0/16" }),
      splitRule("router", empty, { fromPort: 443, toPort: 443, cidrIpv4: "10.0.0.0/16" }),
    ];
    expect(ingressOf([cluster, empty, ...rules])).toEqual([]);
    expect(unknowns(portMissing, [cluster, empty, ...rules])).toEqual([]);
    expect(ingressOf([cluster, empty, rules[0]!])).toHaveLength(1);
  });

  it("joins legacy rules by equal ids", () => {
    const known = resource(TYPE.securityGroup, "hosts", { id: "sg-1", tags: tags() });
    const legacy = (name: string, port: number) =>
      resource(TYPE.securityGroupRule, name, {
        type: "ingress",
        securityGroupId: "sg-1",
        ...tcp(port, "10.0.0.0/16"),
      });
    expect(ingressOf([cluster, known, legacy("a", 6443), legacy("b", 443)])).toEqual([]);
  });

  it("does not join rules of another group because both ids are unknown", () => {
    const other = resource(TYPE.securityGroup, "other", { id: UNKNOWN });
    const own = resource(TYPE.securityGroup, "hosts", { id: UNKNOWN, tags: tags() });
    const rule = splitRule("api", other, { fromPort: 0, toPort: 65535, cidrIpv4: "10.0.0.0/16" });
    expect(ingressOf([cluster, other, own, rule])).toHaveLength(2);
  });

  it("accepts a reference to the workers' group for the workers", () => {
    const workers = group("workers", [], { tags: tags("workers"), id: "sg-w" });
    const rules = [6443, 443].map((port) => ({ ...tcp(port), securityGroups: ["sg-w"] }));
    expect(ingressOf([cluster, workers, group("hosts", rules)]).map(({ message }) => message)).toEqual([]);
  });

  describe("a reference to the workers' group in another VPC", () => {
    const workers = (more: Properties = {}) =>
      group("workers", [], { tags: tags("workers"), id: "sg-w", vpcId: "vpc-w", ...more });
    const rules = [6443, 443].map((port) => ({ ...tcp(port), securityGroups: ["sg-w"] }));
    const own = (more: Properties = {}) => group("hosts", rules, { vpcId: "vpc-m", ...more });
    const peering = (more: Properties = {}) =>
      resource(TYPE.peering, "peering", { vpcId: "vpc-m", peerVpcId: "vpc-w", ...more });
    const gateway = (referencing?: string, more: Properties = {}) => [
      resource(TYPE.transitGateway, "hub", {
        id: "tgw-1",
        ...(referencing !== undefined && { securityGroupReferencingSupport: referencing }),
      }),
      ...["vpc-m", "vpc-w"].map((vpcId) =>
        resource(TYPE.transitGatewayAttachment, vpcId, { transitGatewayId: "tgw-1", vpcId, ...more }),
      ),
    ];
    const doubts = (...resources: Resource[]) => {
      expect(ingressOf([cluster, ...resources])).toEqual([]);
      return unknowns(portMissing, [cluster, ...resources]).filter(({ path }) =>
        path.includes("securityGroups"),
      );
    };

    it.each<[what: string, between: Resource[]]>([
      ["missing", []],
      ["a peering with another VPC", [peering({ peerVpcId: "vpc-x" })]],
      ["a peering that is gone", [peering({ acceptStatus: "deleted" })]],
      ["a transit gateway that does not support it", gateway()],
      [
        "a transit gateway with an attachment that does not support it",
        gateway("enable", { securityGroupReferencingSupport: "disable" }),
      ],
    ])("is unknown if the connection is %s", (_, between) => {
      const [found] = doubts(workers(), own(), ...between);
      expect(found?.message).toContain(
        "workers is in VPC vpc-w, and EC2 accepts a reference to it in VPC vpc-m only",
      );
    });

    it.each<[what: string, resources: Resource[]]>([
      ["a peering", [workers(), own(), peering()]],
      ["a transit gateway that supports it", [workers(), own(), ...gateway("enable")]],
      ["both groups in the same VPC", [workers(), own({ vpcId: "vpc-w" })]],
      ["an unknown VPC", [workers(), own({ vpcId: UNKNOWN })]],
      [
        "an association of the group with the VPC",
        [
          workers(),
          own(),
          resource(TYPE.securityGroupVpcAssociation, "both", { securityGroupId: "sg-w", vpcId: "vpc-m" }),
        ],
      ],
      ["a group read from the cloud", [workers(), { ...own(), origin: { live: "sg-1" } }]],
    ])("counts with %s", (_, resources) => {
      expect(doubts(...resources)).toEqual([]);
    });

    it("is unknown for outbound rules through a transit gateway, which supports only inbound rules", () => {
      const callers = (vpcId: string) =>
        workers({ vpcId, egress: [{ protocol: "-1", fromPort: 0, toPort: 0, securityGroups: ["sg-cp"] }] });
      const hosts = own({ id: "sg-cp" });
      expect(doubts(callers("vpc-w"), hosts, peering())).toEqual([]);
      expect(doubts(callers("vpc-w"), hosts, ...gateway("enable"))[0]?.path).toBe(
        "egress[0].securityGroups[0]",
      );
    });
  });

  it("reads the role of a referenced group outside the stack from its own rules", () => {
    const component = resource(COMPONENT, "net", { topology: { name: "tenant-a", namespace: "clusters" } });
    const ruleOf = (role: string, name: string, groupId: string, more: Properties): Resource => ({
      ...resource(TYPE.ingressRule, `net-${role}-ingress-${name}`, {
        securityGroupId: groupId,
        ipProtocol: "tcp",
        ...more,
      }),
      parent: component.origin.urn!,
    });
    const api = { fromPort: 6443, toPort: 6443 };
    const rules = [
      ruleOf("workers", "ssh", "sg-w", { fromPort: 22, toPort: 22, cidrIpv4: "10.0.0.0/16" }),
      ruleOf("control-plane", "router", "sg-cp", { fromPort: 443, toPort: 443, cidrIpv4: "10.0.0.0/16" }),
    ];
    const named = (id: string) =>
      unknowns(portMissing, [
        cluster,
        component,
        ...rules,
        ruleOf("control-plane", "api", "sg-cp", { ...api, referencedSecurityGroupId: id }),
      ]).filter(({ message }) => message.includes("the addresses behind"));
    expect(named("sg-w")).toEqual([]);
    expect(named("sg-bastion")).toHaveLength(1);
  });

  it("reads a prefix list of the stack with its entries, and reports another one as unknown", () => {
    const list = resource(TYPE.prefixList, "workers", { id: "pl-1", entries: [{ cidr: "10.0.0.0/16" }] });
    const by = (id: string) => [6443, 443].map((port) => ({ ...tcp(port), prefixListIds: [id] }));
    expect(ingressOf([cluster, list, group("hosts", by("pl-1"))])).toEqual([]);
    expect(ingressOf([cluster, list, group("hosts", by("pl-2"))])).toEqual([]);
    expect(unknowns(portMissing, [cluster, list, group("hosts", by("pl-2"))])[0]?.message).toContain(
      "the entries of prefix list pl-2 are not in this stack",
    );
  });

  it("reports unknown sources of one port as unknown, and still judges the others", () => {
    const rules: Properties[] = [{ ...tcp(6443), cidrBlocks: UNKNOWN }];
    const resources = [cluster, group("hosts", rules)];
    expect(ingressOf(resources).map(({ requirement }) => requirement)).toEqual(["cp-in-route-443"]);
    expect(unknowns(portMissing, resources).map(({ path }) => path)).toContain("ingress[0].cidrBlocks");
  });

  it("reports unknown inline rules as unknown, and not as violations", () => {
    expect(ingressOf([cluster, hosts])).toEqual([]);
    expect(unknowns(portMissing, [cluster, hosts]).map(({ path }) => path)).toContain("ingress");
  });

  it("reports a rule of an unknown group as unknown", () => {
    const lost = resource(TYPE.ingressRule, "lost", { securityGroupId: UNKNOWN, ...tcp(6443) });
    expect(unknowns(portMissing, [cluster, lost])).toMatchObject([{ path: "securityGroupId" }]);
  });
});

describe("port-missing, roles", () => {
  it("does not judge a group without a role", () => {
    expect(violations(portMissing, [cluster, group("other", [], { tags: { Name: UNKNOWN } })])).toEqual([]);
    expect(unknowns(portMissing, [cluster, group("other", [], { tags: { Name: UNKNOWN } })])).toEqual([]);
  });

  it("reports unknown tags or an invalid role as unknown", () => {
    expect(unknowns(portMissing, [cluster, group("other", [], { tags: UNKNOWN })])).toMatchObject([
      { path: "tags" },
    ]);
    expect(
      unknowns(portMissing, [cluster, group("other", [], { tags: tags("controlplane") })])[0]?.message,
    ).toContain("not one of control-plane, workers, private-endpoint");
  });

  it("judges groups that the configuration names by name, id or URN", () => {
    const bare = group("bare", [], { tags: {}, id: "sg-9" });
    for (const name of ["bare", "sg-9", bare.origin.urn!]) {
      const configured = {
        clusters: [
          {
            path: "hostedClusters[0]",
            topology: { name: "tenant-a" },
            securityGroups: { "control-plane": [name] },
          },
        ],
        levels: {},
      };
      expect(violations(portMissing, [cluster, bare], configured).length).toBeGreaterThan(0);
    }
  });

  it("reports a group of a cluster without a topology as unknown", () => {
    expect(unknowns(portMissing, [group("hosts", [])])[0]?.message).toContain(
      "no topology of cluster tenant-a",
    );
  });

  it("reports rules of a component for a group outside the stack as unknown", () => {
    const component = resource(COMPONENT, "net", {
      topology: {
        name: "tenant-a",
        namespace: "clusters",
        platform: "AWS",
        machineNetwork: [{ cidr: "10.0.0.0/16" }],
      },
    });
    const rule: Resource = {
      ...resource(TYPE.ingressRule, "net-control-plane-ingress-tcp-443", {
        securityGroupId: "sg-elsewhere",
        ipProtocol: "tcp",
        fromPort: 443,
        toPort: 443,
        cidrIpv4: "10.0.0.0/16",
      }),
      parent: component.origin.urn!,
    };
    expect(violations(portMissing, [component, rule])).toEqual([]);
    expect(unknowns(portMissing, [component, rule])[0]?.message).toContain("not in this stack");
  });
});

describe("port-missing at node ports with an address", () => {
  const service = (nodePort: number, address: string) => ({ type: "NodePort", nodePort, address });
  const blocked = (address: string, ...open: readonly string[]) => {
    const own = stating({
      platform: "None",
      managementClusterCidrs: ["10.1.0.0/16"],
      services: {
        apiServer: service(30_001, address),
        oauthServer: service(30_002, address),
        konnectivity: service(30_003, address),
        ignition: service(30_004, address),
      },
    });
    const egress = [tcp(6443), tcp(8091), tcp(8443), { ...tcp(30_001), toPort: 30_004 }].map((rule) => ({
      ...rule,
      cidrBlocks: open,
    }));
    const workers = group("workers", [], { tags: tags("workers"), egress });
    return violations(portMissing, [workers], own)
      .map(({ witness }) => witness)
      .filter((witness) => /TCP (6443|8091|8443|3000\d)$/.test(witness ?? ""));
  };

  it("requires that workers reach the address, whatever they reach among the nodes", () => {
    expect(blocked("10.9.0.5", "10.9.0.5/32")).toEqual([]);
    expect(blocked("10.1.0.10", "10.1.0.10/32")).toEqual([]);
    expect(blocked("10.9.0.5", "10.1.0.0/16")).toContain("workers -> 10.9.0.5, TCP 30001");
    expect(blocked("10.9.0.5", "10.1.0.0/16")).toHaveLength(7);
  });

  it("requires all nodes if the address is a host name", () => {
    expect(blocked("nodes.example.com", "10.1.0.0/16")).toEqual([]);
    expect(blocked("nodes.example.com", "10.1.0.10/32")).toHaveLength(7);
  });
});

describe("port-missing with public and private access", () => {
  const own = stating({
    platform: "AWS",
    endpointAccess: "PublicAndPrivate",
    machineNetwork: [{ cidr: "10.0.0.0/16" }],
    controlPlaneEndpointCidrs: ["192.0.2.128/28"],
    registryCidrs: ["198.51.100.0/24"],
  });
  const blocked = (...open: readonly string[]) => {
    const egress = [tcp(6443), tcp(443)].map((rule) => ({
      ...rule,
      cidrBlocks: [...open, "198.51.100.0/24"],
    }));
    return violations(portMissing, [group("workers", [], { tags: tags("workers"), egress })], own)
      .map(({ witness }) => witness)
      .filter((witness) => /TCP (6443|443)$/.test(witness ?? ""));
  };

  it("requires the endpoint in the machine network for private paths, and public addresses only for OAuth by Route", () => {
    expect(blocked("10.0.0.0/16", "192.0.2.128/28")).toEqual([]);
    expect(blocked("10.0.0.0/16")).toEqual(["workers -> 192.0.2.129, TCP 443"]);
    expect(blocked("192.0.2.128/28").sort()).toEqual([
      "workers -> 10.0.0.1, TCP 443",
      "workers -> 10.0.0.1, TCP 6443",
    ]);
  });
});
