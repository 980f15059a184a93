import { serviceKey, serviceName, serviceProperty } from "../../requirements/publishedServices";
import { RequestKind, type ProbeRequest } from "../../probes/objects";
import { describeReference, OCP_PROXY, at } from "../../requirements/documents";
import { PORT } from "../../requirements/ports";
import { Direction, Protocol, PublishingType, Service, Role } from "../../requirements/vocabulary";
import { hostFlows } from "../../flows/hops";
import { journeys } from "../../flows/journeys";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { RequiredFlow } from "../../flows/model";
import {
  distinct,
  endpointOf,
  liveServices,
  serviceEndpoint,
  registriesOf,
  registryOf,
  type Endpoint,
  type LiveSources,
} from "./endpoints";

/** A flow that workers need, and the request that tests whether it is open. */
export interface WorkerFlow {
  /** Id of its check: `flow/konnectivity`. */
  id: string;
  /** What workers reach: `the konnectivity server`. */
  whom: string;
  protocol: "TCP" | "UDP";
  /** Id of the requirement; undefined if a document requires the flow outside the port tables. */
  requirement?: string;
  documented: string;
  /** Whether a proxy may carry it. */
  mayUseProxy: boolean;
  /** Undefined if the endpoint is not stated. */
  request?: ProbeRequest;
  /** The input that would state a missing endpoint. */
  missing: string;
}

const HTTPS = `${Role.Workers}/${Direction.Egress}/https`;
const DNS = ["tcp", "udp"].map((transport) => `${Role.Workers}/${Direction.Egress}/dns-${transport}`);

/** Every flow of the topology that a pod on a worker can try, in the order in which a node needs them. */
export function workerFlows(sources: LiveSources): WorkerFlow[] {
  const [registry, ...mirrors] = registriesOf(sources.hostedCluster);
  return [
    ...dnsFlows(sources),
    ...proxyFlows(sources.topology),
    ...liveServices().flatMap((one) => serviceFlow(one, sources)),
    ...flowOf(hostFlows(sources.topology).get(HTTPS), {
      id: "flow/registry",
      whom: "the registry of the release image",
      endpoint: registry,
      others: mirrors,
      missing: "spec.release.image of the HostedCluster",
    }),
  ];
}

/** The request for one endpoint. */
interface Asked {
  id: string;
  whom: string;
  endpoint: Endpoint | undefined;
  /** Alternative endpoints: one of them suffices. */
  others?: readonly Endpoint[];
  missing: string;
}

function flowOf(flow: RequiredFlow | undefined, asked: Asked): WorkerFlow[] {
  const { id, whom, endpoint, others = [], missing } = asked;
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
  { service, field }: { service: Service; field: string },
  sources: LiveSources,
): WorkerFlow[] {
  const { topology } = sources;
  // No node dials ignition once the nodes have joined, so it has no journey then.
  const way = journeys(topology).find(({ key }) => key === `workers-${serviceKey[service]}`);
  if (!way) return [];
  const departure = way.hops.find((hop) => hop.kind === "hosts");
  const property = serviceProperty[service];
  const stated =
    topology.services[service].type === PublishingType.NodePort
      ? `services.${property}.address and .nodePort`
      : `services.${property}.hostname`;
  return flowOf(hostFlows(topology).get(departure?.flow?.key ?? HTTPS), {
    id: `flow/${serviceKey[service]}`,
    whom: serviceName[service],
    endpoint: serviceEndpoint(service, sources),
    missing: `${field}, or ${stated} of the configuration`,
  });
}

/** The flows to the name servers of the nodes, which the pods use too. */
function dnsFlows(sources: LiveSources): WorkerFlow[] {
  const name = nameToResolve(sources);
  return DNS.flatMap((key) => hostFlows(sources.topology).get(key) ?? []).map(
    ({ key, requirement, documents, protocol }): WorkerFlow => {
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
    },
  );
}

/** The name to resolve. Any answer proves that the name server is there, even that the name does not exist. */
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
      documented: describeReference(at(OCP_PROXY, "Compute nodes that need to access the API server")),
      mayUseProxy: false,
      request: tcpRequest(id, endpoint),
      missing: "",
    };
  });
}
