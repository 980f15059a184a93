import type { ClusterSource } from "../resources/clusterSources";
import { configurationSource, fullNameOf, hostedClusters, type JudgedCluster } from "./clusters";
import { hostsOfClusters, type GroupInRole, type Hosts } from "./hosts";

export type { GroupInRole };
import { connections, type Connections } from "../resources/connections";
import {
  clustersOf,
  NOT_CONFIGURED,
  ownerOf,
  type ConfiguredGroups,
  type GroupRole,
} from "../resources/groupRoles";
import { append, onceForEach, onceIn } from "../collections";
import { networkAcls, type NetworkAcls } from "../resources/networkAcls";
import { DEFAULT_NAMESPACE } from "../topology/normalizeTopology";
import type { Resource } from "../resources/resource";
import { ResourceIndex, type Kind } from "../resources/resourceIndex";
import { securityGroups, type SecurityGroup, type SecurityGroups } from "../resources/securityGroups";
import { vpcs, type Vpc } from "../resources/vpcs";
import { type Configuration, NO_CONFIGURATION } from "./configuration";

/** What rules judge: resources, and what is derived from them and the configuration. Each part is computed on first use. */
export class JudgedResources {
  readonly index: ResourceIndex;

  constructor(
    readonly resources: readonly Resource[],
    readonly configuration: Configuration = NO_CONFIGURATION,
    /** Clusters that are already known, if `resources` is only a part of the stack. */
    clusters?: readonly JudgedCluster[],
  ) {
    this.index = new ResourceIndex(resources);
    this.#clusters = clusters;
  }

  readonly #roles = new Map<Partial<SecurityGroup>, GroupRole>();
  #clusters: readonly JudgedCluster[] | undefined;
  #groups: SecurityGroups | undefined;
  #acls: NetworkAcls | undefined;
  #hosts: readonly Hosts[] | undefined;
  #groupsInRoles: readonly GroupInRole[] | undefined;
  #clustersByName: ReadonlyMap<string, readonly JudgedCluster[]> | undefined;
  #vpcs: Map<string, Vpc> | undefined;
  #connections: Connections | undefined;

  /** The resources of a kind, by type and name. */
  ofKind(kind: Kind): readonly Resource[] {
    return this.index.ofKind(kind);
  }

  /** The hosted clusters that resources and configuration describe. */
  get clusters(): readonly JudgedCluster[] {
    return (this.#clusters ??= hostedClusters(this.resources, this.configuration));
  }

  /** The security groups with all their rules. */
  get groups(): SecurityGroups {
    return (this.#groups ??= securityGroups(this.index));
  }

  /** The network ACLs with all their rules. */
  get acls(): NetworkAcls {
    return (this.#acls ??= networkAcls(this.index));
  }

  /** The hosts of the known clusters, one entry per role and VPC, with the groups and ACLs that filter their traffic. */
  get hosts(): readonly Hosts[] {
    return (this.#hosts ??= hostsOfClusters(this));
  }

  /** The VPCs with all their CIDR blocks. */
  get vpcs(): ReadonlyMap<string, Vpc> {
    return (this.#vpcs ??= vpcs(this.index));
  }

  /** How VPCs are connected, with each other and with other networks. */
  get connections(): Connections {
    return (this.#connections ??= connections(this.index, () => this.vpcs));
  }

  /** The roles that the configuration gives to groups. */
  get configuredGroups(): readonly ConfiguredGroups[] {
    const { clusters } = this.configuration;
    return clusters.length === 0 ? NOT_CONFIGURED : configuredGroups(clusters)(this.clusters);
  }

  /** The role of a group, from the configuration, the component or tags. */
  roleOf(group: Partial<SecurityGroup>): GroupRole {
    return onceIn(this.#roles, group, () =>
      ownerOf(group, { index: this.index, configured: this.configuredGroups }),
    );
  }

  /** The groups that have a role in a known cluster. */
  groupsInRoles(): readonly GroupInRole[] {
    return (this.#groupsInRoles ??= this.groups.groups.flatMap((group) => {
      const found = this.roleOf(group);
      const { role } = found;
      if (!role) return [];
      const clusters = new Set(clustersOf(found).flatMap((name) => this.clustersNamed(name)));
      return [...clusters].map((cluster) => ({ group, role, cluster }));
    }));
  }

  /**
   * The cluster that a tag names; without a name, the only cluster. Returns several clusters only if nothing distinguishes them, such as
   * one object that is given twice: each is judged.
   */
  clustersNamed(name: string | undefined): readonly JudgedCluster[] {
    const fitting = this.clustersFitting(name);
    const [first, ...others] = fitting;
    const isSame = (other: JudgedCluster) => other.isNamed && ownName(other) === ownName(first!);
    return others.every(isSame) ? fitting : [];
  }

  /** The clusters that a tag may name. If there are several, `isAmbiguous` holds, and `prove` does not know which is meant either. */
  clustersFitting(name: string | undefined): readonly JudgedCluster[] {
    const byName = (this.#clustersByName ??= clustersByName(this.clusters));
    return name === undefined ? this.clusters : (byName.get(name) ?? []);
  }
}

/** The roles that a configuration gives to groups, computed once: the policy pack judges many resources with one configuration. */
const groupsInEntries = onceForEach((clusters: Configuration["clusters"]): ConfiguredGroups[] =>
  clusters.map(({ topology, securityGroups: groups }) => ({
    cluster: typeof topology.name === "string" ? topology.name : "",
    ...(typeof topology.namespace === "string"
      ? { namespace: topology.namespace, isNamespaced: true }
      : { namespace: DEFAULT_NAMESPACE }),
    groups,
  })),
);

/** The same, each with the clusters that it describes if several have their namespace and name. One list if none have. */
const configuredGroups = onceForEach((entries: Configuration["clusters"]) =>
  onceForEach((clusters: readonly JudgedCluster[]): readonly ConfiguredGroups[] => {
    const plain = groupsInEntries(entries);
    const described = new Map<ClusterSource, JudgedCluster[]>();
    for (const cluster of clusters)
      for (const source of cluster.sources)
        if (source.kind === "configuration") append(described, source, [cluster]);
    const meant = entries.map((entry): readonly string[] => {
      const its = described.get(configurationSource(entry)) ?? [];
      const isOne = new Set(its.map(fullNameOf)).size === 1;
      const own = isOne ? its.map(ownName) : [];
      return own.some((name, at) => name !== fullNameOf(its[at]!)) ? own : [];
    });
    if (meant.every((own) => own.length === 0)) return plain;
    return plain.map((one, at) => (meant[at]!.length === 0 ? one : { ...one, meant: meant[at]! }));
  }),
);

/** The name that no other cluster has, unless nothing distinguishes them. */
const ownName = ({ names }: JudgedCluster): string => names.at(-1)!;

/** Clusters with a known name, by each of their names and by key. */
function clustersByName(clusters: readonly JudgedCluster[]): ReadonlyMap<string, readonly JudgedCluster[]> {
  const byName = new Map<string, JudgedCluster[]>();
  for (const cluster of clusters.filter(({ isNamed }) => isNamed))
    for (const name of new Set([...cluster.names, cluster.key])) {
      const same = byName.get(name);
      if (same) same.push(cluster);
      else byName.set(name, [cluster]);
    }
  return byName;
}
