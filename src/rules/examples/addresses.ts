import type { RuleExample } from "./example";

/** Examples of the rules of one group, by id. */
export const addressesExamples: Readonly<Record<string, RuleExample>> = {
  "hosted-cluster-name": {
    violated: `
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: { name: tenant.a, namespace: clusters }
spec: { platform: { type: AWS } }
`,
    mended: `
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: { name: tenant-b, namespace: clusters }
spec: { platform: { type: AWS } }
`,
  },
  "cidr-invalid": {
    violated: `
networking:
  machineNetwork: [{ cidr: 10.0.0.0 }]
`,
    mended: `
networking:
  machineNetwork: [{ cidr: 10.0.0.0/16 }]
`,
  },
  "cidr-overlap": {
    violated: `
networking:
  serviceNetwork: [{ cidr: 10.0.16.0/20 }]
`,
    mended: `
networking:
  serviceNetwork: [{ cidr: 172.31.0.0/16 }]
`,
  },
  "cidr-reserved-overlap": {
    violated: `
networking:
  clusterNetwork: [{ cidr: 100.64.0.0/14 }]
`,
    mended: `
networking:
  clusterNetwork: [{ cidr: 10.132.0.0/14 }]
`,
  },
  "network-capacity": {
    violated: `
networking:
  clusterNetwork: [{ cidr: 10.132.0.0/14, hostPrefix: 25 }]
`,
    mended: `
networking:
  clusterNetwork: [{ cidr: 10.132.0.0/14, hostPrefix: 23 }]
`,
  },
  "ovn-subnet-invalid": {
    violated: `
operatorConfiguration:
  clusterNetworkOperator:
    ovnKubernetesConfig:
      ipv4: { internalJoinSubnet: 0.99.0.0/16 }
`,
    mended: `
operatorConfiguration:
  clusterNetworkOperator:
    ovnKubernetesConfig:
      ipv4: { internalJoinSubnet: 100.99.0.0/16 }
`,
  },
  "ovn-subnet-capacity": {
    violated: `
operatorConfiguration:
  clusterNetworkOperator:
    ovnKubernetesConfig:
      ipv4: { internalJoinSubnet: 100.99.0.0/24 }
`,
    mended: `
operatorConfiguration:
  clusterNetworkOperator:
    ovnKubernetesConfig:
      ipv4: { internalJoinSubnet: 100.99.0.0/16 }
`,
  },
  "ovn-subnet-release": {
    violated: `
release: { image: 'quay.io/openshift-release-dev/ocp-release:4.19.1-x86_64' }
operatorConfiguration:
  clusterNetworkOperator:
    ovnKubernetesConfig:
      ipv4: { internalJoinSubnet: 100.99.0.0/16 }
`,
    mended: `
release: { image: 'quay.io/openshift-release-dev/ocp-release:4.20.1-x86_64' }
operatorConfiguration:
  clusterNetworkOperator:
    ovnKubernetesConfig:
      ipv4: { internalJoinSubnet: 100.99.0.0/16 }
`,
  },
};
