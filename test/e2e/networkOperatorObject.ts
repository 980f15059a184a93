/** The configuration of the Network operator as an installation leaves it, with settings of OVN-Kubernetes. */
export const networkOperatorObject = (ovnKubernetesConfig?: object) => ({
  apiVersion: "operator.openshift.io/v1",
  kind: "Network",
  metadata: { name: "cluster" },
  spec: {
    clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }],
    serviceNetwork: ["172.31.0.0/16"],
    defaultNetwork: { type: "OVNKubernetes", ...(ovnKubernetesConfig && { ovnKubernetesConfig }) },
  },
});
