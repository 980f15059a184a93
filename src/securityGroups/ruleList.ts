import { CONTROL_PLANE_EGRESS, CONTROL_PLANE_GROUP, type ListedRule, servicesOn } from "../gate/rule";
import { portMissing } from "./rules/portMissing";
import { bootstrapPortOpen, portExcess } from "./rules/portExcess";
import { networkAclNumber, reversedPorts } from "./rules/groupRules";
import { portPublic } from "./rules/portPublic";
import { portLocalhostOnly, securityGroupMixedRules, securityGroupQuota } from "./rules/groupRules";

/** A rule that opens a TCP port to some addresses. */
const open = (port: number, cidr = "10.0.0.0/16") =>
  `    - { protocol: tcp, fromPort: ${port}, toPort: ${port}, cidrBlocks: [${cidr}] }\n`;

/** The group of the control-plane hosts with inbound rules. */
const inbound = (...rules: string[]) => `${CONTROL_PLANE_GROUP}\n  ingress:\n${rules.join("")}`;

const BY_NODE_PORT = servicesOn("None", {
  Ignition: "{ type: NodePort, nodePort: { address: 10.0.0.1, port: 31000 } }",
});

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const securityGroupsRules: readonly ListedRule[] = [
  {
    rule: portMissing,
    violated: `${inbound(open(443))}${CONTROL_PLANE_EGRESS}`,
    mended: `${inbound(open(443), open(6443))}${CONTROL_PLANE_EGRESS}`,
  },
  { rule: portExcess, violated: inbound(open(3306, "192.0.2.0/24")), mended: inbound(open(6443)) },
  {
    rule: portPublic,
    violated: `${servicesOn("Agent", { Konnectivity: "{ type: LoadBalancer }" })}---${inbound(open(8091, "0.0.0.0/0"))}`,
    mended: { "0.0.0.0/0": "10.0.0.0/16" },
  },
  {
    rule: portLocalhostOnly,
    violated: `${servicesOn("Agent")}---${inbound(open(8080))}`,
    mended: `${servicesOn("Agent")}---${inbound(open(443), open(6443))}`,
  },
  {
    rule: bootstrapPortOpen,
    violated: `${BY_NODE_PORT}---${inbound(open(8443))}`,
    mended: `${BY_NODE_PORT}---${inbound(open(6443))}`,
    configuration: `
hostedClusters:
  - { name: tenant-a, bootstrap: false }
`,
  },
  {
    rule: securityGroupMixedRules,
    violated: `${inbound(open(443))}  id: sg-1
---
type: aws:vpc:SecurityGroupIngressRule
name: api
properties: { securityGroupId: sg-1, ipProtocol: tcp, fromPort: 6443, toPort: 6443, cidrIpv4: 10.0.0.0/16 }
`,
    mended: { [`  ingress:\n${open(443)}`]: "" },
  },
  {
    rule: securityGroupQuota,
    violated: `${CONTROL_PLANE_GROUP}
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
    mended: { "maxEntries: 61": "maxEntries: 60" },
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
    mended: { "fromPort: 6443, toPort: 443": "fromPort: 443, toPort: 6443" },
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
    mended: { "100, action: deny": "200, action: deny" },
  },
];
