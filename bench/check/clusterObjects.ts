import { strictEqual } from "node:assert/strict";
import { parseAllDocuments, stringify } from "yaml";
import { reportOf } from "../../src/cli/check";
import { JudgedResources } from "../../src/gate/judgedResources";
import { verdictOf } from "../../src/gate/verdict";
import { NO_CONFIGURATION } from "../../src/gate/configuration";
import { Inputs } from "../../src/plan/inputs";
import { readManifests } from "../../src/plan/manifests";
import { rules } from "../../src/rules";
import type { Figure } from "../figure";
import { timeInTurns, worked } from "../timing";

const CLUSTERS = 1_000;
/** Clients of the API server that a cluster lists; with its networks, 20 ranges. */
const CLIENTS = 15;

/** A HostedCluster with 20 ranges, as people keep it in a file; no two have a machine network in common. */
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

/** `check` of many HostedClusters in one file, without the start of a process, beside only parsing that file. */
export function clusterObjectFigures(turns: number): Figure[] {
  const text = Array.from({ length: CLUSTERS }, (_, position) => stringify(clusterObject(position))).join(
    "---\n",
  );
  const file = "clusters.yaml";
  const check = () => {
    const inputs = new Inputs();
    const { resources, faults } = readManifests(text, file, inputs.lines);
    strictEqual(faults.length, 0);
    inputs.resources.push(...resources);
    const judged = new JudgedResources(resources, NO_CONFIGURATION);
    return reportOf(verdictOf(judged, rules), judged, inputs, {
      configuration: NO_CONFIGURATION,
      faults: [],
      notes: [],
      lineOf: () => undefined,
    });
  };
  const { summary, findings } = check();
  strictEqual(summary.hostedClusters, CLUSTERS);
  strictEqual(findings.length, 0);
  const parse = () => parseAllDocuments(text).map((document) => document.toJS() as unknown);
  const [ours, theirs] = timeInTurns(check, parse, turns, 1, worked);
  return [
    {
      name: `check of ${CLUSTERS} HostedClusters with 20 ranges each`,
      ours,
      other: "parsing their YAML",
      theirs,
      unit: "ms of processor time",
      limit: { atMost: 1.25 },
    },
  ];
}
