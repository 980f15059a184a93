/** Inputs of one component with all faults at once, as JavaScript, and the faults that must be reported. */
export interface WrongInput {
  component: string;
  /** An expression in which `later(x)` is an Output that is already known. */
  inputs: string;
  /** The faults in the order in which they are shown: path, value (unless it may be secret), fix. */
  faults: string[];
}

/** Faults of plain values, which the constructor refuses. */
export const plainFaults: WrongInput[] = [
  {
    component: "HostedControlPlaneSecurityGroups",
    inputs: `{
      topology: {
        name: "Tenant A", platform: "Foo", release: 4.2, machineNetwork: [{ cidr: "10.0.0.1/16" }],
        services: { konnectivity: { type: "Tunnel" } },
      },
      vpcId: "my-vpc",
      region: "Frankfurt",
      ruleQuota: 0,
      mergeRules: "sometimes",
      defaultWorkerRules: "yes",
      disabledRules: ["control-plane/ingress/no-such-rule"],
      tags: { "kubernetes.io/cluster/tenant-a": "owned" },
      additionalRules: { metrics: { role: "control-plane", direction: "ingress", protocol: "tcp", fromPort: 70000, cidr: "10.0.0.0", description: "metrics" } },
    }`,
    faults: [
      'topology.name "Tenant A" is not a Kubernetes name: write at most 63 lowercase letters, digits and hyphens',
      'topology.release 4.2 is a number, and as numbers 4.20 and 4.2 are the same: write it in quotes: release: "4.20"',
      'topology.platform "Foo" is not one of AWS, Azure, GCP, IBMCloud, PowerVS, KubeVirt, OpenStack, Agent or None: write one of AWS, Azure, GCP, IBMCloud, PowerVS, KubeVirt, OpenStack, Agent or None',
      'topology.services.konnectivity.type "Tunnel" is not one of Route, NodePort or LoadBalancer: write one of Route, NodePort or LoadBalancer',
      "topology.machineNetwork[0].cidr 10.0.0.1/16 has host bits: write 10.0.0.0/16",
      'additionalRules.metrics.protocol "tcp" is not TCP, UDP, SCTP, ICMP, ESP or any: write TCP',
      "additionalRules.metrics.fromPort 70000 is not from 0 to 65535: write a whole number from 0 to 65535",
      'defaultWorkerRules "yes" is neither true nor false: write true or false, without quotes',
      "additionalRules.metrics.cidr 10.0.0.0 has no mask: write the mask after a slash, as in 10.0.0.0/16",
      "disabledRules[0] control-plane/ingress/no-such-rule names no rule: use keys that the output `rules` lists as flows",
      "ruleQuota 0 is not from 1 to 1000: write a whole number from 1 to 1000",
      'mergeRules "sometimes" is not over-quota, always or never: write over-quota, always or never',
      "vpcId my-vpc is not the id of a VPC: write the id, which begins with vpc-",
      "region Frankfurt is not an AWS region: write its code, such as eu-central-1",
      'tags["kubernetes.io/cluster/tenant-a"] kubernetes.io/cluster/tenant-a stops the cluster\'s AWS load balancers from reconciling if two security groups of an instance have it: remove it, and name the cluster under another key',
    ],
  },
  {
    component: "HostedControlPlaneSecurityGroups",
    inputs: `{
      topology: {
        name: "tenant-a", platform: "AWS", release: "4.20", machineNetwork: [{ cidr: "10.0.0.0/16" }],
        externalClientCidrs: ["192.0.2.0/26", "192.0.2.128/26"],
      },
      vpcId: "vpc-1",
      ruleQuota: 5,
      peers: { externalClients: { prefixLists: { offices: { id: "pl-1", maxEntries: 9 } } } },
    }`,
    faults: [
      "ruleQuota control-plane ingress needs 24 IPv4 rules, the quota is 5 (12 for kube-apiserver, 11 for router-clients, 1 for router): write wider CIDR blocks, disable rules, lower the maximum size of prefix lists, which count as 18 rules, or have AWS raise the quota, at most to 1000 divided by the groups of an interface, and write it here; a prefix list instead of blocks does not help, because AWS counts its maximum number of entries for each rule that uses it",
      "ruleQuota control-plane ingress needs 18 IPv6 rules, the quota is 5 (9 for kube-apiserver, 9 for router-clients): write wider CIDR blocks, disable rules, lower the maximum size of prefix lists, which count as 18 rules, or have AWS raise the quota, at most to 1000 divided by the groups of an interface, and write it here; a prefix list instead of blocks does not help, because AWS counts its maximum number of entries for each rule that uses it",
    ],
  },
  {
    component: "OvnSubnetConfig",
    inputs: `{
      topology: { name: "tenant-a", platform: "AWS", release: 4.2, machineNetwork: [{ cidr: "10.0.0.0/16" }] },
      internalJoinSubnet: "100.64.0.1/16",
      internalTransitSwitchSubnet: "0.0.0.0/31",
      existingHostedCluster: { name: "Tenant A", namespace: "clusters" },
      forcePatch: "yes",
    }`,
    faults: [
      'topology.release 4.2 is a number, and as numbers 4.20 and 4.2 are the same: write it in quotes: release: "4.20"',
      "internalJoinSubnet 100.64.0.1/16 has host bits: write 100.64.0.0/16",
      "internalTransitSwitchSubnet 0.0.0.0/31 is too small: write a block of /0 to /30",
      'existingHostedCluster.name "Tenant A" is not a Kubernetes name: write at most 63 lowercase letters, digits and hyphens',
      'forcePatch "yes" is neither true nor false: write true or false, without quotes',
    ],
  },
  {
    component: "DedicatedControlPlaneNodes",
    inputs: `{
      topology: { name: "tenant-a", platform: "None" },
      level: "physical",
      nodes: [{ name: "worker-0" }, { name: "worker-0" }, { name: "Worker 1" }],
      additionalTaints: [{ key: "hypershift.openshift.io/cluster", value: "clusters-tenant-a", effect: "NoRun" }],
      workerVirtualMachines: { nodeSelector: { "hypershift.openshift.io/cluster": "clusters-tenant-a" } },
      existingHostedCluster: { name: "tenant-b", namespace: "clusters" },
      removeOnDelete: "yes",
    }`,
    faults: [
      'level "physical" is not VirtualMachine or Physical: write Physical',
      'nodes[2].name "Worker 1" is not a Kubernetes name: write at most 253 lowercase letters, digits, hyphens and dots',
      'nodes[1] "worker-0" is also nodes[0]: remove one of the two',
      'removeOnDelete "yes" is neither true nor false: write true or false, without quotes',
      "workerVirtualMachines is given, but on None the nodes of a hosted cluster are not virtual machines of the management cluster: leave it out",
      "workerVirtualMachines.nodeSelector.hypershift.openshift.io/cluster selects nodes of control planes, whose taint virtual machines do not tolerate: none would start: select other nodes, by a label of your own",
      'existingHostedCluster.name "tenant-b" differs from tenant-a of the topology: write tenant-a, or correct topology.name',
      'additionalTaints[0].effect "NoRun" is not NoSchedule, PreferNoSchedule or NoExecute: write NoSchedule, PreferNoSchedule or NoExecute',
      "additionalTaints[0].key hypershift.openshift.io/cluster is set automatically: remove it",
    ],
  },
  {
    component: "ProxyConfig",
    inputs: `{
      topology: { name: "tenant-a", platform: "AWS", release: "4.20", machineNetwork: [{ cidr: "10.0.0.0/16" }] },
      httpProxy: "https://scott:hunter2@proxy.example.com:3128",
      httpsProxy: "scott:hunter2@proxy.example.com",
      noProxy: ["10.0.0.1/16", "a b"],
      trustedCa: "no certificate",
      trustedCaConfigMap: "authorities",
      region: "Frankfurt",
      computeNodes: -1,
    }`,
    faults: [
      "httpProxy has a scheme that httpProxy does not accept: begin it with http://",
      "httpsProxy has no scheme: begin it with http://",
      "noProxy[0] 10.0.0.1/16 has host bits: write 10.0.0.0/16",
      'noProxy[1] "a b" has a space: separate entries by commas, or write each separately',
      "trustedCa contains no certificate: write PEM: -----BEGIN CERTIFICATE----- and its lines",
      "trustedCaConfigMap is set together with trustedCa: write one of the two",
      'region "Frankfurt" is not an AWS region: write its code, such as eu-central-1',
      "computeNodes -1 is less than 0: write a whole number from 0 on",
    ],
  },
  {
    component: "EgressFirewall",
    inputs: `{
      namespace: "tenant a",
      rules: [
        { type: "Alow", cidr: "10.0.0.1/16" },
        { type: "Deny", cidr: "172.16.1.1", ports: [{ port: 70000 }] },
        { type: "Deny", cidr: "0.0.0.0/0", dnsName: "example.com" },
      ],
    }`,
    faults: [
      'namespace "tenant a" is not a Kubernetes name: write at most 63 lowercase letters, digits and hyphens',
      'rules[0].type "Alow" is not Allow or Deny: write Allow',
      "rules[0].cidr 10.0.0.1/16 has host bits: write 10.0.0.0/16",
      "rules[1].cidr 172.16.1.1 has no mask: write 172.16.1.1/32",
      "rules[1].ports[0].port 70000 is not a port: write a whole number from 1 to 65535",
      "rules[1].ports[0].protocol missing: a port needs TCP, UDP or SCTP",
      "rules[2] has more than one destination: write exactly one of cidr, dnsName, nodeLabels, nodeSelector",
    ],
  },
];

