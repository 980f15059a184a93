import type { ObjectRule } from "../../../src/requirements/hostedCluster";
import { Platform } from "../../../src/requirements/vocabulary";
import { by, byNodePort, nodePorts, type Change } from "./objects";

/** An object that is rejected because of its network, and the rule that finds this before. */
export interface Refusal {
  /** What is rejected. */
  fact: string;
  /** What rejects it: the API server immediately, others after they accepted it. */
  by: "API server" | "HyperShift" | "network operator" | "Azure";
  on?: Platform;
  /** The change of an accepted HostedCluster. */
  spec: Change;
  rule: ObjectRule | "cidr-overlap" | "cidr-reserved-overlap" | "ovn-subnet-capacity" | "ovn-subnet-release";
  /** The path of the finding. */
  path: string;
}

const { AWS, Azure, GCP, IBMCloud, KubeVirt, None, OpenStack, PowerVS } = Platform;
const UUID = "6d3f1a52-0c4b-4f0e-9a57-3b1f0d1c2e4a";
const NET = "spec.networking";
const CNO = "spec.operatorConfiguration.clusterNetworkOperator";
const OVN = `${CNO}.ovnKubernetesConfig`;
const networking = (more: object): Change => ({ networking: more });
const operator = (clusterNetworkOperator: object): Change => ({
  operatorConfiguration: { clusterNetworkOperator },
});
const ovn = (ovnKubernetesConfig: object): Change => operator({ ovnKubernetesConfig });
const server = { by: "API server" } as const;
const controller = { by: "HyperShift" } as const;
const cno = { by: "network operator" } as const;
const many = (count: number) => Array.from({ length: count }, (_, at) => `10.${at >> 8}.${at & 255}.0/24`);
const rest = ["OAuthServer", "Konnectivity", "Ignition"].map((name) => by(name, "Route"));
const label = (length: number) => "a".repeat(length);
const long = `${label(250)}.com`;

const LISTS = ["machineNetwork", "clusterNetwork", "serviceNetwork"];

/** 2.1: the lists of spec.networking. */
const lists: Refusal[] = LISTS.flatMap((list): Refusal[] => {
  const at = `${NET}.${list}`;
  const rule = { ...server, rule: "cidr-invalid" } as const;
  const cidrs = (...texts: unknown[]) => networking({ [list]: texts.map((cidr) => ({ cidr })) });
  return [
    { ...rule, fact: `${list} without an entry`, spec: networking({ [list]: [] }), path: at },
    {
      ...rule,
      fact: `${list} with three entries`,
      spec: cidrs("10.200.0.0/16", "fd01::/48", "10.201.0.0/16"),
      path: at,
    },
    { ...rule, fact: `${list} without cidr`, spec: networking({ [list]: [{}] }), path: `${at}[0].cidr` },
    { ...rule, fact: `${list} with an empty cidr`, spec: cidrs(""), path: `${at}[0].cidr` },
    { ...rule, fact: `${list} without a mask`, spec: cidrs("10.200.0.0"), path: `${at}[0].cidr` },
    { ...rule, fact: `${list} with a name`, spec: cidrs("nodes"), path: `${at}[0].cidr` },
    { ...rule, fact: `${list} with a number`, spec: cidrs(10), path: `${at}[0].cidr` },
    {
      ...rule,
      fact: `${list} with more than 43 characters`,
      spec: cidrs("2001:0db8:0000:0000:0000:0000:0000:000000000/128"),
      path: `${at}[0].cidr`,
    },
    { ...rule, fact: `${list} that is not a list`, spec: networking({ [list]: "10.200.0.0/16" }), path: at },
    {
      ...rule,
      fact: `${list} with a block in place of an object, as in the Network operator's lists`,
      spec: networking({ [list]: ["10.200.0.0/16"] }),
      path: `${at}[0]`,
    },
    {
      ...controller,
      rule: "cidr-invalid",
      fact: `${list} with a mask that does not exist`,
      spec: cidrs("10.200.0.0/33"),
      path: `${at}[0].cidr`,
    },
    {
      ...controller,
      rule: "cidr-invalid",
      fact: `${list} with an octet that does not exist`,
      spec: cidrs("10.300.0.0/16"),
      path: `${at}[0].cidr`,
    },
  ];
});

