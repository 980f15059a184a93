import { oppositeDirection, Role, type Direction } from "../../requirements/vocabulary";
import { onceForBoth } from "../../collections";
import {
  NOT_CONFIGURED,
  roleOfForeignGroup,
  roleOfGroup,
  taggedRole,
  type GroupRole,
} from "../../resources/groupRoles";
import { type AclSubnet, type NetworkAcl, networkAcls } from "../../resources/networkAcls";
import { UNKNOWN, type UnknownValue } from "../../resources/resource";
import type { ResourceIndex } from "../../resources/resourceIndex";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { networkAclFilter } from "../filters";
import { isHere } from "../../flows/hosts";
import type { Guard } from "./judge";

/** Whose subnets an ACL filters. */
interface Placed {
  acl: NetworkAcl;
  roles: ReadonlySet<Role>;
  /** Values that decide whether it filters those of others too. */
  unknown: readonly UnknownValue[];
}

/**
 * The ACLs that stand before hosts of a role. A subnet has one ACL: several stand for several subnets, and each has to let
 * pass. One whose subnets are unknown may stand before any.
 */
export function aclGuards(
  index: ResourceIndex,
  topology: NormalizedTopology,
): (role: Role, direction: Direction) => Guard[] {
  const { acls, stray } = networkAcls(index);
  const placed = acls.map((acl) => place(acl, index, topology));
  return (role, direction) => {
    return placed.flatMap(({ acl, roles, unknown }): Guard[] => {
      const isSure = roles.has(standsBefore(role));
      if (!isSure && unknown.length === 0) return [];
      const filter = (way: Direction) => networkAclFilter([...acl.rules, ...stray], way, acl.partial);
      return [
        {
          name: nameOfAcl(acl),
          standing: { kind: "networkAcl", acl },
          filters: [filter(direction)],
          answers: [filter(oppositeDirection(direction))],
          ...(!isSure && { doubtful: unknown }),
        },
      ];
    });
  };
}

/** The VPC endpoint stands in the workers' subnets. */
const standsBefore = (role: Role): Role => (role === Role.PrivateEndpoint ? Role.Workers : role);

/** Whose subnets an ACL filters: what it says of itself, by its component or its tags, and what the tags of its subnets say. */
export const rolesOfAcl = onceForBoth((acl: NetworkAcl, index: ResourceIndex): GroupRole[] => {
  const own = acl.resource
    ? roleOfGroup(acl.resource, index, NOT_CONFIGURED)
    : roleOfForeignGroup(acl.id ?? "", acl.rules[0]?.resource, index, NOT_CONFIGURED);
  return [own, ...acl.subnets.map((subnet) => roleOfSubnet(subnet, own))];
});

function place(acl: NetworkAcl, index: ResourceIndex, topology: NormalizedTopology): Placed {
  const said = rolesOfAcl(acl, index);
  const here = said.filter(({ cluster }) => isHere(topology, cluster));
  return {
    acl,
    roles: new Set(here.flatMap(({ role }) => role ?? [])),
    unknown: said.flatMap(({ unknown }) => unknown),
  };
}

/** Unknown subnets are those of the ACL's own role, where it has one. */
function roleOfSubnet({ subnet, resource, path }: AclSubnet, own: GroupRole): GroupRole {
  if (typeof subnet === "object") return taggedRole(subnet);
  return { unknown: subnet === UNKNOWN && !own.role ? [{ resource, path }] : [] };
}

/** The ACL, as findings name it. */
export function nameOfAcl({ resource, id }: NetworkAcl): string {
  if (resource) return `network ACL ${resource.name}`;
  return id !== undefined && /^acl-[0-9a-z]+$/.test(id) ? `network ACL ${id}` : "an unknown network ACL";
}
