import type { ListedRule } from "../gate/rule";
import { proxyInvalid, proxyTrustedCa } from "./rules/proxyInvalid";
import { proxyApiBypass, proxyDnsBlocked, proxyNoComputeNodes, proxyNoProxyMissing } from "./rules/proxies";

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const proxyRules: readonly ListedRule[] = [
  {
    rule: proxyInvalid,
    violated: `
configuration:
  proxy: { httpProxy: proxy.example.com:3128 }
`,
    mended: `
configuration:
  proxy: { httpProxy: 'http://proxy.example.com:3128' }
`,
  },
  {
    rule: proxyNoProxyMissing,
    violated: `
configuration:
  proxy: { httpProxy: 'http://proxy.example.com:3128' }
networking:
  machineNetwork: null
`,
    mended: `
configuration:
  proxy: { httpProxy: 'http://proxy.example.com:3128' }
`,
  },
  {
    rule: proxyTrustedCa,
    violated: `
configuration:
  proxy: { httpsProxy: 'http://proxy.example.com:3128', trustedCA: { name: proxy-ca } }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: proxy-ca, namespace: openshift-config }
data: { ca-bundle.crt: '' }
`,
    mended: `
configuration:
  proxy: { httpsProxy: 'http://proxy.example.com:3128' }
`,
  },
  {
    rule: proxyDnsBlocked,
    violated: `
configuration:
  proxy: { httpProxy: 'http://proxy.example.com:3128' }
---
type: aws:ec2:SecurityGroup
name: hosts
properties:
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: control-plane }
  egress:
    - { protocol: tcp, fromPort: 53, toPort: 53, cidrBlocks: [0.0.0.0/0] }
`,
    mended: `
configuration:
  proxy: { httpProxy: 'http://proxy.example.com:3128' }
---
type: aws:ec2:SecurityGroup
name: hosts
properties:
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: control-plane }
  egress:
    - { protocol: tcp, fromPort: 443, toPort: 443, cidrBlocks: [0.0.0.0/0] }
    - { protocol: tcp, fromPort: 6443, toPort: 6443, cidrBlocks: [0.0.0.0/0] }
    - { protocol: tcp, fromPort: 53, toPort: 53, cidrBlocks: [0.0.0.0/0] }
    - { protocol: udp, fromPort: 53, toPort: 53, cidrBlocks: [0.0.0.0/0] }
`,
  },
  {
    rule: proxyApiBypass,
    violated: `
platform: { type: AWS, aws: { region: us-east-1, endpointAccess: Public } }
configuration:
  proxy: { httpsProxy: 'http://proxy.example.com:3128', noProxy: '172.31.0.0/16' }
`,
    mended: `
platform: { type: AWS, aws: { region: us-east-1, endpointAccess: Public } }
configuration:
  proxy: { httpsProxy: 'http://proxy.example.com:3128', noProxy: '.example.com' }
`,
  },
  {
    rule: proxyNoComputeNodes,
    violated: `
configuration:
  proxy: { httpProxy: 'http://proxy.example.com:3128' }
---
apiVersion: hypershift.openshift.io/v1beta1
kind: NodePool
metadata: { name: workers, namespace: clusters }
spec: { clusterName: tenant-a, replicas: 0 }
`,
    mended: `
configuration:
  proxy: { httpProxy: 'http://proxy.example.com:3128' }
---
apiVersion: hypershift.openshift.io/v1beta1
kind: NodePool
metadata: { name: workers, namespace: clusters }
spec: { clusterName: tenant-a, replicas: 2 }
`,
  },
];
