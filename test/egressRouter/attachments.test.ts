import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { egressRouterInvalid, egressRouterPlatform } from "../../src/egressRouter/rules";
import { expectGolden } from "../objects/golden";
import { agent, hostedCluster, judge, linesOf, resource, unknowns, violations } from "../rules/builders";
import { IP, attachment, workload } from "./routerObjects";

describe("egress-router-invalid for network attachments and their pods", () => {
  const found = (...objects: Resource[]) =>
    violations(egressRouterInvalid, objects).map(({ path, message }) => `${path}: ${message}`);
  const single = (object: Resource, cluster = agent) => found(cluster, object).join("; ");

  it.each<[string, Resource, string]>([
    [
      "an address without its mask",
      attachment({ ...IP, addresses: ["10.0.0.9"] }),
      "ip.addresses[0]: 10.0.0.9 has no mask",
    ],
    ["no address", attachment({ ...IP, addresses: [] }), "ip.addresses[0]: missing"],
    [
      "an address outside the machine network",
      attachment({ ...IP, addresses: ["10.9.0.9/16"], gateway: "10.9.0.1" }),
      "ip.addresses[0]: 10.9.0.9 lies outside the subnets of the nodes",
    ],
    [
      "two addresses",
      attachment({ ...IP, addresses: ["10.0.0.9/16", "10.0.0.8/16"] }),
      "ip.addresses[1]: 2 addresses, of which the plug-in uses only the first",
    ],
    [
      "a gateway of another subnet",
      attachment({ ...IP, gateway: "10.9.0.1" }),
      "ip.gateway: 10.9.0.1 lies outside",
    ],
    ["no gateway", attachment({ ...IP, gateway: "" }), "ip.gateway: "],
    ["no destination", attachment({ ...IP, destinations: [] }), "ip.destinations: missing"],
    [
      "a destination of another family",
      attachment({ ...IP, destinations: ["2001:db8::1"] }),
      "ip.destinations[0]: 2001:db8::1 is IPv6",
    ],
    [
      "an invalid port",
      attachment({ ...IP, destinations: ["80 TCP 192.0.2.1", "70000 tcp 192.0.2.1"] }),
      "ip.destinations[1]: 70000 is not a port",
    ],
    [
      "an invalid protocol",
      attachment({ ...IP, destinations: ["80 ICMP 192.0.2.1"] }),
      "ip.destinations[0]: ",
    ],
    [
      "an invalid destination",
      attachment({ ...IP, destinations: ["80 192.0.2.1"] }),
      'ip.destinations[0]: "80 192.0.2.1" is not a destination',
    ],
    [
      "a capitalized mode",
      attachment(IP, { interfaceArgs: { mode: "Bridge" } }),
      'interfaceArgs.mode: "Bridge" is not a mode',
    ],
    ["no configuration at all", attachment({}), "ip.addresses[0]: missing"],
  ])("reports %s", (_, object, words) => {
    expect(single(object)).toContain(`spec.config: ${words}`);
  });

  it.each<[string, string]>([
    ["the words in another order", "192.0.2.1 80 tcp"],
    ["a name instead of a port", "http tcp 192.0.2.1"],
    ["a name instead of the port there", "80 tcp 192.0.2.1 http"],
    ["two spaces", "80  tcp 192.0.2.1"],
    ["a port in another form", "0x50 tcp 192.0.2.1"],
  ])("reports a destination once, as written: %s", (_, destination) => {
    expect(
      violations(egressRouterInvalid, [agent, attachment({ ...IP, destinations: [destination] })]),
    ).toMatchObject([
      {
        message: `ip.destinations[0]: "${destination}" is not a destination, and no pod with this network starts`,
        fix: "write an address, or PORT PROTOCOL ADDRESS and the port there",
      },
    ]);
  });

  it.each<[string, string, string, string]>([
    ["4.20", "192.0.2.0/24", "another mask than /32", "write one address, such as 192.0.2.0"],
    ["4.7", "192.0.2.0/24", "another mask than /32", "write one address with its mask, such as 192.0.2.0/32"],
  ])("reports a block as destination once, in release %s", (release, block, problem, fix) => {
    const cluster = hostedCluster({
      platform: { type: "Agent" },
      release: { image: `quay.io/ocp-release:${release}.1-x86_64` },
    });
    const object = attachment({ ...IP, destinations: [block] });
    expect(violations(egressRouterInvalid, [cluster, object])).toMatchObject([
      { message: `ip.destinations[0]: ${block} has ${problem}, and a destination is one address`, fix },
    ]);
    expect(found(object)).toHaveLength(1);
  });

  it("M17 reports a config that is not JSON, such as one with the callout markers of the documents", () => {
    const marked = resource("kubernetes:k8s.cni.cncf.io/v1:NetworkAttachmentDefinition", "legacy", {
      metadata: { name: "legacy", namespace: "shop" },
      spec: { config: '{"type": "egress-router", "ip": {"addresses": ["10.0.0.9/16"  <.> ]}}' },
    });
    expect(single(marked)).toBe("spec.config: is not JSON, and no pod with this network starts");
  });

  it.each<[string, Resource]>([
    ["one destination", attachment(IP)],
    [
      "several destinations with ports",
      attachment({ ...IP, destinations: ["80 tcp 192.0.2.1", "443 TCP 192.0.2.2 8443", "192.0.2.3"] }),
    ],
    [
      "another interface of the nodes",
      attachment(
        { ...IP, addresses: ["172.16.0.9/24"], gateway: "172.16.0.1" },
        { interfaceType: "macvlan", interfaceArgs: { master: "eth1", mode: "bridge" } },
      ),
    ],
    ["another plug-in", attachment({}, { type: "macvlan" })],
    ["an attachment of the network operator", attachment({}, {}, "egress-router-cni-nad")],
  ])("accepts %s", (_, object) => {
    expect(single(object)).toBe("");
  });

  it("M17 requires a mask after the destination in release 4.7, and refuses it in later releases", () => {
    const masked = attachment({ ...IP, destinations: ["192.0.2.1/32"] });
    const plain = attachment(IP);
    const release = (text: string) =>
      hostedCluster({
        platform: { type: "Agent" },
        release: { image: `quay.io/ocp-release:${text}.1-x86_64` },
      });
    expect(single(masked, release("4.7"))).toBe("");
    expect(single(plain, release("4.7"))).toContain("ip.destinations[0]: 192.0.2.1 has no mask");
    expect(single(masked, release("4.20"))).toContain("ip.destinations[0]: 192.0.2.1/32 has a mask");
    expect(single(plain, release("4.20"))).toBe("");
    expect(found(masked)).toEqual([]);
  });

  it.each<[string, Resource[], string[]]>([
    ["a Deployment of one replica", [workload("kubernetes:apps/v1:Deployment", { replicas: 1 })], []],
    ["a Deployment without replicas", [workload("kubernetes:apps/v1:Deployment")], []],
    ["a Pod", [workload("kubernetes:core/v1:Pod")], []],
    [
      "a Deployment of two replicas",
      [workload("kubernetes:apps/v1:Deployment", { replicas: 2 })],
      ["spec.replicas"],
    ],
    [
      "a DaemonSet with the annotation as JSON",
      [workload("kubernetes:apps/v1:DaemonSet", {}, "router", '[{"name":"legacy"}]')],
      ["spec"],
    ],
    [
      "two Pods",
      [
        workload("kubernetes:core/v1:Pod"),
        workload("kubernetes:core/v1:Pod", {}, "second", "shop/legacy@net2"),
      ],
      ['metadata.annotations["k8s.v1.cni.cncf.io/networks"]'],
    ],
    [
      "two Pods of other networks",
      [
        workload("kubernetes:core/v1:Pod", {}, "a", "vlan"),
        workload("kubernetes:core/v1:Pod", {}, "b", "vlan"),
      ],
      [],
    ],
  ])("M17 allows only one pod with the source address: %s", (_, pods, paths) => {
    expect(violations(egressRouterInvalid, [agent, attachment(IP), ...pods]).map(({ path }) => path)).toEqual(
      paths,
    );
  });

  it("reports an unknown configuration and an unknown number of replicas as unknown", () => {
    const unsaid = resource("kubernetes:k8s.cni.cncf.io/v1:NetworkAttachmentDefinition", "legacy", {
      metadata: { name: "legacy", namespace: "shop" },
      spec: { config: UNKNOWN },
    });
    expect(unknowns(egressRouterInvalid, [unsaid]).map(({ path }) => path)).toEqual(["spec.config"]);
    const pods = workload("kubernetes:apps/v1:Deployment", { replicas: UNKNOWN });
    expect(unknowns(egressRouterInvalid, [attachment(IP), pods]).map(({ path }) => path)).toEqual([
      "spec.replicas",
    ]);
  });

  it("is complemented by egress-router-platform, which refuses AWS and accepts bare metal", () => {
    expect(violations(egressRouterPlatform, [hostedCluster(), attachment(IP)])).toMatchObject([
      { path: "spec.platform.type", message: expect.stringContaining("macvlan") as string },
    ]);
    expect(violations(egressRouterPlatform, [hostedCluster(), attachment({}, { type: "macvlan" })])).toEqual(
      [],
    );
    expect(violations(egressRouterPlatform, [agent, attachment(IP)])).toEqual([]);
  });
});

