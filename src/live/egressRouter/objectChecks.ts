import {
  attachmentsIn,
  NETWORK_STATUS_ANNOTATIONS,
  NETWORKS_ANNOTATION,
  parseInterfaceAddress,
  routerConfigIn,
} from "../../egressRouter/surroundings";
import { isFilled, read, readText } from "../../resources/read";
import {
  type LiveCheck,
  type LiveCluster,
  type LiveObject,
  LiveStatus,
  type CheckOutcome,
  checkOf,
} from "../../cluster/liveCluster";
import { OPERATOR_NAMES } from "../../egressRouter/egressRouter";
import { annotationOf } from "../../resources/kubernetesObject";
import { podState } from "../probes/pods";
import { describeReference } from "../../requirements/documents";
import { egressRouterVerificationSource } from "../../requirements/egressSupport";

/** The check that fails if no object of that name exists. */
export const absent = ({ namespace, name }: RouterState): LiveCheck =>
  check(
    {
      id: "egress-router/object",
      what: `egress router ${namespace}/${name}`,
      expected: "an EgressRouter, or a NetworkAttachmentDefinition, of that name",
    },
    failed("neither of them"),
    `run oc get egressrouters,network-attachment-definitions -n ${namespace}`,
  );

/** Checks the EgressRouter object. Operators of some releases write no conditions: then none contradicts it. */
export function objectCheck({ namespace, name }: RouterState, router: LiveObject): LiveCheck {
  const against = read(router, "status.conditions[]").flatMap(({ value }) => {
    const [type = "", status = "", ...why] = ["type", "status", "reason", "message"].flatMap((field) =>
      textsOf(value as LiveObject, field),
    );
    return AGAINST[type] === status ? [[`${type}=${status}`, ...why].join(": ")] : [];
  });
  const verdict = against.length > 0 ? failed(against.join("; ")) : addressVerdict(router);
  return check(
    {
      id: "egress-router/object",
      what: `EgressRouter ${namespace}/${name}`,
      expected: "an address, and no condition that reports a failure",
    },
    verdict,
    against.length > 0 ? FIX_OPERATOR : "write spec.addresses[0].ip with its prefix length: 192.168.12.99/24",
  );
}

/** Operators ignore an address without a prefix length. */
function addressVerdict(router: LiveObject): CheckOutcome {
  const [address] = read(router, "spec.addresses[].ip");
  if (!address) return failed("spec.addresses has none");
  const { problem } = parseInterfaceAddress(address.value);
  return problem === undefined ? passed(address.value as string) : failed(problem);
}

const AGAINST: Readonly<Record<string, string>> = { Available: "False", Degraded: "True" };
const FIX_OPERATOR =
  "check the status of the Cluster Network Operator: oc get clusteroperator network -o yaml";

/** Checks that the network attachment exists and has the address that the EgressRouter reserves. */
export function attachmentCheck(state: RouterState): LiveCheck {
  const { namespace, attachmentName, attachment, router } = state;
  const wanted = router && wantedBy(router);
  return check(
    {
      id: "egress-router/network-attachment",
      what: `NetworkAttachmentDefinition ${namespace}/${attachmentName}`,
      expected: `of the plug-in egress-router, with ${wanted ?? "an address"}`,
    },
    attachmentVerdict(attachment, wanted),
    router
      ? FIX_OPERATOR
      : "write spec.config for the plug-in egress-router, as the component EgressRouter does",
  );
}

function attachmentVerdict(attachment: LiveObject | undefined, wanted: string | undefined): CheckOutcome {
  if (!attachment) return failed("there is none");
  const [text = ""] = textsOf(attachment, "spec.config");
  const config = routerConfigIn(text);
  if (!config) return failed("spec.config is of another plug-in, or cannot be read");
  const [address] = config.addresses;
  if (address === undefined) return failed("no address");
  const isWanted = wanted === undefined || canonicalInterfaceAddress(address) === wanted;
  return isWanted ? passed(address) : failed(address);
}

/** Identifies an egress router: the EgressRouter object, or the network attachment of a router without one. */
export interface RouterName {
  namespace: string;
  name: string;
}

