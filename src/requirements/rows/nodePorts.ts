import { HYPERSHIFT, at } from "../documents";
import { INSTANCE_TARGETS, describeDecision } from "../loadBalancers";
import { NODE_PORTS } from "../ports";
import { requirement } from "../requirement";
import { Direction, Perspective, Protocol, PublishingType, Zone } from "../vocabulary";

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
