import type { Configuration } from "../../../src/gate/configuration";
import type { Rule } from "../../../src/gate/rule";
import { ovnSubnetCapacity, ovnSubnetInvalid, ovnSubnetRelease } from "../../../src/ovnSubnets/rules";
import { type Resource, UNKNOWN } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import {
  COMPONENT,
  HOSTED_CLUSTER,
  hostedCluster,
  judge,
  linesOf,
  networking,
  ovn,
  resource,
  type Properties,
} from "../../rules/builders";
import { hidden } from "../../rules/secretInTurn";

const NETWORK = "kubernetes:operator.openshift.io/v1:Network";
const NODE_POOL = "kubernetes:hypershift.openshift.io/v1beta1:NodePool";
const OVN = "spec.operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig";
const JOIN = `${OVN}.ipv4.internalJoinSubnet`;
const TRANSIT = `${OVN}.ipv4.internalTransitSwitchSubnet`;
const IN_NETWORK = "spec.defaultNetwork.ovnKubernetesConfig";
const DIGEST = { release: { image: `quay.io/openshift-release-dev/ocp-release@sha256:${"0".repeat(64)}` } };

const lines = (rule: Rule, resources: readonly Resource[], configuration?: Configuration) =>
  judge(rule, resources, configuration).map((one) => linesOf([one]));
/** Lines without the fix, which for an unknown value is that of its rule. */
const unknownLines = (rule: Rule, ...resources: Resource[]) =>
  lines(rule, resources).map((line) => line.split(" | ").slice(0, 2).join(" | "));
const network = (ovnKubernetesConfig: Properties) =>
  resource(NETWORK, "cluster", {
    spec: {
      clusterNetwork: [
        { cidr: "10.132.0.0/14", hostPrefix: 23 },
        { cidr: "fd01::/48", hostPrefix: 64 },
      ],
      serviceNetwork: ["172.31.0.0/16", "fd02::/112"],
      defaultNetwork: { type: "OVNKubernetes", ovnKubernetesConfig },
    },
  });
const withOvn = (ovnKubernetesConfig: Properties) =>
  hostedCluster({ operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig } } });

test.each<[string, Rule, Resource, string[]]>([
  [
    "an invalid subnet is a finding of ovn-subnet-invalid",
    ovnSubnetInvalid,
    hostedCluster(ovn("0.99.0.0/16")),
    [
      `violated ${JOIN} | 0.99.0.0/16 begins with the octet 0 | write a subnet whose first octet is 1 or more`,
    ],
  ],
  [
    "an invalid subnet is no finding of ovn-subnet-capacity",
    ovnSubnetCapacity,
    hostedCluster(ovn("0.99.0.0/16")),
    [],
  ],
  [
    "two equal subnets are one finding",
    ovnSubnetInvalid,
    hostedCluster(ovn("100.99.0.0/16", "100.99.0.0/16")),
    [
      `violated ${TRANSIT} | OVN's join subnet and OVN's transit switch subnet are the same | write two different subnets`,
    ],
  ],
  [
    "two overlapping but different subnets are no finding of ovn-subnet-invalid",
    ovnSubnetInvalid,
    hostedCluster(ovn("100.99.0.0/16", "100.99.0.0/17")),
    [],
  ],
  [
    "two fields of one subnet are a finding",
    ovnSubnetInvalid,
    withOvn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" }, v4InternalSubnet: "100.99.0.0/16" }),
    [
      `violated ${OVN}.v4InternalSubnet | is set together with internalJoinSubnet, and the network operator uses both for one subnet | write one of the two`,
    ],
  ],
  [
    "host bits are a finding",
    ovnSubnetInvalid,
    network({ ipv4: { internalJoinSubnet: "100.99.0.7/16" } }),
    [`violated ${IN_NETWORK}.ipv4.internalJoinSubnet | 100.99.0.7/16 has host bits | write 100.99.0.0/16`],
  ],
  [
    "another spelling of a block is no finding",
    ovnSubnetInvalid,
    network({ ipv6: { internalJoinSubnet: "FD98:0::/64" } }),
    [],
  ],
  [
    "too few addresses are a finding of ovn-subnet-capacity",
    ovnSubnetCapacity,
    hostedCluster(ovn("100.99.0.0/24")),
    [
      `violated ${JOIN} | 100.99.0.0/24 is too small for the 512 nodes that the cluster network has room for | write /22 or larger`,
    ],
  ],
  [
    "too few addresses are no finding of ovn-subnet-invalid",
    ovnSubnetInvalid,
    hostedCluster(ovn("100.99.0.0/24")),
    [],
  ],
  [
    "a release that does not support the subnet is a finding",
    ovnSubnetRelease,
    hostedCluster({
      release: { image: "quay.io/openshift-release-dev/ocp-release:4.19.1-x86_64" },
      ...ovn("100.99.0.0/24"),
    }),
    [`violated ${JOIN} | release 4.19 does not have it | upgrade to 4.20 or newer, or leave it out`],
  ],
])("%s", (_, rule, object, expected) => {
  expect(lines(rule, [object])).toEqual(expected);
});

