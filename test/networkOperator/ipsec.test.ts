import { judgeIpsec, type IpsecInputs } from "../../src/networkOperator/ipsec";
import {
  IPSEC,
  IpsecEncapsulation,
  ipsecFacts,
  IpsecMode,
  podTraffic,
  portsOf,
} from "../../src/requirements/networkOperator";
import { UNKNOWN } from "../../src/resources/resource";

const hosted = {
  name: "tenant-a",
  platform: "AWS",
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
};
const lines = (findings: readonly { path: string; problem: string; remedy: string; ofChange?: boolean }[]) =>
  findings.map(({ path, problem, remedy, ofChange }) =>
    [`${path} ${problem}: ${remedy}`, ...(ofChange ? ["while it is changed"] : [])].join(" | "),
  );
const ipsecFaults = (inputs: IpsecInputs) => lines(judgeIpsec(inputs).faults);
const ipsecWarnings = (inputs: IpsecInputs) => lines(judgeIpsec(inputs).warnings);

const OPEN_PORTS =
  "mode Full needs UDP 500, UDP 4500, ESP open between all nodes, or pods on different nodes cannot reach each other: open them first; on AWS, HyperShift's default security group of the workers has them";
const MTU =
  "mode Full needs 46 bytes of each packet: without a smaller MTU, large packets are lost on a running cluster: reduce the MTU of the cluster network by 46 first | while it is changed";
const RESTART =
  "mode restarts the nodes one after the other, because IPsec runs on the hosts: plan a maintenance window | while it is changed";
const FOR_GOOD =
  "mode cannot be turned off again with this release: upgrade to 4.11 or newer before you turn it off";
const UPGRADE =
  "mode pods may be unable to reach each other while a cluster with IPsec is upgraded to 4.15 (OCPBUGS-43323): turn it off before that upgrade";
const UNCHECKED =
  'release missing: the setting is written in the form of releases from 4.15 on, and whether a running cluster accepts it cannot be checked: write it as "4.20", in quotes';
const UNSUPPORTED =
  "topology is a hosted cluster, for which Red Hat does not support IPsec: do not expect support; there, the network operator runs mode Full in its own containers";
/** The warnings of mode Full for every running cluster. */
const RUNNING = [`${OPEN_PORTS} | while it is changed`, MTU];

