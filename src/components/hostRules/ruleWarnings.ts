import { Direction, type Role, Zone } from "../../requirements/vocabulary";
import { missingInputs } from "../../topology/missingInputs";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { flowKey, type FlowPeer, type RequiredFlow } from "../../flows/model";
import { PEER_SETS, type PeerReferences, type PeerSetName, peerSetOf, referencesOf } from "./peerSets";
import { Provenance, type ResolvedPeer } from "./rulePeers";
import { isEmpty, type PacketSet } from "../../reachability/packets/packetSet";
import { flowPackets, judgeEnd, seenWith } from "../../reachability/flows/groupFilter";
import type { Filter } from "../../reachability/filters/filter";
import { packetsOf } from "../../reachability/path/duty";
import { excessOf } from "../../reachability/proof/prove";
import { openedText } from "../../securityGroups/rules/portExcess";
import type { Fault } from "../../fault";
import { everyAddress } from "../../flows/peers";
import { packetsOfTraffic } from "../../reachability/filters/traffic";
import { type PlannedRule, type RulePeer, describePeer } from "./plannedRule";
import { grouped } from "../../collections";

type Peers = Readonly<Partial<Record<PeerSetName, PeerReferences>>>;

/** Warnings about what was opened or left closed because inputs are missing, one sentence each. */
export function ruleWarnings(
  topology: NormalizedTopology,
  peers: Peers,
  resolved: readonly ResolvedPeer[],
): string[] {
  const open = resolved.filter(isOpenEnd);
  const mentioned = new Set([
    ...open.map(({ input }) => `topology.${input}`),
    ...inputsWithReferences(peers).map((input) => `topology.${input}`),
  ]);
  const others = missingInputs(topology)
    .filter(({ path }) => !mentioned.has(path))
    .map(({ path, problem, remedy }) => `${path} ${problem}; ${remedy}`);
  const insteadOf = (input: string) => {
    const set = peerSetOf(input);
    return set === undefined ? undefined : `peers.${set}`;
  };
  return [...peerWarnings(resolved, insteadOf), ...others, ...idleReferences(peers, resolved)];
}

/** Warnings about peers that the topology does not state; `insteadOf` names another input that can state them. */
export function peerWarnings(
  resolved: readonly ResolvedPeer[],
  insteadOf: (input: string) => string | undefined = () => undefined,
): string[] {
  const open = resolved.filter(isOpenEnd);
  return [
    ...grouped(open, ({ provenance, input, peers }) =>
      [provenance, input, ...peers.map(describePeer)].join(" "),
    ).values(),
  ].map((same) => peerWarning(same, insteadOf(same[0].input)));
}

function peerWarning(same: readonly [ResolvedPeer, ...ResolvedPeer[]], instead: string | undefined): string {
  const [{ input, provenance, peers }] = same;
  const flows = [...new Set(same.map(({ flow }) => flowKey(flow)))].join(", ");
  const wayOut = `write its CIDR blocks${instead === undefined ? "" : ` or ${instead}`}`;
  const opened = peers.map(describePeer).join(", ");
  switch (provenance) {
    case Provenance.Assumed:
      return `topology.${input} missing: opened for ${opened} instead: ${flows}; ${wayOut}`;
    case Provenance.Group:
      return `topology.${input} missing: opened for the ${opened}, which NAT and PrivateLink hide: ${flows}; ${wayOut}`;
    default:
      if (isToProxy(same[0])) return proxyWarning(same[0]);
      return `topology.${input} missing: no rule for it: ${flows}; ${wayOut}`;
  }
}

/** Whether the topology does not state this end of a flow. */
export const isOpenEnd = ({ provenance }: ResolvedPeer): boolean => provenance !== Provenance.Stated;

/** Whether this end of a flow is a proxy that the topology names. */
export const isToProxy = ({ flow, input }: ResolvedPeer): boolean =>
  flow.peers.some(({ zone, input: of }) => zone === Zone.HttpProxy && of === input);

/** Why no rule can be created for a proxy, and the fix. If the URL is an Output, not even the port is known. */
export function proxyWithoutRule({ flow }: ResolvedPeer): { problem: string; remedy: string } {
  return flow.ports === undefined
    ? {
        problem: "is an Output",
        remedy: `write a rule for it in additionalRules, and ${flowKey(flow)} in disabledRules`,
      }
    : {
        problem: "names a host",
        remedy: "write the address in the URL, or a rule for it in additionalRules",
      };
}

function proxyWarning(end: ResolvedPeer): string {
  const { problem, remedy } = proxyWithoutRule(end);
  return `${end.path} ${problem}: no rule for it: ${flowKey(end.flow)}; ${remedy}`;
}

function inputsWithReferences(peers: Peers): string[] {
  const sets = Object.entries(PEER_SETS) as [PeerSetName, readonly string[]][];
  return sets.flatMap(([set, inputs]) => (referencesOf(set, peers[set] ?? {}).length > 0 ? inputs : []));
}

