import { OKD_NETWORKING, HYPERSHIFT_PORTS, HYPERSHIFT, at, type DocumentReference } from "./documents";
import { networkPolicySource } from "./networkPolicies";
import { PORT } from "./ports";
import { Phase, Platform, PublishingType, Service } from "./vocabulary";

/** The names of a published service, whether external users call it too, and when nodes need it. */
const services = {
  [Service.APIServer]: {
    property: "apiServer",
    key: "kube-apiserver",
    name: "the API server",
    isCalledByUsers: true,
    phase: Phase.Always,
  },
  [Service.OAuthServer]: {
    property: "oauthServer",
    key: "oauth",
    name: "the OAuth server",
    isCalledByUsers: true,
    phase: Phase.Always,
  },
  [Service.Konnectivity]: {
    property: "konnectivity",
    key: "konnectivity",
    name: "the konnectivity server",
    isCalledByUsers: false,
    phase: Phase.Always,
  },
  [Service.Ignition]: {
    property: "ignition",
    key: "ignition",
    name: "the ignition endpoint",
    isCalledByUsers: false,
    phase: Phase.Bootstrap,
  },
} as const satisfies Readonly<Record<Service, object>>;

const eachService = <Value>(valueOf: (service: Service) => Value) =>
  Object.fromEntries(Object.values(Service).map((service) => [service, valueOf(service)])) as Readonly<
    Record<Service, Value>
  >;

/** The property of a topology's `services` for each service. */
export const serviceProperty = eachService((service) => services[service].property);

/** The service that a property of a topology belongs to, and the part of it: `type` for `services.ignition.type`. */
export function propertyOfService(property: string): { service: Service; said?: string } | undefined {
  const [root, name, said] = property.split(".");
  const service = root === "services" && Object.values(Service).find((one) => serviceProperty[one] === name);
  return service ? { service, ...(said !== undefined && { said }) } : undefined;
}

/** Names of services in keys of rules and flows. */
export const serviceKey = eachService((service) => services[service].key);
/** Names of services in sentences. */
export const serviceName = eachService((service) => services[service].name);
/** When a set of services is needed: only while nodes join, or always. */
export const phaseOf = (needed: readonly Service[]): Phase =>
  needed.every((service) => services[service].phase === Phase.Bootstrap) ? Phase.Bootstrap : Phase.Always;
/** Services that external users call too. */
export const CALLED_BY_USERS: ReadonlySet<Service> = new Set(
  Object.values(Service).filter((service) => services[service].isCalledByUsers),
);

/** Pods of a hosted control plane that listen on a port. */
export interface Listener {
  /** Value of the pods' label `app`. */
  app: string;
  port: number;
  /** True if `networking.apiServer.port` replaces the port, unless it is `PORT_OF_OLD_CLUSTERS`. */
  isApiServer?: true;
}

/** The pods behind published services, by their function. */
export const LISTENER = {
  apiServer: { app: "kube-apiserver", port: PORT.apiServer, isApiServer: true },
  apiServerIbmCloud: { app: "kube-apiserver", port: PORT.apiServerIbmCloud },
  oauth: { app: "oauth-openshift", port: PORT.oauthPod },
  konnectivity: { app: "konnectivity-server", port: PORT.konnectivity },
  konnectivityInApiServer: { app: "kube-apiserver", port: PORT.konnectivity },
  ignitionProxy: { app: "ignition-server-proxy", port: PORT.ignitionProxy },
  ignitionServer: { app: "ignition-server", port: PORT.ignitionServer },
  router: { app: "private-router", port: PORT.privateRouterHttps },
  routerHttp: { app: "private-router", port: PORT.privateRouterHttp },
} as const satisfies Readonly<Record<string, Listener>>;

/** `networking.apiServer.port` of clusters from the time when clients used that port of the API server: no pod listens on it. */
export const PORT_OF_OLD_CLUSTERS = PORT.https;

/** The default port on which a node serves the API, which `networking.apiServer.port` changes. */
export const NODE_API_PORT = PORT.apiServer;

/** The API server of the management cluster. */
export const MANAGEMENT_API_PORT = PORT.apiServer;

/** How the packets of a service look in front of the control plane and behind its load balancers and routers. */
export interface ServicePackets {
  /**
   * The port that clients use: by Route the router's port, by LoadBalancer the port of the service's own
   * load balancer. By NodePort they use the node port, pinned or any in the range.
   */
  dialled: Readonly<Record<typeof PublishingType.Route | typeof PublishingType.LoadBalancer, number>>;
  /**
   * The pods behind it, to which routers, load balancers and node ports lead. If releases differ, there
   * are several: the first are those of newer releases, or listen on the same port.
   */
  pods: readonly [Listener, ...Listener[]];
  /** Id of the requirement row with their port. */
  podRow: string;
  /** The flows by which the documents list it. Absent if they do not. */
  documented?: DocumentedService;
  /** What applies here if sources disagree or are silent, and why. */
  note?: string;
  documents: readonly DocumentReference[];
}

/** How the port tables of the documents list a service: ids of requirement rows, of which at most one applies. */
export interface DocumentedService {
  /** The key of both flows. */
  key: string;
  /** The ingress that control-plane hosts allow. */
  controlPlane: readonly string[];
  /** The egress of workers. */
  workers: readonly string[];
}

/** How some platforms differ from `usual`. */
type Differing = Partial<Pick<ServicePackets, "pods" | "note" | "documents">> & { balancer?: number };

const byRouterAnd = (balancer: number): ServicePackets["dialled"] => ({
  [PublishingType.Route]: PORT.https,
  [PublishingType.LoadBalancer]: balancer,
});

