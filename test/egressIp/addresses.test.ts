import fc from "fast-check";
import { InfrastructurePlatform } from "../../src/requirements/vocabulary";
import { faults, topology, type Inputs, warnings } from "./egressIps";

describe("M16 an egress IP address must be free and in the subnet of the nodes' primary address", () => {
  it.each<[string, Inputs, string]>([
    ["an empty list", { addresses: [] }, "addresses is empty"],
    ["a missing list", { addresses: null }, "addresses missing"],
    [
      "a string instead of a list",
      { addresses: "192.168.126.10" },
      'addresses "192.168.126.10" is not a list',
    ],
    [
      "an invalid address",
      { addresses: ["example.com"] },
      "addresses[0] a string of 11 characters is not an IP address",
    ],
    ["a block", { addresses: ["192.168.126.10/32"] }, "addresses[0] 192.168.126.10/32 has a mask"],
    [
      "IPv4 in IPv6",
      { addresses: ["::ffff:c0a8:7e0a"] },
      "addresses[0] ::ffff:c0a8:7e0a is IPv4 inside IPv6",
    ],
    [
      "the same address twice, written differently",
      {
        addresses: ["2001:db8::10", "2001:DB8:0::10"],
        nodeSubnets: ["2001:db8::/64"],
      },
      "addresses[1] 2001:db8::10 is also addresses[0]",
    ],
    [
      "an address of another subnet",
      { addresses: ["192.0.2.10"] },
      "addresses[0] 192.0.2.10 lies outside the subnets of the nodes, 192.168.64.0/18",
    ],
    [
      "an address outside the machine network",
      { addresses: ["192.0.2.10"], nodeSubnets: null, topology: topology({ platform: "AWS" }) },
      "addresses[0] 192.0.2.10 lies outside the subnets of the nodes, 192.168.64.0/18",
    ],
    [
      "an IPv6 address if nodes have none",
      { addresses: ["2001:db8::10"] },
      "addresses[0] 2001:db8::10 lies outside the subnets of the nodes, 192.168.64.0/18",
    ],
    [
      "the network's own address",
      { addresses: ["192.168.64.0"] },
      "addresses[0] 192.168.64.0 in 192.168.64.0/18 is the network's own address",
    ],
    [
      "the broadcast address",
      { addresses: ["192.168.127.255"] },
      "addresses[0] 192.168.127.255 in 192.168.64.0/18 is the broadcast address",
    ],
    [
      "the routers' anycast address",
      { addresses: ["2001:db8::"], nodeSubnets: ["2001:db8::/64"] },
      "addresses[0] 2001:db8:: in 2001:db8::/64 is the anycast address of its routers",
    ],
    [
      "an address that is in use",
      { addressesInUse: ["192.168.126.5", "192.168.126.96/28"] },
      "addresses[1] 192.168.126.102 is in use: addressesInUse[1] is 192.168.126.96/28",
    ],
    [
      "the address of a DNS server of the topology",
      { topology: topology({ dnsServerCidrs: ["192.168.126.10/32"] }) },
      "addresses[0] 192.168.126.10 is in use: topology.dnsServerCidrs[0] is 192.168.126.10/32",
    ],
    [
      "an address of the cluster network",
      { addresses: ["10.132.0.9"], topology: topology(), nodeSubnets: null },
      "addresses[0] 10.132.0.9 lies in the default cluster network 10.132.0.0/14",
    ],
    [
      "a loopback address",
      { addresses: ["127.0.0.1"] },
      "addresses[0] 127.0.0.1 lies in 127.0.0.0/8, loopback addresses",
    ],
    [
      "a multicast address",
      { addresses: ["ff02::1"] },
      "addresses[0] ff02::1 lies in ff00::/8, IPv6 multicast addresses",
    ],
    ["an invalid subnet", { nodeSubnets: ["192.168.64.0"] }, "nodeSubnets[0] 192.168.64.0 has no mask"],
    ["an empty list of subnets", { nodeSubnets: [] }, "nodeSubnets is empty"],
    [
      "an invalid address in use",
      { addressesInUse: ["x"] },
      "addressesInUse[0] a string of 1 characters is not an IP address",
    ],
  ])("%s is refused", (_, more, fault) => expect(faults(more)).toEqual([fault]));

  it("outside the nodes' subnets is only a warning on bare metal from 4.14 on", () => {
    const elsewhere: Inputs = { addresses: ["192.0.2.10"], nodeSubnets: null, topology: topology() };
    expect(faults(elsewhere)).toEqual([]);
    expect(warnings(elsewhere)).toContainEqual(
      expect.stringContaining("192.0.2.10 lies outside the subnets"),
    );
    const old: Inputs = { ...elsewhere, topology: topology({ release: "4.13" }) };
    expect(faults(old)).toEqual([expect.stringContaining("192.0.2.10 lies outside the subnets")]);
  });

  it.each<[InfrastructurePlatform, string, string, string | undefined]>([
    [InfrastructurePlatform.AWS, "10.0.0.0/24", "10.0.0.3", "the VPC's router, DNS server and future use"],
    [InfrastructurePlatform.AWS, "10.0.0.0/24", "10.0.0.4", undefined],
    [
      InfrastructurePlatform.AWS,
      "2001:db8::/64",
      "2001:db8::3",
      "the VPC's router, DNS server and future use",
    ],
    [InfrastructurePlatform.Azure, "10.0.0.0/24", "10.0.0.1", "the virtual network's gateway and DNS"],
    [InfrastructurePlatform.Azure, "2001:db8::/64", "2001:db8::3", undefined],
    [InfrastructurePlatform.GCP, "10.0.0.0/24", "10.0.0.1", "the subnet's gateway and future use"],
    [InfrastructurePlatform.GCP, "10.0.0.0/24", "10.0.0.254", "the subnet's gateway and future use"],
    [InfrastructurePlatform.BareMetal, "10.0.0.0/24", "10.0.0.1", undefined],
  ])("%s reserves addresses of %s: %s", (platform, subnet, address, who) => {
    const found = faults({ platform, release: "4.20", nodeSubnets: [subnet], addresses: [address] });
    expect(found).toEqual(who ? [`addresses[0] ${address} in ${subnet} is reserved for ${who}`] : []);
  });

  it("is refused at the ends of any subnet and outside it, and accepted inside", () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(octet, fc.integer({ min: 24, max: 30 }), octet, (base, length, last) => {
        const size = 2 ** (32 - length);
        const start = base - (base % size);
        const inside = last > start && last < start + size - 1;
        const more = { nodeSubnets: [`10.0.0.${start}/${length}`], addresses: [`10.0.0.${last}`] };
        expect(faults(more)).toHaveLength(inside ? 0 : 1);
      }),
    );
  });
});