/** References that no rule uses: the topology has no flow to or from such peers. */
function idleReferences(peers: Peers, resolved: readonly ResolvedPeer[]): string[] {
  const used = new Set(resolved.flatMap((end) => end.peers.flatMap(referencePath)));
  const sets = Object.entries(peers) as [PeerSetName, PeerReferences | undefined][];
  return sets
    .flatMap(([set, references]) => referencesOf(set, references ?? {}))
    .filter(({ path }) => !used.has(path))
    .map(({ path }) => `${path} is not used in any rule: this topology has no flow with such peers`);
}

const referencePath = (peer: RulePeer): string[] => (peer.kind === "reference" ? [peer.reference.path] : []);

/** Prefix lists without a stated number of rules that they count as. */
export function uncountedLists(rules: readonly PlannedRule[]): string[] {
  const paths = rules.flatMap(({ peer }) =>
    peer.kind === "reference" && peer.reference.uncounted ? [peer.reference.path] : [],
  );
  return [...new Set(paths)].map(
    (path) =>
      `${path} without maxEntries: counted as one rule, while AWS counts the list's maximum number of entries for each rule; add maxEntries`,
  );
}

/** The planned filters in front of the hosts of one role, as the resource readers see them. */
export interface PlannedFilters {
  /** The role as findings name it: `control-plane`. */
  role: Role;
  /** The filter that is created for a flow with one of its peers. */
  filterFor: (flow: RequiredFlow, peer: FlowPeer) => Filter;
  /** Everything that is created in one direction. */
  filter: (direction: Direction) => Filter;
  /** Whether the flow passes these filters. */
  isPassedBy: (flow: RequiredFlow) => boolean;
}

/**
 * Checks that the planned filters allow every flow for which they are created, and nothing beyond these flows and what the user
 * declared. Peers that the topology does not state prove nothing: warnings name them.
 */
export function proofFaults(
  places: readonly PlannedFilters[],
  { flows, declared }: RulePurpose,
  topology: NormalizedTopology,
): Fault[] {
  return places.flatMap((place) => {
    const own = flows.filter(place.isPassedBy);
    const asked = declared.filter(({ role }) => role === place.role);
    return [
      ...own.flatMap((flow) => blockedFaults(flow, place, topology)),
      ...Object.values(Direction).flatMap((direction) =>
        beyondFaults(direction, place, own, asked, topology),
      ),
    ];
  });
}

function blockedFaults(
  flow: RequiredFlow,
  { filterFor }: PlannedFilters,
  topology: NormalizedTopology,
): Fault[] {
  return flow.peers
    .filter(({ prefixes }) => prefixes)
    .flatMap((one) => {
      // A peer assumed because a property is missing is opened, and must be.
      const peer = { ...one, assumed: false };
      const seen = seenWith(flow, peer, everyAddress(topology));
      const { blocked } = judgeEnd(packetsOf(seen), peer, [filterFor(flow, peer)]);
      if (isEmpty(blocked)) return [];
      const what = openedText(blocked, flow.direction, blocked);
      return [
        {
          path: "rules",
          problem: `of ${flowKey(flow)} would not allow ${what}`,
          remedy: `this is a bug in hypershift-network: report it with the topology; with disabledRules: [${flowKey(flow)}] the other rules are created`,
        },
      ];
    });
}

function beyondFaults(
  direction: Direction,
  { role, filter }: PlannedFilters,
  flows: readonly RequiredFlow[],
  declared: readonly Declared[],
  topology: NormalizedTopology,
): Fault[] {
  const wanted = [
    ...flows.filter((flow) => flow.direction === direction).map((flow) => flowPackets(flow, topology)),
    ...declared.filter((one) => one.direction === direction).map(({ packets }) => packets()),
  ];
  return excessOf(wanted, [filter(direction)]).map(({ clause, packets }) => ({
    path: "rules",
    problem: `of ${role} ${direction} would allow ${openedText(packets, direction, clause?.sure ?? packets)}, which no flow and no additional rule requires`,
    remedy: "this is a bug in hypershift-network: report it with the topology",
  }));
}

/** What rules are created for. */
export interface RulePurpose {
  flows: readonly RequiredFlow[];
  /** What must also be open: `additionalRules`, `callers`. */
  declared: readonly Declared[];
}

/** Packets that must be allowed although no flow needs them. */
export interface Declared {
  role: Role;
  direction: Direction;
  packets: () => PacketSet;
}

/** The packets that a user's rule allows, to the extent that its block is known. */
export const declaredBy = ({ role, direction, protocol, ports, peer }: PlannedRule): Declared => ({
  role,
  direction,
  packets: () => {
    const prefixes = peer.kind === "prefix" ? [peer.prefix] : [];
    const ends = direction === Direction.Ingress ? { sources: prefixes } : { destinations: prefixes };
    return packetsOfTraffic({ protocol, ...(ports && { ports }) }, ends);
  },
});
