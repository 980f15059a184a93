import { onceForBoth, onceIn } from "../collections";
import { Role } from "../requirements/vocabulary";
import {
  clustersOf,
  type ConfiguredGroups,
  type GroupsOfPlan,
  isAmbiguous,
  nodePoolGroups,
  ownerOf,
  type PerhapsRole,
  reasonOfAmbiguity,
  taggedRole,
} from "./groupRoles";
import type { Resource, UnknownValue } from "./resource";
import type { ResourceIndex } from "./resourceIndex";
import { namesOfCluster, type NamedTopology } from "../topology/normalizedTopology";
import { type SecurityGroup, securityGroups } from "./securityGroups";

/** A group that may belong to the hosts of a role in a hosted cluster. */
export interface DoubtfulGroup {
  group: SecurityGroup;
  /** The value that decides. */
  doubt: UnknownValue;
  /** Why it may belong to these hosts. */
  reason: string;
  /** False: it may have any role. */
  isOfRole: boolean;
}

/**
 * The groups that may belong to the hosts of a role in the clusters that a name may mean. One object for all of these clusters, so that
 * what the groups allow is prepared once.
 */
export interface DoubtfulGroups {
  /** Each group once. */
  groups: readonly DoubtfulGroup[];
  /** Those that have no other role. */
  ofRole: readonly DoubtfulGroup[];
  /** A group of which it is not known what it allows: not all of its rules are in the stack, or there are too many groups. */
  unread?: DoubtfulGroup;
}

/** The most groups whose rules are read for one role and name. If there are more, what the others drop is not known. */
export const MOST_DOUBTFUL = 50;

/** The groups that may belong to the hosts of a role in a cluster, or in another one: one entry for each name that may mean it. */
export const doubtfulGroups = (
  { index, configured }: GroupsOfPlan,
  role: Role,
  topology: NamedTopology,
): readonly DoubtfulGroups[] => {
  const places = doubtfulByPlace(index, configured);
  return places.size === 0
    ? []
    : [undefined, ...namesOfCluster(topology)].flatMap((cluster) => places.get(placeOf(role, cluster)) ?? []);
};

/** A cluster that is undefined may be any. */
const placeOf = (role: Role, cluster: string | undefined): string => JSON.stringify([role, cluster]);

/** Read once for each plan. */
const doubtfulByPlace = onceForBoth(
  (index: ResourceIndex, configured: readonly ConfiguredGroups[]): ReadonlyMap<string, DoubtfulGroups> => {
    const plan: GroupsOfPlan = { index, configured };
    const places = new Map<string, Map<SecurityGroup, DoubtfulGroup>>();
    for (const group of securityGroups(index).groups)
      for (const { role, cluster, ...one } of doubtsAbout(group, plan))
        for (const place of role ? [role] : Object.values(Role)) {
          const groups = onceIn(
            places,
            placeOf(place, cluster),
            () => new Map<SecurityGroup, DoubtfulGroup>(),
          );
          // Several values may decide about one group, such as those of several NodePools.
          if (!groups.has(group) || (role && !groups.get(group)!.isOfRole))
            groups.set(group, { group, isOfRole: role !== undefined, ...one });
        }
    return new Map([...places].map(([place, groups]) => [place, listOf([...groups.values()])]));
  },
);

function listOf(groups: readonly DoubtfulGroup[]): DoubtfulGroups {
  const stated = groups.filter(({ isOfRole }) => isOfRole);
  const unread =
    groups.length > MOST_DOUBTFUL ? groups[0] : groups.find(({ group }) => group.resource === undefined);
  return {
    groups,
    // The same list if there are no others: what it allows is prepared once for each list.
    ofRole: stated.length === groups.length ? groups : stated,
    ...(unread && { unread }),
  };
}

/** A role that a group may have in a cluster, and why. */
type MayBe = PerhapsRole & Pick<DoubtfulGroup, "reason">;

/** The roles that a group may have: in several clusters if its tags do not say in which of them, or through values that are not known. */
function doubtsAbout(group: SecurityGroup, plan: GroupsOfPlan): MayBe[] {
  const { resource, rules } = group;
  const owner = ownerOf(group, plan);
  const { role } = owner;
  if (role === undefined)
    return resource
      ? perhapsRoles(resource, plan).map((one) => ({
          ...one,
          reason: `security group ${resource.name} may belong to these hosts`,
        }))
      : [];
  const holder = resource ?? rules[0]?.resource;
  return clustersOf(owner).flatMap((cluster): MayBe[] => {
    if (!holder || !isAmbiguous(cluster, plan)) return [];
    const reason = reasonOfAmbiguity(role, cluster);
    const doubt = { resource: holder, path: "tags", reason };
    return [{ role, ...(cluster !== undefined && { cluster }), doubt, reason }];
  });
}

/** The roles that unknown ids of NodePools or its own unknown tags may give to a group that has none. */
function perhapsRoles(group: Resource, { index }: GroupsOfPlan): readonly PerhapsRole[] {
  const { unknown, perhaps: role, cluster } = taggedRole(group, index);
  return [
    ...(nodePoolGroups(index).perhaps.get(group.origin.urn ?? "") ?? []),
    ...unknown.map((doubt) => ({ ...(role && { role }), ...(cluster !== undefined && { cluster }), doubt })),
  ];
}
