import {
  OKD_NETWORKING,
  OCP_NETWORKING,
  HYPERSHIFT_PORTS,
  HYPERSHIFT,
  INGRESS_OPERATOR,
  at,
} from "../documents";
import { IP_TARGETS, describeDecision } from "../platforms";
import { PORT } from "../ports";
import { port, requirement } from "../requirement";
import { Direction, Perspective, Platform, Protocol, PublishingType, Service, Zone } from "../vocabulary";

const ingressTcp = { direction: Direction.Ingress, protocol: Protocol.Tcp };
const routerPlatforms = [
  Platform.AWS,
  Platform.Azure,
  Platform.GCP,
  Platform.Agent,
  Platform.KubeVirt,
  Platform.OpenStack,
  Platform.None,
];

const privateRouter = {
  ...ingressTcp,
  perspective: Perspective.ControlPlane,
  platforms: [Platform.AWS, Platform.Azure, Platform.GCP],
  component: "private-router",
  sources: [Zone.PrivateNetwork],
  publicAllowed: false,
  privateOnly: true,
  portSeenAt: "pod" as const,
  note: "A pod port: network policies see it; a host's packet filter does not unless the pod uses the host network.",
  upstream:
    "The router's services publish 443 and forward to 8443; nothing listens on 8080 any more, although the network policy still opens it.",
  documents: [
    at(OKD_NETWORKING, "Table 3. Ingress port configurations for private clusters"),
    at(OCP_NETWORKING, "14.2.1. Ingress requirements"),
    at(HYPERSHIFT_PORTS, "Private Clusters (AWS/Azure/GCP)"),
  ],
};

const vpcEndpoint = {
  ...ingressTcp,
  perspective: Perspective.Worker,
  platforms: [Platform.AWS],
  component: "security group of the VPC endpoint",
  sources: [Zone.MachineNetwork],
  publicAllowed: false,
  privateOnly: true,
  documents: [
    at(HYPERSHIFT, "control-plane-operator/controllers/awsprivatelink/awsprivatelink_controller.go"),
  ],
};

const sharedIngress = {
  ...ingressTcp,
  perspective: Perspective.Management,
  platforms: [Platform.Azure],
  publishing: [PublishingType.Route],
  component: "shared ingress router",
  publicAllowed: true,
  documents: [at(HYPERSHIFT, "hypershift-operator/controllers/sharedingress")],
};

/** Routers: the management cluster's, the router of a hosted control plane, the private router and ARO's shared one. */
export const router = [
  requirement({
    ...ingressTcp,
    id: "cp-in-route-443",
    perspective: Perspective.ControlPlane,
    publishing: [PublishingType.Route],
    ports: port(PORT.https),
    component: "openshift-router",
    purpose: "Nodes reach ignition and konnectivity through the router",
    sources: [Zone.Workers, Zone.ExternalClients],
    publicAllowed: true,
    tls: true,
    note: "The documents name compute nodes as source. OAuth is published through the same port, and users' browsers reach it; restrict ignition data on that port to the nodes where possible.",
    upstream:
      "Pods of the management cluster's router listen at 443 themselves, so that load balancers with IP targets lead to 443 of them; 8443 is the port of the control plane's own router.",
    documents: [
      at(OKD_NETWORKING, "Example firewall configuration"),
      at(OCP_NETWORKING, "14.2.3. Example firewall configuration"),
      at(HYPERSHIFT_PORTS, "Service Publishing Strategy Determines Additional Ports"),
      at(HYPERSHIFT_PORTS, "Firewall Configuration Example"),
      at(INGRESS_OPERATOR, "assets/router/deployment.yaml"),
    ],
  }),
  requirement({
    ...privateRouter,
    id: "cp-in-private-router-http",
    ports: port(PORT.privateRouterHttp),
    purpose: "Private networks reach the private router's HTTP port",
    tls: false,
  }),
  requirement({
    ...privateRouter,
    id: "cp-in-private-router-https",
    ports: port(PORT.privateRouterHttps),
    purpose: "Private networks reach the private router's HTTPS port",
    tls: true,
  }),
  requirement({
    ...ingressTcp,
    id: "up-router-443",
    perspective: Perspective.Management,
    platforms: routerPlatforms,
    publishing: [PublishingType.Route],
    ports: port(PORT.https),
    component: "router",
    purpose: "Nodes and users reach the published services through the router of the hosted control plane",
    sources: [Zone.Workers, Zone.ExternalClients],
    publicAllowed: true,
    upstream: `The service's port 443 leads to 8443 of the router's pod. ${describeDecision(IP_TARGETS)}`,
    documents: [at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane/ingress/router.go")],
  }),
  requirement({
    ...vpcEndpoint,
    id: "up-aws-vpce-443",
    publishing: [PublishingType.Route],
    ports: port(PORT.https),
    purpose: "Machines reach the private router through the VPC endpoint",
  }),
  requirement({
    ...vpcEndpoint,
    id: "up-aws-vpce-6443",
    publishing: [PublishingType.LoadBalancer],
    service: Service.APIServer,
    ports: port(PORT.apiServer),
    purpose: "Machines reach the private API server through the VPC endpoint",
  }),
  requirement({
    ...ingressTcp,
    id: "up-router-health",
    perspective: Perspective.ControlPlane,
    platforms: routerPlatforms,
    ports: port(PORT.routerHealth),
    component: "router",
    purpose: "Kubelets of the management cluster probe the router of the hosted control plane",
    sources: [Zone.ManagementKubelet],
    publicAllowed: false,
    tls: false,
    documents: [at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane/ingress/router.go")],
  }),
  requirement({
    ...sharedIngress,
    id: "up-sharedingress-443",
    ports: port(PORT.https),
    purpose: "Users and nodes reach hosted clusters of ARO through the shared ingress",
    sources: [Zone.ExternalClients, Zone.Workers],
  }),
  requirement({
    ...sharedIngress,
    id: "up-sharedingress-6443",
    ports: port(PORT.apiServer),
    purpose: "Nodes of ARO call the API server through the shared ingress, with the PROXY protocol",
    sources: [Zone.Workers],
  }),
];
