import { requirements } from "../../requirements/requirements";
import type { Requirement } from "../../requirements/requirement";
import { Direction, Perspective, PublishingType, Service, Zone } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../normalizedTopology";
import { Role, View } from "../requiredFlow";
import type { FlowPeer, RequiredFlow } from "../requiredFlow";
import { flowOf, holds, publishedBy } from "./flow";
import { externalClients, peerFrom, workers } from "./peers";

/** How a documented row becomes a flow of control-plane hosts. */
interface Ingress {
  key: string;
  /** Rows of which one holds at most. */
  rows: readonly string[];
  /** Sources, where they are fewer than the row's. */
  sources?: readonly Zone[];
  /** When no rule is made unless the user asks for the key. Default: never. */
  optIn?: (topology: NormalizedTopology) => boolean;
}

const always = () => true;
const ignitionByRoute = ({ services }: NormalizedTopology) =>
  services[Service.Ignition].type !== PublishingType.NodePort;

const ingresses: readonly Ingress[] = [
  { key: "kube-apiserver", rows: ["cp-in-kas", "cp-in-kas-azure", "cp-in-kas-ibm"] },
  { key: "router", rows: ["cp-in-route-443"], sources: [Zone.Workers] },
  { key: "konnectivity", rows: ["cp-in-konn-nodeport", "cp-in-konn-lb"] },
  { key: "ignition-proxy", rows: ["cp-in-ignproxy-agent", "cp-in-ignproxy-none", "cp-in-ignproxy-nodeport"] },
  { key: "ignition-server", rows: ["cp-in-ign-9090"], optIn: ignitionByRoute },
  {
    key: "capi-health",
    rows: [
      "cp-in-capi-aws",
      "cp-in-capi-kubevirt",
      "cp-in-capi-openstack",
      "cp-in-capi-powervs",
      "cp-in-agent-capi-health",
    ],
    optIn: always,
  },
  { key: "orc-health", rows: ["cp-in-orc"], optIn: always },
  { key: "private-router-http", rows: ["cp-in-private-router-http"], optIn: always },
  { key: "private-router-https", rows: ["cp-in-private-router-https"], optIn: always },
];

/** The rows that hold, by id. */
export function holdingRows(topology: NormalizedTopology, perspective: Perspective, direction: Direction) {
  const rows = requirements.filter(
    (row) => row.perspective === perspective && row.direction === direction && holds(row, topology),
  );
  return new Map<string, Requirement>(rows.map((row) => [row.id, row]));
}

/** What the documents let into control-plane hosts, port and source as they write them. */
export function documentedIngress(topology: NormalizedTopology): RequiredFlow[] {
  const rows = holdingRows(topology, Perspective.ControlPlane, Direction.Ingress);
  const flows = ingresses.flatMap(({ key, rows: ids, sources, optIn }) =>
    ids.flatMap((id) => {
      const row = rows.get(id);
      if (!row) return [];
      const peers = (sources ?? row.sources).map((zone) => sourceOf(topology, zone));
      return [flowOf(row, Role.ControlPlane, { key, peers, optIn: optIn?.(topology) ?? false })];
    }),
  );
  return [...flows, ...routerClients(topology, rows.get("cp-in-route-443"))];
}

/** Users' browsers reach OAuth, and kubectl the API server, through the port that the documents open for nodes alone. */
function routerClients(topology: NormalizedTopology, row: Requirement | undefined): RequiredFlow[] {
  const served = publishedBy(topology, PublishingType.Route).filter(
    (service) => service === Service.OAuthServer || service === Service.APIServer,
  );
  if (!row || served.length === 0) return [];
  return [
    flowOf(row, Role.ControlPlane, {
      key: "router-clients",
      peers: [externalClients(topology)],
      view: View.Hop,
      purpose: `Users reach ${served.join(" and ")} through the router`,
    }),
  ];
}

function sourceOf(topology: NormalizedTopology, zone: Zone): FlowPeer {
  switch (zone) {
    case Zone.Workers:
      return workers(topology);
    case Zone.ExternalClients:
      return externalClients(topology);
    case Zone.ManagementKubelet:
      return peerFrom(topology, zone, "managementClusterCidrs");
    default:
      return peerFrom(topology, zone, "loadBalancerSubnetCidrs");
  }
}
