import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { cidrOverlap, cidrReservedOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import { Level } from "../../../src/gate/rule";
import {
  around,
  hostedCluster,
  networking,
  ovn,
  resource,
  standaloneNetwork,
  stating,
  unknowns,
  userNetwork,
  violations,
  vpc,
  type Properties,
} from "../../rules/builders";

describe("the ranges of a user-defined network", () => {
  const layer2 = (subnets: string[], joinSubnets: string[] = []) =>
    userNetwork({ layer2: { role: "Primary", subnets, joinSubnets } });
  const layer3 = (cidr: string) =>
    userNetwork({ network: { layer3: { role: "Secondary", subnets: [{ cidr }] } } });
  const judged = (...resources: Resource[]) =>
    [cidrOverlap, cidrReservedOverlap].flatMap((rule) => [
      ...violations(rule, resources).map(({ path, message }) => `${path} ${message}`),
      ...unknowns(rule, resources).map(({ message }) => `unknown ${message}`),
    ]);
  const written = hostedCluster({
    networking: networking("10.0.0.0/16", { clusterNetwork: [{ cidr: "10.200.0.0/16" }] }),
  });

  it.each([
    ["the cluster network", layer2(["10.200.4.0/24"]), "spec.layer2.subnets[0]"],
    ["the service network", layer3("172.31.4.0/24"), "spec.network.layer3.subnets[0].cidr"],
    ["OVN's default join subnet", layer2(["10.9.0.0/16"], ["100.64.3.0/24"]), "spec.layer2.joinSubnets[0]"],
    ["OVN's default transit switch subnet", layer3("100.88.3.0/24"), "spec.network.layer3.subnets[0].cidr"],
    ["the join subnet of user-defined networks", layer2(["100.65.3.0/24"]), "spec.layer2.subnets[0]"],
    ["OVN's masquerade subnet", layer2(["169.254.4.0/24"]), "spec.layer2.subnets[0]"],
    ["OVN's masquerade subnet", layer3("169.254.4.0/24"), "spec.network.layer3.subnets[0].cidr"],
    ["the user-defined network blue", layer2(["10.9.0.0/16"], ["10.9.1.0/24"]), "spec.layer2.joinSubnets[0]"],
  ])("must not share addresses with %s", (other, one, path) => {
    expect(judged(written, one)).toEqual([expect.stringContaining(`shares addresses with ${other}`)]);
    expect(judged(written, one)[0]).toMatch(new RegExp(`^${path.replace(/[[\].]/g, "\\$&")} `));
  });

  it("must not overlap each other, in any cluster", () => {
    const of = (...subnets: string[]) =>
      userNetwork({ network: { layer3: { role: "Primary", subnets: subnets.map((cidr) => ({ cidr })) } } });
    const at = (position: number) => `spec.network.layer3.subnets[${position}].cidr `;
    for (const [outer, inner] of [
      ["10.9.0.0/16", "10.9.128.0/17"],
      ["10.9.0.0/16", "10.9.0.0/16"],
      ["fd09::/48", "fd09:0:0:8000::/49"],
    ] as const)
      expect(judged(of(outer, inner))).toEqual([
        expect.stringContaining(
          `${at(1)}the user-defined network blue ${inner} shares addresses with its other`,
        ),
      ]);
    expect(judged(written, of("10.9.128.0/17", "10.9.0.0/16"))).toEqual([
      expect.stringMatching(/subnets\[0\].*its other subnet 10\.9\.0\.0\/16/),
    ]);
    expect(judged(of("10.9.0.0/16", "10.10.0.0/16"))).toEqual([]);
  });

  it("must not share addresses with the masquerade subnet that a Network object states", () => {
    const internalMasqueradeSubnet = "10.9.4.0/24";
    const network = standaloneNetwork({
      defaultNetwork: { ovnKubernetesConfig: { gatewayConfig: { ipv4: { internalMasqueradeSubnet } } } },
    });
    expect(judged(network, layer2(["10.9.0.0/16"]))).toEqual([
      expect.stringContaining("shares addresses with OVN's masquerade subnet 10.9.4.0/24"),
    ]);
    expect(judged(network, layer2(["10.8.0.0/16"]))).toEqual([]);
  });

  it("are unknown if they overlap only the masquerade subnet of old releases", () => {
    expect(judged(written, layer2(["169.254.169.0/24"]))).toEqual([
      expect.stringMatching(/^unknown .*masquerade subnet before 4\.17, kept by upgraded clusters/),
    ]);
  });

  it("may overlap machines, another network, a localnet and, on layer 2, the transit switch subnet", () => {
    const localnet = userNetwork({
      network: { localnet: { role: "Secondary", subnets: ["10.200.0.0/16"] } },
    });
    const apart = [layer2(["10.0.0.0/24"]), layer2(["10.0.0.0/16"]), layer2(["100.88.3.0/24"]), localnet];
    expect(judged(written, ...apart)).toEqual([]);
  });

  describe("that are join subnets", () => {
    const join = (cidr: string, role: PropertyValue = "Primary") =>
      userNetwork({ layer2: { role, subnets: ["10.9.0.0/16"], joinSubnets: [cidr] } });
    const REPLIES = "replies of pods to those addresses never leave the node";

    it("must not share addresses with machines, as the default join subnet must not", () => {
      const machines = hostedCluster({ networking: networking("100.65.3.0/24") });
      const withDefault = userNetwork({ layer2: { role: "Primary", subnets: ["10.9.0.0/16"] } });
      expect(judged(machines, withDefault)).toEqual([expect.stringContaining(REPLIES)]);
      expect(judged(machines, join("100.65.0.0/16"))).toEqual([
        `spec.layer2.joinSubnets[0] the join subnet of user-defined network blue 100.65.0.0/16 shares addresses with the machine network 100.65.3.0/24 of clusters/tenant-a: ${REPLIES}`,
      ]);
      expect(judged(written, join("10.0.0.0/20"))).toHaveLength(1);
      expect(judged(written, join("10.8.0.0/16"))).toEqual([]);
    });

    it("must not share addresses with the API server's, another pool's or the hybrid nodes'", () => {
      expect(judged(written, join("172.20.0.0/16"))).toEqual([
        expect.stringContaining("the address at which nodes reach the API server 172.20.0.1/32"),
      ]);
      const pool = resource("kubernetes:metallb.io/v1beta1:IPAddressPool", "front", {
        metadata: { namespace: "metallb-system" },
        spec: { addresses: ["10.8.1.0/24"] },
      });
      expect(judged(written, pool, join("10.8.0.0/16"))).toEqual([expect.stringContaining(REPLIES)]);
      const hybridClusterNetwork = [{ cidr: "10.8.0.0/16", hostPrefix: 24 }];
      const hybrid = {
        defaultNetwork: { ovnKubernetesConfig: { hybridOverlayConfig: { hybridClusterNetwork } } },
      };
      expect(judged(standaloneNetwork(hybrid), join("10.8.0.0/20"))).toEqual([
        expect.stringContaining("the hybrid cluster network 10.8.0.0/16 of Network cluster"),
      ]);
    });

    it.each([
      ["10.8.0.0/16", "error"],
      ["10.0.0.0/8", "error"],
      ["10.6.0.0/16", undefined],
    ])("must not share addresses of %s with networks around the cluster", (cidr, level) => {
      const networks = around("10.8.3.0/24");
      const found = violations(cidrOverlap, [written, join(cidr)], networks).filter(({ message }) =>
        message.includes("infrastructure network corporate"),
      );
      expect(found.map((one) => one.level)).toEqual(level === undefined ? [] : [level]);
    });

    it("must not share addresses with the VPC of the workers, and may with a VPC that nothing connects", () => {
      const home = vpc("workers", "10.0.0.0/12");
      const apart = vpc("apart", "10.64.0.0/16");
      expect(judged(written, home, apart, join("10.8.0.0/16"))).toEqual([expect.stringContaining(REPLIES)]);
      expect(judged(written, home, apart, join("10.64.0.0/16"))).toEqual([]);
    });

    it("are a warning in a block of which only some addresses are meant", () => {
      const users = stating({ externalClientCidrs: ["10.0.0.0/9"] });
      const found = violations(cidrOverlap, [written, join("10.8.0.0/16")], users);
      expect(found.filter(({ path }) => path.includes("joinSubnets"))).toMatchObject([{ level: "warning" }]);
    });

    it("are those of a primary network, which the API demands for them", () => {
      expect(judged(written, join("10.0.0.0/20", UNKNOWN))).toContainEqual(expect.stringContaining(REPLIES));
      expect(judged(written, join("10.0.0.0/20", "Secondary"))).toEqual([]);
    });

    it("are unknown if the network may be in another cluster", () => {
      expect(judged(written, standaloneNetwork(), join("10.0.0.0/20"))).toEqual([
        expect.stringMatching(/^unknown .*the machine network 10\.0\.0\.0\/16.*in that cluster$/),
      ]);
      const pending = userNetwork({ layer2: { role: "Primary", joinSubnets: [UNKNOWN] } });
      expect(judged(written, pending)).toEqual([expect.stringMatching(/^unknown .*joinSubnets\[0\]/)]);
    });
  });

  it("are compared with a standalone cluster, and unknown if they may belong to either cluster", () => {
    const standalone = standaloneNetwork();
    const one = layer2(["10.130.4.0/24"]);
    expect(judged(standalone, one)).toEqual([expect.stringContaining("of Network cluster")]);
    expect(judged(standalone, written, one)).toEqual([expect.stringMatching(/^unknown .*in that cluster$/)]);
    expect(judged(written, hostedCluster({}, "tenant-b"), layer2(["10.200.4.0/24"]))).toEqual([]);
  });

  it("are compared with the two Network objects of one cluster as with one", () => {
    const { properties } = standaloneNetwork();
    const config = resource("kubernetes:config.openshift.io/v1:Network", "config", properties);
    const settings = { ovnKubernetesConfig: { v4InternalSubnet: "100.99.0.0/16" } };
    const some = resource("kubernetes:operator.openshift.io/v1:Network", "cluster", {
      spec: { defaultNetwork: settings },
    });
    expect(judged(config, some, layer2(["10.130.4.0/24"]))).toEqual([
      expect.stringMatching(/^spec\.layer2\.subnets\[0\] .*of Network config/),
    ]);
    expect(judged(config, some, layer2(["10.9.0.0/16"], ["100.99.3.0/24"]))).toHaveLength(1);
    expect(judged(config, some, layer2(["10.9.0.0/16"], ["100.64.3.0/24"]))).toEqual([]);
  });

  describe("of a network attachment", () => {
    const config = (more: Properties) =>
      JSON.stringify({
        type: "ovn-k8s-cni-overlay",
        topology: "layer3",
        subnets: "10.200.0.0/20/24",
        ...more,
      });
    const attachment = (text: PropertyValue, more: Partial<Resource> = {}) => ({
      ...resource("kubernetes:k8s.cni.cncf.io/v1:NetworkAttachmentDefinition", "blue", {
        metadata: { namespace: "shop" },
        spec: { config: text },
      }),
      ...more,
    });

    it.each([
      ["a subnet with a host subnet", config({}), "cluster network 10.200.0.0/16"],
      [
        "several subnets",
        config({ subnets: "10.9.0.0/16/24, 10.200.4.0/24/28" }),
        "cluster network 10.200.0.0/16",
      ],
      [
        "a join subnet of its own",
        config({ topology: "layer2", role: "primary", subnets: "10.9.0.0/16", joinSubnet: "172.31.3.0/24" }),
        "service network 172.31.0.0/16",
      ],
      [
        "the default join subnet",
        config({ topology: "layer2", role: "primary", subnets: "100.65.3.0/24" }),
        "join subnet of user-defined networks 100.65.0.0/16",
      ],
      [
        "one of several plugins",
        JSON.stringify({ plugins: [{ type: "tuning" }, JSON.parse(config({})) as PropertyValue] }),
        "cluster network 10.200.0.0/16",
      ],
      [
        "a part that is excluded",
        config({ excludeSubnets: "10.200.0.0/21" }),
        "cluster network 10.200.0.0/16",
      ],
    ])("are read from the configuration: %s", (_, text, other) => {
      expect(judged(written, attachment(text))).toEqual([
        expect.stringMatching(
          new RegExp(`^spec\\.config .*network blue .*shares addresses with the ${other}`),
        ),
      ]);
    });

    it.each<[string, PropertyValue]>([
      ["another plugin", config({ type: "macvlan" })],
      ["a localnet", config({ topology: "localnet" })],
      ["no subnets", config({ subnets: "" })],
      ["all of them excluded", config({ excludeSubnets: "10.9.0.0/24,10.200.0.0/20" })],
      ["all that overlap excluded", config({ excludeSubnets: "10.200.0.0/16" })],
      ["invalid JSON", "{"],
      ["an unknown configuration", UNKNOWN],
    ])("report no overlap: %s", (_, text) => {
      expect(judged(written, attachment(text))).toEqual([]);
    });

    it("are not judged if a user-defined network owns the attachment", () => {
      const ownerReferences = [{ kind: "UserDefinedNetwork", name: "blue", controller: true }];
      const made = attachment(config({}));
      expect(
        judged(written, { ...made, properties: { ...made.properties, metadata: { ownerReferences } } }),
      ).toEqual([]);
    });

    it("may belong to KubeVirt virtual machines in the management cluster", () => {
      const origin = { file: "fleet/all.yaml" };
      const kubeVirt = hostedCluster({
        platform: { type: "KubeVirt" },
        networking: networking("10.0.0.0/16", { clusterNetwork: [{ cidr: "10.200.0.0/16" }] }),
      });
      expect(judged({ ...kubeVirt, origin }, attachment(config({}), { origin }))).toEqual([
        expect.stringMatching(/^unknown .*if it is in that cluster$/),
      ]);
    });
  });

  it("are reported as unknown while they are unknown", () => {
    for (const subnets of [UNKNOWN, [UNKNOWN]] as const)
      expect(judged(written, userNetwork({ layer2: { role: "Secondary", subnets } }))).toHaveLength(1);
    expect(judged(userNetwork({ layer2: { role: "Secondary", subnets: UNKNOWN } }))).toEqual([]);
  });

  it("are not compared with a hosted cluster if the network is in the management cluster", () => {
    const provider = "urn:pulumi:dev::test::pulumi:providers:kubernetes::management";
    const spec = { layer2: { role: "Primary", subnets: ["10.200.4.0/24"] } };
    const beside: Resource = { ...userNetwork(spec), provider };
    expect(judged({ ...written, provider }, beside)).toEqual([]);
    for (const namespace of ["clusters-tenant-a", "clusters"])
      expect(judged(written, userNetwork(spec, namespace))).toEqual([]);
    expect(judged(written, beside)).toHaveLength(1);
  });
});

describe("the join subnet of user-defined networks", () => {
  const ofCluster = (spec: Properties) => {
    const kind = "ClusterUserDefinedNetwork";
    return resource(`kubernetes:k8s.ovn.org/v1:${kind}`, "blue", {
      apiVersion: "k8s.ovn.org/v1",
      kind,
      spec,
    });
  };
  const layer2 = (more: Properties) => ({ topology: "Layer2", layer2: { role: "Primary", ...more } });
  const levels = (...more: Resource[]) =>
    violations(cidrReservedOverlap, [hostedCluster(), ...more], around("100.65.0.0/16")).map(
      ({ level, fix }) => `${level} ${fix}`,
    );

  it("is a warning without such a network, and names the feature and the fix", () => {
    const [finding, ...others] = violations(cidrReservedOverlap, [hostedCluster()], around("100.65.0.0/16"));
    expect(others).toEqual([]);
    expect(finding?.message).toContain(
      "with primary user-defined networks without joinSubnets, none of which is in the input, replies",
    );
    expect(levels()).toEqual([
      "warning move infrastructure network corporate, or write joinSubnets in each of them",
    ]);
  });

  it.each([
    ["a UserDefinedNetwork", userNetwork(layer2({})), "error"],
    ["a ClusterUserDefinedNetwork", ofCluster({ network: layer2({}) }), "error"],
    ["a secondary network", userNetwork(layer2({ role: "Secondary" })), "warning"],
    ["an empty list of join subnets", userNetwork(layer2({ joinSubnets: [] })), "error"],
  ])("has the right level with %s", (_, one, level) => {
    expect(levels(one)).toEqual([expect.stringMatching(new RegExp(`^${level} `))]);
  });

  const own = { joinSubnets: ["100.99.0.0/16"] };
  const layer3 = (more: Properties) => ({ network: { layer3: { role: "Primary", ...more } } });

  it("is not reported if each network has its own, and an error if one has not", () => {
    const all = [ofCluster(layer3(own)), userNetwork(layer2(own))];
    expect(levels(...all)).toEqual([]);
    expect(levels(...all, userNetwork(layer2({})))).toEqual([expect.stringMatching(/^error /)]);
  });

  it.each([
    ["no join subnet", {}, ["error"]],
    ["a join subnet of its own", { joinSubnet: "100.99.0.0/16" }, []],
  ])("is checked for a primary network attachment with %s", (_, more, expected) => {
    const text = { type: "ovn-k8s-cni-overlay", topology: "layer2", role: "primary", subnets: "10.9.0.0/16" };
    const attachment = resource("kubernetes:k8s.cni.cncf.io/v1:NetworkAttachmentDefinition", "blue", {
      metadata: { namespace: "shop" },
      spec: { config: JSON.stringify({ ...text, ...more }) },
    });
    expect(levels(attachment).map((line) => line.split(" ")[0])).toEqual(expected);
  });

  it("is a warning with several clusters, because one of them may have none of the networks", () => {
    const other = hostedCluster({}, "tenant-b");
    expect(levels(other, userNetwork(layer2(own)))).toEqual([expect.stringMatching(/^warning /)]);
  });

  it.each<[string, Properties, string]>([
    ["joinSubnets", layer2({ joinSubnets: UNKNOWN }), "spec.layer2.joinSubnets"],
    ["the role", layer2({ role: UNKNOWN }), "spec.layer2.role"],
    ["the role of a layer 3 network", layer3({ role: UNKNOWN }), "spec.network.layer3.role"],
  ])("is unknown if %s is unknown, unless another network uses the default", (_, spec, path) => {
    const pending = userNetwork(spec);
    expect(levels(pending)).toEqual([]);
    expect(unknowns(cidrReservedOverlap, [hostedCluster(), pending], around("100.65.0.0/16"))).toMatchObject([
      {
        message: expect.stringContaining(
          `${path}, whether infrastructure network corporate 100.65.0.0/16 shares addresses`,
        ) as string,
      },
    ]);
    expect(levels(pending, userNetwork(layer2({})))).toEqual([expect.stringMatching(/^error /)]);
    expect(unknowns(cidrReservedOverlap, [hostedCluster(), pending], around("10.65.0.0/16"))).toEqual([]);
  });

  it("is known if a network has its own, whatever its role, and unknown once if the spec is unknown", () => {
    expect(levels(userNetwork(layer2({ ...own, role: UNKNOWN })))).toEqual([]);
    const hidden = userNetwork(UNKNOWN);
    expect(unknowns(cidrReservedOverlap, [hostedCluster(), hidden], around("100.65.0.0/16"))).toHaveLength(1);
  });

  it("causes no error for a company network 100.64.0.0/10 if join and transit subnets are moved", () => {
    const cluster = hostedCluster(ovn("10.99.0.0/16", "10.98.0.0/16"));
    const found = violations(cidrReservedOverlap, [cluster], around("100.64.0.0/10"));
    expect(found.filter(({ level }) => level === Level.Error)).toEqual([]);
  });
});
