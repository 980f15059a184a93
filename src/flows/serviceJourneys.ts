import { CALLED_BY_USERS, phaseOf, serviceKey, serviceProperty } from "../requirements/publishedServices";
import { isDeepStrictEqual } from "node:util";
import { keepsOthersOut } from "../requirements/platforms";
import { NODE_PORTS } from "../requirements/ports";
import { port, type PortRange } from "../requirements/requirement";
import {
  Direction,
  LoadBalancerTargets,
  Platform,
  Protocol,
  PublishingType,
  Service,
  Zone,
  Role,
} from "../requirements/vocabulary";
import { Duty } from "../requirements/othersFilters";
import { UNKNOWN } from "../resources/resource";
import { dialledPorts, ipTarget, openNow, routerOf, servedByManagementRouter } from "../topology/publishing";
import { nodePortKey } from "./required/fromRow";
import {
  controlPlaneHosts,
  endpointOf,
  externalClients,
  isPrivatePath,
  isSaid,
  loadBalancers,
  nodePortPeer,
  peerFrom,
  workers,
} from "./peers";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import type { FlowPeer, Hop, HostHop, Journey, MissingInput, SeenPackets } from "./model";
import { type AllowedBlocks, keptOut, type Surroundings } from "./surroundings";
import { hostFlows, nameOf, podHops } from "./hops";
import { Outside } from "../requirements/outsideModel";

/** The caller of a published service. */
type Client = Zone.Workers | Zone.ExternalClients;

/** One client's path to one service. */
interface ClientPath {
  topology: NormalizedTopology;
  service: Service;
  type: PublishingType;
  client: Client;
  /** Whether it uses the private endpoint rather than public addresses. */
  isPrivate: boolean;
  /** The addresses that public load balancers let in. Default: all. */
  allowed?: AllowedBlocks;
}

/** The journeys of workers to every published service, and of users to the services that they call. */
export const serviceJourneys = (topology: NormalizedTopology, surroundings: Surroundings): Journey[] =>
  clientPathsTo(topology, surroundings).map((path) =>
    isPublished(path) ? journeyOf(path) : unpublished(path.service, path.client),
  );

/** A path, without its type if it is not known yet how the service is published. */
type PossibleClientPath = Omit<ClientPath, "type"> & Partial<Pick<ClientPath, "type">>;

const isPublished = (path: PossibleClientPath): path is ClientPath => path.type !== undefined;

function clientPathsTo(topology: NormalizedTopology, { allowedBlocks }: Surroundings): PossibleClientPath[] {
  return openNow(topology, Object.values(Service)).flatMap((service) => {
    const { type } = topology.services[service];
    return clientsOf(topology, service).map((client): PossibleClientPath => ({
      topology,
      service,
      client,
      isPrivate: type !== undefined && isPrivatePath(topology, service, client),
      ...(type !== undefined && { type }),
      ...(allowedBlocks !== undefined && { allowed: allowedBlocks }),
    }));
  });
}

/** Whether the list of a HostedCluster leaves out known addresses of a client. Most lists do not. */
export const isAnybodyKeptOut = (topology: NormalizedTopology, surroundings: Surroundings): boolean =>
  clientPathsTo(topology, surroundings).some(
    (path) =>
      isPublished(path) &&
      isListed(path) &&
      [overPublicAddresses(path), arriving(path)].some(
        (peer) => path.allowed !== undefined && keptOut(peer, path.allowed)?.add !== undefined,
      ),
  );

function clientsOf(topology: NormalizedTopology, service: Service): Client[] {
  const isCalledByUsers = CALLED_BY_USERS.has(service) && isSaid(externalClients(topology));
  return isCalledByUsers ? [Zone.Workers, Zone.ExternalClients] : [Zone.Workers];
}

/** The parts of a journey to a service that do not depend on its path. */
const headOf = (service: Service, client: Client) => ({
  key: `${client === Zone.Workers ? "workers" : "users"}-${serviceKey[service]}`,
  title: `${client === Zone.Workers ? "Workers" : "Users"} reach ${service}`,
  from: client,
  service,
  phase: phaseOf([service]),
});

/** A journey without hops: it is not known yet how the service is published. */
function unpublished(service: Service, client: Client): Journey {
  const why = `how ${service} is published, and thus which path leads to it`;
  const missing = [{ input: `services.${serviceProperty[service]}.type`, why }];
  return { ...headOf(service, client), hops: [], missing, outside: [] };
}

