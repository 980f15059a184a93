import type { Fault } from "../fault";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { normalizeTopology, type TopologyJudgement } from "../topology/normalizeTopology";
import { entriesOf, isGiven, isMap, type PropertyMap, propertyOf } from "../resources/read";
import { type PathOf, pathUnder } from "../topology/normalize/values";

/** The internal subnets of OVN-Kubernetes, with the field names of a HostedCluster. */
export interface OvnSubnetValues {
  internalJoinSubnet?: string;
  internalTransitSwitchSubnet?: string;
}

/** The part of a HostedCluster's spec that holds the internal subnets. It has only the fields of release 4.20. */
export function ovnSubnetFragment(subnets: OvnSubnetValues) {
  return {
    operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: written(subnets) } } },
  };
}

const SUBNETS = ["internalJoinSubnet", "internalTransitSwitchSubnet"] as const;

/** The subnets that are given, without any other property. */
function written(subnets: OvnSubnetValues): OvnSubnetValues {
  return Object.fromEntries(
    SUBNETS.flatMap((name) => (isGiven(subnets[name]) ? [[name, subnets[name]]] : [])),
  );
}

/** The known inputs of an OvnSubnetConfig. */
export interface OvnSubnetInputs {
  topology: PropertyValue | undefined;
  internalJoinSubnet?: PropertyValue | undefined;
  internalTransitSwitchSubnet?: PropertyValue | undefined;
  otherNetworks?: PropertyValue | undefined;
}

/**
 * Applies every rule on internal subnets: those of the HostedCluster API, those whose violation only shows when the cluster
 * does not come up (room for the nodes, overlaps with default ranges), and those on the networks around the cluster.
 */
export function judgeOvnSubnets(inputs: OvnSubnetInputs): TopologyJudgement {
  const { topology: raw } = inputs;
  const twice = SUBNETS.filter((name) => isGiven(inputs[name]) && isMap(raw) && isGiven(raw[name]));
  const joined = isMap(raw) ? withSubnets(raw, inputs) : raw;
  const { topology, faults, warnings } = normalizeTopology(joined, placeIn(inputs));
  return {
    ...(topology && { topology }),
    faults: [...twice.map(givenTwice), ...nothingGiven(inputs), ...faults],
    warnings,
  };
}

/** The topology with the subnets and networks from the other inputs. */
function withSubnets(topology: PropertyMap, inputs: OvnSubnetInputs): unknown {
  const { otherNetworks } = inputs;
  const around = topology.infrastructureCidrs;
  const networks = Array.isArray(otherNetworks)
    ? [...(Array.isArray(around) ? (around as PropertyValue[]) : []), ...(otherNetworks as PropertyValue[])]
    : around;
  const subnets = SUBNETS.flatMap((name) => (isGiven(inputs[name]) ? [[name, inputs[name]] as const] : []));
  return {
    ...topology,
    ...Object.fromEntries(subnets),
    // If the list as a whole is not known, it may hold anything in addition to the blocks of the topology.
    infrastructureCidrs: otherNetworks === UNKNOWN ? (around ?? UNKNOWN) : networks,
  };
}

function givenTwice(name: string): Fault {
  return { path: name, problem: `is also in topology.${name}`, remedy: "write it in one place" };
}

function nothingGiven(inputs: OvnSubnetInputs): Fault[] {
  const { topology } = inputs;
  const given = SUBNETS.some((name) => isGiven(inputs[name]) || (isMap(topology) && isGiven(topology[name])));
  if (given) return [];
  const problem = "missing, and so is internalTransitSwitchSubnet: there is nothing to configure";
  return [{ path: "internalJoinSubnet", problem, remedy: "write at least one of the two" }];
}

/** Maps a property of the joined topology to the input where the user wrote it. */
function placeIn(inputs: OvnSubnetInputs): PathOf {
  const around = propertyOf(inputs.topology, "infrastructureCidrs");
  const first = entriesOf(around).length;
  const inTopology = pathUnder("topology");
  return (property) => {
    if (SUBNETS.some((name) => name === property && isGiven(inputs[name]))) return property;
    const [, position, rest] = /^infrastructureCidrs\[(\d+)\](.*)$/.exec(property) ?? [];
    if (position === undefined || Number(position) < first) return inTopology(property);
    return `otherNetworks[${Number(position) - first}]${rest}`;
  };
}
