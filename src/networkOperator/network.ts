import type { Fault } from "../fault";
import { formatRelease, releaseWithin, type Since } from "../requirements/release";
import { type PropertyValue, type Resource, UNKNOWN } from "../resources/resource";
import { type ClusterInputs, egressCluster, type EgressCluster, isOlder } from "../objects/egressCluster";
import { entriesOf, isGiven, propertyOf, type Read, readText, readValue } from "../resources/read";
import { parsePrefix } from "../address/parse";
import { type Prefix, readPrefix } from "../address";
import { type DocumentReference, HYPERSHIFT } from "../requirements/documents";
import { type ImplicitRange, implicitRanges } from "../requirements/implicitRanges";
import {
  internalSubnetProperties,
  type InternalSubnetProperty,
  internalSubnets,
  operatorSubnets,
} from "../requirements/internalSubnets";
import { installerNetworks } from "../requirements/limits";
import { NETWORK_TYPE_PATH } from "../requirements/networkObjectFields";
import { NetworkType, Platform } from "../requirements/vocabulary";
import { reservedRanges } from "../topology/reservedRanges";
import {
  block,
  type Fields,
  inputFaults,
  leaf,
  list,
  needed,
  object,
  plain,
  plainSwitch,
  type Shape,
  text,
} from "../objects/shape";

export const NETWORK_OPERATOR_API_VERSION = "operator.openshift.io/v1";
export const NETWORK_OPERATOR_KIND = "Network";
/** The name of the network operator's configuration, of which every cluster has one. */
export const NETWORK_OPERATOR_NAME = "cluster";

/** The file in the folder `manifests` of openshift-install that holds settings of the network operator. */
export const INSTALL_MANIFEST_FILE = "cluster-network-03-config.yml";

/** Whether a file has an object for openshift-install. */
export const isInstallManifest = ({ origin }: Resource): boolean =>
  origin.urn === undefined && origin.file?.endsWith(INSTALL_MANIFEST_FILE) === true;

/**
 * Reads the network type from the spec of a Network object, either the operator's or that of the cluster's configuration. Like the
 * network operator, ignores case.
 */
export function networkTypeOf(spec: PropertyValue | undefined): Read<string> {
  const type = readText(spec, NETWORK_TYPE_PATH) ?? readText(spec, "networkType");
  if (typeof type !== "string") return type;
  return Object.values(NetworkType).find((one) => one.toLowerCase() === type.toLowerCase()) ?? type;
}

/** Whether the spec of a Network object states another network type than the default, OVN-Kubernetes. */
export function isOtherNetwork(spec: PropertyValue | undefined): boolean {
  const type = networkTypeOf(spec);
  return typeof type === "string" && type !== NetworkType.OVNKubernetes;
}

/** Settings of OVN-Kubernetes, as the network operator's configuration names them. */
export interface OperatorOvnConfig {
  hybridOverlayConfig?: unknown;
  ipsecConfig?: unknown;
}

/** The part of the configuration's spec that holds settings of OVN-Kubernetes. */
export interface NetworkOperatorSettings<Config extends OperatorOvnConfig = OperatorOvnConfig> {
  defaultNetwork: { ovnKubernetesConfig: Config };
}

export const networkOperatorSettings = <Config extends OperatorOvnConfig>(
  ovnKubernetesConfig: Config,
): NetworkOperatorSettings<Config> => ({ defaultNetwork: { ovnKubernetesConfig } });

/** Merges the settings of several components. */
export function joinedSettings(...parts: readonly NetworkOperatorSettings[]): NetworkOperatorSettings {
  const configs = parts.map(({ defaultNetwork }) => defaultNetwork.ovnKubernetesConfig);
  return networkOperatorSettings(Object.assign({}, ...configs) as OperatorOvnConfig);
}

/** Returns the manifest for openshift-install. */
export const installManifest = (settings: NetworkOperatorSettings): string =>
  yaml().stringify({
    apiVersion: NETWORK_OPERATOR_API_VERSION,
    kind: NETWORK_OPERATOR_KIND,
    metadata: { name: NETWORK_OPERATOR_NAME },
    spec: settings,
  });

