import { append, onceIn } from "../collections";
import type { ResourceIndex } from "../resources/resourceIndex";
import type { NetworkAcl, NetworkAcls } from "../resources/networkAcls";
import type { Resource } from "../resources/resource";
import { clustersOf, type GroupRole, type ConfiguredGroups, openNodes } from "../resources/groupRoles";
import { type DoubtfulGroups, doubtfulGroups } from "../resources/doubtfulGroups";
import {
  groupsTogether,
  type SecurityGroup,
  type SecurityGroupRule,
  type SecurityGroups,
} from "../resources/securityGroups";
import type { RoleOfReference } from "../reachability/flows/groupFilter";
import { hostedClusterOf } from "../flows/surroundings";
import { rolesOfAcl } from "../reachability/path/guards";
import { isUnknown, type NormalizedTopology } from "../topology/normalizedTopology";
import { Role } from "../requirements/vocabulary";
import type { JudgedCluster } from "./clusters";
import { unknown, type Judgement } from "./finding";

/** A security group with its role in a hosted cluster. */
export interface GroupInRole {
  group: SecurityGroup;
  role: Role;
  cluster: JudgedCluster;
}

/** The hosts of one role in one cluster and one VPC, with the groups and ACLs of the stack that filter their traffic. */
export interface Hosts {
  cluster: JudgedCluster & { topology: NormalizedTopology };
  role: Role;
  /** The rules of an interface's groups add up. Empty if the stack has only ACLs. */
  groups: readonly GroupInRole[];
  /** The rules of all `groups`. */
  rules: readonly SecurityGroupRule[];
  /** Present if the hosts may have other groups: of this cluster or of another, not in the stack, or perhaps attached by a NodePool. */
  perhaps?: PerhapsMore;
  /** A subnet has one ACL: several ACLs belong to several subnets, and each must allow the traffic. */
  acls: readonly NetworkAcl[];
  /** The role, in this cluster, of groups that rules reference. */
  roleOf: RoleOfReference;
}

/** Why hosts may have other groups, and those that are in the stack. */
export interface PerhapsMore {
  reason: string;
  /** Absent: it is not known what the other groups allow. */
  groups?: readonly DoubtfulGroups[];
}

/** The filters in front of hosts. */
interface Standing {
  groups: GroupInRole[];
  acls: NetworkAcl[];
}

/** The inputs of `hostsOfClusters`: groups and ACLs, and the clusters they belong to. */
interface Members {
  index: ResourceIndex;
  configuredGroups: readonly ConfiguredGroups[];
  acls: NetworkAcls;
  groupsInRoles(): readonly GroupInRole[];
  roleOf(group: Partial<SecurityGroup>): GroupRole;
  clustersNamed(name: string | undefined): readonly JudgedCluster[];
  groups: SecurityGroups;
}

/** Assigns groups and ACLs to hosts in one pass, whatever the number of clusters. Clusters that are not described have no hosts. */
export function hostsOfClusters(judged: Members): Hosts[] {
  const places = new Map<JudgedCluster, Map<Role, Standing>>();
  const placeOf = (cluster: JudgedCluster, role: Role): Standing => {
    const roles = onceIn(places, cluster, () => new Map<Role, Standing>());
    return onceIn(roles, role, () => ({ groups: [], acls: [] }));
  };
  for (const group of judged.groupsInRoles()) placeOf(group.cluster, group.role).groups.push(group);
  for (const { acl, role, cluster } of aclsInRoles(judged))
    for (const behind of standsBefore(role)) placeOf(cluster, behind).acls.push(acl);
  const references = rolesById(judged.groupsInRoles());
  return [...places].flatMap(([cluster, roles]) => {
    if (!isDescribed(cluster)) return [];
    return [...roles].flatMap(([role, { groups, acls }]) => {
      const together = groupsTogether(judged.index, role, groups, ({ group }) => group);
      return (together.length > 0 ? together : [{ own: groups }]).map(({ own }, position) => ({
        cluster,
        role,
        groups: own,
        rules: own.flatMap(({ group }) => group.rules),
        ...perhapsOf(judged, cluster, role),
        // Each ACL must allow the traffic by itself, so it is judged once.
        acls: position === 0 ? acls : [],
        roleOf: roleOfReference(judged, cluster, references),
      }));
    });
  });
}

