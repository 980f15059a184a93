import { type Address, containsAddress } from "../address";
import { parseAddress } from "../address/parse";
import type { Fault } from "../fault";
import { EGRESS_SINCE, egressIpSupport } from "../requirements/egressSupport";
import { InfrastructurePlatform } from "../requirements/vocabulary";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import {
  egressCluster,
  isOlder,
  platformFindings,
  type ClusterInputs,
  type EgressCluster,
} from "../objects/egressCluster";
import { switchFaults } from "../objects/hostedClusterReference";
import { labelSelectorFaults, plainSelector } from "../objects/labelSelector";
import { entriesOf, isGiven, isList, isMap, type Place } from "../resources/read";
import { labelFaults, shownText, subdomainNameFaults } from "../objects/places";
import {
  addressProblem,
  type AddressSpace,
  addressSpace,
  addressSpaceFaults,
  type AddressSpaceInputs,
} from "../objects/nodeAddresses";
import {
  EGRESS_IP_MARK,
  type EgressIpSelection,
  nodeCountFaults,
  type NodeCountInputs,
  nodeNamesFaults,
} from "./nodes";

/** What is known of the inputs of an EgressIP object. */
export interface EgressIpInputs extends ClusterInputs, AddressSpaceInputs, NodeCountInputs {
  objectName?: PropertyValue | undefined;
  namespaceSelector?: PropertyValue | undefined;
  podSelector?: PropertyValue | undefined;
  acceptUnsupportedPlatform?: PropertyValue | undefined;
  forcePatch?: PropertyValue | undefined;
  labels?: PropertyValue | undefined;
  annotations?: PropertyValue | undefined;
}

/** What the inputs of an EgressIP object come to. */
export interface EgressIpJudgement {
  cluster: EgressCluster;
  faults: Fault[];
  warnings: Fault[];
}

/** Every rule on the inputs of one EgressIP object; other objects are looked at elsewhere. */
export function judgeEgressIp(inputs: EgressIpInputs): EgressIpJudgement {
  const cluster = egressCluster(inputs);
  const gate = { feature: "egress IP addresses", support: egressIpSupport };
  const accepted = inputs.acceptUnsupportedPlatform;
  const platform = platformFindings(gate, cluster, { platform: inputs.platform, accepted });
  const faults = [
    ...subdomainNameFaults(
      { path: "objectName", value: inputs.objectName },
      "the name of the EgressIP object",
    ),
    ...addressesFaults({ path: "addresses", value: inputs.addresses }, inputs, cluster),
    ...selectorFaults(inputs),
    ...nodeNamesFaults({ path: "nodes", value: inputs.nodes }),
    ...nodeCountFaults(inputs),
    ...addressSpaceFaults(inputs),
    ...switchFaults("acceptUnsupportedPlatform", accepted),
    ...switchFaults("forcePatch", inputs.forcePatch),
    ...labelFaults({ path: "labels", value: inputs.labels }),
    ...annotationFaults({ path: "annotations", value: inputs.annotations }),
    ...platform.faults,
    ...cluster.faults,
  ];
  return { cluster, faults, warnings: [...platform.warnings, ...warningsOf(inputs, cluster)] };
}

/** The addresses that are known, in their canonical form. */
export function knownAddresses(addresses: PropertyValue | undefined): string[] {
  return isList(addresses) ? addresses.flatMap((entry) => parseAddress(entry).address?.text ?? []) : [];
}

/** Whose traffic it is, where all of it is known. */
export function selectionOf({
  namespaceSelector,
  podSelector,
}: EgressIpInputs): EgressIpSelection | undefined {
  const namespaces = plainSelector(namespaceSelector);
  const pods = isGiven(podSelector) ? plainSelector(podSelector) : {};
  return namespaces && pods && { namespaces, pods };
}

function addressesFaults({ path, value }: Place, inputs: EgressIpInputs, cluster: EgressCluster): Fault[] {
  if (value === UNKNOWN) return [];
  const remedy = "write a list of IPv4 and IPv6 addresses";
  if (!isGiven(value)) return [{ path, problem: "missing", remedy }];
  if (!isList(value)) return [{ path, problem: `${shownText(value)} is no list`, remedy }];
  if (value.length === 0) return [{ path, problem: "has no addresses", remedy }];
  const space = addressSpace(inputs, cluster);
  const first = new Map<string, string>();
  return value.flatMap((entry, position) => {
    const at = `${path}[${position}]`;
    if (entry === UNKNOWN) return [];
    const { address, problem, remedy: wayOut } = parseAddress(entry);
    if (!address) return [{ path: at, problem: problem ?? "", remedy: wayOut ?? "" }];
    const before = first.get(address.text);
    if (before !== undefined)
      return [{ path: at, problem: `${address.text} is also ${before}`, remedy: "take it out" }];
    first.set(address.text, at);
    const { nodeSubnets: _, ...elsewhere } = space;
    const unfit = addressProblem(address, isOnOtherNetwork(address, space, cluster) ? elsewhere : space);
    return unfit ? [{ path: at, ...unfit }] : [];
  });
}

/**
 * Whether an address may be one of a further network of the nodes: on bare metal they hold addresses of each of their interfaces. A
 * release that is not known may be one that does.
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

/** Addresses that work only where nodes have an interface in their network. */
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

function selectorFaults({ namespaceSelector, podSelector }: EgressIpInputs): Fault[] {
  const missing = {
    path: "namespaceSelector",
    problem: "missing",
    remedy: "write labels of the namespaces, or {} for all of them",
  };
  return [
    ...(isGiven(namespaceSelector) ? [] : [missing]),
    ...labelSelectorFaults({ path: "namespaceSelector", value: namespaceSelector }),
    ...labelSelectorFaults({ path: "podSelector", value: podSelector }),
  ];
}

function annotationFaults({ path, value }: Place): Fault[] {
  if (!isMap(value) || !(EGRESS_IP_MARK in value)) return [];
  const problem = "is OVN-Kubernetes' own: the server refuses objects that bring it along";
  return [{ path: `${path}.${EGRESS_IP_MARK}`, problem, remedy: "take it out" }];
}

function warningsOf(inputs: EgressIpInputs, cluster: EgressCluster): Fault[] {
  const { topology } = cluster;
  const { nodes, assignableNodeCount, nodeSubnets, namespaceSelector } = inputs;
  const warnings: Fault[] = otherNetworkWarnings(inputs, cluster);
  if (!isGiven(nodes) && !isGiven(assignableNodeCount))
    warnings.push({
      path: "nodes",
      problem:
        "is not given: nothing says that nodes are labelled, and the first one that is may get every address",
      remedy:
        "label nodes before, with nodes or EgressAssignableNodes, and say how many in assignableNodeCount",
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
      problem: "is not given: nothing says in which subnets the nodes are, and the addresses work only there",
      remedy: "write the subnets of the nodes' primary addresses",
    });
  const selection = plainSelector(namespaceSelector);
  const demands = [selection?.matchLabels ?? {}, selection?.matchExpressions ?? []];
  if (selection && demands.every((part) => Object.keys(part).length === 0))
    warnings.push({
      path: "namespaceSelector",
      problem: "selects every namespace, those of the platform too",
      remedy: "write labels of the namespaces that are meant",
    });
  return warnings;
}

/** What the documents say of every EgressIP object, worth one line in a program. */
export const EGRESS_IP_ROUTE_NOTE =
  "Egress IP addresses are not used for requests of pods to Routes of the same cluster where router pods run on the pods' node";
