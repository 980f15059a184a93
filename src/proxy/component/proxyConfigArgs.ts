import type * as pulumi from "@pulumi/pulumi";
import type { AzureCloud } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { HostedClusterReference } from "../../components/hostedClusterPatch";
import type { OvnSubnetFragment } from "../../ovnSubnets/component/ovnSubnetArgs";

/** The cluster-wide proxy of one hosted cluster, for its nodes and for control-plane workloads that ask outside. */
export interface ProxyConfigArgs extends ProxyConfigSettings {
  /**
   * The hosted cluster, whose networks bypass the proxy. Plain values. Its `proxy` counts where the inputs beside it say
   * nothing. Changing it changes the computed entries. (Proxy support for hosted control planes)
   */
  topology: HostedClusterTopology;
  /**
   * Namespace of the HostedCluster, in which the ConfigMap is made. Defaults to that of the existing HostedCluster, else
   * to the topology's. Give the name of a Namespace resource here where the same program makes it. Changing it replaces
   * the ConfigMap.
   */
  namespace?: pulumi.Input<string>;
  /**
   * A HostedCluster that exists already: the whole of `configuration.proxy` is patched into it, because its list of
   * exceptions is one text that cannot be shared with another owner. Defaults to none: `fragment` goes into the spec of
   * the HostedCluster that you create. Do not do both for one cluster. Changing it leaves the proxy of the first cluster
   * as it is.
   */
  existingHostedCluster?: HostedClusterReference;
  /**
   * Annotations that are patched into the existing HostedCluster together with the proxy: the output `hostedClusterAnnotations`
   * of a ControlPlaneIsolation, which then has no `existingHostedCluster` of its own, because two patches of one object are
   * refused by the server. Defaults to none. Changes are made in place.
   */
  hostedClusterAnnotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * The `fragment` of an OvnSubnetConfig for the same existing HostedCluster, to be patched together with the proxy; that
   * OvnSubnetConfig then has no `existingHostedCluster` of its own. Defaults to none. Two patches of one object are
   * refused by the server, because Pulumi's Kubernetes provider keeps the name of the owner in an annotation of the object,
   * which holds one name only. Changing it rolls out ovnkube-node.
   */
  ovnSubnets?: pulumi.Input<OvnSubnetFragment>;
}

/** What can be chosen of the proxy beside the hosted cluster. */
export interface ProxyConfigSettings {
  /**
   * URL of the proxy for HTTP: `http://proxy.example.com:3128`. Its scheme is http. Credentials in it make it a secret:
   * take it from configuration with requireSecret. Defaults to `topology.proxy.httpProxy`; one of the two proxies is
   * needed. Changing it changes the HostedCluster in place and rolls its nodes. (HostedCluster API, configuration.proxy)
   */
  httpProxy?: pulumi.Input<string>;
  /**
   * URL of the proxy for HTTPS: `http://proxy.example.com:3128`. Its scheme is http or https. Credentials in it make it a
   * secret: take it from configuration with requireSecret. Defaults to `topology.proxy.httpsProxy`; without it HTTPS
   * goes past the proxy. Changing it changes the HostedCluster in place and rolls its nodes. (HostedCluster API,
   * configuration.proxy)
   */
  httpsProxy?: pulumi.Input<string>;
  /**
   * Destinations that bypass the proxy, beside those that HyperShift adds by itself: domains (`.example.com` with all
   * below it), addresses and CIDR blocks, or only `*`. Defaults to the entries of `topology.proxy.noProxy`. An entry
   * that covers the API server, or that has the word kubernetes in it, lets nodes reach the API server without the
   * proxy. Changing it changes the HostedCluster in place and rolls its nodes. (HostedCluster API, configuration.proxy)
   */
  noProxy?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Certificates of the authorities that signed the proxy's certificate, in PEM form. They are put into a ConfigMap with
   * the key `ca-bundle.crt` beside the HostedCluster. Defaults to none. Changing it changes the ConfigMap in place.
   * (HostedCluster API, configuration.proxy.trustedCA)
   */
  trustedCa?: pulumi.Input<string>;
  /**
   * Name of a ConfigMap that exists in the namespace of the HostedCluster and holds the certificates under the key
   * `ca-bundle.crt`, in place of `trustedCa`. Defaults to none. Changing it changes the HostedCluster in place.
   * (HostedCluster API, configuration.proxy.trustedCA)
   */
  trustedCaConfigMap?: pulumi.Input<string>;
  /**
   * Whether the control plane and the nodes trust those certificates beyond the proxy, as `spec.additionalTrustBundle`:
   * needed where the proxy opens TLS connections. Defaults to false. Changing it rolls the nodes. (HostedCluster API,
   * additionalTrustBundle)
   */
  additionalTrustBundle?: boolean;
  /**
   * Region of the cluster on AWS, `us-east-1`, by which the names of its instances bypass the proxy. Defaults to none:
   * the computed entries then lack that domain, which HyperShift adds all the same. Changing it changes only outputs.
   */
  region?: pulumi.Input<string>;
  /**
   * Azure cloud of the cluster. Defaults to AzurePublicCloud; in the others control-plane workloads reach 168.63.129.16
   * without the proxy. Changing it changes only outputs. (HostedCluster API, platform.azure.cloud)
   */
  azureCloud?: AzureCloud;
  /**
   * Host name or address at which nodes reach the API server from outside, as in `status.controlPlaneEndpoint.host`:
   * nodes reach it without the proxy where noProxy covers it. Defaults to `topology.services.apiServer.hostname`; without
   * either `nodeApiProxy` knows only the address inside. Changing it changes only outputs. (Compute nodes that need to
   * access the API server)
   */
  apiServerHost?: pulumi.Input<string>;
  /**
   * How many compute nodes the cluster has. Defaults to not known. With 0 a warning says which requests fail, because the
   * proxy is reached through compute nodes. Changing it changes nothing. (Proxy support for hosted control planes)
   */
  computeNodes?: pulumi.Input<number>;
  /**
   * Takes the proxy settings from another owner. Defaults to false: the deployment stops with a conflict that names the
   * owner. What the other owner wrote in those settings is lost.
   */
  forcePatch?: boolean;
  /**
   * Takes the proxy and the ConfigMap away when this component is deleted, which cuts a running cluster off from
   * everything that it reaches through the proxy. Defaults to false: they stay. Deploy the change before the destroy that
   * shall follow it.
   */
  removeOnDelete?: boolean;
}

