import { parse } from "yaml";
import { installManifest, joinedSettings, networkOperatorSettings } from "../../src/networkOperator/network";
import { judgeHybridOverlay, type HybridOverlayInputs } from "../../src/networkOperator/hybridOverlay";
import { judgeIpsec, type IpsecInputs } from "../../src/networkOperator/ipsec";
import {
  hybridNodePart,
  IPSEC,
  IpsecEncapsulation,
  ipsecFacts,
  IpsecMode,
  podTraffic,
  portsOf,
  portsTakenOnNodes,
} from "../../src/requirements/networkOperator";
import { UNKNOWN } from "../../src/resources/resource";

const hosted = {
  name: "tenant-a",
  platform: "AWS",
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
};
const range = (cidr: string, hostPrefix = 24) => [{ cidr, hostPrefix }];
const documented: HybridOverlayInputs = { hybridClusterNetwork: range("10.132.0.0/14"), release: "4.20" };
const onVSphere = { ...documented, platform: "VSphere", hybridOverlayVXLANPort: 9898 };
const lines = (findings: readonly { path: string; problem: string; remedy: string }[]) =>
  findings.map(({ path, problem, remedy }) => `${path} ${problem}: ${remedy}`);
const hybridFaults = (inputs: HybridOverlayInputs) => lines(judgeHybridOverlay(inputs).faults);
const hybridWarnings = (inputs: HybridOverlayInputs) => lines(judgeHybridOverlay(inputs).warnings);

describe("M19 the range of the additional overlay network", () => {
  it("is the document's on a cluster of the installer", () => {
    expect(hybridFaults({ ...documented, hybridClusterNetwork: range("10.132.0.0/14", 23) })).toEqual([]);
    expect(hybridFaults(onVSphere)).toEqual([]);
  });

  it("the document's is the default cluster network of a hosted cluster, and refused there", () => {
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
      "a network around",
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
  ])("overlaps %s", (_, inputs, words) => {
    const faults = hybridFaults({ ...documented, ...inputs });
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.join("\n")).toMatch(words);
    expect(faults.every((fault) => fault.startsWith("hybridClusterNetwork[0].cidr "))).toBe(true);
  });

  it("a hosted cluster's ranges are those of its topology, its surroundings included", () => {
    const infrastructureCidrs = [{ name: "corporate", cidr: "10.200.0.0/16" }];
    const topology = { ...hosted, internalJoinSubnet: "10.201.0.0/16", infrastructureCidrs };
    const faults = hybridFaults({ topology, hybridClusterNetwork: range("10.200.0.0/14") });
    expect(faults).toHaveLength(2);
    expect(faults.join()).toContain("infrastructure network corporate");
    expect(faults.join()).toContain("OVN's join subnet");
  });

  it("the address of a hosted cluster's API proxy is not an address of other clusters", () => {
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
    ["no list", "10.132.0.0/14", /"10\.132\.0\.0\/14" is not a list/],
    ["empty", [], /is empty: write a list of one entry/],
    [
      "two entries",
      [...range("10.132.0.0/14"), ...range("10.136.0.0/14")],
      /2 entries, of which the network operator reads the first/,
    ],
    ["no object", ["10.132.0.0/14"], /hybridClusterNetwork\[0\] "10\.132\.0\.0\/14" is not an object/],
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
      "hostPrefix as text",
      [{ cidr: "10.132.0.0/14", hostPrefix: "24" }],
      /hostPrefix "24" is not a whole number: write 24/,
    ],
    ["hostPrefix out of range", range("10.132.0.0/14", 33), /hostPrefix 33 is not from 1 to 32/],
    ["hostPrefix of the whole range", range("10.132.0.0/14", 14), /\/14 is not part of 10\.132\.0\.0\/14/],
    [
      "a misspelt property",
      [{ cidr: "10.132.0.0/14", hostprefix: 24 }],
      /hostprefix no such property: did you mean hostPrefix/,
    ],
  ])("%s", (_, hybridClusterNetwork, words) => {
    expect(hybridFaults({ ...documented, hybridClusterNetwork }).join("\n")).toMatch(words);
  });

  it.each<[string, Partial<HybridOverlayInputs>, RegExp]>([
    ["malformed", { clusterNetwork: ["10.128.0.0"] }, /^clusterNetwork\[0\] 10\.128\.0\.0 has no mask/],
    ["no list", { serviceNetwork: "172.30.0.0/16" }, /^serviceNetwork "172\.30\.0\.0\/16" is not a list/],
    [
      "beside a topology",
      { topology: hosted, machineNetwork: ["10.0.0.0/16"], hybridClusterNetwork: range("10.136.0.0/14") },
      /^machineNetwork stands beside the topology: write it as topology\.machineNetwork/,
    ],
    [
      "others without a name",
      { otherNetworks: [{ cidr: "10.9.0.0/16" }] },
      /^otherNetworks\[0\]\.name missing/,
    ],
    ["others without a range", { otherNetworks: [{ name: "corporate" }] }, /^otherNetworks\[0\]\.cidr/],
    ["others as text", { otherNetworks: "10.9.0.0/16" }, /^otherNetworks .*is not a list/],
    [
      "others that are no objects",
      { otherNetworks: ["10.9.0.0/16"] },
      /^otherNetworks\[0\] "10\.9\.0\.0\/16" is not an object/,
    ],
  ])("networks to stay apart from: %s", (_, inputs, words) => {
    expect(hybridFaults({ ...documented, ...inputs }).join("\n")).toMatch(words);
  });

  it("what is not known yet is not judged", () => {
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

  it("a part of another size than the operator's is said to be without effect", () => {
    const warnings = hybridWarnings({ ...documented, hybridClusterNetwork: range("10.132.0.0/14", 23) });
    expect(warnings.join("\n")).toContain(`each node gets a /${hybridNodePart.length}`);
    expect(hybridWarnings(documented).join("\n")).not.toContain("each node gets");
  });
});

