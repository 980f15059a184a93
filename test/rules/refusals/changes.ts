import { Platform } from "../../../src/requirements/vocabulary";
import { by, byNodePort, nodePorts, type Change } from "./objects";

/** A change of a running HostedCluster that is rejected. */
export interface RefusedChange {
  fact: string;
  /** What rejects it: the API server, or nobody, although the change removes the network from under the cluster. */
  by: "API server" | "nobody";
  on?: Platform;
  before: Change;
  after: Change;
  path: string;
}

const NET = "spec.networking";
const CNO = "spec.operatorConfiguration.clusterNetworkOperator";
const OVN = `${CNO}.ovnKubernetesConfig`;
const networking = (more: object): Change => ({ networking: more });
const operator = (clusterNetworkOperator: object): Change => ({
  operatorConfiguration: { clusterNetworkOperator },
});
const ovn = (ovnKubernetesConfig: object): Change => operator({ ovnKubernetesConfig });
const server = { by: "API server" } as const;

/** The value of one field before and after; null means no value. */
const field = (
  fact: string,
  path: string,
  spec: (value: unknown) => Change,
  [before, after]: readonly [unknown, unknown],
): RefusedChange => ({
  ...server,
  fact,
  path,
  before: before === null ? {} : spec(before),
  after: spec(after),
});

const dual = {
  clusterNetwork: [{ cidr: "10.132.0.0/14" }, { cidr: "fd01::/48", hostPrefix: 64 }],
  serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "fd02::/112" }],
};
const ipv6 = (config: object): Change => ({ networking: dual, ...ovn({ ipv6: config }) });
const single = (config: object): Change => ({ networking: dual, ...ovn(config) });
const join = "fd9a::/64";
const transit = "fd96::/64";
const other = { networkType: "Other" };
const routes = ["OAuthServer", "Konnectivity", "Ignition"].map((name) => by(name, "Route"));
const azure = (more: object): Change => ({ platform: { azure: more } });
const swift = { type: "Swift", swift: { podNetworkInstance: "instance" } };

