import type { Prefix } from "../../address";
import type { OthersSource } from "../../requirements/othersFilters";
import { type Direction, oppositeDirection, Role, Protocol, Zone } from "../../requirements/vocabulary";
import { type NetworkAcl, type AclSubnet, networkAcls } from "../../resources/networkAcls";
import { type Resource, type UnknownValue, UNKNOWN, type PropertyValue } from "../../resources/resource";
import type { SecurityGroup } from "../../resources/securityGroups";
import { type Clause, type Filter, Action } from "../filters/filter";
import { isUnknown, type NormalizedTopology } from "../../topology/normalizedTopology";
import {
  type FirewallRules,
  firewallRulesFilter,
  rulesInRelease,
  rulesOfFirewall,
} from "../filters/egressFirewall";
import type { BalancerHop, NamespaceHop } from "../../flows/model";
import {
  ALLOWED_LIST,
  governedByPlace,
  type GovernedNamespace,
  placeOfNamespace,
} from "../../flows/surroundings";
import { equal, EVERY_PACKET, NO_PACKETS, packets, type PacketSet } from "../packets/packetSet";
import { onceForBoth } from "../../collections";
import {
  type GroupsOfPlan,
  isAmbiguous,
  NOT_CONFIGURED,
  reasonOfAmbiguity,
  roleOfForeignGroup,
  roleOfGroup,
  taggedRole,
  type GroupRole,
} from "../../resources/groupRoles";
import type { ResourceIndex } from "../../resources/resourceIndex";
import { networkAclFilter } from "../filters/networkAcl";
import { type Excess, Proof, prove } from "../proof/prove";
import { packetsOf } from "./duty";
import { isHere } from "../../flows/hops";
import {
  hyperShiftPolicies,
  MANAGEMENT_NAMESPACE,
  NAMESPACE_LABEL,
  POD_LABEL,
  type HyperShiftOpening,
  type HyperShiftPolicy,
} from "../../requirements/networkPolicies";
import { PORT } from "../../requirements/ports";
import { readValue } from "../../resources/read";
import { nodeApiServerPort, servedByManagementRouter } from "../../topology/publishing";

/** How the filter at a place is written: the place for a missing rule. */
export type WrittenGuard =
  /** Groups of one interface, which add up. */
  | { kind: "securityGroups"; groups: readonly SecurityGroup[] }
  | { kind: "networkAcl"; acl: NetworkAcl }
  /** Policies of pods: a rule may be in a policy of its own. */
  | { kind: "networkPolicies"; direction: Direction }
  | { kind: "egressFirewall"; firewall: Resource }
  /** The addresses that public load balancers allow, as a HostedCluster lists them. */
  | { kind: "allowList"; listedBy: Resource };

/** The filters at one place, as a plan shows them. */
export interface Guard {
  /** A readable name: `security groups of workers`. */
  name: string;
  /** What its rules are written in. Absent: unknown, so that no repair can be named. */
  standing?: WrittenGuard;
  /** Filters that packets pass one after the other. */
  filters: readonly Filter[];
  /** The filters for answers, if answers are judged too. */
  answers?: readonly Filter[];
  /** Set if the place may have other rules, which the plan does not show. */
  incomplete?: UnknownValue;
  /** Values that decide whether the guard applies at all: while they are unknown, what it drops may pass. */
  doubtful?: readonly UnknownValue[];
  /** Filters that decide before the doubtful ones: what they drop is dropped, whatever those values are. */
  foremost?: readonly Filter[];
  /** What its rules open to hosts of other hosted clusters, whose groups they name. Absent: nothing. */
  openToOthers?: () => readonly OpenToOthers[];
  /** What another owner has here, combined with what the plan has: both add up. `isOnlyOne` if the plan has nothing. */
  others?: { by: OthersSource; filters: () => readonly Filter[]; isOnlyOne: boolean };
}

/** The values that decide whether what a guard drops may pass after all. */
export const doubtsAbout = ({ incomplete, doubtful = [] }: Guard): UnknownValue[] => [
  ...(incomplete ? [incomplete] : []),
  ...doubtful,
];