const networks: Refusal[] = [
  {
    ...server,
    fact: "machine and cluster network are the same",
    spec: networking({ machineNetwork: [{ cidr: "10.132.0.0/14" }] }),
    rule: "cidr-overlap",
    path: `${NET}.machineNetwork[0].cidr`,
  },
  {
    ...server,
    fact: "machine and service network are the same",
    spec: networking({ machineNetwork: [{ cidr: "172.31.0.0/16" }] }),
    rule: "cidr-overlap",
    path: `${NET}.machineNetwork[0].cidr`,
  },
  {
    ...server,
    fact: "cluster and service network are the same",
    spec: networking({ clusterNetwork: [{ cidr: "172.31.0.0/16" }] }),
    rule: "cidr-overlap",
    path: `${NET}.clusterNetwork[0].cidr`,
  },
  {
    ...controller,
    fact: "the machine network lies in the cluster network",
    spec: networking({ machineNetwork: [{ cidr: "10.133.0.0/16" }] }),
    rule: "cidr-overlap",
    path: `${NET}.machineNetwork[0].cidr`,
  },
  {
    ...controller,
    fact: "the service network lies in the cluster network",
    spec: networking({ serviceNetwork: [{ cidr: "10.135.0.0/16" }] }),
    rule: "cidr-overlap",
    path: `${NET}.clusterNetwork[0].cidr`,
  },
  {
    ...controller,
    fact: "the first networks are of two families",
    spec: networking({ serviceNetwork: [{ cidr: "fd02::/112" }] }),
    rule: "cidr-invalid",
    path: `${NET}.serviceNetwork`,
  },
  {
    ...controller,
    fact: "the machine network is of another family",
    spec: networking({ machineNetwork: [{ cidr: "fd05::/64" }] }),
    rule: "cidr-invalid",
    path: `${NET}.machineNetwork`,
  },
  {
    ...controller,
    fact: "the advertised address is of another family",
    spec: networking({ apiServer: { advertiseAddress: "fd00::5" } }),
    rule: "cidr-invalid",
    path: `${NET}.apiServer.advertiseAddress`,
  },
  {
    ...controller,
    fact: "the advertised address is none",
    spec: networking({ apiServer: { advertiseAddress: "api" } }),
    rule: "cidr-invalid",
    path: `${NET}.apiServer.advertiseAddress`,
  },
  {
    ...server,
    fact: "the advertised address has more than 255 characters",
    spec: networking({ apiServer: { advertiseAddress: label(256) } }),
    rule: "cidr-invalid",
    path: `${NET}.apiServer.advertiseAddress`,
  },
  {
    ...controller,
    fact: "the advertised address lies in the cluster network",
    spec: networking({ apiServer: { advertiseAddress: "10.132.0.1" } }),
    rule: "cidr-overlap",
    path: `${NET}.clusterNetwork[0].cidr`,
  },
  {
    ...controller,
    fact: "the advertised address lies in the service network",
    spec: networking({ apiServer: { advertiseAddress: "172.31.0.7" } }),
    rule: "cidr-overlap",
    path: `${NET}.serviceNetwork[0].cidr`,
  },
  {
    ...controller,
    fact: "the default advertised address lies in the machine network",
    spec: networking({
      machineNetwork: [{ cidr: "172.16.0.0/12" }],
      serviceNetwork: [{ cidr: "10.96.0.0/16" }],
    }),
    rule: "cidr-reserved-overlap",
    path: `${NET}.machineNetwork[0].cidr`,
  },
  {
    ...controller,
    fact: "the default advertised address lies in the cluster network",
    spec: networking({ clusterNetwork: [{ cidr: "172.20.0.0/14" }] }),
    rule: "cidr-reserved-overlap",
    path: `${NET}.clusterNetwork[0].cidr`,
  },
  {
    ...controller,
    fact: "the default advertised address lies in the service network",
    spec: networking({ serviceNetwork: [{ cidr: "172.20.0.0/16" }] }),
    rule: "cidr-reserved-overlap",
    path: `${NET}.serviceNetwork[0].cidr`,
  },
  {
    ...controller,
    fact: "the default IPv6 address of the API server lies in the cluster network",
    spec: networking({
      machineNetwork: [{ cidr: "fd05::/64" }],
      clusterNetwork: [{ cidr: "fd00::/48", hostPrefix: 64 }],
      serviceNetwork: [{ cidr: "fd02::/112" }],
    }),
    rule: "cidr-reserved-overlap",
    path: `${NET}.clusterNetwork[0].cidr`,
  },
  {
    ...controller,
    fact: "the API server's node port is reached inside the service network",
    on: None,
    spec: { services: [byNodePort("APIServer", { address: "172.31.5.5" }), ...nodePorts.slice(1)] },
    rule: "cidr-overlap",
    path: "spec.services[0].servicePublishingStrategy.nodePort.address",
  },
  ...[{ networking: { serviceNetwork: null } }, { networking: null }].map((unsaid, position): Refusal => ({
    ...controller,
    fact: `the API server's node port is reached inside the default service network (${position})`,
    on: None,
    spec: {
      ...unsaid,
      services: [byNodePort("APIServer", { address: "172.31.5.5" }), ...nodePorts.slice(1)],
    },
    rule: "cidr-overlap",
    path: "spec.services[0].servicePublishingStrategy.nodePort.address",
  })),
  {
    ...server,
    fact: "a host prefix that is not a number",
    spec: networking({ clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: "23" }] }),
    rule: "cidr-invalid",
    path: `${NET}.clusterNetwork[0].hostPrefix`,
  },
  {
    ...cno,
    fact: "a host prefix that is not part of the cluster network",
    spec: networking({ clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 14 }] }),
    rule: "cidr-invalid",
    path: `${NET}.clusterNetwork[0].hostPrefix`,
  },
  ...[31, 32].map((hostPrefix): Refusal => ({
    ...cno,
    fact: `a host prefix of ${hostPrefix}`,
    spec: networking({ clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix }] }),
    rule: "cidr-invalid",
    path: `${NET}.clusterNetwork[0].hostPrefix`,
  })),
  {
    ...cno,
    fact: "a host prefix larger than the cluster network of Calico",
    spec: networking({ networkType: "Calico", clusterNetwork: [{ cidr: "10.132.0.0/24", hostPrefix: 23 }] }),
    rule: "cidr-invalid",
    path: `${NET}.clusterNetwork[0].hostPrefix`,
  },
  {
    ...cno,
    fact: "a host prefix of IPv6 other than 64",
    spec: networking({
      machineNetwork: [{ cidr: "fd05::/64" }],
      clusterNetwork: [{ cidr: "fd01::/48", hostPrefix: 60 }],
      serviceNetwork: [{ cidr: "fd02::/112" }],
    }),
    rule: "cidr-invalid",
    path: `${NET}.clusterNetwork[0].hostPrefix`,
  },
  {
    ...cno,
    fact: "two families of pods and one of services",
    spec: networking({ clusterNetwork: [{ cidr: "10.132.0.0/14" }, { cidr: "fd01::/48", hostPrefix: 64 }] }),
    rule: "cidr-invalid",
    path: `${NET}.serviceNetwork`,
  },
  ...[GCP, IBMCloud, Platform.PowerVS].map((on) => ({
    ...cno,
    on,
    fact: `two families on ${on}`,
    spec: networking({
      clusterNetwork: [{ cidr: "10.132.0.0/14" }, { cidr: "fd01::/48", hostPrefix: 64 }],
      serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "fd02::/112" }],
    }),
    rule: "cidr-invalid" as const,
    path: `${NET}.clusterNetwork`,
  })),
  ...(
    [
      [AWS, "4.20.4", "TechPreviewNoUpgrade"],
      [AWS, "4.21.0", ""],
      [Azure, "4.20.4", ""],
      [Azure, "4.22.1", ""],
    ] as const
  ).map(([on, release, featureSet]) => ({
    ...cno,
    on,
    fact: `two families on ${on} with ${release} and the features ${featureSet || "by default"}`,
    spec: {
      ...networking({
        clusterNetwork: [{ cidr: "10.132.0.0/14" }, { cidr: "fd01::/48", hostPrefix: 64 }],
        serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "fd02::/112" }],
      }),
      release: { image: `quay.io/a/b:${release}-x86_64` },
      configuration: { featureGate: { featureSet } },
    },
    rule: "cidr-invalid" as const,
    path: `${NET}.clusterNetwork`,
  })),
  ...["Default", "techPreviewNoUpgrade"].map((featureSet): Refusal => ({
    ...server,
    fact: `the features ${featureSet}`,
    spec: { configuration: { featureGate: { featureSet } } },
    rule: "cidr-invalid",
    path: "spec.configuration.featureGate.featureSet",
  })),
  {
    ...cno,
    fact: "two IPv4 ranges of pods with parts of two sizes",
    spec: networking({
      clusterNetwork: [{ cidr: "10.132.0.0/16" }, { cidr: "10.140.0.0/16", hostPrefix: 24 }],
    }),
    rule: "cidr-invalid",
    path: `${NET}.clusterNetwork[1].hostPrefix`,
  },
  {
    ...cno,
    fact: "two ranges of services of one family",
    spec: networking({ serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "172.30.0.0/16" }] }),
    rule: "cidr-invalid",
    path: `${NET}.serviceNetwork`,
  },
  {
    ...controller,
    fact: "the second machine network lies in the cluster network",
    spec: networking({ machineNetwork: [{ cidr: "10.0.0.0/24" }, { cidr: "10.133.0.0/24" }] }),
    rule: "cidr-overlap",
    path: `${NET}.machineNetwork[1].cidr`,
  },
  {
    ...controller,
    fact: "the machine network with host bits lies in the cluster network",
    spec: networking({ machineNetwork: [{ cidr: "10.133.0.1/16" }] }),
    rule: "cidr-overlap",
    path: `${NET}.machineNetwork[0].cidr`,
  },
  {
    ...server,
    fact: "a network type that does not exist",
    spec: networking({ networkType: "OVNKubernets" }),
    rule: "ovn-subnet-invalid",
    path: `${NET}.networkType`,
  },
  {
    ...server,
    fact: "a third-party network type",
    spec: networking({ networkType: "Cilium" }),
    rule: "ovn-subnet-invalid",
    path: `${NET}.networkType`,
  },
  ...["", "a".repeat(256)].map((networkType): Refusal => ({
    ...server,
    fact: `a network type of ${networkType.length} characters`,
    spec: networking({ networkType }),
    rule: "ovn-subnet-invalid",
    path: `${NET}.networkType`,
  })),
  {
    ...cno,
    fact: "OpenShift SDN with a release that has none",
    spec: networking({ networkType: "OpenShiftSDN" }),
    rule: "ovn-subnet-invalid",
    path: `${NET}.networkType`,
  },
  {
    ...server,
    fact: "allocateNodeCIDRs with Calico",
    spec: networking({ networkType: "Calico", allocateNodeCIDRs: "Enabled" }),
    rule: "ovn-subnet-invalid",
    path: `${NET}.allocateNodeCIDRs`,
  },
  {
    ...server,
    fact: "disableMultiNetwork with Calico",
    spec: { ...networking({ networkType: "Calico" }), ...operator({ disableMultiNetwork: true }) },
    rule: "ovn-subnet-invalid",
    path: `${CNO}.disableMultiNetwork`,
  },
  {
    ...server,
    fact: "disableMultiNetwork with OpenShiftSDN",
    spec: { ...networking({ networkType: "OpenShiftSDN" }), ...operator({ disableMultiNetwork: true }) },
    rule: "ovn-subnet-invalid",
    path: `${CNO}.disableMultiNetwork`,
  },
  {
    ...server,
    fact: "allocateNodeCIDRs with another word",
    spec: networking({ allocateNodeCIDRs: "true" }),
    rule: "ovn-subnet-invalid",
    path: `${NET}.allocateNodeCIDRs`,
  },
  {
    ...server,
    fact: "allocateNodeCIDRs with OVN-Kubernetes",
    spec: networking({ allocateNodeCIDRs: "Enabled" }),
    rule: "ovn-subnet-invalid",
    path: `${NET}.allocateNodeCIDRs`,
  },
  {
    ...server,
    fact: "a port of the API server that is a text",
    spec: networking({ apiServer: { port: "6443" } }),
    rule: "publishing-unsupported",
    path: `${NET}.apiServer.port`,
  },
  {
    ...controller,
    fact: "a port of the API server that no int32 holds",
    spec: networking({ apiServer: { port: 2 ** 31 } }),
    rule: "publishing-unsupported",
    path: `${NET}.apiServer.port`,
  },
  {
    ...server,
    fact: "more than 500 allowed blocks",
    spec: networking({ apiServer: { allowedCIDRBlocks: many(501) } }),
    rule: "cidr-invalid",
    path: `${NET}.apiServer.allowedCIDRBlocks`,
  },
  {
    ...server,
    fact: "an allowed block twice",
    spec: networking({ apiServer: { allowedCIDRBlocks: ["198.51.100.0/24", "198.51.100.0/24"] } }),
    rule: "cidr-invalid",
    path: `${NET}.apiServer.allowedCIDRBlocks`,
  },
  {
    ...server,
    fact: "an allowed block without a mask",
    spec: networking({ apiServer: { allowedCIDRBlocks: ["198.51.100.7"] } }),
    rule: "cidr-invalid",
    path: `${NET}.apiServer.allowedCIDRBlocks[0]`,
  },
  {
    ...server,
    fact: "an allowed block that is empty",
    spec: networking({ apiServer: { allowedCIDRBlocks: [""] } }),
    rule: "cidr-invalid",
    path: `${NET}.apiServer.allowedCIDRBlocks[0]`,
  },
];

