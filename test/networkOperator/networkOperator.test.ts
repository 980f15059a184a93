import { parse } from "yaml";
import { installManifest, joinedSettings, networkOperatorSettings } from "../../src/networkOperator/network";
import { judgeHybridOverlay, type HybridOverlayInputs } from "../../src/networkOperator/hybridOverlay";
import { portsTakenOnNodes } from "../../src/requirements/networkOperator";
import { UNKNOWN } from "../../src/resources/resource";

const hosted = {
  name: "tenant-a",
  platform: "AWS",
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
};
const range = (cidr: string, hostPrefix = 24) => [{ cidr, hostPrefix }];
const documented: HybridOverlayInputs = { hybridClusterNetwork: range("10.132.0.0/14"), release: "4.20" };
const ROLL_OUT =
  "hybridClusterNetwork rolls out ovnkube-node on a running cluster, and can never be edited once it is set: choose a range that never has to change";
const onVSphere = { ...documented, platform: "VSphere", hybridOverlayVXLANPort: 9898 };
const lines = (findings: readonly { path: string; problem: string; remedy: string }[]) =>
  findings.map(({ path, problem, remedy }) => `${path} ${problem}: ${remedy}`);
const hybridFaults = (inputs: HybridOverlayInputs) => lines(judgeHybridOverlay(inputs).faults);
const hybridWarnings = (inputs: HybridOverlayInputs) => lines(judgeHybridOverlay(inputs).warnings);

