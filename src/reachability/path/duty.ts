import { merge, readPrefix } from "../../address";
import { othersFilters, type OthersFilter, type OthersPeer } from "../../requirements/othersFilters";
import { Direction, LoadBalancerTargets, PublishingType, Zone, Role } from "../../requirements/vocabulary";
import { publishedBy } from "../../topology/publishing";
import { everyAddress } from "../../flows/peers";
import { isUnknown, type NormalizedTopology } from "../../topology/normalizedTopology";
import { seenAtHosts, type FlowPeer } from "../../flows/model";
import { Action, type Filter } from "../filters/filter";
import { hostsOf } from "../../flows/hosts";
import { packetsOf } from "./packetsOf";

/** What another owner has before hosts, as rules that add up with those of a plan. */
export interface OthersStanding {
  by: OthersFilter;
  filter: Filter;
}

/** The groups of others that stand before hosts. `isRead` where HyperShift's is among the inputs, and judged with the plan's. */
export function othersAt(
  topology: NormalizedTopology,
  role: Role,
  direction: Direction,
  isRead: boolean,
): OthersStanding[] {
  return othersFilters
    .filter((one) => one.before === role && isThere(one, topology) && !(isRead && one.idIn))
    .map((by) => ({ by, filter: filterOf(by, topology, role, direction) }));
}

function isThere({ platforms, behindInstanceTargets, before }: OthersFilter, topology: NormalizedTopology) {
  // Where nodes carry only the plan's groups, nothing else stands before them.
  if (before === Role.Workers && topology.defaultWorkerRules) return false;
  if (behindInstanceTargets && !leadsToNodePorts(topology)) return false;
  return platforms?.includes(topology.platform) ?? true;
}

const leadsToNodePorts = (topology: NormalizedTopology): boolean =>
  topology.loadBalancerTargets === LoadBalancerTargets.Instance &&
  publishedBy(topology, PublishingType.LoadBalancer, PublishingType.Route).length > 0;

function filterOf(by: OthersFilter, topology: NormalizedTopology, role: Role, direction: Direction): Filter {
  const resource = { origin: {}, type: "", name: by.name, properties: {} };
  const clauses = by.rules
    .filter((rule) => rule.direction === direction)
    .map((rule, position) => {
      const packets = packetsOf(seenAtHosts(rule, peersOf(rule.peer, topology, role)));
      const match = { sure: packets, possible: packets, unknown: [] };
      return { resource, path: `${direction}[${position}]`, actions: [Action.Allow], ...match };
    });
  return { clauses, otherwise: Action.Deny };
}

/** A group names its own hosts by itself: addresses that the topology does not say are let in all the same. */
function peersOf(peer: OthersPeer, topology: NormalizedTopology, role: Role): FlowPeer[] {
  switch (peer) {
    case "its own hosts":
      return [hostsOf(topology, role)];
    case "machine network":
      return [
        { zone: Zone.MachineNetwork, input: "machineNetwork", prefixes: merge(topology.machineNetwork) },
      ];
    case "everybody (IPv4)":
      return isIPv4Only(topology) ? [] : [{ zone: Zone.Any, input: "", prefixes: [EVERY_IPV4] }];
  }
}

const EVERY_IPV4 = readPrefix("0.0.0.0/0")!;

/** There everybody has an IPv4 address: one that is not stated is let pass too. */
const isIPv4Only = (topology: NormalizedTopology): boolean =>
  everyAddress(topology).every(({ family }) => family === 4) &&
  !DECIDE_FAMILIES.some((property) => isUnknown(topology, property));

const DECIDE_FAMILIES = ["machineNetwork", "workerCidrs", "clusterNetwork"];
