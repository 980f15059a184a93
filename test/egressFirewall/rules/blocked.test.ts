import { UNKNOWN, type Resource } from "../../../src/resources/resource";
import { egressFirewallApiBlocked, egressFirewallDns } from "../../../src/egressFirewall/rules/blocked";
import {
  hostedCluster,
  networking,
  resource,
  unknowns,
  urnOf,
  violations,
  type Properties,
} from "../../rules/builders";
import {
  TYPE,
  COMPONENT,
  rule,
  named,
  port,
  denyAll,
  api,
  firewall,
  described,
  messages,
  open,
} from "./firewalls";

describe("M15 egress-firewall-api-blocked", () => {
  const cluster = hostedCluster();
  const with443 = hostedCluster({
    networking: networking("10.0.0.0/16", { apiServer: { advertiseAddress: "10.9.9.9", port: 443 } }),
  });
  const ipv6First = hostedCluster({
    networking: {
      networkType: "OVNKubernetes",
      machineNetwork: [{ cidr: "2001:db8::/64" }, { cidr: "10.0.0.0/16" }],
      clusterNetwork: [{ cidr: "fd01::/48" }, { cidr: "10.132.0.0/14" }],
      serviceNetwork: [{ cidr: "fd02::/112" }, { cidr: "172.31.0.0/16" }],
    },
  });
  const denied = (what = "172.20.0.1 port 6443") =>
    `spec.egress[0]: denies 0.0.0.0/0, which includes the API server at ${what}`;

  it("reports a Deny of everything, with the packet and the missing Allow", () => {
    const [finding] = violations(egressFirewallApiBlocked, [cluster, firewall([denyAll])]);
    expect(finding).toMatchObject({
      level: "error",
      path: "spec.egress[0]",
      message: "denies 0.0.0.0/0, which includes the API server at 172.20.0.1 port 6443",
      witness: "pods of the namespace -> 172.20.0.1, TCP 6443",
    });
    expect(finding?.fix).toContain("put an Allow for 172.20.0.1/32 port 6443 TCP before it");
  });

  it.each([
    ["a patch denies everything", [cluster, firewall([denyAll], { type: `${TYPE}Patch` })], denied()],
    ["no cluster is described and every address is denied", [firewall([denyAll])], denied()],
    [
      "an Allow for a name comes first",
      [cluster, firewall([named("Allow", "api.example.com"), denyAll])],
      "spec.egress[1]: denies 0.0.0.0/0, which includes the API server at 172.20.0.1 port 6443",
    ],
    ["the Allow is of another port", [with443, firewall([denyAll, api])], denied("10.9.9.9 port 443")],
    [
      "all described clusters are cut off",
      [cluster, hostedCluster({}, "tenant-b"), firewall([denyAll])],
      denied(),
    ],
    [
      "IPv6 is denied in a cluster whose first family is IPv6",
      [ipv6First, firewall([rule("Deny", "::/0")])],
      "spec.egress[0]: denies ::/0, which includes the API server at fd00::1 port 6443",
    ],
  ])("reports a violation if %s", (_, resources, expected) =>
    expect(messages(egressFirewallApiBlocked, resources)).toEqual([expected]),
  );

  it.each<[string, Resource, string]>([
    [
      "the API server refuses another rule",
      firewall([denyAll, rule("Allow", "192.0.2.0/24", port(65536))]),
      "spec.egress[1].ports[0].port, 65536 is not a port: the API server refuses the object",
    ],
    [
      "the API server refuses the name",
      firewall([denyAll], { name: "mine" }),
      'metadata.name, "mine" is not the name of an egress firewall: the API server refuses the object',
    ],
    [
      "OVN-Kubernetes cannot read another rule",
      firewall([denyAll, rule("Allow", "192.0.2.1")]),
      "spec.egress[1].to.cidrSelector, 192.0.2.1 has no mask: because of this, OVN-Kubernetes applies none of the object's 2 rules",
    ],
  ])("is unknown if %s, so that the object may not be in force", (_, object, expected) => {
    expect(messages(egressFirewallApiBlocked, [cluster, object])).toEqual([]);
    expect(open(egressFirewallApiBlocked, [cluster, object])).toContainEqual(
      `EgressFirewall firewall: ${expected}`,
    );
  });

  it("judges rules beside one with which OVN-Kubernetes applies the object, and its own Deny", () => {
    expect(
      messages(egressFirewallApiBlocked, [
        cluster,
        firewall([named("Allow", "192.0.2.1"), rule("Allow", "192.0.2.0/24", port(1, "TCPX")), denyAll]),
      ]),
    ).toEqual(["spec.egress[2]: denies 0.0.0.0/0, which includes the API server at 172.20.0.1 port 6443"]);
    expect(
      messages(egressFirewallApiBlocked, [cluster, firewall([rule("Allowed", "172.20.0.1/32"), denyAll])]),
    ).toEqual([
      "spec.egress[0]: denies 172.20.0.1/32, which includes the API server at 172.20.0.1 port 6443",
    ]);
  });

  it.each<[string, Resource[]]>([
    ["an Allow for it comes first", [cluster, firewall([api, denyAll])]],
    [
      "an Allow for the advertised address comes first",
      [with443, firewall([rule("Allow", "10.9.9.9/32"), denyAll])],
    ],
    ["other addresses are denied", [cluster, firewall([rule("Deny", "192.0.2.0/24")])]],
    ["IPv6 is denied and the API server has an IPv4 address", [cluster, firewall([rule("Deny", "::/0")])]],
    ["IPv4 is denied and the API server has an IPv6 address", [ipv6First, firewall([denyAll])]],
    ["the API server is not denied and no cluster is described", [firewall([rule("Deny", "192.0.2.0/24")])]],
  ])("passes if %s", (_, resources) => {
    expect(messages(egressFirewallApiBlocked, resources)).toEqual([]);
    expect(open(egressFirewallApiBlocked, resources)).toEqual([]);
  });

  it("judges a firewall by the cluster of the component that created it", () => {
    const component = resource(COMPONENT, "net", {
      topology: { name: "b", platform: "None", apiServerPort: 7443 },
    });
    const object = { ...firewall([api, denyAll]), parent: urnOf(COMPONENT, "net") };
    expect(messages(egressFirewallApiBlocked, [cluster, component, object])).toEqual([
      "spec.egress[1]: denies 0.0.0.0/0, which includes the API server at 172.20.0.1 port 7443",
    ]);
  });

  it.each<[string, Resource[], string]>([
    [
      "an unknown Allow could include it",
      [cluster, firewall([rule("Allow", UNKNOWN), denyAll])],
      "spec.egress[0].to.cidrSelector",
    ],
    ["the rules are unknown", [cluster, firewall(UNKNOWN)], "spec.egress"],
    [
      "no input describes the cluster and some addresses are allowed",
      [firewall([rule("Allow", "10.0.0.7/32"), denyAll])],
      "no input describes the hosted cluster",
    ],
    [
      "no input describes the cluster and some IPv6 addresses are allowed",
      [firewall([rule("Allow", "fd00::/8"), denyAll, rule("Deny", "::/0")])],
      "no input describes the hosted cluster",
    ],
    [
      "one of two clusters is cut off",
      [
        cluster,
        hostedCluster({ networking: networking("10.0.0.0/16", { apiServer: { port: 7443 } }) }, "tenant-b"),
        firewall([api, denyAll]),
      ],
      "no input states to which cluster",
    ],
    [
      "the namespace is that of a hosted control plane",
      [cluster, firewall([rule("Allow", "10.1.0.0/16"), denyAll], { namespace: "clusters-tenant-a" })],
      "the management cluster's API server",
    ],
    ...Object.entries<Properties>({
      advertiseAddress: { apiServer: { advertiseAddress: UNKNOWN } },
      apiServerPort: { apiServer: { port: UNKNOWN } },
      serviceNetwork: { serviceNetwork: UNKNOWN },
    }).flatMap(([property, unsaid]) =>
      [networking("10.0.0.0/16"), networking("10.0.0.0/16", { clusterNetwork: UNKNOWN })].map(
        (known, at): [string, Resource[], string] => [
          `${property} is unknown, and the cluster network is ${at === 0 ? "known" : "not"}`,
          [
            hostedCluster({ networking: { ...known, ...unsaid } }),
            firewall([rule("Allow", "0.0.0.0/0", port(7443)), rule("Allow", "fd00:9::/64"), denyAll]),
          ],
          `${property} of clusters/tenant-a is not known`,
        ],
      ),
    ),
  ])("is unknown if %s", (_, resources, words) => {
    expect(messages(egressFirewallApiBlocked, resources)).toEqual([]);
    expect(open(egressFirewallApiBlocked, resources).join()).toContain(words);
  });

  it("checks a firewall of a control plane against its own management cluster's API server only", () => {
    const cluster = (name: string, block: string) =>
      resource(COMPONENT, name, {
        topology: {
          name,
          platform: "None",
          managementClusterCidrs: [block],
          machineNetwork: [{ cidr: "10.0.0.0/16" }],
        },
      });
    const clusters = [cluster("a", "10.1.0.0/16"), cluster("b", "10.8.0.0/16")];
    const onlyB = (namespace: string) => firewall([rule("Allow", "10.8.0.0/16"), denyAll], { namespace });
    const judged = (namespace: string) => [
      messages(egressFirewallApiBlocked, [...clusters, onlyB(namespace)]),
      open(egressFirewallApiBlocked, [...clusters, onlyB(namespace)]),
    ];
    expect(judged("clusters-b")).toEqual([[], []]);
    expect(judged("clusters-a").flat()).not.toEqual([]);
  });

  it("ignores the namespace of HostedClusters, which has no pods of theirs", () => {
    const beside = (namespace: string) =>
      [egressFirewallApiBlocked, egressFirewallDns].flatMap((rule) =>
        messages(rule, [cluster, firewall([denyAll], { namespace })]),
      );
    expect(beside("clusters")).toEqual([]);
    expect(beside("shop")).not.toEqual([]);
  });

  it.each(["hypershift", "multicluster-engine"])("ignores %s, a namespace of operators", (namespace) => {
    const object = firewall([rule("Allow", "10.1.0.0/16"), denyAll], { namespace });
    for (const resources of [[cluster, object], [object]]) {
      expect(messages(egressFirewallApiBlocked, resources)).toEqual([]);
      expect(open(egressFirewallApiBlocked, resources)).toEqual([]);
    }
    const owner = resource(COMPONENT, "net", { topology: { name: "b", platform: "None" } });
    const made = { ...object, parent: urnOf(COMPONENT, "net") };
    expect(messages(egressFirewallApiBlocked, [cluster, owner, made])).toHaveLength(1);
  });

  it("does not know of which cluster a namespace is that is not known, whatever other clusters there are", () => {
    const later = firewall([denyAll], { namespace: UNKNOWN });
    const broken = hostedCluster({ networking: { machineNetwork: [{ cidr: "x" }] } }, "broken");
    for (const resources of [
      [cluster, later],
      [cluster, broken, later],
    ]) {
      expect(messages(egressFirewallApiBlocked, resources)).toEqual([]);
      expect(open(egressFirewallApiBlocked, resources)).toContain(
        "EgressFirewall firewall: metadata.namespace",
      );
    }
  });

  it("does not know which openshift-dns is meant: both clusters have one", () => {
    const dns = (egress: Properties[]) => firewall(egress, { namespace: "openshift-dns" });
    const which = [
      "EgressFirewall firewall: metadata.namespace, hosted and management clusters have a namespace of that name, and no input states which of them it is",
    ];
    for (const egress of [[denyAll], [rule("Allow", "10.1.0.0/16"), denyAll]]) {
      expect(messages(egressFirewallApiBlocked, [cluster, dns(egress)])).toEqual([]);
      expect(open(egressFirewallApiBlocked, [cluster, dns(egress)])).toEqual(which);
    }
    expect(open(egressFirewallApiBlocked, [cluster, dns([api, denyAll])])).toEqual([]);
    const servers = described({ dnsServerCidrs: ["10.0.0.2/32"] });
    expect(messages(egressFirewallDns, [dns([denyAll])], servers)).toEqual([]);
    expect(open(egressFirewallDns, [dns([denyAll])], servers)).toEqual(which);
    expect(open(egressFirewallDns, [dns([rule("Deny", "192.0.2.0/24")])], servers)).toEqual([]);
  });

  it("judges the namespace default even with HostedClusters in it, because every cluster has one", () => {
    const everywhere = hostedCluster();
    const hosted = {
      ...everywhere,
      properties: { ...everywhere.properties, metadata: { name: "tenant-a", namespace: "default" } },
    };
    const [found] = violations(egressFirewallApiBlocked, [
      hosted,
      firewall([denyAll], { namespace: "default" }),
    ]);
    expect(found?.flow).not.toEqual(undefined);
    expect(found?.flow).not.toEqual([]);
  });

  it("names no address if all are denied and no input states the management cluster's", () => {
    const own = firewall([denyAll], { namespace: "clusters-tenant-a" });
    const [found] = violations(egressFirewallApiBlocked, [cluster, own]);
    expect(found).toMatchObject({
      message: "denies 0.0.0.0/0, which includes the API server of the management cluster, wherever it is",
      fix: "put an Allow for its address and port 6443 TCP before it",
    });
    expect(found).not.toHaveProperty("witness");
  });

  describe("if no input states the management cluster's addresses", () => {
    const ipv6 = "the addresses of the management cluster's API server are not known";
    const dual = hostedCluster({
      networking: {
        machineNetwork: [{ cidr: "10.0.0.0/16" }, { cidr: "fd00::/64" }],
      },
    });
    it.each<[string, Resource, Properties[]]>([
      ["IPv6 alone", cluster, [rule("Deny", "::/0")]],
      ["IPv4 and a part of IPv6", cluster, [rule("Allow", "fd00::/8"), denyAll, rule("Deny", "::/0")]],
      ["IPv4 alone, in a cluster with IPv6", dual, [denyAll]],
    ])("it is unknown if the firewall denies %s", (_, one, egress) => {
      const resources = [one, firewall(egress, { namespace: "clusters-tenant-a" })];
      expect(messages(egressFirewallApiBlocked, resources)).toEqual([]);
      expect(open(egressFirewallApiBlocked, resources).join()).toContain(ipv6);
    });

    it("it is blocked if the firewall denies both families", () => {
      const own = firewall([denyAll, rule("Deny", "::/0")], { namespace: "clusters-tenant-a" });
      const wherever = "which includes the API server of the management cluster, wherever it is";
      expect(messages(egressFirewallApiBlocked, [dual, own])).toEqual([
        `spec.egress[0]: denies 0.0.0.0/0, ${wherever}`,
        `spec.egress[1]: denies ::/0, ${wherever}`,
      ]);
    });
  });
});

