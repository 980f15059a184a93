import {
  check,
  failed,
  networkStatusOf,
  passed,
  unknown,
  wantedOf,
  type RouterState,
  type Verdict,
} from "./objectChecks";
import { parseAddress } from "../../address/parse";
import { interfacesIn } from "../../egressRouter/podNetworks";
import { nameOf } from "../../resources/objectText";
import { type LiveCheck } from "../../cluster/liveCheck";
import { podState } from "../probes/podState";

/** Whether the one pod is scheduled and ready. */
export function podCheck({ namespace, name, attachmentName, pods, router }: RouterState): LiveCheck {
  const states = pods.map((pod) => ({ name: nameOf(pod), ...podState(pod) }));
  const words = states.map((state) => `pod ${state.name}: ${state.words}`).join("; ");
  const isOne = states.length === 1 && states[0]!.isReady;
  const workload = router
    ? "the Deployment that the Cluster Network Operator makes"
    : "its Deployment or Pod";
  return check(
    {
      id: "egress-router/pod",
      what: `the pod of egress router ${namespace}/${name}`,
      expected: "one, and ready",
    },
    isOne ? passed(words) : failed(words || `no pod asks for ${namespace}/${attachmentName}`),
    states.length > 1
      ? "two pods take the address from each other: let one of them go"
      : `look at ${workload}: oc get deployments,pods,events -n ${namespace}; its image has to be one that the nodes can pull`,
  );
}

/** Whether Multus has given the pod its second interface, with the reserved address. */
export function interfaceCheck(state: RouterState): LiveCheck {
  const { namespace, attachmentName, pods } = state;
  const wanted = wantedOf(state)?.split("/")[0];
  return check(
    {
      id: "egress-router/interface",
      what: "the second network interface of its pod",
      expected: `${wanted ?? "the reserved address"}, from ${namespace}/${attachmentName}`,
    },
    interfaceVerdict(state, wanted),
    `look at what Multus says: oc get events -n ${namespace} --field-selector involvedObject.name=${pods[0] ? nameOf(pods[0]) : "<pod>"}`,
  );
}

function interfaceVerdict(
  { namespace, attachmentName, pods }: RouterState,
  wanted: string | undefined,
): Verdict {
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