describe("a Network operator object with two fields of one subnet", () => {
  test.each<[string, Properties, string]>([
    [
      "IPv4",
      { v4InternalSubnet: "100.99.0.0/24", ipv4: { internalJoinSubnet: "100.99.0.0/24" } },
      "v4InternalSubnet",
    ],
    [
      "IPv6",
      { v6InternalSubnet: "fd98::/117", ipv6: { internalJoinSubnet: "fd98::/117" } },
      "v6InternalSubnet",
    ],
  ])("has one finding if both are the same: %s", (_, config, field) => {
    expect(judge(ovnSubnetCapacity, [network(config)]).map(({ path }) => path)).toEqual([
      `${IN_NETWORK}.${field}`,
    ]);
  });

  test("is unknown in both fields if both are unknown", () => {
    const config: Properties = { v4InternalSubnet: UNKNOWN, ipv4: { internalJoinSubnet: UNKNOWN } };
    expect(unknownLines(ovnSubnetInvalid, network(config))).toEqual(
      ["ipv4.internalJoinSubnet", "v4InternalSubnet"].map(
        (field) => `unknown ${IN_NETWORK}.${field} | Network cluster: ${IN_NETWORK}.${field}`,
      ),
    );
  });
});

describe("an unknown value", () => {
  const patch = resource(`${HOSTED_CLUSTER}Patch`, "move", {
    metadata: { name: "tenant-a", namespace: "clusters" },
    spec: ovn("100.99.0.0/24"),
  });

  test.each<[string, Rule, Resource, string]>([
    ["a subnet", ovnSubnetInvalid, hostedCluster(ovn(UNKNOWN)), `${JOIN} | HostedCluster tenant-a: ${JOIN}`],
    [
      "the number of nodes",
      ovnSubnetCapacity,
      patch,
      `${JOIN} | HostedClusterPatch move: ${JOIN}, how many nodes the cluster network has room for`,
    ],
    [
      "the release",
      ovnSubnetRelease,
      hostedCluster({ ...DIGEST, ...ovn("100.99.0.0/16") }),
      `${JOIN} | HostedCluster tenant-a: ${JOIN}, whether the release is 4.20 or newer`,
    ],
    [
      "the release, with the platform",
      ovnSubnetRelease,
      hostedCluster({ ...DIGEST, platform: UNKNOWN, ...ovn("100.99.0.0/16") }),
      `${JOIN} | HostedCluster tenant-a: ${JOIN}, whether the release is 4.20 or newer`,
    ],
    [
      "the release of OpenShift SDN",
      ovnSubnetInvalid,
      hostedCluster({ ...DIGEST, networking: networking("10.0.0.0/16", { networkType: "OpenShiftSDN" }) }),
      "spec.networking.networkType | HostedCluster tenant-a: spec.networking.networkType, whether the release is older than 4.17, the first that has no OpenShift SDN any more",
    ],
  ])("is reported with the reason: %s", (_, rule, object, expected) => {
    expect(unknownLines(rule, object)).toEqual([`unknown ${expected}`]);
  });

  test.each<[string, Rule, Resource]>([
    [
      "the number of nodes without a subnet",
      ovnSubnetCapacity,
      hostedCluster({ networking: networking("10.0.0.0/16", { clusterNetwork: UNKNOWN }) }),
    ],
    [
      "the release of a Network operator object, which all releases have",
      ovnSubnetRelease,
      network({ ipv4: { internalJoinSubnet: "100.99.0.0/16" } }),
    ],
    [
      "the release of a subnet without a minimum release",
      ovnSubnetRelease,
      hostedCluster({
        ...DIGEST,
        ...{
          operatorConfiguration: {
            clusterNetworkOperator: { ovnKubernetesConfig: { v4InternalSubnet: "100.99.0.0/16" } },
          },
        },
      }),
    ],
    ["the release with another network type", ovnSubnetInvalid, hostedCluster(DIGEST)],
    ["the platform", ovnSubnetInvalid, hostedCluster({ ...DIGEST, platform: UNKNOWN })],
  ])("does not matter: %s", (_, rule, object) => {
    expect(lines(rule, [object])).toEqual([]);
  });

  test.each<[string, Rule, Resource]>([
    ["a subnet", ovnSubnetRelease, hostedCluster(ovn("100.99.0.0/16"))],
    [
      "OpenShift SDN",
      ovnSubnetInvalid,
      hostedCluster({ networking: networking("10.0.0.0/16", { networkType: "OpenShiftSDN" }) }),
    ],
  ])("is reported as secret if the release is a secret next to %s", (_, rule, object) => {
    const secret = hidden(object, "spec.release.image");
    expect(judge(rule, [secret]).map(({ status, path }) => `${status} ${path}`)).toContain(
      "unknown (secret) spec.release.image",
    );
  });

  test("is not reported as secret if another value is the secret", () => {
    const object = hostedCluster({ ...DIGEST, ...ovn("100.99.0.0/16"), pullSecret: { name: "pull" } });
    const secret = hidden(object, "spec.pullSecret.name");
    expect(judge(ovnSubnetRelease, [secret]).map(({ status, path }) => `${status} ${path}`)).toEqual([
      `unknown ${JOIN}`,
    ]);
    const sdn = hostedCluster({
      ...DIGEST,
      pullSecret: { name: "pull" },
      networking: networking("10.0.0.0/16", { networkType: "OpenShiftSDN" }),
    });
    expect(
      judge(ovnSubnetInvalid, [hidden(sdn, "spec.pullSecret.name")]).map(
        ({ status, path }) => `${status} ${path}`,
      ),
    ).toEqual(["unknown spec.networking.networkType"]);
  });
});

