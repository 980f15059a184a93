import type { Prefix } from "../../address";
import { hyperShiftPolicyFilter, POD_LABEL } from "../../requirements/networkPolicies";
import { Direction, Role } from "../../requirements/vocabulary";
import {
  clustersOf,
  type ConfiguredGroups,
  type GroupRole,
  hyperShifts,
  isAmbiguous,
  type NamedGroup,
  NOT_CONFIGURED,
  openNodes,
  ownerOf,
  UNSEEN_RULES,
} from "../../resources/groupRoles";
import { type DoubtfulGroups, doubtfulGroups } from "../../resources/doubtfulGroups";
import type { Resource, UnknownValue } from "../../resources/resource";
import type { ResourceIndex } from "../../resources/resourceIndex";
import {
  isAdministratorsPolicy,
  isAdminNetworkPolicy,
  isBaselineAdminNetworkPolicy,
  isClusterNetworkPolicy,
  isNetworkPolicy,
} from "../../resources/resourceTypes";
import { networkAcls } from "../../resources/networkAcls";
import {
  groupsTogether,
  securityGroups,
  type SecurityGroup,
  type SecurityGroupRule,
} from "../../resources/securityGroups";
import { type NamespaceLabels, withPatches } from "../../resources/oneObject";
import { append, onceForBoth, onceForEach, onceIn, onlyOnce } from "../../collections";
import { selected } from "../../resources/kubernetesObject";
import { readText, readValue } from "../../resources/read";
import {
  isOfControlPlane,
  namesOfCluster,
  objectsPerhapsIn,
  type NormalizedTopology,
} from "../../topology/normalizedTopology";
import { Action, type Clause, type Filter, OPEN } from "../filters/filter";
import { withRulesOf } from "../filters/prepared";
import { adminNetworkPolicyFilter, baselineFilter } from "../filters/adminNetworkPolicy";
import { isolates, networkPolicyFilter, type PolicyView } from "../filters/networkPolicy";
import { mayBeHosts } from "../flows/groupFilter";
import { groupNamed, openToOthers } from "./excess";
import {
  doubtfulRules,
  type GroupReference,
  namesGroups,
  securityGroupFilter,
} from "../filters/securityGroup";
import { demandedLabel, type PodEnd, type PolicyEnd, withStatedLabels } from "../filters/policySelection";
import { type Labels, podEnd, podsIn } from "../isolation/podTraffic";
import { aclGuards, namespaceGuards, besideStated, hyperShiftResources, type Guard } from "./guards";
import { othersAt, onceForPlace } from "./duty";
import { hostsOf, isHere } from "../../flows/hops";
import type { HostHop, PodHop, SenderHop } from "../../flows/model";
import type { Guards } from "./judge";
import {
  clusterWideObjects,
  hostedClusterOf,
  namespaceLabels,
  standingObjects,
  surroundingsOf,
} from "../../flows/surroundings";

/**
 * Returns the guards of one hosted cluster in a plan: its own groups, ACLs and policies.
 *
 * @param areRead whether the policies of a running cluster were read completely; false if policies of controllers were left out
 */
export function planGuards(
  index: ResourceIndex,
  topology: NormalizedTopology,
  configured: readonly ConfiguredGroups[] = NOT_CONFIGURED,
  areRead = true,
): Guards {
  const { unknown } = securityGroups(index);
  const acls = aclGuards({ index, configured }, topology);
  const { namespaces } = surroundingsOf(index, topology, configured);
  const roles = new Roles(index, topology, configured);
  const groups = roles.groups();
  const policies = policiesOf(index, topology);
  const admin = administratorsOf(index, topology, isAdminNetworkPolicy);
  const baselines = administratorsOf(index, topology, isBaselineAdminNetworkPolicy);
  const stated = policies.filter((policy) => isCertainlyOf(policy, topology));
  const hyperShift = areRead ? besideStated(topology, stated) : hyperShiftResources(topology);
  const isBare = policies.length + admin.length + baselines.length === 0;
  const shared = isBare
    ? onceIn(sharedFilters(index), JSON.stringify(hyperShift.map(specOf)), () => new Map())
    : undefined;
  const labelsOf = namespaceLabels(index, topology);
  const others = onceForPlace((role, direction) => {
    const isRead = groups.some((group) => group.role === role && roles.isHyperShifts(group.group));
    return othersAt(topology, role, direction, isRead);
  });
  const ofAcls = onceForPlace(acls);
  const ofGroups = onceForPlace((role, direction) => {
    const own = groups.filter((one) => one.role === role).map(({ group }) => group);
    const doubtful = doubtfulGroups(roles, role, topology);
    const stray =
      doubtful.find(({ unread }) => unread)?.unread!.doubt ??
      unknown[0] ??
      (role === Role.Workers ? openNodes(index, topology, hostedClusterOf(index, topology)) : undefined);
    return groupGuards(own, doubtful, { role, direction }, roles, stray);
  });
  return {
    hosts: (role, direction, peers = []) => [
      ...ofGroups(role, direction)(Object.values(Role).filter((one) => mayBeHosts(one, peers, role))),
      ...ofAcls(role, direction),
    ],
    pods: (hop) => podGuards(hop, topology, { policies, admin, baselines, hyperShift, shared, labelsOf }),
    namespaces: (hop) => namespaceGuards(hop, namespaces, topology),
    others: (hop) => others(hop.role, hop.direction),
  };
}