/** Faults of Outputs, which are found once their values are known. */
export const outputFaults: WrongInput[] = [
  {
    component: "HostedControlPlaneSecurityGroups",
    inputs: `{
      topology: { name: "tenant-a", platform: "AWS", release: "4.20", machineNetwork: [{ cidr: "10.0.0.0/16" }] },
      vpcId: later("my-vpc"),
      region: later("Frankfurt"),
      peers: { workers: { securityGroupIds: { pool: later("pool") } } },
      additionalRules: { ssh: { role: "control-plane", direction: "ingress", protocol: "TCP", fromPort: 22, cidr: later("192.0.2.1/24"), description: "ssh" } },
      tags: { team: later("x".repeat(257)) },
    }`,
    faults: [
      "peers.workers.securityGroupIds.pool pool is not the id of a security group: write the id, which begins with sg-",
      "additionalRules.ssh.cidr 192.0.2.1/24 has host bits: write 192.0.2.0/24",
      "vpcId my-vpc is not the id of a VPC: write the id, which begins with vpc-",
      "region Frankfurt is not an AWS region: write its code, such as eu-central-1",
      'tags["team"] the value has 257 characters: use at most 256',
    ],
  },
  {
    component: "OvnSubnetConfig",
    inputs: `{
      topology: { name: "tenant-a", platform: "AWS", release: "4.20", machineNetwork: [{ cidr: "10.0.0.0/16" }] },
      internalJoinSubnet: later("100.64.0.0"),
      internalTransitSwitchSubnet: later("0.0.0.0/31"),
    }`,
    faults: [
      "internalJoinSubnet 100.64.0.0 has no mask: write the mask after a slash, as in 10.0.0.0/16",
      "internalTransitSwitchSubnet 0.0.0.0/31 is too small: write a block of /0 to /30",
    ],
  },
  {
    component: "ProxyConfig",
    inputs: `{
      topology: { name: "tenant-a", platform: "AWS", release: "4.20", machineNetwork: [{ cidr: "10.0.0.0/16" }] },
      httpProxy: later("https://scott:hunter2@proxy.example.com:3128"),
      httpsProxy: later("scott:hunter2@proxy.example.com"),
    }`,
    faults: [
      "httpProxy has a scheme that httpProxy does not accept: begin it with http://",
      "httpsProxy has no scheme: begin it with http://",
    ],
  },
  {
    component: "EgressFirewall",
    inputs: `{
      namespace: "tenant-a",
      rules: [
        { type: "Allow", cidr: later("10.0.0.1/16") },
        { type: "Deny", dnsName: later("not a name") },
      ],
    }`,
    faults: [
      "rules[0].cidr 10.0.0.1/16 has host bits: write 10.0.0.0/16",
      'rules[1].dnsName "not a name" is not a DNS name: write a host name without scheme, port or path, optionally with a leading *.',
    ],
  },
];
