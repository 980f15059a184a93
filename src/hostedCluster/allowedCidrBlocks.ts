import { parsePrefix } from "../address/parse";
import { readPrefix, subtract, type Prefix } from "../address";
import type { Fault } from "../fault";
import { LIMIT } from "../requirements/limits";
import { endpointAccessModes } from "../requirements/platforms";
import { EndpointAccess, PublishingType, Service } from "../requirements/vocabulary";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { AddressBlock } from "../topology/addressBlocks";
import type { CidrList, NormalizedTopology } from "../topology/normalizedTopology";
import { entriesOf, isGiven, isList } from "../resources/read";

const INPUT = "allowedCidrBlocks";

/** Faults of the list itself: number, form and repetition of its blocks. */
export function allowedBlockFaults(value: PropertyValue | undefined): Fault[] {
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (!isList(value))
    return [{ path: INPUT, problem: "is not a list", remedy: "write a list of CIDR blocks" }];
  const { length } = value;
  const most = LIMIT.allowedCidrBlocks;
  if (length === 0)
    return [
      { path: INPUT, problem: "is empty, which allows everybody", remedy: "leave it out if you want that" },
    ];
  const tooMany: Fault[] =
    length > most
      ? [{ path: INPUT, problem: `has ${length} blocks`, remedy: `write ${most} at most: merge some` }]
      : [];
  const texts = value.map((entry) => prefixOf(entry)?.text);
  const ofEntries = value.flatMap((entry, position): Fault[] => {
    if (entry === UNKNOWN) return [];
    const path = `${INPUT}[${position}]`;
    const { prefix, problem = "", remedy = "" } = parsePrefix(entry);
    if (!prefix) return [{ path, problem, remedy }];
    const first = texts.indexOf(prefix.text);
    if (first === position) return [];
    return [{ path, problem: `${prefix.text} is also ${INPUT}[${first}]`, remedy: "write it once" }];
  });
  return [...tooMany, ...ofEntries];
}

const prefixOf = (entry: PropertyValue) => (typeof entry === "string" ? readPrefix(entry) : undefined);

/** A client that the list must allow. */
export interface ListedClient {
  who: string;
  /** The property of the topology. */
  property: CidrList;
  prefixes: readonly Prefix[];
  /** Whether documented flows come from this client. */
  isFlow: boolean;
  /** What stops working if it is not allowed. */
  without: string;
}

/**
 * The cluster's own clients that reach the control plane from outside. With Private access no client does today, but access can
 * be opened later, and the list must be right then.
 */
export function callersOf(topology: NormalizedTopology): ListedClient[] {
  const { endpointAccess, managementClusterNatCidrs, workerNatCidrs, workerCidrs, platform } = topology;
  const management: ListedClient = {
    who: "the management cluster",
    property: "managementClusterNatCidrs",
    prefixes: managementClusterNatCidrs,
    isFlow: false,
    without: "HyperShift checks the health of the API server by its public name",
  };
  if (endpointAccess !== EndpointAccess.Public) return [management];
  // In a cloud, workers reach a public endpoint through NAT; elsewhere mostly with their own addresses.
  const behindNat = workerNatCidrs.length > 0 || endpointAccessModes(platform).length > 0;
  const workers: ListedClient = {
    who: "the workers",
    property: behindNat ? "workerNatCidrs" : "workerCidrs",
    prefixes: behindNat ? workerNatCidrs : workerCidrs,
    isFlow: true,
    without: "nodes reach the API server and the public router from there",
  };
  return [management, workers];
}

/**
 * Faults of clients that a list of allowed blocks cuts off. It applies to the API server and to the public router alike, so the
 * workers and the management cluster itself must be in it.
 */
export function cutOffFaults(
  value: PropertyValue | undefined,
  topology: NormalizedTopology,
  acceptUnknownSources: boolean,
): Fault[] {
  if (!isGiven(value)) return [];
  const vain = inVain(topology);
  if (vain) return [{ path: INPUT, ...vain }];
  const callers = callersOf(topology);
  const unstated = acceptUnknownSources ? [] : callers.filter(({ prefixes }) => prefixes.length === 0);
  return [...unstated.map(unstatedFault), ...missingFaults(value, callers)];
}

/** Why a list has no effect on the API server; undefined if it has one. */
export const inVain = ({ services }: NormalizedTopology): Omit<Fault, "path"> | undefined =>
  services[Service.APIServer].type === PublishingType.NodePort
    ? {
        problem: "has no effect on a node port: only Services of type LoadBalancer have such a list",
        remedy: "leave it out, and restrict the node port in the firewall in front of the nodes",
      }
    : undefined;

/** The addresses of a caller that the blocks leave out. Values that are not known yet are left to their own check. */
export const leftOut = ({ prefixes }: ListedClient, blocks: readonly Prefix[]): Prefix[] =>
  subtract(prefixes.filter(isKnownBlock), blocks);

const isKnownBlock = (prefix: Prefix): boolean => !(prefix instanceof AddressBlock && prefix.isStandIn);

function unstatedFault({ who, property, without }: ListedClient): Fault {
  return {
    path: `topology.${property}`,
    problem: `missing: ${INPUT} may leave out ${who}, and ${without}`,
    remedy: "write the CIDR blocks, or accept it with acceptUnknownSources: true",
  };
}

function missingFaults(value: PropertyValue, callers: readonly ListedClient[]): Fault[] {
  const entries = entriesOf(value);
  const blocks = entries.flatMap((entry) => prefixOf(entry) ?? []);
  // A block that is not known yet may allow everybody, and an invalid one is refused by itself.
  if (blocks.length < entries.length || entries.length === 0) return [];
  return callers.flatMap((caller) => {
    const { who, property, without } = caller;
    const missing = leftOut(caller, blocks).map(({ text }) => text);
    if (missing.length === 0) return [];
    const problem = `leaves out ${missing.join(", ")} of topology.${property}, from where ${who} come${who.endsWith("s") ? "" : "s"}: ${without}`;
    return [{ path: INPUT, problem, remedy: `add ${missing.join(", ")}` }];
  });
}

/** Warns of a list that has nothing to restrict. */
export function allowedBlockWarnings(
  value: PropertyValue | undefined,
  { endpointAccess }: NormalizedTopology,
): Fault[] {
  if (!isGiven(value) || endpointAccess !== EndpointAccess.Private) return [];
  return [
    {
      path: INPUT,
      problem: "restricts public load balancers, and a cluster with Private access has none",
      remedy: "restrict callers in the security group of the private endpoint",
    },
  ];
}
