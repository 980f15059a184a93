import type { Fault } from "../fault";
import { PORT_OF_OLD_CLUSTERS } from "../requirements/publishedServices";
import { formatRelease } from "../requirements/release";
import { NetworkType } from "../requirements/vocabulary";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { normalizeTopology, type TopologyJudgement } from "../topology/normalizeTopology";
import { isUnknown, type NormalizedTopology } from "../topology/normalizedTopology";
import { isLabelName } from "../requirements/names";
import { isGiven, isMap, propertyOf, type PropertyMap } from "../resources/read";
import { shownText } from "../objects/places";
import { type Fields, inputFaults, labelName, labels, plainSwitch } from "../objects/shape";
import { proxyWarnings } from "../proxy/warnings";
import {
  additionalSpecOf,
  atAdditionalSpec,
  foreignSectionFaults,
  placeOf,
  requiredFieldFaults,
  typedFieldFaults,
  unknownFieldWarnings,
  valueAt,
  type AdditionalSpec,
} from "./additionalSpec";
import { allowedBlockFaults, allowedBlockWarnings, cutOffFaults } from "./allowedCidrBlocks";
import {
  atFragment,
  mtuFaults,
  ownProxyFaults,
  proxyFragmentFaults,
  subnetFragmentFaults,
  subnetsOfFragment,
} from "./fragments";
import { serviceFaults, releaseOfSpec, specRuleFaults, type NetworkSettings } from "./spec";

/**
 * Applies every rule on a HostedCluster to be created: those of its CRD, of HyperShift's controllers and of the network operator.
 * The topology includes the values of the other inputs.
 */
export function judgeHostedCluster(known: PropertyMap): TopologyJudgement {
  const additional = additionalSpecOf(known);
  const { readable, faults: ofTopology, warnings } = normalizeTopology(wholeTopology(known, additional));
  const faults = [
    ...ofTopology.map((fault) => atFragment(fault, known.ovnSubnets, known.topology)),
    ...(ofTopology.some(({ path }) => path.startsWith("topology.proxy"))
      ? []
      : ownProxyFaults(known.topology)),
    ...eachInputFaults(known),
    ...additional.faults,
    ...(additional.spec ? typedFieldFaults(additional.spec) : []),
    ...twoTrustBundles(known.proxy, additional),
    ...(readable ? clusterFaults(known, readable, additional) : []),
  ].filter(isNew);
  const remarks = [
    ...warnings.filter(({ path }) => !faults.some((fault) => fault.path === path)),
    ...(readable ? clusterWarnings(known, readable, additional) : []),
  ];
  return {
    ...(readable && faults.length === 0 && { topology: readable }),
    faults: atAdditionalSpec(faults, known),
    warnings: atAdditionalSpec(remarks, known),
  };
}

/** The topology with values from the other inputs: namespace, subnets of the fragment, release of the image. */
function wholeTopology(known: PropertyMap, { spec }: AdditionalSpec): unknown {
  const { topology, namespace, ovnSubnets } = known;
  if (!isMap(topology)) return topology;
  const ofImage = releaseOfSpec(spec);
  const isOpen = known.additionalSpecJson === UNKNOWN || valueAt(spec, "release.image") === UNKNOWN;
  const release = isOpen ? UNKNOWN : ofImage && formatRelease(ofImage);
  return {
    ...subnetsOfFragment(ovnSubnets),
    ...(isGiven(release) && { release }),
    // A namespace that is not known yet, or is not a valid name, is judged by itself.
    ...(typeof namespace === "string" && isLabelName(namespace) && { namespace }),
    ...Object.fromEntries(Object.entries(topology).filter(([, value]) => isGiven(value))),
  };
}

const INPUTS: Fields = {
  namespace: labelName,
  labels,
  acceptUnknownSources: plainSwitch,
  allocateNodeCidrs: plainSwitch,
  disableMultiNetwork: plainSwitch,
  deletable: plainSwitch,
};