describe("M19 the range of the additional overlay network", () => {
  it("is accepted as documented on a cluster of the installer", () => {
    expect(hybridFaults({ ...documented, hybridClusterNetwork: range("10.132.0.0/14", 23) })).toEqual([]);
    expect(hybridFaults(onVSphere)).toEqual([]);
  });

  it("is refused in a hosted cluster if it is the documented one, which is the default cluster network", () => {
    const [fault, ...others] = hybridFaults({
      topology: hosted,
      hybridClusterNetwork: range("10.132.0.0/14"),
    });
    expect(others).toEqual([]);
    expect(fault).toMatch(
      /^hybridClusterNetwork\[0\]\.cidr 10\.132\.0\.0\/14 overlaps the default cluster network 10\.132\.0\.0\/14: .*: move it, for example to 10\.\d+\.0\.0\/14$/,
    );
    expect(hybridFaults({ topology: hosted, hybridClusterNetwork: range("10.136.0.0/14") })).toEqual([]);
  });

  it.each<[string, Partial<HybridOverlayInputs>, RegExp]>([
    [
      "the installer's cluster network",
      { hybridClusterNetwork: range("10.128.0.0/15") },
      /the installer's default cluster network 10\.128\.0\.0\/14/,
    ],
    [
      "the installer's service network",
      { hybridClusterNetwork: range("172.30.128.0/17") },
      /the installer's default service network/,
    ],
    [
      "the installer's machine network",
      { hybridClusterNetwork: range("10.0.0.0/12") },
      /the installer's default machine network 10\.0\.0\.0\/16/,
    ],
    [
      "a stated cluster network",
      { clusterNetwork: ["10.132.0.0/16"] },
      /the cluster network 10\.132\.0\.0\/16/,
    ],
    ["a stated service network", { serviceNetwork: ["10.133.0.0/16"] }, /the service network/],
    ["a stated machine network", { machineNetwork: ["10.134.0.0/16"] }, /the machine network/],
    [
      "another stated network",
      { otherNetworks: [{ name: "corporate", cidr: "10.135.0.0/24" }] },
      /network corporate 10\.135\.0\.0\/24/,
    ],
    [
      "OVN's join subnet",
      { hybridClusterNetwork: range("100.64.0.0/14") },
      /OVN's default join subnet 100\.64\.0\.0\/16/,
    ],
    [
      "OVN's transit switch subnet",
      { hybridClusterNetwork: range("100.88.0.0/16") },
      /transit switch subnet/,
    ],
    ["OVN's masquerade subnet", { hybridClusterNetwork: range("169.254.0.0/18") }, /masquerade subnet/],
    ["multicast addresses", { hybridClusterNetwork: range("224.0.0.0/8") }, /multicast/],
  ])("is refused if it overlaps %s", (_, inputs, words) => {
    const faults = hybridFaults({ ...documented, ...inputs });
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.join("\n")).toMatch(words);
    expect(faults.every((fault) => fault.startsWith("hybridClusterNetwork[0].cidr "))).toBe(true);
  });

  it("is checked against a hosted cluster's topology and its surroundings", () => {
    const infrastructureCidrs = [{ name: "corporate", cidr: "10.200.0.0/16" }];
    const topology = { ...hosted, internalJoinSubnet: "10.201.0.0/16", infrastructureCidrs };
    const faults = hybridFaults({ topology, hybridClusterNetwork: range("10.200.0.0/14") });
    expect(faults).toHaveLength(2);
    expect(faults.join()).toContain("infrastructure network corporate");
    expect(faults.join()).toContain("OVN's join subnet");
  });

  it.each<[string, HybridOverlayInputs, string]>([
    [
      "with a plain reason",
      { ...documented, clusterNetwork: ["172.16.0.0/12"], hybridClusterNetwork: range("172.20.0.0/16") },
      "172.20.0.0/16 overlaps the cluster network 172.16.0.0/12: packets for the shared addresses are lost: move it, for example to 10.1.0.0/16",
    ],
    [
      "with the use of the taken range, in a hosted cluster",
      { topology: { ...hosted, release: "4.13" }, hybridClusterNetwork: range("100.64.0.0/14") },
      "100.64.0.0/14 overlaps OVN's default join subnet 100.64.0.0/16: replies of pods to those addresses never leave the node: move it, for example to 10.4.0.0/14",
    ],
    [
      "with the use of the taken range, in any other cluster",
      { ...documented, hybridClusterNetwork: range("100.88.0.0/16") },
      "100.88.0.0/16 overlaps OVN's default transit switch subnet 100.88.0.0/16: traffic of pods between nodes and to those addresses is lost: move it, for example to 10.1.0.0/16",
    ],
    [
      "without a proposal if 10.0.0.0/8 is taken",
      { ...documented, otherNetworks: [{ name: "company", cidr: "10.0.0.0/8" }] },
      "10.132.0.0/14 overlaps network company 10.0.0.0/8: packets for the shared addresses are lost: move it",
    ],
    [
      "without a proposal for a range wider than 10.0.0.0/8",
      {
        ...documented,
        otherNetworks: [{ name: "partner", cidr: "9.1.0.0/16" }],
        hybridClusterNetwork: range("8.0.0.0/7"),
      },
      "8.0.0.0/7 overlaps network partner 9.1.0.0/16: packets for the shared addresses are lost: move it",
    ],
    [
      "for a network with an unknown name",
      { ...documented, otherNetworks: [{ name: UNKNOWN, cidr: "10.132.0.0/24" }] },
      "10.132.0.0/14 overlaps network 10.132.0.0/24: packets for the shared addresses are lost: move it, for example to 10.4.0.0/14",
    ],
  ])("has its overlap reported %s", (_, inputs, said) => {
    expect(hybridFaults(inputs)).toEqual([`hybridClusterNetwork[0].cidr ${said}`]);
  });

  it("can be a subnet that OVN uses only from a later release on", () => {
    const transit = (release?: string) =>
      hybridFaults({ ...documented, release, hybridClusterNetwork: range("100.88.0.0/16") });
    expect(transit("4.13")).toEqual([]);
    expect(transit("4.14")).toHaveLength(1);
    expect(transit()).toHaveLength(1);
  });

  it("can lie inside a whole company network", () => {
    const topology = { ...hosted, externalClientCidrs: ["10.0.0.0/8"] };
    expect(hybridFaults({ topology, hybridClusterNetwork: range("10.200.0.0/14") })).toEqual([]);
  });

  it("overlaps the API server proxy's address only in a hosted cluster", () => {
    expect(hybridFaults({ ...documented, hybridClusterNetwork: range("172.20.0.0/16") })).toEqual([]);
    const inHosted = hybridFaults({ topology: hosted, hybridClusterNetwork: range("172.20.0.0/16") });
    expect(inHosted.join()).toContain("172.20.0.1/32");
  });

  it.each<[string, HybridOverlayInputs["hybridClusterNetwork"], RegExp]>([
    [
      "missing",
      undefined,
      /^hybridClusterNetwork missing: write a list of one entry with cidr and hostPrefix/,
    ],
    ["not a list", "10.132.0.0/14", /"10\.132\.0\.0\/14" is not a list/],
    ["empty", [], /is empty: write a list of one entry/],
    [
      "two entries",
      [...range("10.132.0.0/14"), ...range("10.136.0.0/14")],
      /^hybridClusterNetwork has 2 entries, of which the network operator reads only the first: write one entry$/,
    ],
    [
      "an entry that is not an object",
      ["10.132.0.0/14"],
      /hybridClusterNetwork\[0\] "10\.132\.0\.0\/14" is not an object: write cidr and hostPrefix$/,
    ],
    [
      "no cidr",
      [{ hostPrefix: 24 }],
      /cidr missing: write a CIDR block that nothing uses: 10\.\d+\.0\.0\/14/,
    ],
    ["malformed", range("10.132.0.0"), /has no mask/],
    ["host bits", range("10.132.0.1/14"), /has host bits: write 10\.132\.0\.0\/14/],
    ["IPv6", range("fd01::/48"), /IPv6/],
    ["too small for a node", range("10.132.0.0/24"), /cidr 10\.132\.0\.0\/24/],
    ["no hostPrefix", [{ cidr: "10.132.0.0/14" }], /hostPrefix missing: write 24/],
    [
      "hostPrefix as a string",
      [{ cidr: "10.132.0.0/14", hostPrefix: "24" }],
      /hostPrefix "24" is not a whole number: write 24/,
    ],
    [
      "hostPrefix out of range",
      range("10.132.0.0/14", 33),
      /^hybridClusterNetwork\[0\]\.hostPrefix 33 is not from 1 to 32: write 24, the prefix length of each node's subnet$/,
    ],
    [
      "hostPrefix 0",
      range("10.132.0.0/14", 0),
      /^hybridClusterNetwork\[0\]\.hostPrefix 0 is not from 1 to 32: .*$/,
    ],
    [
      "hostPrefix shorter than the range",
      range("10.132.0.0/14", 1),
      /^hybridClusterNetwork\[0\]\.hostPrefix \/1 is not part of 10\.132\.0\.0\/14: write 24/,
    ],
    [
      "hostPrefix equal to the range",
      range("10.132.0.0/14", 14),
      /^hybridClusterNetwork\[0\]\.hostPrefix \/14 is not part of 10\.132\.0\.0\/14: write 24/,
    ],
    [
      "a misspelt property",
      [{ cidr: "10.132.0.0/14", hostprefix: 24 }],
      /hostprefix no such property: did you mean hostPrefix/,
    ],
  ])("is refused: %s", (_, hybridClusterNetwork, words) => {
    expect(hybridFaults({ ...documented, hybridClusterNetwork }).join("\n")).toMatch(words);
  });

  it.each<[string, Partial<HybridOverlayInputs>, RegExp]>([
    ["malformed", { clusterNetwork: ["10.128.0.0"] }, /^clusterNetwork\[0\] 10\.128\.0\.0 has no mask/],
    ["not a list", { serviceNetwork: "172.30.0.0/16" }, /^serviceNetwork "172\.30\.0\.0\/16" is not a list/],
    [
      "set together with a topology",
      { topology: hosted, machineNetwork: ["10.0.0.0/16"], hybridClusterNetwork: range("10.136.0.0/14") },
      /^machineNetwork is set together with the topology: write it as topology\.machineNetwork/,
    ],
    [
      "others without a name",
      { otherNetworks: [{ cidr: "10.9.0.0/16" }] },
      /^otherNetworks\[0\]\.name missing/,
    ],
    ["others without a range", { otherNetworks: [{ name: "corporate" }] }, /^otherNetworks\[0\]\.cidr/],
    ["others as a string", { otherNetworks: "10.9.0.0/16" }, /^otherNetworks .*is not a list/],
    [
      "others that are not objects",
      { otherNetworks: ["10.9.0.0/16"] },
      /^otherNetworks\[0\] "10\.9\.0\.0\/16" is not an object/,
    ],
  ])("is checked against other networks, which are refused: %s", (_, inputs, words) => {
    expect(hybridFaults({ ...documented, ...inputs }).join("\n")).toMatch(words);
  });

  it("may be the join subnet of user-defined networks, which the cluster need not have", () => {
    const hybridClusterNetwork = range("100.65.0.0/16");
    expect(hybridFaults({ ...documented, hybridClusterNetwork })).toEqual([]);
    expect(hybridFaults({ topology: hosted, hybridClusterNetwork })).toEqual([]);
    expect(hybridFaults({ ...documented, hybridClusterNetwork: range("100.64.0.0/16") }).join()).toContain(
      "overlaps OVN's default join subnet",
    );
  });

  it("is not judged if unknown", () => {
    for (const unknown of [UNKNOWN, [UNKNOWN], [{ cidr: UNKNOWN, hostPrefix: UNKNOWN }]] as const)
      expect(hybridFaults({ ...documented, hybridClusterNetwork: unknown })).toEqual([]);
    const networks: HybridOverlayInputs = {
      clusterNetwork: UNKNOWN,
      serviceNetwork: [UNKNOWN],
      otherNetworks: [{ name: "x", cidr: UNKNOWN }],
    };
    expect(hybridFaults({ ...documented, ...networks })).toEqual([]);
    expect(hybridFaults({ ...onVSphere, hybridOverlayVXLANPort: UNKNOWN, windowsServers: UNKNOWN })).toEqual(
      [],
    );
  });

  it("has a warning for a hostPrefix other than /24, which has no effect", () => {
    const warnings = hybridWarnings({ ...documented, hybridClusterNetwork: range("10.132.0.0/14", 23) });
    expect(warnings).toEqual([
      "hybridClusterNetwork[0].hostPrefix 23 is not passed on by the network operator: each node gets a /24: plan with /24",
      ROLL_OUT,
    ]);
    expect(hybridWarnings(documented)).toEqual([ROLL_OUT]);
  });
});

