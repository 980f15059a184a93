import { withoutHostBits } from "../address";
import {
  internalSubnet,
  internalSubnetProperties,
  type InternalSubnetProperty,
} from "../requirements/internalSubnets";
import { NetworkType, Platform } from "../requirements/vocabulary";
import { readValue } from "../resources/read";
import { UNKNOWN, type PropertyValue, type Resource } from "../resources/resource";
import { isHostedCluster, isNetwork } from "../resources/resourceTypes";
import { noFindings } from "../topology/normalize/findings";
import { readNetworks } from "../topology/normalize/networks";
import { readOvnSubnets, type OvnSurroundings } from "../topology/normalize/ovnSubnets";
import type { ClusterSource, JudgedCluster } from "../gate/clusters";
import type { JudgedResources } from "../gate/judgedResources";

/** Internal subnets as one resource writes them, with what is wrong with them and what is unknown. */
export interface WrittenSubnets {
  resource: Resource;
  values: { readonly [name in InternalSubnetProperty]?: PropertyValue | undefined };
  surroundings: OvnSurroundings;
  /** Faults, each at its place in the resource; `rule` is absent for what no cluster can take. */
  faults: readonly { path: string; problem: string; remedy: string; rule?: string }[];
  /** Properties that are not known, as the topology names them. */
  unknown: readonly string[];
  pathOf: (property: string) => string;
}

/** Whether a type holds internal subnets. */
export const holdsSubnets = (type: string): boolean => isHostedCluster(type) || isNetwork(type);

/**
 * The internal subnets of HostedClusters, of patches on them and of Network operator objects. Components refuse wrong subnets
 * themselves, and configuration is judged as such.
 */
export function writtenSubnets(judged: JudgedResources): WrittenSubnets[] {
  return [
    ...judged.clusters.flatMap((cluster) => cluster.sources.flatMap((source) => ofSource(cluster, source))),
    ...judged.ofKind(isNetwork).map(ofNetwork),
  ];
}

/** What a patch on a cluster that is elsewhere, or a Network object, leaves open. */
const nothingKnown: OvnSurroundings = {
  platform: Platform.None,
  release: undefined,
  networkType: NetworkType.OVNKubernetes,
  clusterNetwork: [],
};

function ofSource({ topology, partial }: JudgedCluster, source: ClusterSource): WrittenSubnets[] {
  const { kind, resource, raw, pathOf } = source;
  if (!resource || (kind !== "object" && kind !== "patch")) return [];
  const known = topology && !partial ? topology : nothingKnown;
  const values = Object.fromEntries(internalSubnetProperties.map((property) => [property, raw[property]]));
  return [judged(resource, values, { ...known, release: topology?.release }, pathOf)];
}

/** Where Network operator objects have the subnets: under the names that HostedClusters have. */
const inNetwork = (property: InternalSubnetProperty): string =>
  ["spec.defaultNetwork.ovnKubernetesConfig", ...internalSubnet(property).field].join(".");

function ofNetwork(resource: Resource): WrittenSubnets {
  const at = (path: string) => readValue(resource.properties, path);
  const { clusterNetwork } = readNetworks(noFindings(""), {
    clusterNetwork: at("spec.clusterNetwork") ?? UNKNOWN,
  });
  const values = Object.fromEntries(
    internalSubnetProperties.map((name) => [name, withoutHostBits(at(inNetwork(name)))]),
  );
  return judged(resource, once(values), { ...nothingKnown, clusterNetwork }, (property) => {
    const name = internalSubnetProperties.find((one) => one === property);
    return name === undefined ? property : inNetwork(name);
  });
}

/** Of two names of one subnet the network operator takes both where they say the same. */
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
  const findings = noFindings("");
  readOvnSubnets(findings, { ...values }, surroundings);
  const unknown = findings.unknown.filter((property) =>
    internalSubnetProperties.some((name) => name === property),
  );
  const faults = findings.faults.map((fault) => ({ ...fault, path: pathOf(fault.path.replace(/^\./, "")) }));
  return { resource, values, surroundings, faults, unknown, pathOf };
}
