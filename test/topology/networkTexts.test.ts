import { spoken } from "./topologies";

describe("messages on networks:", () => {
  test.each<[string, object, string[]]>([
    [
      "a string instead of the list",
      { machineNetwork: "10.0.0.0/16" },
      ['topology.machineNetwork  "10.0.0.0/16" is not a list: write a list'],
    ],
    [
      "no entry",
      { machineNetwork: [] },
      ["topology.machineNetwork  has 0 entries: write one entry, or 2 [cidr-invalid]"],
    ],
    [
      "strings instead of entries",
      { machineNetwork: ["10.0.0.0/16"] },
      ['topology.machineNetwork[0]  "10.0.0.0/16" is not an object: write an object with cidr'],
    ],
    [
      "an entry without a block",
      { machineNetwork: [{}] },
      ["topology.machineNetwork[0].cidr  missing: write a CIDR block"],
    ],
    [
      "null as an entry",
      { machineNetwork: [null] },
      ["topology.machineNetwork[0]  missing: write a CIDR block"],
    ],
    [
      "three entries",
      { machineNetwork: [{ cidr: "10.0.0.0/16" }, { cidr: "fd00::/64" }, { cidr: "10.1.0.0/16" }] },
      ["topology.machineNetwork  has 3 entries: write one entry, or 2 [cidr-invalid]"],
    ],
    [
      "two service networks of one address family",
      { serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "172.30.0.0/16" }] },
      [
        "topology.serviceNetwork  both entries are IPv4: write at most one entry of each family [cidr-invalid]",
      ],
    ],
    [
      "a host prefix as long as the cluster network's",
      { clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 14 }] },
      [
        "topology.clusterNetwork[0].hostPrefix  /14 is not part of 10.128.0.0/14: write a length from 15 to 30, or a larger cluster network [cidr-invalid]",
      ],
    ],
    [
      "two different host prefixes",
      {
        clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 24 }, { cidr: "10.140.0.0/14" }],
      },
      [
        "topology.clusterNetwork[1].hostPrefix  /23 differs from /24: OVN-Kubernetes does not route between nodes whose subnets differ in size: write 24 here too, before the cluster is created [cidr-invalid]",
      ],
    ],
    [
      "a host prefix of 0",
      { clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 0 }] },
      [
        "topology.clusterNetwork[0].hostPrefix  0 is not a prefix length for the subnet of a node: write a whole number, for example 23 [cidr-invalid]",
      ],
    ],
    [
      "a host prefix of 33",
      { clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 33 }] },
      [
        "topology.clusterNetwork[0].hostPrefix  33 is not a prefix length for the subnet of a node: write a whole number, for example 23 [cidr-invalid]",
      ],
    ],
    [
      "a host prefix as text",
      { clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: "23" }] },
      [
        'topology.clusterNetwork[0].hostPrefix  "23" is not a prefix length for the subnet of a node: write a whole number, for example 23 [cidr-invalid]',
      ],
    ],
    [
      "an IPv6 host prefix other than 64",
      { clusterNetwork: [{ cidr: "fd01::/48", hostPrefix: 65 }], serviceNetwork: [{ cidr: "fd02::/112" }] },
      [
        "topology.clusterNetwork[0].hostPrefix  65 is not a prefix length for the subnet of a node: OVN-Kubernetes accepts only 64 for IPv6: write 64, or leave it out [cidr-invalid]",
      ],
    ],
    [
      "an IPv6 cluster network and an IPv4 service network",
      { clusterNetwork: [{ cidr: "fd01::/48" }] },
      [
        "topology.serviceNetwork  172.31.0.0/16 is IPv4, the cluster network fd01::/48 is IPv6: HyperShift compares the first entries: put the same family first in every list [cidr-invalid]",
      ],
    ],
    [
      "a machine network of another address family than the cluster network",
      { machineNetwork: [{ cidr: "fd00::/64" }] },
      [
        "topology.machineNetwork  fd00::/64 is IPv6, the cluster network 10.132.0.0/14 is IPv4: HyperShift compares the first entries: put the same family first in every list [cidr-invalid]",
      ],
    ],
    [
      "a cluster network of two address families and a service network of one",
      { clusterNetwork: [{ cidr: "10.128.0.0/14" }, { cidr: "fd01::/48" }] },
      [
        "topology.serviceNetwork  the cluster network and the service network have different address families: write both families in both lists, or one in both [cidr-invalid]",
      ],
    ],
    [
      "surrounding networks, each with its own fault",
      {
        infrastructureCidrs: [
          null,
          {},
          { name: "corp" },
          { cidr: "10.9.0.0/16" },
          { name: 5, cidr: "10.9.0.0/16" },
          { name: "x", cidr: "10.9.0.1/16" },
        ],
      },
      [
        "topology.infrastructureCidrs[0]  missing: write a name and a CIDR block",
        "topology.infrastructureCidrs[1].cidr  missing: write a CIDR block",
        "topology.infrastructureCidrs[2].cidr  missing: write a CIDR block",
        "topology.infrastructureCidrs[3].name  missing: write the name of the network",
        "topology.infrastructureCidrs[4].name  5 is not a string: write it in quotes",
        "topology.infrastructureCidrs[5].cidr  10.9.0.1/16 has host bits: write 10.9.0.0/16",
      ],
    ],
    [
      "a machine network with the address at which nodes reach the API server",
      { machineNetwork: [{ cidr: "172.20.0.0/16" }] },
      [
        "topology.machineNetwork[0].cidr  172.20.0.0/16 overlaps the address at which nodes reach the API server 172.20.0.1/32: nodes send packets for those addresses to their own API proxy, and HyperShift refuses the cluster: move the machine network, or set topology.advertiseAddress",
      ],
    ],
    [
      "a machine network in the default cluster network",
      { machineNetwork: [{ cidr: "10.132.0.0/16" }] },
      [
        "topology.machineNetwork[0].cidr  10.132.0.0/16 overlaps the default cluster network 10.132.0.0/14: packets for the shared addresses are lost, and HyperShift refuses the cluster: move the machine network, or set topology.clusterNetwork",
      ],
    ],
    [
      "a surrounding network in the default cluster network",
      { infrastructureCidrs: [{ name: "corp", cidr: "10.132.0.0/16" }] },
      [
        "warning: topology.infrastructureCidrs[0].cidr  10.132.0.0/16 overlaps the default cluster network 10.132.0.0/14: packets for the shared addresses are lost: move infrastructure network corp, or set topology.clusterNetwork",
      ],
    ],
    [
      "a surrounding network that is the default join subnet",
      { infrastructureCidrs: [{ name: "corp", cidr: "100.64.0.0/16" }] },
      [
        "warning: topology.infrastructureCidrs[0].cidr  100.64.0.0/16 overlaps OVN's default join subnet 100.64.0.0/16: replies of pods to those addresses never leave the node: move infrastructure network corp, or set topology.internalJoinSubnet",
      ],
    ],
    [
      "a machine network of link-local addresses",
      { machineNetwork: [{ cidr: "169.254.0.0/16" }] },
      [
        "warning: topology.machineNetwork[0].cidr  169.254.0.0/16 overlaps OVN's masquerade subnet 169.254.0.0/17: nodes treat those addresses as link-local and never route them: move the machine network",
        "warning: topology.machineNetwork[0].cidr  169.254.0.0/16 overlaps OVN's masquerade subnet before 4.17, kept by upgraded clusters 169.254.169.0/29: nodes treat those addresses as link-local and never route them: move the machine network",
        "warning: topology.machineNetwork[0].cidr  169.254.0.0/16 overlaps link-local addresses, instance metadata among them 169.254.0.0/16: no router forwards packets to those addresses: move the machine network",
      ],
    ],
  ])("%s", (_, raw, expected) => {
    expect(spoken(raw)).toEqual(expected);
  });
});