/** The NetworkPolicies of a plan that are or may be in the namespace of a hosted control plane. */
export const policiesOf = (index: ResourceIndex, topology: NormalizedTopology): readonly Resource[] =>
  withPatches(standingObjects(index, topology, objectsPerhapsIn(topology, index.ofKind(isNetworkPolicy))));

/** Whether a policy is certainly in the namespace of a hosted control plane. */
export function isCertainlyOf({ properties }: Resource, topology: NormalizedTopology): boolean {
  const namespace = readText(properties, "metadata.namespace");
  return typeof namespace === "string" && isOfControlPlane(topology, namespace) === true;
}

/** The administrators' policies of one kind that may apply to a control plane, and ClusterNetworkPolicies, which have either tier. */
export const administratorsOf = (
  index: ResourceIndex,
  topology: NormalizedTopology,
  isOfKind: (type: string) => boolean,
): readonly Resource[] =>
  [isOfKind, isClusterNetworkPolicy].flatMap((holds) =>
    withPatches(clusterWideObjects(index, topology, index.ofKind(holds))),
  );

/**
 * Whether nothing in a plan filters a cluster's flows except the allow list of its own HostedCluster: no group, ACL, policy or
 * egress firewall, and no encryption.
 */
export function isUnguarded(
  index: ResourceIndex,
  topology: NormalizedTopology,
  configured: readonly ConfiguredGroups[] = NOT_CONFIGURED,
): boolean {
  const { namespaces, ipsec } = surroundingsOf(index, topology, configured);
  const { acls, stray } = networkAcls(index);
  return (
    namespaces.length + Object.keys(ipsec).length + acls.length + stray.length === 0 &&
    index.ofKind(isAdministratorsPolicy).length === 0 &&
    objectsPerhapsIn(topology, index.ofKind(isNetworkPolicy)).length === 0 &&
    new Roles(index, topology, configured).groups().length === 0 &&
    Object.values(Role).every((role) => doubtfulGroups({ index, configured }, role, topology).length === 0)
  );
}

/**
 * What HyperShift's policies do to packets to a pod, if the plan has no policies: the result is shared by all clusters for which
 * HyperShift writes the same policies, whatever their names.
 */
const sharedFilters = onceForEach((_: ResourceIndex) => new Map<string, Map<string, readonly Filter[]>>());

const specOf = ({ name, properties }: Resource): unknown => [name, properties.spec];

/** A group, and the cluster and role of its hosts. */
interface OwnedGroup extends GroupRole {
  group: SecurityGroup;
  /** Its position in the list of all groups. */
  position: number;
}

/** The groups of each cluster; undefined stands for a cluster that is not stated, if there is only one. Built once per plan. */
const groupsByCluster = onceForBoth((index: ResourceIndex, configured: readonly ConfiguredGroups[]) => {
  const plan = { index, configured };
  const found = new Map<string | undefined, OwnedGroup[]>();
  securityGroups(index).groups.forEach((group, position) => {
    const owner = ownerOf(group, plan);
    for (const cluster of owner.role === undefined ? [] : clustersOf(owner))
      if (!isAmbiguous(cluster, plan)) append(found, cluster, [{ group, position, ...owner }]);
  });
  return found;
});

/** The owners and roles of groups. */
class Roles {
  constructor(
    readonly index: ResourceIndex,
    readonly topology: NormalizedTopology,
    readonly configured: readonly ConfiguredGroups[],
  ) {}

  /** The groups of this cluster, in their order. */
  groups(): OwnedGroup[] {
    const all = groupsByCluster(this.index, this.configured);
    const own = [undefined, ...namesOfCluster(this.topology)].flatMap((cluster) => all.get(cluster) ?? []);
    const once = [...new Map(own.map((one) => [one.position, one])).values()];
    return once.sort((a, b) => a.position - b.position);
  }

  /** Whether a group is one of HyperShift's own, with all of its rules among the inputs. */
  isHyperShifts({ resource }: SecurityGroup): boolean {
    return resource !== undefined && hyperShifts(this.index).has(readText(resource.properties, "id"));
  }