describe("M16 the number of egress IP addresses and nodes is refused with", () => {
  it.each<[string, Inputs, string]>([
    [
      "two addresses for one node",
      { nodes: ["node1"] },
      "addresses 2 addresses for 1 node, each of which can hold at most one of them",
    ],
    [
      "one address of each family for one node",
      {
        nodes: ["node1"],
        addresses: ["192.168.126.10", "2001:db8::10"],
        nodeSubnets: ["192.168.64.0/18", "2001:db8::/64"],
      },
      "addresses 2 addresses for 1 node, each of which can hold at most one of them",
    ],
    [
      "two addresses for a count of one node",
      { nodes: null, assignableNodeCount: 1 },
      "addresses 2 addresses for 1 node, each of which can hold at most one of them",
    ],
    [
      "a count below the number of named nodes",
      { assignableNodeCount: 1 },
      "assignableNodeCount 1 is less than the 2 nodes that are named",
    ],
    ["an invalid count", { assignableNodeCount: 1.5 }, "assignableNodeCount 1.5 is not a whole number"],
    ["no nodes in the list", { nodes: [] }, "nodes is empty"],
    ["nodes that are not a list", { nodes: "node1" }, 'nodes "node1" is not a list'],
    ["a node twice", { nodes: ["node1", "node1"] }, 'nodes[1] "node1" is also nodes[0]'],
    [
      "a name that a node cannot have",
      { nodes: ["Node_1", "node3"] },
      'nodes[0] "Node_1" is not a Kubernetes name',
    ],
  ])("%s", (_, more, fault) => expect(faults(more)).toEqual([fault]));
});

describe("M16 addresses of further networks of the nodes", () => {
  const two = { nodeSubnets: ["192.168.64.0/18", "10.0.0.0/24"], release: "4.20", platform: "BareMetal" };
  it.each<[string, Inputs, string[]]>([
    ["are accepted on bare metal", { ...two, addresses: ["192.0.2.10"] }, []],
    [
      "are not those that one of several node subnets contains",
      { ...two, addresses: ["10.0.0.0", "192.168.126.10"] },
      ["addresses[0] 10.0.0.0 in 10.0.0.0/24 is the network's own address"],
    ],
    [
      "are accepted if no input states the subnets",
      { ...two, nodeSubnets: null, addresses: ["192.0.2.10"] },
      [],
    ],
    ["are checked without a fault for invalid annotations", { annotations: 5 }, []],
  ])("%s", (_, more, expected) => expect(faults(more)).toEqual(expected));
});