describe("M20 when IPsec can be configured", () => {
  it.each(["4.7", "4.8", "4.9", "4.10"])("release %s accepts it only at installation", (release) => {
    expect(ipsecFaults({ release })).toEqual([
      `mode release ${release} accepts IPsec only at installation, and the network operator refuses it on a running cluster: set fragmentOnly: true and give installManifest to openshift-install, or upgrade to 4.11 or newer`,
    ]);
    expect(ipsecFaults({ release, fragmentOnly: true })).toEqual([]);
    expect(ipsecWarnings({ release, fragmentOnly: true })).toEqual([OPEN_PORTS, FOR_GOOD]);
  });

  it("a running cluster accepts it from release 4.11 on", () => {
    expect(ipsecFaults({ release: "4.11" })).toEqual([]);
    expect(ipsecWarnings({ release: "4.11" })).not.toContain(FOR_GOOD);
  });

  it("releases before 4.7 have no IPsec", () => {
    expect(ipsecFaults({ release: "4.6" })).toEqual(["release 4.6 has no IPsec: upgrade to 4.7 or newer"]);
    expect(ipsecFaults({ release: "4.6", fragmentOnly: true })).toHaveLength(1);
    expect(ipsecFaults({ topology: { ...hosted, release: "4.6" } })).toEqual([
      "topology.release 4.6 has no IPsec: upgrade to 4.7 or newer",
    ]);
  });

  it("modes exist from 4.15 on, and before that the setting alone turns IPsec on", () => {
    expect(judgeIpsec({ release: "4.14" }).hasModes).toBe(false);
    expect(judgeIpsec({ release: "4.15" }).hasModes).toBe(true);
    expect(judgeIpsec({}).hasModes).toBe(true);
    expect(ipsecFaults({ release: "4.14", mode: "Full" })).toEqual([]);
    const without = "mode release 4.14 has no modes, and IPsec is on if the setting exists";
    expect(ipsecFaults({ release: "4.14", mode: "Disabled" })).toEqual([
      `${without}: leave the whole component out: IPsec is off by default`,
    ]);
    expect(ipsecFaults({ release: "4.14", mode: "External" })).toEqual([
      `${without}: leave mode out, or upgrade to 4.15 or newer`,
    ]);
    for (const mode of ["Disabled", "External", "Full"])
      expect(ipsecFaults({ release: "4.15", mode })).toEqual([]);
    expect(ipsecFaults({ release: "4.15", mode: "full" }).join()).toMatch(/"full" is not .*: write Full/);
  });

  it("ESP can always be encapsulated from 4.19 on, in mode Full", () => {
    expect(ipsecFaults({ release: "4.19", encapsulation: "Always" })).toEqual([]);
    expect(ipsecFaults({ release: "4.18", encapsulation: "Always" })).toEqual([
      "encapsulation release 4.18 does not have it: leave it out, or upgrade to 4.19 or newer",
    ]);
    for (const mode of ["External", "Disabled"])
      expect(ipsecFaults({ release: "4.20", mode, encapsulation: "Auto" })).toEqual([
        `encapsulation is refused with mode ${mode}: leave it out, or write mode Full`,
      ]);
    expect(ipsecFaults({ release: "4.20", encapsulation: "Sometimes" }).join()).toMatch(
      /"Sometimes" is not Always or Auto/,
    );
  });

  it("a hosted cluster accepts mode Full as unsupported, and refuses External", () => {
    expect(ipsecFaults({ topology: hosted })).toEqual([]);
    expect(ipsecWarnings({ topology: hosted })).toEqual([...RUNNING, UNSUPPORTED]);
    expect(ipsecFaults({ topology: hosted, mode: "External" })).toEqual([
      "mode External has no effect in a hosted cluster, whose nodes the network operator cannot configure: leave mode out for IPsec between the nodes",
    ]);
    expect(ipsecWarnings({ topology: hosted, mode: "Disabled" })).toEqual([]);
    expect(ipsecFaults({ topology: { ...hosted, release: "4.10" } }).join()).toMatch(
      /a hosted cluster has no installation manifests/,
    );
  });

  it("a hybrid network set together with it follows its own rules", () => {
    const hybridOverlay = {
      defaultNetwork: {
        ovnKubernetesConfig: {
          hybridOverlayConfig: { hybridClusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 24 }] },
        },
      },
    };
    expect(ipsecFaults({ release: "4.20", hybridOverlay })).toEqual([]);
    expect(ipsecFaults({ release: "4.12", hybridOverlay }).join()).toMatch(
      /^hybridOverlay release 4\.12 accepts hybrid networking only at installation/,
    );
    expect(ipsecFaults({ release: "4.20", hybridOverlay: { defaultNetwork: {} } })).toEqual([
      "hybridOverlay is not a fragment: give the output fragment of a HybridOverlayNetwork",
    ]);
    expect(ipsecFaults({ release: "4.20", hybridOverlay: UNKNOWN })).toEqual([]);
  });

  it("unknown inputs are not judged", () => {
    expect(ipsecFaults({ release: "4.20", mode: UNKNOWN, encapsulation: UNKNOWN })).toEqual([]);
  });
});

describe("M20 what IPsec needs and does", () => {
  it("nodes need UDP 500, UDP 4500 and ESP between each other, depending on the mode", () => {
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
  });

  it.each<[string, IpsecInputs, string[]]>([
    ["a running cluster", { release: "4.20" }, [...RUNNING, RESTART]],
    ["an installation", { release: "4.20", fragmentOnly: true }, [OPEN_PORTS]],
    ["the first release with modes", { release: "4.15" }, [...RUNNING, RESTART]],
    ["a release before modes", { release: "4.14" }, [...RUNNING, UPGRADE]],
    ["a release that is not stated", {}, [UNCHECKED, ...RUNNING, RESTART]],
    ["a network that carries ESP", { release: "4.20", platform: "AWS" }, [...RUNNING, RESTART]],
    [
      "a network without ESP",
      { release: "4.20", platform: "IBMCloud" },
      [
        ...RUNNING,
        RESTART,
        "encapsulation missing: the network of IBMCloud does not carry ESP: write Always from release 4.19 on",
      ],
    ],
    [
      "a network without ESP, with encapsulation",
      { release: "4.20", platform: "IBMCloud", encapsulation: "Always" },
      [...RUNNING.map((warning) => warning.replace(", ESP", "")), RESTART],
    ],
    ["mode External (none)", { release: "4.20", mode: "External" }, []],
    ["mode Disabled (none)", { release: "4.20", mode: "Disabled" }, []],
  ])("has the expected warnings for %s", (_, inputs, warnings) =>
    expect(ipsecWarnings(inputs)).toEqual(warnings),
  );

  it("flows are encrypted or not as documented", () => {
    const encrypted = podTraffic.filter((flow) => flow.encrypted).map(({ id }) => id);
    expect(encrypted).toEqual(["ipsec-pods-of-different-nodes", "ipsec-host-network-to-pod"]);
    const others = podTraffic.filter((flow) => !flow.encrypted).map(({ id }) => id);
    expect(others).toEqual([
      "ipsec-pods-of-one-node",
      "ipsec-between-host-networks",
      "ipsec-pod-to-host-network",
    ]);
  });

  it("the documented cipher and certificate lifetimes are facts, each with its document", () => {
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