describe("M19 the VXLAN port", () => {
  it.each(["AWS", "Azure", "GCP", "BareMetal", "OpenStack", "Nutanix", "None"])(
    "is refused on %s",
    (platform) => {
      expect(hybridFaults({ ...onVSphere, platform })).toEqual([
        `hybridOverlayVXLANPort a VXLAN port of its own exists only on VSphere, and nodes run on ${platform}: leave it out, or say that nodes run on VSphere by platform: VSphere`,
      ]);
    },
  );

  it("is refused where nothing says what the nodes run on, and hybrid networking is not", () => {
    const { platform: _, ...unstated } = onVSphere;
    expect(hybridFaults(unstated).join()).toContain("nothing says what the nodes run on");
    expect(hybridFaults(documented)).toEqual([]);
  });

  it("nodes of hosted clusters of platform Agent and None may run on vSphere, others cannot", () => {
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
    expect(on("AWS").join()).toContain("VSphere is another one than AWS of the topology");
  });

  it.each([4789, 6081])("is never %i", (port) => {
    expect(hybridFaults({ ...onVSphere, hybridOverlayVXLANPort: port }).join()).toContain(
      `${port} is the port of`,
    );
    expect(portsTakenOnNodes.map((taken) => taken.port)).toContain(port);
  });

  it.each([0, -1, 65536, 9898.5, "9898"])("is a port: %p", (port) => {
    expect(hybridFaults({ ...onVSphere, hybridOverlayVXLANPort: port }).join()).toMatch(
      /is not a port: write a whole number/,
    );
  });

  it("is not with Windows Server 2019, on vSphere in no case", () => {
    const old = ["2022", "2019"];
    const unable = /windowsServers\[1\] Windows Server 2019 cannot choose a VXLAN port/;
    expect(hybridFaults({ ...onVSphere, windowsServers: old }).join("\n")).toMatch(unable);
    expect(hybridFaults({ ...onVSphere, windowsServers: ["2022"] })).toEqual([]);
    expect(hybridFaults({ ...documented, platform: "AWS", windowsServers: old })).toEqual([]);
    const withoutPort = hybridFaults({ ...documented, platform: "VSphere", windowsServers: old });
    expect(withoutPort.join("\n")).toMatch(
      /hybridOverlayVXLANPort missing: Windows nodes on VSphere need one/,
    );
    expect(withoutPort.join("\n")).toMatch(unable);
    expect(hybridFaults({ ...onVSphere, windowsServers: ["2012"] }).join()).toMatch(/"2012" is not 2019/);
    expect(hybridFaults({ ...onVSphere, windowsServers: "2022" }).join()).toMatch(/is not a list/);
  });

  it("is missed on vSphere, because it cannot be added later", () => {
    const warnings = hybridWarnings({ ...documented, platform: "VSphere" });
    expect(warnings.join("\n")).toMatch(/hybridOverlayVXLANPort missing: Windows nodes on VSphere need one/);
  });
});