/** Whether a guard consists of security groups. */
export const isOfGroups = ({ standing }: Guard): boolean => standing?.kind === "securityGroups";

/** A rule that opens hosts to those of another hosted cluster, and the path at which it names their group. */
export interface OpenToOthers extends Excess {
  clause: Clause;
  /** Packets that no documented flow with anybody's hosts needs. Empty: there are none. */
  packets: PacketSet;
  peers: string;
  path: string;
  /** True: the rule names no other peers. */
  areAll: boolean;
}

/** The egress firewall of a namespace. */
export function namespaceGuards(
  hop: NamespaceHop,
  namespaces: readonly GovernedNamespace[],
  topology: NormalizedTopology,
): Guard[] {
  const { cluster, namespace } = hop;
  const here = governedByPlace(namespaces).get(placeOfNamespace({ cluster, namespace })) ?? [];
  return here.map(({ firewall, doubt }) => ({
    name: `egress firewall of namespace ${namespace}`,
    standing: { kind: "egressFirewall", firewall },
    filters: [firewallAt(hop, firewall, topology)],
    ...(doubt && { doubtful: [doubt] }),
  }));
}

/** The rules of an egress firewall in the cluster of its namespace. No topology states the release of the management cluster. */
export const firewallRulesAt = (
  { firewall, cluster }: Pick<GovernedNamespace, "firewall" | "cluster">,
  { release }: NormalizedTopology,
): FirewallRules => rulesInRelease(rulesOfFirewall(firewall), cluster === "hosted" ? release : undefined);

/**
 * The filter of an egress firewall for packets of a hop. No cluster network contains the management cluster's API servers: they are
 * not exempt. They are somewhere in the stated blocks: if rules deny only a part of those, that part may be in the cluster network.
 */
function firewallAt(hop: NamespaceHop, firewall: Resource, topology: NormalizedTopology): Filter {
  const rules = firewallRulesAt({ firewall, cluster: hop.cluster }, topology);
  const usual = firewallRulesFilter(rules, exemptIn(hop.cluster, topology));
  if (!hop.destinations.some(({ zone }) => zone === Zone.ManagementApi)) return usual;
  const required = packetsOf(hop);
  const filter = firewallRulesFilter(rules, []);
  const verdict = prove(required, [filter]);
  return verdict.proof === Proof.Refuted && !equal(verdict.dropped, required) ? usual : filter;
}

/** Destinations in the cluster network are exempt. No topology states the cluster network of the management cluster. */
function exemptIn(cluster: NamespaceHop["cluster"], topology: NormalizedTopology) {
  if (cluster === "management" || isUnknown(topology, "clusterNetwork")) return undefined;
  return topology.clusterNetwork.map(({ prefix }) => prefix);
}

/** The allow list of a HostedCluster as the guard of its load balancers. */
export function allowListGuard({ allowed, listedBy }: Pick<BalancerHop, "allowed" | "listedBy">): Guard {
  const listed = packets({ sources: allowed });
  return listGuard(listedBy, { sure: listed, possible: listed, unknown: [] });
}

/** An allow list of which not all blocks are known. */
export const unknownListGuard = (listedBy: Resource): Guard =>
  listGuard(listedBy, {
    sure: NO_PACKETS,
    possible: EVERY_PACKET,
    unknown: [{ resource: listedBy, path: `spec.${ALLOWED_LIST}` }],
  });

const listGuard = (listedBy: Resource, listed: Pick<Clause, "sure" | "possible" | "unknown">): Guard => ({
  name: `${ALLOWED_LIST} of HostedCluster ${listedBy.name}`,
  standing: { kind: "allowList", listedBy },
  filters: [
    {
      clauses: [{ resource: listedBy, path: `spec.${ALLOWED_LIST}`, actions: [Action.Allow], ...listed }],
      otherwise: Action.Deny,
    },
  ],
});

/**
 * The ACLs before hosts of a role. A subnet has one ACL: several ACLs filter several subnets, and each must allow the packets. One
 * with unknown subnets may be before any hosts.
 */
