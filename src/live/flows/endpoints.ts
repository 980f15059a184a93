import { KONNECTIVITY_AGENT, STATUS_FIELD } from "../../requirements/names";
import { PORT } from "../../requirements/ports";
import { Service } from "../../requirements/vocabulary";
import { isFilled, read, readText, readValue, readTexts } from "../../resources/read";
import { dialledPorts, hostOfService } from "../../topology/publishing";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { LiveObject } from "../../cluster/liveCluster";

/** An endpoint of a service. */
export interface Endpoint {
  /** IP address or host name. */
  host: string;
  port: number;
}

/** Removes duplicate endpoints and keeps the order. */
export const distinct = (endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.filter(
    ({ host, port }, index) => endpoints.findIndex((one) => one.host === host && one.port === port) === index,
  );

/** Objects and topology from which endpoints are read. */
export interface LiveSources {
  hostedCluster: LiveObject;
  /** The DaemonSet konnectivity-agent of the hosted cluster. */
  konnectivityAgent: LiveObject | undefined;
  topology: NormalizedTopology;
}

interface LiveEndpoint {
  /** The field that states it, in words. */
  field: string;
  read: (sources: LiveSources) => Endpoint | undefined;
}

/** Path of the DaemonSet konnectivity-agent. */
export const KONNECTIVITY_AGENT_PATH = `/apis/apps/v1/namespaces/${KONNECTIVITY_AGENT.namespace}/daemonsets/${KONNECTIVITY_AGENT.name}`;

/** The endpoint of a service: as the clusters report it, else as the topology states it. */
export const serviceEndpoint = (service: Service, sources: LiveSources): Endpoint | undefined =>
  LIVE[service].read(sources) ?? statedEndpoint(service, sources.topology);

/** The status fields that report where each service is, in the order in which a node needs the services. */
const LIVE: Readonly<Record<Service, LiveEndpoint>> = {
  [Service.APIServer]: {
    field: "status.controlPlaneEndpoint of the HostedCluster",
    read: ({ hostedCluster }) => {
      const host = readText(hostedCluster, STATUS_FIELD.apiServerHost);
      const port = readValue(hostedCluster, STATUS_FIELD.apiServerPort);
      return isFilled(host) && typeof port === "number" && port > 0 ? { host, port } : undefined;
    },
  },
  [Service.Konnectivity]: {
    field: "the arguments of DaemonSet kube-system/konnectivity-agent",
    read: ({ konnectivityAgent }) => konnectivityAgent && agentEndpoint(konnectivityAgent),
  },
  [Service.Ignition]: {
    field: "status.ignitionEndpoint of the HostedCluster",
    read: ({ hostedCluster }) => endpointOf(readText(hostedCluster, STATUS_FIELD.ignition)),
  },
  [Service.OAuthServer]: {
    field: "status.oauthCallbackURLTemplate of the HostedCluster",
    read: ({ hostedCluster }) => endpointOf(readText(hostedCluster, STATUS_FIELD.oauth)),
  },
};

/** The services with the field that reports each endpoint, in the order in which a node needs them. */
export const liveServices = (): { service: Service; field: string }[] =>
  (Object.keys(LIVE) as Service[]).map((service) => ({ service, field: LIVE[service].field }));

/** Parses `https://host:port/path`, `host:port` or `host`; the port defaults to that of the scheme, the scheme to HTTPS. */
export function endpointOf(text: unknown): Endpoint | undefined {
  if (typeof text !== "string" || text === "") return undefined;
  const whole = text.includes("://") ? text : `https://${text}`;
  if (!URL.canParse(whole)) return undefined;
  const { hostname, port, protocol } = new URL(whole);
  const standard = protocol === "http:" ? PORT.http : PORT.https;
  const host = hostname.replace(/^\[|\]$/g, "");
  return host === "" ? undefined : { host, port: port === "" ? standard : Number(port) };
}

/** The endpoint in the two arguments of the agent. Each value follows its flag, or an equals sign. */
function agentEndpoint(daemonSet: LiveObject): Endpoint | undefined {
  const args = read(daemonSet, "spec.template.spec.containers[].args[]").flatMap(({ value }) =>
    typeof value === "string" ? value.split(/=(.*)/s, 2) : [],
  );
  const after = (flag: string): string | undefined => {
    const index = args.indexOf(flag);
    return index < 0 ? undefined : args[index + 1];
  };
  const [host, port] = [after(KONNECTIVITY_AGENT.hostFlag), Number(after(KONNECTIVITY_AGENT.portFlag))];
  return host !== undefined && Number.isInteger(port) && port > 0 ? { host, port } : undefined;
}

/** The endpoint in the topology: the host of a Route or load balancer, or the address and number of a node port. */
function statedEndpoint(service: Service, topology: NormalizedTopology): Endpoint | undefined {
  const host = hostOfService(topology, service);
  const ports = dialledPorts(topology, service);
  const isOne = ports !== undefined && ports.from === ports.to;
  return host !== undefined && isOne ? { host, port: ports.from } : undefined;
}

/** The registry of the release image. */
export function registryOf(hostedCluster: LiveObject): Endpoint | undefined {
  const image = releaseImage(hostedCluster);
  return image === undefined ? undefined : hostOf(image);
}

/** The registries from which nodes pull the release image, in order: mirrors of its repository, then its own registry. */
export function registriesOf(hostedCluster: LiveObject): Endpoint[] {
  const image = releaseImage(hostedCluster);
  if (image === undefined) return [];
  const mirrors = read(hostedCluster, "spec.imageContentSources[]").flatMap(({ value }) => {
    const source = readText(value, "source");
    return typeof source === "string" && isOf(image, source) ? readTexts(value, "mirrors[]") : [];
  });
  return distinct([...mirrors, image].flatMap((one) => hostOf(one) ?? []));
}

function releaseImage(hostedCluster: LiveObject): string | undefined {
  const image = readText(hostedCluster, "spec.release.image");
  return typeof image === "string" && image.includes("/") ? image : undefined;
}

/** Whether an image is in a repository or below it. */
const isOf = (image: string, repository: string): boolean =>
  image.startsWith(repository) && ["/", ":", "@"].includes(image.charAt(repository.length));

const hostOf = (image: string): Endpoint | undefined => endpointOf(image.split("/")[0]);
