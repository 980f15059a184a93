import { readPrefix, withoutHostBits } from "../address";
import { onceForEach } from "../collections";
import {
  internalSubnet,
  internalSubnetProperties,
  type InternalSubnetProperty,
} from "../requirements/internalSubnets";
import { NetworkType, Platform } from "../requirements/vocabulary";
import { readValue } from "../resources/read";
import { type PropertyValue, type Resource, UNKNOWN } from "../resources/resource";
import { isHostedCluster, isNetwork, isNodePool, isUserDefinedNetwork } from "../resources/resourceTypes";
import { NETWORK_TYPE_RULE } from "../topology/normalizeTopology";
import { noFindings } from "../topology/normalize/values";
import { readNetworks } from "../topology/normalize/networks";
import { OvnSubnetRule, type OvnSurroundings, readOvnSubnets } from "../topology/normalize/ovnSubnets";
import { clusterFaults } from "../gate/clusterFaults";
import type { JudgedCluster } from "../gate/clusters";
import type { ClusterSource } from "../resources/clusterSources";
import type { JudgedResources } from "../gate/judgedResources";
import { parsePrefix } from "../address/parse";
import { at, OKD_NETWORKING, HYPERSHIFT, NETWORK_OPERATOR, OVN_KUBERNETES } from "../requirements/documents";
import {
  type Judgement,
  Level,
  type ListedRule,
  type Rule,
  unknown,
  violated,
  violatedBy,
} from "../gate/rule";
import { withObjectFaults } from "../hostedCluster/rules/publishing";
import { INTERNAL_SUBNETS_SINCE } from "../requirements/limits";
import { WITHOUT_OPENSHIFT_SDN } from "../requirements/migration";
import { formatRelease } from "../requirements/release";

/** Internal subnets as one resource writes them, with their faults and what is unknown about them. */
export interface WrittenSubnets {
  resource: Resource;
  values: { readonly [name in InternalSubnetProperty]?: PropertyValue | undefined };
  surroundings: OvnSurroundings;
  /** Faults, each at its path in the resource; `rule` is absent if no cluster can accept the value. */
  faults: readonly { path: string; problem: string; remedy: string; rule?: string }[];
  /** Properties that are not known, by their topology names. */
  unknown: readonly string[];
  pathOf: (property: string) => string;
}

/** Whether a type holds internal subnets. */
const holdsSubnets = (type: string): boolean => isHostedCluster(type) || isNetwork(type);

/**
 * The internal subnets of HostedClusters, of patches on them and of Network operator objects. Components refuse wrong subnets
 * themselves, and configuration is judged separately.
 */
const writtenSubnets = onceForEach((judged: JudgedResources): readonly WrittenSubnets[] => [
  ...judged.clusters.flatMap((cluster) => cluster.sources.flatMap((source) => ofSource(cluster, source))),
  ...judged.ofKind(isNetwork).map(ofNetwork),
]);

/** Defaults for a patch on a cluster that is elsewhere, or for a Network object. */
const nothingKnown: OvnSurroundings = {
  platform: Platform.None,
  release: undefined,
  networkType: NetworkType.OVNKubernetes,
  clusterNetwork: [],
  unknown: [],
};

function ofSource({ topology, partial }: JudgedCluster, source: ClusterSource): WrittenSubnets[] {
  const { kind, resource, raw, pathOf } = source;
  if (!resource || (kind !== "object" && kind !== "patch")) return [];
  const known = topology && !partial ? topology : nothingKnown;
  const values = Object.fromEntries(internalSubnetProperties.map((property) => [property, raw[property]]));
  return [judged(resource, values, { ...known, release: topology?.release }, pathOf)];
}

/** The path of a subnet in a Network operator object, for its name in a HostedCluster. */
const inNetwork = (property: InternalSubnetProperty): string =>
  ["spec.defaultNetwork.ovnKubernetesConfig", ...internalSubnet(property).field].join(".");

function ofNetwork(resource: Resource): WrittenSubnets {
  const at = (path: string) => readValue(resource.properties, path);
  const findings = noFindings("");
  const { unknown, left } = findings;
  const { clusterNetwork } = readNetworks(findings, {
    clusterNetwork: at("spec.clusterNetwork") ?? UNKNOWN,
  });
  const values = Object.fromEntries(
    internalSubnetProperties.map((name) => [name, withoutHostBits(at(inNetwork(name)))]),
  );
  return judged(resource, once(values), { ...nothingKnown, clusterNetwork, unknown, left }, (property) => {
    const name = internalSubnetProperties.find((one) => one === property);
    return name === undefined ? property : inNetwork(name);
  });
}

/** Drops the second of two names of one subnet if both have the same value: the network operator accepts that. */
const once = (values: WrittenSubnets["values"]): WrittenSubnets["values"] =>
  Object.fromEntries(
    internalSubnetProperties
      .filter((name) => {
        const { mutable, sameAs } = internalSubnet(name);
        const other = internalSubnetProperties.find((one) => one === sameAs);
        const isSecond = other !== undefined && (mutable || name.startsWith("ipv6"));
        return !isSecond || typeof values[name] !== "string" || values[name] !== values[other];
      })
      .map((name) => [name, values[name]]),
  );

