import { describeRepair } from "../../../src/reachability/answers/repair/describeRepair";
import type { Written } from "../../../src/reachability/answers/places";
import type { Repair } from "../../../src/reachability/answers/repair/repair";
import { Direction } from "../../../src/requirements/vocabulary";

const group: Written = { type: "aws:ec2/securityGroup:SecurityGroup", name: "workers" };
const acl: Written = { type: "aws:ec2/networkAcl:NetworkAcl", name: "walls" };
const firewall: Written = { type: "kubernetes:k8s.ovn.org/v1:EgressFirewall", name: "default" };

describe("a repair as an instruction", () => {
  const groupRule = {
    kind: "security-group-rule",
    direction: Direction.Ingress,
    protocol: "tcp",
    fromPort: 443,
    toPort: 443,
    cidrBlocks: ["10.0.0.0/8"],
    ipv6CidrBlocks: [],
  } as const;
  const aclRule = {
    kind: "network-acl-rule",
    direction: Direction.Egress,
    asked: "calls",
    ruleNumber: 10,
    protocol: "udp",
    fromPort: 53,
    toPort: 54,
  } as const;
  const policy = {
    kind: "network-policy",
    namespace: "clusters-a",
    podSelector: { matchLabels: { app: "etcd" } },
    ingress: {},
  } as const;
  const firewallRule = {
    kind: "egress-firewall-rule",
    firewall,
    index: 3,
    rule: { type: "Allow", to: { cidrSelector: "10.0.0.0/8" } },
  } as const;

  test.each<[string, Repair]>([
    ["add to the security group: ingress tcp 443 from 10.0.0.0/8", groupRule],
    [
      "add to SecurityGroup workers: egress udp 53-54 to 10.0.0.0/8, fd00::/8",
      {
        ...groupRule,
        group,
        direction: Direction.Egress,
        protocol: "udp",
        fromPort: 53,
        toPort: 54,
        ipv6CidrBlocks: ["fd00::/8"],
      },
    ],
    [
      "add to the security group: ingress every protocol from 10.0.0.0/8",
      { ...groupRule, protocol: "-1", fromPort: 0, toPort: 0 },
    ],
    [
      "add to SecurityGroup workers: ingress tcp 443 from 10.0.0.0/8, as an entry of its ingress",
      { ...groupRule, group, form: "inline" },
    ],
    [
      "add to SecurityGroup workers: egress tcp 443 to 10.0.0.0/8, as a SecurityGroupRule of type egress",
      { ...groupRule, group, form: "classic", direction: Direction.Egress },
    ],
    [
      "add to SecurityGroup workers: ingress tcp 443 from 10.0.0.0/8, as a SecurityGroupIngressRule",
      { ...groupRule, group, form: "split" },
    ],
    [
      "add to SecurityGroup workers: egress tcp 443 to 10.0.0.0/8, fd00::/8, as a SecurityGroupEgressRule for each block",
      { ...groupRule, group, form: "split", direction: Direction.Egress, ipv6CidrBlocks: ["fd00::/8"] },
    ],
    ["add to the security group: ingress icmp from 10.0.0.0/8", { ...groupRule, protocol: "icmp" }],
    ["add to the security group: ingress protocol 50 from 10.0.0.0/8", { ...groupRule, protocol: "50" }],
    [
      "add to the network ACL: egress rule 10, allow udp 53-54 to 10.0.0.0/8",
      { ...aclRule, cidrBlock: "10.0.0.0/8" },
    ],
    [
      "add to NetworkAcl walls: egress rule 10, allow udp 53-54 to fd00::/8, for the answers, before egress[2] of NetworkAcl walls",
      {
        ...aclRule,
        acl,
        asked: "answers",
        ipv6CidrBlock: "fd00::/8",
        before: { ...acl, path: "egress[2]" },
      },
    ],
    ["add a NetworkPolicy to namespace clusters-a: pods app=etcd, ingress every port from everybody", policy],
    [
      "add a NetworkPolicy to namespace clusters-a: pods app=etcd,tier=a, ingress TCP 1, UDP 2-3 from 10.0.0.0/8, every pod of namespaces with any labels, pods app=b",
      {
        ...policy,
        podSelector: { matchLabels: { app: "etcd", tier: "a" } },
        ingress: {
          ports: [
            { protocol: "TCP", port: 1 },
            { protocol: "UDP", port: 2, endPort: 3 },
          ],
          from: [
            { ipBlock: { cidr: "10.0.0.0/8" } },
            { namespaceSelector: { matchLabels: {} } },
            { podSelector: { matchLabels: { app: "b" } } },
          ],
        },
      },
    ],
    ["insert into EgressFirewall default at spec.egress[3]: Allow every port to 10.0.0.0/8", firewallRule],
    [
      "insert into EgressFirewall default at spec.egress[3]: Allow TCP 1, UDP 2 to 10.0.0.0/8, before spec.egress[3] of EgressFirewall default",
      {
        ...firewallRule,
        rule: {
          ...firewallRule.rule,
          ports: [
            { protocol: "TCP", port: 1 },
            { protocol: "UDP", port: 2 },
          ],
        },
        before: { ...firewall, path: "spec.egress[3]" },
      },
    ],
  ])("%s", (text, repair) => {
    expect(describeRepair(repair)).toBe(text);
  });
});
