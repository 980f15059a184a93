import type { ListedRule } from "../gate/rule";
import { isolationDefaultDeny, isolationFlowExcess, networkPolicyInvalid } from "./rules/networkPolicies";
import { policyOrder } from "./rules/policyOrder";
import { isolationFlowBlocked } from "./rules/isolationFlowBlocked";
import {
  podCapabilities,
  podHostNetwork,
  podHostPath,
  podHostPid,
  podHostPort,
  podPrivileged,
  podSelinux,
  podUser,
} from "./rules/podRules";

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const isolationRules: readonly ListedRule[] = [
  {
    rule: networkPolicyInvalid,
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
  {
    rule: policyOrder,
    violated: `
apiVersion: policy.networking.k8s.io/v1alpha1
kind: AdminNetworkPolicy
metadata: { name: shut }
spec:
  priority: 5
  subject: { namespaces: { matchLabels: { kubernetes.io/metadata.name: clusters-tenant-a } } }
  egress: [{ action: Deny, to: [{ networks: [0.0.0.0/0] }] }]
---
apiVersion: policy.networking.k8s.io/v1alpha1
kind: AdminNetworkPolicy
metadata: { name: open }
spec:
  priority: 5
  subject: { namespaces: { matchLabels: { kubernetes.io/metadata.name: clusters-tenant-a } } }
  egress: [{ action: Allow, to: [{ networks: [0.0.0.0/0] }] }]
`,
    mended: `
apiVersion: policy.networking.k8s.io/v1alpha1
kind: AdminNetworkPolicy
metadata: { name: shut }
spec:
  priority: 5
  subject: { namespaces: { matchLabels: { kubernetes.io/metadata.name: clusters-tenant-a } } }
  egress: [{ action: Deny, to: [{ networks: [0.0.0.0/0] }] }]
---
apiVersion: policy.networking.k8s.io/v1alpha1
kind: AdminNetworkPolicy
metadata: { name: open }
spec:
  priority: 4
  subject: { namespaces: { matchLabels: { kubernetes.io/metadata.name: clusters-tenant-a } } }
  egress: [{ action: Allow, to: [{ networks: [0.0.0.0/0] }] }]
`,
  },
  {
    rule: isolationDefaultDeny,
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
  {
    rule: isolationFlowBlocked,
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
  {
    rule: isolationFlowExcess,
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
  {
    rule: podPrivileged,
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
  {
    rule: podHostPath,
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
  {
    rule: podHostNetwork,
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
  {
    rule: podHostPid,
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
  {
    rule: podHostPort,
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
  {
    rule: podCapabilities,
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
  {
    rule: podUser,
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
  {
    rule: podSelinux,
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
];
