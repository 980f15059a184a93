import type { ListedRule } from "../gate/rule";
import { cidrInvalid } from "./rules/cidrInvalid";
import { cidrOverlap, cidrReservedOverlap, cidrUnconnectedOverlap } from "./rules/cidrOverlap";
import { cidrPublic, machineNetwork } from "./rules/machineNetwork";
import { networkCapacity } from "./rules/networkCapacity";
import { primaryNetworkNamespace } from "./userNetworks";

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const addressRangesRules: readonly ListedRule[] = [
  {
    rule: cidrInvalid,
    violated: `
networking:
  machineNetwork: [{ cidr: 10.0.0.0 }]
`,
    mended: { "10.0.0.0": "10.0.0.0/16" },
  },
  {
    rule: cidrOverlap,
    violated: `
networking:
  serviceNetwork: [{ cidr: 10.0.16.0/20 }]
`,
    mended: { "10.0.16.0/20": "172.31.0.0/16" },
  },
  {
    rule: cidrReservedOverlap,
    violated: `
networking:
  clusterNetwork: [{ cidr: 100.64.0.0/14 }]
`,
    mended: { "100.64.0.0/14": "10.132.0.0/14" },
  },
  {
    rule: cidrUnconnectedOverlap,
    violated: `
type: aws:ec2:Vpc
name: analytics
properties: { cidrBlock: 10.132.0.0/16 }
`,
    mended: { "10.132.0.0/16": "10.64.0.0/16" },
  },
  {
    rule: cidrPublic,
    violated: `
networking:
  clusterNetwork: [{ cidr: 44.0.0.0/14 }]
`,
    mended: { "44.0.0.0/14": "10.132.0.0/14" },
  },
  {
    rule: machineNetwork,
    violated: `
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: { name: tenant-b, namespace: clusters }
spec: { platform: { type: AWS, aws: { region: us-east-1 } } }
`,
    mended: { "us-east-1 } } }": "us-east-1 } }, networking: { machineNetwork: [{ cidr: 10.0.0.0/16 }] } }" },
  },
  {
    rule: networkCapacity,
    violated: `
networking:
  clusterNetwork: [{ cidr: 10.132.0.0/14, hostPrefix: 25 }]
`,
    mended: { "hostPrefix: 25": "hostPrefix: 23" },
  },
  {
    rule: primaryNetworkNamespace,
    violated: `
apiVersion: v1
kind: Namespace
metadata: { name: green, labels: { team: green } }
---
apiVersion: k8s.ovn.org/v1
kind: UserDefinedNetwork
metadata: { name: green, namespace: green }
spec: { topology: Layer2, layer2: { role: Primary, subnets: [10.200.0.0/16] } }
`,
    mended: { "team: green": 'k8s.ovn.org/primary-user-defined-network: ""' },
  },
];