/** 2.2: the internal IPv4 subnets of OVN-Kubernetes, each with the rules that apply to both. */
const ipv4Subnets: Refusal[] = ["internalJoinSubnet", "internalTransitSwitchSubnet"].flatMap((field) =>
  (
    [
      ["that is not a CIDR block", "100.99.0.0"],
      ["of IPv6", "fd99::/64"],
      ["with an octet above 255", "100.256.0.0/16"],
      ["with /31", "100.99.0.0/31"],
      ["with /33", "100.99.0.0/33"],
      ["that begins with 0", "0.99.0.0/16"],
      ["of fewer than 9 characters", "1.0.0.0/"],
      ["of more than 18 characters", "100.099.000.000/016"],
      ["that is empty", ""],
      ["that is a number", 100],
    ] as const
  ).map(([what, value]): Refusal => ({
    ...server,
    fact: `${field} ${what}`,
    spec: ovn({ ipv4: { [field]: value } }),
    rule: "ovn-subnet-invalid",
    path: `${OVN}.ipv4.${field}`,
  })),
);

const dual = {
  networking: {
    machineNetwork: [{ cidr: "10.0.0.0/16" }, { cidr: "fd05::/64" }],
    clusterNetwork: [{ cidr: "10.132.0.0/14" }, { cidr: "fd01::/48", hostPrefix: 64 }],
    serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "fd02::/112" }],
  },
};
const ofRelease = (release: string) => ({ release: { image: `quay.io/a/b:${release}-x86_64` } });
const features = (featureSet: string) => ({ configuration: { featureGate: { featureSet } } });
const dualOvn = (config: object): Change => ({ ...dual, ...ovn(config) });

const ipv6Subnets: Refusal[] = ["internalJoinSubnet", "internalTransitSwitchSubnet"].flatMap((field) =>
  (
    [
      ["that is not a CIDR block", "fd99::"],
      ["of IPv4", "100.99.0.0/16"],
      ["with /126", "fd99::/126"],
      ["that is empty", ""],
    ] as const
  ).map(([what, value]): Refusal => ({
    ...server,
    fact: `ipv6.${field} ${what}`,
    spec: dualOvn({ ipv6: { [field]: value } }),
    rule: "ovn-subnet-invalid",
    path: `${OVN}.ipv6.${field}`,
  })),
);

const singleSubnets: Refusal[] = (
  [
    ["v4InternalSubnet", "that is not a CIDR block", "100.99.0.0"],
    ["v4InternalSubnet", "of IPv6", "fd99::/64"],
    ["v4InternalSubnet", "with /31", "100.99.0.0/31"],
    ["v4InternalSubnet", "that begins with 0", "0.99.0.0/16"],
    ["v6InternalSubnet", "that is not a CIDR block", "fd99::"],
    ["v6InternalSubnet", "of IPv4", "100.99.0.0/16"],
    ["v6InternalSubnet", "with /126", "fd99::/126"],
  ] as const
).map(([field, what, value]): Refusal => ({
  ...server,
  fact: `${field} ${what}`,
  spec: dualOvn({ [field]: value }),
  rule: "ovn-subnet-invalid",
  path: `${OVN}.${field}`,
}));

const operatorSettings: Refusal[] = [
  {
    ...server,
    fact: "join and transit switch subnet are the same",
    spec: ovn({
      ipv4: { internalJoinSubnet: "100.99.0.0/16", internalTransitSwitchSubnet: "100.99.0.0/16" },
    }),
    rule: "ovn-subnet-invalid",
    path: `${OVN}.ipv4.internalTransitSwitchSubnet`,
  },
  {
    ...controller,
    fact: "join and transit switch subnet are the same but for host bits",
    spec: ovn({
      ipv4: { internalJoinSubnet: "100.99.0.0/16", internalTransitSwitchSubnet: "100.99.0.1/16" },
    }),
    rule: "ovn-subnet-invalid",
    path: `${OVN}.ipv4.internalTransitSwitchSubnet`,
  },
  {
    ...server,
    fact: "IPv6 join and transit switch subnet are the same",
    spec: dualOvn({ ipv6: { internalJoinSubnet: "fd99::/64", internalTransitSwitchSubnet: "fd99::/64" } }),
    rule: "ovn-subnet-invalid",
    path: `${OVN}.ipv6.internalTransitSwitchSubnet`,
  },
  {
    ...server,
    fact: "ovnKubernetesConfig that is empty",
    spec: ovn({}),
    rule: "ovn-subnet-invalid",
    path: OVN,
  },
  {
    ...server,
    fact: "ipv4 that is empty",
    spec: ovn({ ipv4: {} }),
    rule: "ovn-subnet-invalid",
    path: `${OVN}.ipv4`,
  },
  {
    ...server,
    fact: "ipv6 that is empty",
    spec: ovn({ ipv6: {} }),
    rule: "ovn-subnet-invalid",
    path: `${OVN}.ipv6`,
  },
  ...[575, 9217, "1400", 1400.5].map((mtu): Refusal => ({
    ...server,
    fact: `an MTU of ${JSON.stringify(mtu)}`,
    spec: ovn({ mtu }),
    rule: "ovn-subnet-invalid",
    path: `${OVN}.mtu`,
  })),
  {
    ...cno,
    fact: "an MTU below 1280 with IPv6",
    spec: dualOvn({ mtu: 1279 }),
    rule: "ovn-subnet-invalid",
    path: `${OVN}.mtu`,
  },
  {
    ...server,
    fact: "ovnKubernetesConfig with another network type",
    spec: { ...networking({ networkType: "Calico" }), ...ovn({ mtu: 1400 }) },
    rule: "ovn-subnet-invalid",
    path: OVN,
  },
  {
    ...server,
    fact: "an internal subnet with another network type",
    spec: {
      ...networking({ networkType: "Other" }),
      ...ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" } }),
    },
    rule: "ovn-subnet-invalid",
    path: `${OVN}.ipv4.internalJoinSubnet`,
  },
  {
    ...server,
    fact: "disableMultiNetwork with OVN-Kubernetes",
    spec: operator({ disableMultiNetwork: true }),
    rule: "ovn-subnet-invalid",
    path: `${CNO}.disableMultiNetwork`,
  },
  {
    ...server,
    fact: "disableMultiNetwork that is a text",
    spec: operator({ disableMultiNetwork: "yes" }),
    rule: "ovn-subnet-invalid",
    path: `${CNO}.disableMultiNetwork`,
  },
  ...["internalJoinSubnet", "internalTransitSwitchSubnet"].map((field): Refusal => ({
    ...controller,
    fact: `${field} in the machine network`,
    spec: ovn({ ipv4: { [field]: "10.0.0.0/18" } }),
    rule: "cidr-overlap",
    path: `${NET}.machineNetwork[0].cidr`,
  })),
  ...["internalJoinSubnet", "internalTransitSwitchSubnet"].map((field): Refusal => ({
    ...controller,
    fact: `IPv6 ${field} in the cluster network`,
    spec: dualOvn({ ipv6: { [field]: "fd01::/64" } }),
    rule: "cidr-overlap",
    path: `${NET}.clusterNetwork[1].cidr`,
  })),
  {
    ...controller,
    fact: "v4InternalSubnet in the service network",
    spec: ovn({ v4InternalSubnet: "172.31.0.0/18" }),
    rule: "cidr-overlap",
    path: `${NET}.serviceNetwork[0].cidr`,
  },
  {
    ...controller,
    fact: "v6InternalSubnet in the machine network",
    spec: dualOvn({ v6InternalSubnet: "fd05::/64" }),
    rule: "cidr-overlap",
    path: `${NET}.machineNetwork[1].cidr`,
  },
  {
    ...controller,
    fact: "the join subnet around the transit switch subnet",
    spec: ovn({
      ipv4: { internalJoinSubnet: "100.64.0.0/10", internalTransitSwitchSubnet: "100.88.0.0/16" },
    }),
    rule: "cidr-overlap",
    path: `${OVN}.ipv4.internalJoinSubnet`,
  },
  {
    ...controller,
    fact: "KubeVirt's own join subnet in the machine network",
    on: KubeVirt,
    spec: networking({ machineNetwork: [{ cidr: "100.66.0.0/16" }] }),
    rule: "cidr-reserved-overlap",
    path: `${NET}.machineNetwork[0].cidr`,
  },
  {
    ...controller,
    fact: "KubeVirt's own IPv6 join subnet in the machine network",
    on: KubeVirt,
    spec: {
      networking: { ...dual.networking, machineNetwork: [{ cidr: "10.0.0.0/16" }, { cidr: "fd99::/64" }] },
    },
    rule: "cidr-reserved-overlap",
    path: `${NET}.machineNetwork[1].cidr`,
  },
  {
    ...cno,
    fact: "a join subnet on KubeVirt",
    on: KubeVirt,
    spec: ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" } }),
    rule: "ovn-subnet-invalid",
    path: `${OVN}.ipv4.internalJoinSubnet`,
  },
  {
    ...cno,
    fact: "v4InternalSubnet beside another join subnet",
    spec: ovn({ v4InternalSubnet: "100.98.0.0/16", ipv4: { internalJoinSubnet: "100.99.0.0/16" } }),
    rule: "ovn-subnet-invalid",
    path: `${OVN}.v4InternalSubnet`,
  },
  {
    ...cno,
    fact: "a join subnet that is too small for the nodes",
    spec: ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/23" } }),
    rule: "ovn-subnet-capacity",
    path: `${OVN}.ipv4.internalJoinSubnet`,
  },
  {
    ...cno,
    fact: "an IPv6 subnet that is too small for the nodes",
    spec: dualOvn({ ipv6: { internalJoinSubnet: "fd99::/120" } }),
    rule: "ovn-subnet-capacity",
    path: `${OVN}.ipv6.internalJoinSubnet`,
  },
  {
    ...controller,
    fact: "an internal subnet before 4.20",
    spec: {
      ...ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" } }),
      release: { image: "quay.io/a/b:4.19.2-x86_64" },
    },
    rule: "ovn-subnet-release",
    path: `${OVN}.ipv4.internalJoinSubnet`,
  },
];

