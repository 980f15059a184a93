import { Direction, oppositeDirection, EndpointAccess, Service } from "../../requirements/vocabulary";
import { describeServices } from "../../reachability/packets/service";
import { read } from "../../resources/read";
import { type Origin, type Resource, UNKNOWN } from "../../resources/resource";
import { flowKey, type FlowPeer, type RequiredFlow } from "../../flows/model";
import { type PacketPart, servicesText } from "../../gate/refutedFlows";
import { type JudgedCluster, objectOf, placesOf } from "../../gate/clusters";
import { describeResource, type Judgement, violated, Level, unknown } from "../../gate/rule";
import { exampleHost, HOSTS, prefixText, zoneText } from "../../gate/finding";
import type { EndVerdict } from "../../reachability/flows/groupFilter";
import { nameOfAcl } from "../../reachability/path/guards";
import type { NetworkAcl } from "../../resources/networkAcls";
import type { JudgedResources } from "../../gate/judgedResources";
import { settledJourneys } from "../../flows/journeys";
import { isAnybodyKeptOut, isListed } from "../../flows/serviceJourneys";
import {
  ALLOWED_LIST,
  type AllowedBlocks,
  type Surroundings,
  surroundingsOf,
} from "../../flows/surroundings";
import { type ListedClient, callersOf, inVain, leftOut } from "../../hostedCluster/allowedCidrBlocks";
import { type Guards, judgeJourney } from "../../reachability/path/judge";
import { Proof } from "../../reachability/proof/prove";
import { describeReference } from "../../requirements/documents";
import { ALLOWED_BLOCKS_DECISION, keepsOthersOut } from "../../requirements/platforms";
import { isUnknown, type NormalizedTopology } from "../../topology/normalizedTopology";
import { dialledPorts } from "../../topology/publishing";
import { readings } from "../../topology/readings";

/** A flow with one of its peers, and the cluster that needs it. */
export interface Peering {
  flow: RequiredFlow;
  peer: FlowPeer;
  cluster: JudgedCluster;
}

/** The groups that must allow a flow. */
export interface MissingAt {
  /** The group at which findings are shown. */
  holder: Origin;
  /** The components that created the groups or their rules. */
  components: readonly Resource[];
}

/** The finding for a flow that no rule of the hosts' groups allows, at some ports to or from some addresses. */
export function missingFinding(
  peering: Peering,
  at: MissingAt,
  part: PacketPart,
  refuted: readonly string[],
): Judgement {
  const { flow } = peering;
  const { them, us, what, witness } = wordsOf(peering, part);
  const isIngress = flow.direction === Direction.Ingress;
  const leaver = disabler(flow, at.components);
  const blocked = isIngress ? `${them} reach ${us} at ${what}` : `${us} reach ${them} at ${what}`;
  return violated({
    resource: at.holder,
    path: flow.direction,
    message: [
      `no rule lets ${blocked}${peering.peer.prefixes ? "" : ", whatever the addresses"}`,
      flow.purpose,
      ...(leaver
        ? [`${describeResource(leaver)} leaves it out: its disabledRules contain ${flowKey(flow)}`]
        : []),
    ].join(". "),
    witness,
    fix: leaver
      ? `remove ${flowKey(flow)} from disabledRules, or allow ${what} by another group of these hosts`
      : wayOut(peering, what, part),
    requirement: flow.requirement,
    documents: flow.documents,
    // If no flow is refuted, the missing packets are in the documents' tables but are not seen by any host.
    code: refuted.length > 0 ? "flow-not-allowed" : "documented-not-allowed",
    ...namedFlows(peering, refuted),
  });
}

/** The fields of a finding that name the cluster, the refuted flows of `prove`, and the hop. */
const namedFlows = ({ flow, cluster }: Peering, refuted: readonly string[]) => ({
  cluster: cluster.key,
  ...(refuted.length > 0 && { flow: refuted }),
  hop: flowKey(flow),
});

/** The words for a dropped part of a flow, or of the answers to it, in a direction. */
export function wordsOf(
  { flow, peer, cluster }: Peering,
  { services, prefixes }: PacketPart,
  direction = flow.direction,
) {
  const [first] = peer.prefixes ? prefixes : [];
  const zone = zoneText(peer.zone);
  const host = first ? exampleHost(first) : "any address";
  const port = flow.ports
    ? describeServices({ from: services[0]!.from, to: services[0]!.from })[0]
    : flow.protocol;
  return {
    /** `workers 10.0.0.0/16` */
    them: first ? `${zone} ${prefixText(prefixes)}` : zone,
    /** `control-plane hosts of clusters/tenant-a` */
    us: `${HOSTS[flow.role]} of ${cluster.key}`,
    /** `TCP 443, TCP 6443` */
    what: servicesText(services),
    witness:
      direction === Direction.Ingress
        ? `${host} -> ${HOSTS[flow.role]}, ${port}`
        : `${HOSTS[flow.role]} -> ${host}, ${port}`,
  };
}

