import { readFileSync } from "node:fs";
import { join } from "node:path";

/** An external input, and a command that reads it. */
export interface Target {
  name: string;
  /** Other files in the folder of the command. */
  beside: Readonly<Record<string, string>>;
  /** The name of the file that is mutated. */
  file: string;
  /** The command's arguments, given its folder. */
  args: (folder: string) => string[];
}

const HOSTED_CLUSTER = `apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: { name: tenant-a, namespace: clusters }
spec:
  platform: { type: KubeVirt }
  networking:
    machineNetwork: [{ cidr: 10.0.0.0/24 }]
    clusterNetwork: [{ cidr: 10.132.0.0/14 }]
    serviceNetwork: [{ cidr: 172.31.0.0/16 }]
`;
const VALID: Readonly<Record<string, string>> = { "valid.yaml": HOSTED_CLUSTER };
const FLEET = `apiVersion: hypershift-network/v1
kind: Fleet
spec:
  pools:
    machineNetwork: [10.0.0.0/16]
    clusterNetwork: [10.128.0.0/12]
    serviceNetwork: [172.24.0.0/14]
  defaults: { platform: AWS, release: "4.20", nodes: 100, zones: 2 }
  clusters: [{ name: tenant-a }, { name: tenant-b }]
`;

const reading = (name: string, file: string, args: Target["args"], beside = VALID): Target => ({
  name,
  beside,
  file,
  args,
});

/** Every file input of the commands. The readers of manifests also read the responses of servers. */
export const targets: readonly Target[] = [
  reading("check", "input.json", (at) => [
    "check",
    join(at, "input.json"),
    "--no-config",
    "--format",
    "json",
  ]),
  reading("check-yaml", "input.yaml", (at) => ["check", join(at, "input.yaml"), "--no-config"]),
  reading("configuration", "hypershift-network.yaml", (at) => [
    "check",
    join(at, "valid.yaml"),
    "--config",
    join(at, "hypershift-network.yaml"),
  ]),
  reading("state", "state.json", (at) => [
    "check",
    join(at, "valid.yaml"),
    "--no-config",
    "--state",
    join(at, "state.json"),
    "--format",
    "sarif",
  ]),
  reading("prove", "input.json", (at) => ["prove", join(at, "input.json"), "--no-config"]),
  reading("report", "input.yaml", (at) => ["report", join(at, "input.yaml"), "--no-config", "--out", "-"]),
  reading("diff", "input.json", (at) => [
    "diff",
    join(at, "input.json"),
    join(at, "valid.yaml"),
    "--no-config",
  ]),
  reading("change", "input.yaml", (at) => [
    "plan",
    join(at, "valid.yaml"),
    "--change",
    join(at, "input.yaml"),
  ]),
  reading("fleet", "fleet.yaml", (at) => ["plan", "--no-config", "--fleet", join(at, "fleet.yaml")]),
  reading(
    "ledger",
    "ledger/clusters/tenant-a.yaml",
    (at) => ["plan", "--no-config", "--fleet", join(at, "fleet.yaml"), "--format", "markdown"],
    { "fleet.yaml": FLEET },
  ),
  reading("certificate", "certificate.json", (at) => [
    "check",
    join(at, "valid.yaml"),
    "--no-config",
    "--certificate",
    join(at, "certificate.json"),
  ]),
  // Text that users type: it cannot contain a NUL byte, and a leading hyphen would make it an option.
  reading("words", "words.txt", (at) => [
    "explain",
    "--no-config",
    "--",
    readFileSync(join(at, "words.txt"), "utf8").replaceAll("\0", ""),
    join(at, "valid.yaml"),
  ]),
];
