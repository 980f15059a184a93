import { type Address, containsAddress } from "../address";
import { addressFaults, parseAddress } from "../address/parse";
import type { Fault } from "../fault";
import { EGRESS_SINCE, egressIpSupport } from "../requirements/egressSupport";
import { InfrastructurePlatform } from "../requirements/vocabulary";
import type { PropertyValue } from "../resources/resource";
import {
  egressCluster,
  isOlder,
  platformFindings,
  type ClusterInputs,
  type EgressCluster,
  type EgressJudgement,
} from "../objects/egressCluster";
import { labelSelector, namespaceSelector, plainSelector } from "../objects/labelSelector";
import {
  addressProblem,
  type AddressSpace,
  addressSpace,
  addressSpaceInputs,
  type AddressSpaceInputs,
  nodeCount,
  nodeNames,
} from "../objects/nodes";
import {
  asInput,
  type Fields,
  inputFaults,
  labels,
  leaf,
  list,
  needed,
  ONE_AT_LEAST,
  plainSwitch,
  type Shape,
  subdomainName,
} from "../objects/shape";
import { entriesOf, type Found, isGiven, isList, isMap } from "../resources/read";
import { EGRESS_IP_MARK, type EgressIpSelection, nodeCountFaults, type NodeCountInputs } from "./nodes";

/** The known inputs of an EgressIP object. */
export interface EgressIpInputs extends ClusterInputs, AddressSpaceInputs, NodeCountInputs {
  objectName?: PropertyValue | undefined;
  namespaceSelector?: PropertyValue | undefined;
  podSelector?: PropertyValue | undefined;
  acceptUnsupportedPlatform?: PropertyValue | undefined;
  forcePatch?: PropertyValue | undefined;
  labels?: PropertyValue | undefined;
  annotations?: PropertyValue | undefined;
}

/** Checks of single inputs. */
const INPUTS: Fields = {
  objectName: needed(subdomainName, "write the name of the EgressIP object"),
  namespaceSelector,
  podSelector: labelSelector,
  nodes: nodeNames,
  assignableNodeCount: nodeCount,
  ...addressSpaceInputs,
  acceptUnsupportedPlatform: plainSwitch,
  forcePatch: plainSwitch,
  labels,
  annotations: leaf(annotationFaults),
};

/**
 * Applies every check to the inputs of one EgressIP object; other objects are checked elsewhere.
 *
 * @param nameOf maps an input of the component to its place in an object
 */
export function judgeEgressIp(inputs: EgressIpInputs, nameOf = asInput): EgressJudgement {
  const cluster = egressCluster(inputs);
  const gate = { feature: "egress IP addresses", support: egressIpSupport };
  const accepted = inputs.acceptUnsupportedPlatform;
  const platform = platformFindings(gate, cluster, { platform: inputs.platform, accepted });
  const faults = [
    ...inputFaults(
      { addresses: addressesIn(addressSpace(inputs, cluster, nameOf), cluster), ...INPUTS },
      inputs,
      nameOf,
    ),
    ...nodeCountFaults(inputs),
    ...platform.faults,
    ...cluster.faults,
  ];
  return { cluster, faults, warnings: [...platform.warnings, ...warningsOf(inputs, cluster)] };
}

/** The known addresses, in their canonical form. */
export function knownAddresses(addresses: PropertyValue | undefined): string[] {
  return isList(addresses) ? addresses.flatMap((entry) => parseAddress(entry).address?.text ?? []) : [];
}

/** The namespaces and pods whose traffic is meant, if all of the selection is known. */
export function selectionOf({
  namespaceSelector,
  podSelector,
}: EgressIpInputs): EgressIpSelection | undefined {
  const namespaces = plainSelector(namespaceSelector);
  const pods = isGiven(podSelector) ? plainSelector(podSelector) : {};
  return namespaces && pods && { namespaces, pods };
}

