import { rollOutOf } from "../../resources/daemonSet";
import { LiveStatus } from "../liveCheck";
import type { LiveCluster } from "../liveCluster";
import { ROLL_OUT_PATH } from "./daemonSet";
import { entriesOf, OPERATOR_PATH } from "./rollOutChecks";
import { OPERATOR_PLACE, settingCheck, type WantedSubnets } from "./settings";

/**
 * The generation of ovnkube-node before a change of the internal subnets; undefined where the Network operator has the change
 * already, or the DaemonSet is not there yet: then it says nothing of the change.
 *
 * @throws LiveFault where the cluster does not answer, or refuses
 */
export async function generationBefore(
  hosted: LiveCluster,
  wanted: WantedSubnets,
): Promise<number | undefined> {
  const [operator, daemonSet] = [await hosted.get(OPERATOR_PATH), await hosted.get(ROLL_OUT_PATH)];
  const isCarried = entriesOf(wanted).every(
    ([property, subnet]) =>
      settingCheck(operator, OPERATOR_PLACE, property, subnet).status === LiveStatus.Passed,
  );
  return isCarried || !daemonSet ? undefined : rollOutOf(daemonSet).generation;
}