function judged(
  resource: Resource,
  values: WrittenSubnets["values"],
  surroundings: OvnSurroundings,
  pathOf: (property: string) => string,
): WrittenSubnets {
  const findings = noFindings(pathOf);
  readOvnSubnets(findings, { ...values }, surroundings);
  const { faults, unknown } = findings;
  return { resource, values, surroundings, faults, unknown, pathOf };
}

/** An internal subnet of OVN-Kubernetes that the API or the network operator refuses. */
export const ovnSubnetInvalid: Rule = {
  id: "ovn-subnet-invalid",
  title: "Internal OVN-Kubernetes subnet or another cluster network setting is invalid",
  level: Level.Error,
  description:
    "Reports invalid join and transit switch subnets of HostedClusters, of patches on them and of Network operator objects. A subnet must be IPv4 with a mask from /0 to /30, have 9 to 18 characters and a first octet other than 0, and differ from the other subnet; it needs the network type OVNKubernetes and a platform that supports it. Host bits are a warning.",
  details: [
    "HostedClusters and NodePools: the network type (also OpenShift SDN with a release without it), the MTU, empty settings, settings that are valid with only one network type, the networks of KubeVirt NodePools and of OpenStack, the subnets of NodePools on AWS and Azure, and network diagnostics.",
    "Network operator objects: IPv6 and masquerade subnets, the MTU, the Geneve port, additional networks without Multus, the values for IPsec, IP forwarding, route advertisements and routing capabilities, flow record collectors, and the limits of the audit log.",
    "Network objects of the cluster's configuration: an empty network type and the range of node ports.",
    "User-defined networks: topology, role, MTU, IP address management, physical network, VLAN, transport and MAC security, and which of them the API accepts only together.",
    "What only later API versions refuse is a warning: NodePool networks that are not a namespace and a name, or are named twice.",
  ],
  documents: [
    at(OKD_NETWORKING, "Configuring internal OVN IPv4 subnets for hosted clusters"),
    at(HYPERSHIFT, "HostedCluster CRD, spec.operatorConfiguration"),
    at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go"),
    at(OVN_KUBERNETES, "go-controller/pkg/crd/userdefinednetwork/v1/shared.go"),
    ...WITHOUT_OPENSHIFT_SDN.documents,
  ],
  remediation: "Write a subnet such as 100.99.0.0/16 that nothing else uses.",
  single: (type) => holdsSubnets(type) || isNodePool(type) || isUserDefinedNetwork(type),
  judge: (judged: JudgedResources) =>
    withObjectFaults(judged, NETWORK_TYPE_RULE, [
      ...writtenSubnets(judged).flatMap(judgeSubnets),
      ...clusterFaults(judged, NETWORK_TYPE_RULE, []),
      ...judged.clusters.flatMap(openShiftSdnPerhaps),
    ]),
};

/** OpenShift SDN in a cluster whose release is not known. */
function openShiftSdnPerhaps(cluster: JudgedCluster): Judgement[] {
  const { topology } = cluster;
  if (topology?.networkType !== NetworkType.OpenShiftSDN || topology.release) return [];
  const { holder: resource, path } = cluster.locate("networkType");
  if (!resource || !isHostedCluster(resource.type)) return [];
  const reason = `whether the release is older than ${formatRelease(WITHOUT_OPENSHIFT_SDN.from)}, the first that ${WITHOUT_OPENSHIFT_SDN.reason}`;
  return [unknown({ resource, path, reason, because: [{ resource, path: "spec.release" }] })];
}

function judgeSubnets(written: WrittenSubnets): Judgement[] {
  const { resource, faults, unknown: pending, pathOf } = written;
  const own = faults.filter(({ rule }) => rule === undefined);
  return [
    ...own.map((fault) => violatedBy(resource, fault)),
    ...sameSubnet(written),
    ...hostBits(written),
    ...pending.map((property) => unknown({ resource, path: pathOf(property) })),
  ];
}

/** Warns of host bits, which the consumer of the object clears. */
function hostBits({ resource, values, pathOf }: WrittenSubnets): Judgement[] {
  return internalSubnetProperties.flatMap((property) => {
    const path = pathOf(property);
    const text = readValue(resource.properties, path);
    if (values[property] === undefined || values[property] === text) return [];
    const { problem = "", remedy = "" } = parsePrefix(text);
    return [violatedBy(resource, { path, problem, remedy }, { level: Level.Warning })];
  });
}