describe("M19 when hybrid networking can be configured", () => {
  it("is only at installation before 4.13", () => {
    const old = { ...documented, release: "4.12" };
    expect(hybridFaults(old)).toEqual([
      "hybridClusterNetwork release 4.12 takes hybrid networking only at installation, and the network operator refuses it on a cluster that runs: set fragmentOnly: true and give installManifest to openshift-install, or upgrade to 4.13 or newer",
    ]);
    expect(hybridFaults({ ...old, fragmentOnly: true })).toEqual([]);
    expect(hybridFaults({ ...old, release: "4.13" })).toEqual([]);
  });

  it("a hosted cluster has no installation manifests", () => {
    const topology = { ...hosted, release: "4.12" };
    const [fault] = hybridFaults({ topology, hybridClusterNetwork: range("10.136.0.0/14") });
    expect(fault).toMatch(/upgrade to 4\.13 or newer: a hosted cluster has no installation manifests$/);
  });

  it("without a release it cannot be checked, which a manifest does not need", () => {
    const { release: _, ...unstated } = documented;
    expect(hybridWarnings(unstated).join("\n")).toMatch(/^release missing: before release 4\.13/);
    expect(hybridWarnings({ ...unstated, fragmentOnly: true })).toEqual([]);
    const topology = { ...hosted, release: undefined };
    const warnings = hybridWarnings({ topology, hybridClusterNetwork: range("10.136.0.0/14") } as never);
    expect(warnings.join("\n")).toMatch(/^topology\.release missing/m);
  });

  it("a running cluster rolls out ovnkube-node, once and for all", () => {
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
    ["no release", { release: "latest" }, /release "latest" is not an OpenShift release/],
    ["a release as number", { release: 4.2 }, /release 4\.2 is not an OpenShift release/],
    [
      "two releases",
      { topology: hosted, release: "4.19", hybridClusterNetwork: range("10.136.0.0/14") },
      /release 4\.19 is another one than 4\.20 of the topology/,
    ],
    [
      "switches that are words",
      { fragmentOnly: "no", forcePatch: "yes", removeOnDelete: 1 },
      /fragmentOnly "no" is neither true nor false[^]*forcePatch "yes"[^]*removeOnDelete 1/,
    ],
    ["a wrong topology", { topology: { name: "tenant-a" } }, /topology\.platform missing/],
  ])("%s", (_, inputs, words) => {
    expect(hybridFaults({ ...documented, ...inputs }).join("\n")).toMatch(words);
  });
});

const ipsecFaults = (inputs: IpsecInputs) => lines(judgeIpsec(inputs).faults);
const ipsecWarnings = (inputs: IpsecInputs) => lines(judgeIpsec(inputs).warnings).join("\n");

