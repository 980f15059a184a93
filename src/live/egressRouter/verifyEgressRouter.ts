import { LiveStatus, isVerified, unlessForbidden, type LiveCheck } from "../../cluster/liveCheck";
import type { LiveCluster, LiveObject } from "../../cluster/liveCluster";
import { until, type Waiting } from "../../cluster/until";
import {
  absent,
  attachmentCheck,
  isHopeless,
  objectCheck,
  routerState,
  type RouterName,
  type RouterState,
} from "./objectChecks";
import { interfaceCheck, podCheck } from "./podChecks";
import { OPERATOR_NAMES } from "../../egressRouter/egressRouter";
import { nameOf, textAt } from "../../resources/objectText";

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

/** What a moment says of an egress router, from its objects to its second interface. */
export function routerChecks(state: RouterState): LiveCheck[] {
  if (!state.router && !state.attachment) return [absent(state)];
  const { router } = state;
  return [
    ...(router ? [objectCheck(state, router)] : []),
    attachmentCheck(state),
    podCheck(state),
    interfaceCheck(state),
  ];
}

/** The newest event that warns about a router's pod, or about what makes its pod: `FailedCreatePodSandBox: ...`. */
export async function newestWarning(
  cluster: LiveCluster,
  { namespace, name, router, pods }: RouterState,
): Promise<string | undefined> {
  const names = [router ? OPERATOR_NAMES.deployment : name, ...pods.map(nameOf)];
  const path = `/api/v1/namespaces/${namespace}/events?fieldSelector=${encodeURIComponent("type=Warning")}`;
  // Events only add to what is known: without the right to list them it is told without them.
  const events = ((await unlessForbidden(cluster.list(path))) ?? []).filter((event) => {
    const object = textAt(event, "involvedObject.name");
    // ReplicaSets and pods have the name of their Deployment before theirs.
    return names.some((one) => object === one || object.startsWith(`${one}-`));
  });
  const [newest] = events.sort((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1));
  return newest && [textAt(newest, "reason"), textAt(newest, "message")].filter(Boolean).join(": ");
}

const timeOf = (event: LiveObject): string =>
  textAt(event, "lastTimestamp") || textAt(event, "eventTime") || textAt(event, "metadata.creationTimestamp");
