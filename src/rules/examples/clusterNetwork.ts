import type { RuleExample } from "./example";

/** Examples of the rules of one group, by id. */
export const clusterNetworkExamples: Readonly<Record<string, RuleExample>> = {
  "hybrid-overlay-overlap": {
    violated: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  defaultNetwork:
    ovnKubernetesConfig:
      hybridOverlayConfig: { hybridClusterNetwork: [{ cidr: 10.132.0.0/16, hostPrefix: 24 }] }
`,
    mended: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  defaultNetwork:
    ovnKubernetesConfig:
      hybridOverlayConfig: { hybridClusterNetwork: [{ cidr: 10.192.0.0/14, hostPrefix: 24 }] }
`,
  },
  "hybrid-overlay-port": {
    violated: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  defaultNetwork:
    ovnKubernetesConfig:
      hybridOverlayConfig: { hybridOverlayVXLANPort: 4789 }
`,
    mended: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  defaultNetwork:
    ovnKubernetesConfig:
      hybridOverlayConfig: { hybridOverlayVXLANPort: 9898 }
`,
  },
  "hybrid-overlay-platform": {
    violated: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  defaultNetwork:
    ovnKubernetesConfig:
      hybridOverlayConfig: { hybridOverlayVXLANPort: 9898 }
`,
    mended: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  defaultNetwork:
    ovnKubernetesConfig:
      hybridOverlayConfig: {}
`,
  },
  "ipsec-day-two": {
    violated: `
release: { image: 'quay.io/openshift-release-dev/ocp-release:4.10.1-x86_64' }
---
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  defaultNetwork:
    ovnKubernetesConfig:
      ipsecConfig: {}
`,
    mended: `
release: { image: 'quay.io/openshift-release-dev/ocp-release:4.11.1-x86_64' }
---
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  defaultNetwork:
    ovnKubernetesConfig:
      ipsecConfig: {}
`,
  },
  "service-traffic-policy": {
    violated: `
release: { image: 'quay.io/openshift-release-dev/ocp-release:4.7.1-x86_64' }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec: { type: LoadBalancer, externalTrafficPolicy: Local }
`,
    mended: `
release: { image: 'quay.io/openshift-release-dev/ocp-release:4.20.1-x86_64' }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec: { type: LoadBalancer, externalTrafficPolicy: Local }
`,
  },
  "migration-mtu": {
    violated: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  migration: { mtu: { network: { from: 1400, to: 8950 }, machine: { to: 9000 } } }
`,
    mended: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  migration: { mtu: { network: { from: 1400, to: 8900 }, machine: { to: 9000 } } }
`,
  },
  "migration-ports": {
    violated: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  migration: { networkType: OVNKubernetes }
  defaultNetwork: { ovnKubernetesConfig: { genevePort: 4789 } }
`,
    mended: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  migration: { networkType: OVNKubernetes }
  defaultNetwork: { ovnKubernetesConfig: { genevePort: 6081 } }
`,
  },
  "migration-order": {
    violated: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  migration: { networkType: OVNKubernetes }
---
apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfigPool
metadata: { name: worker }
spec: { paused: false }
`,
    mended: `
apiVersion: operator.openshift.io/v1
kind: Network
metadata: { name: cluster }
spec:
  migration: { networkType: OVNKubernetes }
---
apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfigPool
metadata: { name: worker }
spec: { paused: true }
`,
  },
  "immutable-field": {
    violated: `
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedClusterPatch
metadata: { name: tenant-a, namespace: clusters }
spec: { networking: { clusterNetwork: [{ cidr: 10.136.0.0/14 }] } }
`,
    mended: `
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedClusterPatch
metadata: { name: tenant-a, namespace: clusters }
spec: { networking: { clusterNetwork: [{ cidr: 10.132.0.0/14 }] } }
`,
  },
  "object-invalid": {
    violated: `
apiVersion: v1
kind: Pod
metadata: { name: router, namespace: shop, labels: { app: router, public: true } }
`,
    mended: `
apiVersion: v1
kind: Pod
metadata: { name: router, namespace: shop, labels: { app: router, public: "true" } }
`,
  },
};