describe("topologies that other rules judge", () => {
  const topology = {
    name: "tenant-a",
    platform: "AWS",
    machineNetwork: [{ cidr: "10.0.0.0/16" }],
    networkType: "OpenShiftSDN",
    internalJoinSubnet: "0.99.0.0/16",
  };
  test.each([ovnSubnetInvalid, ovnSubnetCapacity, ovnSubnetRelease])(
    "$id does not judge topologies of components and of the configuration",
    (rule) => {
      const configuration: Configuration = {
        file: "hypershift-network.yaml",
        clusters: [{ path: "hostedClusters[0]", topology, securityGroups: {} }],
        levels: {},
      };
      expect(judge(rule, [], configuration)).toEqual([]);
      expect(judge(rule, [resource(COMPONENT, "tenant-a", { topology })])).toEqual([]);
    },
  );
});

test.each<[Rule, readonly string[]]>([
  [ovnSubnetInvalid, [HOSTED_CLUSTER, NETWORK, NODE_POOL]],
  [ovnSubnetCapacity, [HOSTED_CLUSTER, NETWORK]],
  [ovnSubnetRelease, [HOSTED_CLUSTER]],
])("$id judges these types as single objects", (rule, types) => {
  const all = [HOSTED_CLUSTER, NETWORK, NODE_POOL, TYPE.vpc];
  expect(all.filter((type) => rule.single!(type))).toEqual(types);
});
