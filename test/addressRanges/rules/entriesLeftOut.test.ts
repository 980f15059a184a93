import { type PropertyValue, UNKNOWN } from "../../../src/resources/resource";
import { cidrInvalid } from "../../../src/addressRanges/rules/cidrInvalid";
import { cidrOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import { machineNetwork } from "../../../src/addressRanges/rules/machineNetwork";
import { ovnSubnetInvalid } from "../../../src/ovnSubnets/rules";
import { networkCapacity } from "../../../src/addressRanges/rules/networkCapacity";
import type { Rule } from "../../../src/gate/rule";
import {
  hostedCluster,
  networking,
  nodePool,
  type Properties,
  stating,
  violations,
} from "../../rules/builders";

const blocks = (...cidrs: PropertyValue[]): PropertyValue => cidrs.map((cidr) => ({ cidr }));
const cluster = (network: Properties, more: Properties = {}) =>
  hostedCluster({ networking: networking("10.0.0.0/16", network), ...more });
const found = (rule: Rule, ...resources: Parameters<typeof violations>[1]) =>
  violations(rule, resources).map(({ path, message }) => `${path}: ${message}`);

describe("an entry that is invalid or unknown", () => {
  it.each<PropertyValue>(["10.0.0.300/16", UNKNOWN])(
    "%p: later entries are reported at their own index",
    (cidr) => {
      const first = cluster({ machineNetwork: blocks(cidr, "10.132.4.0/22") });
      expect(found(cidrOverlap, first)).toEqual([
        "spec.networking.machineNetwork[1].cidr: the machine network 10.132.4.0/22 of clusters/tenant-a shares addresses with the cluster network 10.132.0.0/14",
      ]);
      const parts: PropertyValue = [
        { cidr, hostPrefix: 23 },
        { cidr: "10.136.0.0/16", hostPrefix: 26 },
      ];
      expect(found(networkCapacity, cluster({ clusterNetwork: parts }))).toEqual([
        "spec.networking.clusterNetwork[1].hostPrefix: /26 of 10.136.0.0/16 gives each node 61 addresses for pods, and a node runs up to 250 pods by default",
      ]);
      expect(found(cidrInvalid, cluster({ serviceNetwork: blocks(cidr, "172.31.0.0/30") }))).toContain(
        "spec.networking.serviceNetwork[1].cidr: 172.31.0.0/30 is narrower than /29, and the API server of 4.20 does not start with it",
      );
    },
  );

  it.each<PropertyValue>(["10.0.0.300/16", UNKNOWN])("%p: the list as a whole is not judged", (cidr) => {
    const pools = nodePool("a", { replicas: 500 });
    const parts: PropertyValue = [
      { cidr, hostPrefix: 23 },
      { cidr: "10.132.0.0/20", hostPrefix: 23 },
    ];
    expect(found(networkCapacity, cluster({ clusterNetwork: parts }), pools)).toEqual([]);
    expect(found(networkCapacity, cluster({ machineNetwork: blocks(cidr, "10.0.0.0/28") }), pools)).toEqual(
      [],
    );
    const workers = stating({ workerCidrs: ["10.1.0.0/24"] });
    const outside = (...cidrs: PropertyValue[]) =>
      violations(machineNetwork, [cluster({ machineNetwork: blocks(...cidrs) })], workers).length;
    expect([outside("10.0.0.0/16"), outside(cidr, "10.0.0.0/16")]).toEqual([1, 0]);
  });

  it.each<PropertyValue>(["fd01::/4800", UNKNOWN])("%p: it may be of the required family", (cidr) => {
    const both: Properties = {
      machineNetwork: blocks("10.0.0.0/16"),
      clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }, { cidr }],
      serviceNetwork: blocks("172.31.0.0/16", "fd02::/112"),
    };
    const platform = { platform: { type: "None" } };
    expect(found(cidrInvalid, cluster(both, platform)).filter((one) => one.includes("famil"))).toEqual([]);
    const join = { ovnKubernetesConfig: { ipv6: { internalJoinSubnet: "fd99::/64" } } };
    const operator = { operatorConfiguration: { clusterNetworkOperator: join } };
    expect(found(ovnSubnetInvalid, cluster(both, { ...platform, ...operator }))).toEqual([]);
    const first: Properties = { ...both, clusterNetwork: [{ cidr }, { cidr: "fd01::/48" }] };
    expect(found(cidrInvalid, cluster(first, platform)).filter((one) => one.includes("is IPv"))).toEqual([]);
  });
});

describe("an invalid host prefix", () => {
  it.each([8, 31, "23"])("%p: the block is still compared", (hostPrefix) => {
    const wrong = cluster({ clusterNetwork: [{ cidr: "10.0.4.0/24", hostPrefix }] });
    expect(found(cidrOverlap, wrong)).toEqual([
      "spec.networking.machineNetwork[0].cidr: the machine network 10.0.0.0/16 of clusters/tenant-a shares addresses with the cluster network 10.0.4.0/24",
    ]);
    expect(found(networkCapacity, wrong, nodePool("a", { replicas: 9 }))).toEqual([]);
  });
});