function wayOut({ flow, peer }: Peering, what: string, { prefixes }: PacketPart): string {
  const side = flow.direction === Direction.Ingress ? "from" : "to";
  return peer.prefixes
    ? `allow ${what} ${side} ${prefixText(prefixes)}; HostedControlPlaneSecurityGroups creates this rule`
    : `allow ${what} ${side} ${zoneText(peer.zone)}, and write the CIDR blocks as ${peer.input} of the topology; HostedControlPlaneSecurityGroups then creates this rule`;
}

/** The component whose `disabledRules` excludes a flow. */
const disabler = (flow: RequiredFlow, components: readonly Resource[]): Resource | undefined =>
  components.find(({ properties }) =>
    read(properties, "disabledRules[]").some(({ value }) => value === flowKey(flow)),
  );

/** The packets of a flow, or the answers to them. */
export type FlowHalf = "calls" | "answers";

/** The finding for a flow that a network ACL of the hosts drops, or whose answers it drops: ACLs are stateless. */
export function blockedByAcl(
  peering: Peering,
  acl: NetworkAcl,
  asked: FlowHalf,
  { decision }: EndVerdict,
  part: PacketPart,
  refuted: readonly string[],
): Judgement {
  const { flow, peer } = peering;
  const isInbound = flow.direction === Direction.Ingress;
  const direction = asked === "calls" ? flow.direction : oppositeDirection(flow.direction);
  const { them, us, what, witness } = wordsOf(peering, part, direction);
  const clause = decision?.clause;
  const rule = acl.rules.find(({ resource, path }) => resource === clause?.resource && path === clause.path);
  const [from, to] = isInbound ? [them, us] : [us, them];
  const dropped =
    asked === "calls"
      ? `packets from ${from} to ${to} at ${what}`
      : `the answers from ${to} to ${from} at ${what}`;
  // A rule with an unknown number decides nothing.
  const number = String(rule?.number);
  const why = rule ? `rule ${number} denies it` : "no rule allows it";
  const before = rule ? `, with a number below ${number}` : "";
  const side = direction === Direction.Ingress ? "inbound" : "outbound";
  const peers = peer.prefixes ? prefixText(part.prefixes) : them;
  return violated({
    code: asked === "calls" ? "acl-drops-flow" : "acl-drops-answers",
    ...namedFlows(peering, refuted),
    resource: (clause?.resource ?? acl.resource)?.origin ?? {},
    path: clause?.path === undefined || clause.path === "" ? direction : clause.path,
    message: `${nameOfAcl(acl)} drops ${dropped}: ${why}. ${flow.purpose}`,
    witness: asked === "calls" ? witness : `${witness}, an answer`,
    fix: `allow ${what} ${direction === Direction.Ingress ? "from" : "to"} ${peers} in its ${side} rules${before}; HostedControlPlaneNetworkAcls creates rules for flows and their answers`,
    requirement: flow.requirement,
    documents: flow.documents,
  });
}

const PATH = `spec.${ALLOWED_LIST}`;

/**
 * Sources of documented flows, or of the control plane's own calls, that the allow list of a HostedCluster leaves out: an error
 * if the platform's load balancers certainly block them, a warning if they may.
 */
export function keptOutByLists(judged: JudgedResources, cluster: JudgedCluster): Judgement[] {
  const { topology, partial } = cluster;
  if (!topology || partial) return [];
  const surroundings = surroundingsOf(judged.index, topology, judged.configuredGroups);
  const { allowedBlocks } = surroundings;
  if (allowedBlocks === undefined) return [];
  const callers = callersOf(topology).filter(({ isFlow }) => !isFlow);
  const open = callers.flatMap((caller) => undecided(cluster, topology, caller, allowedBlocks));
  if (allowedBlocks === UNKNOWN) return open;
  const at = {
    resource: allowedBlocks.listedBy.origin,
    path: PATH,
    cluster: cluster.key,
    hop: "load-balancer/allow-list",
    documents: ALLOWED_BLOCKS_DECISION.documents.map(describeReference),
  };
  const found = [
    ...keptOutFlows(topology, surroundings),
    ...callers.flatMap((caller) => keptOutCaller(topology, caller, allowedBlocks)),
    ...listInVain(topology),
  ];
  return [...found.map((one) => violated({ ...at, ...one })), ...open];
}

