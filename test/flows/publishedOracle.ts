/**
 * The expected packets to published services, written by hand for every platform, access, strategy and kind of targets.
 * Plain literals, independent of the code that derives flows.
 */
/** The hops of one client's packets before the pods: those common to both kinds of targets, then the hosts. */
interface Way {
  before: readonly string[];
  hosts: Readonly<Record<"instance" | "ip", string>>;
}

/** The paths to one service, in all clusters with the same packets. */
export interface PublishedCase {
  /** Platform, and the access if the platform has that choice. */
  on: readonly Cluster[];
  service: "apiServer" | "oauthServer" | "konnectivity" | "ignition";
  by: "LoadBalancer" | "NodePort" | "Route";
  /** Whether the API server has a Route with a host name, which determines the router of the other routes. */
  besideNamedApi?: boolean;
  workers: Way;
  /** Absent if users do not call the service. */
  users?: Way;
  pods: readonly string[];
  /** Where the packets are documented. */
  source: string;
}

export const clusters = [
  "AWS Public",
  "AWS PublicAndPrivate",
  "AWS Private",
  "Azure Public",
  "Azure PublicAndPrivate",
  "Azure Private",
  "GCP PublicAndPrivate",
  "GCP Private",
  "IBMCloud",
  "PowerVS",
  "KubeVirt",
  "OpenStack",
  "Agent",
  "None",
] as const;
export type Cluster = (typeof clusters)[number];

const CRD = "facts/hostedcluster-validations.txt; facts/upstream.md 2.4";

/** The strategies of each service in addition to Route, which all services support in all clusters, and their source. */
export const strategies: Readonly<
  Record<
    PublishedCase["service"],
    { source: string; LoadBalancer: readonly Cluster[]; NodePort: readonly Cluster[] }
  >
> = {
  apiServer: {
    source: `${CRD}; service-publishing-strategies.md`,
    LoadBalancer: clusters,
    NodePort: [
      "Azure Public",
      "Azure PublicAndPrivate",
      "GCP PublicAndPrivate",
      "IBMCloud",
      "PowerVS",
      "KubeVirt",
      "OpenStack",
      "Agent",
      "None",
    ],
  },
  oauthServer: {
    source: `${CRD}, OAuthServer LoadBalancer only on Azure`,
    LoadBalancer: ["Azure Public", "Azure PublicAndPrivate", "Azure Private"],
    NodePort: [
      "GCP PublicAndPrivate",
      "GCP Private",
      "IBMCloud",
      "PowerVS",
      "KubeVirt",
      "OpenStack",
      "Agent",
      "None",
    ],
  },
  konnectivity: {
    source: `${CRD}, on AWS and Azure Konnectivity must be Route`,
    LoadBalancer: [
      "GCP PublicAndPrivate",
      "GCP Private",
      "IBMCloud",
      "PowerVS",
      "KubeVirt",
      "OpenStack",
      "Agent",
      "None",
    ],
    NodePort: [
      "GCP PublicAndPrivate",
      "GCP Private",
      "IBMCloud",
      "PowerVS",
      "KubeVirt",
      "OpenStack",
      "Agent",
      "None",
    ],
  },
  ignition: {
    source: `${CRD}, Ignition: only NodePort or Route`,
    LoadBalancer: [],
    NodePort: [
      "GCP PublicAndPrivate",
      "GCP Private",
      "IBMCloud",
      "PowerVS",
      "KubeVirt",
      "OpenStack",
      "Agent",
      "None",
    ],
  },
};

const KAS = "hypershift control-plane-operator/controllers/hostedcontrolplane/kas/service.go";
const INFRA = "hypershift control-plane-operator/controllers/hostedcontrolplane/infra/infra.go";
const OAUTH = "hypershift control-plane-operator/controllers/hostedcontrolplane/oauth/service.go";
const ROUTER = "hypershift control-plane-operator/controllers/hostedcontrolplane/ingress/router.go";
const VISIBILITY = "hypershift support/netutil/visibility.go, LabelHCPRoutes";
const ENDPOINTS = "hypershift control-plane-operator/controllers/awsprivatelink/awsprivatelink_controller.go";
const POLICIES = "hypershift hypershift-operator/controllers/hostedcluster/network_policies.go";
const MANAGEMENT_ROUTER = "cluster-ingress-operator assets/router/deployment.yaml, containerPort 443";
const NLB = "Elastic Load Balancing, Client IP preservation";
const PORTS = "HyperShift, HCP networking requirements";
const OKD = "OKD, Networking for hosted control planes, Table 1. Common ingress ports";

