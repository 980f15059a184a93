import type { Fault } from "../fault";
import { formatRelease, type Since } from "../requirements/release";
import type { PropertyValue } from "../resources/resource";
import { egressCluster, isOlder, type ClusterInputs, type EgressCluster } from "../objects/egressCluster";
import { switchFaults } from "../objects/hostedClusterReference";
import { isGiven } from "../resources/read";

export const NETWORK_OPERATOR_API_VERSION = "operator.openshift.io/v1";
export const NETWORK_OPERATOR_KIND = "Network";
/** Every cluster has one configuration of its network operator, of this name. */
export const NETWORK_OPERATOR_NAME = "cluster";

/** The file, in the folder `manifests` of openshift-install, that holds settings of the network operator. */
export const INSTALL_MANIFEST_FILE = "cluster-network-03-config.yml";

/** Settings of OVN-Kubernetes, as the network operator's configuration names them. */
export interface OvnKubernetesConfig {
  hybridOverlayConfig?: unknown;
  ipsecConfig?: unknown;
}

/** The part of the configuration's spec that holds settings of OVN-Kubernetes. */
export interface NetworkOperatorSettings<Config extends OvnKubernetesConfig = OvnKubernetesConfig> {
  defaultNetwork: { ovnKubernetesConfig: Config };
}

export const networkOperatorSettings = <Config extends OvnKubernetesConfig>(
  ovnKubernetesConfig: Config,
): NetworkOperatorSettings<Config> => ({ defaultNetwork: { ovnKubernetesConfig } });

/** The settings of several components in one. */
export function joinedSettings(...parts: readonly NetworkOperatorSettings[]): NetworkOperatorSettings {
  const configs = parts.map(({ defaultNetwork }) => defaultNetwork.ovnKubernetesConfig);
  return networkOperatorSettings(Object.assign({}, ...configs) as OvnKubernetesConfig);
}

/** The manifest that openshift-install takes. */
export const installManifest = (settings: NetworkOperatorSettings): string =>
  yaml().stringify({
    apiVersion: NETWORK_OPERATOR_API_VERSION,
    kind: NETWORK_OPERATOR_KIND,
    metadata: { name: NETWORK_OPERATOR_NAME },
    spec: settings,
  });

/** The `yaml` package, loaded at its first use: it takes twenty milliseconds, and rules ask for no text. */
function yaml(): typeof import("yaml") {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it with this file
  return require("yaml") as typeof import("yaml");
}

/** What is known of the inputs that say which cluster's network operator is configured, and how. */
export interface NetworkOperatorInputs extends ClusterInputs {
  fragmentOnly?: PropertyValue | undefined;
  forcePatch?: PropertyValue | undefined;
  removeOnDelete?: PropertyValue | undefined;
}

/** The cluster whose network operator is configured, as far as it is described. */
export interface ConfiguredCluster extends EgressCluster {
  /** Whether it is a hosted cluster, also where its topology is wrong. */
  hosted: boolean;
  /** Whether the setting is patched into a cluster that runs. */
  running: boolean;
}

/** Reads the cluster: a hosted one from its topology, others from what is said beside it. */
export function configuredCluster(inputs: NetworkOperatorInputs): ConfiguredCluster {
  const cluster = egressCluster(inputs);
  return {
    ...cluster,
    hosted: isGiven(inputs.topology),
    running: inputs.fragmentOnly !== true,
    faults: [
      ...cluster.faults,
      ...(["fragmentOnly", "forcePatch", "removeOnDelete"] as const).flatMap((name) =>
        switchFaults(name, inputs[name]),
      ),
    ],
  };
}

/** The fault of a setting that the release takes only at installation, on a cluster that runs. */
export function atInstallationFaults(
  { release, running, hosted }: ConfiguredCluster,
  path: string,
  what: string,
  since: Since,
): Fault[] {
  if (!running || !isOlder(release, since)) return [];
  const first = formatRelease(since.release);
  const problem = `release ${formatRelease(release!)} takes ${what} only at installation, and the network operator refuses it on a cluster that runs`;
  const remedy = hosted
    ? `upgrade to ${first} or newer: a hosted cluster has no installation manifests`
    : `set fragmentOnly: true and give installManifest to openshift-install, or upgrade to ${first} or newer`;
  return [{ path, problem, remedy }];
}

/** What cannot be checked without a release. */
export function noReleaseWarnings({ release, hosted }: ConfiguredCluster, unchecked: string): Fault[] {
  if (release) return [];
  const path = hosted ? "topology.release" : "release";
  return [{ path, problem: `missing: ${unchecked}`, remedy: 'write it as "4.20", in quotes' }];
}
