/**
 * A hosted cluster on KubeVirt whose virtual machines are attached to a secondary network and not to the pod network. The
 * management cluster has a proxy, which must not be between the API server and those machines: the program adds their network
 * to the exceptions, and keeps the entries of others.
 *
 *   pulumi up
 *   pulumi config set secondaryNetwork 192.168.20.0/24 && pulumi up      replaces the exception in place
 *
 * Both roll out on the nodes of the management cluster. With `manage: false`, the program only shows what is missing.
 */
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

import { ManagementClusterProxy, Platform } from "hypershift-network";

const config = new pulumi.Config();

const topology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: Platform.KubeVirt,
  release: "4.20",
  // HyperShift exempts machine networks from the hosted cluster's own proxy.
  machineNetwork: [{ cidr: config.get("secondaryNetwork") ?? "192.168.10.0/24" }],
};

// Every OpenShift cluster has this object. It is here so that the example runs on an empty Kubernetes API. Its owner ignores
// changes of noProxy, which several programs share.
const clusterProxy = new kubernetes.apiextensions.CustomResource(
  "cluster-proxy",
  {
    apiVersion: "config.openshift.io/v1",
    kind: "Proxy",
    metadata: { name: "cluster" },
    spec: {
      httpProxy: "http://proxy.example.com:3128",
      httpsProxy: "http://proxy.example.com:3128",
      noProxy: ".corp.example.com,10.0.0.0/8",
    },
  },
  { ignoreChanges: ["spec.noProxy"] },
);

const managementProxy = new ManagementClusterProxy(
  "tenant-a",
  { topology, manage: true },
  { dependsOn: clusterProxy },
);

export const required = managementProxy.requiredEntries;
export const noProxy = managementProxy.noProxy;
export const inheriting = managementProxy.controlPlaneDeployments.apply((all) => all.map(({ name }) => name));
