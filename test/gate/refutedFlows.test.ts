import { readPrefix, type Prefix } from "../../src/address";
import { JudgedResources } from "../../src/gate/judgedResources";
import {
  cutByFirewall,
  egressFirewalls,
  exemptBlocks,
  flowsRefuted,
  haveAdministrators,
  meetsPart,
  outcomesOfPlan,
  packetParts,
  servicesText,
  wholeTopology,
} from "../../src/gate/refutedFlows";
import { readConfiguration } from "../../src/gate/readConfiguration";
import { packets, union } from "../../src/reachability/packets/packetSet";
import { service, TRANSPORT_NUMBER } from "../../src/reachability/packets/service";
import { Direction } from "../../src/requirements/vocabulary";
import { type PropertyValue, type Resource, UNKNOWN } from "../../src/resources/resource";
import { COMPONENT, hostedCluster, HOSTED_CLUSTER, resource, type Properties } from "../rules/builders";

const firewall = (
  namespace: PropertyValue | undefined,
  spec: Properties | null = { egress: [] },
  type = "EgressFirewall",
) =>
  resource(`kubernetes:k8s.ovn.org/v1:${type}`, "default", {
    metadata: { name: "default", ...(namespace !== undefined && { namespace }) },
    ...(spec && { spec }),
  });

describe("egress firewalls", () => {
  const other = hostedCluster({}, "tenant-b");
  const found = (...resources: Resource[]) =>
    egressFirewalls(new JudgedResources([hostedCluster(), other, ...resources])).map(
      ({ namespace, clusters, controlPlanes, cluster }) => ({
        namespace,
        clusters: clusters.map(({ name }) => name),
        controlPlanes: controlPlanes.map(({ name }) => name),
        cluster,
      }),
    );
  const every = ["tenant-a", "tenant-b"];

  it.each<[PropertyValue | undefined, object]>([
    ["shop", { namespace: "shop", controlPlanes: [], cluster: "hosted" }],
    [undefined, { namespace: "default", controlPlanes: [], cluster: "hosted" }],
    [UNKNOWN, { namespace: undefined, controlPlanes: [], cluster: undefined }],
    ["clusters", { namespace: "clusters", controlPlanes: [], cluster: "management" }],
    ["hypershift", { namespace: "hypershift", controlPlanes: [], cluster: "management" }],
    ["multicluster-engine", { namespace: "multicluster-engine", controlPlanes: [], cluster: "management" }],
    ["openshift-dns", { namespace: "openshift-dns", controlPlanes: [], cluster: undefined }],
    [
      "clusters-tenant-b",
      { namespace: "clusters-tenant-b", controlPlanes: ["tenant-b"], cluster: "management" },
    ],
  ])("in namespace %p may be in every hosted cluster", (namespace, expected) => {
    expect(found(firewall(namespace))).toEqual([{ clusters: every, ...expected }]);
  });

  it("are in the cluster of the component that created them", () => {
    const maker = resource("hypershift-network:index:EgressFirewall", "maker", {
      topology: { name: "tenant-b", namespace: "clusters", platform: "AWS" },
    });
    const made = { ...firewall("clusters"), parent: maker.origin.urn! };
    expect(found(maker, made)).toEqual([
      { namespace: "clusters", clusters: ["tenant-b"], controlPlanes: [], cluster: "hosted" },
    ]);
    for (const namespace of ["hypershift", "openshift-dns"])
      expect(found(maker, { ...firewall(namespace), parent: maker.origin.urn! })[0]?.cluster).toBe("hosted");
    const stranger = resource("other:index:Thing", "maker", {});
    expect(found(stranger, { ...firewall("shop"), parent: stranger.origin.urn! })[0]?.clusters).toEqual(
      every,
    );
  });

  it("include patches that state rules, and no other patches", () => {
    expect(found(firewall("shop", null, "EgressFirewallPatch"))).toEqual([]);
    expect(found(firewall("shop", { egress: [] }, "EgressFirewallPatch"))).toHaveLength(1);
    expect(found(firewall("shop", null))).toHaveLength(1);
  });

  it("are not next to hosted clusters in a namespace that every cluster has", () => {
    const inDefault = {
      ...hostedCluster(),
      properties: { ...hostedCluster().properties, metadata: { name: "tenant-a", namespace: "default" } },
    };
    const [one] = egressFirewalls(new JudgedResources([inDefault, firewall("default")]));
    expect(one).toMatchObject({ namespace: "default", cluster: "hosted" });
  });
});

