import type { RuleExample } from "./example";

/** Examples of the rules of one group, by id. */
export const portsExamples: Readonly<Record<string, RuleExample>> = {
  "port-missing": {
    violated: `
type: aws:ec2:SecurityGroup
name: hosts
properties:
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: control-plane }
  ingress:
    - { protocol: tcp, fromPort: 443, toPort: 443, cidrBlocks: [10.0.0.0/16] }
  egress:
    - { protocol: tcp, fromPort: 443, toPort: 443, cidrBlocks: [0.0.0.0/0] }
    - { protocol: tcp, fromPort: 6443, toPort: 6443, cidrBlocks: [0.0.0.0/0] }
    - { protocol: tcp, fromPort: 53, toPort: 53, cidrBlocks: [0.0.0.0/0] }
    - { protocol: udp, fromPort: 53, toPort: 53, cidrBlocks: [0.0.0.0/0] }
`,
    mended: `
type: aws:ec2:SecurityGroup
name: hosts
properties:
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: control-plane }
  ingress:
    - { protocol: tcp, fromPort: 443, toPort: 443, cidrBlocks: [10.0.0.0/16] }
    - { protocol: tcp, fromPort: 6443, toPort: 6443, cidrBlocks: [10.0.0.0/16] }
  egress:
    - { protocol: tcp, fromPort: 443, toPort: 443, cidrBlocks: [0.0.0.0/0] }
    - { protocol: tcp, fromPort: 6443, toPort: 6443, cidrBlocks: [0.0.0.0/0] }
    - { protocol: tcp, fromPort: 53, toPort: 53, cidrBlocks: [0.0.0.0/0] }
    - { protocol: udp, fromPort: 53, toPort: 53, cidrBlocks: [0.0.0.0/0] }
`,
  },
  "port-excess": {
    violated: `
type: aws:ec2:SecurityGroup
name: hosts
properties:
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: control-plane }
  ingress:
    - { protocol: tcp, fromPort: 3306, toPort: 3306, cidrBlocks: [192.0.2.0/24] }
`,
    mended: `
type: aws:ec2:SecurityGroup
name: hosts
properties:
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: control-plane }
  ingress:
    - { protocol: tcp, fromPort: 6443, toPort: 6443, cidrBlocks: [10.0.0.0/16] }
`,
  },
  "port-public": {
    violated: `
platform: { type: Agent }
services:
  - { service: APIServer, servicePublishingStrategy: { type: LoadBalancer } }
  - { service: OAuthServer, servicePublishingStrategy: { type: Route } }
  - { service: Konnectivity, servicePublishingStrategy: { type: LoadBalancer } }
  - { service: Ignition, servicePublishingStrategy: { type: Route } }
---
type: aws:ec2:SecurityGroup
name: hosts
properties:
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: control-plane }
  ingress:
    - { protocol: tcp, fromPort: 8091, toPort: 8091, cidrBlocks: [0.0.0.0/0] }
`,
    mended: `
platform: { type: Agent }
services:
  - { service: APIServer, servicePublishingStrategy: { type: LoadBalancer } }
  - { service: OAuthServer, servicePublishingStrategy: { type: Route } }
  - { service: Konnectivity, servicePublishingStrategy: { type: LoadBalancer } }
  - { service: Ignition, servicePublishingStrategy: { type: Route } }
---
type: aws:ec2:SecurityGroup
name: hosts
properties:
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: control-plane }
  ingress:
    - { protocol: tcp, fromPort: 8091, toPort: 8091, cidrBlocks: [10.0.0.0/16] }
`,
  },
  "bootstrap-port-open": {
    violated: `
platform: { type: None }
services:
  - { service: APIServer, servicePublishingStrategy: { type: LoadBalancer } }
  - { service: OAuthServer, servicePublishingStrategy: { type: Route } }
  - { service: Konnectivity, servicePublishingStrategy: { type: Route } }
  - { service: Ignition, servicePublishingStrategy: { type: NodePort, nodePort: { address: 10.0.0.1, port: 31000 } } }
---
type: aws:ec2:SecurityGroup
name: hosts
properties:
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: control-plane }
  ingress:
    - { protocol: tcp, fromPort: 8443, toPort: 8443, cidrBlocks: [10.0.0.0/16] }
`,
    mended: `
platform: { type: None }
services:
  - { service: APIServer, servicePublishingStrategy: { type: LoadBalancer } }
  - { service: OAuthServer, servicePublishingStrategy: { type: Route } }
  - { service: Konnectivity, servicePublishingStrategy: { type: Route } }
  - { service: Ignition, servicePublishingStrategy: { type: NodePort, nodePort: { address: 10.0.0.1, port: 31000 } } }
---
type: aws:ec2:SecurityGroup
name: hosts
properties:
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: control-plane }
  ingress:
    - { protocol: tcp, fromPort: 6443, toPort: 6443, cidrBlocks: [10.0.0.0/16] }
`,
    configuration: `
hostedClusters:
  - { name: tenant-a, bootstrap: false }
`,
  },
  "port-localhost-only": {
    violated: `
platform: { type: Agent }
services:
  - { service: APIServer, servicePublishingStrategy: { type: LoadBalancer } }
  - { service: OAuthServer, servicePublishingStrategy: { type: Route } }
  - { service: Konnectivity, servicePublishingStrategy: { type: Route } }
  - { service: Ignition, servicePublishingStrategy: { type: Route } }
---
type: aws:ec2:SecurityGroup
name: hosts
properties:
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: control-plane }
  ingress:
    - { protocol: tcp, fromPort: 8080, toPort: 8080, cidrBlocks: [10.0.0.0/16] }
`,
    mended: `
platform: { type: Agent }
services:
  - { service: APIServer, servicePublishingStrategy: { type: LoadBalancer } }
  - { service: OAuthServer, servicePublishingStrategy: { type: Route } }
  - { service: Konnectivity, servicePublishingStrategy: { type: Route } }
  - { service: Ignition, servicePublishingStrategy: { type: Route } }
---
type: aws:ec2:SecurityGroup
name: hosts
properties:
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: control-plane }
  ingress:
    - { protocol: tcp, fromPort: 443, toPort: 443, cidrBlocks: [10.0.0.0/16] }
    - { protocol: tcp, fromPort: 6443, toPort: 6443, cidrBlocks: [10.0.0.0/16] }
`,
  },
  "node-port-range": {
    violated: `
platform: { type: Agent }
services:
  - { service: APIServer, servicePublishingStrategy: { type: LoadBalancer } }
  - { service: OAuthServer, servicePublishingStrategy: { type: Route } }
  - { service: Konnectivity, servicePublishingStrategy: { type: Route } }
  - { service: Ignition, servicePublishingStrategy: { type: NodePort, nodePort: { address: 10.0.0.1, port: 8443 } } }
`,
    mended: `
platform: { type: Agent }
services:
  - { service: APIServer, servicePublishingStrategy: { type: LoadBalancer } }
  - { service: OAuthServer, servicePublishingStrategy: { type: Route } }
  - { service: Konnectivity, servicePublishingStrategy: { type: Route } }
  - { service: Ignition, servicePublishingStrategy: { type: NodePort, nodePort: { address: 10.0.0.1, port: 31443 } } }
`,
  },
  "publishing-unsupported": {
    violated: `
services:
  - { service: APIServer, servicePublishingStrategy: { type: LoadBalancer } }
  - { service: OAuthServer, servicePublishingStrategy: { type: Route } }
  - { service: Konnectivity, servicePublishingStrategy: { type: Route } }
  - { service: Ignition, servicePublishingStrategy: { type: NodePort, nodePort: { address: 10.0.0.1 } } }
`,
    mended: `
services:
  - { service: APIServer, servicePublishingStrategy: { type: LoadBalancer } }
  - { service: OAuthServer, servicePublishingStrategy: { type: Route } }
  - { service: Konnectivity, servicePublishingStrategy: { type: Route } }
  - { service: Ignition, servicePublishingStrategy: { type: Route } }
`,
  },
  "security-group-mixed-rules": {
    violated: `
type: aws:ec2:SecurityGroup
name: hosts
properties:
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: control-plane }
  ingress:
    - { protocol: tcp, fromPort: 443, toPort: 443, cidrBlocks: [10.0.0.0/16] }
  id: sg-1
---
type: aws:vpc:SecurityGroupIngressRule
name: api
properties: { securityGroupId: sg-1, ipProtocol: tcp, fromPort: 6443, toPort: 6443, cidrIpv4: 10.0.0.0/16 }
`,
    mended: `
type: aws:ec2:SecurityGroup
name: hosts
properties:
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: control-plane }
  id: sg-1
---
type: aws:vpc:SecurityGroupIngressRule
name: api
properties: { securityGroupId: sg-1, ipProtocol: tcp, fromPort: 6443, toPort: 6443, cidrIpv4: 10.0.0.0/16 }
`,
  },
  "security-group-quota": {
    violated: `
type: aws:ec2:SecurityGroup
name: hosts
properties:
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: control-plane }
  ingress:
    - protocol: tcp
      fromPort: 443
      toPort: 443
      prefixListIds: [pl-1]
---
type: aws:ec2:ManagedPrefixList
name: users
properties: { id: pl-1, maxEntries: 61 }
`,
    mended: `
type: aws:ec2:SecurityGroup
name: hosts
properties:
  tags: { hypershift-network/cluster: tenant-a, hypershift-network/role: control-plane }
  ingress:
    - protocol: tcp
      fromPort: 443
      toPort: 443
      prefixListIds: [pl-1]
---
type: aws:ec2:ManagedPrefixList
name: users
properties: { id: pl-1, maxEntries: 60 }
`,
  },
};