/** Every immutable networking field of a HostedCluster, one by one. */
export const refusedChanges: readonly RefusedChange[] = [
  ...["clusterNetwork", "serviceNetwork", "machineNetwork"].map((list) =>
    field(`another ${list}`, `${NET}.${list}`, (cidr) => networking({ [list]: [{ cidr }] }), [
      "10.200.0.0/16",
      "10.201.0.0/16",
    ]),
  ),
  field(
    "an advertised address",
    `${NET}.apiServer.advertiseAddress`,
    (advertiseAddress) => networking({ apiServer: { advertiseAddress } }),
    ["172.22.0.1", "172.22.0.2"],
  ),
  field(
    "a port of the API server",
    `${NET}.apiServer.port`,
    (port) => networking({ apiServer: { port } }),
    [7443, 7444],
  ),
  field(
    "allocateNodeCIDRs",
    `${NET}.allocateNodeCIDRs`,
    (allocateNodeCIDRs) => networking({ ...other, allocateNodeCIDRs }),
    ["Disabled", "Enabled"],
  ),
  {
    ...field(
      "disableMultiNetwork",
      `${CNO}.disableMultiNetwork`,
      (disableMultiNetwork) => ({ ...networking(other), ...operator({ disableMultiNetwork }) }),
      [false, true],
    ),
  },
  ...(["clusterNetwork", "serviceNetwork"] as const).map((list): RefusedChange => ({
    ...server,
    fact: `another ${list} than the one by default is taken out`,
    path: `${NET}.${list}`,
    before: networking({ [list]: [{ cidr: "10.200.0.0/16" }] }),
    after: networking({ [list]: null }),
  })),
  {
    fact: "the machine network is taken out",
    by: "nobody",
    path: `${NET}.machineNetwork`,
    before: {},
    after: networking({ machineNetwork: null }),
  },
  {
    fact: "the network type",
    by: "nobody",
    path: `${NET}.networkType`,
    before: networking({ networkType: "Calico" }),
    after: networking({ networkType: "OVNKubernetes" }),
  },
  field("an MTU", `${OVN}.mtu`, (mtu) => ovn({ mtu }), [1400, 1500]),
  field(
    "the IPv6 join subnet",
    `${OVN}.ipv6.internalJoinSubnet`,
    (internalJoinSubnet) => ipv6({ internalJoinSubnet }),
    [join, "fd9b::/64"],
  ),
  field(
    "the IPv6 transit switch subnet",
    `${OVN}.ipv6.internalTransitSwitchSubnet`,
    (internalTransitSwitchSubnet) => ipv6({ internalTransitSwitchSubnet }),
    [transit, "fd95::/64"],
  ),
  field("v4InternalSubnet", `${OVN}.v4InternalSubnet`, (v4InternalSubnet) => single({ v4InternalSubnet }), [
    "100.99.0.0/16",
    "100.98.0.0/16",
  ]),
  field("v6InternalSubnet", `${OVN}.v6InternalSubnet`, (v6InternalSubnet) => single({ v6InternalSubnet }), [
    join,
    "fd9b::/64",
  ]),
  {
    ...server,
    fact: "the MTU is taken out",
    path: `${OVN}.mtu`,
    before: ovn({ mtu: 1400, ipv4: { internalJoinSubnet: "100.99.0.0/16" } }),
    after: ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" } }),
  },
  {
    ...server,
    fact: "the IPv6 join subnet is taken out",
    path: `${OVN}.ipv6.internalJoinSubnet`,
    before: ipv6({ internalJoinSubnet: join, internalTransitSwitchSubnet: transit }),
    after: ipv6({ internalTransitSwitchSubnet: transit }),
  },
  {
    ...server,
    fact: "the IPv6 transit switch subnet is taken out",
    path: `${OVN}.ipv6.internalTransitSwitchSubnet`,
    before: ipv6({ internalJoinSubnet: join, internalTransitSwitchSubnet: transit }),
    after: ipv6({ internalJoinSubnet: join }),
  },
  {
    ...server,
    fact: "ipv6 is taken out",
    path: `${OVN}.ipv6.internalJoinSubnet`,
    before: { networking: dual, ...ovn({ mtu: 1400, ipv6: { internalJoinSubnet: join } }) },
    after: { networking: dual, ...ovn({ mtu: 1400 }) },
  },
  {
    ...server,
    fact: "v4InternalSubnet is taken out",
    path: `${OVN}.v4InternalSubnet`,
    before: ovn({ mtu: 1400, v4InternalSubnet: "100.99.0.0/16" }),
    after: ovn({ mtu: 1400 }),
  },
  {
    ...server,
    fact: "v6InternalSubnet is taken out",
    path: `${OVN}.v6InternalSubnet`,
    before: single({ mtu: 1400, v6InternalSubnet: join }),
    after: single({ mtu: 1400 }),
  },
  {
    ...server,
    fact: "ovnKubernetesConfig is taken out",
    path: `${OVN}.ipv4.internalJoinSubnet`,
    before: ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" } }),
    after: operator({ disableMultiNetwork: false }),
  },
  {
    fact: "clusterNetworkOperator is taken out",
    by: "nobody",
    path: `${OVN}.ipv4.internalJoinSubnet`,
    before: ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" } }),
    after: {},
  },
  {
    ...server,
    fact: "a service by another strategy",
    on: Platform.KubeVirt,
    path: "spec.services",
    before: {},
    after: { services: [byNodePort("APIServer"), ...routes] },
  },
  {
    ...server,
    fact: "another node port",
    on: Platform.None,
    path: "spec.services",
    before: {},
    after: {
      services: [byNodePort("APIServer", { address: "192.0.2.10", port: 31000 }), ...nodePorts.slice(1)],
    },
  },
  {
    ...server,
    fact: "services in another order",
    on: Platform.None,
    path: "spec.services",
    before: {},
    after: { services: [...nodePorts].reverse() },
  },
  {
    ...server,
    fact: "another base domain",
    path: "spec.dns.baseDomain",
    before: {},
    after: { dns: { baseDomain: "example.org" } },
  },
  ...(["baseDomainPrefix", "publicZoneID", "privateZoneID"] as const).map((name) =>
    field(`another ${name}`, `spec.dns.${name}`, (value) => ({ dns: { [name]: value } }), ["one", "two"]),
  ),
  {
    ...server,
    fact: "a first baseDomainPrefix in place of an empty one",
    path: "spec.dns.baseDomainPrefix",
    before: { dns: { baseDomainPrefix: "" } },
    after: { dns: { baseDomainPrefix: "one" } },
  },
  {
    ...server,
    fact: "Azure from public to private access",
    on: Platform.Azure,
    path: "spec.platform.azure.topology",
    before: azure({ topology: "Public" }),
    after: azure({ topology: "Private", private: swift }),
  },
  {
    ...server,
    fact: "Azure from private to public access",
    on: Platform.Azure,
    path: "spec.platform.azure.topology",
    before: azure({ topology: "Private", private: swift }),
    after: azure({ topology: "Public" }),
  },
  {
    ...server,
    fact: "Azure's private topology is taken out",
    on: Platform.Azure,
    path: "spec.platform.azure.topology",
    before: azure({ topology: "Private", private: swift }),
    after: {},
  },
  {
    ...server,
    fact: "Azure's public topology is taken out",
    on: Platform.Azure,
    path: "spec.platform.azure.topology",
    before: azure({ topology: "Public" }),
    after: {},
  },
  {
    ...server,
    fact: "another type of Azure's private access",
    on: Platform.Azure,
    path: "spec.platform.azure.private.type",
    before: azure({ topology: "Private", private: swift }),
    after: azure({
      topology: "Private",
      private: {
        type: "PrivateLink",
        privateLink: {
          natSubnetID:
            "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/vnet/subnets/nat",
          additionalAllowedSubscriptions: [],
        },
      },
    }),
  },
];

