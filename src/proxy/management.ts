import { contains, type Prefix } from "../address";
import { parsePrefix } from "../address/parse";
import type { Fault } from "../fault";
import { Platform } from "../requirements/vocabulary";
import type { PropertyValue } from "../resources/resource";
import { normalizeTopology, type TopologyJudgement } from "../topology/normalizeTopology";
import { AddressBlock } from "../topology/addressBlocks";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { networkRangesOf } from "../topology/reservedRanges";
import { isGiven, isList } from "../resources/read";
import {
  block,
  type Fields,
  hiddenText,
  inputFaults,
  list,
  ONE_AT_LEAST,
  plainSwitch,
} from "../objects/shape";
import { withoutProxy } from "./settings";
import { HYPERSHIFT, at, describeReference } from "../requirements/documents";
import { commaSeparatedEntries, mergeCommaSeparated } from "../objects/sharedField";
import { coverEntry, throughProxy } from "../topology/proxy/apiProxy";

/** The inputs of a ManagementClusterProxy, to the extent known. */
export interface ManagementProxyInputs {
  topology: PropertyValue | undefined;
  secondaryNetworkCidrs?: PropertyValue | undefined;
  currentNoProxy?: PropertyValue | undefined;
  manage?: PropertyValue | undefined;
  kubeconfig?: PropertyValue | undefined;
  context?: PropertyValue | undefined;
  removeOnDelete?: PropertyValue | undefined;
}

/** The shape of each input by itself. */
const INPUTS: Fields = {
  secondaryNetworkCidrs: list(block, { size: ONE_AT_LEAST, remedy: "write a list of CIDR blocks" }),
  currentNoProxy: hiddenText(),
  kubeconfig: hiddenText(),
  context: hiddenText(),
  manage: plainSwitch,
  removeOnDelete: plainSwitch,
};

/** Applies every rule to the inputs of a ManagementClusterProxy. */
export function judgeManagementProxy(inputs: ManagementProxyInputs): TopologyJudgement {
  const { topology, faults, warnings } = normalizeTopology(withoutProxy(inputs.topology));
  return {
    ...(topology && { topology }),
    faults: [
      ...faults,
      ...inputFaults(INPUTS, inputs),
      ...(topology ? missingNetworkFaults(inputs, topology) : []),
    ],
    warnings: topology
      ? [...warnings, ...networkWarnings(inputs, topology), ...changeWarnings(inputs)]
      : warnings,
  };
}

function missingNetworkFaults(
  { secondaryNetworkCidrs }: ManagementProxyInputs,
  topology: NormalizedTopology,
): Fault[] {
  if (isGiven(secondaryNetworkCidrs)) return [];
  const path = "secondaryNetworkCidrs";
  const remedy = "write the CIDR blocks of the networks to which the virtual machines are attached";
  if (topology.platform !== Platform.KubeVirt)
    return [
      { path, problem: `missing: on ${topology.platform} no network is a secondary one by default`, remedy },
    ];
  const isKnown =
    topology.machineNetwork.length > 0 ||
    topology.unknown.some((property) => /^machineNetwork\b/.test(property));
  return isKnown ? [] : [{ path, problem: "missing, and so is topology.machineNetwork", remedy }];
}

/** Warnings about the secondary networks. HyperShift adds only machine networks to the hosted cluster's own noProxy. */
function networkWarnings(inputs: ManagementProxyInputs, topology: NormalizedTopology): Fault[] {
  const { platform, machineNetwork, unknown } = topology;
  const path = "secondaryNetworkCidrs";
  const elsewhere = platform !== Platform.KubeVirt && isGiven(inputs.secondaryNetworkCidrs);
  const stray =
    unknown.some((property) => /^machineNetwork\b/.test(property)) || hasStandIn(machineNetwork)
      ? []
      : outside(knownPrefixes(inputs), machineNetwork);
  return [
    ...(elsewhere
      ? [
          {
            path,
            problem: `names networks on ${platform}, but the documents require this only on KubeVirt, for node pools without the default pod network`,
            remedy: "make sure that the API server reaches nodes there without a proxy",
          },
        ]
      : []),
    ...stray.map((prefix) => ({
      path,
      problem: `${prefix.text} is in no machine network: HyperShift leaves it out of the hosted cluster's own noProxy`,
      remedy: "add it to topology.machineNetwork when the cluster is created, or to its noProxy",
    })),
  ];
}

const hasStandIn = (prefixes: readonly Prefix[]): boolean =>
  prefixes.some((prefix) => prefix instanceof AddressBlock && prefix.isStandIn);

