import { contains, readHost, readPrefix, type Prefix } from "../address";
import { endpointAccessModes, reachedPrivately } from "../requirements/platforms";
import { serviceProperty } from "../requirements/publishedServices";
import { EndpointAccess, PublishingType, Service, Zone } from "../requirements/vocabulary";
import { mergedButKeyed } from "../topology/addressBlocks";
import { publishedBy } from "../topology/publishing";
import { isUnknown, type CidrList, type NormalizedTopology } from "../topology/normalizedTopology";
import type { FlowPeer } from "./model";

export const EVERY_IPV4 = readPrefix("0.0.0.0/0")!;
export const EVERY_IPV6 = readPrefix("::/0")!;

/** The peer with the addresses of a property. */
export function peerFrom(topology: NormalizedTopology, zone: Zone, input: CidrList): FlowPeer {
  const prefixes = topology[input];
  if (isUnknown(topology, input)) return { zone, input, unknown: true };
  return prefixes.length > 0 ? { zone, input, prefixes } : { zone, input };
}

/** The peer with the addresses of a property or, if it is not set, with those of the properties in `instead`, assumed. */
function peerOrAssumed(
  topology: NormalizedTopology,
  zone: Zone,
  input: CidrList,
  instead: readonly CidrList[],
): FlowPeer {
  const peer = peerFrom(topology, zone, input);
  const prefixes = mergedButKeyed(instead.flatMap((list) => topology[list]));
  return isSaid(peer) || prefixes.length === 0 ? peer : { zone, input, prefixes, assumed: true };
}

/** Every address of the families that the cluster has, assumed because a property is not set. */
function anywhere(topology: NormalizedTopology, zone: Zone, input: CidrList): FlowPeer {
  return { zone, input, prefixes: everyAddress(topology), assumed: true };
}

/** Every address of the families that the cluster has. */
export function everyAddress({ machineNetwork, clusterNetwork, workerCidrs }: NormalizedTopology): Prefix[] {
  const all = [...machineNetwork, ...workerCidrs, ...clusterNetwork.map(({ prefix }) => prefix)];
  return all.some(({ family }) => family === 6) ? [EVERY_IPV4, EVERY_IPV6] : [EVERY_IPV4];
}

export const workers = (topology: NormalizedTopology): FlowPeer =>
  peerFrom(topology, Zone.Workers, "workerCidrs");

/** Machines that reach an endpoint in their VPC: the machine network or, if it is not set, the workers that the topology names. */
export const machines = (topology: NormalizedTopology): FlowPeer =>
  peerOrAssumed(topology, Zone.MachineNetwork, "machineNetwork", ["workerCidrs"]);

export const externalClients = (topology: NormalizedTopology): FlowPeer =>
  peerFrom(topology, Zone.ExternalClients, "externalClientCidrs");

/** Workers that dial hosts directly: from their own addresses, and from those of NAT if the topology names them. */
export function dialingWorkers(topology: NormalizedTopology): FlowPeer[] {
  return [workers(topology), ...whereSaid(peerFrom(topology, Zone.Workers, "workerNatCidrs"))];
}

/** Hosts of the control plane: the nodes of the management cluster. */
export const controlPlaneHosts = (topology: NormalizedTopology): FlowPeer =>
  peerFrom(topology, Zone.ControlPlane, "managementClusterCidrs");

/** Load balancers, by the subnets that contain their addresses. */
export const loadBalancers = (topology: NormalizedTopology): FlowPeer =>
  peerFrom(topology, Zone.LoadBalancers, "loadBalancerSubnetCidrs");

/** Workers, including as they appear behind load balancers and private endpoints; only what the topology states. */
export const translatedWorkers = (topology: NormalizedTopology): FlowPeer[] => [
  ...dialingWorkers(topology),
  ...whereSaid(loadBalancers(topology)),
];

/** The peer, unless the topology does not state its addresses. */
export const whereSaid = (peer: FlowPeer): FlowPeer[] => (isSaid(peer) ? [peer] : []);

/** Whether the topology states the addresses of a peer, which a plan may not know yet. */
export const isSaid = ({ prefixes, unknown }: FlowPeer): boolean =>
  prefixes !== undefined || unknown === true;

/** The management cluster's API, as reached from its own nodes. */
export const managementApi = (topology: NormalizedTopology): FlowPeer =>
  peerFrom(topology, Zone.ManagementApi, "managementClusterCidrs");

/** DNS servers or, if the property is not set, the networks of the clients. */
export const dnsServers = (topology: NormalizedTopology, asking: readonly CidrList[]): FlowPeer =>
  peerOrAssumed(topology, Zone.DnsServers, "dnsServerCidrs", asking);

/** Registries and routes or, if the property is not set, every HTTPS service anywhere. */
export function httpsPeers(topology: NormalizedTopology, routes: readonly FlowPeer[]): FlowPeer[] {
  const registries = peerFrom(topology, Zone.ContainerRegistry, "registryCidrs");
  return isSaid(registries)
    ? [registries, ...routes]
    : [anywhere(topology, Zone.ExternalHttps, "registryCidrs")];
}

/** The endpoints at which workers dial a published service. */
export function publishedEndpoints(topology: NormalizedTopology, service: Service): FlowPeer[] {
  const { type } = topology.services[service];
  if (type === PublishingType.NodePort) return nodePortPeers(topology, [service]);
  return endpointsOf(topology, Zone.ControlPlane, [isPrivatePath(topology, service, Zone.Workers)]);
}

