import { type JudgedCluster, objectOf, placesOf } from "../../gate/clusters";
import { hostOf, prefixText } from "../../gate/finding";
import type { JudgedResources } from "../../gate/judgedResources";
import { type Judgement, Level, unknown, violated } from "../../gate/rule";
import { settledJourneys } from "../../flows/journeys";
import { isListed } from "../../flows/serviceJourneys";
import {
  ALLOWED_LIST,
  type AllowedBlocks,
  type Surroundings,
  surroundingsOf,
} from "../../flows/surroundings";
import { type Caller, callersOf, inVain, leftOut } from "../../hostedCluster/allowedCidrBlocks";
import { type Guards, judgeJourney } from "../../reachability/path/judge";
import { Proof } from "../../reachability/proof/prove";
import { describeReference } from "../../requirements/documents";
import { ALLOWED_BLOCKS, keepsOthersOut } from "../../requirements/platforms";
import { EndpointAccess, Service } from "../../requirements/vocabulary";
import { UNKNOWN } from "../../resources/resource";
import { isUnknown, type NormalizedTopology } from "../../topology/normalizedTopology";
import { dialledPorts } from "../../topology/publishing";

const PATH = `spec.${ALLOWED_LIST}`;

/**
 * Whom the allow list of a HostedCluster leaves out although a documented flow, or the control plane's own call, comes from
 * there: an error where the platform's load balancers surely keep them out, a warning where they may.
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
    documents: ALLOWED_BLOCKS.documents.map(describeReference),
  };
  const found = [
    ...keptOutFlows(topology, surroundings),
    ...callers.flatMap((caller) => keptOutCaller(topology, caller, allowedBlocks)),
    ...listInVain(topology),
  ];
  return [...found.map((one) => violated({ ...at, ...one })), ...open];
}

/** What a finding on a list adds to where that is. */
type Kept = Pick<Judgement, "message" | "code" | "level" | "flow" | "witness" | "fix">;

const LEFT_OUT = { code: "allowed-blocks-leave-out" } as const;
const PERHAPS = { code: "allowed-blocks-may-leave-out", level: Level.Warning } as const;

/** Only the list is asked: what stands at other places, others judge. */
const NO_GUARDS: Guards = { hosts: () => [], pods: () => [], namespaces: () => [] };

function keptOutFlows(topology: NormalizedTopology, surroundings: Surroundings): Kept[] {
  return settledJourneys(topology, surroundings).flatMap((journey): Kept[] => {
    const hops = journey.hops.filter(({ kind }) => kind === "balancer");
    const { guards } =
      hops.length > 0 ? judgeJourney({ ...journey, hops, missing: [] }, NO_GUARDS) : { guards: [] };
    const dropped = guards.flatMap(({ verdict }) => (verdict.proof === Proof.Refuted ? [verdict] : []));
    return [
      ...dropped.map(({ packet }) => ({
        ...LEFT_OUT,
        flow: [journey.key],
        message: `${journey.title}: the load balancer keeps out ${packet.source}, which ${ALLOWED_LIST} leaves out`,
        witness: `${packet.source} -> load balancer, TCP ${packet.port}`,
        fix: `add the block of ${packet.source} to ${ALLOWED_LIST}`,
      })),
      ...journey.missing
        .filter(({ input, add }) => input === ALLOWED_LIST && add !== undefined)
        .map(({ add = "" }) => ({
          ...PERHAPS,
          message: `${journey.title}: ${ALLOWED_LIST} leaves out ${add}, and load balancers may keep them out`,
          fix: `add ${add} to ${ALLOWED_LIST}`,
        })),
    ];
  });
}

/** Whether the API server stands behind public load balancers that have the list. */
function hasList(topology: NormalizedTopology): boolean {
  const service = Service.APIServer;
  const { type } = topology.services[service];
  const isPrivate = topology.endpointAccess === EndpointAccess.Private;
  return type !== undefined && isListed({ topology, service, type, isPrivate });
}

/** A caller that no documented flow comes from. */
function keptOutCaller(
  topology: NormalizedTopology,
  caller: Caller,
  { blocks }: Exclude<AllowedBlocks, typeof UNKNOWN>,
): Kept[] {
  const out = hasList(topology) ? leftOut(caller, blocks) : [];
  const [first] = out;
  if (!first) return [];
  const add = prefixText(out, out.length);
  const isSure = keepsOthersOut(topology.platform, topology.loadBalancerTargets);
  const keeps = isSure
    ? `the load balancer keeps out ${add}, which ${ALLOWED_LIST} leaves out`
    : `${ALLOWED_LIST} leaves out ${add}, and load balancers may keep them out`;
  const port = dialledPorts(topology, Service.APIServer)?.from;
  return [
    {
      ...(isSure ? LEFT_OUT : PERHAPS),
      message: `The control plane calls its API server from ${caller.who}: ${keeps}. ${caller.without}`,
      fix: `add ${add} to ${ALLOWED_LIST}`,
      ...(isSure && { witness: `${hostOf(first)} -> load balancer, TCP ${port}` }),
    },
  ];
}

/** A list that restricts nobody at the API server. */
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

/** Whether the list has a caller is unknown where his addresses are, or where some of its blocks are. */
function undecided(
  cluster: JudgedCluster,
  topology: NormalizedTopology,
  { property, prefixes }: Caller,
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