/** 2.3: the proxy, of which the API checks only the types. */
const PROXY = "spec.configuration.proxy";
const proxy = (settings: object): Change => ({ configuration: { proxy: settings } });
const proxies: Refusal[] = [
  ...["httpProxy", "httpsProxy", "noProxy"].map((name): Refusal => ({
    ...server,
    fact: `${name} that is not a string`,
    spec: proxy({ [name]: 3128 }),
    rule: "proxy-invalid",
    path: `${PROXY}.${name}`,
  })),
  {
    ...server,
    fact: "readinessEndpoints that are no list",
    spec: proxy({ httpProxy: "http://p.example.com:3128", readinessEndpoints: "https://example.com" }),
    rule: "proxy-invalid",
    path: `${PROXY}.readinessEndpoints`,
  },
  ...[
    "www.example.com",
    "ftp://example.com",
    "http://",
    "http://example.com:99999",
    "http://foo_bar.example.com",
    "https://example.com",
  ].map((endpoint): Refusal => ({
    ...cno,
    fact: `a readiness endpoint ${endpoint}, and no trustedCA`,
    spec: proxy({
      httpProxy: "http://p.example.com:3128",
      readinessEndpoints: ["http://example.com", endpoint],
    }),
    rule: "proxy-invalid",
    path: `${PROXY}.readinessEndpoints[1]`,
  })),
  {
    ...server,
    fact: "trustedCA without a name",
    spec: proxy({ httpProxy: "http://p.example.com:3128", trustedCA: {} }),
    rule: "proxy-trusted-ca",
    path: `${PROXY}.trustedCA.name`,
  },
  ...(
    [
      ["httpProxy with https", "httpProxy", "https://p.example.com:3128"],
      ["httpProxy without a scheme", "httpProxy", "p.example.com:3128"],
      ["httpProxy without a host", "httpProxy", "http://"],
      ["httpsProxy with socks5", "httpsProxy", "socks5://p.example.com:1080"],
      ["noProxy with a URL", "noProxy", "http://example.com"],
      ["noProxy with * among others", "noProxy", ".example.com,*"],
      ["noProxy with a range that is none", "noProxy", "10.0.0.0/40"],
      ["noProxy with a comma at its end", "noProxy", ".example.com,"],
      ["noProxy with underscores", "noProxy", "my_host.example.com"],
      ["httpProxy with a long host", "httpProxy", `http://${"a.".repeat(126)}ab:3128`],
      ["noProxy with a long domain", "noProxy", `${"a.".repeat(126)}ab`],
    ] as const
  ).map(([fact, name, value]): Refusal => ({
    ...cno,
    fact,
    spec: proxy({ httpProxy: "http://p.example.com:3128", [name]: value }),
    rule: "proxy-invalid",
    path: `${PROXY}.${name}`,
  })),
  {
    ...cno,
    fact: "noProxy without a proxy",
    spec: proxy({ noProxy: ".example.com" }),
    rule: "proxy-invalid",
    path: PROXY,
  },
];

