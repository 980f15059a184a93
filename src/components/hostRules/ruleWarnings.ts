import { Zone } from "../../requirements/vocabulary";
import { missingInputs } from "../../topology/missingInputs";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { flowKey } from "../../flows/model";
import { grouped } from "./grouped";
import { PEER_SETS, peerSetOf, referencesOf, type PeerReferences, type PeerSetName } from "./peerSets";
import { describePeer, type PlannedRule, type RulePeer } from "./plannedRule";
import { Provenance, type ResolvedPeer } from "./rulePeers";

type Peers = Readonly<Partial<Record<PeerSetName, PeerReferences>>>;

/** What was opened or left closed because the inputs do not say more, one sentence for each of them. */
export function ruleWarnings(
  topology: NormalizedTopology,
  peers: Peers,
  resolved: readonly ResolvedPeer[],
): string[] {
  const open = resolved.filter(({ provenance }) => provenance !== Provenance.Stated);
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

/** Ends of flows that the topology does not say; `insteadOf` names what else could say them. */
export function peerWarnings(
  resolved: readonly ResolvedPeer[],
  insteadOf: (input: string) => string | undefined = () => undefined,
): string[] {
  const open = resolved.filter(({ provenance }) => provenance !== Provenance.Stated);
  return grouped(open, ({ provenance, input, peers }) =>
    [provenance, input, ...peers.map(describePeer)].join(" "),
  ).map((same) => peerWarning(same, insteadOf(same[0].input)));
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
      if (same[0].flow.peers.some(({ zone, input: of }) => zone === Zone.HttpProxy && of === input))
        return `topology.${input} names a host: no rule for it: ${flows}; write the address in the URL, or a rule for it in additionalRules`;
      return `topology.${input} missing: no rule for it: ${flows}; ${wayOut}`;
  }
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
    .map(({ path }) => `${path} is in no rule: this topology has no flow of such peers`);
}

const referencePath = (peer: RulePeer): string[] => (peer.kind === "reference" ? [peer.reference.path] : []);

/** Prefix lists for which it is not stated how often their rules count. */
export function uncountedLists(rules: readonly PlannedRule[]): string[] {
  const paths = rules.flatMap(({ peer }) =>
    peer.kind === "reference" && peer.reference.uncounted ? [peer.reference.path] : [],
  );
  return [...new Set(paths)].map(
    (path) =>
      `${path} without maxEntries: counted as one rule, while AWS counts the list's maximum number of entries for each rule; write maxEntries beside it`,
  );
}