function journeyOf(path: ClientPath): Journey {
  const { service, type, client } = path;
  const arrival = arrivalOf(path);
  const head = headOf(service, client);
  return {
    ...head,
    title: `${head.title} by ${type}${path.isPrivate ? " through the private endpoint" : ""}`,
    hops: [
      ...departureOf(path),
      ...endpointHops(path),
      ...balancerHops(path),
      ...arrival.hops,
      ...podHops(path.topology, service, path),
    ],
    missing: [...arrival.missing, ...keptOutAt(path)],
    outside: outsideOf(path),
  };
}

/** The addresses from which a client calls. */
const clientPeer = ({ topology, client }: ClientPath): FlowPeer =>
  client === Zone.Workers ? workers(topology) : externalClients(topology);

/** The traffic at a hop, and the property that would state which of its ports. */
type Asked = Omit<SeenPackets, "sources" | "destinations">;

const tcp = (ports: PortRange): Asked => ({ protocol: Protocol.Tcp, ports });

/** The port that clients dial. */
function dialledPort({ topology, service, type }: ClientPath): Asked {
  const isUnsaid = type === PublishingType.NodePort && topology.services[service].nodePort === undefined;
  return {
    ...tcp(dialledPorts(topology, service) ?? NODE_PORTS),
    ...(isUnsaid && { portInput: nodePortInput(service) }),
  };
}

const nodePortInput = (service: Service): string => `services.${serviceProperty[service]}.nodePort`;

/** Packets that leave workers. No plan shows those that leave users. */
function departureOf(path: ClientPath): Hop[] {
  const { topology, client, service, type } = path;
  if (client !== Zone.Workers) return [];
  const keys =
    type === PublishingType.NodePort ? [nodePortKey(topology, service)] : [serviceKey[service], "https"];
  const packets = { ...dialledPort(path), sources: [workers(topology)], destinations: [targetOf(path)] };
  return [atHosts(topology, Role.Workers, Direction.Egress, keys, packets)];
}

/** A hop at hosts, named by the first of these required flows that has the ports of the packets. */
function atHosts(
  topology: NormalizedTopology,
  role: Role,
  direction: Direction,
  keys: readonly string[],
  packets: SeenPackets,
): HostHop {
  const flow = keys
    .map((key) => hostFlows(topology).get(`${role}/${direction}/${key}`))
    .find((one) => isDeepStrictEqual(one?.ports, packets.ports));
  return { kind: "hosts", role, direction, ...(flow && { flow: nameOf(flow) }), ...packets };
}

const targetOf = ({ topology, service, type, isPrivate }: ClientPath): FlowPeer =>
  type === PublishingType.NodePort
    ? nodePortPeer(topology, service)
    : endpointOf(topology, Zone.ControlPlane, isPrivate);

/** On AWS, private networks reach the control plane through a VPC endpoint with its own security group. */
const hasVpcEndpoint = ({ platform }: NormalizedTopology): boolean => platform === Platform.AWS;

const ENDPOINTS = ["endpoint-router", "endpoint-kube-apiserver"];

function endpointHops(path: ClientPath): Hop[] {
  const { topology, isPrivate, type } = path;
  if (!isPrivate || type === PublishingType.NodePort || !hasVpcEndpoint(topology)) return [];
  const packets = {
    ...dialledPort(path),
    sources: [clientPeer(path)],
    destinations: [targetOf(path)],
  };
  const isWorkers = path.client === Zone.Workers;
  const keys = ENDPOINTS.flatMap((key) => (isWorkers ? [key] : [`${key}-clients`, key]));
  return [
    {
      ...atHosts(topology, Role.PrivateEndpoint, Direction.Ingress, keys, packets),
      ...(isWorkers && { duty: Duty.HyperShiftUnlessPlanned }),
    },
  ];
}

/**
 * Whether a path leads through a load balancer that lets in only what the HostedCluster lists: the public load balancers of the API
 * server and of the control plane's own router.
 */
export const isListed = (path: Pick<ClientPath, "topology" | "service" | "type" | "isPrivate">): boolean =>
  !path.isPrivate &&
  (path.type === PublishingType.Route
    ? !servedByManagementRouter(path.topology)
    : path.type === PublishingType.LoadBalancer && path.service === Service.APIServer);

/** The load balancer that blocks what the list leaves out, if its platform enforces the list. */
function balancerHops(path: ClientPath): Hop[] {
  const { topology, allowed } = path;
  if (allowed === undefined || allowed === UNKNOWN || !isListed(path) || !isEnforced(topology)) return [];
  return [
    {
      kind: "balancer",
      allowed: allowed.blocks,
      listedBy: allowed.listedBy,
      ...dialledPort(path),
      sources: [overPublicAddresses(path)],
      destinations: [targetOf(path)],
    },
  ];
}

const isEnforced = ({ platform, loadBalancerTargets }: NormalizedTopology): boolean =>
  keepsOthersOut(platform, loadBalancerTargets);

