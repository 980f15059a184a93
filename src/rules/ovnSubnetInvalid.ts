import { D0, HYPERSHIFT, NETWORK_OPERATOR, at } from "../requirements/documents";
import { internalSubnetProperties, type InternalSubnetProperty } from "../requirements/internalSubnets";
import { NetworkType, Platform } from "../requirements/vocabulary";
import { readValue } from "../resources/read";
import { UNKNOWN, type PropertyValue, type Resource } from "../resources/resource";
import { isHostedCluster, isNetwork } from "../resources/resourceTypes";
import { noFindings } from "../topology/normalize/findings";
import { readNetworks } from "../topology/normalize/networks";
import { readOvnSubnets, type OvnSurroundings } from "../topology/normalize/ovnSubnets";
import type { ClusterSource, JudgedCluster } from "./clusters";
import { Level, unknown, violated, type Judgement, type Rule } from "./rule";

/** An internal subnet of OVN-Kubernetes that the API or the network operator refuses. */
export const ovnSubnetInvalid: Rule = {
  id: "ovn-subnet-invalid",
  title: "Internal subnets of OVN-Kubernetes are ones that the cluster can take",
  level: Level.Error,
  description:
    "The join and transit switch subnets of HostedClusters, of patches on them and of Network operator objects: IPv4 with /0 to /30, 9 to 18 characters, a first octet other than 0, different from each other, an address for each node that the cluster network has room for, OVNKubernetes, a release and a platform that have them.",
  documents: [
    at(D0, "Configuring internal OVN IPv4 subnets for hosted clusters"),
    at(HYPERSHIFT, "HostedCluster CRD, spec.operatorConfiguration"),
    at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go"),
  ],
  remediation: "Write a subnet such as 100.99.0.0/16 that nothing else uses.",
  single: (type) => isHostedCluster(type) || isNetwork(type),
  judge: ({ clusters, resources }) => [
    ...clusters.flatMap((cluster) => cluster.sources.flatMap((source) => judgeSource(cluster, source))),
    ...resources.filter(({ type }) => isNetwork(type)).flatMap(judgeNetwork),
  ],
};

/** What a patch on a cluster that is elsewhere, or a Network object, leaves open. */
const nothingKnown: OvnSurroundings = {
  platform: Platform.None,
  release: undefined,
  networkType: NetworkType.OVNKubernetes,
  clusterNetwork: [],
};

const SUBNETS = internalSubnetProperties;
type Subnets = { readonly [name in InternalSubnetProperty]?: PropertyValue | undefined };

/** Components refuse wrong subnets themselves, and configuration is judged as such. */
function judgeSource({ topology, partial }: JudgedCluster, source: ClusterSource): Judgement[] {
  const { kind, resource, raw, pathOf } = source;
  if (!resource || (kind !== "object" && kind !== "patch")) return [];
  const known = topology && !partial ? topology : nothingKnown;
  const surroundings: OvnSurroundings = { ...known, release: topology?.release };
  return judgeSubnets(resource, raw, surroundings, pathOf);
}

/** The two subnets that the documents speak of. */
const DOCUMENTED = ["internalJoinSubnet", "internalTransitSwitchSubnet"] as const;

/** The names of the same things in a Network object. */
const inNetwork: Readonly<Record<(typeof DOCUMENTED)[number], string>> = {
  internalJoinSubnet: "spec.defaultNetwork.ovnKubernetesConfig.ipv4.internalJoinSubnet",
  internalTransitSwitchSubnet: "spec.defaultNetwork.ovnKubernetesConfig.ipv4.internalTransitSwitchSubnet",
};

function judgeNetwork(resource: Resource): Judgement[] {
  const at = (path: string) => readValue(resource.properties, path);
  const [join, transit] = DOCUMENTED.map((name) => at(inNetwork[name]));
  const { clusterNetwork } = readNetworks(noFindings(""), {
    clusterNetwork: at("spec.clusterNetwork") ?? UNKNOWN,
  });
  return judgeSubnets(
    resource,
    { internalJoinSubnet: join, internalTransitSwitchSubnet: transit },
    { ...nothingKnown, clusterNetwork },
    (property) => inNetwork[property as keyof typeof inNetwork] ?? property,
  );
}

function judgeSubnets(
  resource: Resource,
  subnets: Subnets,
  surroundings: OvnSurroundings,
  pathOf: (property: string) => string,
): Judgement[] {
  const findings = noFindings("");
  readOvnSubnets(findings, { ...subnets }, surroundings);
  const place = (path: string) => pathOf(path.replace(/^\./, ""));
  const pending = findings.unknown.filter((property) => SUBNETS.some((name) => name === property));
  return [
    ...findings.faults.map(({ path, problem, remedy }) =>
      violated({ resource: resource.origin, path: place(path), message: problem, fix: remedy }),
    ),
    ...sameSubnet(resource, subnets, pathOf),
    ...pending.map((property) => unknown({ resource, path: pathOf(property) })),
  ];
}

function sameSubnet(resource: Resource, subnets: Subnets, pathOf: (property: string) => string): Judgement[] {
  const [join, transit] = DOCUMENTED.map((name) => subnets[name]);
  if (typeof join !== "string" || join !== transit) return [];
  return [
    violated({
      resource: resource.origin,
      path: pathOf("internalTransitSwitchSubnet"),
      message: "the join subnet and the transit switch subnet are the same",
      fix: "write two different subnets",
    }),
  ];
}
