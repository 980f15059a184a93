import { judgeOvnSubnets, type OvnSubnetInputs, ovnSubnetFragment } from "../../src/ovnSubnets/ovnSubnets";
import { UNKNOWN } from "../../src/resources/resource";

const topology = {
  name: "tenant-a",
  platform: "AWS",
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
};
const join = "100.99.0.0/16";
const transit = "100.98.0.0/16";
const faults = (inputs: Partial<OvnSubnetInputs>) =>
  judgeOvnSubnets({ topology, ...inputs }).faults.map(
    ({ path, problem, remedy }) => `${path} ${problem}: ${remedy}`,
  );
const network = (cidr: string) => ({ name: "corporate", cidr });

test.each<[string, Partial<OvnSubnetInputs>, string[]]>([
  ["accepted as inputs", { internalJoinSubnet: join }, []],
  ["accepted in the topology", { topology: { ...topology, internalTransitSwitchSubnet: transit } }, []],
  [
    "refused if missing",
    {},
    [
      "internalJoinSubnet missing, and so is internalTransitSwitchSubnet: there is nothing to configure: write at least one of the two",
    ],
  ],
  [
    "refused if missing, with an unknown topology",
    { topology: UNKNOWN },
    [
      "internalJoinSubnet missing, and so is internalTransitSwitchSubnet: there is nothing to configure: write at least one of the two",
    ],
  ],
  [
    "refused as input and in the topology",
    {
      topology: { ...topology, internalJoinSubnet: join },
      internalJoinSubnet: join,
      internalTransitSwitchSubnet: transit,
    },
    ["internalJoinSubnet is also in topology.internalJoinSubnet: write it in one place"],
  ],
  [
    "accepted with one as input and one in the topology",
    { topology: { ...topology, internalJoinSubnet: join }, internalTransitSwitchSubnet: transit },
    [],
  ],
])("subnets must be stated once: %s", (_, inputs, expected) => {
  expect(faults(inputs)).toEqual(expected);
});

describe("a fault has the path of the input that states the value:", () => {
  const tooSmall = "is too small: write a block of /0 to /30";
  test.each<[string, Partial<OvnSubnetInputs>, string[]]>([
    [
      "a subnet as input",
      { internalJoinSubnet: "100.99.0.0/31" },
      [`internalJoinSubnet 100.99.0.0/31 ${tooSmall}`],
    ],
    [
      "a subnet in the topology, with another one as input",
      {
        topology: { ...topology, internalJoinSubnet: "100.99.0.0/31" },
        internalTransitSwitchSubnet: transit,
      },
      [`topology.internalJoinSubnet 100.99.0.0/31 ${tooSmall}`],
    ],
    [
      "a property of the topology",
      { topology: { ...topology, machineNetwork: [{ cidr: "10.0.0.0" }] }, internalJoinSubnet: join },
      [
        "topology.machineNetwork[0].cidr 10.0.0.0 has no mask: write the mask after a slash, as in 10.0.0.0/16",
      ],
    ],
  ])("%s", (_, inputs, expected) => {
    expect(faults(inputs)).toEqual(expected);
  });

  const wrong = { name: "wrong", cidr: "10.7.0.0" };
  const paths = (inputs: Partial<OvnSubnetInputs>) =>
    judgeOvnSubnets({ topology, internalJoinSubnet: join, ...inputs }).faults.map(({ path }) => path);
  const withAround = (...infrastructureCidrs: (typeof wrong)[]) => ({ ...topology, infrastructureCidrs });

  test("a surrounding network in the topology or in otherNetworks", () => {
    expect(paths({ otherNetworks: [network("10.7.0.0/16"), wrong] })).toEqual(["otherNetworks[1].cidr"]);
    expect(paths({ otherNetworks: [wrong] })).toEqual(["otherNetworks[0].cidr"]);
    expect(paths({ topology: withAround(wrong) })).toEqual(["topology.infrastructureCidrs[0].cidr"]);
    const both = {
      topology: withAround(network("10.8.0.0/16"), wrong),
      otherNetworks: [network("10.7.0.0/16"), wrong],
    };
    expect(paths(both)).toEqual(["topology.infrastructureCidrs[1].cidr", "otherNetworks[1].cidr"]);
    const many = Array.from({ length: 12 }, (_, place) => network(`10.${place + 10}.0.0/16`));
    expect(paths({ topology: withAround(...many), otherNetworks: [...many, wrong] })).toEqual([
      "otherNetworks[12].cidr",
    ]);
  });
});

describe("surrounding networks", () => {
  const around = { ...topology, infrastructureCidrs: [network("100.99.4.0/24")] };
  const refused = [
    `internalJoinSubnet ${join} overlaps infrastructure network corporate 100.99.4.0/24: packets for the shared addresses are lost`,
  ];
  test.each<[string, Partial<OvnSubnetInputs>, string[]]>([
    ["in the topology", { topology: around }, refused],
    ["in otherNetworks", { otherNetworks: [network("100.99.4.0/24")] }, refused],
    [
      "in the topology, with others in otherNetworks",
      { topology: around, otherNetworks: [network("10.7.0.0/16")] },
      refused,
    ],
    ["in the topology, with unknown otherNetworks", { topology: around, otherNetworks: UNKNOWN }, refused],
    ["except unknown otherNetworks", { otherNetworks: UNKNOWN }, []],
    [
      "in otherNetworks, with unknown ones in the topology",
      { topology: { ...topology, infrastructureCidrs: UNKNOWN }, otherNetworks: [network("100.99.4.0/24")] },
      refused,
    ],
  ])("are checked for overlaps with the subnets: %s", (_, inputs, expected) => {
    const found = judgeOvnSubnets({ topology, internalJoinSubnet: join, ...inputs });
    expect(found.faults.map(({ path, problem }) => `${path} ${problem}`)).toEqual(expected);
  });

  test("are unknown in the topology if either list is unknown", () => {
    const unknownOf = (inputs: Partial<OvnSubnetInputs>) =>
      judgeOvnSubnets({ topology, internalJoinSubnet: join, ...inputs }).topology?.unknown;
    expect(unknownOf({ otherNetworks: UNKNOWN })).toEqual(["infrastructureCidrs"]);
    expect(unknownOf({ topology: { ...topology, infrastructureCidrs: UNKNOWN } })).toEqual([
      "infrastructureCidrs",
    ]);
    expect(unknownOf({})).toEqual([]);
  });
});

test.each([
  [{ internalJoinSubnet: join, internalTransitSwitchSubnet: transit }],
  [{ internalTransitSwitchSubnet: transit }],
])("the fragment of the HostedCluster contains the given subnets: %j", (subnets) => {
  expect(ovnSubnetFragment({ ...subnets })).toEqual({
    operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: subnets } } },
  });
});
