import { plural } from "../text";
import { namesOf, type ConfiguredGroups, type GroupRole } from "../resources/groupRoles";
import { unreadFilters } from "../resources/judgedTypes";
import type { Role } from "../requirements/vocabulary";
import type { JudgedResources } from "./judgedResources";

/** Kinds and groups that are named; the others are counted. */
const NAMED = 5;

/** What filters packets and no rule judges, or not against the documents: a report without findings is no praise of that. */
export function leftUnjudged(judged: JudgedResources): string[] {
  return [...filtersNotRead(judged), ...withoutRole(judged), ...listedInVain(judged)];
}

/** A clean report says nothing of what other filters let pass. */
export function filtersNotRead({ resources }: JudgedResources): string[] {
  const unread = [...unreadFilters(resources)].sort(([a], [b]) => (a < b ? -1 : 1));
  if (unread.length === 0) return [];
  const kinds = unread.slice(0, NAMED).map(([type, count]) => `${type} (${count})`);
  const rest = unread.length > NAMED ? ` and ${unread.length - NAMED} more kinds` : "";
  return [`filters that are not read: ${kinds.join(", ")}${rest}: what they let pass or stop is not known`];
}

/** Rules on documented ports compare security groups with the hosted cluster in which they have a role. */
function withoutRole(judged: JudgedResources): string[] {
  const { groups } = judged.groups;
  if (groups.length === 0 || judged.groupsInRoles().length > 0) return [];
  const why =
    judged.clusters.length === 0
      ? "no hosted cluster is known: describe it in a configuration file (--config)"
      : "none has a role in a hosted cluster: give them the tags hypershift-network/cluster and hypershift-network/role, or name them under securityGroups in the configuration";
  return [`${plural(groups.length, "security group")} not held against the documented ports: ${why}`];
}

/** A group that the configuration lists and that is not found is not judged; neither is one that counts elsewhere. */
function listedInVain(judged: JudgedResources): string[] {
  const listed = judged.configuredGroups.flatMap(listedGroups);
  if (listed.length === 0 || judged.groups.groups.length === 0) return [];
  const roles = rolesByName(judged, new Set(listed.map(({ name }) => name)));
  const notFound = listed.filter(({ name }) => !roles.has(name)).map(describeListed);
  const elsewhere = listed.flatMap((one) => {
    const { role, cluster } = roles.get(one.name) ?? one;
    const isHere = role === one.role && cluster === one.cluster;
    return isHere ? [] : [`${describeListed(one)} (counts as ${String(role)} of ${String(cluster)})`];
  });
  return [
    ...(notFound.length > 0
      ? [`the configuration names security groups that were not read, by name, id or URN: ${some(notFound)}`]
      : []),
    ...(elsewhere.length > 0
      ? [`security groups are judged for one role of one hosted cluster, not for: ${some(elsewhere)}`]
      : []),
  ];
}

interface ListedGroup {
  name: string;
  role: Role;
  cluster: string;
}

const listedGroups = ({ cluster, groups }: ConfiguredGroups): ListedGroup[] =>
  (Object.entries(groups) as [Role, readonly string[]][]).flatMap(([role, names]) =>
    names.map((name) => ({ name, role, cluster })),
  );

function rolesByName(judged: JudgedResources, wanted: ReadonlySet<string>): Map<string, GroupRole> {
  const roles = new Map<string, GroupRole>();
  for (const group of judged.groups.groups) {
    const { resource, id = "" } = group;
    for (const name of resource ? namesOf(resource) : [id])
      if (wanted.has(name)) roles.set(name, judged.roleOf(group));
  }
  return roles;
}

const describeListed = ({ name, role, cluster }: ListedGroup): string => `${name} as ${role} of ${cluster}`;

/** The first ones in a sentence, and how many there are besides. */
export const some = (texts: readonly string[]): string =>
  texts.length > NAMED
    ? `${texts.slice(0, NAMED).join(", ")} and ${texts.length - NAMED} more`
    : texts.join(", ");
