import { at, type DocumentReference, HYPERSHIFT, NETWORK_OPERATOR } from "../documents";
import { migrationSources } from "../migration";
import { ipsecPorts } from "../networkOperator";
import { HOST_SERVICES, NODE_PORTS, PORT } from "../ports";
import { port, type PortRange, requirement } from "../requirement";
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

/** Ports of the cluster network among the nodes that differ from the usual ones. */
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

/** etcd of a hosted control plane: only monitoring reaches it from outside its namespace. */
export const etcd = [
  etcdPort("up-etcd-2379", PORT.etcdClient, "The API server reads and writes its state"),
  etcdPort("up-etcd-2380", PORT.etcdPeer, "Members of etcd replicate"),
  etcdPort("up-etcd-2381", PORT.etcdMetrics, "Monitoring reads etcd's metrics", [
    Zone.SameNamespace,
    Zone.MonitoringNamespaces,
  ]),
  etcdPort("up-etcd-9980", PORT.etcdHealth, "Probes ask for etcd's health"),
];

/** What a packet filter in front of management nodes sees of services published by node port. */
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

/** The platforms on which HyperShift creates a security group for worker nodes. */
export const WORKER_GROUP_PLATFORMS: readonly Platform[] = [Platform.AWS];

const ofTheGroup = {
  perspective: Perspective.Worker,
  platforms: WORKER_GROUP_PLATFORMS,
  component: "HyperShift's default group of worker nodes",
  documents: [at(HYPERSHIFT, "support/awsutil/sg.go")],
};

const among =
  (source: Zone) =>
  (
    id: string,
    protocol: Protocol,
    ports: PortRange | undefined,
    purpose: string,
    documents: readonly DocumentReference[] = [],
  ) =>
    requirement({
      ...ofTheGroup,
      documents: [...ofTheGroup.documents, ...documents],
      id,
      direction: Direction.Ingress,
      ...(ports && { ports }),
      protocol,
      purpose,
      sources: [source],
      publicAllowed: false,
    });
const nodes = among(Zone.SameSecurityGroup);
const machines = among(Zone.MachineNetwork);

const overlay = [migrationSources.steps, migrationSources.rollback];
const ipsec = ipsecPorts[0]!.documents;

/** The rules of the security group that HyperShift creates for worker nodes on AWS. */
export const awsWorkerGroup = [
  nodes("up-aws-worker-udp-4789", Protocol.Udp, port(PORT.vxlan), "VXLAN between nodes", overlay),
  nodes(
    "up-aws-worker-udp-6081",
    Protocol.Udp,
    port(PORT.geneve),
    "Geneve between nodes: pod traffic",
    overlay,
  ),
  nodes("up-aws-worker-udp-500", Protocol.Udp, port(PORT.ike), "IPsec key exchange between nodes", ipsec),
  nodes(
    "up-aws-worker-udp-4500",
    Protocol.Udp,
    port(PORT.ipsecNat),
    "IPsec through NAT between nodes",
    ipsec,
  ),
  nodes("up-aws-worker-tcp-9000", Protocol.Tcp, HOST_SERVICES, "Host services among nodes, over TCP"),
  nodes("up-aws-worker-udp-9000", Protocol.Udp, HOST_SERVICES, "Host services among nodes, over UDP"),
  nodes(
    "up-aws-worker-tcp-10250",
    Protocol.Tcp,
    port(PORT.kubelet),
    "Kubelet, from nodes of the same cluster",
  ),
  nodes("up-aws-worker-tcp-30000", Protocol.Tcp, NODE_PORTS, "Node port services among nodes, over TCP"),
  nodes("up-aws-worker-udp-30000", Protocol.Udp, NODE_PORTS, "Node port services among nodes, over UDP"),
  nodes("up-aws-worker-esp", Protocol.Esp, undefined, "IPsec payload between nodes", ipsec),
  machines("up-aws-worker-icmp", Protocol.Icmp, undefined, "ICMP from the machine network"),
  machines("up-aws-worker-ssh", Protocol.Tcp, port(PORT.ssh), "SSH from the machine network"),
  requirement({
    ...ofTheGroup,
    id: "up-aws-worker-any",
    direction: Direction.Egress,
    protocol: Protocol.Any,
    purpose: "Nodes call each other and everything outside",
    destinations: [Zone.Any],
    note: "The documented egress ports are those of calls out of the cluster. What nodes send each other is in none of them, so without this rule only another group of the nodes lets it out.",
  }),
];