const KAS_SERVICE = at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane/kas/service.go");

/**
 * The single source for the ports of a published service. With instance targets and node ports, hosts see a node port for every
 * service. With IP targets they see the port of the pods behind the load balancer, which for a Route are the router's (`ROUTER`).
 */
const usual: Readonly<Record<Service, ServicePackets>> = {
  [Service.APIServer]: {
    dialled: byRouterAnd(PORT.apiServer),
    pods: [LISTENER.apiServer],
    podRow: "cp-in-kas",
    documented: {
      key: serviceKey[Service.APIServer],
      controlPlane: ["cp-in-kas", "cp-in-kas-azure", "cp-in-kas-ibm"],
      workers: ["wk-out-kas", "wk-out-kas-azure", "wk-out-kas-ibm"],
    },
    note: "networking.apiServer.port moves the pods and the proxy on nodes, not the load balancer.",
    documents: [at(OKD_NETWORKING, "Table 1. Common ingress ports"), KAS_SERVICE],
  },
  [Service.OAuthServer]: {
    dialled: byRouterAnd(PORT.https),
    pods: [LISTENER.oauth],
    podRow: "up-oauth-pod",
    note: "No port table of the documents lists OAuth. Its load balancer, only on Azure, is at 443, because 6443 collides with the management cluster's API server there; it is internal unless the access is Public. The host name of a Route leads to the private endpoint where the access is only Private.",
    documents: [
      at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane/oauth/service.go"),
      at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane/infra/infra.go"),
      networkPolicySource,
    ],
  },
  [Service.Konnectivity]: {
    dialled: byRouterAnd(PORT.konnectivity),
    pods: [LISTENER.konnectivity, LISTENER.konnectivityInApiServer],
    podRow: "cp-in-konn-lb",
    documented: {
      key: serviceKey[Service.Konnectivity],
      controlPlane: ["cp-in-konn-nodeport", "cp-in-konn-lb"],
      workers: ["wk-out-konn"],
    },
    note: "Releases differ in whether the server has pods of its own. No platform makes its load balancer an internal one.",
    documents: [at(OKD_NETWORKING, "Common ingress ports, LoadBalancer"), KAS_SERVICE],
  },
  [Service.Ignition]: {
    dialled: byRouterAnd(PORT.https),
    pods: [LISTENER.ignitionProxy],
    podRow: "cp-in-ignproxy-nodeport",
    documented: {
      key: "ignition-proxy",
      controlPlane: ["cp-in-ignproxy-agent", "cp-in-ignproxy-none", "cp-in-ignproxy-nodeport"],
      workers: ["wk-out-ignproxy"],
    },
    note: "The documents list 9090 of the ignition server too. Nodes ask the proxy in front of it, and never by a load balancer of its own: HyperShift refuses that.",
    documents: [
      at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane/v2/ignitionserver_proxy"),
    ],
  },
};

const differing: { readonly [service in Service]?: { readonly [platform in Platform]?: Differing } } = {
  [Service.APIServer]: {
    [Platform.Azure]: {
      balancer: PORT.apiServerAzure,
      note: "The OKD and OCP documents name 6443, HyperShift's 7443. Its code creates the load balancer, public or internal, at 7443: 6443 collides with the management cluster's rule on the shared one. That also applies if the status states no port. Pods and network policies keep 6443.",
      documents: [at(HYPERSHIFT_PORTS, "Platform-Specific Port Configurations, Azure"), KAS_SERVICE],
    },
    [Platform.IBMCloud]: {
      balancer: PORT.apiServerIbmCloud,
      pods: [LISTENER.apiServerIbmCloud],
      note: "The OKD and OCP documents name 6443, HyperShift's 2040 instead. Its code has 2040 on the service and in its network policy: that also applies if the status states no port.",
      documents: [
        at(HYPERSHIFT_PORTS, "Platform-Specific Port Configurations, IBM Cloud"),
        KAS_SERVICE,
        networkPolicySource,
      ],
    },
  },
  [Service.Ignition]: {
    [Platform.IBMCloud]: {
      pods: [LISTENER.ignitionServer],
      note: "There is no proxy on IBM Cloud: nodes ask the ignition server.",
      documents: [at(HYPERSHIFT_PORTS, "Platform-Specific Port Configurations, IBM Cloud")],
    },
  },
};

/** Ids of the rows by which the documents allow ingress to control-plane hosts for a service. */
export const documentedRows = (service: Service): readonly string[] =>
  usual[service].documented?.controlPlane ?? [];

/** The services that the documents' port tables list. */
export const DOCUMENTED_SERVICES: readonly (DocumentedService & { service: Service })[] = Object.values(
  Service,
).flatMap((service) => {
  const { documented } = usual[service];
  return documented ? [{ service, ...documented }] : [];
});

/** Returns the ports of a service on a platform. */
export function publishedService(service: Service, platform: Platform): ServicePackets {
  const { dialled, ...rest } = usual[service];
  const { balancer, ...others } = differing[service]?.[platform] ?? {};
  return { ...rest, dialled: balancer === undefined ? dialled : byRouterAnd(balancer), ...others };
}

/** The port of the pods of a router, behind which services published by Route are. */
export interface Router {
  port: number;
  /** Id of the requirement row with the port, and why it is that row. */
  podRow: string;
}

/** The control plane's own router, and the router of the management cluster. */
export const ROUTER = {
  own: { port: LISTENER.router.port, podRow: "up-router-443" },
  management: { port: PORT.https, podRow: "cp-in-route-443" },
} as const satisfies Readonly<Record<string, Router>>;
