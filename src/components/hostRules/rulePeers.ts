import { parsePrefix } from "../../address/parse";
import type { Fault } from "../../fault";
import { from } from "../../objects/places";
import { elsewhere, type Fields } from "../../objects/shape";
import type { PropertyMap } from "../../resources/read";
import { type GivenValue, type Known, plainNumber } from "./givenValues";
import {
  listWeight,
  nameOfPeer,
  type PeerReferences,
  type PeerSetName,
  peerSetOf,
  type Reference,
  referencesOf,
} from "./peerSets";
import { AddressFamily, Direction, Platform, Role, Zone } from "../../requirements/vocabulary";
import { type FlowPeer, type RequiredFlow, View } from "../../flows/model";
import { type BlockPeer, type RulePeer, describePorts, type PlannedRule, peerOfBlock } from "./plannedRule";
import { isGiven } from "../../resources/read";
import { grouped } from "../../collections";

/** The peer of a rule as users write it: exactly one of the three is given. */
export interface GivenPeer {
  cidr?: Known<string>;
  securityGroupId?: Known<string>;
  prefixListId?: Known<string>;
  /** How many entries the prefix list may have. */
  maxEntries?: number;
  /** The family of a block that is not known yet. */
  family?: AddressFamily | null;
  /** The previous key of the rule. */
  formerKey?: string | null;
}

export type PeerKind = "cidr" | "securityGroupId" | "prefixListId";
const PEER_KINDS: readonly PeerKind[] = ["cidr", "securityGroupId", "prefixListId"];

/** The peer, planned. Call it only if the peer has no faults. Resources are named after what it is a peer of, and its key. */
export function rulePeerOf(path: string, of: string, key: string, peer: GivenPeer): RulePeer {
  const { cidr, securityGroupId, prefixListId, maxEntries, formerKey } = peer;
  const family = peer.family === AddressFamily.IPv6 ? 6 : 4;
  if (isGiven(cidr)) {
    const { prefix } = parsePrefix(cidr);
    const name = nameOfPeer(of, key, formerKey);
    return prefix
      ? { kind: "prefix", prefix, name }
      : { kind: "eventual", path: `${path}.cidr`, ...name, family };
  }
  const isGroup = isGiven(securityGroupId);
  const id = isGroup ? securityGroupId : prefixListId;
  return {
    kind: "reference",
    reference: {
      kind: isGroup ? "securityGroup" : "prefixList",
      path: `${path}.${isGroup ? "securityGroupId" : "prefixListId"}`,
      ...nameOfPeer(`${isGroup ? "sg" : "pl"}-${of}`, key, formerKey),
      text: `${isGroup ? "security group" : "prefix list"} of ${path}`,
      ...(typeof id === "string" ? { id } : {}),
      ...(isGroup ? { weight: 1 } : listWeight(maxEntries)),
    },
  };
}

/** The properties of a peer; ids and CIDR blocks are judged when they are known. */
export const givenPeer: Fields = {
  cidr: elsewhere,
  securityGroupId: elsewhere,
  prefixListId: elsewhere,
  maxEntries: plainNumber(from(1)),
};

/** The fault of no peer or several peers in one place. */
export function onePeer(path: string, peer: PropertyMap): Fault[] {
  const given = PEER_KINDS.filter((name) => isGiven(peer[name]));
  if (given.length === 1) return [];
  const problem = given.length === 0 ? "has no peer" : `has ${given.length} peers: ${given.join(", ")}`;
  return [{ path, problem, remedy: `write exactly one of ${PEER_KINDS.join(", ")}` }];
}

/** What decides which peers a flow's rules get, in addition to the flow itself. */
export interface PeerChoice {
  peers: Readonly<Partial<Record<PeerSetName, PeerReferences>>>;
  /** Whether the workers can carry a security group that rules of the control-plane hosts refer to. */
  workersCarryGroup: boolean;
}

/** How an end of a flow got its peers. */
export enum Provenance {
  /** From the topology and the references. */
  Stated = "stated",
  /** CIDR blocks opened because a topology property is missing. */
  Assumed = "assumed",
  /** The component's own security group, because a topology property is missing. */
  Group = "group",
  /** No peer, because a topology property is missing. */
  Missing = "missing",
}

/** One end of a flow with the peers that its rules get. */
export interface ResolvedPeer {
  flow: RequiredFlow;
  /** The topology property that states the addresses. */
  input: string;
  /** The path of that property: `topology.workerCidrs`. */
  path: string;
  provenance: Provenance;
  peers: readonly RulePeer[];
}

/** Platforms whose workers may be EC2 instances that can reach the management cluster's VPC. */
export const WORKERS_ON_EC2: readonly Platform[] = [Platform.AWS, Platform.Agent, Platform.None];

/** Whether rules of the control-plane hosts can refer to the workers' security group. */
export function workersCarryGroup(platform: Platform, workersElsewhere: boolean): boolean {
  return WORKERS_ON_EC2.includes(platform) && !workersElsewhere;
}