  /** The addresses of the hosts that have a referenced group; none if the other end cannot have its role. */
  addressesOf(reference: GroupReference, others: readonly Role[]): readonly Prefix[] | undefined {
    const role = this.roleOf(groupNamed(reference, this.index));
    if (role !== undefined && !others.includes(role)) return [];
    return role && hostsOf(this.topology, role).prefixes;
  }

  /** The role of a group in this cluster. */
  private roleOf(group: NamedGroup): Role | undefined {
    const found = ownerOf(group, this);
    const isMeant = (cluster: string | undefined) =>
      isHere(this.topology, cluster) && !isAmbiguous(cluster, this);
    return clustersOf(found).some(isMeant) ? found.role : undefined;
  }
}

/** The groups of one interface. */
interface GroupsBefore {
  own: readonly SecurityGroup[];
  vpc?: string;
  rules: readonly SecurityGroupRule[];
  /** Set if it is not known whether the hosts have any of the groups. */
  doubtful?: readonly UnknownValue[];
}

/**
 * The guards of one role: groups of an interface add up, and in several VPCs the groups of each must allow the packets. A rule that
 * names a group means hosts of its role: `others` are the roles that the other end may have.
 *
 * @param doubtful groups that the hosts may have in addition
 * @param stray set if the hosts may have rules that are not known
 */
function groupGuards(
  groups: readonly SecurityGroup[],
  doubtful: readonly DoubtfulGroups[],
  { role, direction }: Pick<HostHop, "role" | "direction">,
  roles: Roles,
  stray: UnknownValue | undefined,
): (others: readonly Role[]) => readonly Guard[] {
  const isGuarded = groups.length > 0;
  const interfaces: GroupsBefore[] = isGuarded
    ? groupsTogether(roles.index, role, groups, (group) => group).map((one) => ({
        ...one,
        rules: one.own.flatMap((group) => group.rules),
      }))
    : perhapsBefore(doubtful);
  const more = doubtful
    .filter(({ unread }) => !unread)
    .map((list) => doubtfulRules(isGuarded ? list.groups : list.ofRole, direction));
  const naming = onlyOnce(
    () =>
      interfaces.some(({ rules }) =>
        rules.some((rule) => rule.direction === direction && namesGroups(rule)),
      ) || more.some(({ areNamingGroups }) => areNamingGroups()),
  );
  const made = new Map<string, readonly Guard[]>();
  const guardsWith = (others: readonly Role[]): Guard[] => {
    const addressesOf = (reference: GroupReference) => roles.addressesOf(reference, others);
    const perhaps = more.map((rules) => rules.filter(addressesOf));
    return interfaces.map(({ own, vpc, rules, doubtful: doubts }): Guard => {
      const partial = own.find(({ resource }) => !resource)?.rules[0]?.resource;
      // A rule whose group is unknown may be in this one.
      const incomplete =
        stray ?? (partial && { resource: partial, path: "securityGroupId", reason: UNSEEN_RULES });
      return {
        name: `security groups of ${role}${vpc === undefined ? "" : ` in ${vpc}`}`,
        standing: { kind: "securityGroups", groups: own },
        filters: [withRulesOf(securityGroupFilter(rules, direction, addressesOf), perhaps)],
        openToOthers: () => openToOthers(own, role, direction, roles.topology, roles),
        ...(incomplete && { incomplete }),
        ...(doubts && { doubtful: doubts }),
      };
    });
  };
  return (others) => {
    const asked = naming() ? others : Object.values(Role);
    return onceIn(made, asked.join(), () => guardsWith(asked));
  };
}

/** The groups of hosts that have none for certain. Groups that may have any role are before hosts only together with others. */
function perhapsBefore(doubtful: readonly DoubtfulGroups[]): GroupsBefore[] {
  // Of a list that is too long to read, one group stands for all.
  const own = doubtful.flatMap(({ ofRole, unread }) => (unread ? ofRole.slice(0, 1) : ofRole));
  return own.length === 0
    ? []
    : [{ own: own.map(({ group }) => group), rules: [], doubtful: own.map(({ doubt }) => doubt) }];
}

/** The policies that may apply to pods of a control plane. */
interface Policies {
  policies: readonly Resource[];
  admin: readonly Resource[];
  baselines: readonly Resource[];
  /** HyperShift's policies that the plan does not show. */
  hyperShift: readonly Resource[];
  /** If HyperShift's are the only ones: their effect on packets to a pod, by the pod and the sender. */
  shared: Map<string, readonly Filter[]> | undefined;
  labelsOf: NamespaceLabels;
}

