import { JudgedResources } from "../gate/judgedResources";
import { isHyperShifts } from "../reachability/path";
import { controllerOf, API_NAMESPACE } from "../resources/kubernetesObject";
import { plural } from "../text";
import { isList, readText } from "../resources/read";
import { withProperties, type Resource } from "../resources/resource";
import {
  CONNECTIONS,
  isEgressFirewall,
  isHostedCluster,
  isNetworkPolicy,
  SECURITY_GROUPS,
  SPLIT_RULES,
} from "../resources/resourceTypes";
import { isByController } from "../resources/securityGroups";
import { Direction } from "../requirements/vocabulary";
import type { LiveOptions } from "./liveInputs";

/** A plan and what runs, as far as they can be compared. */
export interface LiveSides {
  plan: JudgedResources;
  live: JudgedResources;
  notes: string[];
}

/**
 * Takes out of a plan what was not read of what runs, and out of both what controllers write and would write again: neither
 * is a change that a user made.
 */
export function liveSides(plan: JudgedResources, live: JudgedResources, asked: LiveOptions): LiveSides {
  const controlPlanes = new Set(
    [...plan.clusters, ...live.clusters].flatMap(({ topology }) => topology?.controlPlaneNamespace ?? []),
  );
  const isManagement = live.resources.some(({ type }) => isHostedCluster(type));
  const isHere = ({ type, properties }: Resource): boolean => {
    if (type.startsWith("aws:")) return asked.ec2 !== undefined;
    if (!type.startsWith("kubernetes:") || isHostedCluster(type)) return true;
    if (!asked.cluster) return false;
    const namespace = readText(properties, "metadata.namespace") ?? API_NAMESPACE;
    const isPlaced = isEgressFirewall(type) || isNetworkPolicy(type);
    return !isPlaced || typeof namespace !== "string" || controlPlanes.has(namespace) === isManagement;
  };
  const left = { rules: 0, policies: 0 };
  const sideOf = ({ resources, configuration }: JudgedResources) =>
    new JudgedResources(
      resources.filter(isHere).flatMap((resource) => byPeople(resource, left)),
      configuration,
    );
  const sides = { plan: sideOf(plan), live: sideOf(live) };
  return { ...sides, notes: [...notesOf(left), ...notFollowed(sides.plan)] };
}

/** What controllers wrote, counted. */
interface Left {
  rules: number;
  policies: number;
}

/** A resource without the rules that controllers write; nothing where it is theirs as a whole. */
function byPeople(resource: Resource, left: Left): Resource[] {
  const { type, properties } = resource;
  if (isNetworkPolicy(type) && (isHyperShifts(resource) || controllerOf(properties) !== undefined)) {
    left.policies++;
    return [];
  }
  if (SPLIT_RULES.has(type) && isByController({ resource, path: "" })) {
    left.rules++;
    return [];
  }
  return [SECURITY_GROUPS.has(type) ? groupByPeople(resource, left) : resource];
}

function groupByPeople(group: Resource, left: Left): Resource {
  const lists = Object.values(Direction).flatMap((direction) => {
    const list = group.properties[direction];
    if (!isList(list)) return [];
    const own = list.filter((_, at) => !isByController({ resource: group, path: `${direction}[${at}]` }));
    left.rules += list.length - own.length;
    return own.length < list.length ? [[direction, own] as const] : [];
  });
  return lists.length === 0
    ? group
    : withProperties(group, { ...group.properties, ...Object.fromEntries(lists) });
}

function notesOf({ rules, policies }: Left): string[] {
  const counted = [
    ...(rules > 0 ? [plural(rules, "rule") + " of security groups"] : []),
    ...(policies > 0 ? [plural(policies, "network policy", "network policies")] : []),
  ];
  return counted.length > 0 ? [`not compared, because controllers write them: ${counted.join(" and ")}`] : [];
}

/** Packets are followed through groups and ACLs; it is not stated how they come there. */
function notFollowed({ resources }: JudgedResources): string[] {
  const kinds = resources
    .filter(({ type }) => CONNECTIONS.has(type))
    .map(({ type }) => type.slice(type.lastIndexOf(":") + 1));
  if (kinds.length === 0) return [];
  return [
    `not compared: how networks are connected (${[...new Set(kinds)].sort().join(", ")}); check --ec2 judges what is there`,
  ];
}
