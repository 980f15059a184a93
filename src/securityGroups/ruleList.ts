import type { ListedRule } from "../gate/rule";
import { portMissing } from "./rules/portMissing";
import { bootstrapPortOpen, portExcess } from "./rules/portExcess";
import { networkAclNumber, reversedPorts } from "./rules/groupRules";
import { portPublic } from "./rules/portPublic";
import { portLocalhostOnly, securityGroupMixedRules, securityGroupQuota } from "./rules/groupRules";

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const securityGroupsRules: readonly ListedRule[] = [
  {
    rule: portMissing,
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
  {
    rule: portExcess,
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
  {
    rule: portPublic,
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
  {
    rule: portLocalhostOnly,
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
  {
    rule: bootstrapPortOpen,
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
  {
    rule: securityGroupMixedRules,
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
  {
    rule: securityGroupQuota,
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
  {
    rule: reversedPorts,
    violated: `
type: aws:ec2:SecurityGroup
name: hosts
properties:
  ingress:
    - { protocol: tcp, fromPort: 6443, toPort: 443, cidrBlocks: [10.0.0.0/16] }
`,
    mended: `
type: aws:ec2:SecurityGroup
name: hosts
properties:
  ingress:
    - { protocol: tcp, fromPort: 443, toPort: 6443, cidrBlocks: [10.0.0.0/16] }
`,
  },
  {
    rule: networkAclNumber,
    violated: `
type: aws:ec2:NetworkAcl
name: workers
properties:
  ingress:
    - { ruleNo: 100, action: allow, protocol: tcp, fromPort: 443, toPort: 443, cidrBlock: 10.0.0.0/16 }
    - { ruleNo: 100, action: deny, protocol: "-1", fromPort: 0, toPort: 0, cidrBlock: 0.0.0.0/0 }
`,
    mended: `
type: aws:ec2:NetworkAcl
name: workers
properties:
  ingress:
    - { ruleNo: 100, action: allow, protocol: tcp, fromPort: 443, toPort: 443, cidrBlock: 10.0.0.0/16 }
    - { ruleNo: 200, action: deny, protocol: "-1", fromPort: 0, toPort: 0, cidrBlock: 0.0.0.0/0 }
`,
  },
];
