/** A kind of Kubernetes objects that rules look at. */
export interface KubernetesKind {
  /** Empty for the core group. */
  group: string;
  kind: string;
  /** Its name in paths of the API and in roles. */
  resource: string;
  /**
   * True where rules take such an object for one inside a hosted cluster: in the management cluster it is about the
   * management cluster itself.
   */
  isOfGuest?: true;
  /** True where rules know the management cluster's own one, too. */
  isOfManagement?: true;
}

const of =
  (group: string, isOfGuest?: true) =>
  (kind: string, resource: string): KubernetesKind => ({
    group,
    kind,
    resource,
    ...(isOfGuest && { isOfGuest }),
  });
const hyperShift = of("hypershift.openshift.io");
const core = of("");
const apps = of("apps");
const batch = of("batch");
const adminPolicy = of("policy.networking.k8s.io");
const config = of("config.openshift.io", true);
const ovn = of("k8s.ovn.org", true);

/** HostedClusters: the cluster that holds some is a management cluster. */
export const HOSTED_CLUSTERS = hyperShift("HostedCluster", "hostedclusters");

/** Every kind of objects in a cluster that rules judge, or read beside others. ConfigMaps are read only by their names. */
export const kubernetesKinds: readonly KubernetesKind[] = [
  HOSTED_CLUSTERS,
  hyperShift("NodePool", "nodepools"),
  of("networking.k8s.io")("NetworkPolicy", "networkpolicies"),
  adminPolicy("AdminNetworkPolicy", "adminnetworkpolicies"),
  adminPolicy("BaselineAdminNetworkPolicy", "baselineadminnetworkpolicies"),
  adminPolicy("ClusterNetworkPolicy", "clusternetworkpolicies"),
  of("k8s.ovn.org")("EgressFirewall", "egressfirewalls"),
  ovn("EgressIP", "egressips"),
  of("network.operator.openshift.io", true)("EgressRouter", "egressrouters"),
  of("operator.openshift.io", true)("Network", "networks"),
  config("Network", "networks"),
  { ...config("Proxy", "proxies"), isOfManagement: true },
  of("machineconfiguration.openshift.io", true)("MachineConfigPool", "machineconfigpools"),
  core("Namespace", "namespaces"),
  core("Node", "nodes"),
  of("", true)("Service", "services"),
  core("Pod", "pods"),
  core("ReplicationController", "replicationcontrollers"),
  apps("Deployment", "deployments"),
  apps("StatefulSet", "statefulsets"),
  apps("DaemonSet", "daemonsets"),
  apps("ReplicaSet", "replicasets"),
  batch("Job", "jobs"),
  batch("CronJob", "cronjobs"),
];