/** 2.4: the list of services. */
const S0 = "spec.services[0]";
const STRATEGY = `${S0}.servicePublishingStrategy`;
const first = (entry: object): Change => ({ services: [entry, ...rest] });
const publishing = { ...server, rule: "publishing-unsupported" } as const;
const services: Refusal[] = [
  { ...publishing, fact: "no services", spec: { services: null }, path: "spec.services" },
  { ...publishing, fact: "three services", spec: { services: rest }, path: "spec.services" },
  {
    ...publishing,
    fact: "two services on IBM Cloud",
    on: IBMCloud,
    spec: { services: rest.slice(1) },
    path: "spec.services",
  },
  {
    ...publishing,
    fact: "seven services",
    spec: {
      services: [
        by("APIServer", "LoadBalancer"),
        ...rest,
        by("OIDC", "None"),
        by("OVNSbDb", "None"),
        by("OIDC", "S3"),
      ],
    },
    path: "spec.services",
  },
  {
    ...controller,
    rule: "publishing-unsupported",
    fact: "four services, of which one is the API server thrice",
    on: KubeVirt,
    spec: { services: [...[1, 2, 3].map(() => by("APIServer", "LoadBalancer")), by("Ignition", "Route")] },
    path: "spec.services",
  },
  ...["APIServer", "OAuthServer", "Konnectivity", "Ignition"].flatMap((service) =>
    ["None", "S3"].map((type): Refusal => {
      const all = [by("APIServer", "LoadBalancer"), ...rest];
      const position = all.findIndex((entry) => entry.service === service);
      return {
        ...controller,
        rule: "publishing-unsupported",
        fact: `${service} published by ${type}`,
        spec: { services: all.toSpliced(position, 1, by(service, type)) },
        path: `spec.services[${position}].servicePublishingStrategy.type`,
      };
    }),
  ),
  {
    ...publishing,
    fact: "a service that does not exist",
    spec: { services: [by("APIServer", "LoadBalancer"), ...rest, by("Console", "Route")] },
    path: "spec.services[4].service",
  },
  {
    ...publishing,
    fact: "an entry without a service",
    spec: {
      services: [by("APIServer", "LoadBalancer"), ...rest, { servicePublishingStrategy: { type: "None" } }],
    },
    path: "spec.services[4].service",
  },
  {
    ...publishing,
    fact: "an entry without a strategy",
    spec: first({ service: "APIServer" }),
    path: STRATEGY,
  },
  {
    ...publishing,
    fact: "a strategy without a type",
    spec: first({ service: "APIServer", servicePublishingStrategy: {} }),
    path: `${STRATEGY}.type`,
  },
  {
    ...publishing,
    fact: "a strategy that does not exist",
    spec: first(by("APIServer", "Ingress")),
    path: `${STRATEGY}.type`,
  },
  {
    ...publishing,
    fact: "NodePort without nodePort",
    on: None,
    spec: { services: [by("APIServer", "NodePort"), ...nodePorts.slice(1)] },
    path: `${STRATEGY}.nodePort`,
  },
  ...(
    [
      ["Route", "nodePort", { address: "192.0.2.10" }],
      ["Route", "loadBalancer", { hostname: "api.example.com" }],
      ["LoadBalancer", "nodePort", { address: "192.0.2.10" }],
      ["LoadBalancer", "route", { hostname: "api.example.com" }],
      ["NodePort", "route", { hostname: "api.example.com" }],
      ["NodePort", "loadBalancer", { hostname: "api.example.com" }],
      ["None", "route", { hostname: "api.example.com" }],
      ["S3", "loadBalancer", { hostname: "api.example.com" }],
      ["None", "nodePort", { address: "192.0.2.10" }],
    ] as const
  ).map(([type, part, value]): Refusal => {
    const own = type === "NodePort" ? { nodePort: { address: "192.0.2.10" } } : {};
    return {
      ...publishing,
      fact: `${type} with ${part}`,
      on: KubeVirt,
      spec: { services: [by("APIServer", type, { ...own, [part]: value }), ...rest] },
      path: `${STRATEGY}.${part}`,
    };
  }),
  ...(["route", "loadBalancer"] as const).flatMap((part): Refusal[] =>
    (
      [
        ["without a dot", "api"],
        ["with an underscore", "my_api.example.com"],
        ["with a port", "api.example.com:6443"],
        ["that ends in a number", "api.example.1"],
        ["of more than 253 characters", long],
        ["that is empty", ""],
      ] as const
    ).map(([what, hostname]) => ({
      ...publishing,
      fact: `a host name of ${part} ${what}`,
      spec: first(by("APIServer", part === "route" ? "Route" : "LoadBalancer", { [part]: { hostname } })),
      path: `${STRATEGY}.${part}.hostname`,
    })),
  ),
  ...(
    [
      ["without a dot", "nodes"],
      ["with a port", "192.0.2.10:6443"],
      ["with a mask", "192.0.2.10/24"],
      ["with an underscore", "my_nodes.example.com"],
      ["with IPv4 inside IPv6", "::ffff:192.0.2.10"],
      ["with a zone", "fe80::1%eth0"],
      ["that is empty", ""],
      ["of more than 253 characters", long],
    ] as const
  ).map(([what, address]): Refusal => ({
    ...publishing,
    fact: `an address of a node port ${what}`,
    on: None,
    spec: { services: [byNodePort("APIServer", { address }), ...nodePorts.slice(1)] },
    path: `${STRATEGY}.nodePort.address`,
  })),
  {
    ...publishing,
    fact: "a node port without an address",
    on: None,
    spec: { services: [byNodePort("APIServer", { port: 31000 }), ...nodePorts.slice(1)] },
    path: `${STRATEGY}.nodePort.address`,
  },
  {
    ...server,
    fact: "a node port that is a text",
    on: None,
    spec: {
      services: [byNodePort("APIServer", { address: "192.0.2.10", port: "31000" }), ...nodePorts.slice(1)],
    },
    rule: "node-port-range",
    path: `${STRATEGY}.nodePort.port`,
  },
  {
    ...controller,
    fact: "a node port of the API server outside the default range",
    on: None,
    spec: {
      services: [byNodePort("APIServer", { address: "192.0.2.10", port: 6443 }), ...nodePorts.slice(1)],
    },
    rule: "node-port-range",
    path: `${STRATEGY}.nodePort.port`,
  },
  {
    ...controller,
    fact: "a node port of the API server outside the configured range",
    on: None,
    spec: {
      services: [byNodePort("APIServer", { address: "192.0.2.10", port: 31000 }), ...nodePorts.slice(1)],
      configuration: { network: { serviceNodePortRange: "20000-22767" } },
    },
    rule: "node-port-range",
    path: `${STRATEGY}.nodePort.port`,
  },
  ...["30000", "30000-99999", "a-b", "30000-", "-1-5"].map((serviceNodePortRange): Refusal => ({
    ...server,
    fact: `serviceNodePortRange ${serviceNodePortRange}`,
    spec: { configuration: { network: { serviceNodePortRange } } },
    rule: "node-port-range",
    path: "spec.configuration.network.serviceNodePortRange",
  })),
  {
    ...server,
    fact: "the load balancer's host name among the named certificates",
    spec: {
      services: [by("APIServer", "LoadBalancer", { loadBalancer: { hostname: "api.example.com" } }), ...rest],
      configuration: {
        apiServer: {
          servingCerts: {
            namedCertificates: [{ names: ["api.example.com"], servingCertificate: { name: "certificate" } }],
          },
        },
      },
    },
    rule: "publishing-unsupported",
    path: "spec.configuration.apiServer.servingCerts.namedCertificates[0].names",
  },
];

/** What a controller rejects, by service and platform. */
const at = "spec.services";
/** The path of the type in the last of four entries. */
const lastType = `${at}[3].servicePublishingStrategy.type`;
const refusedByController = { ...controller, rule: "publishing-unsupported", path: lastType } as const;
const without = (name: string) => rest.filter(({ service }) => service !== name);
const apiLoadBalancer = by("APIServer", "LoadBalancer");
const strategies: Refusal[] = [
  ...["Konnectivity", "OAuthServer", "Ignition"].map((name): Refusal => ({
    ...refusedByController,
    fact: `${name} by NodePort on AWS`,
    on: AWS,
    spec: { services: [apiLoadBalancer, ...without(name), byNodePort(name)] },
  })),
  ...["Konnectivity", "OAuthServer", "Ignition"].map((name): Refusal => ({
    ...refusedByController,
    fact: `${name} by LoadBalancer on AWS`,
    on: AWS,
    spec: { services: [apiLoadBalancer, ...without(name), by(name, "LoadBalancer")] },
  })),
  {
    ...refusedByController,
    fact: "the API server by Route without a host name on AWS",
    on: AWS,
    spec: { services: [by("APIServer", "Route"), ...rest] },
    path: S0,
  },
  {
    ...refusedByController,
    fact: "the API server by NodePort on AWS",
    on: AWS,
    spec: { services: [byNodePort("APIServer"), ...rest] },
    path: `${STRATEGY}.type`,
  },
  {
    ...refusedByController,
    fact: "the API server by NodePort on AWS with private access",
    on: AWS,
    spec: { services: [byNodePort("APIServer"), ...rest], platform: { aws: { endpointAccess: "Private" } } },
    path: `${STRATEGY}.type`,
  },
  {
    ...refusedByController,
    fact: "one host name for two services",
    on: KubeVirt,
    path: `${at}[3].servicePublishingStrategy.route.hostname`,
    spec: {
      services: [
        apiLoadBalancer,
        by("OAuthServer", "Route", { route: { hostname: "x.example.com" } }),
        by("Konnectivity", "Route"),
        by("Ignition", "Route", { route: { hostname: "x.example.com" } }),
      ],
    },
  },
  ...[None, KubeVirt, Platform.Agent, Platform.OpenStack].flatMap((on): Refusal[] => [
    {
      ...refusedByController,
      fact: `ignition by LoadBalancer on ${on}`,
      on,
      spec: { services: [apiLoadBalancer, ...without("Ignition"), by("Ignition", "LoadBalancer")] },
    },
    {
      ...refusedByController,
      fact: `OAuth by LoadBalancer on ${on}`,
      on,
      spec: { services: [apiLoadBalancer, ...without("OAuthServer"), by("OAuthServer", "LoadBalancer")] },
    },
  ]),
  ...["Konnectivity", "Ignition"].flatMap((name): Refusal[] => [
    {
      ...server,
      rule: "publishing-unsupported",
      path: lastType,
      fact: `${name} by NodePort on Azure`,
      on: Azure,
      spec: { services: [apiLoadBalancer, ...without(name), byNodePort(name)] },
    },
    {
      ...server,
      rule: "publishing-unsupported",
      path: at,
      fact: `no ${name} on Azure`,
      on: Azure,
      spec: { services: [apiLoadBalancer, ...without(name), by("OIDC", "None")] },
    },
  ]),
  {
    ...server,
    rule: "publishing-unsupported",
    path: lastType,
    fact: "OAuth by NodePort on Azure",
    on: Azure,
    spec: { services: [apiLoadBalancer, ...without("OAuthServer"), byNodePort("OAuthServer")] },
  },
  {
    ...server,
    rule: "publishing-unsupported",
    path: at,
    fact: "no OAuth on Azure",
    on: Azure,
    spec: { services: [apiLoadBalancer, ...without("OAuthServer"), by("OIDC", "None")] },
  },
  {
    ...server,
    rule: "publishing-unsupported",
    path: lastType,
    fact: "OAuth by LoadBalancer on managed Azure",
    on: Azure,
    spec: {
      services: [apiLoadBalancer, ...without("OAuthServer"), by("OAuthServer", "LoadBalancer")],
      platform: {
        azure: {
          azureAuthenticationConfig: {
            azureAuthenticationConfigType: "ManagedIdentities",
            workloadIdentities: null,
          },
        },
      },
    },
  },
];

