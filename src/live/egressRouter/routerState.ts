import {
  attachmentsIn,
  NETWORK_STATUS_ANNOTATIONS,
  NETWORKS_ANNOTATION,
} from "../../egressRouter/podNetworks";
import { OPERATOR_NAMES } from "../../egressRouter/egressRouter";
import { annotationOf } from "../../resources/objectText";
import { read, readText } from "../../resources/read";
import type { LiveCluster, LiveObject } from "../../cluster/liveCluster";
import { podState } from "../probes/podState";

/** Which egress router: the EgressRouter object, or the network attachment of a router without one. */
export interface RouterName {
  namespace: string;
  name: string;
}

/** What a cluster has of an egress router at one moment. */
export interface RouterState extends RouterName {
  /** Absent where the router is made of a network attachment. */
  router?: LiveObject;
  /** Name of the network attachment. */
  attachmentName: string;
  attachment?: LiveObject;
  /** The pods that ask for the network attachment and have not ended, nor are on their way out. */
  pods: LiveObject[];
}

/** Reads all that there is of an egress router. */
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

/** Those that a Deployment has replaced stay a while; where there are no others, those that have ended say why. */
function standing(pods: readonly LiveObject[]): LiveObject[] {
  const staying = pods.filter((pod) => readText(pod, "metadata.deletionTimestamp") === undefined);
  const running = staying.filter((pod) => !ENDED.has(readText(pod, "status.phase")));
  return running.length > 0 ? running : staying.slice(-1);
}

const ENDED: ReadonlySet<unknown> = new Set(["Failed", "Succeeded"]);

/** Whether waiting is of no use: nothing is there, or a pod will never be ready that nobody replaces. */
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
