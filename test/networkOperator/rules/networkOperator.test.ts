import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import {
  hybridOverlayOverlap,
  hybridOverlayPlatform,
  hybridOverlayPort,
  ipsecDayTwo,
} from "../../../src/networkOperator/rules";
import { Status } from "../../../src/gate/rule";
import {
  hostedCluster,
  judge,
  resource,
  services,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";

const OVN = "spec.defaultNetwork.ovnKubernetesConfig";
const operator = (ovnKubernetesConfig: Properties, spec: Properties = {}) =>
  resource("kubernetes:operator.openshift.io/v1:NetworkPatch", "cluster", {
    metadata: { name: "cluster" },
    spec: { defaultNetwork: { ovnKubernetesConfig }, ...spec },
  });
const hybrid = (cidr: PropertyValue, more: Properties = {}): Properties => ({
  hybridOverlayConfig: { hybridClusterNetwork: [{ cidr, hostPrefix: 24 }], ...more },
});
const standalone = {
  clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 23 }],
  serviceNetwork: ["172.30.0.0/16"],
};
const agent = hostedCluster({
  platform: { type: "Agent" },
  services: services({ APIServer: "LoadBalancer", OAuthServer: "Route" }),
});
const ofRelease = (release: string) =>
  hostedCluster({ release: { image: `quay.io/ocp-release:${release}.1-x86_64` } });
const INSTALLER_FILE = "manifests/cluster-network-03-config.yml";

