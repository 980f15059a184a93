import { HYPERSHIFT, at, describeReference } from "../../requirements/documents";
import { Platform } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../../topology/normalizedTopology";

/** A deployment of the hosted control plane that gets the proxy of the management cluster. */
export interface ManagementProxyDeployment {
  /** Its name in the namespace of the hosted control plane. */
  name: string;
  /** The variables that it gets, with the values in the status of the management cluster's Proxy. */
  variables: string[];
  /** What HyperShift adds to its NO_PROXY. */
  noProxyAdditions: string[];
  /** Where it stands. */
  documents: string[];
}

const VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];
const API_SERVER = "kube-apiserver";
const documents = [describeReference(at(HYPERSHIFT, "support/proxy/proxy.go"))];

/** Every deployment that gets the proxy of the management cluster; without platforms on all of them. */
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
  // It takes no proxy itself: it hands the values to the cloud network config controller.
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
  const { platform, clusterNetwork, serviceNetwork } = topology;
  // What the API server asks of pods and services goes through the konnectivity tunnel, where a proxy would break it.
  const networks = [
    ...clusterNetwork.map(({ prefix }) => prefix.text),
    ...serviceNetwork.map(({ text }) => text),
  ];
  return inheriting
    .filter(({ platforms }) => platforms === undefined || platforms.includes(platform))
    .map(({ name, prefix = "" }) => ({
      name,
      variables: VARIABLES.map((variable) => `${prefix}${variable}`),
      noProxyAdditions: [API_SERVER, ...(name === API_SERVER ? networks : [])],
      documents,
    }));
}
