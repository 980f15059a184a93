import type { ListedRule } from "../gate/rule";
import { egressIpInvalid, egressIpNodes, egressIpPlatform } from "./rules";

const egressIp = (addresses: string) => `
apiVersion: k8s.ovn.org/v1
kind: EgressIP
metadata: { name: shop }
spec:
  egressIPs: [${addresses}]
  namespaceSelector: { matchLabels: { team: shop } }
`;

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const egressIpRules: readonly ListedRule[] = [
  { rule: egressIpInvalid, violated: egressIp("10.9.0.7"), mended: { "10.9.0.7": "10.0.0.7" } },
  {
    rule: egressIpPlatform,
    violated: `
release: { image: 'quay.io/openshift-release-dev/ocp-release:4.9.1-x86_64' }
---${egressIp("10.0.0.7")}`,
    mended: { "4.9.1": "4.10.1" },
  },
  {
    rule: egressIpNodes,
    violated: `${egressIp("10.0.0.7, 10.0.0.8")}---
apiVersion: hypershift.openshift.io/v1beta1
kind: NodePool
metadata: { name: workers, namespace: clusters }
spec: { clusterName: tenant-a, replicas: 1, nodeLabels: { k8s.ovn.org/egress-assignable: '' } }
`,
    mended: { "replicas: 1": "replicas: 2" },
  },
];
