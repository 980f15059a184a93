import { type Direction, Phase, type Protocol, Role, Zone } from "../requirements/vocabulary";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { requirementOf } from "../requirements/requirements";
import { awsWorkerGroup } from "../requirements/rows/nodes";
import { flowOf, proxyEndpoints, REACH_PROXY } from "../flows/required/fromRow";
import { nodeFlows } from "../flows/required/nodes";
import { flowKey, type FlowPeer, type RequiredFlow } from "../flows/model";
import { podsOnlyAmong, requiredFlows } from "../flows/required/requiredFlows";
import { describePorts } from "./hostRules/plannedRule";

/** A flow that a hosted cluster needs, for a firewall that this package does not create. */
export interface RequiredFlowRow {
  /** Name of the flow: `control-plane/ingress/konnectivity`. */
  key: string;
  /** The role whose firewall must allow it: `control-plane`, `workers` or `private-endpoint`. */
  role: Role;
  /** Whether the flow is ingress or egress for that role. */
  direction: Direction;
  /** The transport protocol. */
  protocol: Protocol;
  /** The ports: `6443`, `30000-32767` or `all`. */
  ports: string;
  /** Sources of ingress flows, destinations of egress flows: CIDR blocks, and the host names of proxies. */
  peers: string[];
  /** Topology properties that name the peers but are not given: `externalClientCidrs`. Their entries in `peers` are assumed. */
  undeclared: string[];
  /** Whether host firewalls see the port. `false` for ports of pods, which only network policies see. */
  hostPort: boolean;
  /** Whether the flow is needed only while nodes join. */
  bootstrapOnly: boolean;
  /** Whether only clusters that use a feature need it: IPsec, SSH to nodes, egress IPs, load balancers that keep client addresses. */
  whereUsed: boolean;
  /** Id of the requirement, or of the documented fact for a flow that is in no port table. */
  requirement: string;
  /** Which peers communicate, and why. */
  purpose: string;
  /** Document and heading of each source. */
  documents: string[];
  /** Differences between documents, and between documents and upstream. */
  notes: string[];
}

/** Every flow that a hosted cluster needs, as a table, including the flows among its own nodes and among the management cluster's. */
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

/** Whether a flow is opened only on request and is not part of the worker group that HyperShift itself creates. */
const isForSome = (flow: RequiredFlow): boolean => flow.optIn && !OF_WORKER_GROUP.has(flow.requirement);

const OF_WORKER_GROUP: ReadonlySet<string> = new Set(awsWorkerGroup.map(({ id }) => id));

/** The DNS pods of the management cluster resolve its names, so these queries do not leave the cluster network. */
const clusterDns = (): RequiredFlow[] =>
  ["tcp", "udp"].map((transport) =>
    flowOf(requirementOf(`up-openshift-dns-${transport}`), Role.ControlPlane, {
      key: `cluster-dns-${transport}`,
      peers: [{ zone: Zone.OpenShiftDnsNamespace, input: "" }],
      optIn: true,
    }),
  );

/** The proxies of the cluster's nodes. Proxy URLs may hold credentials, so only host and port are shown. */
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

/** A host that talks to others of its own group needs no property. */
const isUndeclared = ({ prefixes, assumed, input }: FlowPeer): boolean =>
  input !== "" && (prefixes === undefined || assumed === true);