/** The guards of packets between pods: those of the receivers, and those of the senders if policies of this namespace apply to them. */
function podGuards(
  hop: PodHop | SenderHop,
  topology: NormalizedTopology,
  { policies, admin, baselines, hyperShift, shared, labelsOf }: Policies,
): Guard[] {
  const filters = (view: PolicyView, plain = policies) =>
    [
      adminNetworkPolicyFilter(admin, view),
      networkPolicyFilter(plain, view),
      baselineFilter(baselines, view),
    ] as const;
  const stated = <End extends PolicyEnd>(end: End): End => withStatedLabels(end, labelsOf);
  // Without a policy on what these pods send, there is no guard.
  const sending = (whose: string, view: PolicyView): Guard[] => {
    const found = filters(view);
    const [first, , last] = found;
    if (found.every(({ clauses, otherwise }) => clauses.length === 0 && otherwise !== Action.Deny)) return [];
    const doubtful = [
      ...policies.filter((policy) => isolates(policy, view)).map(besidesHyperShift),
      ...(hyperShift.some((policy) => mayIsolate(policy, view.pod))
        ? last.clauses.map(behindHyperShift)
        : []),
    ];
    const standing = { kind: "networkPolicies", direction: Direction.Egress } as const;
    const foremost = [first, OPEN];
    return [{ name: `egress network policies of ${whose}`, standing, filters: found, doubtful, foremost }];
  };
  if (hop.kind === "senders") {
    const view = {
      direction: Direction.Egress,
      pod: stated(anyPod(topology)),
      other: stated(receiver(hop, topology)),
    };
    return sending("the control plane's pods", view);
  }
  const pod = stated(noMachine(podOf({ [POD_LABEL.app]: hop.app }, topology)));
  const other = stated(otherEnd(hop, topology));
  const entering = { direction: Direction.Ingress, pod, other };
  const found = filters(entering);
  const isIsolated = found.some(({ otherwise }) => otherwise === Action.Deny);
  const withHyperShift = () => filters(entering, [...policies, ...hyperShift]);
  const reached: Guard = {
    name: `network policies of pods ${hop.app}`,
    standing: { kind: "networkPolicies", direction: Direction.Ingress },
    filters: found,
    ...(hyperShift.length > 0 && {
      others: {
        by: hyperShiftPolicyFilter,
        filters: shared
          ? () => onceIn(shared, `${hop.app} ${JSON.stringify(hop.from)}`, withHyperShift)
          : withHyperShift,
        isOnlyOne: !isIsolated,
      },
    }),
  };
  const sender =
    hop.from === "addresses" || hop.from.namespaceLabels ? undefined : hop.from.labels[POD_LABEL.app];
  // Packets within one pod do not leave it.
  if (sender === undefined || sender === hop.app || other.kind !== "pod") return [reached];
  const view = { direction: Direction.Egress, pod: noMachine(other), other: pod };
  return [reached, ...sending(`pods ${sender}`, view)];
}

/** HyperShift's policies allow egress in addition to the plan's: what the plan's policies drop may pass. */
const besidesHyperShift = (resource: Resource): UnknownValue => ({
  resource,
  path: "spec.egress",
  reason: "HyperShift also creates policies, which may allow more egress",
});

/** Whether a policy may apply to what these pods send. A policy that selects by a label must be known to select these pods. */
function mayIsolate({ properties }: Resource, { labels }: PodEnd): boolean {
  if (readValue(properties, "spec.egress") === undefined) return false;
  const selector = readValue(properties, "spec.podSelector");
  const isSelected = selected(selector, labels);
  return demandedLabel(selector) === undefined ? isSelected !== false : isSelected === true;
}

/** A baseline policy applies only to pods that no network policy selects. */
const behindHyperShift = ({ resource, path }: Clause): UnknownValue => ({
  resource,
  path,
  reason:
    "HyperShift's own egress policies, which no plan shows, may select these pods: baseline policies do not apply then",
});

/** Any pod of the control plane: its labels are unknown, except that it is no virtual machine. */
const anyPod = (topology: NormalizedTopology): PodEnd => noMachine(podOf({}, topology));

/** Only pods of virtual machines have that label. */
const noMachine = (pod: PodEnd): PodEnd => ({
  ...pod,
  labels: { ...pod.labels, absent: [POD_LABEL.kubevirt] },
});

const receiver = ({ to }: SenderHop, { controlPlaneNamespace }: NormalizedTopology): PolicyEnd =>
  to === "addresses" ? { kind: "addresses" } : podsIn(to, controlPlaneNamespace);

/** Pods of the control plane. They have more labels than the well-known ones. */
const podOf = (labels: Labels, { controlPlaneNamespace }: NormalizedTopology): PodEnd => ({
  ...podEnd(controlPlaneNamespace, labels),
  isHidden: true,
  labels: { labels, complete: false },
});

function otherEnd({ from }: PodHop, topology: NormalizedTopology): PolicyEnd {
  if (from === "addresses") return { kind: "addresses" };
  const { namespaceLabels, labels } = from;
  if (!namespaceLabels) return podOf(labels, topology);
  return { ...podsIn(namespaceLabels, topology.controlPlaneNamespace), labels: { labels, complete: false } };
}