describe("M19 the VXLAN port", () => {
  it.each(["AWS", "Azure", "GCP", "BareMetal", "OpenStack", "Nutanix", "None"])(
    "is refused on %s",
    (platform) => {
      expect(hybridFaults({ ...onVSphere, platform })).toEqual([
        `hybridOverlayVXLANPort a custom VXLAN port is supported only on VSphere, and nodes run on ${platform}: leave it out, or set platform: VSphere if nodes run on VSphere`,
      ]);
    },
  );

  it("is refused if no input states the nodes' platform, and hybrid networking without it is not", () => {
    const { platform: _, ...unstated } = onVSphere;
    expect(hybridFaults(unstated).join()).toContain("no input states the platform of the nodes");
    expect(hybridFaults(documented)).toEqual([]);
  });

  it("is accepted on hosted clusters of platform Agent and None, which can run on vSphere, and refused on others", () => {
    const hybridClusterNetwork = range("10.136.0.0/14");
    const on = (platform: string) =>
      hybridFaults({
        ...onVSphere,
        release: undefined,
        hybridClusterNetwork,
        topology: { ...hosted, platform },
      });
    expect(on("Agent")).toEqual([]);
    expect(on("None")).toEqual([]);
    expect(on("AWS").join()).toContain("VSphere differs from AWS of the topology");
  });

  it.each([4789, 6081])("cannot be %i", (port) => {
    expect(hybridFaults({ ...onVSphere, hybridOverlayVXLANPort: port })).toEqual([
      expect.stringMatching(
        /^hybridOverlayVXLANPort \d+ is the port of .*: choose another free UDP port, such as 9898$/,
      ),
    ]);
    expect(portsTakenOnNodes.map((taken) => taken.port)).toContain(port);
  });

  it.each([0, -1, 65536, 9898.5, "9898"])("must be a port, and cannot be %p", (port) => {
    expect(hybridFaults({ ...onVSphere, hybridOverlayVXLANPort: port }).join()).toMatch(
      /is not a port: write a whole number/,
    );
  });

  it("is refused with Windows Server 2019, which is always refused on vSphere", () => {
    const old = ["2022", "2019"];
    const unable =
      "windowsServers[1] Windows Server 2019 does not support a custom VXLAN port, and this cluster has one: use a newer version";
    expect(hybridFaults({ ...onVSphere, windowsServers: old })).toEqual([unable]);
    expect(hybridFaults({ ...onVSphere, windowsServers: ["2022"] })).toEqual([]);
    expect(hybridFaults({ ...documented, platform: "AWS", windowsServers: old })).toEqual([]);
    expect(hybridFaults({ ...documented, platform: "VSphere", windowsServers: old })).toEqual([
      unable,
      "hybridOverlayVXLANPort missing: Windows nodes on VSphere need one: choose a free UDP port, such as 9898",
    ]);
    expect(hybridFaults({ ...onVSphere, windowsServers: ["2012"] }).join()).toMatch(/"2012" is not 2019/);
    expect(hybridFaults({ ...onVSphere, windowsServers: "2022" })).toEqual([
      'windowsServers "2022" is not a list: write a list of versions',
    ]);
  });

  it("has a warning if missing on vSphere, because it cannot be added later", () => {
    expect(hybridWarnings({ ...documented, platform: "VSphere" })).toEqual([
      "hybridOverlayVXLANPort missing: Windows nodes on VSphere need one, and it cannot be added later: choose a free UDP port, such as 9898",
      ROLL_OUT,
    ]);
    expect(hybridWarnings(documented)).toEqual([ROLL_OUT]);
  });
});

