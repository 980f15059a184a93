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

  it("refuses a Deny of everything, with the packet and the Allow that is missing", () => {
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
    ["a patch that denies everything", [cluster, firewall([denyAll], { type: `${TYPE}Patch` })], denied()],
    ["no cluster is described, and every address is denied", [firewall([denyAll])], denied()],
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
      "IPv6 is denied in a cluster that begins with it",
      [ipv6First, firewall([rule("Deny", "::/0")])],
      "spec.egress[0]: denies ::/0, which includes the API server at fd00::1 port 6443",
    ],
  ])("refuses where %s", (_, resources, expected) =>
    expect(messages(egressFirewallApiBlocked, resources)).toEqual([expected]),
  );

  it.each<[string, Resource[]]>([
    ["an Allow for it comes first", [cluster, firewall([api, denyAll])]],
    [
      "an Allow for the advertised address comes first",
      [with443, firewall([rule("Allow", "10.9.9.9/32"), denyAll])],
    ],
    ["other addresses are denied", [cluster, firewall([rule("Deny", "192.0.2.0/24")])]],
    ["IPv6 is denied and the API server has an IPv4 address", [cluster, firewall([rule("Deny", "::/0")])]],
    ["IPv4 is denied and the API server has an IPv6 address", [ipv6First, firewall([denyAll])]],
    ["nothing is denied there and no cluster described", [firewall([rule("Deny", "192.0.2.0/24")])]],
  ])("passes where %s", (_, resources) => {
    expect(messages(egressFirewallApiBlocked, resources)).toEqual([]);
    expect(open(egressFirewallApiBlocked, resources)).toEqual([]);
  });

  it("judges by the cluster of the component that made it", () => {
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
      "an Allow may hold it",
      [cluster, firewall([rule("Allow", UNKNOWN), denyAll])],
      "spec.egress[0].to.cidrSelector",
    ],
    ["the rules are unknown", [cluster, firewall(UNKNOWN)], "spec.egress"],
    [
      "nothing describes the cluster, and some addresses are let out",
      [firewall([rule("Allow", "10.0.0.7/32"), denyAll])],
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
      "the namespace is that of a control plane",
      [cluster, firewall([rule("Allow", "10.1.0.0/16"), denyAll], { namespace: "clusters-tenant-a" })],
      "the management cluster's API server",
    ],
  ])("counts as unknown where %s", (_, resources, words) => {
    expect(messages(egressFirewallApiBlocked, resources)).toEqual([]);
    expect(open(egressFirewallApiBlocked, resources).join()).toContain(words);
  });

  it("holds a firewall of one control plane against the API server that its pods ask, not against others'", () => {
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

  it("leaves out the namespace of HostedClusters: none of their pods is in it", () => {
    const beside = (namespace: string) =>
      [egressFirewallApiBlocked, egressFirewallDns].flatMap((rule) =>
        messages(rule, [cluster, firewall([denyAll], { namespace })]),
      );
    expect(beside("clusters")).toEqual([]);
    expect(beside("shop")).not.toEqual([]);
  });

  it("judges `default` beside HostedClusters: every cluster has a namespace of that name", () => {
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

  it("names no address where every one is denied, and nothing says the management cluster's", () => {
    const own = firewall([denyAll], { namespace: "clusters-tenant-a" });
    const [found] = violations(egressFirewallApiBlocked, [cluster, own]);
    expect(found).toMatchObject({
      message: "denies 0.0.0.0/0, which includes the API server of the management cluster, wherever it is",
      fix: "put an Allow for its address and port 6443 TCP before it",
    });
    expect(found).not.toHaveProperty("witness");
  });
});

describe("M15 egress-firewall-dns", () => {
  const servers = described({ dnsServerCidrs: ["10.0.0.2/32"] });
  const dns = (protocol: string) => rule("Allow", "10.0.0.2/32", port(53, protocol));
  it("names each protocol by which a server outside is denied", () => {
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

  it("says what becomes of rules with names", () => {
    const object = firewall([api, named("Allow", "quay.io"), denyAll]);
    expect(messages(egressFirewallDns, [object], servers)[0]).toContain(
      "apply to addresses that pods do not get",
    );
    expect(open(egressFirewallDns, [object], described({})).join()).toContain(
      "dnsServerCidrs of clusters/tenant-a does not say",
    );
    expect(open(egressFirewallDns, [object]).join()).toContain("no input states them");
  });

  it("passes where they are allowed, inside the cluster network, or none is named", () => {
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

  it("counts what is unknown", () => {
    expect(open(egressFirewallDns, [firewall([rule("Allow", UNKNOWN), denyAll])], servers)).toContain(
      "EgressFirewall firewall: spec.egress[0].to.cidrSelector",
    );
  });

  const quay = named("Allow", "quay.io");

  it("says which Allow is missing, and which flow is cut", () => {
    const [found] = violations(egressFirewallDns, [firewall([api, denyAll])], servers);
    expect(found?.fix).toBe("put an Allow for 10.0.0.2/32 port 53, UDP and TCP, before it");
    expect(found?.flow).toEqual(["namespace-shop-dns-tcp", "namespace-shop-dns-udp"]);
  });

  it("is not about pods of control planes, nor about the namespace of HostedClusters", () => {
    for (const namespace of ["clusters-tenant-a", "clusters"])
      for (const rules of [[denyAll], [quay, denyAll]]) {
        const resources = [hostedCluster(), firewall(rules, { namespace })];
        expect(messages(egressFirewallDns, resources, servers)).toEqual([]);
        expect(open(egressFirewallDns, resources, servers)).toEqual([]);
      }
  });

  it("does not take one cluster's servers for those of another one", () => {
    const two = ["a", "b"].map((name) =>
      resource(COMPONENT, name, { topology: { name, platform: "None", dnsServerCidrs: ["10.0.0.2/32"] } }),
    );
    expect(messages(egressFirewallDns, [...two, firewall([quay, denyAll])])).toEqual([]);
    expect(unknowns(egressFirewallDns, [...two, firewall([quay, denyAll])])).toMatchObject([
      { path: "spec.egress", message: expect.stringContaining("and no input states them") as string },
    ]);
  });

  it.each<[string, Properties[], number]>([
    ["without names nothing hangs on servers that are not stated", [denyAll], 0],
    ["with names it does", [quay, denyAll], 1],
    ["with names it does where only UDP is denied", [quay, rule("Deny", "0.0.0.0/0", port(53, "UDP"))], 1],
    ["with names and without a Deny it does not", [quay], 0],
  ])("%s", (_, rules, count) =>
    expect(open(egressFirewallDns, [firewall(rules)], described({}))).toHaveLength(count),
  );
});
