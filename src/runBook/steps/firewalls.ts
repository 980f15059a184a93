import { enclosedBy, type Prefix, readPrefix } from "../../address";
import { type NormalizedTopology, surroundingLists } from "../../topology/normalizedTopology";
import { Disruption, type FlowRow, StepTarget } from "../runBook";
import { type Draft, type Transition, draftOf } from "../drafts";
import { portText } from "../../gate/finding";
import { Phase } from "../../requirements/vocabulary";
import { flowKey, type RequiredFlow } from "../../flows/model";
import { podsOnlyAmong, requiredFlows } from "../../flows/required/requiredFlows";

/** Opens what the wanted topology needs in addition to the current one, before anything else; joining nodes have separate steps. */
export function openFlows(transition: Transition): Draft[] {
  const { current, reachable } = transition;
  const flows = flowsOpened(current, { ...reachable, bootstrap: current.bootstrap });
  if (flows.length === 0) return [];
  const settings = openSettings(transition);
  return [
    draftOf({
      id: "open-flows",
      title: "Open what the wanted state needs",
      place: StepTarget.Firewalls,
      disruption: Disruption.None,
      effect: "rules are added, and none is removed",
      actions: firewallActions("Add rules for the flows below", settings),
      flows,
      ...(settings && { settings }),
      verification: [proofCheck("every flow below is proved, and every current flow still is")],
      wayBack: { text: "remove the rules again", patches: [] },
      documents: documentsOf(flows),
    }),
  ];
}

/** Closes what the current topology needs and the wanted one does not, after everything else. */
export function closeFlows(transition: Transition): Draft[] {
  const { current, reachable } = transition;
  const flows = flowsClosed(current, { ...reachable, bootstrap: current.bootstrap });
  if (flows.length === 0) return [];
  const settings = wantedSettings(transition);
  return [
    draftOf({
      id: "close-flows",
      title: "Close what the wanted state does not need",
      place: StepTarget.Firewalls,
      disruption: Disruption.Closes,
      effect: "clients that still use one of the flows below lose access",
      preChecks: [{ what: "the flows below are no longer used: check flow logs" }],
      actions: firewallActions("Remove the rules for the flows below", settings),
      flows,
      ...(settings && { settings }),
      verification: [proofCheck("every flow of the wanted topology is proved")],
      wayBack: { text: "add the rules again: nothing else depends on them", patches: [] },
      documents: documentsOf(flows),
    }),
  ];
}

/** Writes the wanted lists if opening wrote more and no flow closes, so that no other step would write them. */
export function settleLists(transition: Transition): Draft[] {
  if (openFlows(transition).length === 0 || closeFlows(transition).length > 0) return [];
  const [open, wanted] = [openSettings(transition), wantedSettings(transition)];
  const facets = Object.keys(wanted ?? {}).filter((key) => !sameSetting(open?.[key], wanted?.[key]));
  if (facets.length === 0) return [];
  return [
    draftOf({
      id: "wanted-lists",
      title: "Write the wanted lists of CIDR blocks",
      place: StepTarget.Firewalls,
      disruption: Disruption.None,
      effect: "rules whose blocks other rules cover are removed, and no flow closes",
      facets,
      actions: [WRITE_SETTINGS],
      settings: Object.fromEntries(facets.map((key) => [key, wanted?.[key]])),
      verification: [proofCheck("every flow of the wanted topology is proved")],
      wayBack: { text: "write the lists from the step that opened the flows", patches: [] },
      documents: [],
    }),
  ];
}

const WRITE_SETTINGS = "Write the settings below into the topology and apply them with `pulumi up`.";

const proofCheck = (what: string) => ({
  what,
  command: "pulumi preview --json --show-sames | hypershift-network prove - --config hypershift-network.yaml",
});

function firewallActions(first: string, settings: Settings | undefined): string[] {
  return [
    `${first}, also in firewalls that this package does not create.`,
    ...(settings ? [WRITE_SETTINGS] : []),
  ];
}

type List = (typeof surroundingLists)[number];
type Settings = Readonly<Record<string, unknown>>;

/** The lists that differ, with their values during a step. */
function settingsOf(
  { differing }: Transition,
  valueOf: (property: List) => readonly string[],
): Settings | undefined {
  const changed = surroundingLists.filter((property) => differing.includes(property));
  if (changed.length === 0) return undefined;
  return Object.fromEntries(
    changed.map((property) => {
      const value = valueOf(property);
      return [property, value.length > 0 ? value : null];
    }),
  );
}

