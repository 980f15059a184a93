import { Platform } from "../../src/requirements/vocabulary";
import { UNKNOWN } from "../../src/resources/resource";
import { faultsOn, warningsOn } from "./inputs";

const { AWS, KubeVirt, None } = Platform;
const stated = { managementClusterNatCidrs: ["198.51.100.1/32"], workerNatCidrs: ["198.51.100.7/32"] };
const both = ["198.51.100.1/32", "198.51.100.7/32"];
const refusals = (allowedCidrBlocks: unknown, topology: object = {}, more: object = {}) =>
  faultsOn(AWS, { ...stated, ...topology }, { allowedCidrBlocks, ...more });

describe("M2 a list of allowed CIDR blocks restricts the public router too", () => {
  test.each([[both], [["198.51.100.0/24"]], [["0.0.0.0/0"]], [["198.51.100.0/29", "203.0.113.0/24"]]])(
    "%j allows the management cluster and the workers",
    (blocks) => {
      expect(refusals(blocks)).toEqual([]);
    },
  );

  test("refuses a list without the management cluster, and names the missing addresses", () => {
    expect(refusals(["198.51.100.7/32", "203.0.113.0/24"])).toEqual([
      "allowedCidrBlocks  leaves out 198.51.100.1/32 of topology.managementClusterNatCidrs, from where the management cluster comes: HyperShift checks the health of the API server by its public name: add 198.51.100.1/32",
    ]);
  });

  test("refuses a list without some worker addresses of a public cluster, and names them", () => {
    const workerNatCidrs = ["198.51.100.6/31", "192.0.2.0/24"];
    expect(refusals(both, { workerNatCidrs })).toEqual([
      "allowedCidrBlocks  leaves out 192.0.2.0/24, 198.51.100.6/32 of topology.workerNatCidrs, from where the workers come: nodes reach the API server and the public router from there: add 192.0.2.0/24, 198.51.100.6/32",
    ]);
  });

  test.each(["PublicAndPrivate", "Private"])(
    "with %s access, workers need not be allowed, but the management cluster must be",
    (endpointAccess) => {
      expect(refusals(["198.51.100.1/32"], { endpointAccess })).toEqual([]);
      expect(refusals(["198.51.100.7/32"], { endpointAccess })).toHaveLength(1);
    },
  );

  test("requires the addresses of the management cluster and workers, unless unknown sources are accepted", () => {
    expect(faultsOn(AWS, {}, { allowedCidrBlocks: both })).toEqual([
      "topology.managementClusterNatCidrs  missing: allowedCidrBlocks may leave out the management cluster, and HyperShift checks the health of the API server by its public name: write the CIDR blocks, or accept it with acceptUnknownSources: true",
      "topology.workerNatCidrs  missing: allowedCidrBlocks may leave out the workers, and nodes reach the API server and the public router from there: write the CIDR blocks, or accept it with acceptUnknownSources: true",
    ]);
    expect(faultsOn(AWS, {}, { allowedCidrBlocks: both, acceptUnknownSources: "yes" })).toHaveLength(3);
    expect(faultsOn(AWS, {}, { allowedCidrBlocks: both, acceptUnknownSources: true })).toEqual([]);
  });

  test("acceptUnknownSources does not accept missing sources that are known", () => {
    expect(refusals(["198.51.100.1/32"], {}, { acceptUnknownSources: true })).toHaveLength(1);
  });

  test("outside a cloud, workers must be allowed by their own addresses, or by their NAT addresses if stated", () => {
    const { managementClusterNatCidrs } = stated;
    const on = (blocks: string[], more: object = {}) =>
      faultsOn(KubeVirt, { managementClusterNatCidrs, ...more }, { allowedCidrBlocks: blocks });
    expect(on(["198.51.100.1/32"])).toEqual([
      expect.stringContaining("leaves out 10.0.0.0/16 of topology.workerCidrs"),
    ]);
    expect(on(["198.51.100.1/32", "10.0.0.0/16"])).toEqual([]);
    expect(on(["198.51.100.1/32"], { workerNatCidrs: ["192.0.2.0/24"] })).toEqual([
      expect.stringContaining("leaves out 192.0.2.0/24 of topology.workerNatCidrs"),
    ]);
  });

  test("IPv4 blocks do not allow IPv6 addresses", () => {
    const managementClusterNatCidrs = ["198.51.100.1/32", "2001:db8::1/128"];
    expect(refusals(["0.0.0.0/0"], { managementClusterNatCidrs })).toEqual([
      expect.stringContaining("leaves out 2001:db8::1/128"),
    ]);
  });

  test("refuses a list for a node port, where it has no effect", () => {
    expect(faultsOn(None, stated, { allowedCidrBlocks: both })).toEqual([
      "allowedCidrBlocks  has no effect on a node port: only Services of type LoadBalancer have such a list: leave it out, and restrict the node port in the firewall in front of the nodes",
    ]);
  });

  test("warns of a list for a cluster with only private access, where it has no effect", () => {
    expect(warningsOn(AWS, { ...stated, endpointAccess: "Private" }, { allowedCidrBlocks: both })).toEqual([
      "allowedCidrBlocks  restricts public load balancers, and a cluster with Private access has none: restrict callers in the security group of the private endpoint",
    ]);
  });
});

describe("the list itself", () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => `10.${n >> 8}.${n & 255}.0/24`);
  const accept = { acceptUnknownSources: true };

  test("has at most 500 blocks", () => {
    expect(faultsOn(AWS, {}, { allowedCidrBlocks: many(500), ...accept })).toEqual([]);
    expect(faultsOn(AWS, {}, { allowedCidrBlocks: many(501), ...accept })).toEqual([
      "allowedCidrBlocks  has 501 blocks: write 500 at most: merge some",
    ]);
  });

  test.each<[unknown, string]>([
    [[], "allowedCidrBlocks  is empty, which allows everybody: leave it out if you want that"],
    ["10.0.0.0/8", "allowedCidrBlocks  is not a list: write a list of CIDR blocks"],
    [["10.0.0.1/8"], "allowedCidrBlocks[0]  10.0.0.1/8 has host bits"],
    [["10.0.0.0"], "has no mask"],
    [
      ["10.0.0.0/8", "10.0.0.0/8"],
      "allowedCidrBlocks[1]  10.0.0.0/8 is also allowedCidrBlocks[0]: write it once",
    ],
    [
      ["10.0.0.0/8", "fd00::/8", "FD00::/8"],
      "allowedCidrBlocks[2]  fd00::/8 is also allowedCidrBlocks[1]: write it once",
    ],
    [[7], "a number is not a CIDR block"],
  ])("is refused if it is %j", (allowedCidrBlocks, problem) => {
    expect(faultsOn(AWS, {}, { allowedCidrBlocks, ...accept })).toEqual([expect.stringContaining(problem)]);
  });

  test("is checked only in its known parts", () => {
    expect(refusals(UNKNOWN)).toEqual([]);
    expect(refusals([UNKNOWN])).toEqual([]);
    expect(refusals([UNKNOWN, UNKNOWN])).toEqual([]);
    expect(refusals(null)).toEqual([]);
    expect(refusals([UNKNOWN, "10.0.0.1/8"])).toHaveLength(1);
    expect(faultsOn(AWS, {}, { allowedCidrBlocks: UNKNOWN })).toHaveLength(2);
  });
});
