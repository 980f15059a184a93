import { HYPERSHIFT, NETWORK_OPERATOR, at } from "../documents";
import { PORT } from "../ports";
import { port, requirement } from "../requirement";
import { Direction, Perspective, Platform, Protocol, Zone } from "../vocabulary";

const betweenNodes = { direction: Direction.Ingress, perspective: Perspective.Worker, publicAllowed: false };

/** Ports of the cluster network among the nodes that differ from its usual ones. */
export const clusterNetwork = [
  requirement({
    ...betweenNodes,
    id: "up-kubevirt-geneve",
    platforms: [Platform.KubeVirt],
    ports: port(PORT.kubevirtGeneve),
    protocol: Protocol.Udp,
    component: "ovn-kubernetes",
    purpose: "Geneve between nested nodes, off 6081, which the management cluster uses",
    sources: [Zone.Workers],
    documents: [at(HYPERSHIFT, "control-plane-operator/hostedclusterconfigoperator (network)")],
  }),
  requirement({
    ...betweenNodes,
    id: "up-kubevirt-vxlan",
    platforms: [Platform.KubeVirt],
    ports: port(PORT.kubevirtVxlan),
    protocol: Protocol.Udp,
    component: "openshift-sdn",
    purpose: "VXLAN between nested nodes, off 4789, which the management cluster uses",
    sources: [Zone.Workers],
    documents: [at(HYPERSHIFT, "control-plane-operator/hostedclusterconfigoperator (network)")],
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