const from10 = (port: number) => `workers egress: 10.0.0.0/16 -> 192.0.2.0/24 TCP ${port} (plan)`;
const endpoint = (port: number) =>
  `private-endpoint ingress: 10.0.0.0/16 -> 192.0.2.0/24 TCP ${port} (hypershift unless planned)`;
const endpointForUsers = (port: number) =>
  `private-endpoint ingress: 203.0.113.0/24 -> 192.0.2.0/24 TCP ${port} (plan)`;

/** Through a private endpoint, the source is the load balancer's address, with both kinds of targets. */
const behindEndpoint = (port: number) => ({
  instance: "control-plane ingress: 10.1.0.0/24 -> 10.1.0.0/16 TCP 30000-32767 (plan)",
  ip: `control-plane ingress: 10.1.0.0/24 -> 10.1.0.0/16 TCP ${port} (plan)`,
});
/** Over public addresses, the source is the workers' NAT address at node ports, and the load balancer's at pods. */
const fromNat = (port: number) => ({
  instance: "control-plane ingress: 198.51.100.7/32 -> 10.1.0.0/16 TCP 30000-32767 (plan)",
  ip: `control-plane ingress: 10.1.0.0/24 -> 10.1.0.0/16 TCP ${port} (plan)`,
});
/** Over public addresses, the source is the user's at node ports, opened by the cloud controller, and the load balancer's at pods. */
const fromUsers = (port: number) => ({
  instance: "control-plane ingress: 203.0.113.0/24 -> 10.1.0.0/16 TCP 30000-32767 (others)",
  ip: `control-plane ingress: 10.1.0.0/24 -> 10.1.0.0/16 TCP ${port} (plan)`,
});
const TO_NODE_PORT = "workers egress: 10.0.0.0/16 -> 10.1.0.0/16 TCP 31000 (plan)";
const atNodePort = (source: string) => ({
  instance: `control-plane ingress: ${source} -> 10.1.0.0/16 TCP 31000 (plan)`,
  ip: `control-plane ingress: ${source} -> 10.1.0.0/16 TCP 31000 (plan)`,
});

const KAS_POD = "pods kube-apiserver: ? -> ? TCP 6443";
const KAS_POD_IBM = "pods kube-apiserver: ? -> ? TCP 2040";
const OAUTH_POD = "pods oauth-openshift: ? -> ? TCP 6443";
const KONNECTIVITY_PODS = [
  "pods konnectivity-server: ? -> ? TCP 8091",
  "pods kube-apiserver: ? -> ? TCP 8091",
];
const PROXY_POD = "pods ignition-server-proxy: ? -> ? TCP 8443";
const IGNITION_POD_IBM = "pods ignition-server: ? -> ? TCP 9090";
const OWN_ROUTER = "pods private-router: ? -> ? TCP 8443";

const through = (hosts: Way["hosts"], ...before: readonly string[]): Way => ({ before, hosts });
/** Clusters with only public access, except IBM Cloud. */
const publicOnes = [
  "AWS Public",
  "Azure Public",
  "PowerVS",
  "KubeVirt",
  "OpenStack",
  "Agent",
  "None",
] as const;
const nodePorts = ["PowerVS", "KubeVirt", "OpenStack", "Agent", "None"] as const;
const gcp = ["GCP PublicAndPrivate", "GCP Private"] as const;