describe("hybrid-overlay-overlap", () => {
  const path = `${OVN}.hybridOverlayConfig.hybridClusterNetwork`;
  /** Paths of unknown values, without the question of whether the release accepts the setting. */
  const unknownPathsOf = (...resources: Resource[]) =>
    unknowns(hybridOverlayOverlap, resources)
      .filter(({ message }) => !message.includes("release"))
      .map((one) => one.path);

  it.each([
    ["10.132.0.0/16", "the cluster network"],
    ["172.31.0.0/20", "the service network"],
    ["10.0.0.0/20", "the machine network"],
    ["100.64.0.0/20", "100.64.0.0/16"],
  ])("M19 reports %s, which overlaps %s of the hosted cluster", (cidr, words) => {
    const found = violations(hybridOverlayOverlap, [hostedCluster(), operator(hybrid(cidr))]);
    expect(found[0]).toMatchObject({ path: `${path}[0].cidr` });
    expect(
      found
        .map(({ message }) => message)
        .join()
        .toLowerCase(),
    ).toContain(words.replace("the ", ""));
  });

  it("M19 checks the range against the networks that the object states", () => {
    for (const [cidr, network] of [
      ["10.128.0.0/16", "the cluster network 10.128.0.0/14"],
      ["172.30.16.0/20", "the service network 172.30.0.0/16"],
    ] as const)
      expect(violations(hybridOverlayOverlap, [operator(hybrid(cidr), standalone)])).toMatchObject([
        {
          path: `${path}[0].cidr`,
          message: `${cidr} overlaps ${network}: packets for the shared addresses are lost`,
        },
      ]);
    expect(violations(hybridOverlayOverlap, [operator(hybrid("10.192.0.0/16"), standalone)])).toEqual([]);
    expect(unknownPathsOf(operator(hybrid("10.192.0.0/16"), standalone))).toEqual([]);
  });

  it("M19 accepts a separate range, and reports an invalid one", () => {
    expect(violations(hybridOverlayOverlap, [hostedCluster(), operator(hybrid("10.192.0.0/14"))])).toEqual(
      [],
    );
    expect(violations(hybridOverlayOverlap, [operator({})])).toEqual([]);
    expect(violations(hybridOverlayOverlap, [operator(hybrid("10.192.0.1/14"))])).toHaveLength(1);
  });

  const overlapped = (config: Properties, ...others: Resource[]) =>
    violations(hybridOverlayOverlap, [...others, operator(config, others.length > 0 ? {} : standalone)]).map(
      ({ message }) => message.split(":")[0],
    );

  it.each<[string, string, Properties, string[]]>([
    [
      "the default join subnet",
      "100.64.0.0/16",
      {},
      ["100.64.0.0/16 overlaps OVN's default join subnet 100.64.0.0/16"],
    ],
    ["a default that ipv4 replaces", "100.64.0.0/16", { ipv4: { internalJoinSubnet: "100.99.0.0/16" } }, []],
    ["a default that v4InternalSubnet replaces", "100.64.0.0/16", { v4InternalSubnet: "100.99.0.0/16" }, []],
    [
      "a default that another setting replaces",
      "100.88.0.0/16",
      { ipv4: { internalJoinSubnet: "100.99.0.0/16" } },
      ["100.88.0.0/16 overlaps OVN's default transit switch subnet 100.88.0.0/16"],
    ],
    [
      "a replaced transit switch subnet",
      "100.88.0.0/16",
      { ipv4: { internalTransitSwitchSubnet: "100.99.0.0/16" } },
      [],
    ],
    [
      "the subnet in its place",
      "100.99.0.0/16",
      { ipv4: { internalJoinSubnet: "100.99.0.0/16" } },
      ["100.99.0.0/16 overlaps OVN's join subnet 100.99.0.0/16"],
    ],
    [
      "the masquerade subnet",
      "100.99.0.0/16",
      { gatewayConfig: { ipv4: { internalMasqueradeSubnet: "100.99.0.0/17" } } },
      ["100.99.0.0/16 overlaps OVN's masquerade subnet 100.99.0.0/17"],
    ],
    ["a subnet that is not known", "100.64.0.0/16", { ipv4: { internalJoinSubnet: UNKNOWN } }, []],
    ["subnets that are not known", "100.64.0.0/16", { ipv4: UNKNOWN }, []],
  ])("compares the range with the subnets of its own object: %s", (_, cidr, config, expected) => {
    expect(overlapped({ ...hybrid(cidr), ...config })).toEqual(expected);
    // The networks of a hosted cluster and the settings of its Network operator are in two objects.
    expect(overlapped({ ...hybrid(cidr), ...config }, hostedCluster())).toEqual(expected);
  });

  it("reports a subnet of the object that is not known, once", () => {
    const unknownPaths = (config: Properties) =>
      unknownPathsOf(operator({ ...hybrid("10.192.0.0/14"), ...config }, standalone));
    expect(unknownPaths({ ipv4: { internalJoinSubnet: UNKNOWN } })).toEqual([
      `${OVN}.ipv4.internalJoinSubnet`,
    ]);
    expect(unknownPaths({ ipv4: UNKNOWN })).toEqual([`${OVN}.ipv4`]);
    expect(unknownPaths({ gatewayConfig: { ipv4: { internalMasqueradeSubnet: UNKNOWN } } })).toEqual([
      `${OVN}.gatewayConfig.ipv4.internalMasqueradeSubnet`,
    ]);
    expect(unknownPaths({ ipv4: { internalJoinSubnet: "100.99.0.0/16" } })).toEqual([]);
  });

  it("compares the range with the join subnet of user-defined networks only if one of them uses the default", () => {
    const network = (layer2: Properties) =>
      resource("kubernetes:k8s.ovn.org/v1:UserDefinedNetwork", "green", {
        metadata: { name: "green", namespace: "green" },
        spec: { topology: "Layer2", layer2: { subnets: ["10.200.0.0/16"], ...layer2 } },
      });
    const there = operator(hybrid("100.65.0.0/16"), standalone);
    const found = (...networks: Resource[]) => [
      violations(hybridOverlayOverlap, [there, ...networks]).length,
      unknownPathsOf(there, ...networks),
    ];
    expect(found()).toEqual([0, []]);
    expect(found(network({ role: "Primary" }))).toEqual([1, []]);
    expect(found(network({ role: "Secondary" }))).toEqual([0, []]);
    expect(found(network({ role: "Primary", joinSubnets: ["100.99.0.0/16"] }))).toEqual([0, []]);
    expect(found(network({ role: UNKNOWN }))).toEqual([0, ["spec.layer2.role"]]);
    expect(overlapped(hybrid("100.65.0.0/16"), hostedCluster())).toEqual([]);
  });

  it("compares the range with the lists of the cluster's configuration, which replace those of the operator", () => {
    const configuration = (spec: Properties) =>
      resource("kubernetes:config.openshift.io/v1:Network", "config", {
        metadata: { name: "cluster" },
        spec,
      });
    const there = configuration({
      ...standalone,
      clusterNetwork: [{ cidr: "10.200.0.0/14", hostPrefix: 23 }],
    });
    const found = (cidr: string, more: Properties = standalone) =>
      violations(hybridOverlayOverlap, [there, operator(hybrid(cidr), more)]).length;
    expect(found("10.128.0.0/16")).toBe(0);
    expect(found("10.200.0.0/16")).toBe(1);
    expect(found("10.200.0.0/16", {})).toBe(1);
    expect(unknownPathsOf(there, operator(hybrid("10.192.0.0/16")))).toEqual([]);
  });

  it("compares the range of a management cluster with its own networks, not with those of the hosted cluster", () => {
    const provider = "urn:pulumi:dev::shop::pulumi:providers:kubernetes::management";
    for (const spec of [{}, standalone]) {
      const objects = [hostedCluster(), operator(hybrid("10.132.0.0/16"), spec)].map((one) => ({
        ...one,
        ...(spec !== standalone && { provider }),
      }));
      expect(violations(hybridOverlayOverlap, objects)).toEqual([]);
    }
  });

  it("is unknown for an unknown range, and for a cluster that is not described", () => {
    const unsaid = operator(hybrid(UNKNOWN));
    expect(violations(hybridOverlayOverlap, [hostedCluster(), unsaid])).toEqual([]);
    expect(unknowns(hybridOverlayOverlap, [hostedCluster(), unsaid])).toMatchObject([
      { path: `${path}[0].cidr` },
    ]);
    const hidden = operator({ hybridOverlayConfig: { hybridClusterNetwork: UNKNOWN } });
    expect(violations(hybridOverlayOverlap, [hidden])).toEqual([]);
    expect(unknownPathsOf(hidden)).toEqual([path]);
    expect(unknowns(hybridOverlayOverlap, [operator(hybrid("10.192.0.0/14"))])).toContainEqual(
      expect.objectContaining({
        path,
        message: `NetworkPatch cluster: ${path}, the networks of the cluster that contains it`,
      }),
    );
  });

  it.each<[string, Properties[]]>([
    ["no prefix length of each node's part", [{ cidr: "10.192.0.0/14" }]],
    ["one that is not part of the range", [{ cidr: "10.192.0.0/14", hostPrefix: 14 }]],
    ["one of 0, which the API writes if there is none", [{ cidr: "10.192.0.0/14", hostPrefix: 0 }]],
    ["an unknown one", [{ cidr: "10.192.0.0/14", hostPrefix: UNKNOWN }]],
    ["no range, for gateways outside the cluster", []],
  ])("M19 accepts what the network operator does not read: %s", (_, hybridClusterNetwork) => {
    const there = operator({ hybridOverlayConfig: { hybridClusterNetwork } }, standalone);
    expect(violations(hybridOverlayOverlap, [there])).toEqual([]);
    expect(unknownPathsOf(there)).toEqual([]);
  });

  it("M19 reports a prefix length that the API server refuses, and an entry without a range", () => {
    for (const [entry, field] of [
      [{ cidr: "10.192.0.0/14", hostPrefix: "24" }, "hostPrefix"],
      [{ cidr: "10.192.0.0/14", hostPrefix: -1 }, "hostPrefix"],
      [{ hostPrefix: 24 }, "cidr"],
    ] as const) {
      const there = operator({ hybridOverlayConfig: { hybridClusterNetwork: [entry] } }, standalone);
      expect(violations(hybridOverlayOverlap, [there])).toMatchObject([{ path: `${path}[0].${field}` }]);
    }
  });

  it("proposes no range in the installer's machine network, because no object states that of the nodes", () => {
    const there = operator(hybrid("10.128.0.0/16"), standalone);
    expect(violations(hybridOverlayOverlap, [there])).toMatchObject([
      { fix: "move it, for example to 10.1.0.0/16" },
    ]);
  });
});

