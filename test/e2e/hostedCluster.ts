/** A HostedCluster that the API server accepts, without internal subnets or a proxy; `spec` is added. */
export const hostedClusterObject = (spec: object = {}, name = "tenant-a") => ({
  apiVersion: "hypershift.openshift.io/v1beta1",
  kind: "HostedCluster",
  metadata: { name, namespace: "clusters" },
  spec: {
    release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
    pullSecret: { name: "pull-secret" },
    sshKey: {},
    etcd: {
      managementType: "Managed",
      managed: { storage: { type: "PersistentVolume", persistentVolume: { size: "8Gi" } } },
    },
    platform: { type: "None" },
    networking: {
      networkType: "OVNKubernetes",
      machineNetwork: [{ cidr: "10.0.0.0/16" }],
      clusterNetwork: [{ cidr: "10.132.0.0/14" }],
      serviceNetwork: [{ cidr: "172.31.0.0/16" }],
    },
    services: ["APIServer", "OAuthServer", "Konnectivity", "Ignition"].map((service) => ({
      service,
      servicePublishingStrategy: { type: "NodePort", nodePort: { address: "192.0.2.10" } },
    })),
    ...spec,
  },
});
