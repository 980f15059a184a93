import { MULTUS, NETWORK_NAMESPACE } from "../requirements/migration";
import { NetworkType } from "../requirements/vocabulary";
import type { PropertyMap } from "../objects/places";

const sdn = "/apis/network.openshift.io/v1";

/** Where the objects stand of which a cluster has one. */
export const MIGRATION_OBJECT = {
  config: "/apis/config.openshift.io/v1/networks/cluster",
  operator: "/apis/operator.openshift.io/v1/networks/cluster",
  version: "/apis/config.openshift.io/v1/clusterversions/version",
  infrastructure: "/apis/config.openshift.io/v1/infrastructures/cluster",
  multus: `/apis/apps/v1/namespaces/${MULTUS.namespace}/daemonsets/${MULTUS.name}`,
  sdnNamespace: `/api/v1/namespaces/${NETWORK_NAMESPACE[NetworkType.OpenShiftSDN]}`,
  ovnNamespace: `/api/v1/namespaces/${NETWORK_NAMESPACE[NetworkType.OVNKubernetes]}`,
} as const;

/** Where the objects stand of which a cluster has many. */
export const MIGRATION_LIST = {
  pools: "/apis/machineconfiguration.openshift.io/v1/machineconfigpools",
  operators: "/apis/config.openshift.io/v1/clusteroperators",
  nodes: "/api/v1/nodes",
  egressNetworkPolicies: `${sdn}/egressnetworkpolicies`,
  netNamespaces: `${sdn}/netnamespaces`,
  hostSubnets: `${sdn}/hostsubnets`,
} as const;

/** Where the machine configurations stand that pools name. */
export const MACHINE_CONFIGS = "/apis/machineconfiguration.openshift.io/v1/machineconfigs";

/** What a migration reads of a cluster: objects that are not there are absent, kinds that are unknown have no objects. */
export type MigrationObjects = { readonly [Name in keyof typeof MIGRATION_OBJECT]?: PropertyMap } & {
  readonly [Name in keyof typeof MIGRATION_LIST]: readonly PropertyMap[];
} & {
  /** Those that the pools name, for phases that read them; for others none. */
  readonly machineConfigs?: readonly PropertyMap[];
};
