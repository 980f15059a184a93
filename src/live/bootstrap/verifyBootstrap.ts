import { readText } from "../../resources/read";
import { bootstrapPhase, type BootstrapCheck } from "../../topology/bootstrap";
import { LiveStatus, type LiveCheck } from "../../cluster/liveCheck";
import type { LiveCluster } from "../../cluster/liveCluster";
import { hostedCluster } from "../subnets/verifySubnets";

/**
 * Whether the bootstrap ports of a hosted cluster can be closed, from its NodePools in the management cluster.
 *
 * @throws LiveFault where the management cluster does not answer, or has no such HostedCluster
 */
export async function verifyBootstrap(
  question: { namespace: string; name: string },
  management: LiveCluster,
): Promise<LiveCheck[]> {
  const { namespace, name } = question;
  const object = await hostedCluster(management, question);
  const all = await management.list(
    `/apis/hypershift.openshift.io/v1beta1/namespaces/${namespace}/nodepools`,
  );
  const own = all.filter((nodePool) => readText(nodePool, "spec.clusterName") === name);
  return bootstrapPhase(own, object).checks.map(liveCheck);
}

const STATUS: Readonly<Record<BootstrapCheck["status"], LiveStatus>> = {
  met: LiveStatus.Passed,
  unmet: LiveStatus.Failed,
  unknown: LiveStatus.Unknown,
};

const liveCheck = ({ id, subject, status, ...rest }: BootstrapCheck): LiveCheck => ({
  id: `bootstrap/${id}`,
  what: subject,
  status: STATUS[status],
  ...rest,
});