describe("hybrid-overlay-overlap on a running cluster", () => {
  const path = `${OVN}.hybridOverlayConfig`;
  const overlaid = operator(hybrid("10.192.0.0/14"));

  it("M19 reports hybrid networking if the release accepts it only at installation", () => {
    for (const there of [overlaid, operator({ hybridOverlayConfig: {} })])
      expect(violations(hybridOverlayOverlap, [ofRelease("4.12"), there])).toMatchObject([
        {
          path,
          message:
            "release 4.12 accepts hybrid networking only at installation, and the network operator refuses it on a running cluster",
          fix: "upgrade to 4.13 or newer: a hosted cluster has no installation manifests",
        },
      ]);
  });

  it("M19 accepts newer releases, clusters without it, the installer's manifest and live objects", () => {
    const running = { ...overlaid, origin: { live: "Network cluster" } };
    for (const [release, there] of [
      ["4.13", overlaid],
      ["4.12", operator({})],
      ["4.12", running],
    ] as const) {
      expect(violations(hybridOverlayOverlap, [ofRelease(release), there])).toEqual([]);
      expect(unknowns(hybridOverlayOverlap, [ofRelease(release), there])).toEqual([]);
    }
    const manifest = { ...overlaid, origin: { file: INSTALLER_FILE } };
    expect(violations(hybridOverlayOverlap, [ofRelease("4.12"), manifest])).toEqual([]);
    const reason = "the networks of the cluster that contains it";
    expect(unknowns(hybridOverlayOverlap, [ofRelease("4.12"), manifest])).toMatchObject([
      { message: expect.stringContaining(reason) as string },
    ]);
  });

  it("M19 is unknown if the release or the setting is unknown", () => {
    const reason = `NetworkPatch cluster: ${path}, whether the release of its cluster is 4.13 or newer`;
    const found = unknowns(hybridOverlayOverlap, [operator(hybrid("10.192.0.0/14"), standalone)]);
    expect(found.map(({ message }) => message)).toEqual([reason]);
    const hidden = resource("kubernetes:operator.openshift.io/v1:Network", "cluster", {
      metadata: { name: "cluster" },
      spec: { defaultNetwork: UNKNOWN },
    });
    expect(violations(hybridOverlayOverlap, [ofRelease("4.12"), hidden])).toEqual([]);
    expect(unknowns(hybridOverlayOverlap, [ofRelease("4.12"), hidden])).toMatchObject([
      { path: OVN },
      { path: "spec.defaultNetwork" },
    ]);
    // It is refused, whatever it says.
    const unsaid = operator({ hybridOverlayConfig: UNKNOWN });
    expect(violations(hybridOverlayOverlap, [ofRelease("4.12"), unsaid])).toMatchObject([{ path }]);
  });
});