describe("M20 when IPsec can be configured", () => {
  it.each(["4.7", "4.8", "4.9", "4.10"])("release %s takes it only at installation", (release) => {
    expect(ipsecFaults({ release })).toEqual([
      `mode release ${release} takes IPsec only at installation, and the network operator refuses it on a cluster that runs: set fragmentOnly: true and give installManifest to openshift-install, or upgrade to 4.11 or newer`,
    ]);
    expect(ipsecFaults({ release, fragmentOnly: true })).toEqual([]);
    expect(ipsecWarnings({ release, fragmentOnly: true })).toMatch(
      /can never be turned off again with this release/,
    );
  });

  it("from 4.11 on a running cluster takes it", () => {
    expect(ipsecFaults({ release: "4.11" })).toEqual([]);
    expect(ipsecWarnings({ release: "4.11" })).not.toMatch(/never be turned off/);
  });

  it("before 4.7 there is none", () => {
    expect(ipsecFaults({ release: "4.6" })).toEqual(["release 4.6 has no IPsec: upgrade to 4.7 or newer"]);
    expect(ipsecFaults({ release: "4.6", fragmentOnly: true })).toHaveLength(1);
  });

  it("modes exist from 4.15 on, before it the setting by itself turns IPsec on", () => {
    expect(judgeIpsec({ release: "4.14" }).hasModes).toBe(false);
    expect(judgeIpsec({ release: "4.15" }).hasModes).toBe(true);
    expect(judgeIpsec({}).hasModes).toBe(true);
    expect(ipsecFaults({ release: "4.14", mode: "Full" })).toEqual([]);
    expect(ipsecFaults({ release: "4.14", mode: "Disabled" }).join()).toMatch(
      /knows no modes.*leave the whole component out/,
    );
    expect(ipsecFaults({ release: "4.14", mode: "External" }).join()).toMatch(
      /knows no modes.*upgrade to 4\.15/,
    );
    for (const mode of ["Disabled", "External", "Full"])
      expect(ipsecFaults({ release: "4.15", mode })).toEqual([]);
    expect(ipsecFaults({ release: "4.15", mode: "full" }).join()).toMatch(/"full" is not .*: write Full/);
  });

  it("ESP can be wrapped always from 4.19 on, in mode Full", () => {
    expect(ipsecFaults({ release: "4.19", encapsulation: "Always" })).toEqual([]);
    expect(ipsecFaults({ release: "4.18", encapsulation: "Always" }).join()).toMatch(
      /release 4\.18 does not have it: leave it out, or upgrade to 4\.19/,
    );
    expect(ipsecFaults({ release: "4.20", mode: "External", encapsulation: "Auto" }).join()).toMatch(
      /encapsulation is refused with mode External/,
    );
    expect(ipsecFaults({ release: "4.20", encapsulation: "Sometimes" }).join()).toMatch(
      /"Sometimes" is not Always or Auto/,
    );
  });

  it("a hosted cluster runs mode Full unsupported, and External not at all", () => {
    expect(ipsecFaults({ topology: hosted })).toEqual([]);
    expect(ipsecWarnings({ topology: hosted })).toMatch(/Red Hat does not support IPsec/);
    expect(ipsecFaults({ topology: hosted, mode: "External" }).join()).toMatch(
      /External does nothing in a hosted cluster/,
    );
    expect(ipsecWarnings({ topology: hosted, mode: "Disabled" })).toBe("");
    expect(ipsecFaults({ topology: { ...hosted, release: "4.10" } }).join()).toMatch(
      /a hosted cluster has no installation manifests/,
    );
  });

  it("the hybrid network beside it follows its own rules", () => {
    const hybridOverlay = {
      defaultNetwork: {
        ovnKubernetesConfig: { hybridOverlayConfig: { hybridClusterNetwork: range("10.132.0.0/14") } },
      },
    };
    expect(ipsecFaults({ release: "4.20", hybridOverlay })).toEqual([]);
    expect(ipsecFaults({ release: "4.12", hybridOverlay }).join()).toMatch(
      /^hybridOverlay release 4\.12 takes hybrid networking only at installation/,
    );
    expect(ipsecFaults({ release: "4.20", hybridOverlay: { defaultNetwork: {} } }).join()).toMatch(
      /hybridOverlay is not a fragment/,
    );
    expect(ipsecFaults({ release: "4.20", hybridOverlay: UNKNOWN })).toEqual([]);
  });

  it("what is not known yet is not judged", () => {
    expect(ipsecFaults({ release: "4.20", mode: UNKNOWN, encapsulation: UNKNOWN })).toEqual([]);
  });
});

