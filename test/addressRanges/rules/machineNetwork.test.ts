import { machineNetwork } from "../../../src/addressRanges/rules/machineNetwork";
import type { Configuration } from "../../../src/gate/configuration";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import {
  group,
  hostedCluster,
  linesOf,
  networking,
  nodePool,
  resource,
  stating,
  tags,
  violations,
  type Properties,
} from "../../rules/builders";

const found = (resources: readonly Resource[], configuration?: Configuration) =>
  violations(machineNetwork, resources, configuration).map(
    ({ level, code, path }) => `${level} ${code} ${path}`,
  );
const lines = (resources: readonly Resource[], configuration?: Configuration) =>
  violations(machineNetwork, resources, configuration).map((one) => linesOf([one]));
const without = (platform: Properties) => {
  const { machineNetwork: _, ...rest } = networking("10.0.0.0/16");
  return hostedCluster({ platform, networking: rest });
};

describe("a missing machine network", () => {
  test("is an error on AWS, where HyperShift creates security groups from it", () => {
    expect(found([without({ type: "AWS", aws: { region: "us-east-1" } })])).toEqual([
      "error machine-network-missing spec.networking.machineNetwork",
    ]);
  });
  test.each<[string, PropertyValue, number]>([
    ["is empty", [], 1],
    ["has an invalid block", [{ cidr: "10.0.0.0/16 " }], 0],
    ["is not a list", "10.0.0.0/16", 0],
  ])("is reported only for an empty list: the list %s", (_, blocks, count) => {
    const networks: Properties = { ...networking("10.0.0.0/16"), machineNetwork: blocks };
    const platform = { type: "AWS", aws: { region: "us-east-1" } };
    expect(found([hostedCluster({ platform, networking: networks })])).toHaveLength(count);
  });
  test("is not reported on other platforms, with a network, or if the network is unknown", () => {
    expect(found([without({ type: "Agent", agent: { agentNamespace: "agents" } })])).toEqual([]);
    expect(found([hostedCluster()])).toEqual([]);
    const pending = hostedCluster({ networking: { ...networking("10.0.0.0/16"), machineNetwork: UNKNOWN } });
    expect(found([pending])).toEqual([]);
  });
  test("is not reported if only the configuration describes the cluster", () => {
    expect(found([], stating({ platform: "AWS", release: "4.20" }))).toEqual([]);
  });
});

describe("blocks of workers", () => {
  const workersIn = (...workerCidrs: string[]) => stating({ workerCidrs });
  test("are an error outside of the machine network", () => {
    expect(found([hostedCluster()], workersIn("10.0.1.0/24"))).toEqual([]);
    expect(found([hostedCluster()], workersIn("10.0.1.0/24", "10.7.0.0/24"))).toEqual([
      "error workers-outside-machine-network hostedClusters[0].workerCidrs[1]",
    ]);
    // Some of its addresses are inside, others outside.
    expect(found([hostedCluster()], workersIn("10.0.0.0/15"))).toHaveLength(1);
    expect(lines([hostedCluster()], workersIn("10.7.0.0/24"))).toEqual([
      "violated hostedClusters[0].workerCidrs[0] | the workers' block 10.7.0.0/24 lies outside the machine network 10.0.0.0/16 of clusters/tenant-a | write a machine network that contains 10.7.0.0/24",
    ]);
  });
  test("are not reported if an entry of the machine network is unknown, or of another family only", () => {
    const machines = (...cidrs: PropertyValue[]) =>
      hostedCluster({
        networking: networking("10.0.0.0/16", { machineNetwork: cidrs.map((cidr) => ({ cidr })) }),
      });
    expect(found([machines("10.0.0.0/16", UNKNOWN)], workersIn("10.7.0.0/24"))).toEqual([]);
    expect(found([machines("10.0.0.0/16", "10.7.0.0/16")], workersIn("10.7.0.0/24"))).toEqual([]);
    expect(found([machines("10.0.0.0/16")], workersIn("fd07::/64"))).toEqual([]);
    expect(found([machines("fd00::/64", "10.0.0.0/16")], workersIn("fd07::/64"))).toHaveLength(1);
  });
  test("are a warning if only the proxy exception depends on the machine network", () => {
    const agent = hostedCluster({ platform: { type: "Agent", agent: { agentNamespace: "agents" } } });
    expect(found([agent], workersIn("10.7.0.0/24"))).toEqual([
      "warning workers-outside-machine-network hostedClusters[0].workerCidrs[0]",
    ]);
  });
});