function addressesIn(space: AddressSpace, cluster: EgressCluster): Shape {
  const { nodeSubnets: _, ...elsewhere } = space;
  const free = leaf(({ path, value }) => {
    const { address } = parseAddress(value);
    if (!address) return addressFaults(path, value);
    const unfit = addressProblem(address, isOnOtherNetwork(address, space, cluster) ? elsewhere : space);
    return unfit ? [{ path, ...unfit }] : [];
  });
  const remedy = "write a list of IPv4 and IPv6 addresses";
  const once = (entry: PropertyValue) => parseAddress(entry).address?.text;
  return needed(list(free, { size: ONE_AT_LEAST, remedy, once }));
}

/**
 * Whether an address may be in an additional network of the nodes: on bare metal, nodes hold addresses of each of their interfaces. An
 * unknown release may support that.
 */
function isOnOtherNetwork(
  address: Address,
  { nodeSubnets = [] }: AddressSpace,
  cluster: EgressCluster,
): boolean {
  const { platform, release } = cluster;
  const isBareMetal =
    platform === InfrastructurePlatform.BareMetal || platform === InfrastructurePlatform.None;
  return (
    isBareMetal &&
    !isOlder(release, EGRESS_SINCE.egressIpSecondaryNetworks) &&
    !nodeSubnets.some((subnet) => containsAddress(subnet, address))
  );
}

/** Warns about addresses that work only if nodes have an interface in their network. */
function otherNetworkWarnings(inputs: EgressIpInputs, cluster: EgressCluster): Fault[] {
  const space = addressSpace(inputs, cluster);
  if (!space.nodeSubnets) return [];
  return entriesOf(inputs.addresses).flatMap((entry, position) => {
    const { address } = parseAddress(entry);
    if (!address || !isOnOtherNetwork(address, space, cluster)) return [];
    return [
      {
        path: `addresses[${position}]`,
        problem: `${address.text} lies outside the subnets of the nodes: only nodes with another interface in its network can hold it`,
        remedy: "label such nodes, or choose an address of the machine network",
      },
    ];
  });
}

function annotationFaults({ path, value }: Found): Fault[] {
  if (!isMap(value) || !(EGRESS_IP_MARK in value)) return [];
  const problem = "is reserved for OVN-Kubernetes: the server refuses objects that contain it";
  return [{ path: `${path}.${EGRESS_IP_MARK}`, problem, remedy: "remove it" }];
}

function warningsOf(inputs: EgressIpInputs, cluster: EgressCluster): Fault[] {
  const { topology } = cluster;
  const { nodes, assignableNodeCount, nodeSubnets, namespaceSelector } = inputs;
  const warnings: Fault[] = otherNetworkWarnings(inputs, cluster);
  if (!isGiven(nodes) && !isGiven(assignableNodeCount))
    warnings.push({
      path: "nodes",
      problem:
        "is not given: no input states that nodes are labelled, and the first labelled node may get every address",
      remedy:
        "label nodes first, with nodes or EgressAssignableNodes, and write their number in assignableNodeCount",
    });
  if (isGiven(nodes) && topology)
    warnings.push({
      path: "nodes",
      problem: "labels nodes of a NodePool, which replaces them with upgrades and repairs",
      remedy: "put the label into spec.nodeLabels of the NodePool too, with EgressAssignableNodes",
    });
  if (!isGiven(nodeSubnets) && !(topology && topology.machineNetwork.length > 0))
    warnings.push({
      path: "nodeSubnets",
      problem: "is not given: no input states the subnets of the nodes, and the addresses work only there",
      remedy: "write the subnets of the nodes' primary addresses",
    });
  const selection = plainSelector(namespaceSelector);
  const demands = [selection?.matchLabels ?? {}, selection?.matchExpressions ?? []];
  if (selection && demands.every((part) => Object.keys(part).length === 0))
    warnings.push({
      path: "namespaceSelector",
      problem: "selects every namespace, including those of the platform",
      remedy: "write labels of the intended namespaces",
    });
  return warnings;
}

/** A note of the documents that applies to every EgressIP object, reported once per program. */
export const EGRESS_IP_ROUTE_NOTE =
  "Egress IP addresses are not used for requests of pods to Routes of the same cluster where router pods run on the pods' node";
