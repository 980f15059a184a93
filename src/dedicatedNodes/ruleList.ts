import type { ListedRule } from "../gate/rule";
import { dedicatedNodes } from "./rules";

/** The rules, in the order in which findings are listed, each with a violation and its mend. */
export const dedicatedNodesRules: readonly ListedRule[] = [
  {
    rule: dedicatedNodes,
    violated: `
nodeSelector: { hypershift.openshift.io/cluster: clusters-tenant-a }
---
apiVersion: v1
kind: Node
metadata: { name: node-1, labels: { hypershift.openshift.io/cluster: clusters-tenant-a } }
spec:
  taints: [{ key: hypershift.openshift.io/hosted-cluster, value: clusters-tenant-a, effect: NoSchedule }]
`,
    mended: `
nodeSelector: { hypershift.openshift.io/cluster: clusters-tenant-a }
---
apiVersion: v1
kind: Node
metadata: { name: node-1, labels: { hypershift.openshift.io/cluster: clusters-tenant-a } }
spec:
  taints: [{ key: hypershift.openshift.io/cluster, value: clusters-tenant-a, effect: NoSchedule }]
`,
  },
];