/** The peers of a flow for which rules are created: those of the topology, and those that only references name. */
export function resolvePeers(flow: RequiredFlow, choice: PeerChoice): ResolvedPeer[] {
  const known = new Set(flow.peers.map(({ input }) => input));
  const referred = translatedPeers(flow).filter(
    ({ input }) => !known.has(input) && referencesFor(input, choice).length > 0,
  );
  return [...flow.peers, ...referred].map((peer) => resolvePeer(flow, peer, choice));
}

/**
 * Peers that reach a host through NAT and load balancers, if workers do so: a topology that does not state their addresses has
 * none of them.
 */
function translatedPeers({ role, direction, view, publicAllowed, peers }: RequiredFlow): FlowPeer[] {
  if (role !== Role.ControlPlane || direction !== Direction.Ingress || view !== View.Hop) return [];
  if (!peers.some(({ zone }) => zone === Zone.Workers)) return [];
  return [
    { zone: Zone.Workers, input: "workerNatCidrs" },
    { zone: Zone.LoadBalancers, input: "loadBalancerSubnetCidrs" },
    ...(publicAllowed ? [{ zone: Zone.ExternalClients, input: "externalClientCidrs" }] : []),
  ];
}

/** Resolves a peer to CIDR blocks and references or, if there are none, to the component's own security group. */
function resolvePeer(flow: RequiredFlow, peer: FlowPeer, choice: PeerChoice): ResolvedPeer {
  const { zone, input, prefixes = [], assumed = false } = peer;
  const resolved = (provenance: Provenance, peers: readonly RulePeer[]) => ({
    flow,
    input,
    path: `topology.${input}`,
    provenance,
    peers,
  });
  if (zone === Zone.SameSecurityGroup) return resolved(Provenance.Stated, [ownGroup(flow.role)]);
  const references = referencesFor(input, choice).map((reference): RulePeer => ({
    kind: "reference",
    reference,
  }));
  if (references.length > 0 && assumed) return resolved(Provenance.Stated, references);
  const blocks = prefixes.map(peerOfBlock);
  if (blocks.length + references.length > 0) {
    return resolved(assumed ? Provenance.Assumed : Provenance.Stated, [...blocks, ...references]);
  }
  const group = groupFor(peer, choice);
  return group ? resolved(Provenance.Group, [ownGroup(group)]) : resolved(Provenance.Missing, []);
}

function referencesFor(input: string, { peers }: PeerChoice): Reference[] {
  const set = peerSetOf(input);
  return set === undefined ? [] : referencesOf(set, peers[set] ?? {});
}

/** The component's security group whose members are the peer, if that is certain. */
function groupFor({ zone, input }: FlowPeer, choice: PeerChoice): Role | undefined {
  if (zone === Zone.ManagementKubelet) return Role.ControlPlane;
  if (!choice.workersCarryGroup) return undefined;
  if (zone === Zone.Workers && input === "workerCidrs") return Role.Workers;
  return zone === Zone.ControlPlane && input === "managementClusterCidrs" ? Role.ControlPlane : undefined;
}

const ownGroup = (role: Role): RulePeer => ({ kind: "group", role });

/** Faults of blocks from other resources that turn out not to have the family for which their rules were created. */
export function otherFamilyFaults(rules: readonly PlannedRule[], given: readonly GivenValue[]): Fault[] {
  const values = new Map(given.map(({ path, value }) => [path, value]));
  const peers = new Map(rules.map(({ peer }) => [peer.kind === "eventual" ? peer.path : "", peer]));
  return [...peers.values()].flatMap((peer) => {
    if (peer.kind !== "eventual" || peer.standIn) return [];
    const { prefix } = parsePrefix(values.get(peer.path));
    if (!prefix || prefix.family === peer.family) return [];
    const problem = `${prefix.text} is IPv${prefix.family}, and its rules are IPv${peer.family}`;
    return [{ path: peer.path, problem, remedy: `add family: IPv${prefix.family}` }];
  });
}

/** Faults of sources that would open a port to everybody that must not be open to everybody. */
export function publicFaults(resolved: readonly ResolvedPeer[]): Fault[] {
  const opened = resolved
    .filter(({ flow }) => flow.direction === Direction.Ingress && !flow.publicAllowed)
    .flatMap(({ flow, path, peers }) =>
      peers.flatMap((peer) => (isEverybody(peer) ? [{ flow, path, block: peer.prefix.text }] : [])),
    );
  return [...grouped(opened, ({ path, block }) => `${path} ${block}`).values()].map((same) => {
    const [{ path, block }] = same;
    const flows = same.map(({ flow }) => `${flow.key} (${flow.protocol} ${describePorts(flow.ports)})`);
    return {
      path,
      problem: `${block} would open ${flows.join(", ")} to everybody`,
      remedy: "write the CIDR blocks of those who need it",
    };
  });
}

function isEverybody(peer: RulePeer): peer is BlockPeer {
  return peer.kind === "prefix" && peer.prefix.length === 0;
}