const apiByLoadBalancer: readonly PublishedCase[] = [
  {
    on: ["AWS Public", "PowerVS", "KubeVirt", "OpenStack", "Agent", "None"],
    workers: through(fromNat(6443), from10(6443)),
    users: through(fromUsers(6443)),
    pods: [KAS_POD],
    source: `${OKD}; ${KAS}, ReconcileService; ${NLB}`,
  },
  {
    on: ["Azure Public"],
    workers: through(fromNat(6443), from10(7443)),
    users: through(fromUsers(6443)),
    pods: [KAS_POD],
    source: `${PORTS}, Azure; ${INFRA}, KASSVCLBAzurePort`,
  },
  {
    on: ["IBMCloud"],
    workers: through(fromNat(2040), from10(2040)),
    users: through(fromUsers(2040)),
    pods: [KAS_POD_IBM],
    source: `${PORTS}, IBM Cloud; ${INFRA}, KASSVCIBMCloudPort`,
  },
  {
    on: ["AWS PublicAndPrivate"],
    workers: through(behindEndpoint(6443), from10(6443), endpoint(6443)),
    users: through(fromUsers(6443)),
    pods: [KAS_POD],
    source: `${KAS}, ReconcilePrivateService; ${ENDPOINTS}, vpcEndpointPort`,
  },
  {
    on: ["Azure PublicAndPrivate"],
    workers: through(behindEndpoint(6443), from10(7443)),
    users: through(fromUsers(6443)),
    pods: [KAS_POD],
    source: `${KAS}, ReconcilePrivateService, and service_test.go, PublicAndPrivate endpoint access`,
  },
  {
    on: ["GCP PublicAndPrivate"],
    workers: through(behindEndpoint(6443), from10(6443)),
    users: through(fromUsers(6443)),
    pods: [KAS_POD],
    source: `${PORTS}, GCP; ${KAS}, ReconcilePrivateService`,
  },
  {
    on: ["AWS Private"],
    workers: through(behindEndpoint(6443), from10(6443), endpoint(6443)),
    users: through(behindEndpoint(6443), endpointForUsers(6443)),
    pods: [KAS_POD],
    source: `${KAS}, ReconcilePrivateService; ${ENDPOINTS}, vpcEndpointPort`,
  },
  {
    on: ["Azure Private"],
    workers: through(behindEndpoint(6443), from10(7443)),
    users: through(behindEndpoint(6443)),
    pods: [KAS_POD],
    source: `${KAS}, ReconcilePrivateService, and service_test.go, Private endpoint access`,
  },
  {
    on: ["GCP Private"],
    workers: through(behindEndpoint(6443), from10(6443)),
    users: through(behindEndpoint(6443)),
    pods: [KAS_POD],
    source: `${PORTS}, GCP; ${KAS}, ReconcilePrivateService`,
  },
].map((one) => ({ ...one, service: "apiServer", by: "LoadBalancer" }) as PublishedCase);

const apiByNodePort: readonly PublishedCase[] = [
  {
    on: ["Azure Public", "Azure PublicAndPrivate", "GCP PublicAndPrivate", ...nodePorts],
    pods: [KAS_POD],
    source: `facts/upstream.md 4.3; ${KAS}, ReconcileService`,
  },
  {
    on: ["IBMCloud"],
    pods: [KAS_POD_IBM],
    source: `${PORTS}, IBM Cloud; ${POLICIES}, reconcileKASNetworkPolicy`,
  },
].map(
  (one) =>
    ({
      ...one,
      service: "apiServer",
      by: "NodePort",
      workers: through(atNodePort("198.51.100.7/32"), TO_NODE_PORT),
      users: through(atNodePort("203.0.113.0/24")),
    }) as PublishedCase,
);

/** A Route of the API server has a host name: HyperShift creates none without. */
const apiByRoute: readonly PublishedCase[] = [
  {
    on: publicOnes,
    workers: through(fromNat(8443), from10(443)),
    users: through(fromUsers(8443)),
    pods: [OWN_ROUTER, KAS_POD],
    source: `${VISIBILITY}; ${ROUTER}`,
  },
  {
    on: ["IBMCloud"],
    workers: through(fromNat(443), from10(443)),
    users: through(fromUsers(443)),
    pods: [KAS_POD_IBM],
    source: `${VISIBILITY}, IBMCloudPlatform; ${INFRA}, sharedingress.ExternalDNSLBPort; ${MANAGEMENT_ROUTER}`,
  },
  {
    on: ["AWS PublicAndPrivate"],
    workers: through(behindEndpoint(8443), from10(443), endpoint(443)),
    users: through(fromUsers(8443)),
    pods: [OWN_ROUTER, KAS_POD],
    source: `${ENDPOINTS}, recordsForService; ${ROUTER}`,
  },
  {
    on: ["Azure PublicAndPrivate", "GCP PublicAndPrivate"],
    workers: through(behindEndpoint(8443), from10(443)),
    users: through(fromUsers(8443)),
    pods: [OWN_ROUTER, KAS_POD],
    source: `${PORTS}, Private Clusters (AWS/Azure/GCP); ${INFRA}, reconcileHCPRouterServices`,
  },
  {
    on: ["AWS Private"],
    workers: through(behindEndpoint(8443), from10(443), endpoint(443)),
    users: through(behindEndpoint(8443), endpointForUsers(443)),
    pods: [OWN_ROUTER, KAS_POD],
    source: `${ENDPOINTS}, reconcileExternalNameServices; ${ROUTER}`,
  },
  {
    on: ["Azure Private", "GCP Private"],
    workers: through(behindEndpoint(8443), from10(443)),
    users: through(behindEndpoint(8443)),
    pods: [OWN_ROUTER, KAS_POD],
    source: `${PORTS}, Private Clusters (AWS/Azure/GCP); ${INFRA}, reconcileHCPRouterServices`,
  },
].map((one) => ({ ...one, service: "apiServer", by: "Route", besideNamedApi: true }) as PublishedCase);

