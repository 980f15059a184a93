import { type Direction, Phase, type Protocol, Role, Zone } from "../requirements/vocabulary";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { requirementOf } from "../requirements/requirements";
import { awsWorkerGroup } from "../requirements/rows/nodes";
import { flowOf, proxyEndpoints, REACH_PROXY } from "../flows/required/fromRow";
import { nodeFlows } from "../flows/required/nodes";
import { flowKey, type FlowPeer, type RequiredFlow } from "../flows/model";
import { podsOnlyAmong, requiredFlows } from "../flows/required/requiredFlows";
import { describePorts } from "./hostRules/plannedRule";

/** A flow that a hosted cluster needs, for a firewall that this package does not make. */
export interface RequiredFlowRow {
  /** Name of the flow: `control-plane/ingress/konnectivity`. */
  key: string;
  /** Whose firewall has to let it pass: `control-plane`, `workers` or `private-endpoint`. */
  role: Role;
  /** Whether it comes in or goes out there. */
  direction: Direction;
  /** The transport. */
  protocol: Protocol;
  /** The ports: `6443`, `30000-32767` or `all`. */
  ports: string;
  /** Sources of what comes in, destinations of what goes out: CIDR blocks, and the host names of proxies. */
  peers: string[];
  /** Properties of the topology that name the peers and are not given: `externalClientCidrs`. What stands in `peers` for them is assumed. */
  undeclared: string[];
  /** Whether firewalls of hosts see the port. `false` for ports of pods, which only network policies see. */
  hostPort: boolean;
  /** Whether the flow is needed only while nodes join. */
  bootstrapOnly: boolean;
  /** Whether only clusters that use something need it: IPsec, SSH to nodes, egress IPs, load balancers that keep client addresses. */
  whereUsed: boolean;
  /** Id of the requirement that demands it; of the documented fact for what stands in no table of ports. */
  requirement: string;
  /** Who talks to whom, and why. */
  purpose: string;
  /** Document and heading of each source. */
  documents: string[];
  /** Where documents disagree, and what upstream does differently. */
  notes: string[];
}

/** Every flow that one hosted cluster needs, as a table: what its nodes and those of the management cluster send each other too. */
export function requiredFlowRows(topology: NormalizedTopology): RequiredFlowRow[] {
  const flows = [...requiredFlows(topology), ...clusterDns()];
  const isPodsOnly = podsOnlyAmong(flows);
  return [
    ...flows.map((flow) => ({
      ...flowRow(flow),
      hostPort: !isPodsOnly(flow),
      whereUsed: isForSome(flow) && !isPodsOnly(flow),
    })),
    ...proxyRows(topology),
    ...([Role.ControlPlane, Role.Workers] as const).flatMap((role) =>
      nodeFlows(topology, role).map((flow) => ({ ...flowRow(flow), whereUsed: flow.optIn })),
    ),
  ];
}

/** What is opened only on request, beside ports of pods and what HyperShift's own group opens. */
const isForSome = (flow: RequiredFlow): boolean => flow.optIn && !OF_WORKER_GROUP.has(flow.requirement);

const OF_WORKER_GROUP: ReadonlySet<string> = new Set(awsWorkerGroup.map(({ id }) => id));

/** Names of the management cluster are resolved by its DNS pods: nothing leaves the cluster network for it. */
const clusterDns = (): RequiredFlow[] =>
  ["tcp", "udp"].map((transport) =>
    flowOf(requirementOf(`up-openshift-dns-${transport}`), Role.ControlPlane, {
      key: `cluster-dns-${transport}`,
      peers: [{ zone: Zone.OpenShiftDnsNamespace, input: "" }],
      optIn: true,
    }),
  );

/** The proxies of the cluster's nodes. URLs may hold credentials: nothing else of them is shown. */
export const proxyRows = (topology: Pick<NormalizedTopology, "proxy">): RequiredFlowRow[] =>
  proxyEndpoints(topology).map(({ host, flow }) => {
    const row = flowRow(flow);
    const peers = row.peers.length > 0 ? row.peers : [host];
    return { ...row, peers, undeclared: [], whereUsed: false, requirement: REACH_PROXY.id, notes: [] };
  });

function flowRow(flow: RequiredFlow): RequiredFlowRow {
  const { role, direction, protocol, ports, peers, phase, requirement, purpose } = flow;
  const blocks = peers.flatMap(({ prefixes = [] }) => prefixes.map(({ text }) => text));
  const undeclared = peers.filter(isUndeclared).map(({ input }) => input);
  return {
    key: flowKey(flow),
    role,
    direction,
    protocol,
    ports: describePorts(ports),
    peers: [...new Set(blocks)],
    undeclared: [...new Set(undeclared)],
    hostPort: true,
    bootstrapOnly: phase === Phase.Bootstrap,
    whereUsed: false,
    requirement,
    purpose,
    documents: [...flow.documents],
    notes: [...flow.notes],
  };
}

/** A host that talks to others of its own group names no property. */
const isUndeclared = ({ prefixes, assumed, input }: FlowPeer): boolean =>
  input !== "" && (prefixes === undefined || assumed === true);
