import type { Fault } from "../fault";
import { entriesOf, type Place, propertyOf, isGiven } from "../resources/read";
import { type PropertyValue, UNKNOWN } from "../resources/resource";
import { shownText } from "./places";
import {
  labelName,
  list,
  needed,
  number,
  object,
  onceEach,
  ONE_AT_LEAST,
  subdomainName,
  asInput,
  block,
  type Fields,
  leaf,
  type NameOf,
} from "./shape";
import { addressCount, containsAddress, prefixOf, readPrefix, type Address, type Prefix } from "../address";
import { addressFaults, parseAddress, parsePrefix, prefixFaults } from "../address/parse";
import { implicitRanges } from "../requirements/implicitRanges";
import { subnetReservations } from "../requirements/limits";
import type { InfrastructurePlatform } from "../requirements/vocabulary";
import {
  type CidrList,
  entryPaths,
  type NormalizedTopology,
  surroundingLists,
} from "../topology/normalizedTopology";
import { isAround, reservedRanges } from "../topology/reservedRanges";
import { statedAddresses } from "../topology/statedRanges";
import type { EgressCluster } from "./egressCluster";

/** Names of nodes. */
export const nodeNames = list(subdomainName, {
  size: ONE_AT_LEAST,
  remedy: "write the names of nodes, or leave it out",
  once: onceEach,
});

/** A number of nodes, at least 1. */
export const nodeCount = number({ range: ONE_AT_LEAST });

/** The fault of a node count below the number of named nodes. */
export function fewerThanNamed({ path, value }: Place, nodes: PropertyValue | undefined): Fault[] {
  const named = entriesOf(nodes).length;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value >= named) return [];
  const problem = `${value} is less than the ${named} nodes that are named`;
  return [{ path, problem, remedy: "count those too, or leave it out" }];
}

/** References to NodePools, objects of the management cluster. */
export const nodePools = list(
  object({
    name: needed(labelName, "write the name of the NodePool"),
    namespace: needed(labelName, "write its namespace, such as clusters"),
  }),
  {
    size: ONE_AT_LEAST,
    remedy: "write a list of name and namespace",
    once: (entry) => {
      const [name, namespace] = [propertyOf(entry, "name"), propertyOf(entry, "namespace")];
      return typeof name === "string" && typeof namespace === "string"
        ? shownText(`${namespace}/${name}`)
        : undefined;
    },
  },
);

/** The constraints on an address outside the cluster network: the networks of the nodes, and every address in use in them. */
export interface AddressSpace {
  cluster: EgressCluster;
  /** Subnets of the nodes; undefined if no input states them. */
  nodeSubnets?: readonly Prefix[];
  /** The input that states the subnets. */
  subnetsFrom: string;
  /** Addresses and blocks in use, with the input that states them. */
  taken: readonly { prefix: Prefix; by: string }[];
}

/** The known inputs that describe the space. */
export interface AddressSpaceInputs {
  nodeSubnets?: PropertyValue | undefined;
  addressesInUse?: PropertyValue | undefined;
}

/** The address space for egress addresses. */
export function addressSpace(
  inputs: AddressSpaceInputs,
  cluster: EgressCluster,
  nameOf: NameOf = asInput,
): AddressSpace {
  const { nodeSubnets, addressesInUse } = inputs;
  const machines = cluster.topology?.machineNetwork ?? [];
  const stated = entriesOf(nodeSubnets).flatMap((cidr) => parsePrefix(cidr).prefix ?? []);
  const subnets = isGiven(nodeSubnets) ? (holdsGaps(nodeSubnets) ? [] : stated) : machines;
  const inUse = entriesOf(addressesInUse).flatMap((entry, position) => {
    const prefix = blockOf(entry);
    return prefix ? [{ prefix, by: `addressesInUse[${position}]` }] : [];
  });
  return {
    cluster,
    subnetsFrom: nameOf("nodeSubnets"),
    ...(subnets.length > 0 && { nodeSubnets: subnets }),
    taken: [...inUse, ...hostsOf(cluster.topology)],
  };
}

/** The inputs that describe the space. */
export const addressSpaceInputs: Fields = {
  nodeSubnets: list(block, { size: ONE_AT_LEAST, remedy: "write a list of CIDR blocks, or leave it out" }),
  addressesInUse: list(
    leaf(({ path, value }) =>
      typeof value === "string" && value.includes("/")
        ? prefixFaults(path, value)
        : addressFaults(path, value),
    ),
    { size: ONE_AT_LEAST, remedy: "write a list of addresses and CIDR blocks, or leave it out" },
  ),
};

