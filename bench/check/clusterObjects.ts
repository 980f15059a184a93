import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import type { Figure } from "../figure";
import { measureInTurns, sides } from "./measure";

const CLUSTERS = 1_000;
/** Number of API server clients that a cluster lists; with its networks, 20 ranges. */
const CLIENTS = 15;

/** A HostedCluster with 20 ranges, as users keep it in a file; no two have the same machine network. */
function clusterObject(position: number): object {
  const name = `tenant-${String(position).padStart(4, "0")}`;
  return {
    apiVersion: "hypershift.openshift.io/v1beta1",
    kind: "HostedCluster",
    metadata: { name, namespace: "clusters" },
    spec: {
      autoscaling: {},
      controllerAvailabilityPolicy: "HighlyAvailable",
      dns: { baseDomain: `${name}.example.com` },
      etcd: {
        managed: { storage: { persistentVolume: { size: "8Gi" }, type: "PersistentVolume" } },
        managementType: "Managed",
      },
      infraID: name,
      issuerURL: `https://oidc.example.com/${name}`,
      networking: {
        apiServer: {
          allowedCIDRBlocks: Array.from({ length: CLIENTS }, (_, client) => `192.168.${client}.0/24`),
        },
        clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }],
        machineNetwork: [{ cidr: `10.${16 + (position >> 6)}.${(position & 63) * 4}.0/22` }],
        networkType: "OVNKubernetes",
        serviceNetwork: [{ cidr: "172.31.0.0/16" }],
      },
      operatorConfiguration: {
        clusterNetworkOperator: {
          ovnKubernetesConfig: {
            ipv4: { internalJoinSubnet: "100.96.0.0/16", internalTransitSwitchSubnet: "100.97.0.0/16" },
          },
        },
      },
      platform: {
        aws: {
          cloudProviderConfig: {
            subnet: { id: `subnet-${position}` },
            vpc: `vpc-${position}`,
            zone: "us-east-1a",
          },
          endpointAccess: "PublicAndPrivate",
          region: "us-east-1",
        },
        type: "AWS",
      },
      pullSecret: { name: "pull-secret" },
      release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
      services: ["APIServer", "OAuthServer", "Konnectivity", "Ignition"].map((service) => ({
        service,
        servicePublishingStrategy:
          service === "APIServer"
            ? { type: "LoadBalancer" }
            : { route: { hostname: `${service.toLowerCase()}.${name}.example.com` }, type: "Route" },
      })),
      sshKey: { name: "ssh-key" },
    },
  };
}

const PARSE =
  'require("yaml").parseAllDocuments(require("node:fs").readFileSync(process.argv[1], "utf8")).map((one) => one.toJS())';

/** `check` of many HostedClusters in one file as users run it, compared with node only parsing that file. */
export function clusterObjectFigures(root: string, turns: number): Figure[] {
  const main = join(root, "dist", "src", "cli", "main.js");
  const folder = mkdtempSync(join(tmpdir(), "hypershift-network-bench-"));
  try {
    const file = join(folder, "clusters.yaml");
    const objects = Array.from({ length: CLUSTERS }, (_, position) => stringify(clusterObject(position)));
    writeFileSync(file, objects.join("---\n"));
    const { worked } = measureInTurns(
      { arguments: [main, "check", file], statuses: [0] },
      { arguments: ["-e", PARSE, file], statuses: [0] },
      turns,
    );
    return [
      {
        name: `check of ${CLUSTERS} HostedClusters with 20 ranges each`,
        ...sides(worked),
        other: "node that parses their YAML",
        unit: "ms of processor time",
        limit: { atMost: 1.25 },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
