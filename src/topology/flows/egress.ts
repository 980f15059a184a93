import { requirementOf } from "../../requirements/requirements";
import type { PortRange } from "../../requirements/requirement";
import { Direction, Perspective, Phase, PublishingType, Service, Zone } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../normalizedTopology";
import { dialledPorts } from "../publishedPorts";
import { Role, View } from "../requiredFlow";
import type { RequiredFlow } from "../requiredFlow";
import { holdingRows } from "./controlPlaneIngress";
import { flowOf, nodePortKey, publishedBy, UNPINNED } from "./flow";
import {
  dnsServers,
  endpointOf,
  httpsPeers,
  managementApi,
  peerFrom,
  publishedEndpoint,
  routes,
} from "./peers";

/** What control-plane hosts send. */
export function controlPlaneEgress(topology: NormalizedTopology): RequiredFlow[] {
  const dns = [dnsServers(topology, ["managementClusterCidrs", "loadBalancerSubnetCidrs"])];
  const flow = (id: string, key: string, peers = dns) =>
    flowOf(requirementOf(id), Role.ControlPlane, { key, peers });
  return [
    flow("cp-out-443", "https", httpsPeers(topology, routes(topology))),
    flow("cp-out-6443", "management-api", [managementApi(topology)]),
    flow("cp-out-dns-tcp", "dns-tcp"),
    flow("cp-out-dns-udp", "dns-udp"),
  ];
}

const published: readonly { key: string; service: Service; rows: readonly string[] }[] = [
  {
    key: "kube-apiserver",
    service: Service.APIServer,
    rows: ["wk-out-kas", "wk-out-kas-azure", "wk-out-kas-ibm"],
  },
  { key: "konnectivity", service: Service.Konnectivity, rows: ["wk-out-konn"] },
  { key: "ignition-proxy", service: Service.Ignition, rows: ["wk-out-ignproxy"] },
];

/** What compute nodes send. */
export function workerEgress(topology: NormalizedTopology): RequiredFlow[] {
  const rows = holdingRows(topology, Perspective.Worker, Direction.Egress);
  const dns = [dnsServers(topology, ["machineNetwork"])];
  const flow = (id: string, key: string, peers = dns) =>
    flowOf(requirementOf(id), Role.Workers, { key, peers });
  return [
    flow("wk-out-443", "https", httpsPeers(topology, endpointOf(topology, Zone.Routes))),
    ...published.flatMap(({ key, service, rows: ids }) =>
      ids.filter((id) => rows.has(id)).map((id) => flow(id, key, [publishedEndpoint(topology, service)])),
    ),
    flow("wk-out-dns-tcp", "dns-tcp"),
    flow("wk-out-dns-udp", "dns-udp"),
    ...nodePortEgress(topology),
  ];
}

/** The node ports that workers dial: the pinned ones, and the range where one is not pinned. */
function nodePortEgress(topology: NormalizedTopology): RequiredFlow[] {
  const row = requirementOf("up-nodeport-range");
  const peers = [peerFrom(topology, Zone.ControlPlane, "managementClusterCidrs")];
  const services = publishedBy(topology, PublishingType.NodePort).filter(
    (service) => topology.bootstrap || service !== Service.Ignition,
  );
  const flow = (key: string, some: readonly Service[], ports: PortRange | undefined): RequiredFlow => ({
    ...flowOf(row, Role.Workers, {
      key,
      peers,
      ...(ports && { ports }),
      view: View.Hop,
      phase: some.every((service) => service === Service.Ignition) ? Phase.Bootstrap : Phase.Always,
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