/** 2.5: access, and the names of the cluster. */
const DNS = "spec.dns";
const access: Refusal[] = [
  { ...publishing, fact: "no platform", spec: { platform: null }, path: "spec.platform" },
  {
    ...publishing,
    fact: "a platform without its type",
    spec: { platform: { type: null } },
    path: "spec.platform.type",
  },
  {
    ...publishing,
    fact: "a platform that does not exist",
    spec: { platform: { type: "VSphere" } },
    path: "spec.platform.type",
  },
  {
    ...publishing,
    fact: "an endpoint access that does not exist",
    spec: { platform: { aws: { endpointAccess: "Internal" } } },
    path: "spec.platform.aws.endpointAccess",
  },
  {
    ...publishing,
    fact: "a topology that does not exist",
    on: Azure,
    spec: { platform: { azure: { topology: "Internal" } } },
    path: "spec.platform.azure.topology",
  },
  {
    ...publishing,
    fact: "public access on GCP",
    on: GCP,
    spec: { platform: { gcp: { endpointAccess: "Public" } } },
    path: "spec.platform.gcp.endpointAccess",
  },
  ...["Private", "PublicAndPrivate"].map((topology): Refusal => ({
    ...publishing,
    fact: `${topology} on Azure without its settings`,
    on: Azure,
    spec: { platform: { azure: { topology } } },
    path: "spec.platform.azure.private",
  })),
  {
    ...publishing,
    fact: "settings of private access with public access on Azure",
    on: Azure,
    spec: {
      platform: {
        azure: { topology: "Public", private: { type: "Swift", swift: { podNetworkInstance: "a" } } },
      },
    },
    path: "spec.platform.azure.private",
  },
  {
    ...publishing,
    fact: "private access of a type that does not exist",
    on: Azure,
    spec: { platform: { azure: { topology: "Private", private: { type: "Peering" } } } },
    path: "spec.platform.azure.private.type",
  },
  {
    ...publishing,
    fact: "PrivateLink without its settings",
    on: Azure,
    spec: { platform: { azure: { topology: "Private", private: { type: "PrivateLink" } } } },
    path: "spec.platform.azure.private.privateLink",
  },
  {
    ...publishing,
    fact: "Swift without its settings",
    on: Azure,
    spec: { platform: { azure: { topology: "Private", private: { type: "Swift" } } } },
    path: "spec.platform.azure.private.swift",
  },
  ...(
    [
      ["baseDomain", "with an underscore", "my_domain.com"],
      ["baseDomain", "that ends in a dot", "example.com."],
      ["baseDomain", "of more than 253 characters", long],
      ["baseDomainPrefix", "with a space", "my prefix"],
      ["publicZoneID", "that is empty", ""],
      ["publicZoneID", "of more than 258 characters", label(259)],
      ["privateZoneID", "that is empty", ""],
      ["privateZoneID", "of more than 265 characters", label(266)],
    ] as const
  ).map(([field, what, value]): Refusal => ({
    ...publishing,
    fact: `${field} ${what}`,
    spec: { dns: { [field]: value } },
    path: `${DNS}.${field}`,
  })),
  {
    ...publishing,
    fact: "dns without a base domain",
    spec: { dns: { baseDomain: null, publicZoneID: "zone" } },
    path: `${DNS}.baseDomain`,
  },
  ...(["api.example.1", "my_api.example.com", long] as const).map((kubeAPIServerDNSName): Refusal => ({
    ...publishing,
    fact: `kubeAPIServerDNSName ${kubeAPIServerDNSName.slice(0, 20)}`,
    spec: { kubeAPIServerDNSName },
    path: "spec.kubeAPIServerDNSName",
  })),
];

/** How the default ingress controller is published. */
const ingress: Refusal[] = (
  [
    [{}, "type"],
    [{ type: "Route" }, "type"],
    [{ type: "LoadBalancerService", loadBalancer: {} }, "loadBalancer.scope"],
    [{ type: "LoadBalancerService", loadBalancer: { scope: "Public" } }, "loadBalancer.scope"],
    [
      { type: "LoadBalancerService", loadBalancer: { scope: "Internal", dnsManagementPolicy: "None" } },
      "loadBalancer.dnsManagementPolicy",
    ],
    [{ type: "HostNetwork", hostNetwork: { httpPort: 65536 } }, "hostNetwork.httpPort"],
    [{ type: "HostNetwork", hostNetwork: { statsPort: -1 } }, "hostNetwork.statsPort"],
    [{ type: "Private", private: { protocol: "UDP" } }, "private.protocol"],
    ...["10.0.0.0", "10.0.0.0/33", "10.0.0.256/24", "fd00::/129", "office"].map(
      (range) =>
        [
          {
            type: "LoadBalancerService",
            loadBalancer: { scope: "Internal", allowedSourceRanges: [range] },
          },
          "loadBalancer.allowedSourceRanges[0]",
        ] as const,
    ),
  ] as const
).map(([endpointPublishingStrategy, place]): Refusal => ({
  ...server,
  fact: `an ingress controller with ${JSON.stringify(endpointPublishingStrategy)}`,
  spec: { operatorConfiguration: { ingressOperator: { endpointPublishingStrategy } } },
  rule: place.includes("Ranges") ? "cidr-invalid" : "publishing-unsupported",
  path: `spec.operatorConfiguration.ingressOperator.endpointPublishingStrategy.${place}`,
}));

/** Diagnostics of the network. */
const diagnostics: Refusal[] = [
  ...["all", "Enabled", true].map((mode) => [{ mode }, ".mode"] as const),
  ["Disabled", ""] as const,
  ...["sourcePlacement", "targetPlacement"].flatMap((name) => [
    [{ mode: "Disabled", [name]: {} }, `.${name}`] as const,
    [{ [name]: "workers" }, `.${name}`] as const,
  ]),
].map(([networkDiagnostics, place]): Refusal => ({
  ...server,
  fact: `network diagnostics ${JSON.stringify(networkDiagnostics)}`,
  spec: { configuration: { network: { networkDiagnostics } } },
  rule: "ovn-subnet-invalid",
  path: `spec.configuration.network.networkDiagnostics${place}`,
}));

/** The networks of the clouds. */
const googleNetwork = (name: string, value: unknown): Change => ({
  platform: { gcp: { networkConfig: { [name]: { name: value } } } },
});
const privateAccess = (settings: object): Change => ({
  platform: { azure: { topology: "Private", private: settings } },
});
const openStack = (settings: object): Change => ({ platform: { openstack: settings } });
const azureSubnet = (group: string, network: string, subnet: string): string =>
  `/subscriptions/sub/resourceGroups/${group}/providers/Microsoft.Network/virtualNetworks/${network}/subnets/${subnet}`;
