import { RequestKind, type ProbeRequest } from "../../manifests/probes";
import { describeReference, D3, at } from "../../requirements/documents";
import { PORT } from "../../requirements/ports";
import { Direction, Protocol, PublishingType, Service, Role } from "../../requirements/vocabulary";
import { serviceKey } from "../../topology/publishing";
import { serviceProperty } from "../../topology/normalize/services";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { RequiredFlow } from "../../flows/model";
import { requiredFlows } from "../../flows/required/requiredFlows";
import { distinct, endpointOf, serviceEndpoint, type Endpoint, type LiveSources } from "./endpoints";
import { registriesOf, registryOf } from "./registries";

/** A flow that workers need, and the request that shows whether it is open. */
export interface WorkerFlow {
  /** Of its check: `flow/konnectivity`. */
  id: string;
  /** Whom workers reach: `the konnectivity server`. */
  whom: string;
  protocol: "TCP" | "UDP";
  /** Id of the requirement that demands it; absent for what a document demands beside the port tables. */
  requirement?: string;
  documented: string;
  /** Whether a proxy may carry it. */
  mayUseProxy: boolean;
  /** Absent where nobody says the endpoint. */
  request?: ProbeRequest;
  /** The input that says it, where it is absent. */
  missing: string;
}

const SERVICES = [
  { service: Service.APIServer, whom: "the API server", field: "status.controlPlaneEndpoint" },
  {
    service: Service.Konnectivity,
    whom: "the konnectivity server",
    field: "the arguments of DaemonSet kube-system/konnectivity-agent",
  },
  { service: Service.Ignition, whom: "the ignition endpoint", field: "status.ignitionEndpoint" },
  { service: Service.OAuthServer, whom: "the OAuth server", field: "status.oauthCallbackURLTemplate" },
] as const;

/** Every flow of the topology that a pod on a worker can try, in the order in which a node needs them. */
export function workerFlows(sources: LiveSources): WorkerFlow[] {
  const required = requiredFlows(sources.topology).filter(
    ({ role, direction }) => role === Role.Workers && direction === Direction.Egress,
  );
  const [registry, ...mirrors] = registriesOf(sources.hostedCluster);
  return [
    ...dnsFlows(required, sources),
    ...proxyFlows(sources.topology),
    ...SERVICES.flatMap((one) => serviceFlow(one, required, sources)),
    ...flowOf(required, "https", {
      id: "flow/registry",
      whom: "the registry of the release image",
      endpoint: registry,
      others: mirrors,
      missing: "spec.release.image of the HostedCluster",
    }),
  ];
}

/** What is asked of one endpoint. */
interface Asked {
  id: string;
  whom: string;
  endpoint: Endpoint | undefined;
  /** Where else it may be: any one suffices. */
  others?: readonly Endpoint[];
  missing: string;
}

function flowOf(required: readonly RequiredFlow[], key: string, asked: Asked): WorkerFlow[] {
  const { id, whom, endpoint, others = [], missing } = asked;
  const flow = required.find((one) => one.key === key);
  if (!flow) return [];
  return [
    {
      id,
      whom,
      protocol: "TCP",
      requirement: flow.requirement,
      documented: flow.documents.join("; "),
      mayUseProxy: true,
      missing,
      ...(endpoint && { request: tcpRequest(id, endpoint, others) }),
    },
  ];
}

const tcpRequest = (
  id: string,
  { host, port }: Endpoint,
  others: readonly Endpoint[] = [],
): ProbeRequest => ({
  id,
  kind: RequestKind.Tcp,
  address: host,
  port,
  ...(others.length > 0 && { others: others.map((one) => ({ address: one.host, port: one.port })) }),
});

function serviceFlow(
  { service, whom, field }: (typeof SERVICES)[number],
  required: readonly RequiredFlow[],
  sources: LiveSources,
): WorkerFlow[] {
  const { topology } = sources;
  // Nobody dials ignition once the nodes have joined.
  if (service === Service.Ignition && !topology.bootstrap) return [];
  const key = keysOf(service, topology).find((one) => required.some((flow) => flow.key === one));
  const property = serviceProperty[service];
  const stated =
    topology.services[service].type === PublishingType.NodePort
      ? `services.${property}.address and .nodePort`
      : `services.${property}.hostname`;
  return flowOf(required, key ?? "https", {
    id: `flow/${serviceKey[service]}`,
    whom,
    endpoint: serviceEndpoint(service, sources),
    missing: `${field.startsWith("status") ? `${field} of the HostedCluster` : field}, or ${stated} of the configuration`,
  });
}

/** Keys of the flow to a service, as it is published. What is not among the flows by its own name is HTTPS. */
function keysOf(service: Service, { services }: NormalizedTopology): string[] {
  const key = serviceKey[service];
  switch (services[service].type) {
    case PublishingType.NodePort:
      return [`${key}-node-port`, "node-ports"];
    case PublishingType.LoadBalancer:
      return [key];
    default:
      return [];
  }
}

/** The name servers of the nodes, which the pods have too. */
function dnsFlows(required: readonly RequiredFlow[], sources: LiveSources): WorkerFlow[] {
  const name = nameToResolve(sources);
  return required
    .filter(({ key }) => key === "dns-udp" || key === "dns-tcp")
    .map(({ key, requirement, documents, protocol }): WorkerFlow => {
      const id = `flow/${key}`;
      const transport = protocol === Protocol.Udp ? "UDP" : "TCP";
      return {
        id,
        whom: "the name servers of their nodes",
        protocol: transport,
        requirement,
        documented: documents.join("; "),
        mayUseProxy: false,
        request: { id, kind: RequestKind.Dns, port: PORT.dns, protocol: transport, name },
        missing: "",
      };
    });
}

/** Any answer shows that the name server is there, also that nobody has that name. */
function nameToResolve(sources: LiveSources): string {
  const hosts = [serviceEndpoint(Service.APIServer, sources), registryOf(sources.hostedCluster)].map(
    (one) => one?.host,
  );
  return (
    hosts.find((host) => host !== undefined && /[a-z]/i.test(host) && !host.includes(":")) ?? "localhost"
  );
}

function proxyFlows({ proxy }: NormalizedTopology): WorkerFlow[] {
  const urls = [proxy?.httpProxy, proxy?.httpsProxy];
  return distinct(urls.flatMap((url) => endpointOf(url) ?? [])).map((endpoint): WorkerFlow => {
    const id = `flow/proxy/${endpoint.host}:${endpoint.port}`;
    return {
      id,
      whom: "the proxy",
      protocol: "TCP",
      documented: describeReference(at(D3, "Compute nodes that need to access the API server")),
      mayUseProxy: false,
      request: tcpRequest(id, endpoint),
      missing: "",
    };
  });
}
