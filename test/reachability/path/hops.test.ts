import { Outside } from "../../../src/requirements/outsideModel";
import { journeys } from "../../../src/flows/journeys";
import { surroundingsOf } from "../../../src/flows/surroundings";
import { controlPlaneNamespaceOf } from "../../../src/requirements/names";
import type { Hop, Journey } from "../../../src/flows/model";
import { judgeJourney } from "../../../src/reachability/path/judge";
import { planGuards } from "../../../src/reachability/path/planGuards";
import { Proof } from "../../../src/reachability/proof/prove";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import type { NormalizedTopology } from "../../../src/topology/normalizedTopology";
import { running } from "../answers/plans";
import { everything, pinned, placeOf, said } from "./clusters";
import { documentedPlan, isolatedPlan } from "./plan";
import { normalizeTopology } from "../../../src/topology/normalizeTopology";

const portsOf = (hop: Hop) =>
  `${placeOf(hop)} ${hop.protocol}${hop.ports ? ` ${hop.ports.from}` : ""}${hop.ports && hop.ports.to > hop.ports.from ? `-${hop.ports.to}` : ""}`;
const journeyOf = (topology: NormalizedTopology, key: string, plan: readonly Resource[] = []): Journey => {
  const all = journeys(topology, surroundingsOf(new ResourceIndex(plan), topology));
  const found = all.find((journey) => journey.key === key);
  if (!found) throw new Error(`${key} is not one of ${all.map((journey) => journey.key).join(", ")}`);
  return found;
};
const way = (topology: NormalizedTopology, key: string, plan?: readonly Resource[]) =>
  journeyOf(topology, key, plan).hops.map(portsOf);
const proofOf = (topology: NormalizedTopology, key: string, plan: readonly Resource[]) =>
  judgeJourney(journeyOf(topology, key, plan), planGuards(new ResourceIndex(plan), topology));

const bare = said({ platform: "None", services: pinned });

test("keys of journeys are unique, with egress firewalls and a proxy too", () => {
  const plan = [firewall("a", []), firewall("clusters-tenant-a", [])];
  const topology = said({ platform: "None", services: pinned, ...proxied("http://10.9.0.1:3128") });
  const all = journeys(topology, surroundingsOf(new ResourceIndex(plan), topology));
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
});

describe("the journey from the control plane to workers", () => {
  test("reaches kubelets by the connection that an agent dialled, then from node to node", () => {
    expect(way(bare, "control-plane-kubelet")).toEqual([
      "pods konnectivity-server TCP 8090",
      "pods kube-apiserver TCP 8090",
      "workers egress TCP 31091",
      "control-plane ingress TCP 31091",
      "pods konnectivity-server TCP 8091",
      "pods kube-apiserver TCP 8091",
      "workers egress TCP 10250",
      "workers ingress TCP 10250",
    ]);
  });

  test("reaches pods from the agent's node through the tunnel between nodes", () => {
    expect(way(bare, "control-plane-webhooks").slice(-2)).toEqual([
      "workers egress UDP 6081",
      "workers ingress UDP 6081",
    ]);
  });

  test("is refuted without a rule for the konnectivity server", () => {
    const plan = documentedPlan(bare).filter(({ name }) => !name.includes("konnectivity"));
    for (const key of ["control-plane-kubelet", "control-plane-webhooks"]) {
      expect(proofOf(bare, key, isolatedPlan(bare)).proof).toBe(Proof.Proved);
      expect(proofOf(bare, key, plan).proof).toBe(Proof.Refuted);
    }
  });

  test("is refuted if a policy does not allow both ports of the tunnel", () => {
    const policy = (ports: PropertyValue) =>
      running(
        kubernetes("networking.k8s.io/v1:NetworkPolicy", "clusters-tenant-a", {
          podSelector: {},
          ingress: [{ ports }],
        }),
      );
    const withPolicy = (...numbers: number[]) =>
      proofOf(bare, "control-plane-kubelet", [
        ...documentedPlan(bare),
        policy(numbers.map((port) => ({ port }))),
      ]).proof;
    expect(withPolicy(8090, 8091)).toBe(Proof.Proved);
    expect(withPolicy(8091)).toBe(Proof.Refuted);
    expect(withPolicy(8090)).toBe(Proof.Refuted);
  });
});