const cloudNetworks: Refusal[] = [
  ...(
    [
      [
        "API server",
        [
          "nodes",
          `${azureSubnet("rg", "vnet", "nodes")}/more`,
          azureSubnet("rg", "vnet", "nodes").replace("Network", "Net"),
          azureSubnet("rg.", "vnet", "nodes"),
          azureSubnet("rg", "v", "nodes"),
          azureSubnet("rg", "vnet.", "nodes"),
          azureSubnet("rg", "vnet-", "nodes"),
          azureSubnet("rg", "vnet", "_"),
          azureSubnet("rg", "vnet", "nodes."),
          azureSubnet("rg", "vnet", "nodes-"),
          azureSubnet(label(90), label(64), label(80)).replace("/sub/", `/${label(100)}/`),
        ],
      ],
      // The API server looks for a valid name anywhere within each name.
      [
        "Azure",
        [
          azureSubnet(label(91), "vnet", "nodes"),
          azureSubnet("rg", label(65), "nodes"),
          azureSubnet("rg", "vnet", "_nodes"),
          azureSubnet("rg", "vnet", label(81)),
        ],
      ],
    ] as const
  ).flatMap(([by, ids]) =>
    ids.map((subnetID): Refusal => ({
      ...publishing,
      by,
      fact: `machines in the subnet ${subnetID}`,
      on: Azure,
      spec: { platform: { azure: { subnetID } } },
      path: "spec.platform.azure.subnetID",
    })),
  ),
  ...["network", "privateServiceConnectSubnet"].flatMap((name) =>
    ["Nodes", "nodes-", "1nodes", "", label(64), null].map((value): Refusal => ({
      ...publishing,
      fact: `${name} with the name ${JSON.stringify(value)}`,
      on: GCP,
      spec: googleNetwork(name, value),
      path: `spec.platform.gcp.networkConfig.${name}.name`,
    })),
  ),
  ...(
    [
      ["project", "My-Project"],
      ["project", "tena"],
      ["project", "tenant-"],
      ["project", "1tenant"],
      ["project", `t${label(30)}`],
      ["region", "us-central"],
      ["region", "us-central1-a"],
      ["region", "US-central1"],
      ["region", ""],
      ["networkConfig", null],
      ["networkConfig", "tenant-a"],
    ] as const
  ).map(([field, value]): Refusal => ({
    ...publishing,
    fact: `${field} of Google Cloud as ${JSON.stringify(value)}`,
    on: GCP,
    spec: { platform: { gcp: { [field]: value } } },
    path: `spec.platform.gcp.${field}`,
  })),
  ...["network", "privateServiceConnectSubnet"].map((name): Refusal => ({
    ...publishing,
    fact: `Google Cloud without ${name}`,
    on: GCP,
    spec: { platform: { gcp: { networkConfig: { [name]: null } } } },
    path: `spec.platform.gcp.networkConfig.${name}`,
  })),
  ...["", "Instance", "-instance", label(64)].map((podNetworkInstance): Refusal => ({
    ...publishing,
    fact: `Swift with the instance ${JSON.stringify(podNetworkInstance)}`,
    on: Azure,
    spec: privateAccess({ type: "Swift", swift: { podNetworkInstance } }),
    path: "spec.platform.azure.private.swift.podNetworkInstance",
  })),
  {
    ...publishing,
    fact: "Swift without an instance",
    on: Azure,
    spec: privateAccess({ type: "Swift", swift: {} }),
    path: "spec.platform.azure.private.swift.podNetworkInstance",
  },
  {
    ...publishing,
    fact: "PrivateLink with empty settings",
    on: Azure,
    spec: privateAccess({ type: "PrivateLink", privateLink: {} }),
    path: "spec.platform.azure.private.privateLink",
  },
  {
    ...publishing,
    fact: "PrivateLink with a name for its subnet",
    on: Azure,
    spec: privateAccess({ type: "PrivateLink", privateLink: { natSubnetID: "nat" } }),
    path: "spec.platform.azure.private.privateLink.natSubnetID",
  },
  {
    ...publishing,
    fact: "PrivateLink without an identity of the control plane operator",
    on: Azure,
    spec: {
      platform: {
        azure: {
          topology: "Private",
          private: { type: "PrivateLink", privateLink: { additionalAllowedSubscriptions: [] } },
          azureAuthenticationConfig: { workloadIdentities: { controlPlaneOperator: null } },
        },
      },
    },
    path: "spec.platform.azure.azureAuthenticationConfig.workloadIdentities.controlPlaneOperator",
  },
  {
    ...publishing,
    fact: "a floating IP of ingress that is a name",
    on: OpenStack,
    spec: openStack({ ingressFloatingIP: "apps.example.com" }),
    path: "spec.platform.openstack.ingressFloatingIP",
  },
  ...[1499, 9001, "1500"].map((networkMTU): Refusal => ({
    ...server,
    fact: `an MTU of ${JSON.stringify(networkMTU)} on OpenStack`,
    on: OpenStack,
    spec: openStack({ networkMTU }),
    rule: "ovn-subnet-invalid",
    path: "spec.platform.openstack.networkMTU",
  })),
  ...["network", "externalNetwork", "router"].flatMap((name) =>
    (
      [
        [{ id: "nodes" }, "id"],
        [{ filter: {} }, "filter"],
        [{ filter: { tags: ["a,b"] } }, "filter.tags[0]"],
        [{ filter: { notTagsAny: ["a", "a"] } }, "filter.notTagsAny"],
      ] as const
    ).map(([value, place]): Refusal => ({
      ...server,
      fact: `${name} of OpenStack as ${JSON.stringify(value)}`,
      on: OpenStack,
      spec: openStack({ [name]: value }),
      rule: "ovn-subnet-invalid",
      path: `spec.platform.openstack.${name}.${place}`,
    })),
  ),
  ...(
    [
      [{ subnets: [{ filter: {} }] }, "subnets[0].filter"],
      [{ subnets: [{ id: "nodes" }] }, "subnets[0].id"],
      [
        { managedSubnets: [{ allocationPools: [{ start: "10.0.0.9" }] }] },
        "managedSubnets[0].allocationPools[0].end",
      ],
      [{ managedSubnets: [{ dnsNameservers: many(11) }] }, "managedSubnets[0].dnsNameservers"],
    ] as const
  ).map(([settings, place]): Refusal => ({
    ...server,
    fact: `OpenStack with ${place}`,
    on: OpenStack,
    spec: openStack(settings),
    rule: "ovn-subnet-invalid",
    path: `spec.platform.openstack.${place}`,
  })),
  ...["subnet", "vpc", "vpc.name", "vpc.region"].map((field): Refusal => ({
    ...publishing,
    fact: `PowerVS without ${field}`,
    on: PowerVS,
    spec: {
      platform: {
        powervs: field.startsWith("vpc.")
          ? { vpc: { [field.slice("vpc.".length)]: null } }
          : { [field]: null },
      },
    },
    path: `spec.platform.powervs.${field}`,
  })),
  {
    ...publishing,
    fact: "a cloud provider on AWS without its VPC",
    spec: { platform: { aws: { cloudProviderConfig: { zone: "us-east-1a" } } } },
    path: "spec.platform.aws.cloudProviderConfig.vpc",
  },
  ...["network", "externalNetwork", "router"].flatMap((name) =>
    [{}, { id: UUID, filter: { name: "nodes" } }].map((value): Refusal => ({
      ...server,
      fact: `${name} of OpenStack with ${Object.keys(value).length} ways to find it`,
      on: OpenStack,
      spec: openStack({ [name]: value }),
      rule: "ovn-subnet-invalid",
      path: `spec.platform.openstack.${name}`,
    })),
  ),
  {
    ...server,
    fact: "three subnets on OpenStack",
    on: OpenStack,
    spec: openStack({ subnets: [{ id: UUID }, { id: UUID }, { id: UUID }] }),
    rule: "ovn-subnet-invalid",
    path: "spec.platform.openstack.subnets",
  },
  {
    ...server,
    fact: "two subnets that HyperShift makes on OpenStack",
    on: OpenStack,
    spec: openStack({ managedSubnets: [{}, {}] }),
    rule: "ovn-subnet-invalid",
    path: "spec.platform.openstack.managedSubnets",
  },
];

/** Every networking fact for which HostedClusters are rejected when they are created. */
/** A string or a list instead of settings: every field below it would be silently missing. */
const noObjects: Refusal[] = (
  [
    ["cidr-invalid", NET, { networking: ["10.0.0.0/16"] }],
    ["cidr-invalid", `${NET}.apiServer`, networking({ apiServer: "172.20.0.1" })],
    ["ovn-subnet-invalid", "spec.operatorConfiguration", { operatorConfiguration: "none" }],
    ["ovn-subnet-invalid", CNO, { operatorConfiguration: { clusterNetworkOperator: true } }],
    ["proxy-invalid", "spec.configuration", { configuration: "default" }],
    ["proxy-invalid", PROXY, { configuration: { proxy: "http://proxy.example.com:3128" } }],
    ["proxy-trusted-ca", `${PROXY}.trustedCA`, proxy({ trustedCA: "user-ca-bundle" })],
    ["publishing-unsupported", "spec.platform", { platform: "AWS" }],
    ["publishing-unsupported", DNS, { dns: "example.com" }],
    ["publishing-unsupported", S0, { services: ["APIServer", ...rest] }],
    [
      "publishing-unsupported",
      `${STRATEGY}.route`,
      first(by("APIServer", "Route", { route: "api.example.com" })),
    ],
  ] as const
).map(([rule, path, spec]): Refusal => ({
  ...server,
  fact: `${path} that is not an object`,
  rule,
  path,
  spec,
}));

export const refusals: readonly Refusal[] = [
  ...noObjects,
  ...lists,
  ...networks,
  ...ipv4Subnets,
  ...ipv6Subnets,
  ...singleSubnets,
  ...operatorSettings,
  ...proxies,
  ...services,
  ...strategies,
  ...access,
  ...cloudNetworks,
  ...diagnostics,
  ...ingress,
];

