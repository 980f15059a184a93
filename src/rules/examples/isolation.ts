import type { RuleExample } from "./example";

/** Examples of the rules of one group, by id. */
export const isolationExamples: Readonly<Record<string, RuleExample>> = {
  "network-policy-invalid": {
    violated: `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: web, namespace: shop }
spec:
  podSelector: {}
  ingress:
    - from: [{ namespaceSelector: { matchExpressions: [{ key: team, operator: In }] } }]
      ports: [{ protocol: TCP, port: 8090, endPort: 8080 }]
`,
    mended: `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: web, namespace: shop }
spec:
  podSelector: {}
  ingress:
    - from: [{ namespaceSelector: { matchExpressions: [{ key: team, operator: In, values: [shop] }] } }]
      ports: [{ protocol: TCP, port: 8080, endPort: 8090 }]
`,
  },
  "isolation-default-deny": {
    violated: `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: own, namespace: clusters-tenant-a }
spec:
  podSelector: { matchLabels: { app: etcd } }
  policyTypes: [Ingress]
`,
    mended: `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: own, namespace: clusters-tenant-a }
spec:
  podSelector: {}
  policyTypes: [Ingress]
`,
  },
  "isolation-flow-blocked": {
    violated: `
platform: { type: Agent }
services:
  - { service: APIServer, servicePublishingStrategy: { type: LoadBalancer } }
  - { service: OAuthServer, servicePublishingStrategy: { type: Route } }
  - { service: Konnectivity, servicePublishingStrategy: { type: Route } }
  - { service: Ignition, servicePublishingStrategy: { type: Route } }
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: own, namespace: clusters-tenant-a }
spec:
  podSelector: {}
  policyTypes: [Ingress]
`,
    mended: `
platform: { type: Agent }
services:
  - { service: APIServer, servicePublishingStrategy: { type: LoadBalancer } }
  - { service: OAuthServer, servicePublishingStrategy: { type: Route } }
  - { service: Konnectivity, servicePublishingStrategy: { type: Route } }
  - { service: Ignition, servicePublishingStrategy: { type: Route } }
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: own, namespace: clusters-tenant-a }
spec:
  podSelector: {}
  ingress: [{}]
`,
  },
  "isolation-flow-excess": {
    violated: `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: own, namespace: clusters-tenant-a }
spec:
  podSelector: {}
  ingress: [{ from: [{ namespaceSelector: {} }] }]
`,
    mended: `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: own, namespace: clusters-tenant-a }
spec:
  podSelector: {}
  ingress: [{ from: [{ podSelector: {} }] }]
`,
  },
  "pod-privileged": {
    violated: `
apiVersion: v1
kind: Pod
metadata: { name: probe, namespace: clusters-tenant-a }
spec:
  containers:
    - { name: probe, image: probe, securityContext: { privileged: true } }
`,
    mended: `
apiVersion: v1
kind: Pod
metadata: { name: probe, namespace: clusters-tenant-a }
spec:
  containers:
    - { name: probe, image: probe }
`,
  },
  "pod-host-path": {
    violated: `
apiVersion: v1
kind: Pod
metadata: { name: probe, namespace: clusters-tenant-a }
spec:
  volumes: [{ name: host, hostPath: { path: /etc } }]
`,
    mended: `
apiVersion: v1
kind: Pod
metadata: { name: probe, namespace: clusters-tenant-a }
spec:
  volumes: [{ name: own, emptyDir: {} }]
`,
  },
  "pod-host-network": {
    violated: `
apiVersion: v1
kind: Pod
metadata: { name: probe, namespace: clusters-tenant-a }
spec:
  hostNetwork: true
`,
    mended: `
apiVersion: v1
kind: Pod
metadata: { name: probe, namespace: clusters-tenant-a }
spec:
  hostNetwork: false
`,
  },
  "pod-host-pid": {
    violated: `
apiVersion: v1
kind: Pod
metadata: { name: probe, namespace: clusters-tenant-a }
spec:
  hostPID: true
`,
    mended: `
apiVersion: v1
kind: Pod
metadata: { name: probe, namespace: clusters-tenant-a }
spec:
  hostPID: false
`,
  },
  "pod-host-port": {
    violated: `
apiVersion: v1
kind: Pod
metadata: { name: probe, namespace: clusters-tenant-a }
spec:
  containers:
    - { name: probe, image: probe, ports: [{ containerPort: 80, hostPort: 80 }] }
`,
    mended: `
apiVersion: v1
kind: Pod
metadata: { name: probe, namespace: clusters-tenant-a }
spec:
  containers:
    - { name: probe, image: probe, ports: [{ containerPort: 80 }] }
`,
  },
  "pod-capabilities": {
    violated: `
apiVersion: v1
kind: Pod
metadata: { name: probe, namespace: clusters-tenant-a }
spec:
  containers:
    - { name: probe, image: probe, securityContext: { capabilities: { add: [KILL] } } }
`,
    mended: `
apiVersion: v1
kind: Pod
metadata: { name: probe, namespace: clusters-tenant-a }
spec:
  containers:
    - { name: probe, image: probe, securityContext: { capabilities: { drop: [KILL] } } }
`,
  },
  "pod-user": {
    violated: `
apiVersion: v1
kind: Namespace
metadata: { name: clusters-tenant-a, annotations: { openshift.io/sa.scc.uid-range: 1000680000/10000 } }
---
apiVersion: v1
kind: Pod
metadata: { name: probe, namespace: clusters-tenant-a }
spec:
  securityContext: { runAsUser: 0 }
`,
    mended: `
apiVersion: v1
kind: Namespace
metadata: { name: clusters-tenant-a, annotations: { openshift.io/sa.scc.uid-range: 1000680000/10000 } }
---
apiVersion: v1
kind: Pod
metadata: { name: probe, namespace: clusters-tenant-a }
spec:
  securityContext: { runAsUser: 1000680000 }
`,
  },
  "pod-selinux": {
    violated: `
apiVersion: v1
kind: Namespace
metadata: { name: clusters-tenant-a, annotations: { openshift.io/sa.scc.mcs: 's0:c14,c24' } }
---
apiVersion: v1
kind: Pod
metadata: { name: probe, namespace: clusters-tenant-a }
spec:
  securityContext: { seLinuxOptions: { level: 's0:c1,c2' } }
`,
    mended: `
apiVersion: v1
kind: Namespace
metadata: { name: clusters-tenant-a, annotations: { openshift.io/sa.scc.mcs: 's0:c14,c24' } }
---
apiVersion: v1
kind: Pod
metadata: { name: probe, namespace: clusters-tenant-a }
spec:
  securityContext: { seLinuxOptions: { level: 's0:c14,c24' } }
`,
  },
  "dedicated-nodes": {
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
};