function changeWarnings({ manage, currentNoProxy }: ManagementProxyInputs): Fault[] {
  const object = `${CLUSTER_PROXY.path.join(".")} of proxies.${CLUSTER_PROXY.apiVersion.split("/")[0]}/${CLUSTER_PROXY.name}`;
  const rolls = "which rolls the nodes of the management cluster";
  if (manage === true)
    return [
      {
        path: "manage",
        problem: `adds what is missing to ${object}, ${rolls}`,
        remedy: "deploy the first time, and changes of the networks, in a maintenance window",
        ofChange: true,
      },
    ];
  const unmerged = {
    path: "currentNoProxy",
    problem: "missing: the output noProxy holds only the new entries",
    remedy: `write the current value of ${object}, and never replace it with the output`,
  };
  const unmanaged = {
    path: "manage",
    problem: `not set: nothing is changed. ${object} needs the missing entries, ${rolls}`,
    remedy: "set it, or write false if they are added by hand",
  };
  return [...(manage === false ? [] : [unmanaged]), ...(isGiven(currentNoProxy) ? [] : [unmerged])];
}

const knownPrefixes = ({ secondaryNetworkCidrs }: ManagementProxyInputs): Prefix[] =>
  (isList(secondaryNetworkCidrs) ? secondaryNetworkCidrs : []).flatMap((cidr) => {
    const { prefix } = parsePrefix(cidr);
    return prefix ? [prefix] : [];
  });

const outside = (prefixes: readonly Prefix[], networks: readonly Prefix[]): Prefix[] =>
  prefixes.filter((prefix) => !networks.some((network) => contains(network, prefix)));

/** A deployment of the hosted control plane that gets the proxy of the management cluster. */
export interface ManagementProxyDeployment {
  /** Its name in the namespace of the hosted control plane. */
  name: string;
  /** The variables that it gets, with values from the status of the management cluster's Proxy. */
  variables: string[];
  /** The entries that HyperShift adds to its NO_PROXY. */
  noProxyAdditions: string[];
  /** Documents that state it. */
  documents: string[];
}

const VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];
const API_SERVER = "kube-apiserver";
const documents = [describeReference(at(HYPERSHIFT, "support/proxy/proxy.go"))];

/** Every deployment that gets the proxy of the management cluster. Default of `platforms`: all. */
const inheriting: readonly { name: string; platforms?: readonly Platform[]; prefix?: string }[] = [
  { name: "control-plane-operator" },
  { name: "hosted-cluster-config-operator" },
  { name: API_SERVER },
  { name: "kube-controller-manager" },
  { name: "ignition-server" },
  // IBM Cloud publishes the ignition server itself.
  {
    name: "ignition-server-proxy",
    platforms: Object.values(Platform).filter((one) => one !== Platform.IBMCloud),
  },
  // It uses no proxy itself: it passes the values on to the cloud network config controller.
  { name: "cluster-network-operator", prefix: "MGMT_" },
  { name: "capi-provider" },
  { name: "cloud-controller-manager", platforms: [Platform.AWS] },
  { name: "cloud-credential-operator", platforms: [Platform.AWS] },
  { name: "cluster-storage-operator" },
  { name: "cluster-image-registry-operator" },
  { name: "control-plane-pki-operator" },
  { name: "karpenter", platforms: [Platform.AWS] },
  { name: "karpenter-operator", platforms: [Platform.AWS] },
];

/** The deployments of one hosted control plane that get the proxy of the management cluster. */
export function managementProxyDeployments(topology: NormalizedTopology): ManagementProxyDeployment[] {
  const { platform } = topology;
  // Requests of the API server to pods and services go through the konnectivity tunnel; a proxy would break them.
  const networks = (["clusterNetwork", "serviceNetwork"] as const)
    .flatMap((kind) => networkRangesOf(topology, kind))
    .map(({ prefix }) => prefix.text);
  return inheriting
    .filter(({ platforms }) => platforms === undefined || platforms.includes(platform))
    .map(({ name, prefix = "" }) => ({
      name,
      variables: VARIABLES.map((variable) => `${prefix}${variable}`),
      noProxyAdditions: [API_SERVER, ...(name === API_SERVER ? networks : [])],
      documents,
    }));
}

/** The Proxy object of an OpenShift cluster, which has exactly one, with this name. */
export const CLUSTER_PROXY = {
  apiVersion: "config.openshift.io/v1",
  kind: "Proxy",
  name: "cluster",
  path: ["spec", "noProxy"],
} as const;

/** A noProxy text, with the entries that were missing in it. */
export interface MergedNoProxy {
  noProxy: string;
  /** The entries that were missing. */
  missing: string[];
}

/** Appends the missing entries to noProxy of the management cluster; the existing text keeps its order. */
export function mergedNoProxy(current: string | undefined, entries: readonly string[]): MergedNoProxy {
  const { value, ours } = mergeCommaSeparated(current, { wanted: entries, ours: [] }, coverEntry);
  return { noProxy: value ?? "", missing: ours };
}

/** The addresses of a network that no entry of a noProxy text covers. */
export const leftToProxy = (noProxy: string, network: Prefix): Prefix[] =>
  throughProxy(commaSeparatedEntries(noProxy), network);