const openSettings = (transition: Transition) =>
  settingsOf(transition, (property) => union(transition.current, transition.reachable, property));

const wantedSettings = (transition: Transition) =>
  settingsOf(transition, (property) => textsOf(transition.reachable, property));

const textsOf = (topology: NormalizedTopology, property: List): string[] =>
  topology[property].map(({ text }) => text);

const sameSetting = (one: unknown, other: unknown): boolean =>
  JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));

const inOrder = (setting: unknown): unknown =>
  Array.isArray(setting) ? [...(setting as readonly string[])].sort() : setting;

/** The blocks of both. Empty, so that the list is omitted, if the default of an absent list covers all the other's blocks. */
function union(current: NormalizedTopology, wanted: NormalizedTopology, property: List): string[] {
  const both = [current, wanted];
  const written = both.find((topology) => topology[property].length > 0)?.[property] ?? [];
  const absent = both.filter((topology) => topology[property].length === 0);
  const isCovered = both.every(
    (topology) =>
      flowsClosed({ ...topology, [property]: written }, { ...topology, [property]: [] }).length === 0,
  );
  if (absent.length > 0 && isCovered) return [];
  const defaults = absent.flatMap((topology) =>
    flowsClosed(topology, { ...topology, [property]: written }).flatMap(({ peers }) => peers.filter(isBlock)),
  );
  return [...new Set([...both.flatMap((topology) => textsOf(topology, property)), ...defaults])];
}

/** Excludes missing inputs, such as `? externalClientCidrs`. */
const isBlock = (peer: string): boolean => readPrefix(peer) !== undefined;

const documentsOf = (flows: readonly FlowRow[]): string[] => [
  ...new Set(flows.flatMap(({ documents }) => documents)),
];

/**
 * The flows, or their peers, that must be open before what only `before` needs is closed. They include a block that a wider current block
 * covers, if the wider block will be closed.
 */
export const flowsOpened = (before: NormalizedTopology, after: NormalizedTopology): FlowRow[] =>
  flowsBeyond(before, after, (known, wanted) => known.filter(coveredBy(wanted)));

/** The flows, or their peers, that `before` needs and nothing in `after` covers. */
export const flowsClosed = (before: NormalizedTopology, after: NormalizedTopology): FlowRow[] =>
  flowsBeyond(after, before, (known) => known);

/** @param keptOf which known peers of a flow stay open, so that what they cover is left out */
function flowsBeyond(
  before: NormalizedTopology,
  after: NormalizedTopology,
  keptOf: (known: readonly Peer[], all: readonly Peer[]) => readonly Peer[],
): FlowRow[] {
  const was = new Map(requiredFlows(before).map((flow) => [identity(flow), peersOf(flow)]));
  const flows = requiredFlows(after);
  const isPodsOnly = podsOnlyAmong(flows);
  return flows.flatMap((flow): FlowRow[] => {
    const known = was.get(identity(flow));
    const all = peersOf(flow);
    const isKept = known ? coveredBy(keptOf(known, all)) : () => false;
    const peers = all.filter((peer) => !isKept(peer));
    return known && peers.length === 0 ? [] : [rowOf(flow, peers.map(textOf), isPodsOnly(flow))];
  });
}

type Peer = Prefix | string;

const serviceOf = ({ protocol, ports }: RequiredFlow): string =>
  ports ? `${protocol} ${portText(ports)}` : protocol;

const identity = (flow: RequiredFlow): string => `${flowKey(flow)} ${serviceOf(flow)}`;

/** Blocks, and the inputs that would name them. If both are missing, the flow is between hosts of the same group. */
const peersOf = ({ peers }: RequiredFlow): Peer[] =>
  peers.flatMap(({ prefixes, input }): readonly Peer[] => prefixes ?? (input === "" ? [] : [`? ${input}`]));

/** Whether one of the peers contains another peer completely. */
function coveredBy(peers: readonly Peer[]): (peer: Peer) => boolean {
  const texts = new Set(peers.filter((peer) => typeof peer === "string"));
  const isEnclosed = enclosedBy(peers.filter((peer) => typeof peer !== "string"));
  return (peer) => (typeof peer === "string" ? texts.has(peer) : isEnclosed(peer));
}

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