describe("what is known of a cluster", () => {
  it("is nothing if the stack only patches it", () => {
    const patch = resource(`${HOSTED_CLUSTER}Patch`, "p", { metadata: { name: "a" }, spec: {} });
    const topologyOf = (one: Resource) => wholeTopology(new JudgedResources([one]).clusters[0]!);
    expect(topologyOf(patch)).toBeUndefined();
    expect(topologyOf(hostedCluster())?.name).toBe("tenant-a");
    expect(exemptBlocks(topologyOf(hostedCluster())).map(({ text }) => text)).toEqual(["10.132.0.0/14"]);
    expect(exemptBlocks(undefined)).toEqual([]);
  });

  it("includes whether policies of administrators exist", () => {
    const policy = resource("kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy", "a", {});
    expect(haveAdministrators(new JudgedResources([hostedCluster()]))).toBe(false);
    expect(haveAdministrators(new JudgedResources([policy]))).toBe(true);
  });
});

describe("the parts of a packet set", () => {
  const blocks = (...texts: string[]): Prefix[] => texts.map((text) => readPrefix(text)!);
  const tcp = (port: number) => service(TRANSPORT_NUMBER.TCP!, { from: port, to: port });
  const set = union(
    packets({
      services: [tcp(443)],
      sources: blocks("10.0.0.0/8", "fd00::/8"),
      destinations: blocks("192.0.2.0/24", "2001:db8::/32"),
    }),
    packets({ services: [tcp(6443)], sources: blocks("11.0.0.0/8"), destinations: blocks("192.0.2.0/24") }),
  );
  const parts = (direction: Direction) =>
    packetParts(set, direction).map(
      ({ services, prefixes }) => `${servicesText(services)}: ${prefixes.map(({ text }) => text).join(" ")}`,
    );

  it("have the peer addresses of each service, for both families", () => {
    expect(parts(Direction.Ingress).sort()).toEqual(["TCP 443: 10.0.0.0/8 fd00::/8", "TCP 6443: 11.0.0.0/8"]);
    expect(parts(Direction.Egress).sort()).toEqual([
      "TCP 443: 192.0.2.0/24 2001:db8::/32",
      "TCP 6443: 192.0.2.0/24",
    ]);
  });

  it("are joined for a service, however many pairs of addresses it has", () => {
    const between = (source: string, destination: string) =>
      packets({ services: [tcp(443)], sources: blocks(source), destinations: blocks(destination) });
    const many = [1, 2, 3]
      .map((n) => between(`10.${n}.0.0/16`, `192.0.2.${n}/32`))
      .reduce((one, other) => union(one, other));
    const texts = packetParts(many, Direction.Ingress).map(({ prefixes }) =>
      prefixes.map(({ text }) => text).sort(),
    );
    expect(texts).toEqual([["10.1.0.0/16", "10.2.0.0/16", "10.3.0.0/16"]]);
  });

  it("overlap the packets if both service and address overlap", () => {
    const part = (port: number, ...texts: string[]) => ({
      services: [tcp(port)],
      prefixes: blocks(...texts),
    });
    expect(meetsPart(set, part(443, "10.9.0.0/16"), Direction.Ingress)).toBe(true);
    expect(meetsPart(set, part(443, "11.0.0.0/8"), Direction.Ingress)).toBe(false);
    expect(meetsPart(set, part(6443, "11.0.0.0/8"), Direction.Ingress)).toBe(true);
    expect(meetsPart(set, part(443, "192.0.2.1/32"), Direction.Egress)).toBe(true);
    expect(meetsPart(set, part(443, "10.9.0.0/16"), Direction.Egress)).toBe(false);
  });
});