/** Why an address does not fit, and the fix. */
export type AddressProblem = Omit<Fault, "path">;

/** The first reason why an address is not a free address of the nodes' network; undefined if it is free. */
export function addressProblem(address: Address, space: AddressSpace): AddressProblem | undefined {
  return (
    specialProblem(address) ??
    clusterProblem(address, space.cluster.topology) ??
    subnetProblem(address, space) ??
    takenProblem(address, space)
  );
}

const another = "choose another address";

function specialProblem(address: Address) {
  const range = implicitRanges.find(
    ({ nodeLocal, ovnOnly, cidr }) => nodeLocal && !ovnOnly && containsAddress(readPrefix(cidr)!, address),
  );
  if (!range) return undefined;
  return { problem: `${address.text} lies in ${range.cidr}, ${range.name}`, remedy: another };
}

/** The cluster's own ranges, including those that it reserves although the user did not write them. */
function clusterProblem(address: Address, topology: NormalizedTopology | undefined) {
  const ranges = topology ? reservedRanges(topology) : [];
  const range = ranges.find(
    (own) => own.kind !== "machineNetwork" && !isAround(own) && containsAddress(own.prefix, address),
  );
  return range && { problem: `${address.text} lies in ${range.name} ${range.prefix.text}`, remedy: another };
}

function subnetProblem(address: Address, { nodeSubnets, subnetsFrom, cluster }: AddressSpace) {
  if (!nodeSubnets) return undefined;
  const subnet = nodeSubnets.find((candidate) => containsAddress(candidate, address));
  if (!subnet) {
    const texts = nodeSubnets.map(({ text }) => text).join(", ");
    return {
      problem: `${address.text} lies outside the subnets of the nodes, ${texts}`,
      remedy: `choose one inside, or write the subnet of the nodes' addresses in ${subnetsFrom}`,
    };
  }
  return subnetEndProblem(address, subnet, cluster.platform);
}

/** Why an address of a subnet is reserved for the subnet itself or the cloud. */
export function subnetEndProblem(
  address: Address,
  subnet: Prefix,
  platform?: InfrastructurePlatform,
): AddressProblem | undefined {
  const owner = reservedFor(address, subnet, platform);
  if (owner === undefined) return undefined;
  return { problem: `${address.text} in ${subnet.text} is ${owner}`, remedy: another };
}

/** The owner of an address at either end of a subnet. */
function reservedFor(
  address: Address,
  subnet: Prefix,
  platform: InfrastructurePlatform | undefined,
): string | undefined {
  if (addressCount(subnet) <= 2n) return undefined;
  const [below, above] = [address.value - subnet.start, subnet.end - address.value];
  if (below === 0n)
    return address.family === 4 ? "the network's own address" : "the anycast address of its routers";
  if (above === 0n && address.family === 4) return "the broadcast address";
  const row = platform && subnetReservations[platform];
  if (!row?.families.includes(address.family)) return undefined;
  return below < row.first || above < row.last ? `reserved for ${row.who}` : undefined;
}

function takenProblem(address: Address, { taken }: AddressSpace) {
  const use = taken.find(({ prefix }) => containsAddress(prefix, address));
  return use && { problem: `${address.text} is in use: ${use.by} is ${use.prefix.text}`, remedy: another };
}

/** NAT addresses do not count as in use: an EgressIP may be what provides them. */
const FROM_NAT: readonly CidrList[] = ["workerNatCidrs", "managementClusterNatCidrs"];

/** The single addresses that a topology names: they are in use. */
function hostsOf(topology: NormalizedTopology | undefined): { prefix: Prefix; by: string }[] {
  if (!topology) return [];
  const listed = surroundingLists
    .filter((list) => !FROM_NAT.includes(list))
    .flatMap((list) => {
      const paths = entryPaths(topology, list, topology[list].length);
      return topology[list].map((prefix, position) => ({ prefix, by: `topology.${paths[position]}` }));
    });
  const dialled = statedAddresses(topology).map(({ prefix, name }) => ({ prefix, by: name }));
  return [...listed, ...dialled].filter(({ prefix }) => addressCount(prefix) === 1n);
}

/** An address or a block, as a prefix. */
function blockOf(entry: PropertyValue): Prefix | undefined {
  const { address } = parseAddress(entry);
  return address ? prefixOf(address) : parsePrefix(entry).prefix;
}

const holdsGaps = (value: PropertyValue): boolean => value === UNKNOWN || entriesOf(value).includes(UNKNOWN);