describe("the journey between pods of different nodes", () => {
  test("uses a separate Geneve port for guests on KubeVirt", () => {
    const kubevirt = said({ platform: "KubeVirt" });
    expect(way(kubevirt, "workers-pods-between-nodes")).toEqual([
      "workers egress UDP 9880",
      "workers ingress UDP 9880",
    ]);
    expect(way(kubevirt, "control-plane-pods-between-nodes")[0]).toBe("control-plane egress UDP 6081");
  });

  test("uses VXLAN with OpenShiftSDN", () => {
    const sdn = said({ platform: "None", services: pinned, networkType: "OpenShiftSDN" });
    expect(way(sdn, "workers-pods-between-nodes")[0]).toBe("workers egress UDP 4789");
  });

  test("is unknown with third-party software, unless IPsec encrypts the traffic", () => {
    const other = said({ platform: "None", services: pinned, networkType: "Other" });
    const proved = proofOf(other, "workers-pods-between-nodes", documentedPlan(other));
    expect(proved.proof).toBe(Proof.Unknown);
    expect(journeyOf(other, "workers-pods-between-nodes").missing).toEqual([
      {
        input: "networkType",
        why: "which protocol and ports the network type Other uses between nodes",
      },
    ]);
    expect(journeyOf(other, "control-plane-pods-between-nodes").missing).toEqual([]);
  });

  test("needs the tunnel's port both ways in ACLs", () => {
    const [egress] = journeyOf(bare, "workers-pods-between-nodes").hops;
    expect(egress).toMatchObject({ samePortBothWays: true, carries: "traffic of pods between nodes" });
    const acl = tunnelAcl(6081);
    expect(proofOf(bare, "workers-pods-between-nodes", [...documentedPlan(bare), acl]).proof).toBe(
      Proof.Proved,
    );
    const other = [...documentedPlan(bare), tunnelAcl(6082)];
    expect(proofOf(bare, "workers-pods-between-nodes", other).proof).toBe(Proof.Refuted);
  });

  const ipsec = (ipsecConfig: PropertyValue, parent?: string): Resource => ({
    ...kubernetes("operator.openshift.io/v1:NetworkPatch", undefined, {
      defaultNetwork: { ovnKubernetesConfig: { ipsecConfig } },
    }),
    ...(parent !== undefined && { parent }),
  });
  const component = (topology: PropertyValue): Resource => ({
    origin: { urn: "urn:ipsec" },
    type: "hypershift-network:index:IpsecEncryption",
    name: "ipsec",
    properties: { topology },
  });

  test.each([
    ["ESP and the key exchange", { mode: "Full" }, ["UDP 500", "UDP 4500", "ESP"]],
    ["the same for an empty object of older releases", {}, ["UDP 500", "UDP 4500", "ESP"]],
    [
      "only UDP if ESP is always encapsulated",
      { mode: "Full", full: { encapsulation: "Always" } },
      ["UDP 500", "UDP 4500"],
    ],
    ["Geneve in other modes", { mode: "External" }, ["UDP 6081"]],
  ])("with IPsec of the management cluster uses %s", (_, config, seen) => {
    const plan = [ipsec(config)];
    const egress = way(bare, "control-plane-pods-between-nodes", plan).filter((hop) =>
      hop.includes("egress"),
    );
    expect(egress).toEqual(seen.map((one) => `control-plane egress ${one}`));
    expect(way(bare, "workers-pods-between-nodes", plan)[0]).toBe("workers egress UDP 6081");
  });

  test("uses IPsec between nodes of the hosted cluster if a component with its topology configures it", () => {
    const ours = [component({ name: "tenant-a" }), ipsec({ mode: "Full" }, "urn:ipsec")];
    expect(way(bare, "workers-pods-between-nodes", ours)[0]).toBe("workers egress UDP 500");
    expect(way(bare, "control-plane-pods-between-nodes", ours)[0]).toBe("control-plane egress UDP 6081");
    const others = [component({ name: "tenant-b" }), ipsec({ mode: "Full" }, "urn:ipsec")];
    expect(way(bare, "workers-pods-between-nodes", others)[0]).toBe("workers egress UDP 6081");
  });

  test("is unknown for an unknown IPsec mode", () => {
    const plan = [...documentedPlan(bare), ipsec({ mode: UNKNOWN })];
    const { proof, missing } = proofOf(bare, "control-plane-pods-between-nodes", plan);
    expect(proof).toBe(Proof.Unknown);
    expect(missing.map(({ input }) => input)).toEqual(["ipsecConfig.mode"]);
  });

  test("is not proved by a rule for Geneve with IPsec", () => {
    const plan = [...documentedPlan(bare), ipsec({ mode: "Full" })];
    expect(proofOf(bare, "control-plane-pods-between-nodes", plan).proof).toBe(Proof.Assumed);
  });
});