describe("hybrid-overlay-port", () => {
  const path = `${OVN}.hybridOverlayConfig.hybridOverlayVXLANPort`;
  const withPort = (hybridOverlayVXLANPort: PropertyValue) =>
    operator(hybrid("10.192.0.0/14", { hybridOverlayVXLANPort }));

  it.each([4789, 6081, 0, 70_000])("M19 reports port %i", (port) => {
    expect(violations(hybridOverlayPort, [withPort(port)])).toMatchObject([{ path }]);
  });

  it("M19 accepts a free port and no port, and reports an unknown port as unknown", () => {
    expect(violations(hybridOverlayPort, [withPort(9898), operator(hybrid("10.192.0.0/14"))])).toEqual([]);
    expect(unknowns(hybridOverlayPort, [withPort(UNKNOWN)])).toMatchObject([{ path }]);
  });
});

describe("hybrid-overlay-port with a port of Geneve", () => {
  const path = `${OVN}.hybridOverlayConfig.hybridOverlayVXLANPort`;
  const geneve = `${OVN}.genevePort`;
  const withPorts = (genevePort: PropertyValue, port: PropertyValue) =>
    operator({ genevePort, ...hybrid("10.192.0.0/14", { hybridOverlayVXLANPort: port }) });

  it.each<[string, PropertyValue, PropertyValue, string[], string[]]>([
    ["the same port", 9898, 9898, [path], []],
    ["the default port, from which Geneve has moved", 9000, 6081, [], []],
    ["the default port of Geneve", null, 6081, [path], []],
    ["another port", 9000, 9898, [], []],
    ["a port beside an unknown one", UNKNOWN, 6081, [], [geneve]],
    ["the usual port beside an unknown one", UNKNOWN, 4789, [path], []],
    ["two unknown ports", UNKNOWN, UNKNOWN, [], [path]],
    ["no port, and Geneve with the usual one", 4789, null, [geneve], []],
    ["a port, and Geneve with the usual one", 4789, 9898, [], []],
    ["no port", 9000, null, [], []],
    ["no port, and an unknown one of Geneve", UNKNOWN, null, [], [geneve]],
  ])("M19 compares them: %s", (_, genevePort, port, violated, pending) => {
    const there = [withPorts(genevePort, port)];
    expect(violations(hybridOverlayPort, there).map((one) => one.path)).toEqual(violated);
    expect(unknowns(hybridOverlayPort, there).map((one) => one.path)).toEqual(pending);
  });

  it("M19 compares them if the overlay has neither a range nor a port", () => {
    const there = operator({ genevePort: 4789, hybridOverlayConfig: {} });
    expect(violations(hybridOverlayPort, [there]).map((one) => one.path)).toEqual([geneve]);
  });
});