export function aclGuards(
  plan: GroupsOfPlan,
  topology: NormalizedTopology,
): (role: Role, direction: Direction) => Guard[] {
  const { acls, stray } = networkAcls(plan.index);
  const placed = acls.map((acl) => ({ acl, said: rolesHere(acl, plan, topology) }));
  return (role, direction) => {
    const before = standsBefore(role);
    return placed.flatMap(({ acl, said }): Guard[] => {
      const isSure = said.some((one) => one.role === before);
      const unknown = said.flatMap((one) => (mayBe(one, before) ? one.unknown : []));
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

const mayBe = ({ perhaps }: GroupRole, role: Role): boolean => perhaps === undefined || perhaps === role;

/** The VPC endpoint is in the workers' subnets. */
export const standsBefore = (role: Role): Role => (role === Role.PrivateEndpoint ? Role.Workers : role);

/** The roles whose subnets an ACL filters: from its own component or tags, and from the tags of its subnets. */
export const rolesOfAcl = onceForBoth((acl: NetworkAcl, index: ResourceIndex): GroupRole[] => {
  const own = acl.resource
    ? roleOfGroup(acl.resource, index, NOT_CONFIGURED)
    : roleOfForeignGroup(acl.id ?? "", acl.rules[0]?.resource, index, NOT_CONFIGURED);
  return [withoutSubnets(own, acl), ...acl.subnets.map((subnet) => roleOfSubnet(subnet, own, index))];
});

/** A role that depends on an unknown value. */
const inDoubt = ({ role, ...rest }: GroupRole, doubt: UnknownValue): GroupRole => ({
  ...rest,
  ...(role && { perhaps: role }),
  unknown: [doubt],
});

/** An ACL filters only the subnets that have it: without any, its own role is in doubt. */
const withoutSubnets = (own: GroupRole, { idle }: NetworkAcl): GroupRole =>
  own.role && idle ? inDoubt(own, idle) : own;

/** The roles in one cluster whose subnets an ACL filters, or may filter. */
const rolesHere = (acl: NetworkAcl, plan: GroupsOfPlan, topology: NormalizedTopology): GroupRole[] =>
  rolesOfAcl(acl, plan.index)
    .map((one) => inOneCluster(one, acl, plan))
    .filter(({ cluster }) => isHere(topology, cluster));

/** A role is in doubt if its tags may mean several clusters. */
function inOneCluster(said: GroupRole, { resource, rules }: NetworkAcl, plan: GroupsOfPlan): GroupRole {
  const { role, cluster } = said;
  const holder = resource ?? rules[0]?.resource;
  if (!role || !holder || !isAmbiguous(cluster, plan)) return said;
  return inDoubt(said, { resource: holder, path: "tags", reason: reasonOfAmbiguity(role, cluster) });
}

/** Unknown subnets are those of the ACL's own role, if it has one. */
function roleOfSubnet(
  { subnet, resource, path, unless }: AclSubnet,
  own: GroupRole,
  index: ResourceIndex,
): GroupRole {
  if (typeof subnet !== "object")
    return { unknown: subnet === UNKNOWN && !own.role ? [{ resource, path }] : [] };
  const tagged = taggedRole(subnet, index);
  return tagged.role && unless ? inDoubt(tagged, unless) : tagged;
}

/** The name of an ACL in findings. */
export function nameOfAcl({ resource, id, defaultOf }: NetworkAcl): string {
  if (resource) return `network ACL ${resource.name}`;
  if (defaultOf) return `the default network ACL of VPC ${defaultOf.name}`;
  return id !== undefined && /^acl-[0-9a-z]+$/.test(id) ? `network ACL ${id}` : "an unknown network ACL";
}

/** Whether a policy is one of HyperShift's, which owns policies by name and rewrites them after every change. */
export const isHyperShifts = ({ properties }: Resource): boolean =>
  HYPERSHIFT_NAMES.has(readValue(properties, "metadata.name"));

const HYPERSHIFT_NAMES: ReadonlySet<PropertyValue | undefined> = new Set(
  hyperShiftPolicies.map(({ name }) => name),
);

/**
 * HyperShift's policies in the namespace of a hosted control plane that are not among the stated ones: none if a running cluster
 * was read, and none with the name of a stated policy.
 */
export function besideStated(topology: NormalizedTopology, stated: readonly Resource[]): Resource[] {
  if (stated.some(({ origin }) => origin.live !== undefined)) return [];
  const names = new Set(stated.map(({ properties }) => readValue(properties, "metadata.name")));
  return hyperShiftResources(topology).filter(({ name }) => !names.has(name));
}

/** The policies that HyperShift itself writes into the namespace of a hosted control plane; no plan shows them. */
export const hyperShiftResources = (topology: NormalizedTopology): Resource[] =>
  hyperShiftPolicies
    .filter((policy) => isThere(policy, topology))
    .map((policy) => ({
      origin: {},
      type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
      name: policy.name,
      properties: {
        metadata: { name: policy.name, namespace: topology.controlPlaneNamespace },
        spec: specOf(policy, topology) as unknown as PropertyValue,
      },
    }));

function isThere(policy: HyperShiftPolicy, topology: NormalizedTopology): boolean {
  const { platforms, published, behindManagementRouter, ingress, egress } = policy;
  if (!ingress && !egress) return false;
  if (behindManagementRouter && !servedByManagementRouter(topology)) return false;
  if (published && topology.services[published[0]].type !== published[1]) return false;
  return platforms?.includes(topology.platform) ?? true;
}

function specOf(policy: HyperShiftPolicy, topology: NormalizedTopology) {
  const opening = policy.ingressOn?.[topology.platform] ?? policy.ingress;
  return {
    podSelector: selectorOf(policy),
    policyTypes: [...(opening ? ["Ingress"] : []), ...(policy.egress ? ["Egress"] : [])],
    ...(opening && {
      ingress: [ruleOf(opening, policy.atApiServerPort ? [nodeApiServerPort(topology)] : [])],
    }),
    ...(policy.egress && { egress: outside(policy.egress, topology) }),
  };
}

const selectorOf = ({ pods, unlessLabelled }: HyperShiftPolicy) => ({
  ...(pods && { matchLabels: pods }),
  ...(unlessLabelled !== undefined && {
    matchExpressions: [{ key: unlessLabelled, operator: "DoesNotExist" }],
  }),
});

function ruleOf(opening: HyperShiftOpening, more: readonly number[]) {
  if ("fromPolicyGroup" in opening) {
    const matchLabels = { [NAMESPACE_LABEL.policyGroup]: opening.fromPolicyGroup };
    return { from: [{ namespaceSelector: { matchLabels } }] };
  }
  if (opening.from === "the same namespace") return { from: [{ podSelector: {} }] };
  if (!opening.ports) return { ports: TRANSPORTS.map((protocol) => ({ protocol })) };
  const ports = [...new Set([...opening.ports, ...more])];
  return { ports: ports.map((port) => ({ protocol: Protocol.Tcp, port })) };
}

/** An exception of another family would be refused. */
const blocksOf = (networks: readonly Prefix[]): string[] =>
  networks.flatMap(({ family, text }) => (family === 4 ? [text] : []));

const TRANSPORTS = [Protocol.Tcp, Protocol.Udp, Protocol.Sctp];

const SERVING = { matchExpressions: [{ key: POD_LABEL.servesRequests, operator: "Exists" }] };

/** Egress to pods of the same namespace, to addresses outside the management cluster, and to its DNS servers. */
const outside = (
  { to }: NonNullable<HyperShiftPolicy["egress"]>,
  { managementClusterCidrs }: NormalizedTopology,
) => [
  { to: [{ podSelector: to === "every pod" ? {} : SERVING }] },
  { to: [{ ipBlock: { cidr: "0.0.0.0/0", except: blocksOf(managementClusterCidrs) } }] },
  {
    to: [{ namespaceSelector: { matchLabels: { [NAMESPACE_LABEL.name]: MANAGEMENT_NAMESPACE.dns } } }],
    ports: [Protocol.Tcp, Protocol.Udp].map((protocol) => ({ protocol, port: PORT.openshiftDns })),
  },
];