describe("M19 the check of release and platform for hybrid networking", () => {
  it("accepts it only at installation before 4.13", () => {
    const old = { ...documented, release: "4.12" };
    expect(hybridFaults(old)).toEqual([
      "hybridClusterNetwork release 4.12 accepts hybrid networking only at installation, and the network operator refuses it on a running cluster: set fragmentOnly: true and give installManifest to openshift-install, or upgrade to 4.13 or newer",
    ]);
    expect(hybridFaults({ ...old, fragmentOnly: true })).toEqual([]);
    expect(hybridFaults({ ...old, release: "4.13" })).toEqual([]);
  });

  it("suggests only an upgrade for a hosted cluster, which has no installation manifests", () => {
    const topology = { ...hosted, release: "4.12" };
    const [fault] = hybridFaults({ topology, hybridClusterNetwork: range("10.136.0.0/14") });
    expect(fault).toMatch(/upgrade to 4\.13 or newer: a hosted cluster has no installation manifests$/);
  });

  it("warns without a release, except for a manifest", () => {
    const { release: _, ...unstated } = documented;
    expect(hybridWarnings(unstated).join("\n")).toMatch(/^release missing: before release 4\.13/);
    expect(hybridWarnings({ ...unstated, fragmentOnly: true })).toEqual([]);
    const topology = { ...hosted, release: undefined };
    const warnings = hybridWarnings({ topology, hybridClusterNetwork: range("10.136.0.0/14") } as never);
    expect(warnings.join("\n")).toMatch(/^topology\.release missing/m);
  });

  it("warns that a running cluster rolls out ovnkube-node and the range can never be edited", () => {
    expect(hybridWarnings(documented).join("\n")).toMatch(/rolls out ovnkube-node .* can never be edited/);
    expect(hybridWarnings({ ...documented, fragmentOnly: true })).toEqual([]);
  });

  it.each<[string, Partial<HybridOverlayInputs>, RegExp]>([
    [
      "another network type",
      { topology: { ...hosted, networkType: "Calico" }, hybridClusterNetwork: range("10.136.0.0/14") },
      /topology\.networkType Calico is not OVN-Kubernetes/,
    ],
    ["an unknown platform", { platform: "vSphere" }, /platform "vSphere" is not .*: write VSphere/],
    ["an invalid release", { release: "latest" }, /release "latest" is not an OpenShift release/],
    ["a release as a number", { release: 4.2 }, /release 4\.2 is not an OpenShift release/],
    [
      "two releases",
      { topology: hosted, release: "4.19", hybridClusterNetwork: range("10.136.0.0/14") },
      /release 4\.19 differs from 4\.20 of the topology/,
    ],
    [
      "switches that are not booleans",
      { fragmentOnly: "no", forcePatch: "yes", removeOnDelete: 1 },
      /fragmentOnly "no" is neither true nor false[^]*forcePatch "yes"[^]*removeOnDelete 1/,
    ],
    ["an invalid topology", { topology: { name: "tenant-a" } }, /topology\.platform missing/],
  ])("refuses %s", (_, inputs, words) => {
    expect(hybridFaults({ ...documented, ...inputs }).join("\n")).toMatch(words);
  });
});

describe("M19 M20 the manifest for openshift-install", () => {
  const hybridOverlayConfig = {
    hybridClusterNetwork: range("10.132.0.0/14", 23),
    hybridOverlayVXLANPort: 9898,
  };

  it("is the documented one", () => {
    expect(parse(installManifest(networkOperatorSettings({ hybridOverlayConfig })))).toEqual({
      apiVersion: "operator.openshift.io/v1",
      kind: "Network",
      metadata: { name: "cluster" },
      spec: { defaultNetwork: { ovnKubernetesConfig: { hybridOverlayConfig } } },
    });
  });

  it("contains the settings of several components", () => {
    const parts = [
      networkOperatorSettings({ hybridOverlayConfig }),
      networkOperatorSettings({ ipsecConfig: {} }),
    ];
    expect(parse(installManifest(joinedSettings(...parts)))).toMatchObject({
      spec: { defaultNetwork: { ovnKubernetesConfig: { hybridOverlayConfig, ipsecConfig: {} } } },
    });
  });
});