describe("M15 egress-firewall-dns", () => {
  const servers = described({ dnsServerCidrs: ["10.0.0.2/32"] });
  const dns = (protocol: string) => rule("Allow", "10.0.0.2/32", port(53, protocol));
  it("reports each protocol by which an external DNS server is denied", () => {
    const found = violations(egressFirewallDns, [firewall([api, denyAll])], servers);
    expect(found.map(({ message }) => message)).toEqual([
      "denies 0.0.0.0/0, which includes UDP 53 of the DNS server 10.0.0.2/32: pods that query it directly get no answer",
      "denies 0.0.0.0/0, which includes TCP 53 of the DNS server 10.0.0.2/32: pods that query it directly get no answer",
    ]);
    expect(found[0]).toMatchObject({
      level: "warning",
      witness: "pods of the namespace -> 10.0.0.2, UDP 53",
    });
    expect(messages(egressFirewallDns, [firewall([api, dns("UDP"), denyAll])], servers)).toHaveLength(1);
  });

  it("reports the effect on rules with DNS names", () => {
    const object = firewall([api, named("Allow", "quay.io"), denyAll]);
    expect(messages(egressFirewallDns, [object], servers)[0]).toContain(
      "apply to addresses that pods do not get",
    );
    expect(open(egressFirewallDns, [object], described({})).join()).toContain(
      "dnsServerCidrs of clusters/tenant-a does not state them",
    );
    expect(open(egressFirewallDns, [object]).join()).toContain("no input states them");
  });

  it("passes if the servers are allowed, inside the cluster network, or not stated", () => {
    const allowed = firewall([api, dns("UDP"), dns("TCP"), named("Allow", "quay.io"), denyAll]);
    for (const [object, configuration] of [
      [allowed, servers],
      [firewall([denyAll]), described({ dnsServerCidrs: ["10.132.0.10/32"] })],
      [firewall([denyAll]), described({})],
      [firewall([named("Deny", "example.com")]), undefined],
    ] as const) {
      expect(messages(egressFirewallDns, [object], configuration)).toEqual([]);
    }
  });

  it("is unknown if a rule before the Deny is unknown", () => {
    expect(open(egressFirewallDns, [firewall([rule("Allow", UNKNOWN), denyAll])], servers)).toContain(
      "EgressFirewall firewall: spec.egress[0].to.cidrSelector",
    );
  });

  const quay = named("Allow", "quay.io");

  it("names the missing Allow and the flows that are cut", () => {
    const [found] = violations(egressFirewallDns, [firewall([api, denyAll])], servers);
    expect(found?.fix).toBe("put an Allow for 10.0.0.2/32 port 53, UDP and TCP, before it");
    expect(found?.flow).toEqual(["namespace-shop-dns-tcp", "namespace-shop-dns-udp"]);
  });

  it("ignores namespaces of control planes and of HostedClusters", () => {
    for (const namespace of ["clusters-tenant-a", "clusters"])
      for (const rules of [[denyAll], [quay, denyAll]]) {
        const resources = [hostedCluster(), firewall(rules, { namespace })];
        expect(messages(egressFirewallDns, resources, servers)).toEqual([]);
        expect(open(egressFirewallDns, resources, servers)).toEqual([]);
      }
  });

  it("does not use one cluster's DNS servers for another cluster", () => {
    const two = ["a", "b"].map((name) =>
      resource(COMPONENT, name, { topology: { name, platform: "None", dnsServerCidrs: ["10.0.0.2/32"] } }),
    );
    expect(messages(egressFirewallDns, [...two, firewall([quay, denyAll])])).toEqual([]);
    expect(unknowns(egressFirewallDns, [...two, firewall([quay, denyAll])])).toMatchObject([
      { path: "spec.egress", message: expect.stringContaining("and no input states them") as string },
    ]);
  });

  it.each<[string, Properties[], number]>([
    ["is known without DNS names, even if no servers are stated", [denyAll], 0],
    ["is unknown with DNS names if no servers are stated", [quay, denyAll], 1],
    [
      "is unknown with DNS names and a Deny of UDP only",
      [quay, rule("Deny", "0.0.0.0/0", port(53, "UDP"))],
      1,
    ],
    ["is unknown with DNS names and a Deny of IPv6 only", [quay, rule("Deny", "::/0")], 1],
    ["is known with DNS names and without a Deny", [quay], 0],
  ])("%s", (_, rules, count) =>
    expect(open(egressFirewallDns, [firewall(rules)], described({}))).toHaveLength(count),
  );
});
