import { at, OKD_NETWORKING, OCP_NETWORKING, HYPERSHIFT_PORTS, HYPERSHIFT } from "../documents";
import { ALLOWED_BLOCKS_DECISION, describeDecision, IP_TARGETS } from "../platforms";
import { PORT } from "../ports";
import { NODE_EGRESS, port, requirement } from "../requirement";
import { Direction, Perspective, Platform, Protocol, PublishingType, Service, Zone } from "../vocabulary";

const replacedOn = [
  { platform: Platform.Azure, publishing: PublishingType.LoadBalancer, port: PORT.apiServerAzure },
  { platform: Platform.IBMCloud, port: PORT.apiServerIbmCloud },
];

const intoControlPlane = {
  direction: Direction.Ingress,
  perspective: Perspective.ControlPlane,
  service: Service.APIServer,
  protocol: Protocol.Tcp,
  component: "kube-apiserver",
  sources: [Zone.Workers, Zone.ExternalClients],
  publicAllowed: true,
  tls: true,
};

const fromWorkers = {
  direction: Direction.Egress,
  perspective: Perspective.Worker,
  service: Service.APIServer,
  protocol: Protocol.Tcp,
  component: "kube-apiserver",
  destinations: [Zone.ControlPlane],
};

/** The API server of the hosted cluster: kubelets, operators, kubectl and CI systems call it. */
export const apiServer = [
  requirement({
    ...intoControlPlane,
    id: "cp-in-kas",
    ports: port(PORT.apiServer),
    purpose: "Nodes and users call the API server of the hosted cluster",
    replacedOn,
    note: "The OKD and OCP documents name 6443 for every platform; HyperShift's names 7443 on Azure and 2040 on IBM Cloud instead.",
    upstream: [
      "Seen from outside the port is 443 with a Route host name or through the private router, and the node port with NodePort.",
      describeDecision(IP_TARGETS),
      describeDecision(ALLOWED_BLOCKS_DECISION),
    ].join(" "),
    documents: [
      at(OKD_NETWORKING, "Table 1. Common ingress ports"),
      at(OCP_NETWORKING, "14.2.1. Ingress requirements"),
      at(HYPERSHIFT_PORTS, "Common Ingress Ports"),
    ],
  }),
  requirement({
    ...intoControlPlane,
    id: "cp-in-kas-azure",
    platforms: [Platform.Azure],
    publishing: [PublishingType.LoadBalancer],
    ports: port(PORT.apiServerAzure),
    purpose: "Nodes and users call the API server through its load balancer on Azure",
    upstream:
      "A service port of the public load balancer; pods and network policies keep 6443. ARO's shared ingress uses 443 and 6443.",
    documents: [at(HYPERSHIFT_PORTS, "Platform-Specific Port Configurations, Azure")],
  }),
  requirement({
    ...intoControlPlane,
    id: "cp-in-kas-ibm",
    platforms: [Platform.IBMCloud],
    ports: port(PORT.apiServerIbmCloud),
    purpose: "Nodes and users call the API server on IBM Cloud",
    documents: [at(HYPERSHIFT_PORTS, "Platform-Specific Port Configurations, IBM Cloud")],
  }),
  requirement({
    ...fromWorkers,
    id: "wk-out-kas",
    ports: port(PORT.apiServer),
    purpose: "Kubelets and cluster operators on the nodes call the API server",
    replacedOn,
    note: "The tables ask for 6443 on every platform; the ingress sections of the HyperShift document use 7443 on Azure and 2040 on IBM Cloud instead.",
    upstream: "Seen from the nodes the port is 443 with a Route host name, and the node port with NodePort.",
    documents: NODE_EGRESS,
  }),
  requirement({
    ...fromWorkers,
    id: "wk-out-kas-azure",
    platforms: [Platform.Azure],
    publishing: [PublishingType.LoadBalancer],
    ports: port(PORT.apiServerAzure),
    purpose: "Kubelets and cluster operators call the API server through its load balancer on Azure",
    documents: [at(HYPERSHIFT_PORTS, "Worker Node Egress Requirements")],
  }),
  requirement({
    ...fromWorkers,
    id: "wk-out-kas-ibm",
    platforms: [Platform.IBMCloud],
    ports: port(PORT.apiServerIbmCloud),
    purpose: "Kubelets and cluster operators call the API server on IBM Cloud",
    documents: [at(HYPERSHIFT_PORTS, "Worker Node Egress Requirements")],
  }),
  requirement({
    id: "up-node-local-kas",
    direction: Direction.Ingress,
    perspective: Perspective.Worker,
    ports: port(PORT.apiServer),
    protocol: Protocol.Tcp,
    component: "kube-apiserver-proxy",
    purpose: "Pods reach the API server through a proxy on their own node, at 172.20.0.1 or fd00::1",
    sources: [Zone.Localhost, Zone.Pods],
    publicAllowed: false,
    openInFirewall: false,
    upstream: "A static pod on the host network; spec.networking.apiServer.port replaces 6443.",
    documents: [at(HYPERSHIFT, "kube-apiserver-proxy (haproxy or kubernetes-default-proxy)")],
  }),
];

/** OAuth: users' browsers log in there. It is in no port table of the documents. */
export const oauth = [
  requirement({
    id: "up-oauth-pod",
    direction: Direction.Ingress,
    perspective: Perspective.ControlPlane,
    service: Service.OAuthServer,
    ports: port(PORT.oauthPod),
    protocol: Protocol.Tcp,
    component: "oauth-openshift",
    purpose: "Users' browsers and nodes reach the OAuth server",
    sources: [Zone.ExternalClients, Zone.Workers],
    publicAllowed: true,
    note: "No port table of the documents lists OAuth.",
    upstream: `The pod's port; outside it is 443 through a Route or a load balancer, and the node port with NodePort. ${describeDecision(IP_TARGETS)}`,
    documents: [
      at(HYPERSHIFT, "hypershift-operator/controllers/hostedcluster/network_policies.go"),
      at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane/oauth/service.go"),
    ],
  }),
];