describe("the journey from nodes and pods to the API server", () => {
  test("passes the proxy on the node, then follows the path of workers", () => {
    expect(way(bare, "workers-node-api-proxy")).toEqual([
      "node haproxy TCP 6443",
      "workers egress TCP 31443",
      "control-plane ingress TCP 31443",
      "pods kube-apiserver TCP 6443",
    ]);
    const [node] = journeyOf(bare, "workers-node-api-proxy").hops;
    expect(node?.destinations[0]?.prefixes?.map(({ text }) => text)).toEqual(["172.20.0.1/32"]);
  });

  test("leaves for the HTTPS proxy of a public cluster", () => {
    const topology = said({ platform: "AWS", endpointAccess: "Public", ...proxied("http://10.9.0.1:3128") });
    expect(way(topology, "workers-node-api-proxy")).toEqual([
      "node control-plane-operator TCP 6443",
      "workers egress TCP 3128",
    ]);
    expect(proofOf(topology, "workers-node-api-proxy", documentedPlan(topology)).proof).toBe(Proof.Assumed);
    const rule = { ...groupRule("10.9.0.1/32", 3128) };
    expect(proofOf(topology, "workers-node-api-proxy", [...documentedPlan(topology), rule]).proof).toBe(
      Proof.Proved,
    );
  });

  test.each([
    ["a noProxy entry contains the word kubernetes", { noProxy: "kubernetes.default.svc" }, {}],
    ["private networks reach the control plane", {}, { endpointAccess: "Private" }],
  ])("does not use the HTTPS proxy if %s", (_, settings, more) => {
    const proxy = { httpsProxy: "http://10.9.0.1:3128", ...settings };
    const topology = said({ platform: "AWS", endpointAccess: "Public", proxy, ...more });
    expect(way(topology, "workers-node-api-proxy")[0]).toBe("node haproxy TCP 6443");
  });

  const noted = (noProxy: string, apiServer: object) =>
    said({
      platform: "None",
      services: { ...pinned, apiServer: { ...pinned.apiServer, ...apiServer } },
      proxy: { httpsProxy: "http://10.9.0.1:3128", noProxy },
    });

  test("does not use the HTTPS proxy if a noProxy entry covers the address of the node port", () => {
    const plan = [
      ...documentedPlan(bare).filter(({ name }) => !name.includes("kube-apiserver")),
      groupRule("10.9.0.1/32", 3128),
    ];
    const covered = noted("10.9.0.0/16", { address: "10.9.0.5" });
    expect(way(covered, "workers-node-api-proxy")).toEqual(way(bare, "workers-node-api-proxy"));
    expect(proofOf(covered, "workers-node-api-proxy", plan).proof).toBe(Proof.Refuted);
    const other = noted("10.8.0.0/16", { address: "10.9.0.5" });
    expect(proofOf(other, "workers-node-api-proxy", plan).proof).toBe(Proof.Proved);
  });

  test("is unknown if a noProxy entry may cover the address of the node port, which is not stated", () => {
    const judged = proofOf(noted("10.9.0.0/16", {}), "workers-node-api-proxy", [
      groupRule("10.9.0.1/32", 3128),
    ]);
    expect(judged.proof).toBe(Proof.Unknown);
    expect(judged.missing.map(({ input }) => input)).toEqual(["services.apiServer.address"]);
  });

  test("has an unknown proxy address for a host name, and shows neither the name nor the credentials", () => {
    const topology = said({
      platform: "None",
      services: pinned,
      ...proxied("http://me:hush@proxy.example.com"),
    });
    const judged = proofOf(topology, "workers-node-api-proxy", [
      ...documentedPlan(topology),
      groupRule("10.9.0.1/32", 80),
    ]);
    expect(judged.proof).toBe(Proof.Unknown);
    expect(judged.missing.map(({ input }) => input)).toEqual(["proxy.httpsProxy"]);
    expect(way(topology, "workers-https-proxy")).toEqual(["workers egress TCP 80"]);
    expect(
      JSON.stringify(judged.journey, (__, value: unknown) => (typeof value === "bigint" ? "" : value)),
    ).not.toMatch(/hush|example/);
  });

  test("names the proxy as missing if it is unknown", () => {
    const topology = partly({ proxy: UNKNOWN });
    expect(journeyOf(topology, "workers-node-api-proxy").missing.map(({ input }) => input)).toContain(
      "proxy",
    );
  });

  test("is unknown if the publishing strategy of a service is unknown", () => {
    const topology = partly({ services: { ...pinned, konnectivity: { type: UNKNOWN } } });
    const judged = proofOf(topology, "workers-konnectivity", documentedPlan(topology));
    expect(judged.proof).toBe(Proof.Unknown);
    expect(judged.missing.map(({ input }) => input)).toEqual(["services.konnectivity.type"]);
  });
});

