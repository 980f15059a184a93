import type { ListedRule } from "../gate/rule";
import { egressIpInvalid, egressIpNodes, egressIpPlatform } from "./rules";

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const egressIpRules: readonly ListedRule[] = [
  {
    rule: egressIpInvalid,
    violated: `
apiVersion: k8s.ovn.org/v1
kind: EgressIP
metadata: { name: shop }
spec:
  egressIPs: [10.9.0.7]
  namespaceSelector: { matchLabels: { team: shop } }
`,
    mended: `
apiVersion: k8s.ovn.org/v1
kind: EgressIP
metadata: { name: shop }
spec:
  egressIPs: [10.0.0.7]
  namespaceSelector: { matchLabels: { team: shop } }
`,
  },
  {
    rule: egressIpPlatform,
    violated: `
release: { image: 'quay.io/openshift-release-dev/ocp-release:4.9.1-x86_64' }
---
apiVersion: k8s.ovn.org/v1
kind: EgressIP
metadata: { name: shop }
spec:
  egressIPs: [10.0.0.7]
  namespaceSelector: { matchLabels: { team: shop } }
`,
    mended: `
release: { image: 'quay.io/openshift-release-dev/ocp-release:4.10.1-x86_64' }
---
apiVersion: k8s.ovn.org/v1
kind: EgressIP
metadata: { name: shop }
spec:
  egressIPs: [10.0.0.7]
  namespaceSelector: { matchLabels: { team: shop } }
`,
  },
  {
    rule: egressIpNodes,
    violated: `
apiVersion: k8s.ovn.org/v1
kind: EgressIP
metadata: { name: shop }
spec:
  egressIPs: [10.0.0.7, 10.0.0.8]
  namespaceSelector: { matchLabels: { team: shop } }
---
apiVersion: hypershift.openshift.io/v1beta1
kind: NodePool
metadata: { name: workers, namespace: clusters }
spec: { clusterName: tenant-a, replicas: 1, nodeLabels: { k8s.ovn.org/egress-assignable: '' } }
`,
    mended: `
apiVersion: k8s.ovn.org/v1
kind: EgressIP
metadata: { name: shop }
spec:
  egressIPs: [10.0.0.7, 10.0.0.8]
  namespaceSelector: { matchLabels: { team: shop } }
---
apiVersion: hypershift.openshift.io/v1beta1
kind: NodePool
metadata: { name: workers, namespace: clusters }
spec: { clusterName: tenant-a, replicas: 2, nodeLabels: { k8s.ovn.org/egress-assignable: '' } }
`,
  },
];
