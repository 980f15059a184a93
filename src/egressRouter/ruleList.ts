import type { ListedRule } from "../gate/rule";
import { egressRouterInvalid, egressRouterPlatform } from "./rules";

/** The rules, in the order in which findings are listed, each with a violation and its mend. */
export const egressRouterRules: readonly ListedRule[] = [
  {
    rule: egressRouterInvalid,
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
  {
    rule: egressRouterPlatform,
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
];
