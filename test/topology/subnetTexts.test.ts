import { spoken } from "./topologies";

describe("messages on internal subnets:", () => {
  test.each<[string, object, string[]]>([
    [
      "another network type",
      { internalJoinSubnet: "100.99.0.0/16", release: "4.20", networkType: "Calico" },
      ["topology.internalJoinSubnet  a network of type Calico has no such subnet: leave it out"],
    ],
    [
      "an octet of 0",
      { internalJoinSubnet: "0.1.0.0/16" },
      [
        "topology.internalJoinSubnet  0.1.0.0/16 begins with the octet 0: write a subnet whose first octet is 1 or more",
      ],
    ],
    [
      "an address family that the cluster network does not have",
      { v6InternalSubnet: "fd98::/64" },
      [
        "topology.v6InternalSubnet  is IPv6, and the cluster network has no IPv6 range: leave it out, or add an IPv6 range to the cluster network",
        "warning: topology.v6InternalSubnet  HyperShift supports it since June 2026 and refuses or drops it in earlier versions: make sure that the operator supports it, and choose carefully: it can never change",
      ],
    ],
    [
      "too few addresses",
      { internalJoinSubnet: "100.99.0.0/24", release: "4.20" },
      [
        "topology.internalJoinSubnet  100.99.0.0/24 is too small for the 512 nodes that the cluster network has room for: write /22 or larger [ovn-subnet-capacity]",
      ],
    ],
    [
      "too few addresses of IPv6",
      {
        clusterNetwork: [{ cidr: "10.128.0.0/14" }, { cidr: "fd01::/48" }],
        serviceNetwork: [{ cidr: "172.30.0.0/16" }, { cidr: "fd02::/112" }],
        v6InternalSubnet: "fd98::/120",
      },
      [
        "topology.v6InternalSubnet  fd98::/120 is too small for the 65536 nodes that the cluster network has room for: write /111 or larger [ovn-subnet-capacity]",
        "warning: topology.v6InternalSubnet  HyperShift supports it since June 2026 and refuses or drops it in earlier versions: make sure that the operator supports it, and choose carefully: it can never change",
      ],
    ],
    [
      "an old release",
      { internalJoinSubnet: "100.99.0.0/16", release: "4.12" },
      [
        "topology.internalJoinSubnet  release 4.12 does not have it: upgrade to 4.20 or newer, or leave it out [ovn-subnet-release]",
      ],
    ],
    [
      "no release",
      { internalJoinSubnet: "100.99.0.0/16" },
      [
        'warning: topology.release  missing: internalJoinSubnet needs 4.20 or newer, which cannot be checked: write release: "4.20"',
      ],
    ],
    [
      "a release of null",
      { internalJoinSubnet: "100.99.0.0/16", release: null },
      [
        'warning: topology.release  missing: internalJoinSubnet needs 4.20 or newer, which cannot be checked: write release: "4.20"',
      ],
    ],
    [
      "two IPv4 fields of one subnet",
      { internalJoinSubnet: "100.99.0.0/16", v4InternalSubnet: "100.98.0.0/16", release: "4.20" },
      [
        "topology.v4InternalSubnet  is set together with internalJoinSubnet, and the network operator uses both for one subnet: write one of the two",
        "warning: topology.v4InternalSubnet  HyperShift supports it since June 2026 and refuses or drops it in earlier versions: make sure that the operator supports it, and choose carefully: it can never change",
      ],
    ],
    [
      "two IPv6 fields of one subnet",
      {
        clusterNetwork: [{ cidr: "10.128.0.0/14" }, { cidr: "fd01::/48" }],
        serviceNetwork: [{ cidr: "172.30.0.0/16" }, { cidr: "fd02::/112" }],
        v6InternalSubnet: "fd98::/64",
        ipv6InternalJoinSubnet: "fd98:1::/64",
      },
      [
        "topology.ipv6InternalJoinSubnet  is set together with v6InternalSubnet, and the network operator uses both for one subnet: write one of the two",
        "warning: topology.v6InternalSubnet  HyperShift supports it since June 2026 and refuses or drops it in earlier versions: make sure that the operator supports it, and choose carefully: it can never change",
        "warning: topology.ipv6InternalJoinSubnet  HyperShift supports it since May 2026 and refuses or drops it in earlier versions: make sure that the operator supports it, and choose carefully: it can never change",
      ],
    ],
    [
      "a join subnet on KubeVirt",
      { platform: "KubeVirt", internalJoinSubnet: "100.99.0.0/16", release: "4.20" },
      [
        "topology.internalJoinSubnet  refused on KubeVirt, whose guests have a join subnet of their own: leave it out; v4InternalSubnet moves that one, and internalTransitSwitchSubnet can be set",
      ],
    ],
    [
      "a mask that is too long",
      {
        clusterNetwork: [{ cidr: "10.128.0.0/14" }, { cidr: "fd01::/48" }],
        serviceNetwork: [{ cidr: "172.30.0.0/16" }, { cidr: "fd02::/112" }],
        ipv6InternalJoinSubnet: "fd98::/126",
      },
      ["topology.ipv6InternalJoinSubnet  fd98::/126 is too small: write a block of /0 to /125"],
    ],
  ])("%s", (_, raw, expected) => {
    expect(spoken(raw)).toEqual(expected);
  });
});
