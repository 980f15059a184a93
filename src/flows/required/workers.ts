import { DOCUMENTED_SERVICES, phaseOf } from "../../requirements/publishedServices";
import type { PortRange } from "../../requirements/requirement";
import { requirementOf } from "../../requirements/requirements";
import { awsWorkerGroup } from "../../requirements/rows/nodes";
import {
  Direction,
  EndpointAccess,
  Perspective,
  PublishingType,
  Role,
  Service,
  Zone,
} from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { dialledPorts, openNow, publishedBy } from "../../topology/publishing";
import { type FlowPeer, type RequiredFlow, View } from "../model";
import {
  dnsServers,
  everyAddress,
  externalClients,
  httpsPeers,
  machines,
  nodePortPeers,
  peerFrom,
  publishedEndpoints,
  routerEndpoints,
  workers,
} from "../peers";
import { UNPINNED, flowOf, holdingRows, holds, nodePortKey } from "./fromRow";

/** Egress of compute nodes. */
export function workerEgress(topology: NormalizedTopology): RequiredFlow[] {
  const rows = holdingRows(topology, Perspective.Worker, Direction.Egress);
  const dns = [dnsServers(topology, ["machineNetwork"])];
  const flow = (id: string, key: string, peers = dns) =>
    flowOf(requirementOf(id), Role.Workers, { key, peers });
  return [
    flow("wk-out-443", "https", httpsPeers(topology, routerEndpoints(topology))),
    ...DOCUMENTED_SERVICES.flatMap(({ key, service, workers: ids }) =>
      ids.filter((id) => rows.has(id)).map((id) => flow(id, key, publishedEndpoints(topology, service))),
    ),
    flow("wk-out-dns-tcp", "dns-tcp"),
    flow("wk-out-dns-udp", "dns-udp"),
    ...nodePortEgress(topology),
  ];
}

/** The node ports that workers dial: the pinned ones, and the range if one is not pinned. */
function nodePortEgress(topology: NormalizedTopology): RequiredFlow[] {
  const row = requirementOf("up-nodeport-range");
  const services = openNow(topology, publishedBy(topology, PublishingType.NodePort));
  const flow = (key: string, some: readonly Service[], ports: PortRange | undefined): RequiredFlow => ({
    ...flowOf(row, Role.Workers, {
      key,
      peers: nodePortPeers(topology, some),
      ...(ports && { ports }),
      view: View.Hop,
      phase: phaseOf(some),
      purpose: `Workers dial the node port of ${some.join(", ")}`,
      publicAllowed: true,
    }),
    direction: Direction.Egress,
  });
  const isPinned = (service: Service) => topology.services[service].nodePort !== undefined;
  const unpinned = services.filter((service) => !isPinned(service));
  return [
    ...services
      .filter(isPinned)
      .map((service) => flow(nodePortKey(topology, service), [service], dialledPorts(topology, service))),
    ...(unpinned[0] ? [flow(UNPINNED, unpinned, dialledPorts(topology, unpinned[0]))] : []),
  ];
}

/**
 * Ingress of compute nodes in addition to what their default group allows. All of it is opt-in: nothing comes from the control
 * plane, which reaches nodes through the tunnel of konnectivity.
 */
export function workerIngress(topology: NormalizedTopology): RequiredFlow[] {
  const egressIp = requirementOf("up-egressip-health");
  return [
    flowOf(egressIp, Role.Workers, { key: "egressip-health", peers: [workers(topology)], optIn: true }),
  ];
}

/**
 * What the security group that HyperShift creates for worker nodes allows. All of it is opt-in: nodes have that group in addition
 * to others, unless the user manages their groups.
 */
export function defaultWorkerGroup(topology: NormalizedTopology): RequiredFlow[] {
  return awsWorkerGroup
    .filter((row) => holds(row, topology))
    .map((row) =>
      flowOf(row, Role.Workers, {
        key: row.id.replace(/^up-aws-/, ""),
        peers: [...row.sources, ...row.destinations].map((zone) => peerOf(topology, zone)),
        optIn: true,
      }),
    );
}

function peerOf(topology: NormalizedTopology, zone: Zone): FlowPeer {
  switch (zone) {
    case Zone.SameSecurityGroup:
      return { zone, input: "" };
    case Zone.Any:
      return { zone, input: "", prefixes: everyAddress(topology) };
    default:
      return peerFrom(topology, zone, "machineNetwork");
  }
}

const ids: ReadonlySet<string> = new Set(awsWorkerGroup.map(({ id }) => id));

/** Whether HyperShift's group for worker nodes allows a flow, which no other filter has to repeat. */
export const isOfDefaultWorkerGroup = ({ role, requirement }: RequiredFlow): boolean =>
  role === Role.Workers && ids.has(requirement);

/** The flows, with all those of HyperShift's group for worker nodes requested. */
export function withDefaultWorkerGroup(flows: readonly RequiredFlow[]): RequiredFlow[] {
  return flows.map((flow) => (isOfDefaultWorkerGroup(flow) ? { ...flow, optIn: false } : flow));
}

const endpoints = [
  { key: "endpoint-router", row: requirementOf("up-aws-vpce-443") },
  { key: "endpoint-kube-apiserver", row: requirementOf("up-aws-vpce-6443") },
];

/** Ingress of the VPC endpoint of a private cluster: machines, and users if there is no other way in. */
export function privateEndpointIngress(topology: NormalizedTopology): RequiredFlow[] {
  return endpoints
    .filter(({ row }) => holds(row, topology))
    .flatMap(({ key, row }) => [
      flowOf(row, Role.PrivateEndpoint, { key, peers: [machines(topology)] }),
      ...(topology.endpointAccess === EndpointAccess.Private && topology.externalClientCidrs.length > 0
        ? [
            flowOf(row, Role.PrivateEndpoint, {
              key: `${key}-clients`,
              peers: [externalClients(topology)],
              view: View.Hop,
              purpose: "Users outside the VPC reach the private cluster through the endpoint",
            }),
          ]
        : []),
    ]);
}
