import {
  type CheckOutcome,
  isVerified,
  type LiveCheck,
  type LiveCluster,
  type LiveObject,
  LiveStatus,
  unlessForbidden,
} from "../../cluster/liveCluster";
import { until, type Waiting } from "../../cluster/interruptible";
import {
  absent,
  attachmentCheck,
  check,
  failed,
  isHopeless,
  networkStatusOf,
  objectCheck,
  passed,
  type RouterName,
  routerState,
  type RouterState,
  unknown,
  wantedOf,
} from "./objectChecks";
import { OPERATOR_NAMES } from "../../egressRouter/egressRouter";
import { nameOf, textAt } from "../../resources/kubernetesObject";
import { parseAddress } from "../../address/parse";
import { interfacesIn } from "../../egressRouter/surroundings";
import { podState } from "../probes/pods";

/**
 * Runs the verification that OCP 4.7 OVN documents for an egress router: its pod has started and has the secondary network interface with
 * the reserved address. It only reads objects: the EgressRouter, the network attachment, the pod with the annotations of Multus, and
 * events if a check did not pass.
 *
 * @throws LiveFault if the cluster does not answer, or forbids reading
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
  const timedOut = isHopeless(state) ? [] : ["when the timeout expired"];
  const warning = await newestWarning(cluster, state);
  return explained(checks, [...(warning === undefined ? [] : [warning]), ...timedOut]);
}

/** Combines all checks into one that can be waited for. */
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

/** Appends the cause to the check of the pod, or of its interface if the pod is ready. */
function explained(checks: readonly LiveCheck[], words: readonly string[]): LiveCheck[] {
  const open = checks.filter(({ status }) => status !== LiveStatus.Passed);
  const place = open.find(({ id }) => PLACES.includes(id)) ?? open[0];
  return checks.map((check) =>
    check === place ? { ...check, found: [check.found, ...words].join(", ") } : check,
  );
}

const PLACES: readonly string[] = ["egress-router/pod", "egress-router/interface"];

/** Checks an egress router at one moment, from its objects to its second interface. */
function routerChecks(state: RouterState): LiveCheck[] {
  if (!state.router && !state.attachment) return [absent(state)];
  const { router } = state;
  return [
    ...(router ? [objectCheck(state, router)] : []),
    attachmentCheck(state),
    podCheck(state),
    interfaceCheck(state),
  ];
}

/** The newest warning event of a router's pod or of what creates it: `FailedCreatePodSandBox: ...`. */
async function newestWarning(
  cluster: LiveCluster,
  { namespace, name, router, pods }: RouterState,
): Promise<string | undefined> {
  const names = [router ? OPERATOR_NAMES.deployment : name, ...pods.map(nameOf)];
  const path = `/api/v1/namespaces/${namespace}/events?fieldSelector=${encodeURIComponent("type=Warning")}`;
  // Events are additional: without the right to list them, the result is reported without them.
  const events = ((await unlessForbidden(cluster.list(path))) ?? []).filter((event) => {
    const object = textAt(event, "involvedObject.name");
    // Names of ReplicaSets and pods begin with the name of their Deployment.
    return names.some((one) => object === one || object.startsWith(`${one}-`));
  });
  const [newest] = events.sort((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1));
  return newest && [textAt(newest, "reason"), textAt(newest, "message")].filter(Boolean).join(": ");
}

const timeOf = (event: LiveObject): string =>
  textAt(event, "lastTimestamp") || textAt(event, "eventTime") || textAt(event, "metadata.creationTimestamp");

/** Checks that there is one pod and that it is ready. */
function podCheck({ namespace, name, attachmentName, pods, router }: RouterState): LiveCheck {
  const states = pods.map((pod) => ({ name: nameOf(pod), ...podState(pod) }));
  const words = states.map((state) => `pod ${state.name}: ${state.words}`).join("; ");
  const isOne = states.length === 1 && states[0]!.isReady;
  const workload = router
    ? "the Deployment that the Cluster Network Operator creates"
    : "its Deployment or Pod";
  return check(
    {
      id: "egress-router/pod",
      what: `the pod of egress router ${namespace}/${name}`,
      expected: "one, and ready",
    },
    isOne ? passed(words) : failed(words || `no pod requests ${namespace}/${attachmentName}`),
    states.length > 1
      ? "the pods compete for the address: keep only one of them"
      : `check ${workload}: oc get deployments,pods,events -n ${namespace}; the nodes must be able to pull its image`,
  );
}

/** Checks that Multus has given the pod its second interface, with the reserved address. */
function interfaceCheck(state: RouterState): LiveCheck {
  const { namespace, attachmentName, pods } = state;
  const wanted = wantedOf(state)?.split("/")[0];
  return check(
    {
      id: "egress-router/interface",
      what: "the second network interface of its pod",
      expected: `${wanted ?? "the reserved address"}, from ${namespace}/${attachmentName}`,
    },
    interfaceVerdict(state, wanted),
    `check the events of Multus: oc get events -n ${namespace} --field-selector involvedObject.name=${pods[0] ? nameOf(pods[0]) : "<pod>"}`,
  );
}

function interfaceVerdict(
  { namespace, attachmentName, pods }: RouterState,
  wanted: string | undefined,
): CheckOutcome {
  const [pod] = pods;
  if (!pod) return unknown("there is no pod");
  const text = networkStatusOf(pod);
  if (text === undefined) return unknown("Multus has written no network-status to the pod");
  const all = interfacesIn(text);
  if (!all) return unknown("the pod's network-status cannot be read");
  const names = [`${namespace}/${attachmentName}`, attachmentName];
  const own = all.filter(({ network }) => names.includes(network));
  if (own.length === 0) return failed(`none of it; the pod has ${words(all)}`);
  if (wanted === undefined) return unknown(`${words(own)}, and the reserved address is not stated`);
  const has = own.some(({ addresses }) =>
    addresses.some((one) => parseAddress(one).address?.text === wanted),
  );
  return has ? passed(words(own)) : failed(words(own));
}

const words = (interfaces: readonly { name: string; addresses: readonly string[] }[]): string =>
  interfaces.map(({ name, addresses }) => [name, ...addresses].join(" ")).join("; ") || "no interface";
