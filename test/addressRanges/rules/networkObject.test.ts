import { cidrOverlap, cidrReservedOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import { UNKNOWN, type PropertyValue } from "../../../src/resources/resource";
import { judge, linesOf, standaloneNetwork, type Properties } from "../../rules/builders";

const ovn = (ovnKubernetesConfig: Properties): Properties => ({ defaultNetwork: { ovnKubernetesConfig } });
const lines = (spec: Properties) =>
  [cidrOverlap, cidrReservedOverlap].flatMap((rule) =>
    judge(rule, [standaloneNetwork(spec)]).map((one) => linesOf([one])),
  );
/** Which places of the object share addresses with what. */
const found = (spec: Properties) =>
  lines(spec).map(
    (line) =>
      /^violated (\S+) .* shares addresses with (.*?)(?: of Network cluster|: | \| )/
        .exec(line)
        ?.slice(1)
        .join(": ") ?? line,
  );
const AT = "spec.defaultNetwork.ovnKubernetesConfig";

test("ranges of a Network object that share addresses are said with its name", () => {
  expect(lines({ serviceNetwork: ["10.129.0.0/16"] })).toEqual([
    "violated spec.clusterNetwork[0].cidr | the cluster network 10.128.0.0/14 of Network cluster shares addresses with the service network 10.129.0.0/16 | move the cluster network or the service network to addresses that nothing else uses | 10.129.0.0 is in both",
  ]);
  expect(lines({ serviceNetwork: ["100.64.0.0/16"] })).toEqual([
    "violated spec.serviceNetwork[0] | the service network 100.64.0.0/16 shares addresses with OVN's default join subnet 100.64.0.0/16 of Network cluster: replies of pods to those addresses never leave the node | move the service network | 100.64.0.0 is in both",
  ]);
});

test.each<[string, Properties, string[]]>([
  [
    "pods of hybrid nodes",
    ovn({
      hybridOverlayConfig: { hybridClusterNetwork: [{ cidr: "10.140.0.0/16" }, { cidr: "10.129.0.0/16" }] },
    }),
    ["spec.clusterNetwork[0].cidr: the hybrid cluster network 10.129.0.0/16"],
  ],
  [
    "the transit switch",
    ovn({ ipv4: { internalTransitSwitchSubnet: "172.30.9.0/24" } }),
    ["spec.serviceNetwork[0]: OVN's transit switch subnet 172.30.9.0/24"],
  ],
  [
    "the masquerade subnet",
    ovn({ gatewayConfig: { ipv4: { internalMasqueradeSubnet: "172.30.9.0/24" } } }),
    ["spec.serviceNetwork[0]: OVN's masquerade subnet 172.30.9.0/24"],
  ],
  [
    "the join subnet",
    ovn({ ipv4: { internalJoinSubnet: "172.30.9.0/24" } }),
    ["spec.serviceNetwork[0]: OVN's join subnet 172.30.9.0/24"],
  ],
  [
    "the join subnet by its older name",
    ovn({ v4InternalSubnet: "172.30.9.0/24" }),
    ["spec.serviceNetwork[0]: OVN's join subnet 172.30.9.0/24"],
  ],
  [
    "the older name beside the newer one, which holds",
    ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" }, v4InternalSubnet: "172.30.9.0/24" }),
    [],
  ],
])("addresses of Services are not those of %s", (_, spec, expected) => {
  expect(found(spec)).toEqual(expected);
});

/** Services in the default range of something. */
const inDefault = { join: ["100.64.0.0/16"], transit: ["100.88.0.0/16"], masquerade: ["169.254.4.0/24"] };

test.each<[string, Properties, string[]]>([
  [
    "OVN's join subnet",
    { serviceNetwork: inDefault.join },
    ["spec.serviceNetwork[0]: OVN's default join subnet 100.64.0.0/16"],
  ],
  [
    "OVN's transit switch subnet",
    { serviceNetwork: inDefault.transit },
    ["spec.serviceNetwork[0]: OVN's default transit switch subnet 100.88.0.0/16"],
  ],
  [
    "OVN's masquerade subnet",
    { serviceNetwork: inDefault.masquerade },
    ["spec.serviceNetwork[0]: OVN's masquerade subnet 169.254.0.0/17"],
  ],
  [
    "nothing where it is moved",
    { serviceNetwork: inDefault.join, ...ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" } }) },
    [],
  ],
  [
    "nothing that is known where the setting is not",
    { serviceNetwork: inDefault.join, ...ovn({ ipv4: { internalJoinSubnet: UNKNOWN } }) },
    [],
  ],
  [
    "its default where the setting is no block",
    { serviceNetwork: inDefault.join, ...ovn({ v4InternalSubnet: "everywhere" }) },
    ["spec.serviceNetwork[0]: OVN's default join subnet 100.64.0.0/16"],
  ],
  [
    "nothing of OVN where the network is another one",
    { serviceNetwork: inDefault.join, networkType: "Calico" },
    [],
  ],
  [
    "OVN's where that is not known",
    { serviceNetwork: inDefault.join, networkType: UNKNOWN },
    ["spec.serviceNetwork[0]: OVN's default join subnet 100.64.0.0/16"],
  ],
  [
    "IPv4 as long as nothing says the pods' family",
    { clusterNetwork: UNKNOWN, serviceNetwork: inDefault.join },
    ["spec.serviceNetwork[0]: OVN's default join subnet 100.64.0.0/16"],
  ],
  ["no IPv6 then", { clusterNetwork: UNKNOWN, serviceNetwork: ["fd98::/112"] }, []],
  [
    "no IPv4 where pods have IPv6",
    { clusterNetwork: [{ cidr: "fd01::/48" }], serviceNetwork: inDefault.join },
    [],
  ],
])("by default a cluster takes %s", (_, spec, expected) => {
  expect(found(spec)).toEqual(expected);
});

test.each<PropertyValue>(["everywhere", 7, UNKNOWN])("%p is no range of Services", (service) => {
  expect(found({ clusterNetwork: [{ cidr: "172.30.0.0/16" }], serviceNetwork: [service] })).toEqual([]);
});

test.each([
  ["spec.clusterNetwork[0].cidr", { clusterNetwork: [{ cidr: "100.64.0.0/16" }] }],
  [
    `${AT}.hybridOverlayConfig.hybridClusterNetwork[0].cidr`,
    ovn({ hybridOverlayConfig: { hybridClusterNetwork: [{ cidr: "100.64.0.0/16" }] } }),
  ],
])("what was written is what has to move: %s", (path, spec) => {
  expect(found(spec)).toEqual([`${path}: OVN's default join subnet 100.64.0.0/16`]);
});