describe("hybrid-overlay-platform", () => {
  const path = `${OVN}.hybridOverlayConfig.hybridOverlayVXLANPort`;
  const ported = operator(hybrid("10.192.0.0/14", { hybridOverlayVXLANPort: 9898 }));

  it("M19 reports a custom port on AWS", () => {
    expect(violations(hybridOverlayPlatform, [hostedCluster(), ported])).toMatchObject([{ path }]);
  });

  it("M19 accepts an overlay without a custom port", () => {
    expect(violations(hybridOverlayPlatform, [hostedCluster(), operator(hybrid("10.192.0.0/14"))])).toEqual(
      [],
    );
  });

  it("M19 is unknown for clusters whose nodes can run anywhere, and for clusters that are not described", () => {
    for (const others of [[agent], [], [agent, hostedCluster({}, "tenant-b")]]) {
      expect(violations(hybridOverlayPlatform, [...others, ported])).toEqual([]);
      expect(unknowns(hybridOverlayPlatform, [...others, ported])).toMatchObject([
        {
          path,
          message: `NetworkPatch cluster: ${path}, the platform of the nodes of the cluster that contains it`,
        },
      ]);
    }
  });

  it("is unknown, not violated, if the settings that contain the port are unknown", () => {
    const networks: PropertyValue[] = [
      UNKNOWN,
      { ovnKubernetesConfig: UNKNOWN },
      { ovnKubernetesConfig: { hybridOverlayConfig: UNKNOWN } },
    ];
    const specOf = (defaultNetwork: PropertyValue): Properties => ({ defaultNetwork });
    const specs: PropertyValue[] = [UNKNOWN, ...networks.map(specOf)];
    for (const spec of specs) {
      const hidden: Resource = { ...operator({}), properties: { metadata: { name: "cluster" }, spec } };
      expect(violations(hybridOverlayPlatform, [hostedCluster(), hidden])).toEqual([]);
      expect(unknowns(hybridOverlayPlatform, [hostedCluster(), hidden])).toHaveLength(1);
    }
  });
});