/** Accepted objects, which no rule may report as an error. */
export const accepted: readonly { what: string; on?: Platform; spec: Change }[] = [
  ...Object.values(Platform).map((on) => ({ what: `the least on ${on}`, on, spec: {} })),
  { what: "two families", on: OpenStack, spec: dual },
  { what: "two families on AWS by default", spec: { ...dual, ...ofRelease("5.0.0") } },
  {
    what: "two families on AWS by a feature gate",
    spec: { ...dual, ...ofRelease("4.21.0"), ...features("TechPreviewNoUpgrade") },
  },
  {
    what: "two families on Azure by a feature gate",
    on: Azure,
    spec: { ...dual, ...ofRelease("4.22.1"), ...features("DevPreviewNoUpgrade") },
  },
  {
    what: "two families on AWS with a release that is not known",
    spec: { ...dual, release: { image: `quay.io/a/b@sha256:${"a".repeat(64)}` } },
  },
  { what: "two families on KubeVirt", on: KubeVirt, spec: dual },
  ...[
    { type: "Private" },
    {
      type: "LoadBalancerService",
      loadBalancer: { scope: "Internal", allowedSourceRanges: ["10.0.0.0/8", "fd00::/8", "2001:db8::1/128"] },
    },
    { type: "HostNetwork", hostNetwork: { httpPort: 0, httpsPort: 65535, protocol: "" } },
  ].map((endpointPublishingStrategy, at) => ({
    what: `the publishing of ingress (${at + 1})`,
    spec: { operatorConfiguration: { ingressOperator: { endpointPublishingStrategy } } },
  })),
  ...[
    { subnets: [{ filter: { tags: ["a", "b"], name: "nodes" } }, { id: UUID.replaceAll("-", "") }] },
    {
      managedSubnets: [
        { dnsNameservers: ["10.0.0.2"], allocationPools: [{ start: "10.0.0.9", end: "10.0.0.99" }] },
      ],
    },
  ].map((settings, at) => ({
    what: `networks on OpenStack (${at + 1})`,
    on: OpenStack,
    spec: openStack(settings),
  })),
  {
    what: "the longest names of a subnet on Azure",
    on: Azure,
    spec: {
      platform: { azure: { subnetID: azureSubnet(label(64), label(64), `${label(79)}_`) } },
    },
  },
  ...[
    { mode: "" },
    { mode: "Disabled" },
    { mode: "All", sourcePlacement: { nodeSelector: {} }, targetPlacement: {} },
    { sourcePlacement: {} },
  ].map((networkDiagnostics, at) => ({
    what: `network diagnostics (${at + 1})`,
    spec: { configuration: { network: { networkDiagnostics } } },
  })),
  ...LISTS.map((list) => ({
    what: `${list} with host bits, which count for nothing`,
    spec: networking({
      [list]: [{ cidr: "10.200.0.1/16", ...(list === "clusterNetwork" && { hostPrefix: 0 }) }],
    }),
  })),
  {
    what: "internal subnets with host bits",
    spec: ovn({
      ipv4: { internalJoinSubnet: "100.99.0.1/16", internalTransitSwitchSubnet: "100.69.0.1/16" },
    }),
  },
  {
    what: "allowed blocks with host bits",
    spec: networking({ apiServer: { allowedCIDRBlocks: ["198.51.100.7/24"] } }),
  },
  {
    what: "two ranges of machines of one family",
    spec: networking({ machineNetwork: [{ cidr: "10.0.0.0/24" }, { cidr: "10.0.1.0/24" }] }),
  },
  {
    what: "two ranges of pods of one family",
    spec: networking({ clusterNetwork: [{ cidr: "10.132.0.0/16" }, { cidr: "10.140.0.0/16" }] }),
  },
  {
    what: "only IPv6",
    on: Platform.Agent,
    spec: networking({
      machineNetwork: [{ cidr: "fd05::/64" }],
      clusterNetwork: [{ cidr: "fd01::/48", hostPrefix: 64 }],
      serviceNetwork: [{ cidr: "fd02::/112" }],
    }),
  },
  {
    what: "internal subnets of the least size",
    spec: ovn({
      ipv4: { internalJoinSubnet: "100.99.0.0/22", internalTransitSwitchSubnet: "100.69.0.0/22" },
    }),
  },
  {
    what: "IPv6 internal subnets",
    on: OpenStack,
    spec: dualOvn({ ipv6: { internalJoinSubnet: "fd9a::/64", internalTransitSwitchSubnet: "fd96::/64" } }),
  },
  { what: "the least MTU", spec: ovn({ mtu: 576 }) },
  { what: "the largest MTU", spec: ovn({ mtu: 9216 }) },
  { what: "another network type", spec: networking({ networkType: "Calico" }) },
  {
    what: "OpenShift SDN with the last release that has it",
    spec: { ...networking({ networkType: "OpenShiftSDN" }), release: { image: "quay.io/a/b:4.16.9-x86_64" } },
  },
  {
    what: "a part as large as the cluster network of another type",
    spec: networking({ networkType: "Calico", clusterNetwork: [{ cidr: "10.132.0.0/24", hostPrefix: 24 }] }),
  },
  {
    what: "another host prefix of IPv6 with another type",
    on: Platform.Agent,
    spec: networking({
      networkType: "Calico",
      machineNetwork: [{ cidr: "fd05::/64" }],
      clusterNetwork: [{ cidr: "fd01::/48", hostPrefix: 122 }],
      serviceNetwork: [{ cidr: "fd02::/112" }],
    }),
  },
  {
    what: "what goes with the network type Other",
    spec: {
      ...networking({ networkType: "Other", allocateNodeCIDRs: "Enabled" }),
      ...operator({ disableMultiNetwork: true }),
    },
  },
  {
    what: "500 allowed blocks of both families",
    spec: networking({ apiServer: { allowedCIDRBlocks: [...many(499), "2001:db8::/64"] } }),
  },
  {
    what: "another port and address of the API server",
    spec: networking({ apiServer: { port: 7443, advertiseAddress: "172.22.0.1" } }),
  },
  {
    what: "six services",
    spec: { services: [by("APIServer", "LoadBalancer"), ...rest, by("OIDC", "S3"), by("OVNSbDb", "None")] },
  },
  {
    what: "three services on IBM Cloud",
    on: IBMCloud,
    spec: { services: [by("APIServer", "Route"), ...rest.slice(0, 2)] },
  },
  {
    what: "host names",
    spec: {
      services: [
        by("APIServer", "Route", { route: { hostname: "api.tenant-a.example.com" } }),
        by("OAuthServer", "Route", { route: { hostname: "oauth.tenant-a.example.com" } }),
        ...rest.slice(1),
      ],
      kubeAPIServerDNSName: "kube.example.com",
    },
  },
  {
    what: "node ports of each kind of address",
    on: None,
    spec: {
      services: [
        byNodePort("APIServer", { address: "nodes.example.com", port: 31000 }),
        byNodePort("OAuthServer", { address: "192.0.2.10", port: 0 }),
        byNodePort("Konnectivity", { address: "2001:db8::10" }),
        byNodePort("Ignition", { address: "localhost" }),
      ],
    },
  },
  {
    what: "a node port of the API server in the range that is configured",
    on: None,
    spec: {
      services: [byNodePort("APIServer", { address: "192.0.2.10", port: 21000 }), ...nodePorts.slice(1)],
      configuration: { network: { serviceNodePortRange: "20000-22767" } },
    },
  },
  {
    what: "a base domain of one word, and zones",
    spec: { dns: { baseDomain: "cluster", baseDomainPrefix: "", publicZoneID: "Z1", privateZoneID: "Z2" } },
  },
  { what: "private access on AWS", spec: { platform: { aws: { endpointAccess: "Private" } } } },
  {
    what: "private access on Azure",
    on: Azure,
    spec: {
      platform: {
        azure: { topology: "Private", private: { type: "Swift", swift: { podNetworkInstance: "instance" } } },
      },
    },
  },
  {
    what: "networks on Google Cloud",
    on: GCP,
    spec: googleNetwork("network", "n"),
  },
  {
    what: "networks on OpenStack",
    on: OpenStack,
    spec: openStack({
      networkMTU: 1500,
      ingressFloatingIP: "2001:db8::7",
      network: { id: UUID },
      externalNetwork: { filter: { name: "public" } },
      subnets: [{ id: UUID }, { filter: { name: "nodes" } }],
    }),
  },
  {
    what: "OAuth by load balancer on self-managed Azure",
    on: Azure,
    spec: { services: [apiLoadBalancer, ...without("OAuthServer"), by("OAuthServer", "LoadBalancer")] },
  },
  {
    what: "konnectivity by load balancer",
    on: KubeVirt,
    spec: { services: [apiLoadBalancer, ...without("Konnectivity"), by("Konnectivity", "LoadBalancer")] },
  },
  {
    what: "a proxy",
    spec: proxy({
      httpProxy: "http://proxy.example.com:3128",
      httpsProxy: "https://proxy.example.com:3129",
      noProxy: ".example.com, 10.0.0.0/8,192.0.2.1",
      readinessEndpoints: ["http://example.com", "HTTP://example.com:8080/ready?a=b"],
      trustedCA: { name: "" },
    }),
  },
  {
    what: "a proxy whose settings are empty texts",
    spec: proxy({ httpProxy: "", httpsProxy: "", noProxy: "" }),
  },
  {
    what: "host bits in noProxy",
    spec: proxy({ httpProxy: "http://proxy.example.com:3128", noProxy: "10.0.0.1/8" }),
  },
];
