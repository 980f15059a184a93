import type { InternalSubnetProperty } from "../../requirements/internalSubnets";
import type { LiveCheck } from "../liveCheck";
import type { LiveCluster } from "../liveCluster";
import { until, type Waiting } from "../until";
import { ROLL_OUT_PATH, rollOutCheck } from "./daemonSet";
import { NODES_PATH, nodesCheck } from "./nodes";
import { OPERATOR_PLACE, settingCheck, type WantedSubnets } from "./settings";

const OPERATOR_PATH = "/apis/operator.openshift.io/v1/networks/cluster";

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
 * ovnkube-node, and at the nodes. Each is waited for after the one before it.
 *
 * @throws LiveFault where the cluster does not answer, or refuses
 */
export async function rollOutChecks(
  hosted: LiveCluster,
  { wanted, since }: RollOutQuestion,
  waiting: Waiting,
): Promise<LiveCheck[]> {
  const checks: LiveCheck[] = [];
  const look = async (check: () => Promise<LiveCheck>) => checks.push(await until(check, waiting));
  for (const [property, subnet] of entriesOf(wanted))
    await look(async () => settingCheck(await hosted.get(OPERATOR_PATH), OPERATOR_PLACE, property, subnet));
  await look(async () => rollOutCheck(await hosted.get(ROLL_OUT_PATH), since));
  for (const [property, subnet] of entriesOf(wanted))
    if (nodesCheck([], property, subnet))
      await look(async () => nodesCheck(await hosted.list(NODES_PATH), property, subnet)!);
  return checks;
}