describe("ipsec-day-two", () => {
  const path = `${OVN}.ipsecConfig`;
  const encrypted = operator({ ipsecConfig: {} });

  it("M20 reports IPsec on a running cluster of a release that accepts it only at installation", () => {
    expect(violations(ipsecDayTwo, [ofRelease("4.10"), encrypted])).toMatchObject([
      { path, message: expect.stringContaining("only at installation") as string },
    ]);
  });

  it("M20 accepts newer releases, clusters without IPsec, the installer's manifest and live objects", () => {
    expect(violations(ipsecDayTwo, [ofRelease("4.11"), encrypted])).toEqual([]);
    expect(violations(ipsecDayTwo, [ofRelease("4.10"), operator({})])).toEqual([]);
    const manifest = { ...encrypted, origin: { file: INSTALLER_FILE } };
    expect(violations(ipsecDayTwo, [ofRelease("4.10"), manifest])).toEqual([]);
    const running = { ...encrypted, origin: { live: "Network cluster" } };
    expect(violations(ipsecDayTwo, [ofRelease("4.10"), running])).toEqual([]);
    // No other file is the installer's, and a program creates its objects in a running cluster.
    for (const origin of [{ file: "manifests/network.yml" }, { ...encrypted.origin, file: INSTALLER_FILE }])
      expect(violations(ipsecDayTwo, [ofRelease("4.10"), { ...encrypted, origin }])).toHaveLength(1);
  });

  it("M20 is unknown for clusters whose release is unknown", () => {
    const digest = hostedCluster({ release: { image: `quay.io/ocp-release@sha256:${"0".repeat(64)}` } });
    const message = `NetworkPatch cluster: ${path}, whether the release of its cluster is 4.11 or newer`;
    expect(unknowns(ipsecDayTwo, [encrypted])).toMatchObject([{ path, message }]);
    expect(unknowns(ipsecDayTwo, [digest, encrypted])).toMatchObject([{ path, message }]);
    const manifest = { ...encrypted, origin: { file: INSTALLER_FILE } };
    expect(unknowns(ipsecDayTwo, [digest, manifest])).toEqual([]);
  });

  it("M20 reports a secret release as secret, because no later run can know it", () => {
    const image = "spec.release.image";
    const secret = { ...hostedCluster({ release: { image: UNKNOWN } }), secrets: [image] };
    expect(judge(ipsecDayTwo, [secret, encrypted])).toMatchObject([
      { status: Status.Secret, resource: secret.origin, path: image },
    ]);
  });

  it("M20 ignores the release if the mode is Disabled, as in every cluster installed from 4.15 on", () => {
    expect(unknowns(ipsecDayTwo, [operator({ ipsecConfig: { mode: "Disabled" } })])).toEqual([]);
    for (const mode of ["Full", UNKNOWN] as const)
      expect(unknowns(ipsecDayTwo, [operator({ ipsecConfig: { mode } })])).toMatchObject([{ path }]);
  });

  const MODE = `${path}.mode`;
  const ENCAPSULATION = `${path}.full.encapsulation`;
  const without = "release 4.14 has no modes, and IPsec is on if the setting exists";
  const always = (full: PropertyValue = { encapsulation: "Always" }): Properties => ({ mode: "Full", full });

  it.each<[string, string, PropertyValue, string[]]>([
    [
      "mode Disabled before modes",
      "4.14",
      { mode: "Disabled" },
      [`${MODE} ${without}: leave ipsecConfig out: IPsec is off by default`],
    ],
    ["mode External before modes", "4.14", { mode: "External" }, [`${MODE} ${without}: leave mode out`]],
    [
      "mode External",
      "4.20",
      { mode: "External" },
      [
        `${MODE} External has no effect in a hosted cluster, whose nodes the network operator cannot configure: leave mode out for IPsec between the nodes`,
      ],
    ],
    [
      "the encapsulation before 4.19",
      "4.18",
      always(),
      [`${ENCAPSULATION} release 4.18 does not have it: leave it out, or upgrade to 4.19 or newer`],
    ],
    ["mode Full before modes, which the release drops", "4.14", { mode: "Full" }, []],
    ["mode Disabled (none)", "4.15", { mode: "Disabled" }, []],
    ["mode Full (none)", "4.15", { mode: "Full" }, []],
    ["the encapsulation (none)", "4.19", always(), []],
  ])("M20 reports what the hosted cluster does not have: %s", (_, release, ipsecConfig, expected) => {
    const there = operator({ ipsecConfig });
    const found = (one: Resource) =>
      violations(ipsecDayTwo, [ofRelease(release), one]).map(
        (finding) => `${finding.path} ${finding.message}: ${finding.fix}`,
      );
    expect(found(there)).toEqual(expected);
    expect(unknowns(ipsecDayTwo, [ofRelease(release), there])).toEqual([]);
    // A manifest for the installer is not that of a hosted cluster.
    expect(found({ ...there, origin: { file: INSTALLER_FILE } })).toEqual([]);
  });

  it("M20 does not judge the management cluster by the hosted one", () => {
    const provider = "urn:pulumi:dev::shop::pulumi:providers:kubernetes::management";
    const there = [ofRelease("4.12"), operator({ ipsecConfig: { mode: "External" } })];
    expect(violations(ipsecDayTwo, there)).not.toEqual([]);
    const beside = there.map((one) => ({ ...one, provider }));
    expect(violations(ipsecDayTwo, beside)).toEqual([]);
    expect(unknowns(ipsecDayTwo, beside)).toMatchObject([{ path }]);
  });

  it("M20 does not judge another cluster by the hosted one, whose configuration would have no cluster network", () => {
    const configuration = resource("kubernetes:config.openshift.io/v1:Network", "config", {
      metadata: { name: "cluster" },
      spec: standalone,
    });
    const there = [ofRelease("4.12"), configuration, operator({ ipsecConfig: { mode: "External" } })];
    expect(violations(ipsecDayTwo, there)).toEqual([]);
    expect(unknowns(ipsecDayTwo, there)).toMatchObject([{ path }]);
  });

  it("M20 is unknown if a setting that the hosted cluster may not have is unknown", () => {
    for (const [release, ipsecConfig, pending] of [
      ["4.14", { mode: UNKNOWN }, MODE],
      ["4.20", { mode: UNKNOWN }, MODE],
      ["4.18", always(UNKNOWN), `${path}.full`],
      ["4.18", UNKNOWN, `${path}.full`],
    ] as const) {
      const there = [ofRelease(release), operator({ ipsecConfig })];
      expect(violations(ipsecDayTwo, there)).toEqual([]);
      expect(unknowns(ipsecDayTwo, there).map((one) => one.path)).toContain(pending);
    }
    const newest = [ofRelease("4.20"), operator({ ipsecConfig: always(UNKNOWN) })];
    expect(unknowns(ipsecDayTwo, newest)).toEqual([]);
  });

  it("M20 reports mode External in a hosted cluster whose release is unknown", () => {
    const digest = hostedCluster({ release: { image: `quay.io/ocp-release@sha256:${"0".repeat(64)}` } });
    const external = operator({ ipsecConfig: { mode: "External" } });
    expect(violations(ipsecDayTwo, [digest, external])).toMatchObject([{ path: MODE }]);
    expect(violations(ipsecDayTwo, [external])).toEqual([]);
  });
});
