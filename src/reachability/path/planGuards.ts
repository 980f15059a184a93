import type { Prefix } from "../../address";
import { NAMESPACE_LABEL, POD_LABEL } from "../../requirements/networkPolicies";
import { Direction } from "../../requirements/vocabulary";
import type { ConfiguredGroups, GroupRole } from "../../resources/groupRoles";
import { roleOfForeignGroup, roleOfGroup } from "../../resources/groupRoles";
import type { Resource } from "../../resources/resource";
import type { ResourceIndex } from "../../resources/resourceIndex";
import { isNetworkPolicy } from "../../resources/resourceTypes";
import { securityGroups, type SecurityGroup } from "../../resources/securityGroups";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { UnknownValue } from "../../resources/unknownValue";
import { Role } from "../../topology/requiredFlow";
import {
  adminNetworkPolicyFilter,
  baselineFilter,
  networkPolicyFilter,
  securityGroupFilter,
  type GroupReference,
  type PodEnd,
  type PolicyEnd,
} from "../filters";
import { aclGuards } from "./aclGuards";
import { hostsOf, isHere } from "./hosts";
import type { PodHop } from "./journey";
import type { Guard, Guards } from "./judge";
import { namespaceGuards } from "./namespaceGuards";
import { surroundingsOf } from "./surroundings";

/** What guards one hosted cluster in a plan: the groups, ACLs and policies that are its own. */
export function planGuards(
  index: ResourceIndex,
  topology: NormalizedTopology,
  configured: readonly ConfiguredGroups[] = [],
): Guards {
  const { groups, unknown } = securityGroups(index);
  const acls = aclGuards(index, topology);
  const { namespaces } = surroundingsOf(index, topology);
  const roles = new Roles(index, topology, configured, groups);
  const policies = index.resources.filter(({ type }) => isNetworkPolicy(type));
  const admin = index.resources.filter(({ type }) => ADMIN_POLICY.test(type));
  const baselines = index.resources.filter(({ type }) => BASELINE_POLICY.test(type));
  return {
    hosts: once((role: Role, direction: Direction) => [
      ...groupGuard(groups, role, direction, roles, unknown[0]),
      ...acls(role, direction),
    ]),
    pods: (hop) => {
      const view = {
        direction: Direction.Ingress,
        pod: podOf(hop, topology),
        other: otherEnd(hop, topology),
      };
      const name = `network policies of pods ${hop.app}`;
      const filters = [
        adminNetworkPolicyFilter(admin, view),
        networkPolicyFilter(policies, view),
        baselineFilter(baselines, view),
      ];
      return [{ name, standing: { kind: "networkPolicies" }, filters }];
    },
    namespaces: (hop) => namespaceGuards(hop, namespaces, topology),
  };
}

/** Many journeys pass one place: what stands there is read once. */
function once<A extends string, B extends string, T>(make: (a: A, b: B) => T): (a: A, b: B) => T {
  const made = new Map<string, T>();
  return (a, b) => {
    const key = `${a} ${b}`;
    const known = made.get(key) ?? make(a, b);
    made.set(key, known);
    return known;
  };
}

const ADMIN_POLICY = /^kubernetes:policy\.networking\.k8s\.io\/[^:]+:AdminNetworkPolicy(Patch)?$/;
const BASELINE_POLICY = /^kubernetes:policy\.networking\.k8s\.io\/[^:]+:BaselineAdminNetworkPolicy(Patch)?$/;

/** Which groups are whose. */
class Roles {
  constructor(
    private readonly index: ResourceIndex,
    private readonly topology: NormalizedTopology,
    private readonly configured: readonly ConfiguredGroups[],
    groups: readonly SecurityGroup[],
  ) {
    const elsewhere = groups.filter(({ resource }) => !resource);
    this.foreignById = new Map(elsewhere.map((group) => [group.id ?? "", group]));
  }

  /** Groups that are not in the stack, but have rules in it. */
  private readonly foreignById: ReadonlyMap<string, SecurityGroup>;

  /** The role of a group in this cluster. */
  of(group: SecurityGroup): Role | undefined {
    const found = group.resource
      ? roleOfGroup(group.resource, this.index, this.configured)
      : this.foreign(group.id ?? "", group.rules[0]?.resource);
    return this.here(found);
  }

  /** The addresses of the hosts that a referenced group is attached to. */
  addressesOf(reference: GroupReference): readonly Prefix[] | undefined {
    const role =
      reference.kind === "group"
        ? this.here(roleOfGroup(reference.group, this.index, this.configured))
        : this.ofForeign(reference.id);
    return role && hostsOf(this.topology, role).prefixes;
  }

  /** Rules that stand in a group may say its role; a rule that names it says nothing of it. */
  private ofForeign(id: string): Role | undefined {
    const group = this.foreignById.get(id);
    return group ? this.of(group) : this.here(this.foreign(id, undefined));
  }

  private foreign(id: string, rule: Resource | undefined): GroupRole {
    return roleOfForeignGroup(id, rule, this.index, this.configured);
  }

  private here({ role, cluster }: GroupRole): Role | undefined {
    return isHere(this.topology, cluster) ? role : undefined;
  }
}

/** The groups of one role: those of an interface add up. */
function groupGuard(
  groups: readonly SecurityGroup[],
  role: Role,
  direction: Direction,
  roles: Roles,
  stray: UnknownValue | undefined,
): Guard[] {
  const own = groups.filter((group) => roles.of(group) === role);
  const [first] = own;
  if (!first) return [];
  const rules = own.flatMap((group) => group.rules);
  const partial = own.find(({ resource }) => !resource)?.rules[0]?.resource;
  const filter = securityGroupFilter(rules, direction, (reference) => roles.addressesOf(reference));
  const reason = "the other rules of a security group that is not in this stack";
  // A rule of which nobody knows the group may stand in this one.
  const incomplete = partial ? { resource: partial, path: "securityGroupId", reason } : stray;
  return [
    {
      name: `security groups of ${role}`,
      standing: { kind: "securityGroups", groups: own },
      filters: [filter],
      ...(incomplete && { incomplete }),
    },
  ];
}

/** Pods have more labels than the one that everybody knows. */
function podOf({ app }: PodHop, { controlPlaneNamespace }: NormalizedTopology): PodEnd {
  return {
    kind: "pod",
    namespace: controlPlaneNamespace,
    namespaceLabels: { labels: { [NAMESPACE_LABEL.name]: controlPlaneNamespace }, complete: false },
    labels: { labels: { [POD_LABEL.app]: app }, complete: false },
  };
}

function otherEnd({ from }: PodHop, { controlPlaneNamespace }: NormalizedTopology): PolicyEnd {
  if (from === "addresses") return { kind: "addresses" };
  const { namespaceLabels, labels } = from;
  return {
    kind: "pod",
    namespace: namespaceLabels ? "" : controlPlaneNamespace,
    namespaceLabels: {
      labels: namespaceLabels ?? { [NAMESPACE_LABEL.name]: controlPlaneNamespace },
      complete: false,
    },
    labels: { labels, complete: false },
  };
}
