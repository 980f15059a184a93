import { OKD_NETWORKING, OCP_NETWORKING, HYPERSHIFT_PORTS, HYPERSHIFT, at } from "../documents";
import { IP_TARGETS, describeDecision } from "../platforms";
import { PORT } from "../ports";
import { NODE_EGRESS, port, requirement } from "../requirement";
import { Direction, Perspective, Platform, Protocol, PublishingType, Service, Zone } from "../vocabulary";

const fromAgents = {
  direction: Direction.Ingress,
  perspective: Perspective.ControlPlane,
  service: Service.Konnectivity,
  ports: port(PORT.konnectivity),
  protocol: Protocol.Tcp,
  component: "konnectivity-server",
  sources: [Zone.Workers],
  publicAllowed: false,
  tls: true,
  upstreamRejects: [Platform.AWS, Platform.Azure],
};

const tunnelDocuments = [
  at(OKD_NETWORKING, "Example firewall configuration"),
  at(OCP_NETWORKING, "14.2.1. Ingress requirements"),
  at(OCP_NETWORKING, "14.2.3. Example firewall configuration"),
  at(HYPERSHIFT_PORTS, "NodePort/LoadBalancer Publishing"),
  at(HYPERSHIFT_PORTS, "Source IP Restrictions"),
];

const insideControlPlane = {
  direction: Direction.Ingress,
  perspective: Perspective.ControlPlane,
  protocol: Protocol.Tcp,
  publicAllowed: false,
  documents: [at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane (konnectivity)")],
};

/** Konnectivity: nodes open a reverse tunnel, through which the control plane reaches them. */
export const konnectivity = [
  requirement({
    ...fromAgents,
    id: "cp-in-konn-nodeport",
    publishing: [PublishingType.NodePort],
    purpose: "Konnectivity agents on the nodes dial the tunnel through which the control plane answers",
    upstream: "A pod and service port; from outside the management cluster it is the node port.",
    documents: [at(OKD_NETWORKING, "Common ingress ports, NodePort"), ...tunnelDocuments],
  }),
  requirement({
    ...fromAgents,
    id: "cp-in-konn-lb",
    publishing: [PublishingType.LoadBalancer],
    purpose: "Konnectivity agents on the nodes dial the tunnel through the cloud's load balancer",
    note: "The documents limit no platform; upstream refuses everything but Route on AWS and Azure.",
    upstream: `No network policy is written for konnectivity behind a load balancer. ${describeDecision(IP_TARGETS)}`,
    documents: [at(OKD_NETWORKING, "Common ingress ports, LoadBalancer"), ...tunnelDocuments],
  }),
  requirement({
    id: "wk-out-konn",
    direction: Direction.Egress,
    perspective: Perspective.Worker,
    publishing: [PublishingType.NodePort, PublishingType.LoadBalancer],
    service: Service.Konnectivity,
    ports: port(PORT.konnectivity),
    protocol: Protocol.Tcp,
    component: "konnectivity-server",
    purpose: "Konnectivity agents on the nodes dial the tunnel through which the control plane answers",
    destinations: [Zone.ControlPlane],
    documents: NODE_EGRESS,
  }),
  requirement({
    ...insideControlPlane,
    id: "up-konn-local",
    ports: port(PORT.konnectivityLocal),
    component: "konnectivity-server-local",
    purpose: "Sidecar proxies of the control plane open connections through the tunnel",
    sources: [Zone.SameNamespace],
    tls: true,
    upstream: "The sidecars serve on the same port by default.",
  }),
  requirement({
    ...insideControlPlane,
    id: "up-konn-oauth-https",
    ports: port(PORT.konnectivityOauthSidecar),
    component: "konnectivity-proxy-https of oauth-openshift",
    purpose: "The OAuth server reaches identity providers through its HTTPS sidecar",
    sources: [Zone.Localhost],
    openInFirewall: false,
    upstream: "8090 is taken in that pod by the SOCKS5 sidecar.",
  }),
  requirement({
    ...insideControlPlane,
    id: "up-konn-health",
    ports: port(PORT.konnectivityHealth),
    component: "konnectivity server and agent",
    purpose: "Kubelets probe the konnectivity server and its agents",
    sources: [Zone.ManagementKubelet],
    tls: false,
  }),
  requirement({
    ...insideControlPlane,
    id: "up-konn-admin",
    ports: port(PORT.konnectivityAdmin),
    component: "konnectivity-server",
    purpose: "Pods of the control plane ask the konnectivity server for its state",
    sources: [Zone.SameNamespace],
    tls: false,
  }),
];