describe("findings of egress-router-invalid for network attachments", () => {
  const to = (...destinations: PropertyValue[]) => attachment({ ...IP, destinations });
  const ofRelease = (text: string) =>
    hostedCluster({
      platform: { type: "Agent" },
      release: { image: `quay.io/ocp-release:${text}.1-x86_64` },
    });
  const deployment = (name: string, replicas?: PropertyValue, networks = "legacy") =>
    workload(
      "kubernetes:apps/v1:Deployment",
      { ...(replicas !== undefined && { replicas }) },
      name,
      networks,
    );

  it("have a fix", () => {
    const broken = resource("kubernetes:k8s.cni.cncf.io/v1:NetworkAttachmentDefinition", "broken", {
      metadata: { name: "broken", namespace: "shop" },
      spec: { config: '{"type": "egress-router" <.>}' },
    });
    const alone = [
      broken,
      attachment({}),
      attachment({ ...IP, addresses: ["10.0.0.9/16", "10.0.0.8/16", "10.0.0.7/16"] }),
      attachment({ ...IP, addresses: ["10.0.0.9"], gateway: "10.9.0.1" }),
      attachment(IP, { interfaceArgs: { mode: "Bridge", master: "/eth1" } }),
      to("2001:db8::1"),
      to("80 TCP 192.0.2.1", "70000 tcp 192.0.2.1", "81 TCP 192.0.2.1 70000", "82 ICMP 192.0.2.1"),
      to("80 192.0.2.1", "80 TCP 192.0.2.1 81 82", "", 5),
      to("80 TCP 192.0.2.1", "80 TCP 192.0.2.2"),
      to("example.com"),
    ].flatMap((object) => judge(egressRouterInvalid, [agent, object]));
    const ipv6 = { addresses: ["2001:db8::9/64"], gateway: "2001:db8::1" };
    const old = [
      to("192.0.2.1"),
      attachment({ ...ipv6, destinations: ["2001:db8:1::1"] }),
      to("80 TCP 192.0.2.1", "80 TCP 192.0.2.1 81"),
      to("example.com/32"),
    ].flatMap((object) => judge(egressRouterInvalid, [ofRelease("4.7"), object]));
    const masked = judge(egressRouterInvalid, [ofRelease("4.20"), to("192.0.2.1/32")]);
    const used = [
      [deployment("a", 2)],
      [deployment("a"), deployment("b")],
      [workload("kubernetes:apps/v1:DaemonSet")],
      [workload("kubernetes:apps/v1:DaemonSetPatch")],
    ].flatMap((users) => judge(egressRouterInvalid, [agent, attachment(IP), ...users]));
    expectGolden(
      "manifests/egressRouterAttachments.txt",
      `${linesOf([...alone, ...old, ...masked, ...used])}\n`,
    );
  });

  it.each<[string, Resource[]]>([
    [
      "a config of another plug-in that is not JSON",
      [
        resource("kubernetes:k8s.cni.cncf.io/v1:NetworkAttachmentDefinition", "vlan", {
          metadata: { name: "vlan", namespace: "shop" },
          spec: { config: '{"type": "macvlan" <.>}' },
        }),
      ],
    ],
    ["no mode", [attachment(IP, { interfaceArgs: { mode: "" } })]],
    ["every protocol", [to("80 tcp 192.0.2.1", "80 UDP 192.0.2.1", "80 sctp 192.0.2.1 81", "192.0.2.9")]],
    ["a pod that requests one network twice", [attachment(IP), deployment("a", 1, "legacy,shop/legacy")]],
    [
      "pods with a network of that name in another namespace",
      [attachment(IP), deployment("a", 2, "other/legacy")],
    ],
    [
      "a Deployment without a template",
      [
        attachment(IP),
        resource("kubernetes:apps/v1:Deployment", "a", {
          metadata: { name: "a", namespace: "shop" },
          spec: {},
        }),
      ],
    ],
    ["a Deployment of no replicas", [attachment(IP), deployment("a", 0)]],
    ["pods with networks that have no router", [deployment("a", 2), deployment("b", 2)]],
    ["pods that request no network", [attachment(IP), workload("kubernetes:core/v1:Pod", {}, "a", "")]],
  ])("are absent for %s", (_, objects) => {
    expect(judge(egressRouterInvalid, [agent, ...objects])).toEqual([]);
  });

  it("use the release of the component that created the attachment before that of the cluster", () => {
    const maker = (release: PropertyValue) =>
      resource("hypershift-network:index:EgressRouter", "orders", { release });
    const found = (release: PropertyValue) =>
      violations(egressRouterInvalid, [
        ofRelease("4.20"),
        maker(release),
        { ...to("192.0.2.1/32"), parent: maker(release).origin.urn! },
      ]).map(({ message }) => message);
    expect(found("4.7")).toEqual([]);
    expect(found(UNKNOWN)).toEqual([expect.stringContaining("192.0.2.1/32 has a mask")]);
  });
});