/** What a finding on an allow list adds to the list's place. */
type Kept = Pick<Judgement, "message" | "code" | "level" | "flow" | "witness" | "fix">;

const LEFT_OUT = { code: "allowed-blocks-leave-out" } as const;
const PERHAPS = { code: "allowed-blocks-may-leave-out", level: Level.Warning } as const;

/** No other guards: only the allow list is judged here. */
const NO_GUARDS: Guards = { hosts: () => [], pods: () => [], namespaces: () => [] };

function keptOutFlows(topology: NormalizedTopology, surroundings: Surroundings): Kept[] {
  if (!readings(topology).some((one) => isAnybodyKeptOut(one.topology, surroundings))) return [];
  return settledJourneys(topology, surroundings).flatMap((journey): Kept[] => {
    const hops = journey.hops.filter(({ kind }) => kind === "balancer");
    const { guards } =
      hops.length > 0 ? judgeJourney({ ...journey, hops, missing: [] }, NO_GUARDS) : { guards: [] };
    const dropped = guards.flatMap(({ verdict }) => (verdict.proof === Proof.Refuted ? [verdict] : []));
    return [
      ...dropped.map(({ packet }) => ({
        ...LEFT_OUT,
        flow: [journey.key],
        message: `${journey.title}: the load balancer blocks ${packet.source}, which ${ALLOWED_LIST} does not list`,
        witness: `${packet.source} -> load balancer, TCP ${packet.port}`,
        fix: `add the block of ${packet.source} to ${ALLOWED_LIST}`,
      })),
      ...journey.missing
        .filter(({ input, add }) => input === ALLOWED_LIST && add !== undefined)
        .map(({ add = "" }) => ({
          ...PERHAPS,
          message: `${journey.title}: ${ALLOWED_LIST} does not list ${add}, and load balancers may block them`,
          fix: `add ${add} to ${ALLOWED_LIST}`,
        })),
    ];
  });
}

/** Whether the API server is behind public load balancers that apply the list. */
function hasList(topology: NormalizedTopology): boolean {
  const service = Service.APIServer;
  const { type } = topology.services[service];
  const isPrivate = topology.endpointAccess === EndpointAccess.Private;
  return type !== undefined && isListed({ topology, service, type, isPrivate });
}

/** Findings for a caller that is not the source of a documented flow. */
function keptOutCaller(
  topology: NormalizedTopology,
  caller: ListedClient,
  { blocks }: Exclude<AllowedBlocks, typeof UNKNOWN>,
): Kept[] {
  const out = hasList(topology) ? leftOut(caller, blocks) : [];
  const [first] = out;
  if (!first) return [];
  const add = prefixText(out, out.length);
  const isSure = keepsOthersOut(topology.platform, topology.loadBalancerTargets);
  const keeps = isSure
    ? `the load balancer blocks ${add}, which ${ALLOWED_LIST} does not list`
    : `${ALLOWED_LIST} does not list ${add}, and load balancers may block them`;
  const port = dialledPorts(topology, Service.APIServer)?.from;
  return [
    {
      ...(isSure ? LEFT_OUT : PERHAPS),
      message: `The control plane calls its API server from ${caller.who}: ${keeps}. ${caller.without}`,
      fix: `add ${add} to ${ALLOWED_LIST}`,
      ...(isSure && { witness: `${exampleHost(first)} -> load balancer, TCP ${port}` }),
    },
  ];
}

/** Findings for a list without effect at the API server. */
function listInVain(topology: NormalizedTopology): Kept[] {
  const fault = inVain(topology);
  return fault
    ? [
        {
          code: "allowed-blocks-without-effect",
          level: Level.Warning,
          message: fault.problem,
          fix: fault.remedy,
        },
      ]
    : [];
}

/** Whether the list contains a caller is unknown if the caller's addresses or some blocks of the list are unknown. */
function undecided(
  cluster: JudgedCluster,
  topology: NormalizedTopology,
  { property, prefixes }: ListedClient,
  allowed: AllowedBlocks,
): Judgement[] {
  if (!hasList(topology)) return [];
  if (isUnknown(topology, property))
    return placesOf(cluster, property).map(({ resource, path }) => unknown({ resource, path }));
  const object = objectOf(cluster);
  return allowed === UNKNOWN && object && prefixes.length > 0
    ? [unknown({ resource: object, path: PATH })]
    : [];
}