function keptOutAt(path: ClientPath): MissingInput[] {
  if (path.allowed === undefined || !isListed(path)) return [];
  if (path.allowed !== UNKNOWN && isEnforced(path.topology)) return [];
  const missing = keptOut(arriving(path), path.allowed);
  return missing ? [missing] : [];
}

/** Workers reach public load balancers from addresses of NAT, because their own are not on the Internet. */
const overPublicAddresses = (path: ClientPath): FlowPeer =>
  path.client === Zone.Workers ? peerFrom(path.topology, Zone.Workers, "workerNatCidrs") : clientPeer(path);

/** What control-plane hosts see: packets to the node port itself, or packets as load balancers change them. */
function arrivalOf(path: ClientPath): { hops: Hop[]; missing: MissingInput[] } {
  const { topology, type, service, client } = path;
  const hop = (keys: readonly string[], ports: Asked, sources: readonly FlowPeer[]): HostHop =>
    atHosts(topology, Role.ControlPlane, Direction.Ingress, keys, {
      ...ports,
      sources,
      destinations: [controlPlaneHosts(topology)],
    });
  const at = (place: HostHop) => ({ hops: [place], missing: [] });
  const without = (input: string, why: string) => ({ hops: [], missing: [{ input, why }] });
  // The controller of load balancers allows their clients to reach node ports; the plan allows the clients that it knows too.
  const isKnown = client === Zone.Workers || path.isPrivate;
  if (type === PublishingType.NodePort) {
    const ports = dialledPort(path);
    // The whole range is not opened to users for one port in it.
    if (client !== Zone.Workers && ports.portInput !== undefined)
      return without(ports.portInput, `the node port at which users reach ${service}`);
    return at(hop([nodePortKey(topology, service)], ports, dialling(path)));
  }
  switch (topology.loadBalancerTargets) {
    case LoadBalancerTargets.Instance: {
      const key = isKnown ? "load-balancer-node-ports" : "load-balancer-clients";
      const place = hop([key], anyNodePort, [arriving(path)]);
      return at(isKnown ? place : { ...place, duty: Duty.Others });
    }
    case LoadBalancerTargets.Ip:
      return at(hop(podKeys(path), tcp(port(podTarget(path).port)), [loadBalancers(topology)]));
    case undefined:
      return without(
        "loadBalancerTargets",
        "whether load balancers forward to node ports or to pods, and thus which port the hosts' security groups see",
      );
  }
}

/** One port of the range; the topology does not state which. */
const anyNodePort: Asked = { ...tcp(NODE_PORTS), portInput: "" };

const podKeys = ({ type, service }: ClientPath): string[] =>
  type === PublishingType.Route ? ["router-pod", "management-router-pod"] : [`${serviceKey[service]}-pod`];

/** The pods that load balancers with IP targets reach. */
const podTarget = ({ topology, service, type, isPrivate }: ClientPath) =>
  type === PublishingType.Route ? routerOf(topology, isPrivate) : ipTarget(topology, service);

/** Workers as node ports see them: their own addresses, or those of NAT if the topology names them. */
function dialling(path: ClientPath): FlowPeer[] {
  const { topology, client } = path;
  if (client !== Zone.Workers) return [clientPeer(path)];
  const nat = peerFrom(topology, Zone.Workers, "workerNatCidrs");
  return [isSaid(nat) ? nat : workers(topology)];
}

/**
 * The source of packets behind a load balancer with instance targets: through the private endpoint, the load balancer itself; over
 * public addresses, the client, whose address it keeps.
 */
function arriving(path: ClientPath): FlowPeer {
  const { topology, client, isPrivate } = path;
  if (isPrivate) return loadBalancers(topology);
  if (client !== Zone.Workers) return clientPeer(path);
  const nat = peerFrom(topology, Zone.Workers, "workerNatCidrs");
  return isSaid(nat) || hasVpcEndpoint(topology) ? nat : workers(topology);
}

function outsideOf(path: ClientPath): Outside[] {
  const { type, client, isPrivate, topology } = path;
  return [
    ...(client === Zone.Workers ? [] : [Outside.ClientNetworks]),
    ...(type === PublishingType.NodePort
      ? []
      : [Outside.LoadBalancerListeners, Outside.ControllerGroups, Outside.AddressTranslation]),
    ...(isPrivate ? [Outside.PrivateEndpoints] : []),
    ...(path.allowed && isListed(path) ? [Outside.AllowedBlocks] : []),
    Outside.DnsAnswers,
    Outside.HyperShiftPolicies,
    ...(type === PublishingType.Route && !isPrivate && servedByManagementRouter(topology)
      ? [Outside.HostNetworkRouters]
      : []),
  ];
}
