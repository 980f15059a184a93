import { at, HYPERSHIFT, NETWORK_OPERATOR } from "../documents";
import { NODE_PORTS, PORT } from "../ports";
import { port, requirement } from "../requirement";
import { Direction, Perspective, Platform, Protocol, PublishingType, Zone } from "../vocabulary";
import { describeDecision, INSTANCE_TARGETS } from "../platforms";

const betweenNodes = { direction: Direction.Ingress, perspective: Perspective.Worker, publicAllowed: false };

const betweenNestedNodes = {
  ...betweenNodes,
  platforms: [Platform.KubeVirt],
  protocol: Protocol.Udp,
  sources: [Zone.Workers],
  documents: [at(HYPERSHIFT, "control-plane-operator/hostedclusterconfigoperator (network)")],
};

/** Ports of the cluster network among the nodes that differ from its usual ones. */
export const clusterNetwork = [
  requirement({
    ...betweenNestedNodes,
    id: "up-kubevirt-geneve",
    ports: port(PORT.kubevirtGeneve),
    component: "ovn-kubernetes",
    purpose: "Geneve between nested nodes, off 6081, which the management cluster uses",
  }),
  requirement({
    ...betweenNestedNodes,
    id: "up-kubevirt-vxlan",
    ports: port(PORT.kubevirtVxlan),
    component: "openshift-sdn",
    purpose: "VXLAN between nested nodes, off 4789, which the management cluster uses",
  }),
  requirement({
    ...betweenNodes,
    id: "up-egressip-health",
    ports: port(PORT.egressIpHealth),
    protocol: Protocol.Tcp,
    component: "ovnkube-node",
    purpose: "OVN-Kubernetes checks which nodes that carry egress addresses can be reached",
    sources: [Zone.OvnControlPlane, Zone.Workers],
    documents: [at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go")],
  }),
];

const etcdPort = (id: string, number: number, purpose: string, sources = [Zone.SameNamespace]) =>
  requirement({
    id,
    direction: Direction.Ingress,
    perspective: Perspective.ControlPlane,
    ports: port(number),
    protocol: Protocol.Tcp,
    component: "etcd",
    purpose,
    sources,
    publicAllowed: false,
    documents: [at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane/v2/etcd")],
  });

/** etcd of a hosted control plane: nothing outside its namespace talks to it, except monitoring. */
export const etcd = [
  etcdPort("up-etcd-2379", PORT.etcdClient, "The API server reads and writes its state"),
  etcdPort("up-etcd-2380", PORT.etcdPeer, "Members of etcd replicate"),
  etcdPort("up-etcd-2381", PORT.etcdMetrics, "Monitoring reads etcd's metrics", [
    Zone.SameNamespace,
    Zone.MonitoringNamespaces,
  ]),
  etcdPort("up-etcd-9980", PORT.etcdHealth, "Probes ask for etcd's health"),
];

/** What a packet filter in front of management nodes sees of services that are published by node port. */
export const nodePorts = [
  requirement({
    id: "up-nodeport-range",
    direction: Direction.Ingress,
    perspective: Perspective.Management,
    publishing: [PublishingType.NodePort],
    ports: NODE_PORTS,
    protocol: Protocol.Tcp,
    component: "kube-apiserver, oauth, konnectivity, ignition-server-proxy",
    purpose: "Nodes reach the node ports behind which the published services listen",
    sources: [Zone.Workers, Zone.ExternalClients],
    publicAllowed: false,
    upstream: `A pinned port where services[].nodePort.port is set, else any port of the management cluster's range. ${describeDecision(INSTANCE_TARGETS)}`,
    documents: [
      at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane/kas/service.go"),
      at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane/oauth/service.go"),
      at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane/v2/ignitionserver_proxy"),
    ],
  }),
];