describe("the journeys from namespaces with an egress firewall", () => {
  const deny = { type: "Deny", to: { cidrSelector: "0.0.0.0/0" } };
  const allow = (cidrSelector: string, port: number, protocol = "TCP") => ({
    type: "Allow",
    to: { cidrSelector },
    ports: [{ port, protocol }],
  });
  const proofs = (topology: NormalizedTopology, ...plan: Resource[]) => {
    const index = new ResourceIndex([...documentedPlan(topology), ...plan]);
    const guards = planGuards(index, topology);
    return Object.fromEntries(
      journeys(topology, surroundingsOf(index, topology)).flatMap((journey) =>
        journey.key.startsWith("namespace-") ? [[journey.key, judgeJourney(journey, guards).proof]] : [],
      ),
    );
  };

  test("reach the API server at the address on the node, then as nodes do", () => {
    expect(way(bare, "namespace-shop-kube-apiserver", [firewall("shop", [deny])])).toEqual([
      "namespace shop TCP 6443",
      "node haproxy TCP 6443",
      "workers egress TCP 31443",
      "control-plane ingress TCP 31443",
      "pods kube-apiserver TCP 6443",
    ]);
  });

  test("are refuted by a Deny of everything, except those that rules before it allow", () => {
    expect(proofs(bare, firewall("shop", [deny]))).toEqual({
      "namespace-shop-kube-apiserver": Proof.Refuted,
      "namespace-shop-dns-tcp": Proof.Refuted,
      "namespace-shop-dns-udp": Proof.Refuted,
      "namespace-shop-registries": Proof.Refuted,
    });
    const allowed = [
      allow("172.20.0.1/32", 6443),
      allow("10.1.0.2/32", 53, "UDP"),
      allow("198.51.100.128/25", 443),
    ];
    expect(proofs(bare, firewall("shop", [...allowed, deny]))).toEqual({
      "namespace-shop-kube-apiserver": Proof.Assumed,
      "namespace-shop-dns-tcp": Proof.Refuted,
      "namespace-shop-dns-udp": Proof.Proved,
      "namespace-shop-registries": Proof.Proved,
    });
  });

  test("are unknown with a rule for nodes in a release whose API server refuses the firewall", () => {
    const plan = firewall("shop", [deny, { type: "Allow", to: { nodeSelector: {} } }]);
    const ofRelease = (release: string) =>
      proofs(said({ platform: "None", services: pinned, release }), plan)["namespace-shop-dns-tcp"];
    expect(ofRelease("4.12")).toBe(Proof.Unknown);
    expect(ofRelease("4.13")).toBe(Proof.Refuted);
  });

  test("of a control plane lead to the API of the management cluster, which is never exempt from the rules", () => {
    const api = "namespace-clusters-tenant-a-management-api";
    const outcome = (rules: PropertyValue[], topology = bare) =>
      proofOf(topology, api, [firewall("clusters-tenant-a", rules)]).guards.find(
        ({ hop }) => hop.kind === "namespace",
      )?.verdict.proof;
    const denied = (cidrSelector: string) => ({ type: "Deny", to: { cidrSelector } });
    expect(outcome([deny])).toBe(Proof.Refuted);
    expect(outcome([denied("10.1.0.0/16")])).toBe(Proof.Refuted);
    expect(outcome([denied("10.1.0.0/17"), denied("10.1.128.0/17")])).toBe(Proof.Refuted);
    expect(outcome([allow("10.1.0.0/16", 6443), deny])).toBe(Proof.Proved);
    expect(outcome([denied("10.2.0.0/16")])).toBe(Proof.Proved);
    // The API may be in the other part of the stated blocks.
    expect(outcome([denied("10.1.7.0/24")])).toBe(Proof.Unknown);
    const unstated = said({ platform: "None", services: pinned, managementClusterCidrs: undefined });
    expect(outcome([denied("10.1.0.0/16")], unstated)).toBe(Proof.Unknown);
    expect(outcome([denied("0.0.0.0/0"), denied("::/0")], unstated)).toBe(Proof.Refuted);
  });

  test("exclude firewalls of another control plane", () => {
    const others = (namespace: string, name: string): Resource[] => [
      kubernetes("hypershift.openshift.io/v1beta1:HostedCluster", namespace, {}, name),
      firewall(controlPlaneNamespaceOf(namespace, name), [deny]),
      firewall(namespace, [deny]),
    ];
    expect(proofs(bare, ...others("clusters", "b"), ...others("more", "c.d"))).toEqual({});
    const configured = [{ cluster: "b", namespace: "clusters", groups: {} }];
    const surroundings = (...plan: Resource[]) =>
      surroundingsOf(new ResourceIndex(plan), bare, configured).namespaces.map(({ namespace }) => namespace);
    expect(surroundings(firewall("clusters-b", [deny]), firewall("clusters-c", [deny]))).toEqual([
      "clusters-c",
    ]);
  });

  test("are required only for the API server", () => {
    const plan = [firewall("shop", [deny])];
    const all = journeys(bare, surroundingsOf(new ResourceIndex(plan), bare));
    const required = all.filter(({ key, optional }) => key.startsWith("namespace-") && !optional);
    expect(required.map(({ key }) => key)).toEqual(["namespace-shop-kube-apiserver"]);
  });

  test("use the advertised address and port of the topology", () => {
    const topology = said({
      platform: "None",
      services: pinned,
      advertiseAddress: "172.21.0.9",
      apiServerPort: 7443,
    });
    const usual = firewall("shop", [allow("172.20.0.1/32", 6443), deny]);
    const right = firewall("shop", [allow("172.21.0.9/32", 7443), deny]);
    expect(proofs(topology, usual)["namespace-shop-kube-apiserver"]).toBe(Proof.Refuted);
    expect(proofs(topology, right)["namespace-shop-kube-apiserver"]).toBe(Proof.Assumed);
  });

  test("are refuted if the workers' groups drop what the firewall allows", () => {
    const plan = documentedPlan(bare).filter(({ name }) => !name.startsWith("workers/egress/https"));
    const open = firewall("shop", []);
    const judged = judgeJourney(
      journeyOf(bare, "namespace-shop-registries", [open]),
      planGuards(new ResourceIndex([...plan, open]), bare),
    );
    expect(judged.proof).toBe(Proof.Refuted);
    const refuted = judged.guards.filter(({ verdict }) => verdict.proof === Proof.Refuted);
    expect(refuted.map(({ guard }) => guard.name)).toEqual(["security groups of workers"]);
  });

  test("include the proxy", () => {
    const topology = said({ platform: "None", services: pinned, ...proxied("http://10.9.0.1:3128") });
    const rules = [allow("172.20.0.1/32", 6443), deny];
    expect(proofs(topology, firewall("shop", rules))["namespace-shop-https-proxy"]).toBe(Proof.Refuted);
  });

  test("name the unknown value that decides", () => {
    const unknown = firewall("shop", [{ type: "Deny", to: { cidrSelector: UNKNOWN } }]);
    const judged = proofOf(bare, "namespace-shop-kube-apiserver", [...documentedPlan(bare), unknown]);
    expect(judged.proof).toBe(Proof.Unknown);
    const values = judged.guards.flatMap(({ verdict }) =>
      verdict.proof === Proof.Unknown ? verdict.values : [],
    );
    expect(values.map(({ path }) => path)).toEqual(["spec.egress[0].to.cidrSelector"]);
  });

  test("are unknown if one rule of the firewall cannot be read", () => {
    const bad = firewall("shop", [deny, { type: "Deny", to: { cidrSelector: "10.0.0.1" } }]);
    const judged = proofOf(bare, "namespace-shop-kube-apiserver", [...documentedPlan(bare), bad]);
    expect(judged.proof).toBe(Proof.Unknown);
    const values = judged.guards.flatMap(({ verdict }) =>
      verdict.proof === Proof.Unknown ? verdict.values : [],
    );
    expect(values.map(({ path }) => path)).toEqual(["spec.egress[1].to.cidrSelector"]);
  });

  test("have the name of the firewall if the namespace is unknown", () => {
    const later = firewall(UNKNOWN, [deny]);
    expect(Object.keys(proofs(bare, later))).toContain("namespace-of firewall-kube-apiserver");
  });

  test("of the control plane are in the management cluster, whose cluster network is not stated", () => {
    const own = (...rules: PropertyValue[]) => proofs(bare, firewall("clusters-tenant-a", rules));
    expect(own(allow("0.0.0.0/0", 443))).toEqual({
      "namespace-clusters-tenant-a-https": Proof.Proved,
      "namespace-clusters-tenant-a-management-api": Proof.Proved,
      "namespace-clusters-tenant-a-dns-tcp": Proof.Proved,
      "namespace-clusters-tenant-a-dns-udp": Proof.Proved,
    });
    expect(own(deny)).toEqual({
      "namespace-clusters-tenant-a-https": Proof.Unknown,
      "namespace-clusters-tenant-a-management-api": Proof.Refuted,
      "namespace-clusters-tenant-a-dns-tcp": Proof.Unknown,
      "namespace-clusters-tenant-a-dns-udp": Proof.Unknown,
    });
    const journey = journeyOf(bare, "namespace-clusters-tenant-a-https", [
      firewall("clusters-tenant-a", [deny]),
    ]);
    expect(journey.outside).toContain(Outside.ClusterOfObjects);
  });

  test("exclude firewalls of other clusters, of other management namespaces and with another name", () => {
    const component: Resource = {
      origin: { urn: "urn:other" },
      type: "hypershift-network:index:EgressFirewall",
      name: "other",
      properties: { topology: { name: "tenant-b", namespace: "clusters" } },
    };
    const other = { ...firewall("shop", [deny]), parent: "urn:other" };
    expect(proofs(bare, component, other)).toEqual({});
    expect(proofs(bare, firewall("clusters", [deny]))).toEqual({});
    const misnamed = firewall("shop", [deny], "mine");
    expect(proofs(bare, misnamed)).toEqual({});
  });
});