/** Loads the `yaml` package at its first use: loading takes twenty milliseconds, and rules do not need it. */
function yaml(): typeof import("yaml") {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it with this file
  return require("yaml") as typeof import("yaml");
}

/** The inputs that determine which cluster's network operator is configured, and how, to the extent known. */
export interface NetworkOperatorInputs extends ClusterInputs {
  fragmentOnly?: PropertyValue | undefined;
  forcePatch?: PropertyValue | undefined;
  removeOnDelete?: PropertyValue | undefined;
}

/** The cluster whose network operator is configured, to the extent that it is described. */
export interface OperatedCluster extends EgressCluster {
  /** Whether it is a hosted cluster, even if its topology is invalid. */
  hosted: boolean;
  /** Whether the setting is patched into a running cluster. */
  running: boolean;
}

const SWITCHES: Fields = { fragmentOnly: plainSwitch, forcePatch: plainSwitch, removeOnDelete: plainSwitch };

/** Reads the cluster: a hosted cluster from its topology, others from the separate inputs. */
export function configuredCluster(inputs: NetworkOperatorInputs): OperatedCluster {
  const cluster = egressCluster(inputs);
  return {
    ...cluster,
    hosted: isGiven(inputs.topology),
    running: inputs.fragmentOnly !== true,
    faults: [...cluster.faults, ...inputFaults(SWITCHES, inputs)],
  };
}

/** The fault of a setting on a running cluster whose release accepts it only at installation. */
export function atInstallationFaults(
  { release, running, hosted }: OperatedCluster,
  path: string,
  what: string,
  since: Since,
): Fault[] {
  if (!running || !isOlder(release, since)) return [];
  const first = formatRelease(since.release);
  const problem = `release ${formatRelease(release!)} accepts ${what} only at installation, and the network operator refuses it on a running cluster`;
  const remedy = hosted
    ? `upgrade to ${first} or newer: a hosted cluster has no installation manifests`
    : `set fragmentOnly: true and give installManifest to openshift-install, or upgrade to ${first} or newer`;
  return [{ path, problem, remedy }];
}

/** Warns about what cannot be checked without a release. */
export function noReleaseWarnings({ release, hosted }: OperatedCluster, unchecked: string): Fault[] {
  if (release) return [];
  const path = hosted ? "topology.release" : "release";
  return [{ path, problem: `missing: ${unchecked}`, remedy: 'write it as "4.20", in quotes' }];
}

/** An address range in or around a cluster. */
export interface SurroundingRange {
  /** The name as the object of a sentence: `the cluster network`. */
  name: string;
  prefix: Prefix;
  /** The consequence if another range overlaps it. Absent if there is no special one. */
  breaks?: string;
}

/** The networks in and around a cluster that has no topology, to the extent known. */
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

/** What else decides which ranges a cluster uses by default. */
export interface DefaultsContext {
  /** The settings of OVN-Kubernetes in the object that also states the new range. */
  ovnConfig?: PropertyValue | undefined;
  /** Whether the cluster uses the ranges of optional features. Default: no. */
  withFeatures?: boolean;
}

/** The ranges that a new range must not overlap, and the faults of those that the user wrote. */
export function surroundingRanges(
  cluster: OperatedCluster,
  inputs: SurroundingInputs,
  context: DefaultsContext = {},
): { ranges: SurroundingRange[]; faults: Fault[] } {
  const own = cluster.topology
    ? rangesOfTopology(cluster.topology, context)
    : cluster.hosted
      ? []
      : [
          ...NETWORKS.flatMap((network) => rangesOf(network, inputs[network])),
          ...defaultRanges(cluster, context),
        ];
  return {
    ranges: [
      ...own,
      // A topology states them, too.
      ...writtenSubnets(context).filter(({ prefix }) => !own.some((one) => one.prefix.text === prefix.text)),
      ...othersOf(inputs.otherNetworks),
    ],
    faults: inputFaults(
      {
        ...Object.fromEntries(
          NETWORKS.map((network) => [network, cluster.hosted ? besideTopology(network) : stated]),
        ),
        otherNetworks: others,
      },
      inputs,
    ),
  };
}