/** The endpoints at which workers dial routers. */
export function routerEndpoints(topology: NormalizedTopology): FlowPeer[] {
  const paths = publishedBy(topology, PublishingType.Route).map((service) =>
    isPrivatePath(topology, service, Zone.Workers),
  );
  return endpointsOf(topology, Zone.Routes, paths);
}

/**
 * Where workers dial on paths of these kinds. With both kinds of access, stated public addresses are opened even if all paths are
 * private; public addresses that are not stated are opened only if no path is private.
 */
function endpointsOf(topology: NormalizedTopology, zone: Zone, arePrivate: readonly boolean[]): FlowPeer[] {
  if (topology.endpointAccess !== EndpointAccess.PublicAndPrivate) return [endpointOf(topology, zone)];
  const [within, outside] = [true, false].map((isPrivate) => endpointOf(topology, zone, isPrivate)) as [
    FlowPeer,
    FlowPeer,
  ];
  if (arePrivate.length > 0 && !arePrivate.includes(true)) return [outside];
  if (outside.assumed) return [within];
  return [arePrivate.includes(false) ? outside : { ...outside, needed: [] }, within];
}

/**
 * Whether a client uses the private endpoint rather than public addresses. Workers use the private path if there is one; users use it
 * only if there is no other. With one host name or one load balancer, both use the same path: a Route of OAuth is public unless there
 * is no public access; a load balancer of OAuth is internal, and that of konnectivity public, whatever other access there is.
 */
export function isPrivatePath(
  { endpointAccess, services }: NormalizedTopology,
  service: Service,
  client: Zone,
): boolean {
  const isBalanced = services[service].type === PublishingType.LoadBalancer;
  if (service === Service.Konnectivity && isBalanced) return false;
  const prefersPrivate = service === Service.OAuthServer ? isBalanced : client === Zone.Workers;
  return prefersPrivate ? reachedPrivately(endpointAccess) : endpointAccess === EndpointAccess.Private;
}

/** Where clients dial the node port of a service: its address or, if that is a host name or not stated, any node of the management cluster. */
export const nodePortPeer = (topology: NormalizedTopology, service: Service): FlowPeer =>
  statedAddress(topology, service) ?? controlPlaneHosts(topology);

/** The address of a node port, if it is an IP address or not known yet. */
function statedAddress(topology: NormalizedTopology, service: Service): FlowPeer | undefined {
  const input = `services.${serviceProperty[service]}.address`;
  if (isUnknown(topology, input)) return { zone: Zone.ControlPlane, input, unknown: true };
  const host = readHost(topology.services[service].address ?? "");
  return host && { zone: Zone.ControlPlane, input, prefixes: [host] };
}

/**
 * What is opened toward node ports of services: all nodes of the management cluster, because each of them answers there and users may
 * move the address to another, and the addresses outside of them. Packets go only to the addresses if all of these are stated.
 */
export function nodePortPeers(topology: NormalizedTopology, services: readonly Service[]): FlowPeer[] {
  const nodes = controlPlaneHosts(topology);
  const stated = services.flatMap((service) => statedAddress(topology, service) ?? []);
  const isNode = ({ prefixes: [host] = [] }: FlowPeer) =>
    host !== undefined && nodes.prefixes?.some((block) => contains(block, host));
  const distinct = [...new Map(stated.map((peer) => [peer.prefixes?.join() ?? peer.input, peer])).values()];
  const inside = distinct.filter(isNode);
  return [
    stated.length < services.length
      ? nodes
      : { ...nodes, needed: inside.flatMap(({ prefixes = [] }) => prefixes) },
    ...distinct.filter((peer) => !isNode(peer)),
  ];
}

/**
 * The endpoint at which clients dial load balancers and routers of the control plane. With both kinds of access, the private endpoint is in
 * the machine network, and `controlPlaneEndpointCidrs` states the public addresses.
 */
export function endpointOf(
  topology: NormalizedTopology,
  zone: Zone,
  isPrivate = reachedPrivately(topology.endpointAccess),
): FlowPeer {
  const areBoth = topology.endpointAccess === EndpointAccess.PublicAndPrivate;
  if (areBoth && isPrivate) return peerFrom(topology, zone, "machineNetwork");
  const stated = peerFrom(topology, zone, "controlPlaneEndpointCidrs");
  if (isSaid(stated)) return stated;
  if (reachedPrivately(topology.endpointAccess) && !areBoth)
    return peerFrom(topology, zone, "machineNetwork");
  if (areBoth || endpointAccessModes(topology.platform).includes(EndpointAccess.Public))
    return anywhere(topology, zone, "controlPlaneEndpointCidrs");
  return endpointAmong(topology, zone);
}

/** An endpoint that is, unless the topology states it, at a host or load balancer of the management cluster. */
const endpointAmong = (topology: NormalizedTopology, zone: Zone): FlowPeer =>
  peerOrAssumed(topology, zone, "controlPlaneEndpointCidrs", [
    "managementClusterCidrs",
    "loadBalancerSubnetCidrs",
  ]);

/**
 * Where the control plane itself asks the published API server: at its public addresses if they are stated, as if it had no private path.
 */
export const publicApi = (topology: NormalizedTopology): FlowPeer[] =>
  topology.endpointAccess === EndpointAccess.PublicAndPrivate &&
  topology.services[Service.APIServer].type !== PublishingType.NodePort &&
  topology.controlPlaneEndpointCidrs.length > 0
    ? [endpointOf(topology, Zone.ControlPlane, false)]
    : publishedEndpoints(topology, Service.APIServer);

/** The endpoint at which control-plane components reach routes: the router's addresses, as the management cluster sees them. */
export const routes = (topology: NormalizedTopology): FlowPeer => endpointAmong(topology, Zone.Routes);