/** A topology with values that a plan does not know yet. */
function partly(raw: object): NormalizedTopology {
  const { topology } = normalizeTopology({
    ...everything,
    name: "tenant-a",
    platform: "None",
    services: pinned,
    ...raw,
  });
  return topology!;
}

const proxied = (httpsProxy: string) => ({ proxy: { httpsProxy } });

function kubernetes(
  type: string,
  namespace: PropertyValue | undefined,
  spec: PropertyValue,
  name = "firewall",
): Resource {
  return {
    origin: { urn: `urn:pulumi:test::network::${type}` },
    type: `kubernetes:${type}`,
    name: "firewall",
    properties: { metadata: { name, ...(namespace !== undefined && { namespace }) }, spec },
  };
}

function firewall(namespace: PropertyValue, egress: PropertyValue[], name = "default"): Resource {
  return kubernetes("k8s.ovn.org/v1:EgressFirewall", namespace, { egress }, name);
}

function groupRule(cidrIpv4: string, port: number): Resource {
  return {
    origin: { urn: "urn:pulumi:test::network::proxy" },
    type: "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule",
    name: "proxy",
    properties: { securityGroupId: "sg-workers", ipProtocol: "tcp", fromPort: port, toPort: port, cidrIpv4 },
  };
}

function tunnelAcl(port: number): Resource {
  const rule = {
    ruleNo: 100,
    protocol: "udp",
    action: "allow",
    cidrBlock: "0.0.0.0/0",
    fromPort: port,
    toPort: port,
  };
  return {
    origin: { urn: "urn:pulumi:test::network::acl" },
    type: "aws:ec2/networkAcl:NetworkAcl",
    name: "acl",
    properties: { tags: { "hypershift-network/role": "workers" }, ingress: [rule], egress: [rule] },
  };
}
