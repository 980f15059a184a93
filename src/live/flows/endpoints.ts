import { KONNECTIVITY_AGENT, STATUS_FIELD } from "../../requirements/names";
import { PORT } from "../../requirements/ports";
import { publishedService } from "../../requirements/publishedServices";
import { PublishingType, Service } from "../../requirements/vocabulary";
import { isFilled, read, readText, readValue } from "../../resources/read";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { LiveObject } from "../../cluster/liveCluster";
import type { PropertyValue } from "../../resources/resource";

/** Where something is reached. */
export interface Endpoint {
  /** IP address or host name. */
  host: string;
  port: number;
}

/** Each endpoint once, in its order. */
export const distinct = (endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.filter(
    ({ host, port }, index) => endpoints.findIndex((one) => one.host === host && one.port === port) === index,
  );

/** What running clusters say about where things are. */
export interface LiveSources {
  hostedCluster: LiveObject;
  /** The DaemonSet konnectivity-agent of the hosted cluster. */
  konnectivityAgent: LiveObject | undefined;
  topology: NormalizedTopology;
}

interface LiveEndpoint {
  /** What says it, in words. */
  field: string;
  read: (sources: LiveSources) => Endpoint | undefined;
}

/** Path of that DaemonSet. */
export const KONNECTIVITY_AGENT_PATH = `/apis/apps/v1/namespaces/${KONNECTIVITY_AGENT.namespace}/daemonsets/${KONNECTIVITY_AGENT.name}`;

/** Where a service is reached: as the clusters say it, else as the topology does. */
export const serviceEndpoint = (service: Service, sources: LiveSources): Endpoint | undefined =>
  LIVE[service].read(sources) ?? statedEndpoint(service, sources.topology);

/** Which status says where a service is, in the order in which a node needs the services. */
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

/** The services with what says where each is, in the order in which a node needs them. */
export const liveServices = (): { service: Service; field: string }[] =>
  (Object.keys(LIVE) as Service[]).map((service) => ({ service, field: LIVE[service].field }));

/** `https://host:port/path`, `host:port` or `host`; without a port that of the scheme, and without a scheme that of HTTPS. */
export function endpointOf(text: unknown): Endpoint | undefined {
  if (typeof text !== "string" || text === "") return undefined;
  const whole = text.includes("://") ? text : `https://${text}`;
  if (!URL.canParse(whole)) return undefined;
  const { hostname, port, protocol } = new URL(whole);
  const standard = protocol === "http:" ? PORT.http : PORT.https;
  const host = hostname.replace(/^\[|\]$/g, "");
  return host === "" ? undefined : { host, port: port === "" ? standard : Number(port) };
}

/** The two arguments of the agent, each with its value after it or behind an equals sign. */
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

/** What the topology says: the host of a Route or a load balancer, or address and number of a node port. */
function statedEndpoint(service: Service, { services, platform }: NormalizedTopology): Endpoint | undefined {
  const { type, hostname, address, nodePort } = services[service];
  if (type === PublishingType.NodePort)
    return address !== undefined && nodePort !== undefined ? { host: address, port: nodePort } : undefined;
  if (hostname === undefined || type === undefined) return undefined;
  return { host: hostname, port: publishedService(service, platform).dialled[type] };
}

/** The registry that the image of the release names. */
export function registryOf(hostedCluster: LiveObject): Endpoint | undefined {
  const image = releaseImage(hostedCluster);
  return image === undefined ? undefined : hostOf(image);
}

/** Where nodes pull the image of the release from, in their order: mirrors of its repository, then the registry that it names. */
export function registriesOf(hostedCluster: LiveObject): Endpoint[] {
  const image = releaseImage(hostedCluster);
  if (image === undefined) return [];
  const mirrors = read(hostedCluster, "spec.imageContentSources[]").flatMap(({ value }) => {
    const source = readText(value, "source");
    return typeof source === "string" && isOf(image, source) ? textsOf(value) : [];
  });
  return distinct([...mirrors, image].flatMap((one) => hostOf(one) ?? []));
}

function releaseImage(hostedCluster: LiveObject): string | undefined {
  const image = readText(hostedCluster, "spec.release.image");
  return typeof image === "string" && image.includes("/") ? image : undefined;
}

/** Whether an image lies in a repository, or below a part of its path. */
const isOf = (image: string, repository: string): boolean =>
  image.startsWith(repository) && ["/", ":", "@"].includes(image.charAt(repository.length));

const textsOf = (source: PropertyValue): string[] =>
  read(source, "mirrors[]").flatMap(({ value }) => (typeof value === "string" ? [value] : []));

const hostOf = (image: string): Endpoint | undefined => endpointOf(image.split("/")[0]);
