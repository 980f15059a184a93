import type { InternalSubnetProperty } from "../../requirements/internalSubnets";
import { LiveStatus, type LiveCheck } from "../liveCheck";
import type { LiveCluster, LiveObject } from "../liveCluster";
import { until, type Waiting } from "../until";
import { ROLL_OUT_PATH, rollOutCheck } from "./daemonSet";
import { areSilent, NODES_PATH, nodesCheck } from "./nodes";
import { OPERATOR_PLACE, settingCheck, type WantedSubnets } from "./settings";

export const OPERATOR_PATH = "/apis/operator.openshift.io/v1/networks/cluster";

/** What is looked at of a roll-out. */
export interface RollOutQuestion {
  /** What the subnets have to be. */
  wanted: WantedSubnets;
  /** The generation of ovnkube-node before the change. Absent: any that is rolled out counts. */
  since?: number | undefined;
}

/** The wanted subnets, one by one. */
export const entriesOf = (wanted: WantedSubnets): [InternalSubnetProperty, string][] =>
  Object.entries(wanted) as [InternalSubnetProperty, string][];

/**
 * Whether a change of the internal subnets has arrived in a hosted cluster: in its Network operator, with every pod of
 * ovnkube-node, and at the nodes. Each look asks for all of it: what is complete at one moment may be so because the change
 * has not come that far. Nodes of releases that do not write their addresses are no obstacle where the generation is newer than one
 * from before the change.
 *
 * @throws LiveFault where the cluster does not answer, or refuses
 */
export async function rollOutChecks(
  hosted: LiveCluster,
  question: RollOutQuestion,
  waiting: Waiting,
): Promise<RolledOut> {
  return until(
    () => look(hosted, question, () => waiting.now() >= waiting.deadline),
    waiting,
    ({ isUnsaid }) => isUnsaid,
  );
}

/** All checks at one moment. */
export interface RolledOut {
  checks: LiveCheck[];
  /** Whether nothing is left but the nodes' addresses, which none of them says and will ever say. */
  isUnsaid: boolean;
}

/** In the words of the first check that did not pass. */
type Look = RolledOut & Pick<LiveCheck, "what" | "found" | "status">;

async function look(
  hosted: LiveCluster,
  { wanted, since }: RollOutQuestion,
  isLast: () => boolean,
): Promise<Look> {
  const operator = await hosted.get(OPERATOR_PATH);
  const settings = entriesOf(wanted).map(([property, subnet]) =>
    settingCheck(operator, OPERATOR_PLACE, property, subnet),
  );
  const early = [...settings, rollOutCheck(await hosted.get(ROLL_OUT_PATH), since)];
  const areEarlyMet = early.every(isMet);
  // Large clusters have many nodes: they are listed when the rest has arrived, and at the end.
  const nodes = areEarlyMet || isLast() ? await hosted.list(NODES_PATH) : [];
  const late = entriesOf(wanted).map((entry) => atNodes(nodes, entry, since));
  const checks = [...early, ...late];
  const unmet = checks.find((check) => !isMet(check));
  const { what, found, status } = unmet ?? checks[0]!;
  const isUnsaid = areEarlyMet && entriesOf(wanted).every(([property]) => areSilent(nodes, property));
  return { checks, what, found, status, isUnsaid };
}

function atNodes(
  nodes: readonly LiveObject[],
  [property, subnet]: [InternalSubnetProperty, string],
  since: number | undefined,
): LiveCheck {
  const { fix, ...check } = nodesCheck(nodes, property, subnet);
  if (since === undefined || !areSilent(nodes, property))
    return { ...check, ...(fix !== undefined && { fix }) };
  const found = `${check.found}; the generation after ${since} decides`;
  return { ...check, found, status: LiveStatus.Passed };
}

const isMet = ({ status }: LiveCheck): boolean => status === LiveStatus.Passed;
