import type * as pulumi from "@pulumi/pulumi";
import type { AzureCloud } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { HostedClusterReference } from "../../components/hostedClusterPatch";
import type { OvnSubnetFragment } from "../../ovnSubnets/component/ovnSubnetArgs";

/** The cluster-wide proxy of one hosted cluster, for its nodes and for control-plane workloads that send requests outside. */
export interface ProxyConfigArgs extends ProxyConfigSettings {
  /**
   * The hosted cluster, whose networks bypass the proxy. Plain values. Its `proxy` applies if the other inputs do not set a value.
   * Changing it changes the computed entries. (Proxy support for hosted control planes)
   */
  topology: HostedClusterTopology;
  /**
   * Namespace of the HostedCluster, in which the ConfigMap is created. Defaults to the namespace of the existing HostedCluster, else
   * to that of the topology. If the same program creates the Namespace resource, give the name of that resource. Changing it replaces
   * the ConfigMap.
   */
  namespace?: pulumi.Input<string>;
  /**
   * An existing HostedCluster. The whole of `configuration.proxy` is patched into it, because its list of exceptions is one text that
   * cannot be shared with another owner. Defaults to none: put `fragment` into the spec of the HostedCluster that you create. Do not
   * do both for one cluster. Changing it leaves the proxy of the first cluster as it is.
   */
  existingHostedCluster?: HostedClusterReference;
  /**
   * Annotations to patch into the existing HostedCluster together with the proxy: the output `hostedClusterAnnotations` of a
   * ControlPlaneIsolation, which must then have no `existingHostedCluster` itself, because the server refuses two patches of one
   * object. Defaults to none. Changes are made in place.
   */
  hostedClusterAnnotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * The `fragment` of an OvnSubnetConfig to patch into the same existing HostedCluster together with the proxy; that OvnSubnetConfig
   * must then have no `existingHostedCluster` itself. Defaults to none. The server refuses two patches of one object, because
   * Pulumi's Kubernetes provider keeps the name of the owner in an annotation of the object, which holds only one name. Changing it
   * rolls out ovnkube-node.
   */
  ovnSubnets?: pulumi.Input<OvnSubnetFragment>;
}

/** Settings of the proxy that do not depend on the hosted cluster. */
export interface ProxyConfigSettings {
  /**
   * URL of the proxy for HTTP: `http://proxy.example.com:3128`. The scheme must be http. A URL with credentials is a secret: take it
   * from configuration with requireSecret. Defaults to `topology.proxy.httpProxy`; at least one of the two proxies is required.
   * Changing it changes the HostedCluster in place and rolls its nodes. (HostedCluster API, configuration.proxy)
   */
  httpProxy?: pulumi.Input<string>;
  /**
   * URL of the proxy for HTTPS: `http://proxy.example.com:3128`. The scheme must be http or https. A URL with credentials is a
   * secret: take it from configuration with requireSecret. Defaults to `topology.proxy.httpsProxy`; without either, HTTPS bypasses
   * the proxy. Changing it changes the HostedCluster in place and rolls its nodes. (HostedCluster API, configuration.proxy)
   */
  httpsProxy?: pulumi.Input<string>;
  /**
   * Destinations that bypass the proxy, in addition to those that HyperShift adds: domains (`.example.com` and its subdomains),
   * addresses and CIDR blocks, or only `*`. Defaults to the entries of `topology.proxy.noProxy`. An entry that covers the API server,
   * or that contains the word kubernetes, makes nodes reach the API server without the proxy. Changing it changes the HostedCluster
   * in place and rolls its nodes. (HostedCluster API, configuration.proxy)
   */
  noProxy?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Certificates of the authorities that signed the proxy's certificate, in PEM form. They are written to a ConfigMap in the
   * namespace of the HostedCluster, under the key `ca-bundle.crt`. Defaults to none. Changing it changes the ConfigMap in place.
   * (HostedCluster API, configuration.proxy.trustedCA)
   */
  trustedCa?: pulumi.Input<string>;
  /**
   * Name of an existing ConfigMap in the namespace of the HostedCluster that holds the certificates under the key `ca-bundle.crt`,
   * instead of `trustedCa`. Defaults to none. Changing it changes the HostedCluster in place. (HostedCluster API,
   * configuration.proxy.trustedCA)
   */
  trustedCaConfigMap?: pulumi.Input<string>;
  /**
   * Whether the control plane and the nodes trust these certificates for all connections and not only for the proxy, as
   * `spec.additionalTrustBundle`. Required if the proxy inspects TLS connections. Defaults to false. Changing it rolls the nodes.
   * (HostedCluster API, additionalTrustBundle)
   */
  additionalTrustBundle?: boolean;
  /**
   * AWS region of the cluster, such as `us-east-1`. It determines the domain of the instances, which bypasses the proxy. Defaults to
   * none: the computed entries then lack that domain, although HyperShift adds it. Changing it changes only outputs.
   */
  region?: pulumi.Input<string>;
  /**
   * Azure cloud of the cluster. Defaults to AzurePublicCloud. In the other clouds, control-plane workloads reach 168.63.129.16
   * without the proxy. Changing it changes only outputs. (HostedCluster API, platform.azure.cloud)
   */
  azureCloud?: AzureCloud;
  /**
   * Host name or address at which nodes reach the API server from outside, as in `status.controlPlaneEndpoint.host`. Nodes reach it
   * without the proxy if noProxy covers it. Defaults to the host name, or the address of the node port, in `topology.services.apiServer`;
   * without any of them, `nodeApiProxy` considers only the internal address. Changing it changes only outputs. (Compute nodes that need to access the API server)
   */
  apiServerHost?: pulumi.Input<string>;
  /**
   * Number of compute nodes of the cluster. Defaults to unknown. With 0, a warning names the requests that fail, because the proxy is
   * reached through compute nodes. Changing it changes nothing. (Proxy support for hosted control planes)
   */
  computeNodes?: pulumi.Input<number>;
  /**
   * Takes the proxy settings over from another owner. Defaults to false: the deployment stops with a conflict that names the owner.
   * What the other owner wrote in those settings is lost.
   */
  forcePatch?: boolean;
  /**
   * Removes the proxy and the ConfigMap when this component is deleted, which cuts a running cluster off from everything that it
   * reaches through the proxy. Defaults to false: they stay. Deploy a change of this setting before you destroy the component.
   */
  removeOnDelete?: boolean;
}

