import type { ListedRule } from "../gate/rule";
import {
  egressFirewallDuplicate,
  egressFirewallLimit,
  egressFirewallName,
  egressFirewallRuleInvalid,
  egressFirewallShadowed,
} from "./rules/nameAndRules";
import { egressFirewallApiBlocked, egressFirewallDns } from "./rules/blocked";

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const egressFirewallRules: readonly ListedRule[] = [
  {
    rule: egressFirewallName,
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
  {
    rule: egressFirewallDuplicate,
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
  { rule: egressFirewallLimit, withoutExample: "It takes 8,001 rules to violate it." },
  {
    rule: egressFirewallRuleInvalid,
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
  {
    rule: egressFirewallShadowed,
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
  {
    rule: egressFirewallApiBlocked,
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
  {
    rule: egressFirewallDns,
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
];
