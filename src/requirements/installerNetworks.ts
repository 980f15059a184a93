import { OCP_INSTALLATION, at } from "./documents";

/** What openshift-install writes into the networks of a cluster where nobody says otherwise. */
export const installerNetworks = {
  clusterNetwork: "10.128.0.0/14",
  serviceNetwork: "172.30.0.0/16",
  machineNetwork: "10.0.0.0/16",
} as const;

export const installerNetworkDocuments = [at(OCP_INSTALLATION, "Network configuration parameters")];