/** Reports different internal subnets with the same value. Other faults cover the two names of one subnet. */
function sameSubnet({ resource, values, pathOf }: WrittenSubnets): Judgement[] {
  const prefixes = new Map(
    internalSubnetProperties.map((property) => [property, prefixOf(values[property])]),
  );
  return internalSubnetProperties.flatMap((property, position) =>
    internalSubnetProperties
      .slice(0, position)
      .filter((other) => {
        const text = prefixes.get(property);
        return text !== undefined && text === prefixes.get(other) && !isPair(property, other);
      })
      .map((other) =>
        violated({
          resource: resource.origin,
          path: pathOf(property),
          message: `${internalSubnet(other).name} and ${internalSubnet(property).name} are the same`,
          fix: "write two different subnets",
        }),
      ),
  );
}

const prefixOf = (value: unknown): string | undefined =>
  typeof value === "string" ? readPrefix(value)?.text : undefined;

/** Whether two names refer to the same subnet: each of them names the other. */
const isPair = (a: InternalSubnetProperty, b: InternalSubnetProperty): boolean =>
  internalSubnet(a).sameAs === b;

/** An internal subnet with too few addresses for the nodes of the cluster. */
export const ovnSubnetCapacity: Rule = {
  id: OvnSubnetRule.Capacity,
  title: "Internal OVN-Kubernetes subnet is too small for the nodes",
  level: Level.Error,
  description:
    "Reports join and transit switch subnets that are too small for the nodes that fit into the cluster network. The network operator requires that the sum of 2^(hostPrefix - mask) over the cluster network is less than the subnet's addresses minus 3. The API accepts masks up to /30; the operator refuses subnets that are too small, and the cluster never becomes available.",
  documents: [
    at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go"),
    at(OKD_NETWORKING, "Configuring internal OVN IPv4 subnets for hosted clusters"),
  ],
  remediation: "Write a larger subnet such as 100.99.0.0/16.",
  single: holdsSubnets,
  judge: (judged) => writtenSubnets(judged).flatMap(judgeCapacity),
};

function judgeCapacity({ resource, values, faults, surroundings, pathOf }: WrittenSubnets): Judgement[] {
  const given = Object.entries(values).flatMap(([name, value]) => (typeof value === "string" ? [name] : []));
  const own = faults.filter(({ rule }) => rule === OvnSubnetRule.Capacity);
  const { clusterNetwork } = surroundings;
  if (clusterNetwork.length === 0)
    return given.map((name) =>
      unknown({ resource, path: pathOf(name), reason: "how many nodes the cluster network has room for" }),
    );
  return own.map((fault) => violatedBy(resource, fault));
}

const first = formatRelease(INTERNAL_SUBNETS_SINCE);

/** An internal subnet in a HostedCluster whose release does not support it. */
export const ovnSubnetRelease: Rule = {
  id: OvnSubnetRule.Release,
  title: "Internal OVN-Kubernetes subnet is not supported by the release",
  level: Level.Error,
  description: `Reports join and transit switch subnets of HostedClusters, and of patches on them, whose release is older than ${first}: it drops or refuses them. The release is read from the tag of the image. An image named by its digest states no release; the configuration can.`,
  documents: [
    at(OKD_NETWORKING, "Configuring internal OVN IPv4 subnets for hosted clusters"),
    at(HYPERSHIFT, "HostedCluster CRD, spec.operatorConfiguration"),
  ],
  remediation: `Upgrade to ${first} or newer, or leave the subnet out.`,
  single: isHostedCluster,
  judge: (judged) =>
    writtenSubnets(judged)
      .filter(({ resource }) => isHostedCluster(resource.type))
      .flatMap(judgeRelease),
};

function judgeRelease({ resource, values, faults, surroundings, pathOf }: WrittenSubnets): Judgement[] {
  if (!surroundings.release)
    return internalSubnetProperties.flatMap((property) => {
      const { since } = internalSubnet(property);
      if (typeof values[property] !== "string" || !since) return [];
      const reason = `whether the release is ${formatRelease(since)} or newer`;
      const because = [{ resource, path: "spec.release" }];
      return [unknown({ resource, path: pathOf(property), reason, because })];
    });
  return faults
    .filter(({ rule }) => rule === OvnSubnetRule.Release)
    .map((fault) => violatedBy(resource, fault));
}

const joinSubnet = (subnet: string) => `
operatorConfiguration:
  clusterNetworkOperator:
    ovnKubernetesConfig:
      ipv4: { internalJoinSubnet: ${subnet} }
`;

/** The rules, in the order in which findings are listed, each with a violation and its fix. */
export const ovnSubnetsRules: readonly ListedRule[] = [
  { rule: ovnSubnetInvalid, violated: joinSubnet("0.99.0.0/16"), mended: joinSubnet("100.99.0.0/16") },
  { rule: ovnSubnetCapacity, violated: joinSubnet("100.99.0.0/24"), mended: joinSubnet("100.99.0.0/16") },
  {
    rule: ovnSubnetRelease,
    violated: `
release: { image: 'quay.io/openshift-release-dev/ocp-release:4.19.1-x86_64' }${joinSubnet("100.99.0.0/16")}`,
    mended: { "4.19.1": "4.20.1" },
  },
];
