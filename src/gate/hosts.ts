import { append } from "../collections";
import type { NetworkAcl, NetworkAcls } from "../resources/networkAcls";
import type { Resource } from "../resources/resource";
import { clustersOf, type GroupRole } from "../resources/groupRoles";
import type { ResourceIndex } from "../resources/resourceIndex";
import { groupsTogether, type SecurityGroup, type SecurityGroupRule } from "../resources/securityGroups";
import type { RoleOfReference } from "../reachability/flows/groupFilter";
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

/** The hosts of one role in one cluster, those of each VPC by themselves, and what of the stack stands before them. */
export interface Hosts {
  cluster: JudgedCluster & { topology: NormalizedTopology };
  role: Role;
  /** Groups of an interface add up. Empty where only ACLs are in the stack. */
  groups: readonly GroupInRole[];
  /** The rules of all of them. */
  rules: readonly SecurityGroupRule[];
  /** A subnet has one ACL: several stand before several subnets, and each has to let pass. */
  acls: readonly NetworkAcl[];
  /** The role of groups that rules name, in this cluster. */
  roleOf: RoleOfReference;
}

/** What stands before hosts. */
interface Standing {
  groups: GroupInRole[];
  acls: NetworkAcl[];
}

/** What hosts are made of: groups and ACLs, and whose they are. */
interface Members {
  index: ResourceIndex;
  acls: NetworkAcls;
  groupsInRoles(): readonly GroupInRole[];
  roleOf(group: Partial<SecurityGroup>): GroupRole;
  clustersNamed(name: string | undefined): readonly JudgedCluster[];
}

/** Groups and ACLs go to their hosts once, whatever the number of clusters. Clusters that are not described have none. */
export function hostsOfClusters(judged: Members): Hosts[] {
  const places = new Map<JudgedCluster, Map<Role, Standing>>();
  const placeOf = (cluster: JudgedCluster, role: Role): Standing => {
    const roles = places.get(cluster) ?? new Map<Role, Standing>();
    const place = roles.get(role) ?? { groups: [], acls: [] };
    places.set(cluster, roles.set(role, place));
    return place;
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
        // Each ACL has to let pass by itself: it is judged once.
        acls: position === 0 ? acls : [],
        roleOf: roleOfReference(judged, cluster, references),
      }));
    });
  });
}

/** A patch by itself does not say enough about a cluster to judge it. */
function isDescribed(cluster: JudgedCluster): cluster is Hosts["cluster"] {
  return cluster.topology !== undefined && !cluster.partial;
}

/** The ACLs that have a role in a cluster that is known, once for each. */
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

/** The VPC endpoint stands in the workers' subnets. */
const standsBefore = (role: Role): readonly Role[] =>
  role === Role.Workers ? [Role.Workers, Role.PrivateEndpoint] : [role];

type Found = Pick<GroupInRole, "role" | "cluster">;

/** Roles of groups by the group itself, or by its id where it is not in this stack. */
function rolesById(groups: readonly GroupInRole[]): ReadonlyMap<Resource | string, readonly Found[]> {
  const roles = new Map<Resource | string, Found[]>();
  for (const { group, role, cluster } of groups) {
    const key = group.resource ?? group.id;
    if (key !== undefined) append(roles, key, [{ role, cluster }]);
  }
  return roles;
}

/** Groups without any rule are in no list of groups: configuration and tags may name them all the same. */
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

/** Properties that decide which flows there are. */
const DECIDING = ["platform", "services", "endpointAccess", "loadBalancerTargets", "bootstrap"];

/** Properties that are not known, and without which the flows of a cluster are unknown. */
export function undecidedFlows(cluster: Hosts["cluster"], holder: Resource): Judgement[] {
  return DECIDING.filter((property) => isUnknown(cluster.topology, property)).map((property) => {
    const { holder: from, path } = cluster.locate(property);
    return unknown({ resource: from ?? holder, path });
  });
}
