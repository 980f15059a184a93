import { cidrInvalid } from "../../../src/addressRanges/rules/cidrInvalid";
import { UNKNOWN, type PropertyValue } from "../../../src/resources/resource";
import { resource, unknowns, violations } from "../../rules/builders";

const blocks = (cidr: PropertyValue): PropertyValue => ({
  layer2: { subnets: [cidr], joinSubnets: [cidr], reservedSubnets: [cidr], infrastructureSubnets: [cidr] },
  layer3: { subnets: [{ cidr, hostSubnet: 24 }], joinSubnets: [cidr] },
  localnet: { subnets: [cidr], excludeSubnets: [cidr] },
});
const PLACES = [
  ...["subnets", "joinSubnets", "reservedSubnets", "infrastructureSubnets"].map(
    (list) => `layer2.${list}[0]`,
  ),
  ...["layer3.subnets[0].cidr", "layer3.joinSubnets[0]"],
  ...["subnets", "excludeSubnets"].map((list) => `localnet.${list}[0]`),
];
const user = (cidr: PropertyValue) =>
  resource("kubernetes:k8s.ovn.org/v1:UserDefinedNetwork", "blue", { spec: blocks(cidr) });
const cluster = (cidr: PropertyValue) =>
  resource("kubernetes:k8s.ovn.org/v1:ClusterUserDefinedNetwork", "blue", {
    spec: { network: blocks(cidr) },
  });

describe("blocks of user-defined networks", () => {
  test.each(["10.77.0.0", "10.77.0.0/33", "10.77.0.256/24", "010.77.0.0/16", "", "10.77.0.0-10.77.0.9"])(
    "the API server refuses %j",
    (cidr) => {
      const found = (object: ReturnType<typeof user>) =>
        violations(cidrInvalid, [object]).map(({ level, path }) => `${level} ${path}`);
      expect(found(user(cidr)).sort()).toEqual(PLACES.map((place) => `error spec.${place}`).sort());
      expect(found(cluster(cidr)).sort()).toEqual(
        PLACES.map((place) => `error spec.network.${place}`).sort(),
      );
    },
  );

  test.each(["10.77.0.0/16", "fd77::/48"])("takes %s", (cidr) => {
    expect(violations(cidrInvalid, [user(cidr), cluster(cidr)])).toEqual([]);
  });

  test("host bits are a warning, because OVN-Kubernetes clears them", () => {
    const found = violations(cidrInvalid, [user("10.77.0.5/16")]);
    expect(found.map(({ level }) => level)).toEqual(PLACES.map(() => "warning"));
  });

  test("what is not known yet is unknown", () => {
    expect(unknowns(cidrInvalid, [user(UNKNOWN)])).toHaveLength(PLACES.length);
    expect(violations(cidrInvalid, [user(UNKNOWN)])).toEqual([]);
  });
});