const oauth: readonly PublishedCase[] = [
  {
    on: [...publicOnes, "IBMCloud", "AWS PublicAndPrivate", "Azure PublicAndPrivate", "GCP PublicAndPrivate"],
    by: "Route",
    workers: through(fromNat(443), from10(443)),
    users: through(fromUsers(443)),
    source: `${VISIBILITY}, PublicAndPrivate + KAS LoadBalancer; ${MANAGEMENT_ROUTER}`,
  },
  {
    on: ["IBMCloud"],
    by: "Route",
    besideNamedApi: true,
    workers: through(fromNat(443), from10(443)),
    users: through(fromUsers(443)),
    source: `${VISIBILITY}, IBMCloudPlatform; ${MANAGEMENT_ROUTER}`,
  },
  {
    on: [...publicOnes, "AWS PublicAndPrivate", "Azure PublicAndPrivate", "GCP PublicAndPrivate"],
    by: "Route",
    besideNamedApi: true,
    workers: through(fromNat(8443), from10(443)),
    users: through(fromUsers(8443)),
    pods: [OWN_ROUTER, OAUTH_POD],
    source: `${INFRA}, reconcileOAuthServiceStatus: the host name is that of the public route; ${ENDPOINTS}, reconcileExternalNameServices: only if not public`,
  },
  ...[false, true].flatMap((besideNamedApi) => [
    {
      on: ["AWS Private"],
      by: "Route",
      besideNamedApi,
      workers: through(behindEndpoint(8443), from10(443), endpoint(443)),
      users: through(behindEndpoint(8443), endpointForUsers(443)),
      pods: [OWN_ROUTER, OAUTH_POD],
      source: `${ENDPOINTS}, reconcileExternalNameServices; ${VISIBILITY}, Private`,
    },
    {
      on: ["Azure Private", "GCP Private"],
      by: "Route",
      besideNamedApi,
      workers: through(behindEndpoint(8443), from10(443)),
      users: through(behindEndpoint(8443)),
      pods: [OWN_ROUTER, OAUTH_POD],
      source: `${VISIBILITY}, Private; ${PORTS}, Private Clusters (AWS/Azure/GCP)`,
    },
  ]),
  {
    on: ["Azure Public"],
    by: "LoadBalancer",
    workers: through(fromNat(6443), from10(443)),
    users: through(fromUsers(6443)),
    source: `${OAUTH}, ReconcileService: port 443, target port 6443`,
  },
  {
    on: ["Azure PublicAndPrivate", "Azure Private"],
    by: "LoadBalancer",
    workers: through(behindEndpoint(6443), from10(443)),
    users: through(behindEndpoint(6443)),
    source: `${OAUTH}, ReconcileService: an internal load balancer where the cluster is private`,
  },
  {
    on: [...gcp, "IBMCloud", ...nodePorts],
    by: "NodePort",
    workers: through(atNodePort("198.51.100.7/32"), TO_NODE_PORT),
    users: through(atNodePort("203.0.113.0/24")),
    source: `${OAUTH}, ReconcileService; ${POLICIES}, reconcileNodePortOauthNetworkPolicy`,
  },
].map((one) => ({ pods: [OAUTH_POD], ...one, service: "oauthServer" }) as PublishedCase);

