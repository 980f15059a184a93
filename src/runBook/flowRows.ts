import { contains, type Prefix } from "../address";
import { Phase } from "../requirements/vocabulary";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { flowKey, type RequiredFlow } from "../flows/model";
import { podsOnlyAmong, requiredFlows } from "../flows/required/requiredFlows";
import type { FlowRow } from "./runBook";

/**
 * The flows, or those peers of flows, that have to be open before what only `before` needs is closed. A block that a wider one
 * of today covers is among them where the wider one is to be closed.
 */
export const flowsOpened = (before: NormalizedTopology, after: NormalizedTopology): FlowRow[] =>
  flowsBeyond(before, after, (peer, known, wanted) =>
    known.some((other) => covers(other, peer) && wanted.some((kept) => covers(kept, other))),
  );

/** The flows, or those peers of flows, that `before` needs and nothing in `after` covers. */
export const flowsClosed = (before: NormalizedTopology, after: NormalizedTopology): FlowRow[] =>
  flowsBeyond(after, before, (peer, known) => known.some((other) => covers(other, peer)));

function flowsBeyond(
  before: NormalizedTopology,
  after: NormalizedTopology,
  isKnown: (peer: Peer, known: readonly Peer[], all: readonly Peer[]) => boolean,
): FlowRow[] {
  const was = new Map(requiredFlows(before).map((flow) => [identity(flow), peersOf(flow)]));
  const flows = requiredFlows(after);
  const isPodsOnly = podsOnlyAmong(flows);
  return flows.flatMap((flow): FlowRow[] => {
    const known = was.get(identity(flow));
    const all = peersOf(flow);
    const peers = all.filter((peer) => !known || !isKnown(peer, known, all));
    return known && peers.length === 0 ? [] : [rowOf(flow, peers.map(textOf), isPodsOnly(flow))];
  });
}

type Peer = Prefix | string;

const serviceOf = ({ protocol, ports }: RequiredFlow): string => {
  if (!ports) return protocol;
  return `${protocol} ${ports.from === ports.to ? ports.from : `${ports.from}-${ports.to}`}`;
};

const identity = (flow: RequiredFlow): string => `${flowKey(flow)} ${serviceOf(flow)}`;

/** Blocks, and the inputs that would name them. Without either the flow is among hosts of the same group. */
const peersOf = ({ peers }: RequiredFlow): Peer[] =>
  peers.flatMap(({ prefixes, input }): readonly Peer[] => prefixes ?? (input === "" ? [] : [`? ${input}`]));

const covers = (one: Peer, other: Peer): boolean =>
  typeof one === "string" || typeof other === "string" ? one === other : contains(one, other);

const textOf = (peer: Peer): string => (typeof peer === "string" ? peer : peer.text);

const rowOf = (flow: RequiredFlow, peers: string[], podsOnly: boolean): FlowRow => ({
  flow: flowKey(flow),
  role: flow.role,
  direction: flow.direction,
  service: serviceOf(flow),
  peers: peers.length > 0 ? [...new Set(peers)] : ["the same hosts"],
  purpose: flow.purpose,
  requirement: flow.requirement,
  podsOnly,
  whileJoining: flow.phase === Phase.Bootstrap,
  documents: [...flow.documents],
});
