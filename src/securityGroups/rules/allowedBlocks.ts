import { ALLOWED_LIST, settledJourneys, surroundingsOf } from "../../flows";
import { judgeJourney, type Guards } from "../../reachability/path";
import { Proof } from "../../reachability/proof/prove";
import { ALLOWED_BLOCKS, describeReference } from "../../requirements";
import { UNKNOWN } from "../../resources/resource";
import type { JudgedCluster } from "../../gate/clusters";
import type { JudgedResources } from "../../gate/judgedResources";
import { Level, violated, type Judgement } from "../../gate/rule";

/** Only the list is asked: what stands at other places, others judge. */
const NO_GUARDS: Guards = { hosts: () => [], pods: () => [], namespaces: () => [] };

/**
 * Whom the allow list of a HostedCluster leaves out although a documented flow comes from there: an error where the platform's
 * load balancers surely keep them out, a warning where they may.
 */
export function keptOutByLists(
  judged: JudgedResources,
  { key, topology, partial }: JudgedCluster,
): Judgement[] {
  if (!topology || partial) return [];
  const surroundings = surroundingsOf(judged.index, topology);
  const { allowedBlocks } = surroundings;
  if (allowedBlocks === undefined || allowedBlocks === UNKNOWN) return [];
  const at = {
    resource: allowedBlocks.listedBy.origin,
    path: `spec.${ALLOWED_LIST}`,
    cluster: key,
    hop: "load-balancer/allow-list",
    documents: ALLOWED_BLOCKS.documents.map(describeReference),
  };
  return settledJourneys(topology, surroundings).flatMap((journey) => {
    const hops = journey.hops.filter(({ kind }) => kind === "balancer");
    const { guards } = judgeJourney({ ...journey, hops, missing: [] }, NO_GUARDS);
    const dropped = guards.flatMap(({ verdict }) => (verdict.proof === Proof.Refuted ? [verdict] : []));
    return [
      ...dropped.map(({ packet }) =>
        violated({
          ...at,
          code: "allowed-blocks-leave-out",
          flow: [journey.key],
          message: `${journey.title}: the load balancer keeps out ${packet.source}, which ${ALLOWED_LIST} leaves out`,
          witness: `${packet.source} -> load balancer, TCP ${packet.port}`,
          fix: `add the block of ${packet.source} to ${ALLOWED_LIST}`,
        }),
      ),
      ...journey.missing
        .filter(({ input, add }) => input === ALLOWED_LIST && add !== undefined)
        .map(({ add = "" }) =>
          violated({
            ...at,
            code: "allowed-blocks-may-leave-out",
            level: Level.Warning,
            message: `${journey.title}: ${ALLOWED_LIST} leaves out ${add}, and load balancers may keep them out`,
            fix: `add ${add} to ${ALLOWED_LIST}`,
          }),
        ),
    ];
  });
}