describe("the flows of a plan", () => {
  const names = ["tenant-a", "tenant-b"];
  const judgedWith = (...more: Resource[]) =>
    new JudgedResources([...names.map((name) => hostedCluster({}, name)), ...more]);
  const DENY = { egress: [{ type: "Deny", to: { cidrSelector: "0.0.0.0/0" } }] };

  it("have the same outcomes in clusters of the same shape without filters", () => {
    const judged = judgedWith();
    const [one, other] = judged.clusters.map(({ topology }) => outcomesOfPlan(judged, topology!));
    expect(one!.length).toBeGreaterThan(10);
    expect(other).toBe(one);
    expect(new Set(one!.map(({ key }) => key)).size).toBe(one!.length);
    expect(outcomesOfPlan(judgedWith(), judged.clusters[0]!.topology!)).not.toBe(one);
  });

  it("have separate outcomes if one cluster has a security group", () => {
    const cut = resource("aws:ec2/securityGroup:SecurityGroup", "hosts", {
      tags: { "hypershift-network/cluster": "tenant-a", "hypershift-network/role": "workers" },
      ingress: [],
      egress: [],
    });
    const judged = judgedWith(cut);
    const refuted = judged.clusters.map(({ topology }) => flowsRefuted(judged, topology!, () => true).length);
    expect(refuted[0]).toBeGreaterThan(0);
    expect(refuted[1]).toBe(0);
    expect(flowsRefuted(judged, judged.clusters[0]!.topology!, () => false)).toEqual([]);
  });

  it("are dropped by a firewall, separately for DNS servers", () => {
    const judgedIn = (file: object, ...resources: Resource[]) =>
      new JudgedResources(
        resources,
        readConfiguration({ hostedClusters: [{ name: "tenant-a", ...file }] }, "c.yaml").configuration,
      );
    const dnsServerCidrs = ["10.0.0.2/32"];
    const cut = (judged: JudgedResources, isDns: boolean) =>
      cutByFirewall(judged, egressFirewalls(judged)[0]!, isDns);
    const hop = "namespace/egress/shop";
    const one = judgedIn({ dnsServerCidrs }, hostedCluster(), firewall("shop", DENY));
    const cluster = "clusters/tenant-a";
    expect(cut(one, true)).toEqual({
      cluster,
      hop,
      flow: ["namespace-shop-dns-tcp", "namespace-shop-dns-udp"],
    });
    expect(cut(one, false)).toEqual({ cluster, hop, flow: ["namespace-shop-kube-apiserver"] });
    const several = judgedIn(
      { dnsServerCidrs },
      hostedCluster(),
      hostedCluster({}, "tenant-b"),
      firewall("shop", DENY),
    );
    expect(cut(several, false)).toEqual({ hop, flow: ["namespace-shop-kube-apiserver"] });
    const open = judgedIn({}, hostedCluster(), firewall("shop"));
    expect(cut(open, false)).toEqual({ cluster, hop });
    const anywhere = judgedIn({}, hostedCluster(), firewall(UNKNOWN, DENY));
    expect(cut(anywhere, false)).not.toHaveProperty("hop");
  });

  it("of other clusters are not dropped by the firewall of one cluster", () => {
    const makers = ["tenant-a", "tenant-b"].map((name) =>
      resource("hypershift-network:index:EgressFirewall", `of-${name}`, {
        topology: { name, namespace: "clusters", platform: "AWS" },
      }),
    );
    const made = { ...firewall("shop", DENY), parent: makers[1]!.origin.urn! };
    const judged = judgedWith(...makers, made);
    expect(cutByFirewall(judged, egressFirewalls(judged)[0]!, false)).toEqual({
      cluster: "clusters/tenant-b",
      hop: "namespace/egress/shop",
      flow: ["namespace-shop-kube-apiserver"],
    });
  });
});

test("a component is not an egress firewall", () => {
  expect(egressFirewalls(new JudgedResources([resource(COMPONENT, "a", {})]))).toEqual([]);
});
