import type { ListedRule } from "../gate/rule";
import {
  egressFirewallDuplicate,
  egressFirewallLimit,
  egressFirewallName,
  egressFirewallRuleInvalid,
  egressFirewallShadowed,
} from "./rules/nameAndRules";
import { egressFirewallApiBlocked, egressFirewallDns } from "./rules/blocked";

const FIREWALL = `
apiVersion: k8s.ovn.org/v1
kind: EgressFirewall
metadata: { name: default, namespace: shop }
spec:
  egress:`;
const ALLOW_API = "    - { type: Allow, to: { cidrSelector: 172.20.0.1/32 } }\n";
const DENY_ALL = "    - { type: Deny, to: { cidrSelector: 0.0.0.0/0 } }\n";

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
${ALLOW_API}`,
    mended: { "name: web": "name: default" },
  },
  {
    rule: egressFirewallDuplicate,
    violated: `${FIREWALL}\n${ALLOW_API}---${FIREWALL}\n${DENY_ALL}`,
    mended: `${FIREWALL}\n${ALLOW_API}${DENY_ALL}`,
  },
  { rule: egressFirewallLimit, withoutExample: "It takes 8,001 rules to violate it." },
  {
    rule: egressFirewallRuleInvalid,
    violated: `${FIREWALL}
    - { type: Allow, to: { cidrSelector: 172.16.1.1 } }
`,
    mended: { "172.16.1.1": "172.16.1.1/32" },
  },
  {
    rule: egressFirewallShadowed,
    violated: `${FIREWALL}
    - { type: Deny, to: { cidrSelector: 192.0.2.0/24 } }
    - { type: Allow, to: { cidrSelector: 192.0.2.7/32 } }
`,
    mended: `${FIREWALL}
    - { type: Allow, to: { cidrSelector: 192.0.2.7/32 } }
    - { type: Deny, to: { cidrSelector: 192.0.2.0/24 } }
`,
  },
  {
    rule: egressFirewallApiBlocked,
    violated: `${FIREWALL}\n${DENY_ALL}`,
    mended: `${FIREWALL}\n${ALLOW_API}${DENY_ALL}`,
  },
  {
    rule: egressFirewallDns,
    violated: `${FIREWALL}\n${ALLOW_API}${DENY_ALL}`,
    mended: `${FIREWALL}\n${ALLOW_API}\
    - { type: Allow, to: { cidrSelector: 10.0.0.2/32 }, ports: [{ protocol: UDP, port: 53 }, { protocol: TCP, port: 53 }] }
${DENY_ALL}`,
    configuration: `
hostedClusters:
  - { name: tenant-a, dnsServerCidrs: [10.0.0.2/32] }
`,
  },
];
