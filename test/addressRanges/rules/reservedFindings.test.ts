import { cidrOverlap, cidrReservedOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import { UNKNOWN } from "../../../src/resources/resource";
import {
  around,
  hostedCluster,
  judge,
  networking,
  ovn,
  resource,
  violations,
  type Properties,
} from "../../rules/builders";

const release = (version: string) => ({
  release: { image: `quay.io/openshift-release-dev/ocp-release:${version}-x86_64` },
});
const OVN = "spec.operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig";
const CORPORATE = "infrastructure network corporate";

test.each<[string, string, Properties, string, object]>([
  [
    "a range that can be replaced",
    "100.64.3.0/24",
    {},
    "100.64.3.0/24 shares addresses with OVN's default join subnet 100.64.0.0/16 of clusters/tenant-a: replies of pods to those addresses never leave the node",
    {
      level: "error",
      fix: `move ${CORPORATE}, or set ${OVN}.ipv4.internalJoinSubnet to a range that nothing else uses`,
      witness: "100.64.3.0 is in both",
      requirement: "ovn-join",
      documents: [
        "OKD networking, Configuring internal OVN IPv4 subnets for hosted clusters",
        "OVN-Kubernetes, go-controller/pkg/config/config.go",
      ],
    },
  ],
  [
    "a range that only a later release can replace",
    "100.64.3.0/24",
    release("4.19.1"),
    "100.64.3.0/24 shares addresses with OVN's default join subnet 100.64.0.0/16 of clusters/tenant-a: replies of pods to those addresses never leave the node",
    { fix: `move ${CORPORATE}; ${OVN}.ipv4.internalJoinSubnet can set another range from release 4.20 on` },
  ],
  [
    "a range that every release can replace on KubeVirt",
    "100.66.3.0/24",
    { ...release("4.19.1"), platform: { type: "KubeVirt" } },
    "100.66.3.0/24 shares addresses with OVN's join subnet of KubeVirt guests 100.66.0.0/16 of clusters/tenant-a: replies of pods to those addresses never leave the node",
    { fix: `move ${CORPORATE}, or set ${OVN}.v4InternalSubnet to a range that nothing else uses` },
  ],
  [
    "a range of an unknown release",
    "100.64.3.0/24",
    { release: { image: `quay.io/ocp@sha256:${"0".repeat(64)}` } },
    "100.64.3.0/24 shares addresses with OVN's default join subnet 100.64.0.0/16 of clusters/tenant-a: replies of pods to those addresses never leave the node",
    { fix: `move ${CORPORATE}, or set ${OVN}.ipv4.internalJoinSubnet to a range that nothing else uses` },
  ],
  [
    "a reserved address",
    "172.20.0.0/24",
    {},
    "172.20.0.0/24 shares addresses with the address at which nodes reach the API server 172.20.0.1/32 of clusters/tenant-a: nodes send packets for those addresses to their own API proxy",
    {
      fix: `move ${CORPORATE}, or set spec.networking.apiServer.advertiseAddress to an address that nothing else uses`,
    },
  ],
  [
    "the default of a network that is not stated",
    "10.132.4.0/24",
    { networking: { machineNetwork: [{ cidr: "10.0.0.0/16" }] } },
    "10.132.4.0/24 shares addresses with the default cluster network 10.132.0.0/14 of clusters/tenant-a: packets for the shared addresses are lost",
    {
      level: "error",
      fix: `move ${CORPORATE}, or set spec.networking.clusterNetwork to a range that nothing else uses`,
      documents: [
        "OKD networking, Configuring internal OVN IPv4 subnets for hosted clusters",
        "OVN-Kubernetes, go-controller/pkg/config/config.go",
      ],
    },
  ],
  [
    "a range that only a feature uses",
    "100.65.3.0/24",
    {},
    "100.65.3.0/24 shares addresses with the join subnet of user-defined networks 100.65.0.0/16 of clusters/tenant-a: with primary user-defined networks without joinSubnets, none of which is in the input, replies of pods to those addresses never leave the node",
    {
      level: "warning",
      fix: `move ${CORPORATE}, or write joinSubnets in each of them`,
      requirement: "ovn-user-defined-join",
      documents: ["OVN-Kubernetes, go-controller/pkg/config/config.go"],
    },
  ],
  [
    "a range that a later release uses",
    "100.88.3.0/24",
    release("4.13.9"),
    "100.88.3.0/24 shares addresses with OVN's default transit switch subnet 100.88.0.0/16, which clusters/tenant-a uses from 4.14 on: with the upgrade from 4.13 to 4.14 traffic of pods between nodes and to those addresses is lost",
    {
      level: "warning",
      fix: `move ${CORPORATE} before the upgrade to 4.14; ${OVN}.ipv4.internalTransitSwitchSubnet can set another range from release 4.20 on`,
      witness: "100.88.3.0 is in both",
      requirement: "ovn-transit-switch",
      documents: [
        "OKD networking, Configuring internal OVN IPv4 subnets for hosted clusters",
        "OVN-Kubernetes, go-controller/pkg/config/config.go",
      ],
    },
  ],
  [
    "the bridge of container engines",
    "172.17.3.0/24",
    {},
    "172.17.3.0/24 of clusters/tenant-a shares addresses with the default bridge of Docker and engines like it 172.17.0.0/16: bastions, build machines and others with such an engine cannot reach those addresses",
    {
      level: "note",
      fix: `move ${CORPORATE}, or configure another bridge where such an engine runs`,
      witness: "172.17.3.0 is in both",
      requirement: "container-bridge",
      documents: ["Docker, Packet filtering and firewalls, bridge network driver"],
    },
  ],
])("a company network that overlaps %s has the right message and fix", (_, cidr, spec, words, more) => {
  expect(judge(cidrReservedOverlap, [hostedCluster(spec)], around(cidr))).toMatchObject([
    { path: "hostedClusters[0].infrastructureCidrs[0].cidr", message: `${CORPORATE} ${words}`, ...more },
  ]);
});

test("the only fix for machines in loopback addresses is to move them", () => {
  const cluster = hostedCluster({ networking: networking("127.0.0.0/24") });
  expect(violations(cidrReservedOverlap, [cluster]).map(({ message, fix }) => `${message} | ${fix}`)).toEqual(
    [
      "the machine network 127.0.0.0/24 shares addresses with loopback addresses 127.0.0.0/8 of clusters/tenant-a: no router forwards packets to those addresses | move the machine network",
    ],
  );
});

test("an unknown role names the range that the network may use", () => {
  const pending = resource("kubernetes:k8s.ovn.org/v1:UserDefinedNetwork", "blue", {
    spec: { layer2: { role: UNKNOWN } },
  });
  expect(judge(cidrReservedOverlap, [hostedCluster(), pending], around("100.65.3.0/24"))).toMatchObject([
    {
      status: "unknown",
      path: "spec.layer2.role",
      message: `UserDefinedNetwork blue: spec.layer2.role, whether ${CORPORATE} 100.65.3.0/24 shares addresses with the join subnet of user-defined networks 100.65.0.0/16 of clusters/tenant-a`,
    },
  ]);
});

test.each<[string, string, string, string[]]>([
  ["not reported if they are equal, which another rule reports", "100.99.0.0/16", "100.99.0.0/16", []],
  [
    "reported if they overlap",
    "100.99.0.0/16",
    "100.99.128.0/17",
    [
      "OVN's join subnet 100.99.0.0/16 of clusters/tenant-a shares addresses with OVN's transit switch subnet 100.99.128.0/17",
    ],
  ],
  [
    "reported if one of them is the machine network",
    "10.0.0.0/16",
    "100.98.0.0/16",
    [
      "the machine network 10.0.0.0/16 of clusters/tenant-a shares addresses with OVN's join subnet 10.0.0.0/16",
    ],
  ],
])("internal subnets are %s", (_, join, transit, expected) => {
  expect(violations(cidrOverlap, [hostedCluster(ovn(join, transit))]).map(({ message }) => message)).toEqual(
    expected,
  );
});

test("the count of further pairs says which ranges to move first", () => {
  const cidrs = Array.from({ length: 102 }, (_, place) => `10.0.${place}.0/24`);
  expect(violations(cidrOverlap, [hostedCluster()], around(...cidrs)).at(-1)).toMatchObject({
    message:
      "clusters/tenant-a: 2 further pairs of ranges share addresses, but not more than the listed pairs",
    fix: "move the listed ranges first",
    path: expect.stringContaining("spec.networking.machineNetwork[0].cidr") as string,
  });
});