describe("M20 what IPsec needs and does", () => {
  it("nodes let ports 500 and 4500 and ESP pass among each other", () => {
    const texts = portsOf(IpsecMode.Full, undefined).map(({ protocol, port }) =>
      `${protocol} ${port ?? ""}`.trim(),
    );
    expect(texts).toEqual(["UDP 500", "UDP 4500", "ESP"]);
    expect(portsOf(IpsecMode.Full, IpsecEncapsulation.Always).map(({ protocol }) => protocol)).toEqual([
      "UDP",
      "UDP",
    ]);
    expect(portsOf(IpsecMode.External, undefined)).toEqual([]);
    expect(portsOf(IpsecMode.Disabled, undefined)).toEqual([]);
    expect(ipsecWarnings({ release: "4.20" })).toMatch(
      /Full needs UDP 500, UDP 4500, ESP open among all nodes/,
    );
    expect(ipsecWarnings({ release: "4.20", mode: "External" })).toBe("");
  });

  it("a running cluster makes room for it first, and its nodes restart", () => {
    expect(ipsecWarnings({ release: "4.20" })).toMatch(/takes 46 bytes of each packet/);
    expect(ipsecWarnings({ release: "4.20" })).toMatch(/restarts the nodes one after the other/);
    expect(ipsecWarnings({ release: "4.14" })).not.toMatch(/restarts the nodes/);
    expect(ipsecWarnings({ topology: hosted })).not.toMatch(/restarts the nodes/);
    expect(ipsecWarnings({ release: "4.20", fragmentOnly: true })).not.toMatch(/46 bytes|restarts/);
  });

  it("networks without ESP, upgrades to 4.15 and a missing release are named", () => {
    expect(ipsecWarnings({ release: "4.20", platform: "IBMCloud" })).toMatch(
      /the network of IBMCloud carries no ESP/,
    );
    const wrapped = { release: "4.20", platform: "IBMCloud", encapsulation: "Always" };
    expect(ipsecWarnings(wrapped)).not.toMatch(/carries no ESP/);
    expect(ipsecWarnings({ release: "4.14" })).toMatch(/OCPBUGS-43323/);
    expect(ipsecWarnings({ release: "4.15" })).not.toMatch(/OCPBUGS-43323/);
    expect(ipsecWarnings({})).toMatch(
      /^release missing: the setting is written as releases from 4\.15 on take it/,
    );
  });

  it("the document's flows are encrypted or not", () => {
    const encrypted = podTraffic.filter((flow) => flow.encrypted).map(({ id }) => id);
    expect(encrypted).toEqual(["ipsec-pods-of-different-nodes", "ipsec-host-network-to-pod"]);
    const others = podTraffic.filter((flow) => !flow.encrypted).map(({ id }) => id);
    expect(others).toEqual([
      "ipsec-pods-of-one-node",
      "ipsec-between-host-networks",
      "ipsec-pod-to-host-network",
    ]);
  });

  it("the document's cipher and certificate lifetimes are facts, each with its document", () => {
    expect(IPSEC).toMatchObject({
      cipher: "AES-GCM-16-256",
      keyBits: 256,
      integrityCheckValueBytes: 16,
      mode: "transport",
    });
    expect(IPSEC).toMatchObject({
      certificateAuthorityYears: 10,
      nodeCertificateYears: 5,
      nodeCertificateRotationYears: 4.5,
    });
    const text = ipsecFacts.map(({ statement }) => statement).join("\n");
    for (const words of [
      "AES-GCM-16-256",
      "256 bits",
      "16 bytes",
      "transport mode",
      "10 years",
      "5 years",
      "4.5",
    ])
      expect(text).toContain(words);
    expect(ipsecFacts.filter(({ documents }) => documents.length === 0)).toEqual([]);
    expect(new Set(ipsecFacts.map(({ id }) => id)).size).toBe(ipsecFacts.length);
  });
});

describe("M19 M20 the manifest for openshift-install", () => {
  const hybridOverlayConfig = {
    hybridClusterNetwork: range("10.132.0.0/14", 23),
    hybridOverlayVXLANPort: 9898,
  };

  it("is the document's", () => {
    expect(parse(installManifest(networkOperatorSettings({ hybridOverlayConfig })))).toEqual({
      apiVersion: "operator.openshift.io/v1",
      kind: "Network",
      metadata: { name: "cluster" },
      spec: { defaultNetwork: { ovnKubernetesConfig: { hybridOverlayConfig } } },
    });
  });

  it("holds the settings of several components", () => {
    const parts = [
      networkOperatorSettings({ hybridOverlayConfig }),
      networkOperatorSettings({ ipsecConfig: {} }),
    ];
    expect(parse(installManifest(joinedSettings(...parts)))).toMatchObject({
      spec: { defaultNetwork: { ovnKubernetesConfig: { hybridOverlayConfig, ipsecConfig: {} } } },
    });
  });
});
