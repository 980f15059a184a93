import { CONTROL_PLANE_EGRESS, CONTROL_PLANE_GROUP, type ListedRule } from "../gate/rule";
import { proxyInvalid, proxyTrustedCa } from "./rules/proxyInvalid";
import { proxyApiBypass, proxyDnsBlocked, proxyNoComputeNodes, proxyNoProxyMissing } from "./rules/proxies";

const PROXY = `
configuration:
  proxy: { httpProxy: 'http://proxy.example.com:3128' }
`;

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const proxyRules: readonly ListedRule[] = [
  {
    rule: proxyInvalid,
    violated: `
configuration:
  proxy: { httpProxy: proxy.example.com:3128 }
`,
    mended: PROXY,
  },
  {
    rule: proxyNoProxyMissing,
    violated: `${PROXY}networking:
  machineNetwork: null
`,
    mended: PROXY,
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
    violated: `${PROXY}---${CONTROL_PLANE_GROUP}
  egress:
    - { protocol: tcp, fromPort: 53, toPort: 53, cidrBlocks: [0.0.0.0/0] }
`,
    mended: `${PROXY}---${CONTROL_PLANE_GROUP}\n${CONTROL_PLANE_EGRESS}`,
  },
  {
    rule: proxyApiBypass,
    violated: `
platform: { type: AWS, aws: { region: us-east-1, endpointAccess: Public } }
configuration:
  proxy: { httpsProxy: 'http://proxy.example.com:3128', noProxy: '172.31.0.0/16' }
`,
    mended: { "172.31.0.0/16": ".example.com" },
  },
  {
    rule: proxyNoComputeNodes,
    violated: `${PROXY}---
apiVersion: hypershift.openshift.io/v1beta1
kind: NodePool
metadata: { name: workers, namespace: clusters }
spec: { clusterName: tenant-a, replicas: 0 }
`,
    mended: { "replicas: 0": "replicas: 2" },
  },
];
