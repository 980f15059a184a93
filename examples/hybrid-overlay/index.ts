/**
 * Windows nodes next to Linux nodes: the additional overlay network of OVN-Kubernetes, patched into a running cluster, and as
 * a manifest for a cluster on vSphere that openshift-install will create.
 *
 *   pulumi up
 *   pulumi config set newClusterRange 10.136.0.0/14 && pulumi up      changes the manifest in place
 *
 * Once it exists, the overlay network of the running cluster cannot be changed: the preview of such a change fails.
 *
 * Expected finding `unknown-values`: the stack does not describe the running cluster, so its other networks are unknown
 */
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

import { HybridOverlayNetwork, InfrastructurePlatform, WindowsServerVersion } from "hypershift-network";

const config = new pulumi.Config();

// Every OpenShift cluster has this object. It is here so that the example runs on an empty Kubernetes API.
const operator = new kubernetes.apiextensions.CustomResource("network-operator", {
  apiVersion: "operator.openshift.io/v1",
  kind: "Network",
  metadata: { name: "cluster" },
  spec: {
    clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 23 }],
    serviceNetwork: ["172.30.0.0/16"],
    defaultNetwork: { type: "OVNKubernetes" },
  },
});

const running = new HybridOverlayNetwork(
  "running",
  {
    release: "4.20",
    platform: InfrastructurePlatform.AWS,
    hybridClusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 24 }],
    clusterNetwork: ["10.128.0.0/14"],
    machineNetwork: ["10.0.0.0/16"],
    otherNetworks: [{ name: "corporate", cidr: "10.200.0.0/16" }],
  },
  { dependsOn: operator },
);

// On vSphere, Windows nodes need another VXLAN port, which Windows Server 2019 does not support.
const planned = new HybridOverlayNetwork("planned", {
  fragmentOnly: true,
  release: "4.20",
  platform: InfrastructurePlatform.VSphere,
  hybridClusterNetwork: [{ cidr: config.get("newClusterRange") ?? "10.132.0.0/14", hostPrefix: 24 }],
  hybridOverlayVXLANPort: 9898,
  windowsServers: [WindowsServerVersion.Server2022],
});

export const runningSetting = running.fragment;
// The content of cluster-network-03-config.yml among the manifests of openshift-install.
export const installManifest = planned.installManifest;
