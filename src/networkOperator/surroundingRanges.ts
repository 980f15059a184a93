import { parsePrefix, prefixFaults } from "../address/parse";
import { readPrefix, type Prefix } from "../address";
import type { Fault } from "../fault";
import { HYPERSHIFT, type DocumentReference } from "../requirements/documents";
import { implicitRanges } from "../requirements/implicitRanges";
import { installerNetworks } from "../requirements/reservedAddresses";
import { releaseWithin } from "../requirements/release";
import { Platform } from "../requirements/vocabulary";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { reservedRanges } from "../topology/reservedRanges";
import { entriesOf, isGiven, isList, isMap, propertyOf } from "../resources/read";
import { shownText } from "../objects/places";
import type { ConfiguredCluster } from "./network";

/** An address range that a cluster has or that lies around it. */
export interface SurroundingRange {
  /** As the object of a sentence: `the cluster network`. */
  name: string;
  prefix: Prefix;
  /** What breaks where another range overlaps it; absent where nothing special does. */
  breaks?: string;
}

/** What is known of the networks of a cluster that has no topology, and around it. */
export interface SurroundingInputs {
  clusterNetwork?: PropertyValue | undefined;
  serviceNetwork?: PropertyValue | undefined;
  machineNetwork?: PropertyValue | undefined;
  otherNetworks?: PropertyValue | undefined;
}

const NETWORKS = ["clusterNetwork", "serviceNetwork", "machineNetwork"] as const;
const NAMES = {
  clusterNetwork: "cluster network",
  serviceNetwork: "service network",
  machineNetwork: "machine network",
} as const;

/** Every range that a new one has to stay apart from, and what is wrong with those that the user wrote. */
export function surroundingRanges(
  cluster: ConfiguredCluster,
  inputs: SurroundingInputs,
): { ranges: SurroundingRange[]; faults: Fault[] } {
  const own = cluster.topology
    ? rangesOfTopology(cluster.topology)
    : cluster.hosted
      ? []
      : [...NETWORKS.flatMap((network) => rangesOf(network, inputs[network])), ...defaultRanges(cluster)];
  return {
    ranges: [...own, ...othersOf(inputs.otherNetworks)],
    faults: [
      ...NETWORKS.flatMap((network) => networkFaults(network, inputs[network], cluster.hosted)),
      ...otherFaults(inputs.otherNetworks),
    ],
  };
}

const rangesOfTopology = (topology: Parameters<typeof reservedRanges>[0]): SurroundingRange[] =>
  reservedRanges(topology).map(({ name, prefix, row }) => ({
    name,
    prefix,
    ...(row && { breaks: row.breaks }),
  }));

/** The stated blocks of one network, else the installer's. */
function rangesOf(network: (typeof NETWORKS)[number], stated: PropertyValue | undefined): SurroundingRange[] {
  if (isGiven(stated)) return entriesOf(stated).flatMap((cidr) => named(`the ${NAMES[network]}`, cidr));
  return named(`the installer's default ${NAMES[network]}`, installerNetworks[network]);
}

function named(name: string, cidr: PropertyValue | undefined): SurroundingRange[] {
  const { prefix } = parsePrefix(cidr);
  return prefix ? [{ name, prefix }] : [];
}

/** What OVN-Kubernetes and the nodes of a cluster that is not hosted take by themselves. */
function defaultRanges({ release }: ConfiguredCluster): SurroundingRange[] {
  return implicitRanges
    .filter(({ platforms, documents }) => platforms.includes(Platform.None) && !ofHostedClusters(documents))
    .filter(({ releases }) => !releases || !release || releaseWithin(release, releases))
    .map(({ name, cidr, breaks }) => ({ name, prefix: readPrefix(cidr)!, breaks }));
}

/** What only HyperShift takes. */
const ofHostedClusters = (documents: readonly DocumentReference[]): boolean =>
  documents.every(({ document }) => document === HYPERSHIFT);

const othersOf = (networks: PropertyValue | undefined): SurroundingRange[] =>
  entriesOf(networks).flatMap((network) => {
    const name = propertyOf(network, "name");
    return named(`network ${typeof name === "string" ? name : ""}`.trimEnd(), propertyOf(network, "cidr"));
  });

function networkFaults(path: string, value: PropertyValue | undefined, hosted: boolean): Fault[] {
  if (!isGiven(value)) return [];
  if (hosted)
    return [{ path, problem: `stands beside the topology`, remedy: `write it as topology.${path}` }];
  if (value === UNKNOWN) return [];
  if (!isList(value))
    return [{ path, problem: `${shownText(value)} is no list`, remedy: "write a list of CIDR blocks" }];
  return value.flatMap((cidr, position) =>
    cidr === UNKNOWN ? [] : prefixFaults(`${path}[${position}]`, cidr),
  );
}

function otherFaults(value: PropertyValue | undefined): Fault[] {
  const path = "otherNetworks";
  if (!isGiven(value) || value === UNKNOWN) return [];
  if (!isList(value))
    return [{ path, problem: `${shownText(value)} is no list`, remedy: "write a list of name and cidr" }];
  return value.flatMap((network, position) => {
    const at = `${path}[${position}]`;
    if (network === UNKNOWN) return [];
    if (!isMap(network)) return [{ path: at, problem: "is no network", remedy: "write name and cidr" }];
    const { name, cidr } = network;
    return [
      ...(typeof name === "string" || name === UNKNOWN
        ? []
        : [{ path: `${at}.name`, problem: "missing", remedy: "write what the network is called" }]),
      ...(cidr === UNKNOWN ? [] : prefixFaults(`${at}.cidr`, cidr ?? undefined)),
    ];
  });
}