/** The part of a HostedCluster's spec that holds the proxy. */
export interface ProxyFragment {
  /** `spec.configuration` of the HostedCluster. */
  configuration: ProxyClusterConfiguration;
  /** `spec.additionalTrustBundle` of the HostedCluster; present only if requested. */
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
  /** The entries that you gave, separated by commas; HyperShift adds its own. */
  noProxy?: string;
  /** The ConfigMap that holds the certificates under the key `ca-bundle.crt`. */
  trustedCA?: ConfigMapName;
}

/** A ConfigMap in the namespace of the HostedCluster. */
export interface ConfigMapName {
  /** Its name. */
  name: string;
}

/** A workload of the hosted control plane that sends requests outside through the data plane. */
export interface ProxiedControlPlaneWorkload {
  /** The workload: `oauth-openshift`. */
  name: string;
  /** The purpose of its requests. */
  purpose: string;
  /** The hops between the workload and its destination, joined by arrows. */
  route: string;
  /** Whether its requests go through the proxy of the hosted cluster. Requests of other workloads leave a compute node without it. */
  throughProxy: boolean;
  /** Whether the product documents name it. Other workloads are only in HyperShift's source. */
  documented: boolean;
  /** Proxy variables of its container, by name. They point to its konnectivity sidecar, which has the settings of the proxy. */
  environment: Record<string, string>;
  /** Documents that state it. */
  documents: string[];
}

/** Proxy settings of the konnectivity sidecars of control-plane workloads. */
export interface SidecarProxySettings {
  /** URL of the proxy for HTTP, as `--http-proxy`. */
  httpProxy?: string;
  /** URL of the proxy for HTTPS, as `--https-proxy`. */
  httpsProxy?: string;
  /** Destinations that bypass the proxy, separated by commas, as `--no-proxy`. */
  noProxy: string;
}

/** The known part of the user data of a new node, in the format of Ignition 3.2.0. */
export interface IgnitionStub {
  /** Ignition's own settings. */
  ignition: IgnitionStubSettings;
}

/** Ignition's own settings in the user data. */
export interface IgnitionStubSettings {
  /** Version of the format: `3.2.0`. */
  version: string;
  /** The proxy through which the node reaches the ignition endpoint. */
  proxy: IgnitionProxy;
  /** Source of the node's configuration. Absent if `topology.services.ignition.hostname` is absent. HyperShift adds the token. */
  config?: IgnitionSources;
}

/** The proxy in an Ignition configuration. */
export interface IgnitionProxy {
  /** URL of the proxy for HTTP. */
  httpProxy?: string;
  /** URL of the proxy for HTTPS. */
  httpsProxy?: string;
  /** Destinations that bypass the proxy, one by one: Ignition does not read comma-separated text. */
  noProxy: string[];
}

/** Configurations that Ignition fetches. */
export interface IgnitionSources {
  /** The configurations, merged in this order. */
  merge: IgnitionSource[];
}

/** A configuration that Ignition fetches. */
export interface IgnitionSource {
  /** URL of the ignition endpoint. */
  source: string;
}