describe("subnets of NodePools", () => {
  const subnet = (cidrBlock: string | typeof UNKNOWN, id: string | typeof UNKNOWN = "subnet-1") =>
    resource(TYPE.subnet, "workers", { vpcId: "vpc-1", cidrBlock, id });
  const pool = (id: string | typeof UNKNOWN, from: Resource[] = []) =>
    nodePool("pool", { platform: { type: "AWS", aws: { subnet: { id } } } }, "clusters", { spec: from });
  test("are an error outside of the machine network, found by id or by dependency", () => {
    const outside = "error workers-outside-machine-network spec.platform.aws.subnet.id";
    expect(found([hostedCluster(), subnet("10.0.3.0/24"), pool("subnet-1")])).toEqual([]);
    expect(found([hostedCluster(), subnet("10.9.3.0/24"), pool("subnet-1")])).toEqual([outside]);
    const made = subnet("10.9.3.0/24", UNKNOWN);
    expect(found([hostedCluster(), made, pool(UNKNOWN, [made])])).toEqual([outside]);
    expect(lines([hostedCluster(), subnet("10.9.3.0/24"), pool("subnet-1")])).toEqual([
      "violated spec.platform.aws.subnet.id | subnet workers of NodePool pool 10.9.3.0/24 lies outside the machine network 10.0.0.0/16 of clusters/tenant-a | write a machine network that contains 10.9.3.0/24",
    ]);
  });
  test("are not reported if they are not in the stack or their block is unknown", () => {
    expect(found([hostedCluster(), pool("subnet-9")])).toEqual([]);
    expect(found([hostedCluster(), subnet(UNKNOWN), pool("subnet-1")])).toEqual([]);
  });
});

describe("the VPC of the workers", () => {
  const vpc = (cidrBlock: string) => resource(TYPE.vpc, "workers", { cidrBlock, id: "vpc-1" });
  const workers = group("workers", [], { tags: tags("workers"), vpcId: "vpc-1" });
  const named = (id: string) =>
    hostedCluster({
      platform: { type: "AWS", aws: { region: "us-east-1", cloudProviderConfig: { vpc: id } } },
    });
  const outside = "machine-network-outside-vpc spec.networking.machineNetwork[0].cidr";
  test("must contain the machine network: a warning if groups name it, an error if the object does", () => {
    expect(found([hostedCluster(), vpc("10.0.0.0/16"), workers])).toEqual([]);
    expect(found([hostedCluster(), vpc("10.9.0.0/16"), workers])).toEqual([`warning ${outside}`]);
    expect(found([named("vpc-1"), vpc("10.9.0.0/16")])).toEqual([`error ${outside}`]);
    expect(found([named("vpc-1"), vpc("10.9.0.0/16"), workers])).toEqual([`error ${outside}`]);
    expect(found([named("vpc-2"), vpc("10.9.0.0/16")])).toEqual([]);
  });
  test.each([
    ["the object", [named("vpc-1")], "the workers of clusters/tenant-a are"],
    ["groups", [hostedCluster(), workers], "the security group of the workers of clusters/tenant-a is"],
  ])("is reported with its blocks and the source of its name: %s", (_, resources, words) => {
    const more = resource(TYPE.ipv4Association, "more", { cidrBlock: "10.8.0.0/16", vpcId: "vpc-1" });
    expect(lines([...resources, vpc("10.9.0.0/16"), more])).toEqual([
      `violated spec.networking.machineNetwork[0].cidr | 10.0.0.0/16 lies outside VPC workers, 10.9.0.0/16, 10.8.0.0/16, in which ${words} | write the blocks of the workers' subnets, or name the VPC that contains them`,
    ]);
  });
  test("must contain at least a part of it, in each family that both have", () => {
    const six = resource(TYPE.ipv6Association, "six", { ipv6CidrBlock: "fd00:9::/56", vpcId: "vpc-1" });
    const machines = (...cidrs: string[]) =>
      hostedCluster({
        networking: networking("10.0.0.0/16", { machineNetwork: cidrs.map((cidr) => ({ cidr })) }),
      });
    expect(found([machines("10.0.0.0/15"), vpc("10.0.0.0/16"), workers])).toEqual([]);
    expect(found([machines("fd00::/64"), vpc("10.0.0.0/16"), workers])).toEqual([]);
    expect(found([machines("10.0.0.0/16", "fd00::/64"), vpc("10.0.0.0/16"), six, workers])).toEqual([
      "warning machine-network-outside-vpc spec.networking.machineNetwork[1].cidr",
    ]);
    expect(found([machines("10.0.0.0/16", "fd00:9::/64"), vpc("10.0.0.0/16"), six, workers])).toEqual([]);
  });
  test("is not judged if it is not in the stack, may get another block, or only has control-plane hosts", () => {
    const subnet = resource(TYPE.subnet, "a", { cidrBlock: "10.9.0.0/24", vpcId: "vpc-1" });
    expect(found([hostedCluster(), subnet, workers])).toEqual([]);
    const asked = resource(TYPE.ipv4Association, "more", { ipv4IpamPoolId: "ipam-1", vpcId: "vpc-1" });
    expect(found([hostedCluster(), vpc("10.9.0.0/16"), asked, workers])).toEqual([]);
    const controlPlane = group("hosts", [], { tags: tags("control-plane"), vpcId: "vpc-1" });
    expect(found([hostedCluster(), vpc("10.9.0.0/16"), controlPlane])).toEqual([]);
  });
  test("is not judged if the workers are not on AWS", () => {
    const agent = hostedCluster({ platform: { type: "Agent", agent: { agentNamespace: "agents" } } });
    expect(found([agent, vpc("10.9.0.0/16"), workers])).toEqual([]);
  });
  test("is not judged if its block comes from an IPAM pool", () => {
    const pooled = resource(TYPE.vpc, "workers", {
      ipv4IpamPoolId: "ipam-1",
      cidrBlock: UNKNOWN,
      id: "vpc-1",
    });
    expect(found([hostedCluster(), pooled, workers])).toEqual([]);
  });
});
