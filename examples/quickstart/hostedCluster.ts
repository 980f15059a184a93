import * as kubernetes from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";

import { topology } from "./topology";

/** What the components contribute to the spec of the HostedCluster. */
export interface SpecFragments {
  operatorConfiguration?: pulumi.Input<object>;
  configuration?: pulumi.Input<object>;
}

/** The IAM roles that HyperShift's controllers assume; `hypershift create iam aws` creates them. */
const roles = Object.fromEntries(
  [
    "controlPlaneOperator",
    "imageRegistry",
    "ingress",
    "kubeCloudController",
    "network",
    "nodePoolManagement",
    "storage",
  ].map((role) => [`${role}ARN`, `arn:aws:iam::123456789012:role/tenant-a-${role}`]),
);

/** The HostedCluster object. Protected and retained: `pulumi destroy` does not delete it. */
export function hostedCluster(namespace: kubernetes.core.v1.Namespace, fragments: SpecFragments) {
  return new kubernetes.apiextensions.CustomResource(
    topology.name,
    {
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "HostedCluster",
      metadata: { name: topology.name, namespace: namespace.metadata.name },
      spec: {
        release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
        pullSecret: { name: "pull-secret" },
        etcd: {
          managementType: "Managed",
          managed: { storage: { type: "PersistentVolume", persistentVolume: { size: "8Gi" } } },
        },
        platform: {
          type: topology.platform,
          aws: {
            region: "us-east-1",
            endpointAccess: topology.endpointAccess,
            rolesRef: roles,
          },
        },
        networking: {
          networkType: "OVNKubernetes",
          machineNetwork: topology.machineNetwork,
          clusterNetwork: topology.clusterNetwork,
          serviceNetwork: topology.serviceNetwork,
        },
        services: [
          { service: "APIServer", servicePublishingStrategy: { type: topology.services?.apiServer?.type } },
          {
            service: "OAuthServer",
            servicePublishingStrategy: { type: topology.services?.oauthServer?.type },
          },
          {
            service: "Konnectivity",
            servicePublishingStrategy: { type: topology.services?.konnectivity?.type },
          },
          { service: "Ignition", servicePublishingStrategy: { type: topology.services?.ignition?.type } },
        ],
        ...fragments,
      },
    },
    { protect: true, retainOnDelete: true },
  );
}