/** Whether the hosts of a role may have more groups than those that certainly have the role. */
function perhapsOf(
  { index, configuredGroups: configured }: Members,
  { topology }: Hosts["cluster"],
  role: Role,
): Pick<Hosts, "perhaps"> {
  const open =
    role === Role.Workers ? openNodes(index, topology, hostedClusterOf(index, topology)) : undefined;
  if (open) return { perhaps: { reason: open.reason } };
  const groups = doubtfulGroups({ index, configured }, role, topology);
  const unread = groups.find((list) => list.unread)?.unread;
  const first = unread ?? groups[0]?.groups[0];
  return first ? { perhaps: { reason: first.reason, ...(!unread && { groups }) } } : {};
}

/** Whether enough is known to judge a cluster: a patch by itself is not enough. */
function isDescribed(cluster: JudgedCluster): cluster is Hosts["cluster"] {
  return cluster.topology !== undefined && !cluster.partial;
}

/** The ACLs that have a role in a known cluster, once for each role and cluster. */
function aclsInRoles(judged: Members): { acl: NetworkAcl; role: Role; cluster: JudgedCluster }[] {
  return judged.acls.acls.flatMap((acl) => {
    const roles = new Map<JudgedCluster, Role[]>();
    for (const { role, cluster: name } of rolesOfAcl(acl, judged.index)) {
      if (!role) continue;
      for (const cluster of judged.clustersNamed(name))
        if (!roles.get(cluster)?.includes(role)) append(roles, cluster, [role]);
    }
    return [...roles].flatMap(([cluster, its]) => its.map((role) => ({ acl, role, cluster })));
  });
}

/** The roles of hosts behind the ACL of a role: the VPC endpoint is in the workers' subnets. */
const standsBefore = (role: Role): readonly Role[] =>
  role === Role.Workers ? [Role.Workers, Role.PrivateEndpoint] : [role];

type Found = Pick<GroupInRole, "role" | "cluster">;

/** Roles of groups by the group itself, or by its id if the group is not in this stack. */
function rolesById(groups: readonly GroupInRole[]): ReadonlyMap<Resource | string, readonly Found[]> {
  const roles = new Map<Resource | string, Found[]>();
  for (const { group, role, cluster } of groups) {
    const key = group.resource ?? group.id;
    if (key !== undefined) append(roles, key, [{ role, cluster }]);
  }
  return roles;
}

/** The role of a referenced group. Groups without rules are in no list of groups, but configuration and tags may still name them. */
const roleOfReference =
  (
    judged: Members,
    cluster: JudgedCluster,
    references: ReadonlyMap<Resource | string, readonly Found[]>,
  ): RoleOfReference =>
  (reference) => {
    const isHere = reference.kind === "group";
    const found = references.get(isHere ? reference.group : reference.id);
    if (found) return found.find((one) => one.cluster.key === cluster.key)?.role;
    const said = judged.roleOf(isHere ? { resource: reference.group } : { id: reference.id });
    const isOurs = clustersOf(said).some((name) => judged.clustersNamed(name).includes(cluster));
    return isOurs ? said.role : undefined;
  };

/** Properties that decide which flows exist. */
const DECIDING = ["platform", "services", "endpointAccess", "loadBalancerTargets", "bootstrap"];

/** A judgement for each unknown property on which the flows of a cluster depend. */
export function undecidedFlows(cluster: Hosts["cluster"], holder: Resource): Judgement[] {
  return DECIDING.filter((property) => isUnknown(cluster.topology, property)).map((property) => {
    const { holder: from, path } = cluster.locate(property);
    return unknown({ resource: from ?? holder, path });
  });
}
