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