/** Leaves out blocks of which only some addresses are used: a company's 10.0.0.0/8 may contain the hybrid network, too. */
const rangesOfTopology = (
  topology: Parameters<typeof reservedRanges>[0],
  context: DefaultsContext,
): SurroundingRange[] =>
  reservedRanges(topology)
    .filter(({ meansSome, row }) => !meansSome && (!row || isInUse(row, context)))
    .map(({ name, prefix, row }) => ({ name, prefix, ...(row && { breaks: row.breaks }) }));

/** The stated blocks of a network, else the installer's default. */
function rangesOf(network: (typeof NETWORKS)[number], stated: PropertyValue | undefined): SurroundingRange[] {
  if (isGiven(stated)) return entriesOf(stated).flatMap((cidr) => named(`the ${NAMES[network]}`, cidr));
  return named(`the installer's default ${NAMES[network]}`, installerNetworks[network]);
}

function named(name: string, cidr: PropertyValue | undefined): SurroundingRange[] {
  const { prefix } = parsePrefix(cidr);
  return prefix ? [{ name, prefix }] : [];
}

/** The ranges that OVN-Kubernetes and the nodes of a cluster that is not hosted use by default. */
function defaultRanges({ release }: OperatedCluster, context: DefaultsContext): SurroundingRange[] {
  return implicitRanges
    .filter((row) => isInUse(row, context))
    .filter(({ platforms, documents }) => platforms.includes(Platform.None) && !ofHostedClusters(documents))
    .filter(({ releases }) => !releases || !release || releaseWithin(release, releases))
    .map(({ name, cidr, breaks }) => ({ name, prefix: readPrefix(cidr)!, breaks }));
}

/** Whether a cluster uses a default range: no setting replaces it, and it has the feature that uses it. */
const isInUse = ({ replacedBy = [], onlyWith }: ImplicitRange, context: DefaultsContext): boolean =>
  (!onlyWith || context.withFeatures === true) &&
  !internalSubnetProperties.some(
    (property) => replacedBy.includes(property) && isSubnet(subnetIn(context, property)),
  );

/** An empty text replaces no default. */
const isSubnet = (value: PropertyValue | undefined): boolean =>
  value === UNKNOWN || parsePrefix(value).prefix !== undefined;

/** The internal subnets that the settings of OVN-Kubernetes state. */
const writtenSubnets = ({ ovnConfig }: DefaultsContext): SurroundingRange[] =>
  operatorSubnets.flatMap(({ name, field }) => named(name, readValue(ovnConfig, field)));

const subnetIn = ({ ovnConfig }: DefaultsContext, property: InternalSubnetProperty) =>
  readValue(ovnConfig, internalSubnets[property].field.join("."));

/** Whether only HyperShift uses a range. */
const ofHostedClusters = (documents: readonly DocumentReference[]): boolean =>
  documents.every(({ document }) => document === HYPERSHIFT);

const othersOf = (networks: PropertyValue | undefined): SurroundingRange[] =>
  entriesOf(networks).flatMap((network) => {
    const name = propertyOf(network, "name");
    return named(`network ${typeof name === "string" ? name : ""}`.trimEnd(), propertyOf(network, "cidr"));
  });

const others = list(
  object({
    name: needed(text(), "write the name of the network"),
    cidr: needed(block, "write a CIDR block"),
  }),
  { remedy: "write a list of name and cidr" },
);

const stated = list(block, { remedy: "write a list of CIDR blocks" });

const besideTopology = (network: string): Shape => {
  const remedy = `write it as topology.${network}`;
  return plain(
    leaf(({ path }) => [{ path, problem: "is set together with the topology", remedy }]),
    remedy,
  );
};
