import { isVerified, LiveStatus, type LiveCheck } from "../../cluster/liveCheck";
import type { LiveCluster } from "../../cluster/liveCluster";
import { until, type Waiting } from "../../cluster/until";
import { routerChecks } from "./routerChecks";
import { isHopeless, routerState, type RouterName, type RouterState } from "./routerState";
import { newestWarning } from "./warnings";

/**
 * The verification of document D4 for an egress router: its pod started and has the secondary network interface, with the
 * reserved address. Only objects are read: the EgressRouter, the network attachment, the pod with what Multus wrote to it, and
 * events where something did not pass.
 *
 * @throws LiveFault where the cluster does not answer, or forbids to read
 */
export async function verifyEgressRouter(
  cluster: LiveCluster,
  name: RouterName,
  waiting: Waiting,
): Promise<LiveCheck[]> {
  const { state, checks } = await until(
    async () => {
      const seen = await routerState(cluster, name);
      return summary(seen, routerChecks(seen));
    },
    waiting,
    ({ state: seen }) => isHopeless(seen),
  );
  if (isVerified(checks)) return [...checks];
  const timedOut = isHopeless(state) ? [] : ["when the time was over"];
  const warning = await newestWarning(cluster, state);
  return explained(checks, [...(warning === undefined ? [] : [warning]), ...timedOut]);
}

/** All checks as one, which is waited for. */
function summary(state: RouterState, checks: readonly LiveCheck[]) {
  const open = checks.filter(({ status }) => status !== LiveStatus.Passed);
  return {
    state,
    checks,
    what: `egress router ${state.namespace}/${state.name}`,
    found: open.map(({ found }) => found).join("; "),
    status: open.length > 0 ? LiveStatus.Failed : LiveStatus.Passed,
  };
}

/** What keeps a router stands at the pod, or at its interface where the pod is ready. */
function explained(checks: readonly LiveCheck[], words: readonly string[]): LiveCheck[] {
  const open = checks.filter(({ status }) => status !== LiveStatus.Passed);
  const place = open.find(({ id }) => PLACES.includes(id)) ?? open[0];
  return checks.map((check) =>
    check === place ? { ...check, found: [check.found, ...words].join(", ") } : check,
  );
}

const PLACES: readonly string[] = ["egress-router/pod", "egress-router/interface"];
