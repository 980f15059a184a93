import { HYPERSHIFT, NETWORK_OPERATOR, at } from "./documents";
import type { DocumentReference } from "./documents";
import { implicitRangeOf } from "./implicitRanges";
import { internalSubnet, internalSubnetProperties } from "./internalSubnets";
import { NODE_API_PORT } from "./publishedServices";
import { Platform } from "./vocabulary";

/** A field of a HostedCluster that a running cluster cannot change. */
export interface ImmutableField {
  /** Its place in `spec`: `networking.clusterNetwork`. */
  path: string;
  /** The input that says it: `topology.clusterNetwork`. Absent: it stands in the part of the spec that has no types. */
  input?: string;
  /** What holds where the field is absent: writing it out is no change. */
  defaults?: readonly (string | number | boolean)[];
  /** True: a cluster that lacks it can still get it. */
  addable?: boolean;
  /** True: it may change, but where it is taken out a running network goes back to the default. */
  mutable?: boolean;
  /** The platforms on which it can change. */
  except?: readonly Platform[];
  documents: readonly DocumentReference[];
}

const crd = at(HYPERSHIFT, "HostedCluster CRD, spec");
const source = at(HYPERSHIFT, "api/hypershift/v1beta1/hostedcluster_types.go");
const networkOperator = at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go");
const documents = [crd];
const OPERATOR = "operatorConfiguration.clusterNetworkOperator";
const address = (id: string) => implicitRangeOf(id).cidr.split("/")[0]!;

/** The network of a cluster, as far as it is for life. */
const network: readonly ImmutableField[] = [
  { path: "platform.type", input: "topology.platform", documents },
  { path: "services", input: "topology.services", except: [Platform.IBMCloud], documents },
  // The rule stands in the source and did not get into the CRD: the server would let the change through.
  { path: "networking.networkType", input: "topology.networkType", documents: [source] },
  { path: "networking.clusterNetwork", input: "topology.clusterNetwork", documents },
  { path: "networking.serviceNetwork", input: "topology.serviceNetwork", documents },
  { path: "networking.machineNetwork", input: "topology.machineNetwork", addable: true, documents },
  {
    path: "networking.apiServer.advertiseAddress",
    input: "topology.advertiseAddress",
    defaults: [address("advertise-address"), address("advertise-address-v6")],
    documents,
  },
  {
    path: "networking.apiServer.port",
    input: "topology.apiServerPort",
    defaults: [NODE_API_PORT],
    documents,
  },
  {
    path: "networking.allocateNodeCIDRs",
    input: "allocateNodeCidrs",
    defaults: ["Disabled"],
    documents,
  },
  {
    path: `${OPERATOR}.disableMultiNetwork`,
    input: "disableMultiNetwork",
    defaults: [false],
    documents,
  },
  { path: `${OPERATOR}.ovnKubernetesConfig.mtu`, input: "mtu", documents: [crd, networkOperator] },
  ...internalSubnetProperties.map((property): ImmutableField => {
    const { field, mutable, documents: sources } = internalSubnet(property);
    const path = [OPERATOR, "ovnKubernetesConfig", ...field].join(".");
    return { path, input: `topology.${property}`, addable: true, mutable, documents: sources };
  }),
];

/** What else is for life; the server says so too. */
const others = [
  "capabilities",
  "clusterID",
  "configuration.ingress.domain",
  "controllerAvailabilityPolicy",
  "dns.baseDomain",
  "dns.baseDomainPrefix",
  "dns.privateZoneID",
  "dns.publicZoneID",
  "etcd.managed.storage.persistentVolume.size",
  "etcd.managed.storage.persistentVolume.storageClassName",
  "etcd.managed.storage.restoreSnapshotURL",
  "etcd.managementType",
  "fips",
  "infraID",
  "issuerURL",
  "olmCatalogPlacement",
  "platform.azure.location",
  "platform.azure.private.privateLink.natSubnetID",
  "platform.azure.private.swift.podNetworkInstance",
  "platform.azure.private.type",
  "platform.azure.resourceGroup",
  "platform.azure.securityGroupID",
  "platform.azure.subnetID",
  "platform.azure.subscriptionID",
  "platform.azure.vnetID",
  "platform.gcp.networkConfig.network",
  "platform.gcp.networkConfig.privateServiceConnectSubnet",
  "platform.gcp.project",
  "platform.gcp.region",
  "platform.gcp.workloadIdentity",
  "platform.kubevirt.baseDomainPassthrough",
  "platform.kubevirt.credentials.infraKubeConfigSecret",
  "platform.kubevirt.credentials.infraNamespace",
  "platform.kubevirt.generateID",
  "platform.kubevirt.storageDriver",
];

/** Every field of a HostedCluster that is for life. */
export const immutableFields: readonly ImmutableField[] = [
  ...network,
  ...others.map((path): ImmutableField => ({ path, addable: true, documents })),
];

/** What goes with the object where somebody makes a new one to get another value. */
export const REPLACING_DESTROYS =
  "a new HostedCluster in its place would destroy the control plane, etcd with all that the API holds, and the machines of the NodePools";