/** The objects of an egress router in a cluster at one moment. */
export interface RouterState extends RouterName {
  /** Undefined if the router consists of a network attachment only. */
  router?: LiveObject;
  /** Name of the network attachment. */
  attachmentName: string;
  attachment?: LiveObject;
  /** The pods that request the network attachment and have neither ended nor are being deleted. */
  pods: LiveObject[];
}

/** Reads all objects of an egress router. */
export async function routerState(
  cluster: LiveCluster,
  { namespace, name }: RouterName,
): Promise<RouterState> {
  const router = await cluster.get(
    `/apis/network.operator.openshift.io/v1/namespaces/${namespace}/egressrouters/${name}`,
  );
  const attachmentName = router ? OPERATOR_NAMES.networkAttachment : name;
  const attachment = await cluster.get(
    `/apis/k8s.cni.cncf.io/v1/namespaces/${namespace}/network-attachment-definitions/${attachmentName}`,
  );
  const isThere = router !== undefined || attachment !== undefined;
  const pods = isThere ? await cluster.list(`/api/v1/namespaces/${namespace}/pods`) : [];
  const wanted = `${namespace}/${attachmentName}`;
  const own = pods.filter((pod) =>
    attachmentsIn(annotationOf(pod, NETWORKS_ANNOTATION) ?? "", namespace).includes(wanted),
  );
  return {
    namespace,
    name,
    attachmentName,
    pods: standing(own),
    ...(router && { router }),
    ...(attachment && { attachment }),
  };
}

/** Leaves out pods that a Deployment replaced and that linger; if no others exist, the last ended pod shows the reason. */
function standing(pods: readonly LiveObject[]): LiveObject[] {
  const staying = pods.filter((pod) => readText(pod, "metadata.deletionTimestamp") === undefined);
  const running = staying.filter((pod) => !ENDED.has(readText(pod, "status.phase")));
  return running.length > 0 ? running : staying.slice(-1);
}

const ENDED: ReadonlySet<unknown> = new Set(["Failed", "Succeeded"]);

/** Whether waiting is pointless: no object exists, or a pod that nothing replaces will never be ready. */
export const isHopeless = ({ router, attachment, pods }: RouterState): boolean =>
  (!router && !attachment) ||
  pods.some((pod) => {
    const isReplaced =
      ENDED.has(readText(pod, "status.phase")) && read(pod, "metadata.ownerReferences[]").length > 0;
    return podState(pod).isHopeless && !isReplaced;
  });

/** What Multus has written about a pod's interfaces. */
export const networkStatusOf = (pod: LiveObject): string | undefined =>
  NETWORK_STATUS_ANNOTATIONS.map((annotation) => annotationOf(pod, annotation)).find(
    (text) => text !== undefined,
  );

export const passed = (found: string): CheckOutcome => ({ found, status: LiveStatus.Passed });
export const failed = (found: string): CheckOutcome => ({ found, status: LiveStatus.Failed });
export const unknown = (found: string): CheckOutcome => ({ found, status: LiveStatus.Unknown });

/** A check of an egress router; it has a fix unless it passed. */
export const check = (
  rest: Pick<LiveCheck, "id" | "what" | "expected">,
  verdict: CheckOutcome,
  fix: string,
): LiveCheck => checkOf(rest, verdict, fix, describeReference(egressRouterVerificationSource));

/** The reserved address with its prefix length, as the router's own objects state it. */
export function wantedOf({ router, attachment }: RouterState): string | undefined {
  if (router) return wantedBy(router);
  const config = attachment && routerConfigIn(textsOf(attachment, "spec.config")[0] ?? "");
  const [address] = config?.addresses ?? [];
  return address === undefined ? undefined : canonicalInterfaceAddress(address);
}

/** Operators use only the first address. */
function wantedBy(router: LiveObject): string | undefined {
  const [first] = read(router, "spec.addresses[].ip");
  return first && canonicalInterfaceAddress(first.value as string);
}

function canonicalInterfaceAddress(address: string): string | undefined {
  const interfaceAddress = parseInterfaceAddress(address);
  return interfaceAddress.problem === undefined ? interfaceAddress.text : undefined;
}

/** The text at a path, or nothing. */
export function textsOf(object: LiveObject, path: string): string[] {
  const text = readText(object, path);
  return isFilled(text) ? [text] : [];
}
