import type { Direction, Protocol } from "../requirements/vocabulary";
import { Phase } from "../requirements/vocabulary";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { flowKey, isPodsOnly, type FlowPeer, type RequiredFlow, type Role } from "../topology/requiredFlow";
import { requiredFlows } from "../topology/requiredFlows";
import { describePorts } from "./aws/plannedRule";

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
  /** Sources of what comes in, destinations of what goes out, as CIDR blocks. */
  peers: string[];
  /** Properties of the topology that name the peers and are not given: `externalClientCidrs`. What stands in `peers` for them is assumed. */
  undeclared: string[];
  /** Whether firewalls of hosts see the port. `false` for ports of pods, which only network policies see. */
  hostPort: boolean;
  /** Whether the flow is needed only while nodes join. */
  bootstrapOnly: boolean;
  /** Id of the requirement that demands it. */
  requirement: string;
  /** Who talks to whom, and why. */
  purpose: string;
  /** Document and heading of each source. */
  documents: string[];
  /** Where documents disagree, and what upstream does differently. */
  notes: string[];
}

/** Every flow that one hosted cluster needs, as a table. */
export const requiredFlowRows = (topology: NormalizedTopology): RequiredFlowRow[] =>
  requiredFlows(topology).map(flowRow);

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
    hostPort: !isPodsOnly(flow),
    bootstrapOnly: phase === Phase.Bootstrap,
    requirement,
    purpose,
    documents: [...flow.documents],
    notes: [...flow.notes],
  };
}

/** A host that talks to others of its own group names no property. */
const isUndeclared = ({ prefixes, assumed, input }: FlowPeer): boolean =>
  input !== "" && (prefixes === undefined || assumed === true);
