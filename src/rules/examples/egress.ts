import type { RuleExample } from "./example";

/** Examples of the rules of one group, by id. */
export const egressExamples: Readonly<Record<string, RuleExample>> = {
  "egress-firewall-name": {
    violated: `
apiVersion: k8s.ovn.org/v1
kind: EgressFirewall
metadata: { name: web, namespace: shop }
spec:
  egress:
    - { type: Allow, to: { cidrSelector: 172.20.0.1/32 } }
`,
    mended: `
apiVersion: k8s.ovn.org/v1
kind: EgressFirewall
metadata: { name: default, namespace: shop }
spec:
  egress:
    - { type: Allow, to: { cidrSelector: 172.20.0.1/32 } }
`,
  },
  "egress-firewall-duplicate": {
    violated: `
apiVersion: k8s.ovn.org/v1
kind: EgressFirewall
metadata: { name: default, namespace: shop }
spec:
  egress:
    - { type: Allow, to: { cidrSelector: 172.20.0.1/32 } }
---
apiVersion: k8s.ovn.org/v1
kind: EgressFirewall
metadata: { name: default, namespace: shop }
spec:
  egress:
    - { type: Deny, to: { cidrSelector: 0.0.0.0/0 } }
`,
    mended: `
apiVersion: k8s.ovn.org/v1
kind: EgressFirewall
metadata: { name: default, namespace: shop }
spec:
  egress:
    - { type: Allow, to: { cidrSelector: 172.20.0.1/32 } }
    - { type: Deny, to: { cidrSelector: 0.0.0.0/0 } }
`,
  },
  "egress-firewall-rule-invalid": {
    violated: `
apiVersion: k8s.ovn.org/v1
kind: EgressFirewall
metadata: { name: default, namespace: shop }
spec:
  egress:
    - { type: Allow, to: { cidrSelector: 172.16.1.1 } }
`,
    mended: `
apiVersion: k8s.ovn.org/v1
kind: EgressFirewall
metadata: { name: default, namespace: shop }
spec:
  egress:
    - { type: Allow, to: { cidrSelector: 172.16.1.1/32 } }
`,
  },
  "egress-firewall-shadowed": {
    violated: `
apiVersion: k8s.ovn.org/v1
kind: EgressFirewall
metadata: { name: default, namespace: shop }
spec:
  egress:
    - { type: Deny, to: { cidrSelector: 192.0.2.0/24 } }
    - { type: Allow, to: { cidrSelector: 192.0.2.7/32 } }
`,
    mended: `
apiVersion: k8s.ovn.org/v1
kind: EgressFirewall
metadata: { name: default, namespace: shop }
spec:
  egress:
    - { type: Allow, to: { cidrSelector: 192.0.2.7/32 } }
    - { type: Deny, to: { cidrSelector: 192.0.2.0/24 } }
`,
  },
  "egress-firewall-api-blocked": {
    violated: `
apiVersion: k8s.ovn.org/v1
kind: EgressFirewall
metadata: { name: default, namespace: shop }
spec:
  egress:
    - { type: Deny, to: { cidrSelector: 0.0.0.0/0 } }
`,
    mended: `
apiVersion: k8s.ovn.org/v1
kind: EgressFirewall
metadata: { name: default, namespace: shop }
spec:
  egress:
    - { type: Allow, to: { cidrSelector: 172.20.0.1/32 } }
    - { type: Deny, to: { cidrSelector: 0.0.0.0/0 } }
`,
  },
  "egress-firewall-dns": {
    violated: `
apiVersion: k8s.ovn.org/v1
kind: EgressFirewall
metadata: { name: default, namespace: shop }
spec:
  egress:
    - { type: Allow, to: { cidrSelector: 172.20.0.1/32 } }
    - { type: Deny, to: { cidrSelector: 0.0.0.0/0 } }
`,
    mended: `
apiVersion: k8s.ovn.org/v1
kind: EgressFirewall
metadata: { name: default, namespace: shop }
spec:
  egress:
    - { type: Allow, to: { cidrSelector: 172.20.0.1/32 } }
    - { type: Allow, to: { cidrSelector: 10.0.0.2/32 }, ports: [{ protocol: UDP, port: 53 }, { protocol: TCP, port: 53 }] }
    - { type: Deny, to: { cidrSelector: 0.0.0.0/0 } }
`,
    configuration: `
hostedClusters:
  - { name: tenant-a, dnsServerCidrs: [10.0.0.2/32] }
`,
  },
  "egress-ip-invalid": {
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
  "egress-ip-platform": {
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
  "egress-ip-nodes": {
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
  "egress-router-invalid": {
    violated: `
apiVersion: network.operator.openshift.io/v1
kind: EgressRouter
metadata: { name: legacy, namespace: shop }
spec:
  mode: Redirect
  addresses: [{ ip: 10.0.0.9, gateway: 10.0.0.1 }]
  redirect:
    redirectRules: [{ port: 80, protocol: TCP, destinationIP: 192.0.2.1 }]
`,
    mended: `
apiVersion: network.operator.openshift.io/v1
kind: EgressRouter
metadata: { name: legacy, namespace: shop }
spec:
  mode: Redirect
  addresses: [{ ip: 10.0.0.9/16, gateway: 10.0.0.1 }]
  redirect:
    redirectRules: [{ port: 80, protocol: TCP, destinationIP: 192.0.2.1 }]
`,
  },
  "egress-router-platform": {
    violated: `
apiVersion: network.operator.openshift.io/v1
kind: EgressRouter
metadata: { name: legacy, namespace: shop }
spec:
  mode: Redirect
  addresses: [{ ip: 10.0.0.9/16, gateway: 10.0.0.1 }]
  redirect:
    redirectRules: [{ port: 80, protocol: TCP, destinationIP: 192.0.2.1 }]
`,
    mended: `
platform: { type: Agent }
services:
  - { service: APIServer, servicePublishingStrategy: { type: LoadBalancer } }
  - { service: OAuthServer, servicePublishingStrategy: { type: Route } }
  - { service: Konnectivity, servicePublishingStrategy: { type: Route } }
  - { service: Ignition, servicePublishingStrategy: { type: Route } }
---
apiVersion: network.operator.openshift.io/v1
kind: EgressRouter
metadata: { name: legacy, namespace: shop }
spec:
  mode: Redirect
  addresses: [{ ip: 10.0.0.9/16, gateway: 10.0.0.1 }]
  redirect:
    redirectRules: [{ port: 80, protocol: TCP, destinationIP: 192.0.2.1 }]
`,
  },
};
