import { type ListedRule, servicesOn } from "../gate/rule";
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

const POLICY = `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: own, namespace: clusters-tenant-a }
spec:`;

const adminPolicy = (name: string, action: string) => `
apiVersion: policy.networking.k8s.io/v1alpha1
kind: AdminNetworkPolicy
metadata: { name: ${name} }
spec:
  priority: 5
  subject: { namespaces: { matchLabels: { kubernetes.io/metadata.name: clusters-tenant-a } } }
  egress: [{ action: ${action}, to: [{ networks: [0.0.0.0/0] }] }]
`;

const POD = `
apiVersion: v1
kind: Pod
metadata: { name: probe, namespace: clusters-tenant-a }
spec:`;

const namespaceWith = (annotation: string) => `
apiVersion: v1
kind: Namespace
metadata: { name: clusters-tenant-a, annotations: { ${annotation} } }
---`;

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
    mended: {
      "operator: In": "operator: In, values: [shop]",
      "port: 8090, endPort: 8080": "port: 8080, endPort: 8090",
    },
  },
  {
    rule: policyOrder,
    violated: `${adminPolicy("shut", "Deny")}---${adminPolicy("open", "Allow")}`,
    mended: {
      "open }\nspec:\n  priority: 5": "open }\nspec:\n  priority: 4",
    },
  },
  {
    rule: isolationDefaultDeny,
    violated: `${POLICY}
  podSelector: { matchLabels: { app: etcd } }
  policyTypes: [Ingress]
`,
    mended: { "{ matchLabels: { app: etcd } }": "{}" },
  },
  {
    rule: isolationFlowBlocked,
    violated: `${servicesOn("Agent")}---${POLICY}
  podSelector: {}
  policyTypes: [Ingress]
`,
    mended: { "policyTypes: [Ingress]": "ingress: [{}]" },
  },
  {
    rule: isolationFlowExcess,
    violated: `${POLICY}
  podSelector: {}
  ingress: [{ from: [{ namespaceSelector: {} }] }]
`,
    mended: { namespaceSelector: "podSelector" },
  },
  {
    rule: podPrivileged,
    violated: `${POD}
  containers:
    - { name: probe, image: probe, securityContext: { privileged: true } }
`,
    mended: { ", securityContext: { privileged: true }": "" },
  },
  {
    rule: podHostPath,
    violated: `${POD}
  volumes: [{ name: host, hostPath: { path: /etc } }]
`,
    mended: { "name: host, hostPath: { path: /etc }": "name: own, emptyDir: {}" },
  },
  {
    rule: podHostNetwork,
    violated: `${POD}
  hostNetwork: true
`,
    mended: { true: "false" },
  },
  {
    rule: podHostPid,
    violated: `${POD}
  hostPID: true
`,
    mended: { true: "false" },
  },
  {
    rule: podHostPort,
    violated: `${POD}
  containers:
    - { name: probe, image: probe, ports: [{ containerPort: 80, hostPort: 80 }] }
`,
    mended: { ", hostPort: 80": "" },
  },
  {
    rule: podCapabilities,
    violated: `${POD}
  containers:
    - { name: probe, image: probe, securityContext: { capabilities: { add: [KILL] } } }
`,
    mended: { add: "drop" },
  },
  {
    rule: podUser,
    violated: `${namespaceWith("openshift.io/sa.scc.uid-range: 1000680000/10000")}${POD}
  securityContext: { runAsUser: 0 }
`,
    mended: { "runAsUser: 0": "runAsUser: 1000680000" },
  },
  {
    rule: podSelinux,
    violated: `${namespaceWith("openshift.io/sa.scc.mcs: 's0:c14,c24'")}${POD}
  securityContext: { seLinuxOptions: { level: 's0:c1,c2' } }
`,
    mended: { "s0:c1,c2": "s0:c14,c24" },
  },
];