const konnectivity: readonly PublishedCase[] = [
  {
    on: [...publicOnes, "IBMCloud"],
    by: "Route",
    workers: through(fromNat(443), from10(443)),
    source: `${VISIBILITY}, Public + KAS LoadBalancer; ${MANAGEMENT_ROUTER}`,
  },
  {
    on: ["IBMCloud"],
    by: "Route",
    besideNamedApi: true,
    workers: through(fromNat(443), from10(443)),
    source: `${VISIBILITY}, IBMCloudPlatform; ${MANAGEMENT_ROUTER}`,
  },
  {
    on: publicOnes,
    by: "Route",
    besideNamedApi: true,
    workers: through(fromNat(8443), from10(443)),
    pods: [OWN_ROUTER, ...KONNECTIVITY_PODS],
    source: `${VISIBILITY}, Public + KAS Route; ${ROUTER}`,
  },
  ...[false, true].flatMap((besideNamedApi) => [
    {
      on: ["AWS PublicAndPrivate", "AWS Private"],
      by: "Route",
      besideNamedApi,
      workers: through(behindEndpoint(8443), from10(443), endpoint(443)),
      pods: [OWN_ROUTER, ...KONNECTIVITY_PODS],
      source: `${INFRA}, ReconcileKonnectivityInternalRoute; ${ENDPOINTS}, recordsForService`,
    },
    {
      on: ["Azure PublicAndPrivate", "Azure Private", ...gcp],
      by: "Route",
      besideNamedApi,
      workers: through(behindEndpoint(8443), from10(443)),
      pods: [OWN_ROUTER, ...KONNECTIVITY_PODS],
      source: `${INFRA}, ReconcileKonnectivityInternalRoute; ${PORTS}, Private Clusters (AWS/Azure/GCP)`,
    },
  ]),
  {
    on: [...gcp, "IBMCloud", ...nodePorts],
    by: "LoadBalancer",
    workers: through(fromNat(8091), from10(8091)),
    source: `OKD, Common ingress ports, LoadBalancer; ${KAS}, ReconcileKonnectivityServerService: no internal load balancer`,
  },
  {
    on: [...gcp, "IBMCloud", ...nodePorts],
    by: "NodePort",
    workers: through(atNodePort("198.51.100.7/32"), TO_NODE_PORT),
    source: `${KAS}, ReconcileKonnectivityServerService; ${POLICIES}, reconcileNodePortKonnectivityNetworkPolicy`,
  },
].map((one) => ({ pods: KONNECTIVITY_PODS, ...one, service: "konnectivity" }) as PublishedCase);

const PROXY = "hypershift control-plane-operator/controllers/hostedcontrolplane/v2/ignitionserver_proxy";

const ignition: readonly PublishedCase[] = [
  {
    on: publicOnes,
    by: "Route",
    workers: through(fromNat(443), from10(443)),
    source: `${VISIBILITY}, Public + KAS LoadBalancer; ${MANAGEMENT_ROUTER}`,
  },
  ...[false, true].map((besideNamedApi) => ({
    on: ["IBMCloud"],
    by: "Route",
    besideNamedApi,
    workers: through(fromNat(443), from10(443)),
    pods: [IGNITION_POD_IBM],
    source: `${VISIBILITY}, IBMCloudPlatform; ${PORTS}, IBM Cloud: the proxy is not deployed; ${MANAGEMENT_ROUTER}`,
  })),
  {
    on: publicOnes,
    by: "Route",
    besideNamedApi: true,
    workers: through(fromNat(8443), from10(443)),
    pods: [OWN_ROUTER, PROXY_POD],
    source: `${VISIBILITY}, Public + KAS Route; ${ROUTER}`,
  },
  ...[false, true].flatMap((besideNamedApi) => [
    {
      on: ["AWS PublicAndPrivate", "AWS Private"],
      by: "Route",
      besideNamedApi,
      workers: through(behindEndpoint(8443), from10(443), endpoint(443)),
      pods: [OWN_ROUTER, PROXY_POD],
      source: `service-publishing-strategies.md: Ignition resolves through hypershift.local; ${ENDPOINTS}, recordsForService`,
    },
    {
      on: ["Azure PublicAndPrivate", "Azure Private", ...gcp],
      by: "Route",
      besideNamedApi,
      workers: through(behindEndpoint(8443), from10(443)),
      pods: [OWN_ROUTER, PROXY_POD],
      source: `service-publishing-strategies.md; ${PORTS}, Private Clusters (AWS/Azure/GCP)`,
    },
  ]),
  {
    on: [...gcp, ...nodePorts],
    by: "NodePort",
    workers: through(atNodePort("198.51.100.7/32"), TO_NODE_PORT),
    source: `${PROXY}; ${POLICIES}, reconcileNodePortIgnitionProxyNetworkPolicy; ${PORTS}, Agent and None`,
  },
  {
    on: ["IBMCloud"],
    by: "NodePort",
    workers: through(atNodePort("198.51.100.7/32"), TO_NODE_PORT),
    pods: [IGNITION_POD_IBM],
    source: `${PORTS}, IBM Cloud; ${POLICIES}, reconcileNodePortIgnitionNetworkPolicy`,
  },
].map((one) => ({ pods: [PROXY_POD], ...one, service: "ignition" }) as PublishedCase);

export const publishedOracle: readonly PublishedCase[] = [
  ...apiByLoadBalancer,
  ...apiByNodePort,
  ...apiByRoute,
  ...oauth,
  ...konnectivity,
  ...ignition,
];
