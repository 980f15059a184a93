import { AWS_VPC, AZURE_VNET, GCP_VPC, OCP_INSTALLATION, at, type DocumentReference } from "./documents";
import { InfrastructurePlatform } from "./vocabulary";

/** Addresses at the ends of each subnet that a cloud keeps for itself. */
export interface SubnetReservation {
  /** Who has them, as the end of a sentence. */
  who: string;
  families: readonly (4 | 6)[];
  /** How many at the beginning, the network's own address included. */
  first: number;
  /** How many at the end, the broadcast address included. */
  last: number;
  documents: readonly DocumentReference[];
}

/** What clouds keep of each subnet. Elsewhere only the network's own and the broadcast address are taken. */
export const subnetReservations: { readonly [platform in InfrastructurePlatform]?: SubnetReservation } = {
  [InfrastructurePlatform.AWS]: {
    who: "the VPC's router, DNS server and future use",
    families: [4, 6],
    first: 4,
    last: 1,
    documents: [at(AWS_VPC, "Subnet sizing for IPv4, Subnet sizing for IPv6")],
  },
  [InfrastructurePlatform.Azure]: {
    who: "the virtual network's gateway and DNS",
    families: [4],
    first: 4,
    last: 1,
    documents: [at(AZURE_VNET, "Are there any restrictions on using IP addresses within these subnets?")],
  },
  [InfrastructurePlatform.GCP]: {
    who: "the subnet's gateway and future use",
    families: [4],
    first: 2,
    last: 2,
    documents: [at(GCP_VPC, "Unusable addresses in IPv4 subnet ranges")],
  },
};

/** What openshift-install writes into the networks of a cluster unless stated otherwise. */
export const installerNetworks = {
  clusterNetwork: "10.128.0.0/14",
  serviceNetwork: "172.30.0.0/16",
  machineNetwork: "10.0.0.0/16",
} as const;

export const installerNetworkDocuments = [at(OCP_INSTALLATION, "Network configuration parameters")];