/** Faults of each input other than the topology, judged one by one. */
function eachInputFaults(known: PropertyMap): Fault[] {
  const { namespace, topology } = known;
  return [
    ...inputFaults(INPUTS, known),
    ...otherNamespaceFaults(namespace, topology),
    ...subnetFragmentFaults(known.ovnSubnets, topology),
    ...proxyFragmentFaults(known.proxy, topology),
    ...allowedBlockFaults(known.allowedCidrBlocks),
  ];
}

function otherNamespaceFaults(
  namespace: PropertyValue | undefined,
  topology: PropertyValue | undefined,
): Fault[] {
  const stated = isMap(topology) ? topology.namespace : undefined;
  if (typeof namespace !== "string" || typeof stated !== "string" || namespace === stated) return [];
  const problem = `${shownText(namespace)} is not topology.namespace, which is ${shownText(stated)}`;
  return [{ path: "namespace", problem, remedy: "state it in one place, or the same value in both" }];
}

/** Faults of inputs in combination. */
function clusterFaults(known: PropertyMap, topology: NormalizedTopology, { spec }: AdditionalSpec): Fault[] {
  return [
    ...serviceFaults(topology),
    ...mtuFaults(known.mtu, topology.networkType),
    ...cutOffFaults(known.allowedCidrBlocks, topology, known.acceptUnknownSources === true),
    ...(spec ? requiredFieldFaults(spec, topology.platform) : []),
    ...(spec ? foreignSectionFaults(spec, topology.platform) : []),
    ...specRuleFaults(spec ?? {}, topology, settingsOf(known, topology)),
  ];
}

/** The settings other than the topology, to the extent that they are valid. */
function settingsOf(
  { allocateNodeCidrs, disableMultiNetwork, mtu }: PropertyMap,
  { networkType }: NormalizedTopology,
): NetworkSettings {
  return {
    ...(typeof allocateNodeCidrs === "boolean" && { allocateNodeCidrs }),
    ...(typeof disableMultiNetwork === "boolean" && { disableMultiNetwork }),
    ...(typeof mtu === "number" && networkType === NetworkType.OVNKubernetes && { mtu }),
  };
}

function twoTrustBundles(proxy: PropertyValue | undefined, { spec }: AdditionalSpec): Fault[] {
  const path = "additionalTrustBundle";
  if (!isGiven(propertyOf(proxy, path)) || !isGiven(spec?.[path])) return [];
  const problem = "is also in proxy, the fragment of the ProxyConfig";
  return [{ path: placeOf(path), problem, remedy: "remove it, or write additionalTrustBundle: false there" }];
}

const isNew = ({ path, problem }: Fault, position: number, faults: readonly Fault[]): boolean =>
  faults.findIndex((fault) => fault.path === path && fault.problem === problem) === position;

function clusterWarnings(
  known: PropertyMap,
  topology: NormalizedTopology,
  { spec }: AdditionalSpec,
): Fault[] {
  const { proxy } = topology;
  const ownProxy = proxy !== undefined && !isGiven(known.proxy);
  return [
    ...(spec ? unknownFieldWarnings(spec) : []),
    ...allowedBlockWarnings(known.allowedCidrBlocks, topology),
    ...(topology.machineNetwork.length === 0 && !isUnknown(topology, "machineNetwork") ? [NO_MACHINES] : []),
    ...(topology.apiServerPort === PORT_OF_OLD_CLUSTERS ? [PORT_443] : []),
    ...(known.deletable === true ? [DELETABLE] : []),
    ...(ownProxy ? proxyWarnings({ topology: known.topology }, { topology, now: new Date() }) : []),
  ];
}

const NO_MACHINES: Fault = {
  path: "topology.machineNetwork",
  problem:
    "missing: HyperShift creates no security group for workers on AWS, and requests to machines go through the proxy if there is one",
  remedy:
    "write the CIDR blocks of the machines: a cluster without them cannot determine later where its machines are",
};

const PORT_443: Fault = {
  path: "topology.apiServerPort",
  problem:
    "443 is reserved for old clusters: HyperShift then serves the API at a different port than the cluster sees",
  remedy: "leave it out, or write another port",
};

const DELETABLE: Fault = {
  path: "deletable",
  problem:
    "true: a destroy deletes the HostedCluster, and with it the control plane, etcd and the machines of its NodePools",
  remedy: "leave it out if you do not want that",
};