/** Changes that a running cluster accepts. */
export const takenChanges: readonly { what: string; on?: Platform; before: Change; after: Change }[] = [
  { what: "nothing", before: {}, after: {} },
  ...(
    [
      ["clusterNetwork", [{ cidr: "10.132.0.0/14" }]],
      ["serviceNetwork", [{ cidr: "172.31.0.0/16" }]],
      ["networkType", "OVNKubernetes"],
    ] as const
  ).flatMap(([property, byDefault]) => {
    const [absent, written] = [null, byDefault].map((value) => networking({ [property]: value }));
    return [
      { what: `the default of ${property} is written out`, before: absent!, after: written! },
      { what: `the default of ${property} is taken out`, before: written!, after: absent! },
    ];
  }),
  {
    what: "another join subnet",
    before: ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" } }),
    after: ovn({ ipv4: { internalJoinSubnet: "100.98.0.0/16" } }),
  },
  { what: "a first join subnet", before: {}, after: ovn({ ipv4: { internalJoinSubnet: "100.98.0.0/16" } }) },
  {
    what: "allowed blocks",
    before: {},
    after: networking({ apiServer: { allowedCIDRBlocks: ["198.51.100.0/24"] } }),
  },
  { what: "access on AWS", before: {}, after: { platform: { aws: { endpointAccess: "Private" } } } },
  {
    what: "access among the private ones on Azure",
    on: Platform.Azure,
    before: azure({ topology: "Private", private: swift }),
    after: azure({ topology: "PublicAndPrivate", private: swift }),
  },
  {
    what: "services on IBM Cloud",
    on: Platform.IBMCloud,
    before: {},
    after: { services: [by("APIServer", "Route"), ...routes] },
  },
  {
    what: "a proxy",
    before: {},
    after: { configuration: { proxy: { httpProxy: "http://p.example.com:3128" } } },
  },
];
