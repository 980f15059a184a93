import type { Fault } from "../fault";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { normalizeTopology } from "../topology/normalizeTopology";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { isGiven, isMap, type PropertyMap } from "../resources/read";

/** The internal subnets of OVN-Kubernetes, as a HostedCluster names them. */
export interface OvnSubnetValues {
  internalJoinSubnet?: string;
  internalTransitSwitchSubnet?: string;
}

/** The part of a HostedCluster's spec that holds the internal subnets. Only the fields that release 4.20 has. */
export function ovnSubnetFragment(subnets: OvnSubnetValues) {
  return {
    operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: written(subnets) } } },
  };
}

const SUBNETS = ["internalJoinSubnet", "internalTransitSwitchSubnet"] as const;

/** The subnets that are given, and nothing else. */
function written(subnets: OvnSubnetValues): OvnSubnetValues {
  return Object.fromEntries(
    SUBNETS.flatMap((name) => (isGiven(subnets[name]) ? [[name, subnets[name]]] : [])),
  );
}

/** What is known of the inputs of an OvnSubnetConfig. */
export interface OvnSubnetInputs {
  topology: PropertyValue | undefined;
  internalJoinSubnet?: PropertyValue | undefined;
  internalTransitSwitchSubnet?: PropertyValue | undefined;
  otherNetworks?: PropertyValue | undefined;
}

/** The topology that results from the inputs, or why there is none. */
export interface OvnSubnetJudgement {
  topology?: NormalizedTopology;
  faults: Fault[];
  warnings: Fault[];
}

/**
 * Every rule on internal subnets: those of the HostedCluster API, those that only show when the cluster does not come
 * up (room for the nodes, overlaps with default ranges), and the networks around the cluster.
 */
export function judgeOvnSubnets(inputs: OvnSubnetInputs): OvnSubnetJudgement {
  const { topology: raw } = inputs;
  const twice = SUBNETS.filter((name) => isGiven(inputs[name]) && isMap(raw) && isGiven(raw[name]));
  const { topology, faults, warnings } = normalizeTopology(isMap(raw) ? withSubnets(raw, inputs) : raw);
  const inPlace = (fault: Fault) => asWritten(fault, inputs);
  return {
    ...(topology && { topology }),
    faults: [...twice.map(givenTwice), ...nothingGiven(inputs), ...faults.map(inPlace)],
    warnings: warnings.map(inPlace),
  };
}

/** The topology with the subnets and networks that stand beside it. */
function withSubnets(topology: PropertyMap, inputs: OvnSubnetInputs): unknown {
  const { otherNetworks } = inputs;
  const around = topology.infrastructureCidrs;
  const networks = Array.isArray(otherNetworks)
    ? [...(Array.isArray(around) ? (around as PropertyValue[]) : []), ...(otherNetworks as PropertyValue[])]
    : (around ?? null);
  const subnets = SUBNETS.flatMap((name) => (isGiven(inputs[name]) ? [[name, inputs[name]] as const] : []));
  return {
    ...topology,
    ...Object.fromEntries(subnets),
    // A list that is not known as a whole may hold anything, beside what the topology says.
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

/** A fault of the joined topology, at the place where the user wrote the value. */
function asWritten(fault: Fault, inputs: OvnSubnetInputs): Fault {
  const around = isMap(inputs.topology) ? inputs.topology.infrastructureCidrs : undefined;
  const first = Array.isArray(around) ? around.length : 0;
  const translate = (text: string) => {
    const subnetsMoved = SUBNETS.filter((name) => isGiven(inputs[name])).reduce(
      (moved, name) => moved.replaceAll(`topology.${name}`, name),
      text,
    );
    return subnetsMoved.replaceAll(/topology\.infrastructureCidrs\[(\d+)\]/g, (whole, position: string) =>
      Number(position) < first ? whole : `otherNetworks[${Number(position) - first}]`,
    );
  };
  return {
    path: translate(fault.path),
    problem: translate(fault.problem),
    remedy: translate(fault.remedy),
  };
}