/** The part of a HostedCluster's spec that holds the proxy. */
export interface ProxyFragment {
  /** `spec.configuration` of the HostedCluster. */
  configuration: ProxyClusterConfiguration;
  /** `spec.additionalTrustBundle` of the HostedCluster; only when it was asked for. */
  additionalTrustBundle?: ConfigMapName;
}

/** `spec.configuration` of a HostedCluster. */
export interface ProxyClusterConfiguration {
  /** The cluster-wide proxy. */
  proxy: ProxySettingsOfHostedCluster;
}

/** `spec.configuration.proxy` of a HostedCluster. */
export interface ProxySettingsOfHostedCluster {
  /** URL of the proxy for HTTP. */
  httpProxy?: string;
  /** URL of the proxy for HTTPS. */
  httpsProxy?: string;
  /** The entries that you gave, with commas between them; HyperShift adds its own. */
  noProxy?: string;
  /** The ConfigMap that holds the certificates under the key `ca-bundle.crt`. */
  trustedCA?: ConfigMapName;
}

/** A ConfigMap in the namespace of the HostedCluster. */
export interface ConfigMapName {
  /** Its name. */
  name: string;
}

/** A workload of the hosted control plane that reaches outside through the data plane. */
export interface ProxiedControlPlaneWorkload {
  /** The workload: `oauth-openshift`. */
  name: string;
  /** What it asks for outside. */
  purpose: string;
  /** The stations between the workload and what it asks for, joined by arrows. */
  route: string;
  /** Whether its requests take the proxy of the hosted cluster. The others leave a compute node without it. */
  throughProxy: boolean;
  /** Whether the product documents name it. The others stand only in HyperShift's source. */
  documented: boolean;
  /** Proxy variables of its container, by name: they lead to the sidecar beside it, which knows the proxy. */
  environment: Record<string, string>;
  /** Where it is documented. */
  documents: string[];
}

/** What the konnectivity sidecars of control-plane workloads are told of the proxy. */
export interface SidecarProxySettings {
  /** URL of the proxy for HTTP, as `--http-proxy`. */
  httpProxy?: string;
  /** URL of the proxy for HTTPS, as `--https-proxy`. */
  httpsProxy?: string;
  /** What bypasses the proxy, with commas between the entries, as `--no-proxy`. */
  noProxy: string;
}

/** The user data of a new node, in the form of Ignition 3.2.0, as far as it is known. */
export interface IgnitionStub {
  /** Ignition's own settings. */
  ignition: IgnitionStubSettings;
}

/** Ignition's own settings in the user data. */
export interface IgnitionStubSettings {
  /** Version of the form: `3.2.0`. */
  version: string;
  /** The proxy through which the node reaches the ignition endpoint. */
  proxy: IgnitionProxy;
  /** Where the node's configuration is. Absent where `topology.services.ignition.hostname` is. HyperShift adds the token. */
  config?: IgnitionSources;
}

/** The proxy in an Ignition configuration. */
export interface IgnitionProxy {
  /** URL of the proxy for HTTP. */
  httpProxy?: string;
  /** URL of the proxy for HTTPS. */
  httpsProxy?: string;
  /** What bypasses the proxy, one by one: Ignition reads no text with commas. */
  noProxy: string[];
}

/** The configurations that Ignition fetches. */
export interface IgnitionSources {
  /** They are merged in this order. */
  merge: IgnitionSource[];
}

/** A configuration that Ignition fetches. */
export interface IgnitionSource {
  /** URL of the ignition endpoint. */
  source: string;
}
